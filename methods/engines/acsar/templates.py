"""Formulas about cells that the text of a program suggests: its guards, what it stores, and what its checks ask.

An index of the program is generalised: where a guard says something of `a[i + 1]`, the template says it of `a[k]`, and
of all else that depends on i the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from core.dataclass import dataclass
from core.decision.instances import quotient
from core.decision.strides import monomials, row_and_column
from core.parameters import parameter
from core.program import Range
from core.terms import INT, Arena, ArraySort, Term, atoms, literals, replace_subterms, substitute, subterms
from methods.discovery.horn import HornSystem, Rule
from methods.engines.acsar.cells import ArrayCell, GridCell, Layout, stores
from methods.engines.acsar.samples import is_range_fact

MAX_TEMPLATES = parameter("acsar.templates.max-templates")
MAX_BOUND = parameter("acsar.templates.max-bound")
_LARGEST = parameter("acsar.templates.largest")
_LARGEST_CLAIM = parameter("acsar.templates.largest-claim")


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
        yield from list(found)[:MAX_TEMPLATES]

    def at_grids(self, layout: Layout, visible: frozenset[Term], indices: tuple[Term, Term]) -> Iterator[Term]:
        """The templates about rows and columns that speak of what is visible only."""
        found: dict[Term, None] = {}
        for formula in self.formulas:
            for grid in layout.grids:
                general = self._at_place(formula, grid, indices)
                if general is not None and general.symbols() <= visible.union(indices):
                    found[general] = None
        yield from list(found)[:MAX_TEMPLATES]

    def _at_place(self, formula: Term, grid: GridCell, indices: tuple[Term, Term]) -> Term | None:
        """The formula about `a[m·i + j]` as one about row k and column l: i and j are replaced."""
        arena = self.arena
        pattern = grid.element(arena, *indices).args[1]
        for read in (t for t in subterms(formula) if t.is_select and t.args[0] is grid.array):
            place = row_and_column(arena, pattern, *indices, read.args[1])
            if place is not None:
                counters = [[t for t, c in monomials(part) if t.is_symbol and c == 1] for part in place]
                if all(len(own) == 1 for own in counters) and counters[0] != counters[1]:
                    pairs = zip(counters, place, indices, strict=True)
                    values = {x: arena.subtract(k, arena.subtract(part, x)) for (x,), part, k in pairs}
                    return substitute(arena, formula, values)
        return None

    def _general(self, formula: Term, cell: ArrayCell, k: Term) -> Term | None:
        """The formula about `a[e]` as one about a cell of `a`: the variable of e is replaced."""
        reads = (t for t in subterms(formula) if t.is_select and t.args[0] is cell.array)
        for read in reads:
            index = read.args[1]
            for m, c in monomials(index):
                if m.is_symbol and c == cell.scale:
                    others = self.arena.linear([(1, index), (-c, m)])
                    rest = self.arena.subtract(cell.index(self.arena, k), others)
                    return substitute(self.arena, formula, {m: quotient(self.arena, rest, c)})
        return None


@dataclass(frozen=True)
class ClaimFormulas:
    """The claims of checks as formulas with the symbols that stand for any index: quantified claims of annotations, and
    assertions about an index from outside.
    """

    arena: Arena
    assertions: tuple[tuple[Term, tuple[Term, ...]], ...]

    def at(self, visible: frozenset[Term], indices: Sequence[Term]) -> Iterator[Term]:
        """The claims with exactly these indices that speak of what is visible only."""
        for formula, bound in self.assertions:
            if len(bound) == len(indices) and formula.symbols() <= visible.union(bound):
                yield substitute(self.arena, formula, dict(zip(bound, indices, strict=True)))


def claims(
    arena: Arena, system: HornSystem, rules: Sequence[Rule], range_of: Callable[[Term], Range | None]
) -> ClaimFormulas:
    """The claims of the rules of a system."""
    claims_: dict[Term, tuple[Term, ...]] = {}
    known = {x for own in system.arguments for x in own}
    for rule in rules:
        if rule.head is None:
            parts = [p for p in literals(rule.constraint) if not is_range_fact(_atom(p), range_of)]
            for together in _groups(parts, known):
                formula = arena.or_(*map(arena.not_, together))
                bound = tuple(s for s in sorted(formula.symbols() - known, key=lambda s: s.id) if s.sort is INT)
                if formula.size <= _LARGEST_CLAIM and len(bound) <= MAX_BOUND:
                    claims_[formula] = bound
    return ClaimFormulas(arena, tuple(claims_.items()))


def passed_conditions(system: HornSystem, range_of: Callable[[Term], Range | None]) -> tuple[Term, ...]:
    """The conditions about elements that a rule asks and changes nothing of: they hold behind it, as behind a loop."""
    found: dict[Term, None] = {}
    for rule in system.rules:
        if rule.head is not None:
            pairs = zip(system.arguments[rule.head.relation], rule.head.values, strict=True)
            kept = {x for x, value in pairs if value is x}
            parts = (p for p in literals(rule.constraint) if _reads(p) and not is_range_fact(_atom(p), range_of))
            found.update(dict.fromkeys(p for p in parts if p.symbols() <= kept and p.size <= _LARGEST))
    return tuple(found)[:MAX_TEMPLATES]


def _groups(parts: Sequence[Term], symbols: Collection[Term]) -> list[list[Term]]:
    """The parts that speak of the same inputs, each group with the parts that speak of none: a check that passes before
    the one that fails has inputs of its own.
    """
    inputs = {part: part.symbols().difference(symbols) for part in parts}
    groups: list[tuple[set[Term], list[Term]]] = []
    for part, own in inputs.items():
        if own:
            met = [group for group in groups if not group[0].isdisjoint(own)]
            groups = [group for group in groups if group not in met]
            groups.append((set(own).union(*(s for s, _ in met)), [part, *(p for _, of in met for p in of)]))
    plain = [part for part, own in inputs.items() if not own]
    return [[*plain, *group] for _, group in groups] or [plain]


def _atom(literal: Term) -> Term:
    return literal.args[0] if literal.is_negation else literal


def templates(
    arena: Arena, system: HornSystem, rules: Sequence[Rule], range_of: Callable[[Term], Range | None]
) -> Templates:
    """The templates of the rules of a system (the same rules, or with parameters)."""
    found: dict[Term, None] = {}
    for rule in rules:
        for formula in _of_rule(arena, system, rule, range_of):
            if formula.size <= _LARGEST and any(t.is_select for t in subterms(formula)):
                found[formula] = None
    return Templates(arena, tuple(found))


def _of_rule(arena: Arena, system: HornSystem, rule: Rule, range_of: Callable[[Term], Range | None]) -> Iterator[Term]:
    guards = [t for t in atoms(rule.constraint) if not is_range_fact(t, range_of)]
    yield from guards
    if rule.head is None:
        parts = literals(rule.constraint)
        plain = [p for p in parts if not is_range_fact(_atom(p), range_of)]
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
                if element.is_choice:
                    yield from (arena.equals(written, case) for case in element.args[1:])
            for guard in guards:
                if not element.is_constant and element.sort is INT and _mentions(guard, element):
                    yield replace_subterms(arena, guard, {element: written})


def _reads(t: Term) -> bool:
    return any(u.is_select for u in subterms(t))


def _mentions(formula: Term, part: Term) -> bool:
    return any(t is part for t in subterms(formula))
