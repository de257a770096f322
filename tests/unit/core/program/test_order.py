"""Weak topological orders: the laws of Bourdoncle 1993, on random graphs."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.program.exploration_order import ExplorationOrder, heads_last, weak_topological_order
from core.program.loops import loop_nesting
from tests.support.random_graphs import random_program

Graph = Mapping[int, list[int]]


def random_graph(seed: int) -> Graph:
    random = Random(seed)
    size = random.randint(1, 9)
    return {v: random.sample(range(size), random.randint(0, min(3, size))) for v in range(size)}


def reachable(graph: Graph, roots: list[int], within: frozenset[int]) -> set[int]:
    seen: set[int] = set()
    work = [r for r in roots if r in within]
    while work:
        v = work.pop()
        if v not in seen:
            seen.add(v)
            work += [w for w in graph[v] if w in within]
    return seen


@given(st.integers(0, 2**32))
def test_every_reachable_vertex_occurs_once_and_the_entry_first(seed: int) -> None:
    graph = random_graph(seed)
    order = weak_topological_order(0, graph.__getitem__)
    assert order[0] == 0
    assert sorted(order) == sorted(reachable(graph, [0], frozenset(graph)))


@given(st.integers(0, 2**32))
def test_an_edge_backwards_leads_to_the_head_of_a_loop_around_its_source(seed: int) -> None:
    """So every cycle passes through a head, and what lies between head and source belongs to the loop."""
    graph = random_graph(seed)
    order = weak_topological_order(0, graph.__getitem__)
    rank = {v: i for i, v in enumerate(order)}
    for v in order:
        for head in graph[v]:
            if rank[head] <= rank[v]:
                assert v in reachable(graph, [head], frozenset(order[rank[head] :]))
                for inside in order[rank[head] : rank[v] + 1]:
                    assert inside in reachable(graph, [head], frozenset(order[rank[head] :]))
                    assert head in reachable(graph, [inside], frozenset(order[rank[head] :]))


def test_loops_nest() -> None:
    """Bourdoncle's example: 1 2 (3 4 (5 6) 7) 8."""
    graph = {1: [2, 8], 2: [3], 3: [4], 4: [5, 7], 5: [6], 6: [5, 7], 7: [3, 8], 8: []}
    assert weak_topological_order(1, graph.__getitem__) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert list(heads_last(1, graph.__getitem__)) == [1, 2, 4, 6, 5, 7, 3, 8]


@given(st.integers(0, 2**32))
def test_heads_come_last_and_loops_stay_together(seed: int) -> None:
    graph = random_graph(seed)
    nesting = loop_nesting(0, graph.__getitem__)
    order = list(heads_last(0, graph.__getitem__))
    assert sorted(order) == sorted(nesting)
    for head in {head for heads in nesting.values() for head in heads}:
        members = [v for v in order if head in nesting[v]]
        last = order.index(head)
        assert order[last + 1 - len(members) : last + 1] == members


def test_callees_come_between_their_call_and_what_follows_it() -> None:
    for seed in range(40):
        program = random_program(seed)
        expansion, order = Expansion(program, BlockEncoding.STATEMENTS), ExplorationOrder(program)
        work, seen = [expansion.start], {expansion.start}
        while work and len(seen) < 300:
            at = work.pop()
            for step in expansion.steps(at):
                new_call = len(step.target.stack) > len(at.stack)
                if new_call and expansion.frame(step.target) == 0:
                    assert order.position(at) < order.position(step.target)
                if step.target not in seen:
                    seen.add(step.target)
                    work.append(step.target)
