"""Formulas about cells that the text of a program suggests: its guards, what it stores, and what its checks ask.

An index of the program is generalised: where a guard says something of `a[i + 1]`, the template says it of `a[k]`, and
of all else that depends on i the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.certificate.instances import quotient
from core.dataclass import dataclass
from core.discovery.horn import HornSystem, Rule
from core.engines.acsar.cells import ArrayCell, Layout, stores
from core.engines.acsar.samples import is_range_fact
from core.program import Range
from core.terms import INT, Arena, ArraySort, Op, Term, atoms, literals, replace_subterms, substitute, subterms

MOST_TEMPLATES = 60
_LARGEST = 40  # nodes of a template


@dataclass(frozen=True)
class Templates:
    """Formulas over elements of arrays at indices of the program."""

    arena: Arena
    formulas: tuple[Term, ...]

    def at(self, layout: Layout, visible: frozenset[Term], k: Term) -> Iterator[Term]:
        """The templates about cells at `k` that speak of what is visible only."""
        found: dict[Term, None] = {}
        for formula in self.formulas:
            for cell in layout.cells:
                general = self._general(formula, cell, k)
                if general is not None and k in general.symbols() and general.symbols() <= visible | {k}:
                    found[general] = None
        yield from list(found)[:MOST_TEMPLATES]

    def _general(self, formula: Term, cell: ArrayCell, k: Term) -> Term | None:
        """The formula about `a[e]` as one about a cell of `a`: the variable of e is replaced."""
        reads = (t for t in subterms(formula) if t.op is Op.SELECT and t.args[0] is cell.array)
        for read in reads:
            index = read.args[1]
            monomials = dict(zip(index.args, index.coefficients, strict=True)) if index.op is Op.LINEAR else {index: 1}
            for m, c in monomials.items():
                if m.op is Op.SYMBOL and c == cell.scale:
                    others = self.arena.linear([(1, index), (-c, m)])
                    rest = self.arena.subtract(cell.index(self.arena, k), others)
                    return substitute(self.arena, formula, {m: quotient(self.arena, rest, c)})
        return None


def templates(
    arena: Arena, system: HornSystem, rules: Sequence[Rule], range_of: Callable[[Term], Range | None]
) -> Templates:
    """The templates of the rules of a system (the same rules, or with parameters)."""
    found: dict[Term, None] = {}
    for rule in rules:
        for formula in _of_rule(arena, system, rule, range_of):
            if formula.size <= _LARGEST and any(t.op is Op.SELECT for t in subterms(formula)):
                found[formula] = None
    return Templates(arena, tuple(found))


def _of_rule(arena: Arena, system: HornSystem, rule: Rule, range_of: Callable[[Term], Range | None]) -> Iterator[Term]:
    guards = [t for t in atoms(rule.constraint) if not is_range_fact(t, range_of)]
    yield from guards
    if rule.head is None:
        parts = literals(rule.constraint)
        plain = [p for p in parts if not is_range_fact(p.args[0] if p.op is Op.NOT else p, range_of)]
        reading = [p for p in plain if _reads(p)]
        yield arena.not_(arena.and_(*reading))
        return
    for array, value in zip(system.arguments[rule.head.relation], rule.head.values, strict=True):
        if not isinstance(array.sort, ArraySort):
            continue
        for index, element in stores(value):
            written = arena.select(array, index)
            if array not in element.symbols():  # else the value is made of one that is lost
                yield arena.equals(written, element)
                if element.op is Op.ITE:
                    yield from (arena.equals(written, case) for case in element.args[1:])
            for guard in guards:
                if element.op is not Op.CONSTANT and element.sort is INT and _mentions(guard, element):
                    yield replace_subterms(arena, guard, {element: written})


def _reads(t: Term) -> bool:
    return any(u.op is Op.SELECT for u in subterms(t))


def _mentions(formula: Term, part: Term) -> bool:
    return any(t is part for t in subterms(formula))
