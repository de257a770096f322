"""Symbolic execution of a path over heaps: from a free state at a cut to literals for the state at its end.

Reachability before a path is a relation of the universe; after stores it is a circuit over it. The formulas are those
of deterministic transitive closure over acyclic lists (S. Itzhaky et al., CAV 2013, quantifier-free here since what is
loaded or allocated is an element of its own; see `links`):

* a load `x := p->f` makes a new element: the next node of `p`, where `p` has a pointer in `f`, else anything;
* a store `p->f := v` takes from `p` what it reaches, then joins it to what `v` reaches. It must not close a cycle and
  must store null or a node; that is an *obligation*, since the formulas do not describe anything else;
* where lists may have cycles, a store that closes one cuts the pointer: see `core.certificate.lists`;
* an allocation makes a new element that no pointer leads to.

Accesses of addresses without a node are total: a store there changes nothing that the vocabulary speaks about.
Numbers are terms; what the vocabulary does not know of them is a free literal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from core.program import Range
from core.program.expansion import At, Step
from core.terms import BOOL, INT, Op, Term, Treatment, lift_choices, rebuild, subterms
from methods.engines.pdr.addresses import NotExpressible, split
from methods.engines.pdr.contents import PathContents
from methods.engines.pdr.links import PathLinks
from methods.engines.pdr.number_order import PathOrder
from methods.engines.pdr.universal_clauses import (
    ALLOCATED,
    ElementName,
    HeapField,
    HeapRelation,
    NumberTest,
    OrderedPlace,
    RelationKind,
)
from methods.engines.pdr.universe import NULL, TRUE, UnaryLiteral, Universe
from methods.engines.pdr.values import AddressValue, NodeValue, NumberValue, PathValue, StateAfter, StoreObligation
from methods.engines.pdr.view import HeapView, KnownPointers

OTHER_OPERATORS = Treatment.REFUSE

LAST = -1
_LOWEST = 4096  # no object has a lower address


class _Stopped(Exception):
    """The obligation is reached that the execution is to fail."""


class PathExecution:
    """A path in a universe of its own: all models of its clauses are executions of the path.

    With `failing`, it ends in the obligation of this number, which fails: `LAST` is the first of the last step.
    """

    def __init__(
        self,
        view: HeapView,
        pointers: KnownPointers,
        source: At,
        steps: Sequence[Step],
        failing: int | None = None,
        *,
        recorded: bool = False,
    ) -> None:
        self._view, self._arena, self._failing = view, view.arena, failing
        self.universe = Universe(view.fields, view.predicates, view.cyclic, recorded=recorded)
        self.meanings: dict[Term, int] = {}
        """The literals of comparisons of numbers, and of truth values in them."""
        self.inputs: dict[Term, Range | None] = {}
        self.before: dict[ElementName, int] = {view.arena.zero: NULL}
        self.propositions = {r: self.universe.proposition(r) for r in view.propositions_at(source)}
        self.obligations: list[StoreObligation] = []
        self.free: set[int] = set()
        """Literals for what the vocabulary does not know, apart from what inputs decide."""
        self._supplied: dict[Term, Range | None] = {}
        self._predicates: dict[HeapRelation, UnaryLiteral] = {r: self._holds_before(r) for r in view.predicates}
        self._links = PathLinks(view.arena, self.universe, self._predicates)
        self.lengths = self._links.lengths
        self.contents = PathContents(view.arena, self.universe, view.numbers, self.lengths.truth)
        self._values: dict[Term, PathValue] = {}
        self._loads: dict[tuple[HeapField, int, int], int] = {}
        self._stores = dict.fromkeys(view.fields, 0)
        self._read: dict[Term, dict[NumberTest, int]] = {}
        self._atoms: dict[Term, int] = {}
        self.order = PathOrder(view, source, self.universe, self.inputs, self.free, self._number_atom)
        self._position, self._last = 0, len(steps) - 1
        self._new: int | None = None
        """The node that the present step allocates."""
        self._begin(source, pointers)
        self._run(steps)

    def _begin(self, source: At, pointers: KnownPointers) -> None:
        view, universe = self._view, self.universe
        for name in view.roots.values():
            root = self.before[name] = universe.element()
            universe.add([universe.holds(ALLOCATED, root)])
            for other in (x for x in self.before.values() if x != root):
                universe.add([-universe.equal(root, other)])
        for x, value in view.constants(source).items():
            self._values[x] = self._constant(value) if view.is_pointer(x) else NumberValue(value)
        for name in view.constants_at(source, pointers):
            self.before[name] = universe.element()
            pointer, distance = _pointer_of(name)
            self._values[pointer] = NodeValue(self.before[name], distance)
        universe.require_consistent(list(self.propositions))
        for relation in view.predicates:
            if relation.test is not None and view.is_about_lifetimes(relation):
                nothing = universe.holds(relation, NULL)
                universe.add([nothing if relation.test.holds(0) else -nothing])
        if source == view.expansion.start:
            roots = [self.before[name] for name in view.roots.values()]
            universe.forall(1, lambda a: [[-universe.holds(ALLOCATED, a), *(universe.equal(a, x) for x in roots)]])
            for relation in (r for r in view.predicates if r.kind is RelationKind.WRITTEN):
                universe.forall(1, lambda a, r=relation: [[-universe.holds(r, a)]])

    def _run(self, steps: Sequence[Step]) -> None:
        try:
            for self._position, step in enumerate(steps):
                self._step(step)
        except _Stopped:
            pass
        except NotExpressible as error:
            spans = [edge.span for step in steps[: self._position + 1] for edge in step.edges if edge.span is not None]
            raise NotExpressible(str(error), error.span or (spans[-1] if spans else None)) from error

    def _holds_before(self, relation: HeapRelation) -> UnaryLiteral:
        return lambda a: self.universe.holds(relation, a)

    # Steps

    def _step(self, step: Step) -> None:
        for symbol in step.transition.reads:
            if not self._view.is_variable(symbol):
                self._values.pop(symbol, None)  # each execution of an edge has inputs of its own
        self._new = None
        guard = step.transition.guard
        if not guard.is_true:
            self.universe.add([self._condition(guard)])
        values: dict[Term, PathValue] = {}
        effects: list[Callable[[], None]] = []
        for x, value in step.transition.updates.items():
            if self._view.is_array(x):
                self._array(x, value, values, effects)
            elif x.sort is INT and x is not self._view.memory.counter:
                values[x] = self._value(x, value)
        for effect in effects:
            effect()
        self._values.update(values)

    def _value(self, x: Term, value: Term) -> PathValue:
        if value is self._view.memory.fresh or self._view.is_pointer(x):
            if value.is_symbol and value not in self._values and not self._view.is_variable(value):
                return NodeValue(self.universe.element(), self._view.interior.of(x))  # an input: anything
            return self._pointer(value)
        if self._view.is_address(value):
            return NumberValue(self._unknown("address"))
        return NumberValue(self._number(value))

    def _array(self, x: Term, value: Term, values: dict[Term, PathValue], effects: list[Callable[[], None]]) -> None:
        """Note what an update of an array of memory writes: one place after the other."""
        stores: list[Term] = []
        while value.is_store:
            stores.append(value)
            value = value.args[0]
        if value is not x:
            self._first_contents(x, value, values)
        for store in reversed(stores):
            target = self._target(x, store.args[1])
            if isinstance(target, int):
                values[self._place(x, target)] = self._content(x, store.args[2])
            else:
                self._note_effect(x, target, store.args[2], effects)

    def _first_contents(self, x: Term, value: Term, values: dict[Term, PathValue]) -> None:
        """The contents of an array at the start of the program, when no node is allocated: zeros, or anything."""
        if value.is_symbol and not self._view.is_variable(value):
            return
        if value.op is not Op.CONST_ARRAY:
            raise NotExpressible(f"{self._view.told(x)} changes as a whole")
        for array, address in self._view.fixed:
            if array is x:
                values[self._place(x, address)] = self._content(x, value.args[0])

    def _note_effect(
        self, x: Term, target: tuple[int, HeapField], value: Term, effects: list[Callable[[], None]]
    ) -> None:
        element, field = target
        if x not in self._view.memory.pointers:
            number = self._number(value)
            effects.append(lambda: self._write(field, element, number))
        elif field in self._stores:
            stored = self._element(self._pointer(value))
            effects.append(lambda: self._store(field, element, stored))

    def _content(self, array: Term, value: Term) -> PathValue:
        return self._pointer(value) if array in self._view.memory.pointers else NumberValue(self._number(value))

    def _place(self, array: Term, address: int) -> Term:
        return self._arena.select(array, self._arena.integer(address))

    def _store(self, field: HeapField, p: int, v: int) -> None:
        self._stores[field] += 1
        self._require(field, self._links.store(field, p, v))

    def _require(self, field: HeapField, wrong: int) -> None:
        """Add an obligation; later steps are executed only where it holds."""
        if wrong == -TRUE:
            return
        number = len(self.obligations)
        self.obligations.append(StoreObligation(self._position, field, wrong))
        if number == self._failing or (self._failing == LAST and self._position == self._last):
            self.universe.add([wrong])
            raise _Stopped
        self.universe.add([-wrong])

    def _write(self, field: HeapField, p: int, number: Term) -> None:
        self.order.write(field, p, number)
        self.contents.write(field, p, number)
        for relation in [r for r in self._predicates if r.kind is RelationKind.HOLDS and r.field == field]:
            assert relation.test is not None
            self._predicates[relation] = self._written(relation, p, self._test(field, number, relation.test))

    def _written(self, relation: HeapRelation, p: int, result: int) -> UnaryLiteral:
        universe, old = self.universe, self._predicates[relation]
        return cache(lambda a: universe.choice(universe.equal(a, p), result, old(a)))

    # KnownPointers

    def _constant(self, value: Term) -> PathValue:
        name = self._view.roots.get(value.value)
        if name is not None:
            return NodeValue(self.before[name], value.value - name.value)
        return NodeValue(NULL) if value.value == 0 else AddressValue(value.value)

    def _pointer(self, t: Term) -> PathValue:
        """The value of an address."""
        if t is self._view.memory.fresh:
            if self._new is None:
                self._new = self._links.allocate()
            return NodeValue(self._new)
        match t.op:
            case Op.CONSTANT:
                return self._constant(t)
            case Op.SYMBOL:
                if t not in self._values:
                    # an input, or a variable that was dead: anything
                    self._values[t] = NodeValue(self.universe.element(), self._view.interior.of(t))
                return self._values[t]
            case Op.SELECT:
                return self._load(t)
            case Op.ITE:
                return self._chosen(t)
            case Op.LINEAR if t.coefficients == (1,):
                value = self._pointer(t.args[0])
                if isinstance(value, NodeValue):
                    return NodeValue(value.element, value.offset + t.constant)
                if isinstance(value, AddressValue):
                    return AddressValue(value.address + t.constant)
        raise NotExpressible("an address is computed from numbers")

    def _chosen(self, t: Term) -> PathValue:
        universe, condition = self.universe, self._condition(t.args[0])
        values = [self._pointer(part) for part in t.args[1:]]
        distance = next((one.offset for one in values if isinstance(one, NodeValue)), 0)
        yes, no = (self._element(one, distance) for one in values)
        result = universe.element()
        universe.add([-condition, universe.equal(result, yes)])
        universe.add([condition, universe.equal(result, no)])
        return NodeValue(result, distance)

    def _element(self, value: PathValue, distance: int = 0) -> int:
        if isinstance(value, NodeValue) and value.offset == distance:
            return value.element
        raise NotExpressible("the address of a variable, or of a part of a record, is kept as a pointer to a record")

    def _target(self, array: Term, address: Term) -> tuple[int, HeapField] | int:
        """The element and the field at an address, or the number that it is."""
        base, offset = self._view.place(array, address)
        value = self._constant(self._arena.integer(offset)) if base is None else self._pointer(base)
        if base is None:
            if array not in self._view.interior.fields:
                return offset
            offset = 0
        match value:
            case AddressValue(number):
                is_object = base is not None and array in self._view.blocks.arrays
                return self._view.blocks.number(number) if is_object else number + offset
            case NodeValue(element, inner):
                return element, self._view.field_at(array, inner + offset)
            case _:
                raise NotExpressible("a number is used as an address")

    def _load(self, t: Term) -> PathValue:
        array = t.args[0]
        if not array.is_symbol:
            raise NotExpressible("a pointer is read from memory that a condition chooses")
        target = self._target(array, t.args[1])
        if isinstance(target, int):
            place = self._place(array, target)
            return self._values.setdefault(place, NodeValue(self.universe.element()))
        p, field = target
        if field not in self._stores:
            raise NotExpressible(f"a pointer is read from {self._view.told(array)} that was not expected")
        key = (field, p, self._stores[field])
        if key not in self._loads:
            self._loads[key] = self._links.next(field, p)
        return NodeValue(self._loads[key])

    # Numbers

    def _unknown(self, stem: str) -> Term:
        return self._arena.fresh(stem, INT)

    def _number(self, t: Term) -> Term:
        """A term over the symbols of the state before the path, of inputs and of what is read."""
        replaced: dict[Term, Term] = {}
        for u in subterms(t):
            if (u.sort is not INT and u.sort is not BOOL) or u.is_store:
                replaced[u] = u
            elif u.is_symbol:
                replaced[u] = self._scalar(u)
            elif u.is_select:
                replaced[u] = self._reading(u)
            elif self._view.blocks.is_offset(u):
                replaced[u] = self._offset(u.args[0])
            elif u.is_comparison and self._view.compares_addresses(u):
                replaced[u] = self._truth_value(self._condition(u))
            else:
                replaced[u] = rebuild(self._arena, u, tuple(replaced[a] for a in u.args))
        return replaced[t]

    def _truth_value(self, literal: int) -> Term:
        """A symbol for the truth value of a literal."""
        symbol = self._arena.fresh("condition", BOOL)
        self._atoms[symbol] = self.meanings[symbol] = literal
        return symbol

    def _offset(self, address: Term) -> Term:
        """The distance of an address from the start of its object: nodes are starts of objects.

        Without cycles, invariants say anyhow which pointers lead to nodes. Where a list may turn, that must be asked.
        """
        match self._pointer(address):
            case NodeValue(element, distance) if self._view.cyclic:
                known = self._view.blocks.offset(distance)
                is_null, is_node = self.universe.equal(element, NULL), self._predicates[ALLOCATED](element)
                is_start = self._truth_value(self.universe.disjunction(is_null, is_node))
                return self._arena.ite(is_start, known, self._unknown("offset"))
            case NodeValue(_, distance) | AddressValue(distance):
                return self._view.blocks.offset(distance)
            case NumberValue():
                return self._unknown("offset")

    def _scalar(self, x: Term) -> Term:
        if x.sort is not INT or self._view.is_pointer(x):
            return x
        if x not in self._values:
            self._values[x] = NumberValue(x if self._view.is_variable(x) else self._input(x))
        value = self._values[x]
        return value.term if isinstance(value, NumberValue) else self._unknown("address")

    def _input(self, x: Term) -> Term:
        result = self._unknown(x.name)
        self._supplied[result] = self.inputs[result] = self._view.program.range_of(x)
        return result

    def _reading(self, t: Term) -> Term:
        array = t.args[0]
        if not array.is_symbol:
            raise NotExpressible("a number is read from memory that a condition chooses")
        if not self._view.is_array(array) or array in self._view.memory.pointers:
            return self._unknown("address")
        target = self._target(array, t.args[1])
        if isinstance(target, int):
            place = self._place(array, target)
            value = self._values.setdefault(place, NumberValue(place))
            assert isinstance(value, NumberValue)
            return value.term
        element, field = target
        result = self._unknown("read")
        self.order.read(result, field, element)
        self.contents.read(field, element, result)
        relations = [r for r in self._predicates if r.kind is RelationKind.HOLDS and r.field == field]
        self._read[result] = {r.test: self._predicates[r](element) for r in relations if r.test is not None}
        return result

    # Conditions

    def _condition(self, t: Term) -> int:
        """The literal of a condition over the present state."""
        return self.universe.formula(t, self._atom)

    def _atom(self, t: Term) -> int:
        if t.is_comparison:
            return self._address_atom(t) if self._view.compares_addresses(t) else self._number_atom(self._number(t))
        return self._anything(t)

    def _number_atom(self, t: Term) -> int:
        """The literal of a formula over numbers that `_number` has made."""
        return self.universe.formula(lift_choices(self._arena, t) if self._view.cyclic else t, self._evaluated)

    def _evaluated(self, t: Term) -> int:
        if not t.is_comparison:
            return self._atoms[t] if t in self._atoms else self._anything(t)
        subject = t.args[0]
        if subject.is_choice:
            parts = (rebuild(self._arena, t, (part,)) for part in subject.args[1:])
            yes, no = (self._number_atom(part) for part in parts)
            return self.universe.choice(self._number_atom(subject.args[0]), yes, no)
        self.meanings[t] = self._compared(t, NumberTest(t.is_equation, t.value))
        return self.meanings[t]

    def _compared(self, t: Term, test: NumberTest) -> int:
        ordered = self.order.compared(t)
        if ordered is not None:
            return ordered
        subject = t.args[0]
        if test in self._read.get(subject, ()):
            return self._read[subject][test]
        relation = HeapRelation(RelationKind.PROPOSITION, None, subject, test)
        return self.propositions[relation] if relation in self.propositions else self._anything(t)

    def _test(self, place: OrderedPlace, number: Term, test: NumberTest) -> int:
        """The literal that says that a number passes a test of the place that holds it."""
        arena, bound = self._arena, self._arena.integer(test.value)
        if self.order.has(place):
            return self.order.at_most(number, bound)  # the tests of ordered places are bounds
        return self._number_atom(arena.equals(number, bound) if test.is_equation else arena.le(number, bound))

    def _anything(self, t: Term) -> int:
        """A free literal, the same for the same term."""
        if t not in self._atoms:
            self._atoms[t] = self.universe.variable()
            if not self._is_decided_by_input(t):
                self.free.add(self._atoms[t])
        return self._atoms[t]

    def _is_decided_by_input(self, atom: Term) -> bool:
        """Whether the atom is the first that is asked of an input, which has numbers for both answers."""
        if not atom.is_comparison or atom.args[0] not in self._supplied:
            return False
        bounds, value = self._supplied.pop(atom.args[0]), atom.value
        if bounds is None:
            return True
        return bounds.low <= value < bounds.high or (atom.is_equation and bounds.low < value <= bounds.high)

    def _address_atom(self, t: Term) -> int:
        try:
            known = self._address_literal(t)
        except NotExpressible:
            known = None  # an address that nothing is accessed at may be any number
        if known is not None:
            return known
        result = self.universe.variable()
        self.free.add(result)
        return result

    def _address_literal(self, t: Term) -> int | None:
        """The literal of a comparison of addresses, if elements tell it."""
        universe, subject = self.universe, t.args[0]
        if not subject.is_sum:
            value = self._pointer(subject)
            if isinstance(value, AddressValue):
                return TRUE if NumberTest(t.is_equation, t.value).holds(value.address) else -TRUE
            if isinstance(value, NodeValue):
                base = t.value - value.offset
                if base == 0 if t.is_equation else 0 <= base < _LOWEST:
                    return universe.equal(value.element, NULL)
        elif t.is_equation and t.value == 0 and subject.coefficients == (1, -1) and subject.constant == 0:
            one, other = map(self._pointer, subject.args)
            if isinstance(one, AddressValue) or isinstance(other, AddressValue):
                return TRUE if one == other else -TRUE
            if isinstance(one, NodeValue) and isinstance(other, NodeValue) and one.offset == other.offset:
                return universe.equal(one.element, other.element)
        return None

    # The state after the path

    def after(self, at: At, pointers: KnownPointers) -> StateAfter:
        """The state at the end of the path, in the vocabulary of the cut `at`."""
        names: dict[ElementName, int] = {self._arena.zero: NULL}
        names.update((name, self.before[name]) for name in self._view.roots.values())
        for name in self._view.constants_at(at, pointers):
            pointer, distance = _pointer_of(name)
            value = self._values.setdefault(pointer, NodeValue(self.universe.element(), distance))
            if pointers is KnownPointers.DEFINED and not (isinstance(value, NodeValue) and value.offset == distance):
                value = NodeValue(self.universe.element(), distance)
            names[name] = self._element(value, distance)
        propositions: dict[HeapRelation, int] = {}
        for relation in self._view.propositions_at(at):
            assert relation.scalar is not None
            assert relation.test is not None
            propositions[relation] = self._test(relation.scalar, self._number(relation.scalar), relation.test)
        scalars = {x: self._number(x) for x in self._view.scalars_at(at)}
        return StateAfter(
            names,
            propositions,
            dict(self._links.reaches),
            dict(self._links.around),
            dict(self._predicates),
            scalars,
            dict(self.lengths.now),
            dict(self.contents.now),
        )


def _pointer_of(name: Term) -> tuple[Term, int]:
    """The pointer that leads into the record of a name, and how far behind its address."""
    pointer, distance = split(name)
    assert pointer is not None
    return pointer, -distance
