"""A growing finite universe in a SAT solver: literals for relations over its elements, gates, universal axioms.

Queries about heaps have a prefix ∃*∀*, so a model over the elements that are named is a model (Herbrand). Universal
axioms are instantiated for all tuples of elements, also of those that come later. Element 0 is the null pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import product

from core.terms import Op, Term, Treatment
from methods.engines.pdr.universal_clauses import ALLOCATED, EQUAL, HeapField, HeapRelation, NumberTest, RelationKind
from sat.solver import Satisfiable, SatSolver

OTHER_OPERATORS = Treatment.OPAQUE

TRUE = 1
NULL = 0

Clauses = Callable[..., list[list[int]]]
"""The clauses of a universal axiom for a tuple of elements."""
UnaryLiteral = Callable[[int], int]
"""The literal of a unary predicate for an element."""
BinaryLiteral = Callable[[int, int], int]
"""The literal of a relation for two elements."""


class Universe:
    """Elements with reachability in `fields` and unary `predicates`, which obey the axioms of lists.

    Lists have no cycles, apart from those of `cyclic` fields, where reachability leaves out pointers that are cut.
    """

    compared: Callable[[HeapRelation, Sequence[int]], int]
    """The literal of a relation between numbers: `methods.engines.pdr.number_order` knows these."""

    def __init__(
        self,
        fields: Sequence[HeapField],
        predicates: Sequence[HeapRelation],
        cyclic: Collection[HeapField] = (),
        *,
        recorded: bool = False,
    ) -> None:
        self.clauses: list[list[int]] | None = [] if recorded else None
        self.solver = SatSolver()
        self.fields, self.predicates = tuple(fields), tuple(predicates)
        self.cyclic = tuple(field for field in fields if field in cyclic)
        self.elements = [NULL]
        self._last = TRUE
        self.solver.add([TRUE])
        self._gates: dict[tuple[int, ...], int] = {}
        self._literals: dict[tuple[HeapRelation, tuple[int, ...]], int] = {}
        self._found: dict[tuple[HeapRelation, tuple[int, ...]], int] = {}
        self._rows: dict[tuple[HeapRelation, tuple[int, ...]], list[int]] = {}
        self._axioms: list[tuple[int, Clauses]] = []
        self._pool: list[int] = []
        self._add_axioms()

    def close(self) -> None:
        self.solver.close()

    def is_satisfiable(self) -> bool:
        return isinstance(self.solver.solve(), Satisfiable)

    def variable(self) -> int:
        self._last += 1
        return self._last

    def add(self, clause: Sequence[int]) -> None:
        if TRUE not in clause:
            self._keep([x for x in clause if x != -TRUE])

    def _keep(self, clause: list[int]) -> None:
        self.solver.add(clause)
        if self.clauses is not None:
            self.clauses.append(clause)

    # Gates

    def conjunction(self, *literals: int) -> int:
        args = {x for x in literals if x != TRUE}
        if -TRUE in args or any(-x in args for x in args):
            return -TRUE
        if not args:
            return TRUE
        if len(args) == 1:
            return next(iter(args))
        key = tuple(sorted(args))
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self.variable()
            for x in key:
                self._keep([-gate, x])
            self._keep([gate, *(-x for x in key)])
        return gate

    def disjunction(self, *literals: int) -> int:
        return -self.conjunction(*(-x for x in literals))

    def choice(self, condition: int, yes: int, no: int) -> int:
        return self.disjunction(self.conjunction(condition, yes), self.conjunction(-condition, no))

    def formula(self, t: Term, atom: Callable[[Term], int]) -> int:
        """The literal of a formula, given those of its atoms."""
        match t.op:
            case Op.CONSTANT:
                return TRUE if t.is_true else -TRUE
            case Op.NOT:
                return -self.formula(t.args[0], atom)
            case Op.AND:
                return self.conjunction(*(self.formula(a, atom) for a in t.args))
            case Op.OR:
                return self.disjunction(*(self.formula(a, atom) for a in t.args))
            case Op.IFF:
                a, b = (self.formula(a, atom) for a in t.args)
                return self.choice(a, b, -b)
            case Op.ITE:
                condition, yes, no = (self.formula(a, atom) for a in t.args)
                return self.choice(condition, yes, no)
            case _:
                return atom(t)

    # Relations of the state before a path

    def equal(self, a: int, b: int) -> int:
        if a == b:
            return TRUE
        key = (EQUAL, (a, b) if a < b else (b, a))
        literal = self._literals.get(key)
        if literal is None:
            literal = self._literals[key] = self.variable()
            self.solver.prefer(literal)  # small models first
        return literal

    def reaches(self, relation: HeapRelation, a: int, b: int) -> int:
        if a == b:
            return TRUE
        if NULL in (a, b):
            return self.equal(a, b)
        return self._literal(relation, (a, b))

    def around(self, relation: HeapRelation, a: int, b: int) -> int:
        return -TRUE if NULL in (a, b) else self._literal(relation, (a, b))

    def holds(self, predicate: HeapRelation, a: int) -> int:
        if a == NULL and predicate.kind in (RelationKind.ALLOCATED, RelationKind.WRITTEN):
            return -TRUE
        return self._literal(predicate, (a,))

    def literals(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """The relations that have literals: the elements that they are about, and the literal."""
        yield from ((args, literal) for (_, args), literal in self._literals.items())

    def proposition(self, relation: HeapRelation) -> int:
        return self._literal(relation, ())

    def literal(self, relation: HeapRelation, args: tuple[int, ...]) -> int:
        """The literal of any relation for elements."""
        key = (relation, args)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._related(relation, args)
        return found

    def row(self, relation: HeapRelation, before: tuple[int, ...]) -> list[int]:
        """The literals of a relation for each element as its last argument, behind others."""
        row = self._rows.setdefault((relation, before), [])
        row += [self.literal(relation, (*before, x)) for x in self.elements[len(row) :]]
        return row

    def _related(self, relation: HeapRelation, args: tuple[int, ...]) -> int:
        match relation.kind:
            case RelationKind.EQUAL:
                return self.equal(*args)
            case RelationKind.REACHES:
                return self.reaches(relation, *args)
            case RelationKind.AROUND:
                return self.around(relation, args[0], args[-1])
            case RelationKind.PROPOSITION:
                return self.proposition(relation)
            case RelationKind.DISJOINT:
                return self._disjoint(relation, *args)
            case RelationKind.AT_MOST:
                return self.compared(relation, args)
            case _:
                return self.holds(relation, *args)

    def _literal(self, relation: HeapRelation, args: tuple[int, ...]) -> int:
        key = (relation, args)
        literal = self._literals.get(key)
        if literal is None:
            literal = self._literals[key] = self.variable()
        return literal

    def _disjoint(self, relation: HeapRelation, a: int, b: int) -> int:
        """A literal from which it follows that no node is reached from both; it may be false where there is none."""
        is_new, reached = (relation, (a, b)) not in self._literals, HeapRelation(RelationKind.REACHES, relation.field)
        literal = self._literal(relation, (a, b))
        if is_new:
            self.forall(1, lambda x: [[-literal, self.equal(x, NULL), *(-self.reaches(reached, y, x) for y in (a, b))]])
        return literal

    # Elements and axioms

    def element(self) -> int:
        """A new element, for which all axioms hold."""
        new = len(self.elements)
        self.elements.append(new)
        every, earlier = self.elements, self.elements[:-1]
        for arity, clauses in self._axioms:
            for place in range(arity):  # the first place of the new element
                for args in product(*[earlier] * place, (new,), *[every] * (arity - place - 1)):
                    self._instance(clauses, args)
        return new

    def pool(self, count: int) -> list[int]:
        """Elements for the variables of cubes; the first are always the same."""
        while len(self._pool) < count:
            self._pool.append(self.element())
        return self._pool[:count]

    def in_pool(self, element: int) -> bool:
        return element in self._pool

    def forall(self, arity: int, clauses: Clauses) -> None:
        """Require `clauses` of all tuples of elements."""
        self._axioms.append((arity, clauses))
        for args in product(self.elements, repeat=arity):
            self._instance(clauses, args)

    def _instance(self, clauses: Clauses, args: tuple[int, ...]) -> None:
        for clause in clauses(*args):
            self.add(clause)

    def _add_axioms(self) -> None:
        equal = self.equal
        for field in self.fields:
            self._lists(HeapRelation(RelationKind.REACHES, field))
        for field in self.cyclic:
            self._cut(field)
        if not self.fields:
            self.forall(3, lambda a, b, c: [[-equal(a, b), -equal(b, c), equal(a, c)]])
        for predicate in self.predicates:
            self.forall(2, lambda a, b, p=predicate: self._congruent(p, a, b))
        for first, second in _same_subject(self.predicates):
            self.forall(1, lambda a, p=first, q=second: self._consistent(p, q, self.holds(p, a), self.holds(q, a)))
        for predicate in self.predicates:
            if predicate.kind is RelationKind.WRITTEN:
                self.forall(1, lambda a, p=predicate: [[-self.holds(p, a), self.holds(ALLOCATED, a)]])

    def _lists(self, relation: HeapRelation) -> None:
        """Reachability is a partial order, total on what an element reaches, and among nodes."""
        equal, written = self.equal, HeapRelation(RelationKind.WRITTEN, relation.field)

        @cache
        def reaches(a: int, b: int) -> int:
            return self.reaches(relation, a, b)

        def pairs(a: int, b: int) -> list[list[int]]:
            if a == b:
                return []
            found = [[-reaches(a, b), equal(a, b), self.holds(ALLOCATED, x)] for x in (a, b)]
            if written in self.predicates:
                found.append([-reaches(a, b), equal(a, b), self.holds(written, a)])
            if a < b:
                found += [[-equal(a, b), reaches(a, b)], [-equal(a, b), reaches(b, a)]]
                found.append([-reaches(a, b), -reaches(b, a), equal(a, b)])
            return found

        def triples(a: int, b: int, c: int) -> list[list[int]]:
            if a in (b, c) or b == c:
                return []
            ab, ac, bc = reaches(a, b), reaches(a, c), reaches(b, c)
            transitive = [-ab, -bc, ac]
            return [transitive, [-ab, -ac, bc, reaches(c, b)]] if b < c else [transitive]

        self.forall(2, pairs)
        self.forall(3, triples)

    def _cut(self, field: HeapField) -> None:
        """All nodes of a list have around them the same: a list that begins where its cut pointer leads."""
        links, cuts = (HeapRelation(kind, field) for kind in (RelationKind.REACHES, RelationKind.AROUND))
        written = HeapRelation(RelationKind.WRITTEN, field)

        @cache
        def reaches(a: int, b: int) -> int:
            return self.reaches(links, a, b)

        @cache
        def around(a: int, b: int) -> int:
            return self.around(cuts, a, b)

        def pairs(a: int, b: int) -> list[list[int]]:
            found = [[-around(a, b), self.holds(ALLOCATED, x)] for x in (a, b)]
            return [*found, [-around(a, b), self.holds(written, a)]] if written in self.predicates else found

        def triples(a: int, b: int, c: int) -> list[list[int]]:
            found = [[-around(a, b), -around(a, c), reaches(b, c), reaches(c, b)]] if b < c else []
            if b != c:
                found.append([-around(a, b), -reaches(b, c), around(a, c)])
            if a != b:
                found += [[-reaches(a, b), -around(a, c), around(b, c)], [-reaches(a, b), -around(b, c), around(a, c)]]
            return found

        self.forall(2, pairs)
        self.forall(3, triples)

    def _congruent(self, predicate: HeapRelation, a: int, b: int) -> list[list[int]]:
        return [] if a == b else [[-self.equal(a, b), -self.holds(predicate, a), self.holds(predicate, b)]]

    def require_consistent(self, propositions: Sequence[HeapRelation]) -> None:
        """Require that the tests of each scalar agree with some number."""
        for first, second in _same_subject(propositions):
            for clause in self._consistent(first, second, self.proposition(first), self.proposition(second)):
                self.add(clause)

    def _consistent(self, first: HeapRelation, second: HeapRelation, element: int, other: int) -> list[list[int]]:
        """The pairs of results that no number has."""
        assert first.test is not None
        assert second.test is not None
        numbers = {test.value + d for test in (first.test, second.test) for d in (-1, 0, 1)}
        possible = {(first.test.holds(x), second.test.holds(x)) for x in numbers}
        every = product((True, False), repeat=2)
        return [[-element if a else element, -other if b else other] for a, b in every if (a, b) not in possible]


def _same_subject(relations: Sequence[HeapRelation]) -> Iterator[tuple[HeapRelation, HeapRelation]]:
    """The pairs of relations that test the same number."""
    tested = [r for r in relations if r.test is not None]
    for i, first in enumerate(tested):
        for second in tested[:i]:
            if (first.field, first.scalar) == (second.field, second.scalar):
                yield first, second


__all__ = ["NULL", "TRUE", "BinaryLiteral", "NumberTest", "UnaryLiteral", "Universe"]
