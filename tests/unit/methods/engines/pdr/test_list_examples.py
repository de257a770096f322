"""The examples about lists: right ones are proved, wrong ones have an execution, two have no universal invariant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.limits import Limits
from core.program import Program
from core.program.properties import PropertyKind, kinds_of
from core.verdict import Safe, Unknown, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel
from methods.engines.pdr.frames import AbstractTrace, Frames
from methods.engines.pdr.universal_clauses import HeapLiteral
from methods.engines.pdr.view import HeapView, KnownPointers
from tests.support.lists import are_certified, outcomes

FOLDER = Path(__file__).parents[5] / "resources" / "examples" / "lists"
NO_INVARIANT = ["comb", "shared_tail"]
NAMES = sorted(path.stem for path in FOLDER.glob("*.c"))
WRONG = [name for name in NAMES if name.endswith("_wrong")]
RIGHT = [name for name in NAMES if name not in WRONG and name not in NO_INVARIANT]
CERTIFIED = ["delete_all", "insert", "overlaid_delete", "reverse", "rotate", "union_find"]
CERTIFIED += ["bubble_sort", "exchange_sort", "sorted_insert"]
CERTIFIED += ["josephus", "ring", "ring_remove", "ring_rotate", "positions"]

pytestmark = pytest.mark.long


def example(name: str) -> Program:
    text = (FOLDER / f"{name}.c").read_text()
    asked = re.search(r"Property: (\S+)", text)
    kinds = {kind: one for one in (asked[1].split(",") if asked else ()) for kind in kinds_of(PropertyKind(one))}
    unit = parse_program(text, f"{name}.c", DataModel.LP64)
    return lower(unit, UnreachCall(), ArithmeticChoice.AUTO, kinds)


def test_eight_examples_have_a_wrong_twin() -> None:
    assert len(WRONG) >= 8
    assert {name.removesuffix("_wrong") for name in WRONG} <= set(RIGHT)


@pytest.mark.sampled
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_example_is_proved(name: str) -> None:
    found = outcomes(example(name))
    assert all(isinstance(outcome, Safe) for outcome in found.values()), found


@pytest.mark.sampled
@pytest.mark.parametrize("name", CERTIFIED)
def test_the_proof_of_an_example_is_certified(name: str) -> None:
    program = example(name)
    assert are_certified(program, outcomes(program))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_example_has_an_execution(name: str) -> None:
    assert any(isinstance(outcome, Unsafe) for outcome in outcomes(example(name)).values())


@pytest.mark.parametrize("name", [pytest.param("comb", marks=pytest.mark.slow), "shared_tail"])
def test_no_universal_invariant_is_said_where_a_trace_shows_it(name: str) -> None:
    (outcome,) = outcomes(example(name)).values()
    assert isinstance(outcome, Unknown)
    assert outcome.reason.startswith("no universal invariant")


def test_a_trace_is_confirmed_step_by_step() -> None:
    program = example("shared_tail")
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
