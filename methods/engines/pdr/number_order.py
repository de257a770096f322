"""The order of numbers on a path: which of the numbers in fields of nodes and in scalar variables are at most others.

Numbers before a path are points of a total preorder, those in a field one for each element. Comparisons of what is read
on the path are circuits over these: the number in a field is the last that was written there, and so on back to the
point. Terms that are no symbol are points of their own: of them no more is known than how they compare.

Limitations: of `a + k <= b`, only `k` = 0 and 1 are known; the order is dense, apart from the constants of tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

from core.parameters import parameter
from core.program import Range
from core.program.expansion import At
from core.terms import Term
from methods.engines.pdr.universal_clauses import HeapField, HeapRelation, NumberTest, OrderedPlace, RelationKind
from methods.engines.pdr.universe import TRUE, Universe
from methods.engines.pdr.view import HeapView

MANY = parameter("pdr.number-order.many")


class NodeNumber(NamedTuple):
    """The number in a field of an element, after the first `writes` on the path to this field."""

    field: HeapField
    element: int
    writes: int = 0


PathNumber = NodeNumber | Term


class PathOrder:
    """The order on one path: what is compared on it, and the atoms of states before and after it.

    `free` gets the literals of which more might be known; `condition` gives those of formulas over numbers.
    """

    def __init__(
        self,
        view: HeapView,
        source: At,
        universe: Universe,
        inputs: Mapping[Term, Range | None],
        free: set[int],
        condition: Callable[[Term], int],
    ) -> None:
        self._view, self._arena, self._universe = view, view.arena, universe
        self._inputs, self._free, self._condition = inputs, free, condition
        places = [place for group in view.ordered for place in group.places]
        fields = [place for place in places if isinstance(place, HeapField)]
        self._scalars = frozenset(place for place in places if isinstance(place, Term))
        self._propositions = {r: universe.proposition(r) for r in view.propositions_at(source)}
        self._relations = view.comparisons_at(source)
        self._has_tests = any(group.tests for group in view.ordered)
        self._writes: dict[HeapField, list[tuple[int, Term]]] = {field: [] for field in fields}
        self._reads: dict[Term, PathNumber] = {}
        self._points: dict[PathNumber, None] = {}
        self._literals: dict[tuple[PathNumber, PathNumber], int] = {}
        self._known: dict[tuple[PathNumber, PathNumber], int] = {}
        universe.compared = self.holds_before
        for field in fields:
            universe.forall(1, lambda a, f=field: self._with_point(NodeNumber(f, a)))
            universe.forall(2, lambda a, b, f=field: self._congruent(f, a, b))
        for bound in sorted({test.value for group in view.ordered for test in group.tests}):
            self._include(self._arena.integer(bound))

    def has(self, place: OrderedPlace) -> bool:
        return place in self._writes or place in self._scalars

    # The path

    def read(self, result: Term, field: HeapField, element: int) -> None:
        """Note that `result` is the number that is read from a field of an element."""
        if field in self._writes:
            self._reads[result] = self._now(field, element)

    def write(self, field: HeapField, element: int, value: Term) -> None:
        if field in self._writes:
            self._writes[field].append((element, value))

    def _now(self, field: HeapField, element: int) -> PathNumber:
        return NodeNumber(field, element, len(self._writes[field]))

    def compared(self, atom: Term) -> int | None:
        """The literal of an atom over numbers; None if it does not compare two, of which one is ordered."""
        subject, value = atom.args[0], atom.value
        if not subject.is_sum:
            left, other, value = subject, self._arena.integer(value), 0
        elif subject.coefficients == (1, -1):
            left, other = subject.args
        else:
            return None
        if not (self._is_ordered(left) or self._is_ordered(other)):
            return None
        if value == 0:
            below = self.at_most(left, other)
            return below if atom.is_bound else self._universe.conjunction(below, self.at_most(other, left))
        return -self.at_most(other, left) if atom.is_bound and value == -1 else None

    def _is_ordered(self, number: Term) -> bool:
        if number.is_choice:
            return any(map(self._is_ordered, number.args[1:]))
        return number in self._reads or number in self._scalars

    def at_most(self, a: PathNumber, b: PathNumber) -> int:
        """The literal that says that a number is at most another."""
        if isinstance(a, Term):
            a = self._reads.get(a, a)
        if isinstance(b, Term):
            b = self._reads.get(b, b)
        if a == b:
            return TRUE
        if (a, b) not in self._known:
            self._known[a, b] = self._by_cases(a, b)
        return self._known[a, b]

    def _by_cases(self, a: PathNumber, b: PathNumber) -> int:
        cases = self._cases(a)
        if cases is not None:
            return self._chosen(cases, lambda one: self.at_most(one, b))
        cases = self._cases(b)
        if cases is not None:
            return self._chosen(cases, lambda one: self.at_most(a, one))
        literal = self._before(a, b)
        if not (self._is_arbitrary(a) and self._is_arbitrary(b)):
            self._free.add(abs(literal))
        return literal

    def _is_arbitrary(self, x: PathNumber) -> bool:
        """Whether numbers may be in any order with those of other points: only then is the order all that is known."""
        if self._has_tests or (isinstance(x, Term) and x not in self._scalars and x not in self._inputs):
            return False
        symbol = x.field.array if isinstance(x, NodeNumber) else x
        known = self._inputs.get(symbol, self._view.program.range_of(symbol))
        return known is None or (known.low <= 0 and known.high >= MANY)

    def _chosen(self, cases: tuple[int, PathNumber, PathNumber], compared: Callable[[PathNumber], int]) -> int:
        condition, yes, no = cases
        if abs(condition) == TRUE:
            return compared(yes if condition == TRUE else no)
        return self._universe.choice(condition, compared(yes), compared(no))

    def _cases(self, x: PathNumber) -> tuple[int, PathNumber, PathNumber] | None:
        """A condition, the number that `x` is where it holds, and the number that it is elsewhere."""
        if isinstance(x, NodeNumber):
            if x.writes == 0:
                return None
            written, number = self._writes[x.field][x.writes - 1]
            return self._universe.equal(x.element, written), number, x._replace(writes=x.writes - 1)
        return (self._condition(x.args[0]), x.args[1], x.args[2]) if x.is_choice else None

    # Points

    def _before(self, a: PathNumber, b: PathNumber) -> int:
        """The literal of two points."""
        if isinstance(b, Term) and b.is_constant:
            found = self._bounded(a, b.value)
        elif isinstance(a, Term) and a.is_constant:
            above = self._bounded(b, a.value - 1)
            found = None if above is None else -above
        else:
            found = None
        return self._related(a, b) if found is None else found

    def _bounded(self, a: PathNumber, bound: int) -> int | None:
        """The literal of a test: a point is at most a constant."""
        test = NumberTest(False, bound)
        if isinstance(a, NodeNumber):
            relation = HeapRelation(RelationKind.HOLDS, a.field, None, test)
            return self._universe.holds(relation, a.element) if relation in self._universe.predicates else None
        if a.is_constant:
            return TRUE if a.value <= bound else -TRUE
        limits = self._inputs.get(a)
        if limits is not None and not limits.low <= bound < limits.high:
            return TRUE if limits.high <= bound else -TRUE
        return self._propositions.get(HeapRelation(RelationKind.PROPOSITION, None, a, test))

    def _related(self, a: PathNumber, b: PathNumber) -> int:
        self._include(a)
        self._include(b)
        if (a, b) not in self._literals:
            self._literals[a, b] = self._universe.variable()
        return self._literals[a, b]

    def _include(self, new: PathNumber) -> None:
        for clause in self._with_point(new):
            self._universe.add(clause)

    def _with_point(self, new: PathNumber) -> list[list[int]]:
        """The axioms of a total preorder for a point and those that there are."""
        if new in self._points:
            return []
        points = tuple(self._points)
        self._points[new] = None
        le = self._before
        found = [[le(new, x), le(x, new)] for x in points]
        for x, y in permutations(points, 2):
            found.append([-le(new, x), -le(x, y), le(new, y)])
            found.append([-le(x, new), -le(new, y), le(x, y)])
            found.append([-le(x, y), -le(y, new), le(x, new)])
        return found

    def _congruent(self, field: HeapField, a: int, b: int) -> list[list[int]]:
        same = self._universe.equal(a, b)
        return [] if a == b else [[-same, self.at_most(NodeNumber(field, a), NodeNumber(field, b))]]

    # Atoms of states

    def holds_before(self, relation: HeapRelation, args: Sequence[int]) -> int:
        one, other = relation.operands(args, _number_before, _scalar_before)
        return self.at_most(one, other)

    def holds_after(self, relation: HeapRelation, args: Sequence[int], scalars: Mapping[Term, PathNumber]) -> int:
        """The literal of an atom after the path, given the terms of scalar variables there."""
        one, other = relation.operands(args, self._now, scalars.__getitem__)
        return self.at_most(one, other)

    def atoms(self, nodes: Sequence[int]) -> Iterator[tuple[HeapRelation, tuple[int, ...]]]:
        """The relations of the vocabulary before the path, for elements."""
        for relation in self._relations:
            count = sum(isinstance(place, HeapField) for place in relation.places)
            for args in product(nodes, repeat=count):
                if relation.places[0] != relation.places[1] or args[0] != args[1]:
                    yield relation, args


def _number_before(field: HeapField, element: int) -> PathNumber:
    return NodeNumber(field, element)


def _scalar_before(x: Term) -> PathNumber:
    return x
