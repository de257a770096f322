"""Whether a generated program with memory notices a seeded bug."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.limits import cpu_used
from frontend.source import FrontendError
from interplay.session.attempt import RESERVED
from interplay.session.default_services import DefaultServices
from interplay.session.request import ReplayMode, Request
from runs.jsondata import compact
from runs.serialize import encode_program
from tests.random_programs.checked import Answer, answer_to, asked, contradictions
from tests.random_programs.memory_truth import MemoryProgram
from tests.seeded_bugs.memory_mutations import ENGINE_BUGS, MEMORY_BUGS

SEED, BATCH, MAX = "bugs", 10, 400
ENGINES = ("bmc", "explicit")
_SECONDS = 2.0


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


class Sample:
    """A program that bugs are tried on; what the tree without a bug makes of it is found once."""

    def __init__(self, program: MemoryProgram, folder: Path) -> None:
        self.program, self._folder = program, folder
        self._plain: str | None = None
        self._fine: dict[str, Answer] = {}

    def notices(self, name: str) -> str | None:
        """The first engine that notices the bug, of those that decide the program without it.

        None where the front end does the same as without it.
        """
        if name not in ENGINE_BUGS and not self._is_lowered_otherwise(name):
            return None
        for engine in (ENGINE_BUGS[name],) if name in ENGINE_BUGS else ENGINES:
            fine = self._fine_answer(engine)
            if not fine.decided:
                continue
            with pytest.MonkeyPatch.context() as monkey:
                MEMORY_BUGS[name](monkey)
                said = self._answer(engine)
            if trouble(self.program, said) - trouble(self.program, fine):
                return engine
        return None

    def _is_lowered_otherwise(self, name: str) -> bool:
        if self._plain is None:
            self._plain = _lowered(self.program, self._folder)
        with pytest.MonkeyPatch.context() as monkey:
            MEMORY_BUGS[name](monkey)
            return _lowered(self.program, self._folder) != self._plain

    def _fine_answer(self, engine: str) -> Answer:
        if engine not in self._fine:
            self._fine[engine] = self._answer(engine)
        return self._fine[engine]

    def _answer(self, engine: str) -> Answer:
        return answer(self.program, engine, self._folder)


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
