"""The examples about lists: right ones are proved, wrong ones have an execution, one has no universal invariant."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.certificate import Certified
from core.engines.pdr.formula import HeapLiteral
from core.engines.pdr.frames import AbstractTrace, Frames
from core.engines.pdr.view import HeapView, KnownPointers
from core.limits import Limits
from core.program import Program
from core.verdict import Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support.lists import examined, outcomes

FOLDER = Path(__file__).parents[5] / "resources" / "examples" / "lists"
NO_INVARIANT = "shared_tail"
NAMES = sorted(path.stem for path in FOLDER.glob("*.c"))
WRONG = [name for name in NAMES if name.endswith("_wrong")]
RIGHT = [name for name in NAMES if name not in WRONG and name != NO_INVARIANT]

pytestmark = pytest.mark.long


def example(name: str) -> Program:
    path = FOLDER / f"{name}.c"
    return lower(parse_program(path.read_text(), path.name, DataModel.LP64), UnreachCall())


def test_eight_examples_have_a_wrong_twin() -> None:
    assert len(WRONG) >= 8
    assert {name.removesuffix("_wrong") for name in WRONG} <= set(RIGHT)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_example_is_proved(name: str) -> None:
    found = outcomes(example(name))
    assert all(isinstance(outcome, Safe) for outcome in found.values()), found


@pytest.mark.parametrize("name", ["insert", "reverse", "rotate"])
def test_the_proof_of_an_example_is_certified(name: str) -> None:
    program = example(name)
    outcome = outcomes(program)[0]
    assert isinstance(outcome, Safe)
    assert isinstance(examined(program, outcome.certificate), Certified)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_example_has_an_execution(name: str) -> None:
    assert any(isinstance(outcome, Unsafe) for outcome in outcomes(example(name)).values())


def test_no_universal_invariant_is_said_where_a_trace_shows_it() -> None:
    (outcome,) = outcomes(example(NO_INVARIANT)).values()
    assert isinstance(outcome, Unknown)
    assert outcome.reason.startswith("no universal invariant")


def test_a_trace_is_confirmed_step_by_step() -> None:
    program = example(NO_INVARIANT)
    assert program.memory is not None
    view = HeapView(program, program.memory, Limits())
    frames = Frames(view, KnownPointers.LIVE, lambda: None, lambda _: None, lambda _: None)
    trace = frames.check()
    assert isinstance(trace, AbstractTrace)
    assert frames.confirms(trace)
    for i, diagram in enumerate(trace.diagrams):
        if diagram:
            wrong = tuple(HeapLiteral(not sign, atom) for sign, atom in diagram)
            others = (*trace.diagrams[:i], wrong, *trace.diagrams[i + 1 :])
            assert not frames.confirms(AbstractTrace(trace.queries, others))
    frames.close()
