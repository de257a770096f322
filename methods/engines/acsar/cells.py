"""Distinguished cells: the elements of arrays about which invariants for all k speak.

D. Monniaux, L. Gonnord, "Cell morphing: from array programs to array-free Horn clauses", SAS 2016: an invariant of an
array is a relation between scalars, an index, and the element there. Here one index k is shared by all arrays: of each,
a few cells `a[s·k + r]`, where s and r are read from the indices that the program uses.

Heuristic: which cells are taken. Invariants about them are checked like any others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.decision.instances import reads_of
from core.decision.strides import Stride, constant_part, factors, monomials
from core.parameters import parameter
from core.terms import INT, Arena, ArraySort, Term, parts_of_array
from methods.discovery.horn import HornSystem, Rule
from methods.engines.acsar.samples import ELEMENT_SIZES, FIRST_ADDRESS, rule_terms

MAX_CELLS = parameter("acsar.cells.max-cells")
MAX_GRIDS = parameter("acsar.cells.max-grids")
SMALLEST_ROW = parameter("acsar.cells.smallest-row")
MAX_FIXED = parameter("acsar.cells.max-fixed")
ALIGNMENT = parameter("acsar.cells.alignment")
_SIZES = (*ELEMENT_SIZES, 1)


@dataclass(frozen=True)
class ArrayCell:
    """The element of `array` at `scale · k + rest`."""

    array: Term
    scale: int
    rest: Term

    def index(self, arena: Arena, k: Term) -> Term:
        return arena.linear([(self.scale, k), (1, self.rest)])

    def element(self, arena: Arena, k: Term) -> Term:
        return arena.select(self.array, self.index(arena, k))


@dataclass(frozen=True)
class GridCell:
    """The element of `array` at row k and column l: at `row · k + column · l + rest`."""

    array: Term
    row: Stride
    column: int
    rest: Term

    def element(self, arena: Arena, k: Term, l: Term) -> Term:  # noqa: E741 (the name in the paper)
        for factor in self.row.factors:
            k = arena.multiply(factor, k)
        return arena.select(self.array, arena.linear([(self.row.coefficient, k), (self.column, l), (1, self.rest)]))

    def symbols(self) -> frozenset[Term]:
        """The symbols of its place."""
        return self.rest.symbols().union(*(factor.symbols() for factor in self.row.factors))


@dataclass
class Shapes:
    """The cells of each array, and its elements at constant indices."""

    grids: dict[Term, dict[GridCell, None]] = field(default_factory=dict)
    cells: dict[Term, list[ArrayCell]] = field(default_factory=dict)
    fixed: dict[Term, list[Term]] = field(default_factory=dict)
    single: dict[Term, list[Term]] = field(default_factory=dict)  # indices that are variables

    def add(self, cell: ArrayCell) -> None:
        own = self.cells.setdefault(cell.array, [])
        if cell not in own and len(own) < MAX_CELLS:
            own.append(cell)


def shapes(arena: Arena, system: HornSystem, is_pointer: Callable[[Term], bool]) -> Shapes:
    """The cells and fixed elements that the indices of a system suggest."""
    forms = Shapes()
    starts, chosen, counting = _starts(system, is_pointer), _chosen(system), _counting(system)
    for array, indices in indices_of(system).items():
        if all(e.is_constant for e in indices) and len(indices) <= MAX_FIXED:
            forms.fixed[array] = sorted(indices, key=lambda e: e.value)
            continue
        forms.single[array] = [e for e in indices if e in chosen]
        parts = [_Index(arena, e, is_pointer, starts) for e in indices]
        size = next(s for s in _SIZES if all(part.divisible(s) for part in parts)) if _is_memory(parts) else 1
        for base in dict.fromkeys(base for part in parts for base in part.bases):
            forms.add(ArrayCell(array, size, base))
        for part in parts:
            for cell in part.affine(array, size):
                forms.add(cell)
            forms.grids.setdefault(array, {}).update(dict.fromkeys(part.grids(array, size, counting)))
    return forms


def _is_memory(parts: Sequence[_Index]) -> bool:
    return any(base is not part.arena.zero for part in parts for base in part.bases)


def indices_of(system: HornSystem) -> dict[Term, dict[Term, None]]:
    """The indices at which each array is read or written."""
    found: dict[Term, dict[Term, None]] = {}
    for rule in system.rules:
        for array, indices in reads_of(rule_terms(rule)).items():
            found.setdefault(array, {}).update(indices)
        for array, value in _heads(system, rule):
            if isinstance(array.sort, ArraySort):
                found.setdefault(array, {}).update(dict.fromkeys(stored_at(value)))
    return found


def _heads(system: HornSystem, rule: Rule) -> Iterator[tuple[Term, Term]]:
    if rule.head is not None:
        yield from zip(system.arguments[rule.head.relation], rule.head.values, strict=True)


def stored_at(array: Term) -> list[Term]:
    """The indices at which an array term is written."""
    return [index for index, _ in stores(array)]


def stores(array: Term) -> Iterator[tuple[Term, Term]]:
    """The indices at which an array term is written, with the values."""
    yield from ((t.args[1], t.args[2]) for t in parts_of_array(array) if t.is_store)


def _counting(system: HornSystem) -> frozenset[Term]:
    """The arguments of which some rule makes their next values."""
    heads = (pair for rule in system.rules for pair in _heads(system, rule))
    return frozenset(x for x, value in heads if value is not x and x in value.symbols())


def _starts(system: HornSystem, is_pointer: Callable[[Term], bool]) -> Mapping[Term, Term]:
    """The values that moving pointers have before their loop."""
    walking: set[Term] = set()
    values: dict[Term, Term] = {}
    for rule in system.rules:
        for x, value in _heads(system, rule):
            if x.sort is INT and is_pointer(x) and value is not x:
                if x in value.symbols():
                    walking.add(x)
                elif value.is_constant or value.is_symbol:
                    values.setdefault(x, value)
    arguments = {x for own in system.arguments for x in own}
    return {x: values[x] for x in walking if x in values and (values[x].is_constant or values[x] in arguments)}


def _chosen(system: HornSystem) -> set[Term]:
    """The variables that get the value of another: an index that was chosen, not one that counts."""
    found: set[Term] = set()
    for rule in system.rules:
        for x, value in _heads(system, rule):
            if x.sort is INT and value is not x and (value.is_symbol or value.is_choice):
                found.add(x)
    return found


class _Index:
    """An index as the sum of the place where an object begins and a linear term."""

    def __init__(
        self, arena: Arena, index: Term, is_pointer: Callable[[Term], bool], starts: Mapping[Term, Term]
    ) -> None:
        self.arena = arena
        parts, constant = list(monomials(index)), constant_part(index)
        pointers = [m for m, c in parts if c == 1 and is_pointer(m)]
        self.bases: list[Term] = [starts.get(p, p) for p in pointers[:1]]
        if not pointers and constant >= FIRST_ADDRESS:
            base = (constant + ALIGNMENT // 2) // ALIGNMENT * ALIGNMENT
            self.bases, constant = [arena.integer(base)], constant - base
        self.bases = self.bases or [arena.zero]
        self.monomials = [(m, c) for m, c in parts if m not in pointers[:1]]
        self.constant = constant

    def divisible(self, size: int) -> bool:
        return self.constant % size == 0 and all(c % size == 0 for _, c in self.monomials)

    def affine(self, array: Term, size: int) -> Iterator[ArrayCell]:
        """Cells of other strides than one element, and of the other direction, that this index suggests."""
        for m, c in self.monomials:
            factor = c // size
            if m.is_symbol and factor not in (0, 1) and abs(factor) <= 8:
                others = [(d, n) for n, d in self.monomials if n is not m]
                constant = self.constant % abs(c) if factor > 1 and not others else self.constant
                rest = self.arena.linear([*others, (1, self.bases[0])], constant)
                yield ArrayCell(array, c, rest)

    def grids(self, array: Term, size: int, counting: Collection[Term]) -> Iterator[GridCell]:
        """Rows and columns that this index suggests: what counts with a stride, beside what counts elements."""
        columns = [m for m, c in self.monomials if c == size and m.is_symbol]
        for m, c in self.monomials:
            others = [factor for factor in factors(m) if factor not in counting]
            is_row = len(others) == len(factors(m)) - 1 and (others or abs(c // size) >= SMALLEST_ROW)
            if is_row and c % size == 0 and any(one is not m for one in columns):
                yield GridCell(array, Stride(c, tuple(others)), size, self.bases[0])


@dataclass(frozen=True)
class Layout:
    """The terms of candidates at one relation: scalars (also elements at constants), cells, elements at scalars.

    With ghost arrays, also their cells, and elements of these and others that candidates speak of.
    """

    scalars: tuple[Term, ...]
    cells: tuple[ArrayCell, ...]
    single: tuple[Term, ...]
    grids: tuple[GridCell, ...] = ()
    ghosts: tuple[ArrayCell, ...] = ()
    marked: tuple[Term, ...] = ()


def layouts(arena: Arena, system: HornSystem, shape: Shapes) -> list[Layout]:
    """The layout of each relation. A cell needs its base among the arguments."""
    return [_layout(arena, arguments, shape) for arguments in system.arguments]


def _layout(arena: Arena, arguments: Collection[Term], shape: Shapes) -> Layout:
    scalars = [x for x in arguments if x.sort is INT]
    cells: list[ArrayCell] = []
    single: list[Term] = []
    grids: list[GridCell] = []
    for x in arguments:
        if isinstance(x.sort, ArraySort):
            single += [arena.select(x, e) for e in shape.single.get(x, ()) if e in arguments]
            scalars += [arena.select(x, e) for e in shape.fixed.get(x, ())]
            cells += [cell for cell in shape.cells.get(x, ()) if cell.rest.symbols() <= frozenset(arguments)]
            grids += [grid for grid in shape.grids.get(x, ()) if grid.symbols() <= frozenset(arguments)][:MAX_GRIDS]
    return Layout(tuple(scalars), tuple(cells), tuple(single), tuple(grids))
