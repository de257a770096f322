"""What a run is asked to do: plain data that crosses the process boundary and is stored in the run file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.options import WrongOption, read_options
from core.program.properties import SELECTABLE
from core.registry import ENGINES
from core.run.events import EditAction, Edited, Level
from core.run.jsondata import Malformed, as_int, as_ints, as_list, as_number, as_object, as_row, as_str
from frontend.options import Acsl, ArithmeticChoice
from interplay import __version__

WRITER = f"interplay {__version__}"
"""Who writes events, run files and results."""

PORTFOLIO = "portfolio"
"""What stands for an engine where several are run: see `interplay.portfolio.portfolio`."""

LARGEST_SEED = (1 << 32) - 1  # what all solvers take


def wrong_options(engine: str, values: Mapping[str, str]) -> str | None:
    """What is wrong with options for an engine."""
    if engine == PORTFOLIO:
        return f"engine {PORTFOLIO}: it has no options; choose an engine" if values else None
    try:
        read_options(ENGINES[engine].options, values)
    except WrongOption as error:
        return f"engine {engine}: {error}"
    return None


class ReplayMode(StrEnum):
    """What may confirm a counterexample."""

    NATIVE = "native"  # a compiled replay first, then the interpreter
    INTERPRETER = "interpreter"  # nothing is compiled or run natively


class Start(StrEnum):
    """How a run starts."""

    AT_ONCE = "at once"
    PAUSED = "paused"  # before its first round


class Stage(StrEnum):
    """How far the front end goes where only the input is checked."""

    PARSE = "parse"
    TYPES = "types"
    PROGRAM = "program"


@dataclass(frozen=True)
class Request:
    """One task and how to run it. None leaves a choice to the task definition or means no limit.

    `task` is a C file or a task definition, as the user wrote it; `property` is a property file or a name;
    `time_limit` is in CPU seconds, `memory_limit` in megabytes of 2^20 bytes. `recheck` names a run file whose
    sources and evidence are taken instead of reading files and running an engine. `options` are the engine's
    (`core.options`), by name. `checks` names kinds of undefined behaviour that are checked beside the property.
    `witness` is a file with a witness that becomes part of the program, to be examined. `edits` are made before their
    rounds, as a person made them in a run before (`interplay.session.recorded_edits`).
    """

    task: str
    property: str | None = None
    engine: str = "transition"
    time_limit: float | None = None
    memory_limit: int | None = None
    data_model: str | None = None
    replay: ReplayMode = ReplayMode.NATIVE
    seed: int = 0
    level: Level = Level.SUMMARY
    recheck: str | None = None
    arithmetic: ArithmeticChoice = ArithmeticChoice.AUTO
    acsl: Acsl | None = None
    options: tuple[tuple[str, str], ...] = ()
    checks: tuple[str, ...] = ()
    witness: str | None = None
    edits: tuple[Edited, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "task": self.task,
            "property": self.property,
            "engine": self.engine,
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
            "data_model": self.data_model,
            "replay": self.replay.value,
            "seed": self.seed,
            "level": self.level.value,
            "recheck": self.recheck,
            "arithmetic": self.arithmetic.value,
            **({"acsl": self.acsl.value} if self.acsl else {}),
            "options": dict(self.options),
            **({"checks": list(self.checks)} if self.checks else {}),
            **({"witness": self.witness} if self.witness else {}),
            **({"edits": [[e.round, e.action, e.formula, e.place, e.text] for e in self.edits]} if self.edits else {}),
        }


def read_request(value: object) -> Request:
    """The request that `to_json` wrote. Raises `Malformed`."""
    data = as_object(value)
    limit, memory = data.get("time_limit"), data.get("memory_limit")
    try:
        return Request(
            task=as_str(data.get("task")),
            property=_optional_text(data.get("property")),
            engine=as_str(data.get("engine", Request.engine)),
            time_limit=None if limit is None else as_number(limit),
            memory_limit=None if memory is None else as_int(memory),
            data_model=_optional_text(data.get("data_model")),
            replay=ReplayMode(as_str(data.get("replay", Request.replay))),
            seed=_seed(data.get("seed", 0)),
            level=Level(as_str(data.get("level", Request.level))),
            recheck=_optional_text(data.get("recheck")),
            arithmetic=ArithmeticChoice(as_str(data.get("arithmetic", Request.arithmetic))),
            acsl=Acsl(as_str(data["acsl"])) if "acsl" in data else None,
            options=tuple((name, as_str(v)) for name, v in as_object(data.get("options", {})).items()),
            checks=_checks(data.get("checks", [])),
            witness=_optional_text(data.get("witness")),
            edits=_edits(data.get("edits", [])),
        )
    except Malformed:
        raise
    except ValueError as error:
        raise Malformed(f"request: {error}") from None


def _seed(value: object) -> int:
    number = as_int(value)
    if not 0 <= number <= LARGEST_SEED:
        raise Malformed(f"request: the seed is not between 0 and {LARGEST_SEED}")
    return number


def _checks(value: object) -> tuple[str, ...]:
    names = tuple(as_str(one) for one in as_list(value))
    for name in names:
        if name not in list(SELECTABLE):
            raise Malformed(f"request: there is no check {name}")
    return names


def _edits(value: object) -> tuple[Edited, ...]:
    found: list[Edited] = []
    for row in as_list(value):
        round, action, formula, at, text = as_row(row, 5)
        place = None
        if at is not None:
            stack, location = as_row(at, 2)
            place = as_ints(stack), as_int(location)
        found.append(Edited(as_int(round), EditAction(as_str(action)).value, as_int(formula), place, as_str(text)))
    return tuple(found)


def _optional_text(value: object) -> str | None:
    return None if value is None else as_str(value)
