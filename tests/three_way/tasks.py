"""Comparison of one program, run three ways, on all vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.terms import NotEvaluable
from frontend.api import parse_program, read_source
from frontend.interpreter import Budget
from frontend.lowering import UnreachCall, lower
from frontend.replay.instrument import NotReplayable
from frontend.replay.policy import error_policy
from frontend.source import FrontendError, Unsupported
from frontend.typed.ctype import DataModel
from tests.support.compiled import Compiled
from tests.three_way.inputs import VECTORS, FormulaSupply, Vector, formula_inputs
from tests.three_way.interpreted import interpret, simulate
from tests.three_way.native import Executable, Native
from tests.three_way.run import End, Run, difference

STEPS = 1_000_000
"""Steps that a run in the interpreter or in the simulation may take."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The front end does not take the program."""

    reason: str
    floats: bool


@dataclass(frozen=True, slots=True)
class Ran:
    """The runs of a program.

    `ends` says how the run by gcc, by the interpreter and by the simulation ended for each vector.

    `different` has the vectors on which they disagree, and how; `missing` says why one way is not there at all.
    """

    ends: tuple[str, ...]
    different: tuple[str, ...]
    missing: str = ""

    @property
    def equal(self) -> bool:
        return not self.different and not self.missing


def three_ways(
    path: Path,
    model: DataModel,
    native: Native,
    vectors: Sequence[Vector] = VECTORS,
    steps: int = STEPS,
) -> Refused | Ran:
    try:
        source = read_source(path)
        unit = parse_program(source, str(path), model)
        program = lower(unit, UnreachCall())
    except FrontendError as error:
        return Refused(str(error), "floating" in str(error))
    policy = error_policy(unit, UnreachCall())
    compiled = Compiled(program)
    executable: Executable | None = None
    missing = ""
    try:
        executable = native.build(source, unit, policy)
    except NotReplayable as reason:
        missing = f"gcc: {reason}"
    budget = Budget(steps=steps + 200_000, seconds=120.0, frames=20_000)
    ends, different, heavy = list[str](), list[str](), 0
    for vector in vectors:
        runs: dict[str, Run] = {}
        if executable is not None:
            runs["gcc"] = executable.run(vector)
        try:
            runs["interpreter"] = interpret(unit, policy, formula_inputs(unit, vector), budget)
        except Unsupported as reason:
            missing = missing or f"interpreter: {reason}"
        supply = FormulaSupply(unit, vector)
        try:
            runs["program"] = simulate(compiled, unit, supply, steps)
        except NotEvaluable as reason:
            different.append(f"{vector.kind}.{vector.seed}: the program is not defined: {reason}")
        ends.append("/".join(_end(one) for one in runs.values()))
        different += [f"{vector.kind}.{vector.seed}: {text}" for text in _differences(runs)]
        heavy += runs["program"].steps if "program" in runs else 0
        if not supply.drawn or heavy > 2 * steps:
            break  # the other runs would be the same, or take long
    return Ran(tuple(ends), tuple(different), missing)


def _end(run: Run) -> str:
    return f"{run.end.value} ({run.detail})" if run.end is End.UNDEFINED else run.end.value


def _differences(runs: dict[str, Run]) -> list[str]:
    names = list(runs)
    undefined = runs.get("interpreter", Run(End.RETURNED)).end is End.UNDEFINED
    found: list[str] = []
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            if undefined and "interpreter" not in (one, other):
                continue  # from there on they are free
            text = difference(runs[one], runs[other])
            if text is not None:
                found.append(f"{one}, {other}: {text}")
    return found


def data_model(definition: Path) -> DataModel:
    """The data model of a task definition; ILP32 where it says nothing."""
    return DataModel.LP64 if re.search(r"data_model:\s*'?LP64", definition.read_text()) else DataModel.ILP32
