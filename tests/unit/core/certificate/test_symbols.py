"""Certificates with symbols that mean something else than what they stand for there: none of them is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.certificate.results import Rejected
from core.program import Call
from core.program.expansion import At
from core.terms import INT, INT_ARRAY, Sort, Term
from core.verdict import RELATION, SET, Certificate, Fold, GhostField, HeapGhosts
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support.lists import PRELUDE, examined

DEEP = """
static int sink(int depth, struct node *p) {
    int a[2];
    a[0] = depth + 5;
    a[1] = depth;
    if (a[0] > 5) return sink(depth - 1, p);
    reach_error();
    return p->n != 0;
}
int main(void) {
    struct node *p = malloc(sizeof *p);
    p->n = 0;
    return sink(1, p);
}
"""
"""The second activation of the function always reaches the error."""


class Forgery:
    """Parts of certificates for `DEEP` that claim that there is no third activation, nor an error in the second."""

    def __init__(self) -> None:
        self.program = lower(parse_program(f"{PRELUDE}{DEEP}", "deep.c", DataModel.ILP32), UnreachCall())
        self.arena = self.program.arena
        self.calls = tuple(edge.id for edge in self.program.edges if isinstance(edge.operation, Call))
        self._entry = self.program.functions["sink"].entry
        self._built = next(edge.target for edge in self.program.edges if edge.text == "a[1] = depth")

    def local(self, name: str, sort: Sort) -> Term:
        """The symbol for a local in the second activation."""
        return self.arena.symbol(f"sink::{name}#1", sort)

    def about_all(self, x: Term) -> Certificate:
        """All numbers are 0, when the second activation begins."""
        return self._claiming(self._entry, self.arena.forall((x,), self.arena.equals(x, self.arena.zero)))

    def about_first(self, array: Term) -> Certificate:
        """The first element of an array is 0, as it is in a ghost from the start, when the local has its values."""
        element = self.arena.select(array, self.arena.zero)
        return self._claiming(self._built, self.arena.equals(element, self.arena.zero))

    def _claiming(self, location: int, claim: Term) -> Certificate:
        deeper = At((*self.calls, self.calls[-1]), self._entry)
        return Certificate({At(self.calls, location): claim, deeper: self.arena.false})

    def heap(self, certificate: Certificate, length: Term | None = None, allocated: str = "\\allocated") -> Certificate:
        assert self.program.memory is not None
        (array,) = self.program.memory.cells
        symbol = self.arena.symbol
        field = GhostField(array, 0, symbol("\\reaches", RELATION), symbol("\\written", SET), length)
        heap = HeapGhosts(symbol(allocated, SET), (field,), frozenset())
        return replace(certificate, ghosts=(*certificate.ghosts, heap))

    def folded(self, certificate: Certificate, array: Term, result: Term, index: Term) -> Certificate:
        """The certificate with a ghost array of zeros that is made where the second activation begins."""
        at = At(self.calls, self._built)
        fold = Fold(array, at, frozenset(self.calls), result, index, self.arena.zero, result, self.arena.true)
        return replace(certificate, ghosts=(*certificate.ghosts, fold))


def forged(f: Forgery) -> Mapping[str, Certificate]:
    depth, array = f.local("depth", INT), f.local("a", INT_ARRAY)
    plain, result, index = f.arena.symbol("x", INT), *(f.arena.proof_symbol(x, INT) for x in ("result", "index"))
    ghost, nothing = f.arena.symbol("\\folded", INT_ARRAY), Certificate({})
    return {
        "a bound copy": f.about_all(depth),
        "a bound copy on the heap": f.heap(f.about_all(depth)),
        "a bound variable": f.about_all(f.arena.symbol("sink::depth", INT)),
        "a bound symbol that a program could have": f.about_all(plain),
        "a length that is a copy": f.heap(f.about_first(array), length=array),
        "a ghost array that is a copy": f.folded(f.about_first(array), array, result, index),
        "a ghost array that is a variable": f.folded(nothing, f.arena.symbol("sink::a", INT_ARRAY), result, index),
        "a result that is a copy": f.folded(nothing, ghost, depth, index),
        "an index that a program could have": f.folded(nothing, ghost, result, plain),
        "one ghost for two": f.folded(f.heap(nothing, length=ghost), ghost, result, index),
        "a bound ghost": f.folded(f.about_all(result), ghost, result, index),
        "a free symbol": f.about_first(f.arena.symbol("free", INT_ARRAY)),
        "a free symbol of a proof": f.about_first(ghost),
        "a free input": f.about_first(f.arena.symbol("a@init", INT_ARRAY)),
        "a snapshot without contracts": f.about_first(f.arena.symbol("sink::a@entry", INT_ARRAY)),
        "a ghost in an activation": f.heap(nothing, allocated="heap#1"),
    }


@pytest.mark.parametrize("name", forged(Forgery()))
def test_no_symbol_stands_for_something_else(name: str) -> None:
    forgery = Forgery()
    result = examined(forgery.program, forged(forgery)[name])
    assert isinstance(result, Rejected)
    told = ("brings along", "speaks about", "not different")
    assert any(part in result.why for part in told)


def test_locals_of_later_activations_are_variables() -> None:
    forgery = Forgery()
    result = examined(forgery.program, forgery.about_first(forgery.local("a", INT_ARRAY)))
    assert isinstance(result, Rejected)
    assert "does not establish" in result.why


def test_a_program_has_no_symbols_of_proofs() -> None:
    forgery = Forgery()
    x = forgery.arena.symbol("\\x", INT)
    known = next(iter(forgery.program.variables.values()))
    program = replace(forgery.program, variables={**forgery.program.variables, x: replace(known, symbol=x)})
    result = examined(program, Certificate({}))
    assert isinstance(result, Rejected)
    assert "could bring along" in result.why
