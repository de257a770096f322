"""Search for a generated program with memory that notices a seeded bug."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from core.limits import cpu_used
from core.run.jsondata import compact
from core.run.serialize import encode_program
from frontend.source import FrontendError
from interplay.session.attempt import RESERVED
from interplay.session.default_services import DefaultServices
from interplay.session.request import ReplayMode, Request
from tests.random_programs.checked import Answer, answer_to, asked, contradictions
from tests.random_programs.memory_truth import MemoryProgram, memory_programs
from tests.seeded_bugs.memory_mutations import ENGINE_BUGS, MEMORY_BUGS

SEED, BATCH, MOST = "bugs", 10, 600
ENGINES = ("bmc", "explicit")
_SECONDS = 2.0


@cache
def batch(first: int) -> tuple[MemoryProgram, ...]:
    """The programs from number `first` on."""
    return tuple(memory_programs(SEED, first, BATCH))


def answer(program: MemoryProgram, engine: str, folder: Path) -> Answer:
    """The answer of an engine, in this process and without native replay."""
    limit = (cpu_used() + _SECONDS) / (1 - RESERVED)
    return answer_to(
        asked(
            Request("", engine=engine, time_limit=limit, replay=ReplayMode.INTERPRETER), program, _file(program, folder)
        )
    )


def trouble(program: MemoryProgram, said: Answer) -> set[str]:
    """The kinds of trouble with an answer; a correct checker has none."""
    signs = {
        "contradiction": bool(contradictions(program, said)),
        "rejected certificate": bool(said.rejected),
        "unconfirmed counterexample": bool(said.unconfirmed),
        "error": said.verdict.startswith("ERROR"),
    }
    return {name for name, is_there in signs.items() if is_there}


def first_notice(name: str, folder: Path, most: int = MOST) -> tuple[str, str] | None:
    """The first program, and the engine, that notice the bug, and nothing without it."""
    for number in range(0, most, BATCH):
        for program in batch(number):
            engine = notices(name, program, folder)
            if engine is not None:
                return program.name, engine
    return None


def notices(name: str, program: MemoryProgram, folder: Path) -> str | None:
    """The first engine that notices the bug on a program; None where the front end does the same as without it."""
    if name not in ENGINE_BUGS:
        plain = _lowered(program, folder)
        with pytest.MonkeyPatch.context() as monkey:
            MEMORY_BUGS[name](monkey)
            if _lowered(program, folder) == plain:
                return None
    for engine in (ENGINE_BUGS[name],) if name in ENGINE_BUGS else ENGINES:
        with pytest.MonkeyPatch.context() as monkey:
            MEMORY_BUGS[name](monkey)
            signs = trouble(program, answer(program, engine, folder))
        if signs and signs - trouble(program, answer(program, engine, folder)):
            return engine
    return None


def _lowered(program: MemoryProgram, folder: Path) -> str:
    """The lowered program as text."""
    request = asked(Request(""), program, _file(program, folder))
    try:
        task = DefaultServices().load(request, lambda name: Path(name).read_text(), lambda _: None)
    except FrontendError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - a bug may break anything
        return repr(error)
    return compact(encode_program(task.program))


def _file(program: MemoryProgram, folder: Path) -> Path:
    file = folder / f"{program.name}.c"
    file.write_text(program.text)
    return file
