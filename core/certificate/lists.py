"""Ghost variables for lists on the heap: first values, updates, and what it means that they describe the heap.

`allocated` is the set of addresses that allocations returned; for each pointer field, `reaches` says which address
leads to which, and `written` has the addresses whose field was written. Where invariants speak of lengths, `length`
says how many records the list at an address has. Values of ghosts are functions that make formulas. The formulas of
updates are those of S. Itzhaky et al., "Effectively-propositional reasoning about reachability in linked data
structures", CAV 2013; a store adds to the length of each list that it is part of what it adds to that of its record.

Where lists may have cycles, some pointers are *cut*: `reaches` is as if they were null, so it never has a cycle (the
idea of that paper, and of S. Lahiri, S. Qadeer, "Verifying properties of well-founded linked lists", POPL 2006). A
store cuts the pointer that it writes if that would close a cycle of the others; no other pointer becomes cut, or is cut
no more. `around` says what the cut pointer at the end of a list leads to: `around(a, b)` if the list at `a` ends with a
cut pointer, and `reaches` leads from where this points to `b`. So next nodes are known from both, whether or not there
are cycles: a cut pointer need not be part of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    """The values at the start of the program: roots alone count, nothing is written, and no pointer leads anywhere."""
    values: dict[Term, ElementReading] = {ghosts.allocated: _roots(arena, map(arena.integer, ghosts.roots))}
    for field in ghosts.fields:
        values.update(without_pointers(arena, field))
    return values


def without_pointers(arena: Arena, field: GhostField) -> GhostValues:
    """The values of the ghosts of a field after its array has changed as a whole."""
    values: dict[Term, ElementReading] = {field.reaches: arena.equals, field.written: _nothing(arena)}
    if field.length is not None:
        values[field.length] = _single(arena)
    if field.around is not None:
        values[field.around] = _nowhere(arena)
    return values


def after_allocation(arena: Arena, ghosts: HeapGhosts, now: GhostValues, new: Term) -> GhostValues:
    """The values after an allocation of the object at `new`."""
    lengths = [field.length for field in ghosts.fields if field.length is not None]
    return {
        ghosts.allocated: with_element(arena, now[ghosts.allocated], new),
        **{length: _with_record(arena, now[length], new) for length in lengths},
    }


def _roots(arena: Arena, roots: Iterable[Term]) -> SetFormula:
    every = tuple(roots)
    return lambda a: arena.or_(*(arena.equals(a, root) for root in every))


def _nothing(arena: Arena) -> SetFormula:
    return lambda _: arena.false


def _nowhere(arena: Arena) -> RelationFormula:
    return lambda _, __: arena.false


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
    """The update of reachability by a store of `v` to the field of the record at `p`, if that is allocated.

    Where lists `may_cycle`, it may cut the new pointer.
    """

    def __init__(
        self,
        arena: Arena,
        reaches: RelationFormula,
        allocated: SetFormula,
        p: Term,
        v: Term,
        may_cycle: bool = False,
    ) -> None:
        self._arena, self._reaches, self._allocated = arena, reaches, allocated
        self.p, self.v, self._may_cycle = p, v, may_cycle
        self._is_node = allocated(p)
        self._is_null = arena.equals(v, arena.zero)
        self.without: RelationFormula = cache(self._without)
        self.closes = self.without(v, p)
        """Without it being cut, the new pointer would close a cycle."""
        self.is_cut = self.closes if may_cycle else arena.false
        self.reaches: RelationFormula = cache(self._joined)

    def _without(self, a: Term, b: Term) -> Term:
        """Reachability without the pointer that `p` had."""
        arena, reaches = self._arena, self._reaches
        kept = arena.or_(arena.not_(self._is_node), arena.not_(reaches(a, self.p)), reaches(b, self.p))
        return arena.and_(reaches(a, b), kept)

    def _joined(self, a: Term, b: Term) -> Term:
        arena = self._arena
        through = arena.and_(arena.not_(self.is_cut), self.without(a, self.p), self.without(self.v, b))
        return arena.or_(self.without(a, b), arena.and_(self._is_node, arena.not_(self._is_null), through))

    def around(self, around: RelationFormula) -> RelationFormula:
        """The addresses to which cut pointers lead after the store, given those before."""
        arena, reaches, without, p, v = self._arena, self._reaches, self.without, self.p, self.v
        is_pointer = arena.and_(self._is_node, arena.not_(self._is_null))

        @cache
        def left(a: Term, b: Term) -> Term:
            """Those without the pointer that `p` had."""
            before = arena.or_(arena.not_(around(a, p)), reaches(b, p))
            return arena.and_(
                around(a, b), arena.or_(arena.not_(self._is_node), arena.and_(arena.not_(reaches(a, p)), before))
            )

        @cache
        def turned(a: Term, b: Term) -> Term:
            """Those also of lists that now go on from `p`: by a pointer that is cut, or to the next that is."""
            onward = arena.ite(self.is_cut, without(v, b), left(v, b))
            return arena.or_(left(a, b), arena.and_(is_pointer, without(a, p), onward))

        def after(a: Term, b: Term) -> Term:
            further = arena.and_(is_pointer, arena.not_(self.is_cut), turned(a, p), without(v, b))
            return arena.or_(turned(a, b), further)

        return cache(after)

    def values(self, field: GhostField, now: GhostValues) -> GhostValues:
        """The values of the ghosts of the field."""
        values: dict[Term, ElementReading] = {
            field.reaches: self.reaches,
            field.written: self.written(now[field.written]),
        }
        if field.length is not None:
            values[field.length] = self.length(now[field.length])
        if field.around is not None:
            values[field.around] = self.around(now[field.around])
        return values

    def written(self, before: SetFormula) -> SetFormula:
        arena = self._arena
        return cache(lambda a: arena.or_(before(a), arena.and_(self._is_node, arena.equals(a, self.p))))

    def length(self, before: NumberFormula) -> NumberFormula:
        arena, p = self._arena, self.p
        behind = arena.ite(self.is_cut, arena.zero, before(self.v))
        more = arena.add(arena.one, behind, arena.negate(before(p)))

        @cache
        def after(a: Term) -> Term:
            is_longer = arena.and_(self._is_node, self._reaches(a, p))
            return arena.ite(is_longer, arena.add(before(a), more), before(a))

        return after

    def demand(self) -> Term:
        """The store closes no cycle, unless there may be some, and it stores null or an allocated address."""
        arena = self._arena
        is_cycle = arena.false if self._may_cycle else self.closes
        harmless = arena.and_(self._allocated(self.v), arena.not_(is_cycle))
        return arena.implies(self._is_node, arena.or_(self._is_null, harmless))


# The description of the heap


@dataclass(frozen=True)
class Links:
    """The readings of the ghosts of one field."""

    reaches: RelationFormula
    written: SetFormula
    length: NumberFormula | None = None
    around: RelationFormula | None = None


def structure(arena: Arena, memory: MemoryLayout, ghosts: HeapGhosts) -> list[Term]:
    """The formulas that say that the ghosts describe the heap."""
    allocated = _member(arena, ghosts.allocated)
    found = addresses(arena, memory.fresh, allocated)
    for one in ghosts.fields:
        links = Links(
            _related(arena, one.reaches),
            _member(arena, one.written),
            None if one.length is None else _member(arena, one.length),
            None if one.around is None else _related(arena, one.around),
        )
        found += described(arena, links, allocated, one.array, arena.integer(one.offset))
    return found


def addresses(arena: Arena, fresh: Term, allocated: SetFormula) -> list[Term]:
    """Allocated addresses are those of objects that were allocated: positive, and lower than the next one."""
    (x,) = _variables(arena, 1)
    within = arena.and_(arena.lt(arena.zero, x), arena.lt(x, fresh))
    return [arena.lt(arena.zero, fresh), arena.forall((x,), arena.implies(allocated(x), within))]


def described(arena: Arena, links: Links, allocated: SetFormula, array: Term, offset: Term) -> list[Term]:
    """The ghosts of a field are those of lists whose pointers lie in `array`, `offset` bytes behind each address."""
    found = _lists(arena, links, allocated, array, offset)
    if links.length is not None:
        found += _measured(arena, links, links.length, allocated, array, offset)
    return found if links.around is None else [*found, *_cut(arena, links, links.around, allocated)]


def _lists(arena: Arena, links: Links, allocated: SetFormula, array: Term, offset: Term) -> list[Term]:
    """Reachability is that of lists without cycles, apart from pointers that are cut."""
    x, y, z = _variables(arena, 3)
    reaches, written, around = links.reaches, links.written, links.around
    implies, both, either, equals = arena.implies, arena.and_, arena.or_, arena.equals
    different = arena.not_(equals(x, y))
    pointer = arena.select(array, arena.add(x, offset))
    null = equals(pointer, arena.zero)
    last = implies(reaches(x, y), equals(x, y))
    steps = both(
        arena.not_(null),
        arena.not_(equals(x, pointer)),
        reaches(x, pointer),
        implies(reaches(x, y), either(equals(x, y), reaches(pointer, y))),
    )
    if around is None:
        ends = both(null, last)
    else:
        turns = both(arena.not_(null), around(x, pointer), implies(around(x, y), reaches(pointer, y)))
        ends = both(last, either(both(null, arena.not_(around(x, y))), turns))
    bodies = [
        ((x,), reaches(x, x)),
        ((x, y, z), implies(both(reaches(x, y), reaches(y, z)), reaches(x, z))),
        ((x, y), implies(both(reaches(x, y), reaches(y, x)), equals(x, y))),
        ((x, y, z), implies(both(reaches(x, y), reaches(x, z)), either(reaches(y, z), reaches(z, y)))),
        ((x, y), implies(both(reaches(x, y), different), both(allocated(x), allocated(y), written(x)))),
        ((x,), implies(written(x), allocated(x))),
        ((x, y), implies(written(x), either(ends, steps))),
    ]
    return [arena.forall(bound, body) for bound, body in bodies]


def _cut(arena: Arena, links: Links, around: RelationFormula, allocated: SetFormula) -> list[Term]:
    """All records of a list have around them the same: a list that begins where the cut pointer at its end leads."""
    x, y, z = _variables(arena, 3)
    reaches, implies, both = links.reaches, arena.implies, arena.and_
    bodies = [
        ((x, y, z), implies(reaches(x, y), arena.iff(around(x, z), around(y, z)))),
        ((x, y, z), implies(both(around(x, y), reaches(y, z)), around(x, z))),
        ((x, y, z), implies(both(around(x, y), around(x, z)), arena.or_(reaches(y, z), reaches(z, y)))),
        ((x, y), implies(around(x, y), both(allocated(x), allocated(y), links.written(x)))),
    ]
    return [arena.forall(bound, body) for bound, body in bodies]


def _measured(
    arena: Arena, links: Links, length: NumberFormula, allocated: SetFormula, array: Term, offset: Term
) -> list[Term]:
    """Lengths are those of the lists, which end at a pointer that is null or cut."""
    x, y = _variables(arena, 2)
    reaches, implies, equals = links.reaches, arena.implies, arena.equals
    pointer = arena.select(array, arena.add(x, offset))
    ends = equals(pointer, arena.zero)
    if links.around is not None:
        ends = arena.or_(ends, equals(pointer, x), arena.not_(reaches(x, pointer)))
    rest = arena.ite(ends, arena.zero, length(pointer))
    behind = arena.and_(reaches(x, y), arena.not_(equals(x, y)))
    bodies = [
        ((x,), implies(allocated(x), arena.ge(length(x), arena.one))),
        ((x, y), implies(behind, arena.lt(length(y), length(x)))),
        ((x,), implies(links.written(x), equals(length(x), arena.add(arena.one, rest)))),
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


def statement_lemmas(arena: Arena, with_lengths: bool, with_cycles: bool = False) -> Iterator[StatementLemma]:
    """The claims for a store, an allocation, and a change of an array as a whole, over any memory and field."""
    allocated, written = (_member(arena, arena.fresh(name, SET)) for name in ("allocated", "written"))
    reaches, around = (_related(arena, arena.fresh(name, RELATION)) for name in ("reaches", "around"))
    length = _member(arena, arena.fresh("length", INT_ARRAY))
    array, changed = arena.fresh("array", INT_ARRAY), arena.fresh("array", INT_ARRAY)
    offset, fresh, later, p, v = (arena.fresh(x, INT) for x in ("offset", "fresh", "later", "p", "v"))
    suffix = ", where there may be cycles," if with_cycles else ""

    def links(reached: RelationFormula, set_: SetFormula, value: NumberFormula, behind: RelationFormula) -> Links:
        return Links(reached, set_, value if with_lengths else None, behind if with_cycles else None)

    before = described(arena, links(reaches, written, length, around), allocated, array, offset)
    bounds = addresses(arena, fresh, allocated)
    update = StoreUpdate(arena, reaches, allocated, p, v, with_cycles)
    stored = arena.store(array, arena.add(p, offset), v)
    now = links(update.reaches, update.written(written), update.length(length), update.around(around))
    after = described(arena, now, allocated, stored, offset)
    yield StatementLemma(f"a store{suffix}", (*before, *bounds, update.demand()), tuple(after))
    more = with_element(arena, allocated, fresh)
    now = links(reaches, written, _with_record(arena, length, fresh), around)
    after = described(arena, now, more, array, offset)
    yield StatementLemma(
        f"an allocation{suffix}", (*before, *bounds, arena.lt(fresh, later)), (*after, *addresses(arena, later, more))
    )
    nothing = _nothing(arena)
    first = links(arena.equals, nothing, _single(arena), _nowhere(arena))
    after = described(arena, first, allocated, changed, offset)
    yield StatementLemma(f"a change of all pointers{suffix}", tuple(bounds), tuple(after))
    after = described(arena, first, allocated, changed, offset)
    yield StatementLemma(f"the start{suffix}", tuple(addresses(arena, later, allocated)), tuple(after))
