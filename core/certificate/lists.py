"""Ghost variables for lists on the heap: first values, updates, and what it means that they describe the heap.

`allocated` is the set of addresses that allocations returned; for each pointer field, `reaches` says which address
leads to which, and `written` has the addresses whose field was written. Where invariants speak of lengths, `length`
says how many records the list at an address has. Values of ghosts are functions that make formulas. The formulas of
updates are those of S. Itzhaky et al., "Effectively-propositional reasoning about reachability in linked data
structures", CAV 2013; a store adds to the length of each list that it is part of what it adds to that of its record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from core.certificate.ghosts import ElementReading, GhostValues
from core.dataclass import dataclass
from core.program import MemoryLayout
from core.terms import INT, INT_ARRAY, Arena, Term
from core.verdict import RELATION, SET, GhostField, HeapGhosts

SetFormula = Callable[[Term], Term]
RelationFormula = Callable[[Term, Term], Term]
NumberFormula = Callable[[Term], Term]


def first_values(arena: Arena, ghosts: HeapGhosts) -> GhostValues:
    """The values at the start of the program: nothing is allocated, nothing written, and no pointer leads anywhere."""
    values: dict[Term, ElementReading] = {ghosts.allocated: _nothing(arena)}
    for field in ghosts.fields:
        values.update(without_pointers(arena, field))
    return values


def without_pointers(arena: Arena, field: GhostField) -> GhostValues:
    """The values of the ghosts of a field after its array has changed as a whole."""
    values: dict[Term, ElementReading] = {field.reaches: arena.equals, field.written: _nothing(arena)}
    return values if field.length is None else {**values, field.length: _single(arena)}


def after_allocation(arena: Arena, ghosts: HeapGhosts, now: GhostValues, new: Term) -> GhostValues:
    """The values after an allocation of the object at `new`."""
    lengths = [field.length for field in ghosts.fields if field.length is not None]
    return {
        ghosts.allocated: with_element(arena, now[ghosts.allocated], new),
        **{length: _with_record(arena, now[length], new) for length in lengths},
    }


def _nothing(arena: Arena) -> SetFormula:
    return lambda _: arena.false


def element_of(arena: Arena, ghost: Term) -> ElementReading:
    """The reading of a ghost that is a term."""
    if ghost.sort == RELATION:
        return _related(arena, ghost)
    return _member(arena, ghost)


def _single(arena: Arena) -> NumberFormula:
    """The lengths where no pointer was written: each record is a list of its own."""
    return lambda a: arena.ite(arena.equals(a, arena.zero), arena.zero, arena.one)


def _with_record(arena: Arena, length: NumberFormula, new: Term) -> NumberFormula:
    return cache(lambda a: arena.ite(arena.equals(a, new), arena.one, length(a)))


def _member(arena: Arena, ghost: Term) -> SetFormula:
    return lambda a: arena.select(ghost, a)


def _related(arena: Arena, ghost: Term) -> RelationFormula:
    return lambda a, b: arena.select(arena.select(ghost, a), b)


def with_element(arena: Arena, members: SetFormula, new: Term) -> SetFormula:
    return cache(lambda a: arena.or_(members(a), arena.equals(a, new)))


class StoreUpdate:
    """The update of reachability by a store of `v` to the field of the record at `p`, if that is allocated."""

    def __init__(self, arena: Arena, reaches: RelationFormula, allocated: SetFormula, p: Term, v: Term) -> None:
        self._arena, self._reaches, self._allocated = arena, reaches, allocated
        self.p, self.v = p, v
        self._is_node = allocated(p)
        self._is_null = arena.equals(v, arena.zero)
        self.without: RelationFormula = cache(self._without)
        self.reaches: RelationFormula = cache(self._joined)

    def _without(self, a: Term, b: Term) -> Term:
        """Reachability without the pointer that `p` had."""
        arena, reaches = self._arena, self._reaches
        kept = arena.or_(arena.not_(self._is_node), arena.not_(reaches(a, self.p)), reaches(b, self.p))
        return arena.and_(reaches(a, b), kept)

    def _joined(self, a: Term, b: Term) -> Term:
        arena = self._arena
        through = arena.and_(self.without(a, self.p), self.without(self.v, b))
        return arena.or_(self.without(a, b), arena.and_(self._is_node, arena.not_(self._is_null), through))

    def values(self, field: GhostField, now: GhostValues) -> GhostValues:
        """The values of the ghosts of the field."""
        values: dict[Term, ElementReading] = {
            field.reaches: self.reaches,
            field.written: self.written(now[field.written]),
        }
        return values if field.length is None else {**values, field.length: self.length(now[field.length])}

    def written(self, before: SetFormula) -> SetFormula:
        arena = self._arena
        return cache(lambda a: arena.or_(before(a), arena.and_(self._is_node, arena.equals(a, self.p))))

    def length(self, before: NumberFormula) -> NumberFormula:
        arena, p = self._arena, self.p
        more = arena.add(arena.one, before(self.v), arena.negate(before(p)))

        @cache
        def after(a: Term) -> Term:
            is_longer = arena.and_(self._is_node, self._reaches(a, p))
            return arena.ite(is_longer, arena.add(before(a), more), before(a))

        return after

    def demand(self) -> Term:
        """The store closes no cycle, and it stores null or an allocated address."""
        arena, v = self._arena, self.v
        harmless = arena.and_(self._allocated(v), arena.not_(self.without(v, self.p)))
        return arena.implies(self._is_node, arena.or_(self._is_null, harmless))


# The description of the heap


def structure(arena: Arena, memory: MemoryLayout, ghosts: HeapGhosts) -> list[Term]:
    """The formulas that say that the ghosts describe the heap."""
    allocated = _member(arena, ghosts.allocated)
    found = addresses(arena, memory.fresh, allocated)
    for one in ghosts.fields:
        offset = arena.integer(one.offset)
        known = _related(arena, one.reaches), allocated, _member(arena, one.written)
        found += lists(arena, *known, one.array, offset)
        if one.length is not None:
            found += measured(arena, *known, _member(arena, one.length), one.array, offset)
    return found


def addresses(arena: Arena, fresh: Term, allocated: SetFormula) -> list[Term]:
    """Allocated addresses are those of objects that were allocated: positive, and lower than the next one."""
    (x,) = _variables(arena, 1)
    within = arena.and_(arena.lt(arena.zero, x), arena.lt(x, fresh))
    return [arena.lt(arena.zero, fresh), arena.forall((x,), arena.implies(allocated(x), within))]


def lists(
    arena: Arena, reaches: RelationFormula, allocated: SetFormula, written: SetFormula, array: Term, offset: Term
) -> list[Term]:
    """Reachability is that of acyclic lists, whose pointers lie in `array`, `offset` bytes behind each address."""
    x, y, z = _variables(arena, 3)
    implies, both, either, equals = arena.implies, arena.and_, arena.or_, arena.equals
    different = arena.not_(equals(x, y))
    pointer = arena.select(array, arena.add(x, offset))
    null = equals(pointer, arena.zero)
    last = implies(reaches(x, y), equals(x, y))
    steps = [
        arena.not_(null),
        arena.not_(equals(x, pointer)),
        reaches(x, pointer),
        implies(reaches(x, y), either(equals(x, y), reaches(pointer, y))),
    ]
    bodies = [
        ((x,), reaches(x, x)),
        ((x, y, z), implies(both(reaches(x, y), reaches(y, z)), reaches(x, z))),
        ((x, y), implies(both(reaches(x, y), reaches(y, x)), equals(x, y))),
        ((x, y, z), implies(both(reaches(x, y), reaches(x, z)), either(reaches(y, z), reaches(z, y)))),
        ((x, y), implies(both(reaches(x, y), different), both(allocated(x), allocated(y), written(x)))),
        ((x,), implies(written(x), allocated(x))),
        ((x, y), implies(written(x), either(both(null, last), both(*steps)))),
    ]
    return [arena.forall(bound, body) for bound, body in bodies]


def measured(
    arena: Arena,
    reaches: RelationFormula,
    allocated: SetFormula,
    written: SetFormula,
    length: NumberFormula,
    array: Term,
    offset: Term,
) -> list[Term]:
    """Lengths are those of the lists that `lists` describes."""
    x, y = _variables(arena, 2)
    implies, equals = arena.implies, arena.equals
    pointer = arena.select(array, arena.add(x, offset))
    null = equals(pointer, arena.zero)
    rest = arena.ite(null, arena.zero, length(pointer))
    behind = arena.and_(reaches(x, y), arena.not_(equals(x, y)))
    bodies = [
        ((x,), implies(allocated(x), arena.ge(length(x), arena.one))),
        ((x, y), implies(behind, arena.lt(length(y), length(x)))),
        ((x,), implies(written(x), equals(length(x), arena.add(arena.one, rest)))),
    ]
    return [equals(length(arena.zero), arena.zero), *(arena.forall(bound, body) for bound, body in bodies)]


def _variables(arena: Arena, count: int) -> tuple[Term, ...]:
    return tuple(arena.fresh("address", INT) for _ in range(count))


@dataclass(frozen=True)
class StatementLemma:
    """The claim that a form of statement keeps what describes the heap: from `hypotheses` follow all `goals`."""

    form: str
    hypotheses: tuple[Term, ...]
    goals: tuple[Term, ...]


def statement_lemmas(arena: Arena, with_lengths: bool) -> Iterator[StatementLemma]:
    """The claims for a store, an allocation, and a change of an array as a whole, over any memory and field."""
    allocated, written = (_member(arena, arena.fresh(name, SET)) for name in ("allocated", "written"))
    reaches = _related(arena, arena.fresh("reaches", RELATION))
    length = _member(arena, arena.fresh("length", INT_ARRAY))
    array, changed = arena.fresh("array", INT_ARRAY), arena.fresh("array", INT_ARRAY)
    offset, fresh, later, p, v = (arena.fresh(x, INT) for x in ("offset", "fresh", "later", "p", "v"))

    def described(
        reached: RelationFormula, members: SetFormula, set_: SetFormula, value: NumberFormula, cells: Term
    ) -> list[Term]:
        found = lists(arena, reached, members, set_, cells, offset)
        return found + (measured(arena, reached, members, set_, value, cells, offset) if with_lengths else [])

    before = described(reaches, allocated, written, length, array)
    bounds = addresses(arena, fresh, allocated)
    update = StoreUpdate(arena, reaches, allocated, p, v)
    stored = arena.store(array, arena.add(p, offset), v)
    after = described(update.reaches, allocated, update.written(written), update.length(length), stored)
    yield StatementLemma("a store", (*before, *bounds, update.demand()), tuple(after))
    more = with_element(arena, allocated, fresh)
    after = described(reaches, more, written, _with_record(arena, length, fresh), array)
    yield StatementLemma(
        "an allocation", (*before, *bounds, arena.lt(fresh, later)), (*after, *addresses(arena, later, more))
    )
    nothing, single = _nothing(arena), _single(arena)
    after = described(arena.equals, allocated, nothing, single, changed)
    yield StatementLemma("a change of all pointers", tuple(bounds), tuple(after))
    after = described(arena.equals, nothing, nothing, single, changed)
    yield StatementLemma("the start", (arena.lt(arena.zero, later),), (*after, *addresses(arena, later, nothing)))
