"""The reachability graph and the loop, on the predicate domain."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from bdd import Bdd, best_manager
from core.limits import Interrupted
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import Term
from core.verdict import Unknown
from methods.domains.predicate import Abstraction, PredicateDomain
from methods.engine import Edit
from methods.refinement.loop import Excluded, Refinement, refine_until_decided
from methods.refinement.reachability_graph import AbstractPath, ReachabilityGraph, Stale
from runs.events import Level, NodeAdded, NodeChanged, NodesRemoved
from tests.support.contexts import RecordingContext
from tests.support.program_builder import ProgramBuilder
from tests.support.random_graphs import random_program, without_recursion

Graph = ReachabilityGraph[Bdd, Abstraction]


SEEDS = without_recursion(range(40), 5)


class Setting:
    def __init__(self, seed: int, predicates: int = 6) -> None:
        self.random = Random(seed)
        self.expansion = Expansion(random_program(seed, 5), BlockEncoding.BASIC)
        self.abstraction = Abstraction(self.expansion.arena, best_manager())
        self.add_predicates(predicates)
        self.domain = PredicateDomain(self.expansion, self.abstraction)
        self.context = RecordingContext(Level.STATES)

    def add_predicates(self, number: int) -> None:
        a, variables = self.expansion.arena, list(self.expansion.program.variables)
        for _ in range(number):
            x, y = self.random.sample(variables, 2)
            left = self.random.choice((x, x, a.subtract(x, y) if x.id < y.id else a.subtract(y, x)))
            self.abstraction.add(a.equals(left, a.integer(self.random.randint(-2, 2))))

    def graph(self) -> Graph:
        return ReachabilityGraph(self.expansion, self.domain, self.abstraction, self.context)

    def explored(self) -> Graph:
        graph = self.graph()
        assert graph.explore(()) is None
        return graph

    def arrivals(self, graph: Graph, before: int) -> dict[At, list[tuple[int, Term]]]:
        """All arrivals with a smaller number, as (number, merged state)."""
        result: dict[At, list[tuple[int, Term]]] = {}
        for at, nodes in graph._nodes.items():
            known = [(a.sequence, self.domain.formula(a.merged)) for n in nodes for a in n.arrivals]
            if any(number < before for number, _ in known):
                result[at] = [(number, merged) for number, merged in known if number < before]
        return result

    def assert_closed(self, invariants: dict[At, Term]) -> None:
        """No abstract step leads out of what was reached."""
        encode = self.abstraction.encode
        for at, formula in invariants.items():
            for step in self.expansion.steps(at):
                for successor in self.domain.successors(encode(formula), step, self.abstraction):
                    assert self.domain.covered(successor, [encode(invariants[step.target])])


@pytest.mark.parametrize("seed", SEEDS)
def test_exploration_is_closed_under_steps(seed: int) -> None:
    setting = Setting(seed)
    setting.assert_closed(setting.explored().invariants())


@pytest.mark.parametrize("seed", SEEDS)
def test_pruning_forgets_what_came_later_and_nothing_else(seed: int) -> None:
    setting = Setting(seed)
    graph = setting.explored()
    everything, invariants = graph._sequence, graph.invariants()
    for _ in range(4):
        number = setting.random.randint(1, max(1, everything - 1))
        kept = setting.arrivals(graph, number)
        graph.prune(number)
        assert setting.arrivals(graph, graph._sequence) == kept
        assert graph.explore(()) is None
        assert graph.invariants() == invariants


@pytest.mark.parametrize("seed", SEEDS)
def test_after_new_predicates_and_pruning_exploration_is_closed_again(seed: int) -> None:
    """States before the cut stay as they were, weaker than they could be, and are still sound."""
    setting = Setting(seed, 3)
    graph = setting.explored()
    for _ in range(3):
        setting.add_predicates(2)
        graph.prune(setting.random.randint(1, max(1, graph._sequence - 1)))
        assert graph.explore(()) is None
    fresh = setting.explored().invariants()
    encode = setting.abstraction.encode
    for at, formula in fresh.items():
        assert setting.domain.covered(encode(formula), [encode(graph.invariants()[at])])


@pytest.mark.parametrize("seed", SEEDS)
def test_paths_lead_from_the_start_to_the_error_in_order(seed: int) -> None:
    setting = Setting(seed)
    checks = {check.id: check for check in setting.expansion.program.checks}
    graph = setting.graph()
    while checks:
        node = graph.explore(checks)
        if node is None:
            return
        check = graph.check(node)
        assert check is not None
        path = graph.path_to(node, check)
        assert isinstance(path, AbstractPath)
        places = [setting.expansion.start, *(step.target for step in path.steps)]
        assert [step.source for step in path.steps] == places[:-1]
        assert places[-1].location == checks[check].location
        numbers = [arrival.sequence for arrival in path.arrivals]
        assert numbers == sorted(set(numbers))
        del checks[check]


def test_a_path_through_states_of_an_older_precision_is_stale() -> None:
    """`x = 1; if (x != 1) error`: the state behind the assignment was computed before `x = 1` was a predicate."""
    b = ProgramBuilder()
    a, x = b.arena, b.variable("main::x")
    at = [b.location(loop=k == 1) for k in range(3)]
    b.assign(at[0], at[1], (x, a.one))
    b.assume(at[1], b.error(), a.not_(a.equals(x, a.one)))
    b.assume(at[1], at[2], a.equals(x, a.one))
    b.function("main", at[0], at[2], (), (x,))
    expansion = Expansion(b.program(), BlockEncoding.STATEMENTS)
    abstraction = Abstraction(a, best_manager())
    graph: Graph = ReachabilityGraph(
        expansion, PredicateDomain(expansion, abstraction), abstraction, RecordingContext()
    )
    node = graph.explore([0])
    assert node is not None
    assert isinstance(graph.path_to(node, 0), AbstractPath)
    abstraction.add(a.equals(x, a.one))
    stale = graph.path_to(node, 0)
    assert isinstance(stale, Stale)
    graph.prune(stale.sequence)
    assert graph.explore([0]) is None


class Refiner:
    """Answers with what it was given, path by path."""

    def __init__(self, answers: Sequence[Refinement]) -> None:
        self.answers = list(answers)
        self.paths: list[AbstractPath[Bdd]] = []

    def refine(self, path: AbstractPath[Bdd]) -> Refinement:
        self.paths.append(path)
        return self.answers.pop(0)

    def edit(self, edits: Sequence[Edit]) -> None:
        if edits:
            raise Interrupted("edited")


def two_checks() -> Setting:
    """A program in which two errors are reached, whatever the predicates."""
    for seed in SEEDS:
        setting = Setting(seed, 0)
        if len(setting.expansion.program.checks) >= 2:
            reached = setting.explored().invariants()
            locations = {at.location for at in reached}
            if all(check.location in locations for check in setting.expansion.program.checks):
                return setting
    raise AssertionError("no such seed")


def test_each_check_is_decided_once_and_the_others_go_on() -> None:
    setting = two_checks()
    checks = [check.id for check in setting.expansion.program.checks]
    refiner = Refiner([Unknown(f"answer {k}") for k in range(len(checks))])
    outcomes = refine_until_decided(setting.graph(), refiner, checks, setting.context)
    assert sorted(outcomes) == checks
    assert sorted(path.check for path in refiner.paths) == checks


def test_nothing_is_explored_for_nobody() -> None:
    setting = two_checks()
    setting.context.limits.stop()
    assert refine_until_decided(setting.graph(), Refiner([]), [], setting.context) == {}


def test_an_excluded_path_is_explored_again_from_its_pivot() -> None:
    setting = two_checks()
    first = setting.expansion.program.checks[0].id
    refiner = Refiner([Excluded(0), Excluded(1), Unknown("enough")])
    refine_until_decided(setting.graph(), refiner, [first], setting.context)
    one, two, three = refiner.paths
    assert one.steps == two.steps == three.steps
    assert one.arrivals[0] is not two.arrivals[0]
    assert two.arrivals[0] is three.arrivals[0]
    assert two.arrivals[1] is not three.arrivals[1]


def test_nodes_that_are_removed_were_added_before() -> None:
    setting = two_checks()
    checks = [check.id for check in setting.expansion.program.checks]
    setting.context.events.clear()
    refine_until_decided(setting.graph(), Refiner([Excluded(0), *map(Unknown, "abcdefgh")]), checks, setting.context)
    alive: set[int] = set()
    removed = 0
    for event in setting.context.events:
        if isinstance(event, NodeAdded):
            assert event.node not in alive
            alive.add(event.node)
        elif isinstance(event, NodesRemoved):
            assert alive.issuperset(event.nodes)
            alive.difference_update(event.nodes)
            removed += len(event.nodes)
    assert removed > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_formula_of_every_node_is_its_state(seed: int) -> None:
    """The fold of the events is the graph, also after pruning."""
    setting = Setting(seed)
    graph = setting.explored()
    graph.prune(setting.random.randint(1, max(1, graph._sequence - 1)))
    shown: dict[int, int] = {}
    for event in setting.context.events:
        if isinstance(event, NodeAdded | NodeChanged):
            shown[event.node] = event.formula
        elif isinstance(event, NodesRemoved):
            for node in event.nodes:
                del shown[node]
    states = {n.id: setting.domain.formula(n.state) for nodes in graph._nodes.values() for n in nodes}
    assert shown == {node: setting.context.term(state) for node, state in states.items()}


@pytest.mark.parametrize("seed", SEEDS[:8])
def test_exploration_in_parts_reaches_the_same(seed: int) -> None:
    setting = Setting(seed)
    invariants = setting.explored().invariants()
    graph = setting.graph()
    while (node := graph.explore((), 3)) is not None:
        assert graph.check(node) is None
    assert graph.invariants() == invariants
