"""Questions about one path between cuts, asked of its own incremental solver: which states come before a cube.

Lemmas about the source are instantiated once and switched on by assumptions. Lemmas with many variables are
instantiated lazily, where a model violates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import product
from typing import Protocol

from core.dataclass import dataclass
from core.parameters import parameter
from core.program.expansion import At, Step
from methods.engines.pdr.execution import PathExecution
from methods.engines.pdr.matching import CubeSearch, LiteralValues, ModelElements, SatModel
from methods.engines.pdr.universal_clauses import (
    ALLOCATED,
    EQUAL,
    Cube,
    ElementName,
    HeapAtom,
    HeapLiteral,
    HeapRelation,
    RelationKind,
    UniversalClause,
    variables_of,
)
from methods.engines.pdr.universe import NULL, TRUE
from methods.engines.pdr.values import StateAfter
from methods.engines.pdr.view import HeapView, KnownPointers
from sat.solver import Unsatisfiable

MAX_EAGER = parameter("pdr.query.max-eager")


@dataclass(frozen=True)
class Predecessor:
    """A model of a path: the diagram of the state before it, and whether it leaves no literal of its own open."""

    diagram: Cube


@dataclass(frozen=True)
class Blocked:
    """No state before the path leads to the cube: already the literals in `core` have no predecessor."""

    core: frozenset[HeapLiteral]


@dataclass(frozen=True)
class _LazyClause:
    """A clause that is instantiated where models violate it: `done` are the instances, `search` finds them."""

    clause: UniversalClause
    switch: int
    search: CubeSearch
    closed: tuple[int, ...]  # the literals of the clause without variables
    done: set[tuple[int, ...]] = field(default_factory=set)


class Theory(Protocol):
    """Knowledge about a path that its clauses do not have."""

    def conflict(self, value: LiteralValues) -> list[int] | None:
        """A clause that all states have and the model denies; None where there is none."""
        ...


class PathQuery:
    """A path from `source`: to `target`, or to an error or a failing obligation, which have no state after them."""

    def __init__(
        self,
        view: HeapView,
        pointers: KnownPointers,
        source: At,
        steps: Sequence[Step],
        target: At | None,
        failing: int | None = None,
        *,
        recorded: bool = False,
    ) -> None:
        self.source, self.steps, self.target, self.failing = source, tuple(steps), target, failing
        self.execution = PathExecution(view, pointers, source, steps, failing, recorded=recorded)
        self.calls = 0
        self._universe = self.execution.universe
        self.after = None if target is None else self.execution.after(target, pointers)
        self._found_after: dict[tuple[HeapRelation, tuple[int, ...]], int] = {}
        self._switches: dict[int, int] = {}
        self._lazy: list[_LazyClause] = []
        self._any: int | None = None
        self.theory: Theory | None = None
        """Constraints on models beside clauses."""

    def close(self) -> None:
        self._universe.close()

    # Literals

    def before_atom(self, atom: HeapAtom, elements: Sequence[int] = ()) -> int:
        """The literal of an atom before the path; `elements` stand for its variables."""
        names = self.execution.before
        args = tuple([elements[x] if isinstance(x, int) else names[x] for x in atom.args])
        return self._universe.literal(atom.relation, args)

    def after_atom(self, atom: HeapAtom, elements: Sequence[int] = ()) -> int:
        """The literal of an atom after the path."""
        after = self.after
        assert after is not None
        args = tuple([elements[x] if isinstance(x, int) else after.names[x] for x in atom.args])
        key = (atom.relation, args)
        found = self._found_after.get(key)
        if found is None:
            found = self._found_after[key] = self._related_after(after, *key)
        return found

    def _related_after(self, after: StateAfter, relation: HeapRelation, args: tuple[int, ...]) -> int:
        match relation.kind:
            case RelationKind.EQUAL:
                return self._universe.equal(*args)
            case RelationKind.REACHES:
                assert relation.field is not None
                return after.reaches[relation.field](*args)
            case RelationKind.AROUND:
                assert relation.field is not None
                return after.around[relation.field](args[0], args[-1])
            case RelationKind.PROPOSITION:
                return after.propositions[relation]
            case RelationKind.DISJOINT:
                return self._disjoint_after(relation, *args)
            case RelationKind.AT_MOST:
                return self.execution.order.holds_after(relation, args, after.scalars)
            case _:
                return after.predicates[relation](*args)

    def _disjoint_after(self, relation: HeapRelation, a: int, b: int) -> int:
        """The literal that one element, which may be any, is no node that both names reach after the path."""
        assert self.after is not None
        assert relation.field is not None
        if self._any is None:
            self._any = self._universe.element()
        reaches, is_null = self.after.reaches[relation.field], self._universe.equal(self._any, NULL)
        return self._universe.disjunction(is_null, -reaches(a, self._any), -reaches(b, self._any))

    # Questions

    def is_possible(self) -> bool:
        return self._solve([]) is not None

    def denies(self, lemmas: Iterable[UniversalClause], cube: Cube) -> bool:
        """Whether lemmas about the source imply that no elements there satisfy a cube."""
        elements = self._universe.pool(len(variables_of(cube)))
        literals = [self._signed(sign, self.before_atom(atom, elements)) for sign, atom in cube]
        return -TRUE in literals or self._solve([*self._active(lemmas), *literals]) is None

    def start(self, lemmas: Iterable[UniversalClause]) -> Predecessor | None:
        """A state before the path, within lemmas."""
        assumptions = self._active(lemmas)
        answer = self._solve(assumptions)
        return None if answer is None else Predecessor(self._diagram(self._smaller(assumptions, answer, ()), ()))

    def before(self, lemmas: Iterable[UniversalClause], cube: Cube) -> Predecessor | Blocked:
        """A state before the path from which it leads to `cube`, within lemmas."""
        elements, given = self._ending(cube)
        if -TRUE in given:
            return Blocked(frozenset([given[-TRUE]]))
        assumptions = [*self._active(lemmas), *(x for x in given if x != TRUE)]
        answer = self._solve(assumptions)
        if answer is None:
            return Blocked(self._core(given))
        return Predecessor(self._diagram(self._smaller(assumptions, answer, elements), elements))

    def confirms(self, before: Cube | None, after: Cube | None) -> bool:
        """Whether a state of the elements of `before` alone (None: any state) leads to `after`, or to the error.

        It is asked without lemmas, of a query that nobody has asked before.
        """
        count = 0 if before is None else len(variables_of(before))
        pool = self._universe.pool(count + (0 if after is None else len(variables_of(after))))
        if before is not None:
            for sign, atom in before:
                self._universe.add([self._signed(sign, self.before_atom(atom, pool))])
            known = [*self.execution.before.values(), *pool[:count]]
            self._universe.forall(1, lambda x: [[self._universe.equal(x, y) for y in known]])
        if after is not None:
            assert self.after is not None
            for sign, atom in after:
                self._universe.add([self._signed(sign, self.after_atom(atom, pool[count:]))])
        return self._universe.is_satisfiable()

    def blocks(
        self, lemmas: Iterable[UniversalClause], cube: Sequence[HeapLiteral], within: UniversalClause | None = None
    ) -> Blocked | None:
        """Like `before`, without constructing the state; of states before the path within one more clause."""
        _, given = self._ending(cube)
        if -TRUE in given:
            return Blocked(frozenset([given[-TRUE]]))
        assumptions = [*self._active(lemmas), *(x for x in given if x != TRUE)]
        answer = self._solve(assumptions) if within is None else self._solve_within(within, assumptions)
        return Blocked(self._core(given)) if answer is None else None

    def reasons(
        self, lemmas: Sequence[UniversalClause], cube: Sequence[HeapLiteral] | None = None
    ) -> list[UniversalClause] | None:
        """Lemmas that suffice for the path not to lead to a cube, or not to be taken; None if all do not."""
        given = {} if cube is None else self._ending(cube)[1]
        if -TRUE in given:
            return []
        if self._solve([*self._active(lemmas), *(x for x in given if x != TRUE)]) is not None:
            return None
        failed = set(self._failed)
        return [one for one in lemmas if self._switches[one.id] in failed]

    def _solve_within(self, clause: UniversalClause, assumptions: Sequence[int]) -> SatModel | None:
        """Solve with a clause that is stated for this question alone."""
        switch, kept = self._universe.variable(), len(self._lazy)
        self._state(clause, switch)
        answer = self._solve([*assumptions, switch])
        del self._lazy[kept:]
        self._universe.add([-switch])
        return answer

    def _ending(self, cube: Sequence[HeapLiteral]) -> tuple[list[int], dict[int, HeapLiteral]]:
        """The elements for the variables of a cube after the path, and its literals."""
        assert self.after is not None
        variables = variables_of(cube)
        elements = self._universe.pool(len(variables))
        by_variable = [0] * (max(variables, default=-1) + 1)
        for x, element in zip(variables, elements, strict=True):
            by_variable[x] = element
        given: dict[int, HeapLiteral] = {}
        for literal in cube:
            given.setdefault(self._signed(literal.sign, self.after_atom(literal.atom, by_variable)), literal)
        return elements, given

    def _signed(self, sign: bool, literal: int) -> int:
        return literal if sign else -literal

    def _core(self, given: dict[int, HeapLiteral]) -> frozenset[HeapLiteral]:
        return frozenset(given[x] for x in self._failed if x in given)

    # Solving

    def _active(self, lemmas: Iterable[UniversalClause]) -> list[int]:
        known = self._switches
        return [known.get(one.id) or self._switch(one) for one in lemmas]

    def switches(self, lemmas: Iterable[UniversalClause]) -> list[int]:
        """The literals from which lemmas about the source follow."""
        return self._active(lemmas)

    def _switch(self, clause: UniversalClause) -> int:
        switch = self._switches[clause.id] = self._universe.variable()
        if clause.variables <= MAX_EAGER:
            self._universe.forall(clause.variables, lambda *elements: [self._instance(clause, switch, elements)])
        else:
            self._state(clause, switch)
        return switch

    def _state(self, clause: UniversalClause, switch: int) -> None:
        """State a clause under a switch; one with variables where models violate it."""
        if not clause.variables:
            self._universe.add(self._instance(clause, switch, ()))
            return
        search = CubeSearch(clause.cube, clause.variables, self.execution.before)
        closed = tuple(self._signed(not sign, self.before_atom(atom)) for sign, atom in search.closed)
        self._lazy.append(_LazyClause(clause, switch, search, closed))

    def _instance(self, one: UniversalClause, switch: int, elements: Sequence[int]) -> list[int]:
        return [-switch, *(self._signed(not sign, self.before_atom(atom, elements)) for sign, atom in one.cube)]

    def _solve(self, assumptions: Sequence[int]) -> SatModel | None:
        """The value of each literal in a model, or None; the assumptions that fail are then in `_failed`."""
        assumed = set(assumptions)
        while True:
            self.calls += 1
            answer = self._universe.solver.solve(assumptions)
            if isinstance(answer, Unsatisfiable):
                self._failed = answer.core
                return None
            value = SatModel(answer.model)
            if self._refine([lazy for lazy in self._lazy if lazy.switch in assumed], value):
                continue
            denied = None if self.theory is None else self.theory.conflict(value)
            if denied is None:
                return value
            self._universe.add(denied)

    def _refine(self, active: Sequence[_LazyClause], value: SatModel) -> bool:
        """Add the instances of clauses that a model violates; returns whether there are any."""
        refined = False
        open_ = [lazy for lazy in active if not any(map(value, lazy.closed))]
        if not open_:
            return False
        model = ModelElements(self._universe, value)
        for lazy in open_:
            for elements in lazy.search.matches(model):
                if elements not in lazy.done:
                    lazy.done.add(elements)
                    self._universe.add(self._instance(lazy.clause, lazy.switch, elements))
                    refined = True
        return refined

    def _smaller(self, assumptions: Sequence[int], value: SatModel, used: Sequence[int]) -> SatModel:
        """A model with fewer anonymous elements: each is made equal to a constant where that is possible."""
        universe, fixed = self._universe, list(assumptions)
        constants = dict.fromkeys(self.execution.before.values())
        for element in list(universe.elements):
            if element in constants or (universe.in_pool(element) and element not in used):
                continue
            if any(value(universe.equal(element, x)) for x in constants):
                continue
            switch = universe.variable()
            universe.add([-switch, *(universe.equal(element, x) for x in constants)])
            smaller = self._solve([*fixed, switch])
            if smaller is not None:
                value = smaller
                fixed.append(switch)
        return value

    # Diagrams

    def _diagram(self, value: SatModel, used: Sequence[int]) -> Cube:
        """The diagram of the state before the path: of its constants, and of the elements that the path uses."""
        names, literals = self._named(value, used)
        elements = list(names)
        for i, a in enumerate(elements):
            literals += [HeapLiteral(False, HeapAtom(EQUAL, (names[a], names[b]))) for b in elements[:i]]
        for link in self._universe.fields:
            relation = HeapRelation(RelationKind.REACHES, link)
            for a, b in product(elements, repeat=2):
                if a != b and NULL not in (a, b):
                    literal = self._universe.reaches(relation, a, b)
                    literals.append(HeapLiteral(value(literal), HeapAtom(relation, (names[a], names[b]))))
        for link in self._universe.cyclic:
            relation = HeapRelation(RelationKind.AROUND, link)
            for a, b in product([a for a in elements if a != NULL], repeat=2):
                args = (names[a],) if a == b else (names[a], names[b])
                literals.append(HeapLiteral(value(self._universe.around(relation, a, b)), HeapAtom(relation, args)))
        for relation in self._universe.predicates:
            for a in elements:
                if a != NULL:
                    literals.append(
                        HeapLiteral(value(self._universe.holds(relation, a)), HeapAtom(relation, (names[a],)))
                    )
        for relation, literal in self.execution.propositions.items():
            literals.append(HeapLiteral(value(literal), HeapAtom(relation)))
        for places, numbers in self.execution.order.atoms([a for a in elements if a != NULL]):
            literal = self._universe.compared(places, numbers)
            named = tuple(names[a] for a in numbers)
            literals.append(HeapLiteral(value(literal), HeapAtom(places, named)))
        return tuple(literals)

    def _named(self, value: SatModel, used: Sequence[int]) -> tuple[dict[int, ElementName], list[HeapLiteral]]:
        """A name for each class of elements that matters, and equations of constants."""
        names: dict[int, ElementName] = {}
        literals: list[HeapLiteral] = []
        classes = ModelElements(self._universe, value).members
        first_of = {x: first for first, members in classes.items() for x in members}
        for constant, element in self.execution.before.items():
            first = first_of[element]
            if first in names:
                literals.append(HeapLiteral(True, HeapAtom(EQUAL, (constant, names[first]))))
            else:
                names[first] = constant
        anonymous = 0
        for first, members in classes.items():
            if first not in names and any(not self._universe.in_pool(x) or x in used for x in members):
                names[first] = anonymous
                anonymous += 1
        return names, literals


__all__ = ["ALLOCATED", "Blocked", "PathQuery", "Predecessor"]
