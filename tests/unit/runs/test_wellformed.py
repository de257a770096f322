"""Programs that engines could not read are refused where they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.program import Assign, Assume, Call, Edge, Operation, Program
from core.terms import BOOL, INT
from runs.jsondata import Malformed
from runs.wellformed import check_program
from tests.contract.test_engines import calling


def with_operation(make: Callable[[Program], Operation]) -> Program:
    """The program whose first edge does something else."""
    program = calling()
    first, *others = program.edges
    return replace(program, edges=(replace(first, operation=make(program)), *others))


def _x(program: Program) -> Assign:
    x = next(iter(program.variables))
    return Assign(((x, program.arena.true),))


def _twice(program: Program) -> Assign:
    x = next(iter(program.variables))
    return Assign(((x, program.arena.zero), (x, program.arena.one)))


WRONG: dict[str, tuple[Callable[[Program], Operation], str]] = {
    "number as condition": (lambda p: Assume(p.arena.one), "a term of sort Int where one of sort Bool is needed"),
    "truth as number": (_x, "a term of sort Bool where one of sort Int is needed"),
    "unknown symbol": (lambda p: Assume(p.arena.symbol("unknown", BOOL)), "neither a variable nor an input"),
    "assigned twice": (_twice, "assigns twice"),
    "unknown target": (lambda p: Assign(((p.arena.symbol("unknown", INT), p.arena.one),)), "what is no variable"),
    "too few arguments": (lambda _: Call("f", ()), "0 arguments for 1 parameters"),
    "unknown function": (lambda _: Call("unknown", ()), "a function that it does not have"),
}


def test_a_program_is_well_formed() -> None:
    check_program(calling())


@pytest.mark.parametrize("name", WRONG)
def test_wrong_terms_are_refused(name: str) -> None:
    make, message = WRONG[name]
    with pytest.raises(Malformed, match=message):
        check_program(with_operation(make))


def test_an_edge_stays_in_its_function() -> None:
    program = calling()
    end = program.functions["f"].entry
    edges = (*program.edges, Edge(len(program.edges), 0, end, Assume(program.arena.true), None, ""))
    with pytest.raises(Malformed, match="leads to another function"):
        check_program(replace(program, edges=edges))
