"""A program as a transition system over heaps: cuts, the paths between them, and the vocabulary of the states at cuts.

Cuts are the start, loop heads and error locations, as far as an error can be reached from them; control stays explicit.
The vocabulary at a cut has a constant for each pointer variable, a reachability relation for each pointer field that is
loaded, a predicate for each test of a number in a field, and a proposition for each test of a scalar variable. Which
tests there are follows from the constants that the program compares with or stores, and from copies.

Limitations, by weight: other facts about numbers are lost; a program with recursion has no finite expansion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from enum import Enum, auto
from itertools import product

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter
from core.program import MemoryLayout, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion, Step
from core.terms import INT, Op, Substitution, Term, Treatment, subterms
from methods.engines.pdr.addresses import NotExpressible, base_array, split
from methods.engines.pdr.comparisons import OrderedGroup, ordered_groups
from methods.engines.pdr.constant_propagation import KnownConstants, propagate
from methods.engines.pdr.interior import interior_pointers
from methods.engines.pdr.lifetime_fields import BlockArrays
from methods.engines.pdr.universal_clauses import (
    ALLOCATED,
    HeapField,
    HeapRelation,
    NumberTest,
    OrderedPlace,
    RelationKind,
)

OTHER_OPERATORS = Treatment.OPAQUE

MAX_PATHS = parameter("pdr.view.max-paths")


class KnownPointers(Enum):
    """The pointer variables that states at cuts know."""

    LIVE = auto()
    DEFINED = auto()  # also those that were assigned and are not read any more: they may name what is special


@dataclass(frozen=True, eq=False)
class CutPath:
    """A path between two cuts."""

    source: At
    target: At
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class ResolvedStep:
    """A step with constants in its terms."""

    step: Step
    guard: Term
    updates: Mapping[Term, Term]


class HeapView:
    """The transition system of a program with `memory`. Raises `NotExpressible` and `TooLarge`."""

    def __init__(self, program: Program, memory: MemoryLayout, limits: Limits) -> None:
        self.program, self.memory, self.arena = program, memory, program.arena
        self.blocks = BlockArrays(self.arena, memory)
        self.cyclic: frozenset[HeapField] = frozenset()
        """The pointer fields whose lists may have cycles."""
        self.expansion = Expansion(program, BlockEncoding.STATEMENTS)
        self._constants: KnownConstants = propagate(self.expansion, memory.counter, limits)
        self._read([at for at in self._constants.values if self.expansion.check(at) is not None])

    def _read(self, errors: Sequence[At]) -> None:
        """Read what leads to errors."""
        memory, self.errors = self.memory, tuple(errors)
        self.steps = self._relevant()
        self._live = self._live_variables()
        self.resolved = tuple(self._resolve())
        guards = [one.guard for one in self.resolved]
        updates = [update for one in self.resolved for update in one.updates.items()]
        self.interior = interior_pointers(memory, guards, updates, with_roots=not self.blocks.arrays)
        self.loaded, self.fixed = self._accesses()
        self.fields = tuple(f for f in self.loaded if f.array in memory.pointers)
        self.numbers = tuple(f for f in self.loaded if f not in self.fields and f.array not in self.blocks.arrays)
        """The fields that hold numbers, apart from those about lifetimes."""
        heads = [at for at in self.steps if self.expansion.is_loop_head(at)]
        self.cuts = tuple(dict.fromkeys([self.expansion.start, *heads, *self.errors]))
        self.paths = tuple(self._paths())
        self._tests = _Tests(self)
        self._late = tuple(HeapRelation(RelationKind.WRITTEN, field) for field in self._late_fields())
        self.predicates = (ALLOCATED, *self._late, *self._tests.of_fields())
        self.ordered: tuple[OrderedGroup, ...] = ()
        """The places of which states know how their numbers compare."""
        self._defined = self._definitions()

    def of_checks(self, checks: Collection[int]) -> HeapView:
        """The view of what leads to some of the checks."""
        found = {at: self.expansion.check(at) for at in self.errors}
        view = copy(self)
        view._read([at for at, check in found.items() if check is not None and check.id in checks])
        return view

    def with_cycles(self, fields: Collection[HeapField]) -> HeapView:
        """The view in which lists of these fields may have cycles, too."""
        view = copy(self)
        view.cyclic = self.cyclic.union(fields)
        return view

    def with_order(self) -> HeapView:
        """The view whose states know how numbers compare that the program compares."""
        groups = ordered_groups(
            [self.blocks.at_nodes(one.guard) for one in self.resolved],
            [update for one in self.resolved for update in one.updates.items()],
            self._place,
        )
        view = copy(self)
        view.ordered, view._tests = groups, self._tests.with_bounds(groups)
        view.predicates = (ALLOCATED, *self._late, *view._tests.of_fields())
        return view

    def _place(self, t: Term) -> OrderedPlace | None:
        """The scalar variable, or the field of nodes, that a term reads or writes."""
        place = self._tests.place(t)
        is_left_out = place.array in self.blocks.arrays if isinstance(place, HeapField) else place and place.is_select
        return None if is_left_out else place

    # The graph

    def _relevant(self) -> dict[At, tuple[Step, ...]]:
        """The steps at the locations from which an error can be reached."""
        before: dict[At, list[At]] = {}
        for at, steps in self._constants.steps.items():
            for step in steps:
                before.setdefault(step.target, []).append(at)
        good = dict.fromkeys(self.errors)
        work = list(self.errors)
        while work:
            for at in before.get(work.pop(), ()):
                if at not in good:
                    good[at] = None
                    work.append(at)
        kept = self._constants.steps.items()
        return {at: tuple(s for s in steps if s.target in good) for at, steps in kept if at in good}

    def _resolve(self) -> Iterator[ResolvedStep]:
        for at, steps in self.steps.items():
            now = Substitution(self.arena, self.constants(at))
            for step in steps:
                updates = {x: now(value) for x, value in step.transition.updates.items()}
                yield ResolvedStep(step, now(step.transition.guard), updates)

    def _live_variables(self) -> dict[At, frozenset[Term]]:
        """The variables that may be read before an error; each store is read, for it must keep lists."""
        live_at = dict.fromkeys((*self.errors, *self.steps), frozenset[Term]())
        before: dict[At, dict[At, None]] = {}
        for at, steps in self.steps.items():
            for step in steps:
                before.setdefault(step.target, {})[at] = None
        work = dict.fromkeys(reversed(self.steps))
        while work:
            at = next(iter(work))
            del work[at]
            live = live_at[at].union(*(self._live_before(step, live_at[step.target]) for step in self.steps[at]))
            if live != live_at[at]:
                live_at[at] = live
                work.update(before.get(at, {}))
        return live_at

    def _live_at(self, at: At) -> frozenset[Term]:
        return self._live.get(at, frozenset())

    def _live_before(self, step: Step, after: frozenset[Term]) -> frozenset[Term]:
        updates = step.transition.updates
        read = (value.symbols() for x, value in updates.items() if x in after or self.is_array(x))
        return (after - updates.keys()).union(step.transition.guard.symbols(), *read)

    def _paths(self) -> Iterator[CutPath]:
        cuts, count = frozenset(self.cuts), 0
        for source in self.cuts:
            stack: list[tuple[At, tuple[Step, ...]]] = [] if source in self.errors else [(source, ())]
            while stack:
                at, steps = stack.pop()
                if steps and at in cuts:
                    count += 1
                    if count > MAX_PATHS:
                        raise NotExpressible(f"there are more than {MAX_PATHS} paths between loops")
                    yield CutPath(source, at, steps)
                else:
                    stack.extend((step.target, (*steps, step)) for step in reversed(self.steps.get(at, ())))

    # Variables

    def constants(self, at: At) -> Mapping[Term, Term]:
        """The variables that have one value at a location."""
        return self._constants.values.get(at, {})

    def is_reached(self, at: At) -> bool:
        """Whether constants leave a path to a location."""
        return at in self._constants.values

    def heads(self) -> Iterator[At]:
        """All loop heads that paths of edges lead to, also where constants exclude the paths."""
        seen = {self.expansion.start: None}
        work = [self.expansion.start]
        while work:
            at = work.pop()
            if self.expansion.is_loop_head(at):
                yield at
            for step in self.expansion.steps(at) if self.is_reached(at) else ():
                if step.target not in seen:
                    seen[step.target] = None
                    work.append(step.target)

    def is_pointer(self, symbol: Term) -> bool:
        return symbol in self.memory.pointers and symbol.sort is INT

    def is_array(self, symbol: Term) -> bool:
        """Whether a symbol is an array of memory."""
        return symbol in self.memory.cells or symbol in self.blocks.arrays

    def is_variable(self, symbol: Term) -> bool:
        return symbol in self.program.variables

    def constants_at(self, at: At, pointers: KnownPointers) -> list[Term]:
        """The names of pointer variables and of pointers at constant addresses, null excluded."""
        alive, known = self._live_at(at), self.constants(at)
        defined = self._defined.get(at, frozenset())
        variables = alive.union(x for x in defined if x.is_symbol) if pointers is KnownPointers.DEFINED else alive
        found = [x for x in _by_name(variables) if self.is_pointer(x) and x not in known]
        pointers_there = [self._record_of(x) for x in found]
        return pointers_there + [one for one in self._places() if one.args[0] in alive and one in defined]

    def _places(self) -> Iterator[Term]:
        """The contents of memory at constant addresses."""
        yield from (self.arena.select(array, self.arena.integer(address)) for array, address in self.fixed)

    def _record_of(self, pointer: Term) -> Term:
        """The address of the record into which a pointer variable leads."""
        return self.arena.subtract(pointer, self.arena.integer(self.interior.of(pointer)))

    @property
    def first_node(self) -> Term | None:
        """The address of the first record that is allocated; None where the program does not show a constant one."""
        starts = (step.transition.updates for step in self.steps.get(self.expansion.start, ()))
        values = {x: v for updates in starts for x, v in updates.items() if x is self.memory.counter and v.is_constant}
        first = Substitution(self.arena, values)(self.memory.fresh)
        return first if first.is_constant else None

    @property
    def roots(self) -> dict[int, Term]:
        """The records that variables at constant addresses are read as fields of, by these addresses."""
        return {address: self.arena.integer(record) for address, record in self.interior.roots.items()}

    def propositions_at(self, at: At) -> list[HeapRelation]:
        alive, known = self._live_at(at), self.constants(at)
        scalars = [x for x in _by_name(alive) if x.sort is INT and x not in known]
        places = [one for one in self._places() if one.args[0] in alive]
        return [r for x in (*scalars, *places) for r in self._tests.of_scalar(x)]

    def comparisons_at(self, at: At) -> list[HeapRelation]:
        """The relations between numbers that states at a location know."""
        scalars = frozenset(self.scalars_at(at))
        known = ([x for x in group.places if isinstance(x, HeapField) or x in scalars] for group in self.ordered)
        pairs = (pair for places in known for pair in product(places, repeat=2))
        return [HeapRelation(RelationKind.AT_MOST, places=(a, b)) for a, b in pairs if a is not b or a not in scalars]

    def scalars_at(self, at: At) -> list[Term]:
        """The variables with numbers that matter at a location and have several values there."""
        alive, known = self._live_at(at), self.constants(at)
        return [x for x in _by_name(alive) if self.is_number(x) and x not in known]

    def compared_constants(self) -> list[int]:
        """The constants with which the program compares numbers."""
        return self._tests.constants()

    def is_number(self, symbol: Term) -> bool:
        """Whether a symbol is a scalar variable that holds no address."""
        is_variable = symbol.sort is INT and self.is_variable(symbol)
        return is_variable and not self.is_pointer(symbol) and symbol is not self.memory.counter

    def _definitions(self) -> dict[At, frozenset[Term]]:
        """The pointer variables with names, and the places, that may have been assigned before each location."""
        defined = {self.expansion.start: frozenset[Term]()}
        work = [self.expansion.start]
        while work:
            at = work.pop()
            for step in self.steps.get(at, ()):
                new = defined[at].union(self._assigned(step))
                old = defined.get(step.target)
                if old is None or not new <= old:
                    defined[step.target] = new | (old or frozenset())
                    work.append(step.target)
        return defined

    def _assigned(self, step: Step) -> Iterator[Term]:
        places = [(array, address) for array, address in self.fixed if array in self.memory.pointers]
        for x, value in step.transition.updates.items():
            if self.is_pointer(x) and not self._is_hidden(x):
                yield x
            for array, address in places:
                place = self.arena.integer(address)
                if x is array and self.arena.select(value, place) is not self.arena.select(x, place):
                    yield self.arena.select(x, place)

    def _is_hidden(self, symbol: Term) -> bool:
        known = self.program.variables.get(symbol)
        return known is None or known.hidden or known.scope is None

    def is_address(self, t: Term) -> bool:
        """Whether the value of a term is a pointer."""
        if t.is_choice:
            return self.is_address(t.args[1]) or self.is_address(t.args[2])
        pointers = self.memory.pointers
        return t in pointers if t.is_symbol else t.is_select and t.args[0] in pointers

    def compares_addresses(self, atom: Term) -> bool:
        subject = atom.args[0]
        return any(map(self.is_address, subject.args if subject.is_sum else (subject,)))

    # Fields

    def place(self, array: Term, index: Term) -> tuple[Term | None, int]:
        """The pointer and the distance of what is accessed at `index`; the number alone if it is constant."""
        if array not in self.blocks.arrays or index.is_constant:
            return split(index)
        address = self.blocks.address(index)
        if address is None:
            raise NotExpressible("it is not known which object is meant")
        return (address, 0) if address is self.memory.fresh else (split(address)[0], 0)

    def told(self, array: Term) -> str:
        """The name of an array in messages: that of a field that lies in it."""
        cell = next((one for one in self.memory.cells.get(array, ()) if one.field), None)
        return "memory" if cell is None else f"{cell.record}.{cell.field}"

    def field_at(self, array: Term, offset: int) -> HeapField:
        if array in self.blocks.arrays:
            return HeapField(array, 0)
        if not self._is_field(array, offset):
            raise NotExpressible(
                f"{self.told(array)} is accessed {offset} bytes behind a pointer, where no field begins"
            )
        return HeapField(array, offset)

    def _is_field(self, array: Term, offset: int) -> bool:
        if array in self.interior.fields:
            return self.interior.fields[array].offset == offset
        return any(cell.offset == offset for cell in self.memory.cells.get(array, ()))

    def cell(self, field: HeapField, node: Term) -> Term:
        """The number in a field of a node."""
        if field.array in self.blocks.arrays:
            return self.blocks.cell(field.array, node)
        return self.arena.select(field.array, self.arena.add(node, self.arena.integer(field.offset)))

    def is_about_lifetimes(self, relation: HeapRelation) -> bool:
        return relation.field is not None and relation.field.array in self.blocks.arrays

    def _accesses(self) -> tuple[tuple[HeapField, ...], tuple[tuple[Term, int], ...]]:
        """The fields that are loaded, and the places with constant addresses."""
        loaded: dict[HeapField, None] = {}
        fixed: dict[tuple[Term, int], None] = {}
        moving: dict[Term, None] = {}
        for one in self.resolved:
            for t in subterms(one.guard, *one.updates.values()):
                if not t.is_access or not self.is_array(base_array(t)):
                    continue
                array = base_array(t)
                base, offset = self.place(array, t.args[1])
                if base is None:
                    if array not in self.interior.fields:
                        fixed[array, offset] = None
                    elif t.is_select:
                        loaded[self.interior.fields[array]] = None
                    continue
                moving[array] = None
                if t.is_select:
                    loaded.update(dict.fromkeys(self._fields_behind(array, base, offset)))
        for array, _ in fixed:
            if array in moving and array not in self.blocks.arrays:
                raise NotExpressible(f"{self.told(array)} holds parts of variables and of allocated records")
        return tuple(sorted(loaded, key=lambda f: (f.array.name, f.offset))), tuple(fixed)

    def _fields_behind(self, array: Term, base: Term, offset: int) -> list[HeapField]:
        """The fields that an access may load: one through a hidden pointer may be of any offset."""
        if array in self.blocks.arrays:
            return [HeapField(array, 0)]
        offset += self.interior.of(base)
        if self._is_field(array, offset):
            return [HeapField(array, offset)]
        offsets = [cell.offset for cell in self.memory.cells[array]]
        if base.is_symbol and self._is_hidden(base):
            return [HeapField(array, k) for k in offsets]
        raise NotExpressible(f"{self.told(array)} is accessed {offset} bytes behind a pointer, where no field begins")

    def _late_fields(self) -> list[HeapField]:
        """The fields of which a node may be unwritten at the end of the path on which it was allocated, or before."""
        late: dict[HeapField, None] = {}
        for path in self.paths:
            names: dict[Term, int] = {}
            unwritten: list[dict[HeapField, None]] = []  # fields of each new node
            for step in path.steps:
                read = self._read_by(step)
                late.update((field, None) for fields in unwritten for field in fields if field in read)
                for x, value in step.transition.updates.items():
                    if value is self.memory.fresh:
                        names[x] = len(unwritten)
                        unwritten.append(dict.fromkeys(self.fields))
                    elif value in names:
                        names[x] = names[value]
                    elif value.is_store:
                        base, offset = split(value.args[1])
                        if base in names:
                            unwritten[names[base]].pop(HeapField(base_array(value), offset), None)
                    else:
                        names.pop(x, None)
            late.update((field, None) for field in self.interior.fields.values())  # roots begin without
            if path.target not in self.errors:  # no state follows an error
                for fields in unwritten:
                    late.update(fields)
        return [field for field in self.fields if field in late]

    def _read_by(self, step: Step) -> set[HeapField]:
        """The fields that a step may read, of any node."""
        found: set[HeapField] = set()
        for t in subterms(step.transition.guard, *step.transition.updates.values()):
            if t.is_select and base_array(t) in self.memory.pointers:
                base, offset = split(t.args[1])
                found.update(
                    f
                    for f in self.fields
                    if f.array is base_array(t) and (base is None or f.offset == offset + self.interior.of(base))
                )
        return found


class _Tests:
    """The tests of numbers in fields and in scalar variables: those of guards, closed under copies."""

    def __init__(self, view: HeapView) -> None:
        self._view = view
        self._fields: dict[HeapField, dict[NumberTest, None]] = {
            f: {} for f in view.loaded if f.array not in view.memory.pointers
        }
        self._scalars: dict[Term, dict[NumberTest, None]] = {}
        self._computed: set[Term] = set()
        for one in view.resolved:
            self._collect(one)
        changed = True
        while changed:
            copied = [self._copy(x, value) for one in view.resolved for x, value in one.updates.items()]
            changed = any(copied)

    def of_fields(self) -> list[HeapRelation]:
        return [
            HeapRelation(RelationKind.HOLDS, field, None, t)
            for field, tests in self._fields.items()
            for t in sorted(tests)
        ]

    def of_scalar(self, x: Term) -> list[HeapRelation]:
        return [HeapRelation(RelationKind.PROPOSITION, None, x, t) for t in sorted(self._scalars.get(x, ()))]

    def constants(self) -> list[int]:
        """The constants with which numbers are compared."""
        guards = (self._view.blocks.at_nodes(one.guard) for one in self._view.resolved)
        atoms = (t for guard in guards for t in subterms(guard) if t.is_comparison)
        return sorted({t.value for t in atoms})

    def _collect(self, resolved: ResolvedStep) -> None:
        for x, value in resolved.updates.items():
            if value.is_store and value.args[2].is_constant and x not in self._view.blocks.arrays:
                tests = self._held(value)
                if tests is not None:
                    tests[NumberTest(True, value.args[2].value)] = None
            elif self._view.is_number(x) and value.op not in (Op.CONSTANT, Op.SYMBOL, Op.SELECT):
                self._computed.add(x)
        for t in subterms(self._view.blocks.at_nodes(resolved.guard)):
            tests = self._held(t.args[0]) if t.is_comparison else None
            if tests is not None:
                tests[NumberTest(t.is_equation, t.value)] = None

    def _copy(self, x: Term, value: Term) -> bool:
        """Give what is copied the tests of what it is copied to; returns whether any is new."""
        source = value.args[2] if value.is_store else value
        if source in self._computed:
            return False
        there, here = self._held(value if value.is_store else x), self._held(source)
        if there is None or here is None or there.keys() <= here.keys():
            return False
        here.update(there)
        return True

    def _held(self, t: Term) -> dict[NumberTest, None] | None:
        """The tests of a scalar variable, or of the field that a term reads or writes; None of anything else."""
        place = self.place(t)
        if isinstance(place, HeapField):
            return self._fields[place]
        return None if place is None else self._scalars.setdefault(place, {})

    def place(self, t: Term) -> OrderedPlace | None:
        """The scalar variable, or the field with numbers, that a term reads or writes; None of anything else.

        A number at a constant address is a variable, too.
        """
        if t.is_symbol and self._view.is_number(t):
            return t
        if not t.is_access or not base_array(t).is_symbol:
            return None
        array = base_array(t)
        if t.args[1].is_constant and (array, t.args[1].value) in self._view.fixed:
            return None if array in self._view.memory.pointers else self._view.arena.select(array, t.args[1])
        if array in self._view.blocks.arrays:
            base, offset = (None if t.args[1].is_constant else array), 0
        else:
            base, offset = split(t.args[1])
        field = HeapField(array, offset)
        return None if base is None or field not in self._fields else field

    def with_bounds(self, groups: Sequence[OrderedGroup]) -> _Tests:
        """These tests, but those of ordered places are bounds by the constants of their groups."""
        found = copy(self)
        bounds = {place: dict.fromkeys(group.tests) for group in groups for place in group.places}
        found._fields = {field: bounds.get(field, tests) for field, tests in self._fields.items()}
        found._scalars = {**self._scalars, **{x: tests for x, tests in bounds.items() if isinstance(x, Term)}}
        return found


def _by_name(symbols: frozenset[Term]) -> list[Term]:
    return sorted(symbols, key=lambda x: x.name)
