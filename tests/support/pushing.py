"""A program whose list grows by calls of a function, and a certificate with a contract for it that speaks of lists."""

from __future__ import annotations

from dataclasses import replace

from core.certificate.contracts import ContractedView
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import INT, Term
from core.verdict import RELATION, SET, Certificate, Contract, GhostField, HeapGhosts
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support.lists import PRELUDE

PUSHING = """
static struct node *list;
static void push(void) {
    struct node *new = malloc(sizeof *new);
    new->h = 1;
    new->n = list;
    list = new;
}
int main(void) {
    struct node *first = malloc(sizeof *first);
    first->h = 1;
    first->n = 0;
    list = first;
    while (__VERIFIER_nondet_int())
        push();
    if (first->h != 1 || (list && list->h != 1)) reach_error();
    return 0;
}
"""


def pushing(text: str = PUSHING) -> Pushing:
    """A program made of the text, or of one like it."""
    return Pushing(lower(parse_program(f"{PRELUDE}{text}", "push.c", DataModel.ILP32), UnreachCall()))


class Pushing:
    """The program, and a certificate in which `push` has a contract."""

    def __init__(self, program: Program) -> None:
        self.program, self.arena = program, program.arena
        arena = program.arena
        memory = self.program.memory
        assert memory is not None
        cells = {cell.field: (array, cell.offset) for array, own in memory.cells.items() for cell in own}
        self._values, next_array = cells["h"], cells["n"]
        symbol = arena.symbol
        self.field = GhostField(*next_array, symbol("\\reaches", RELATION), symbol("\\written", SET))
        self.allocated = symbol("\\allocated", SET)
        self.before = symbol("\\allocated@entry", SET)
        named = {x.name: s for s, x in self.program.variables.items()}
        self.list, self.first = named["list"], named["main::first"]
        nothing = Contract(arena.true, arena.true)
        view = ContractedView(Expansion(self.program, BlockEncoding.STATEMENTS), {"push": nothing})
        call = next(edge.id for edge in self.program.edges if edge.text == "main()")
        heads = [at.id for at in self.program.locations if at.loop and at.function == "main"]
        loop = heads[0] if heads else self.program.functions["main"].exit
        self.head, self.entry, self.exit = At((call,), loop), view.entry("push"), view.exit("push")

    def all_ones(self, value: int = 1) -> Term:
        """All records are written and hold a value, and `list` is one of them or null."""
        arena, x = self.arena, self.arena.proof_symbol("x", INT)
        array, offset = self._values
        held = arena.equals(arena.select(array, arena.add(x, arena.integer(offset))), arena.integer(value))
        known = arena.and_(held, arena.select(self.field.written, x))
        return arena.and_(
            arena.forall((x,), arena.implies(arena.select(self.allocated, x), known)),
            arena.or_(arena.equals(self.list, arena.zero), arena.select(self.allocated, self.list)),
        )

    def kept(self) -> Term:
        """Objects that were allocated stay so."""
        arena, x = self.arena, self.arena.proof_symbol("x", INT)
        return arena.forall((x,), arena.implies(arena.select(self.before, x), arena.select(self.allocated, x)))

    def certificate(self) -> Certificate:
        arena, ones = self.arena, self.all_ones()
        heap = HeapGhosts(self.allocated, (self.field,), frozenset({self.head, self.entry, self.exit}))
        head = arena.and_(ones, arena.select(self.allocated, self.first))
        return Certificate({self.head: head}, (), {"push": Contract(ones, arena.and_(ones, self.kept()))}, (heap,))

    def with_contract(self, pre: Term, post: Term) -> Certificate:
        return replace(self.certificate(), contracts={"push": Contract(pre, post)})

    def described_at(self, *places: At) -> Certificate:
        heap = HeapGhosts(self.allocated, (self.field,), frozenset(places))
        return replace(self.certificate(), ghosts=(heap,))
