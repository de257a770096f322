"""The contract of `bdd.Manager`, for every backend: laws, and images against enumeration of states."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bdd import BackendMissing, Bdd, ForeignBdd, Manager, Relation, WrongCopy, autoref_manager, cudd_manager
from bdd import relation as relation_module

VARIABLES = range(4)
State: TypeAlias = tuple[bool, ...]
Clause: TypeAlias = tuple[Mapping[int, bool], Mapping[int, bool]]
ALL_STATES: list[State] = list(product((False, True), repeat=len(VARIABLES)))


@pytest.fixture(params=[cudd_manager, autoref_manager], scope="class")
def make(request: pytest.FixtureRequest) -> Callable[[], Manager]:
    constructor: Callable[[], Manager] = request.param
    try:
        constructor()
    except BackendMissing:
        pytest.skip("this backend is not installed")

    def manager() -> Manager:
        made = constructor()
        for index in VARIABLES:
            made.declare(index)
        return made

    return manager


assignments = st.dictionaries(st.sampled_from(VARIABLES), st.booleans(), max_size=3)
state_sets = st.frozensets(st.sampled_from(ALL_STATES))
affected_sets = st.frozensets(st.sampled_from(VARIABLES))


@st.composite
def relations(draw: st.DrawFn) -> tuple[frozenset[int], list[Clause]]:
    affected = draw(affected_sets)
    following = st.dictionaries(st.sampled_from(sorted(affected)), st.booleans()) if affected else st.just({})
    clauses: list[Clause] = draw(st.lists(st.tuples(assignments, following), max_size=6))
    return affected, clauses


def of_states(manager: Manager, states: frozenset[State]) -> Bdd:
    return manager.disjoin(*(manager.cube(dict(enumerate(state))) for state in sorted(states)))


def states_of(manager: Manager, u: Bdd) -> frozenset[State]:
    return frozenset(s for s in ALL_STATES if manager.implies(manager.cube(dict(enumerate(s))), u))


def related(s: State, t: State, affected: frozenset[int], clauses: list[Clause]) -> bool:
    framed = all(s[i] == t[i] for i in VARIABLES if i not in affected)
    return framed and all(
        any(s[i] == value for i, value in current.items()) or any(t[i] == value for i, value in following.items())
        for current, following in clauses
    )


class TestContract:
    @pytest.mark.long
    @given(states=state_sets, described=relations(), limit=st.sampled_from([0, 8, 2_000]))
    def test_images_agree_with_enumeration(
        self,
        make: Callable[[], Manager],
        states: frozenset[State],
        described: tuple[frozenset[int], list[Clause]],
        limit: int,
    ) -> None:
        affected, clauses = described
        manager = make()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(relation_module, "CLUSTER_LIMIT", limit)
            relation = Relation.make(manager, affected, [manager.clause(*clause) for clause in clauses])
        u = of_states(manager, states)
        image = {t for s, t in product(states, ALL_STATES) if related(s, t, affected, clauses)}
        preimage = {s for s, t in product(ALL_STATES, states) if related(s, t, affected, clauses)}
        assert states_of(manager, relation.image(u)) == image
        assert states_of(manager, relation.preimage(u)) == preimage

    @pytest.mark.long
    @given(first=state_sets, second=state_sets)
    def test_operations_agree_with_sets(
        self, make: Callable[[], Manager], first: frozenset[State], second: frozenset[State]
    ) -> None:
        m = make()
        u, v = of_states(m, first), of_states(m, second)
        everything = frozenset(ALL_STATES)
        assert m.conjoin(u, v) == of_states(m, first & second)
        assert m.disjoin(u, v) == of_states(m, first | second)
        assert m.negate(u) == of_states(m, everything - first)
        assert m.xor(u, v) == of_states(m, first ^ second)
        assert m.iff(u, v) == of_states(m, everything - (first ^ second))
        assert m.ite(m.var(0), u, v) == of_states(
            m, frozenset(s for s in ALL_STATES if s in (first if s[0] else second))
        )
        assert m.implies(u, v) == (first <= second)
        assert m.is_false(u) == (not first)
        assert m.is_true(u) == (first == everything)
        assert hash(m.conjoin(u, u)) == hash(u)

    @pytest.mark.long
    @given(states=state_sets, hidden=affected_sets)
    def test_exists_agrees_with_enumeration(
        self, make: Callable[[], Manager], states: frozenset[State], hidden: frozenset[int]
    ) -> None:
        manager = make()

        def visible(state: State) -> State:
            return tuple(value for i, value in enumerate(state) if i not in hidden)

        rest = {visible(s) for s in states}
        expected = frozenset(s for s in ALL_STATES if visible(s) in rest)
        assert manager.exists(hidden, of_states(manager, states)) == of_states(manager, expected)

    @pytest.mark.long
    @given(states=state_sets)
    def test_cubes_are_disjoint_and_complete(self, make: Callable[[], Manager], states: frozenset[State]) -> None:
        manager = make()
        u = of_states(manager, states)
        union = manager.false
        for cube in map(manager.cube, manager.cubes(u)):
            assert manager.is_false(manager.conjoin(union, cube))
            union = manager.disjoin(union, cube)
        assert union == u

    @pytest.mark.long
    @given(states=state_sets)
    def test_pick_satisfies_and_is_deterministic(self, make: Callable[[], Manager], states: frozenset[State]) -> None:
        manager, other = make(), make()
        picked = manager.pick(of_states(manager, states), VARIABLES)
        assert picked == other.pick(of_states(other, states), VARIABLES)
        assert (picked is None) == (not states)
        if picked is not None:
            assert list(picked) == list(VARIABLES)
            assert tuple(picked.values()) in states

    @given(states=state_sets)
    def test_branching_is_a_choice(self, make: Callable[[], Manager], states: frozenset[State]) -> None:
        manager = make()
        u = of_states(manager, states)
        match manager.branch(u):
            case None:
                assert manager.is_true(u) or manager.is_false(u)
            case index, then, otherwise:
                assert manager.ite(manager.var(index), then, otherwise) == u
                assert index not in manager.support(then) | manager.support(otherwise)

    @given(states=state_sets)
    def test_renaming_there_and_back(self, make: Callable[[], Manager], states: frozenset[State]) -> None:
        manager = make()
        u = of_states(manager, states)
        following = manager.to_next(VARIABLES, u)
        assert manager.support(following) == frozenset()
        assert manager.next_support(following) == manager.support(u)
        assert manager.to_current(VARIABLES, following) == u

    def test_an_unconstrained_affected_variable_becomes_free(self, make: Callable[[], Manager]) -> None:
        manager = make()
        states = manager.cube({0: True, 1: False})
        assert Relation.make(manager, {0}).image(states) == manager.cube({1: False})

    def test_strengthening_adds_constraints_and_variables(self, make: Callable[[], Manager]) -> None:
        manager = make()
        weak = Relation.make(manager, {0}, [manager.clause({}, {0: True})])
        manager.declare(9)
        strong = weak.strengthened([manager.clause({0: False}, {9: True})], {9})
        assert strong.affected == {0, 9}
        assert strong.image(manager.cube({0: True, 9: False})) == manager.cube({0: True, 9: True})
        assert weak.image(manager.cube({0: False, 9: False})) == manager.cube({0: True, 9: False})

    def test_variables_declared_late_and_reordering_keep_functions(self, make: Callable[[], Manager]) -> None:
        manager = make()
        u = manager.clause({0: True, 3: False}, {1: True})
        manager.declare(10, near=0)
        manager.declare(10)
        v = manager.conjoin(u, manager.var(10))
        manager.reorder()
        manager.declare(11, near=10)
        assert manager.declared() == {*VARIABLES, 10, 11}
        assert manager.exists([10], v) == u
        assert manager.support(v) == {0, 3, 10}
        assert manager.next_support(v) == {1}
        assert manager.size(v) >= 4
        assert manager.live_nodes() > 0
        relation = Relation.make(manager, {10, 11}, [manager.iff(manager.var(10), manager.next_var(11))])
        assert relation.image(manager.cube({10: True})) == manager.var(11)

    def test_large_diagrams_need_no_recursion(self, make: Callable[[], Manager]) -> None:
        manager = make()
        for index in range(4, 300):
            manager.declare(index)
        cube = {index: index % 3 == 0 for index in range(300)}
        assert list(manager.cubes(manager.cube(cube))) == [cube]

    def test_mixing_managers_raises(self, make: Callable[[], Manager]) -> None:
        manager, other = make(), make()
        for operation in (
            manager.negate,
            manager.is_true,
            manager.support,
            manager.size,
            Relation.make(manager, ()).image,
        ):
            with pytest.raises(ForeignBdd):
                operation(other.var(0))
        for combine in (manager.conjoin, manager.xor, manager.implies):
            with pytest.raises(ForeignBdd):
                combine(manager.var(0), other.var(0))
        with pytest.raises(ForeignBdd):
            assert manager.var(0) == other.var(0)

    def test_a_function_has_no_truth_value(self, make: Callable[[], Manager]) -> None:
        with pytest.raises(TypeError):
            bool(make().true)

    def test_wrong_copies_raise(self, make: Callable[[], Manager]) -> None:
        manager = make()
        both = manager.conjoin(manager.var(0), manager.next_var(0))
        for operation in (manager.cubes, manager.pick):
            with pytest.raises(WrongCopy):
                _consume(operation(both))
        for rename in (manager.to_next, manager.to_current):
            with pytest.raises(WrongCopy):
                rename([0], both)
        with pytest.raises(WrongCopy):
            Relation.make(manager, {1}, [both])

    def test_undeclared_variables_raise(self, make: Callable[[], Manager]) -> None:
        manager = make()
        for operation in (manager.var, manager.next_var):
            with pytest.raises(KeyError):
                operation(77)
        with pytest.raises(KeyError):
            manager.exists([77], manager.true)
        with pytest.raises(KeyError):
            manager.declare(5, near=77)


def _consume(value: object) -> None:
    if isinstance(value, Iterator):
        next(value, None)
