"""The fixed points of Houdini, against all subsets of candidates."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import pytest

from core.limits import SolverUndecided
from core.solver.contract import Model
from core.terms import BOOL, Arena, Term, Value
from methods.inference.houdini import Connection, Formulas, Houdini, InferenceStuck, Patience, not_established

Rule = dict[
    str, set[frozenset[str]]
]  # of each candidate: sets of candidates at the source, one of which establishes it


def _system(arena: Arena) -> tuple[Houdini[str, tuple[str, Rule]], Callable[[str], Term]]:
    """Two loops: from the start to `a`, around `a`, from `a` to `b`, around `b`."""

    def symbol(name: str) -> Term:
        return arena.symbol(name, BOOL)

    start: Rule = {"p": {frozenset()}, "q": {frozenset()}, "r": {frozenset()}}
    around: Rule = {"p": {frozenset("p")}, "q": {frozenset("pq")}, "r": {frozenset("s")}, "s": {frozenset("s")}}
    across: Rule = {"x": {frozenset("q")}, "y": {frozenset("r")}, "z": {frozenset("p")}}
    turn: Rule = {"x": {frozenset("x")}, "y": {frozenset("y")}, "z": {frozenset("xz"), frozenset("y")}}
    connections = [
        Connection(None, "a", ("", start)),
        Connection("a", "a", ("a", around)),
        Connection("a", "b", ("a", across)),
        Connection("b", "b", ("b", turn)),
    ]
    return Houdini(connections), symbol


def _names(formulas: dict[Term, None]) -> set[str]:
    return {t.name for t in formulas}


def test_the_largest_part_is_the_union_of_all_inductive_parts() -> None:
    arena = Arena()
    houdini, symbol = _system(arena)
    candidates = {"a": [symbol(c) for c in "pqrs"], "b": [symbol(c) for c in "xyz"]}

    def broken(rule: tuple[str, Rule], kept: Formulas[str]) -> list[Term]:
        source, ways = rule
        target = "b" if "x" in ways else "a"
        known = _names(kept[source]) if source else set()
        return [c for c in kept[target] if not any(way <= known for way in ways.get(c.name, ()))]

    kept = houdini.largest(candidates, broken)
    assert _names(kept["a"]) == {"p", "q"}
    assert _names(kept["b"]) == {"x", "z"}


def test_what_is_needed_is_closed_under_reasons() -> None:
    arena = Arena()
    houdini, symbol = _system(arena)

    def core(rule: tuple[str, Rule], formula: Term, _: Formulas[str]) -> list[Term]:
        return [symbol(name) for name in min(map(sorted, rule[1][formula.name]))]

    needed: Formulas[str] = {}
    houdini.close(needed, [("b", symbol("x"))], core)
    assert {place: _names(own) for place, own in needed.items()} == {"b": {"x"}, "a": {"p", "q"}}


class _Assignment(Model):
    def __init__(self, arena: Arena, true: frozenset[Term]) -> None:
        self._arena = arena
        self._true = true

    def value(self, term: Term) -> Value:
        return all(part in self._true or part.is_true for part in (term.args if term.is_conjunction else (term,)))


@pytest.mark.parametrize("failing", [names for n in range(4) for names in combinations("abcd", n)])
def test_goals_that_do_not_follow_are_found_by_models_and_one_by_one(failing: tuple[str, ...]) -> None:
    arena = Arena()
    goals = {arena.symbol(c, BOOL): arena.symbol(f"goal {c}", BOOL) for c in "abcd"}
    wrong = {goals[arena.symbol(c, BOOL)] for c in failing}
    for decides, at_once in product([True, False], repeat=2):

        def counterexample(goal: Term, decides: bool = decides, at_once: bool = at_once) -> Model | None:
            parts = goal.args if goal.is_conjunction else (goal,)
            if len(parts) > 1 and not decides:
                raise SolverUndecided("too large")
            violated = [part for part in parts if part in wrong]
            if not violated:
                return None
            chosen = frozenset(violated if at_once else violated[:1])
            return _Assignment(arena, frozenset(goals.values()) - chosen)

        found = not_established(arena, goals, counterexample, Patience(100))
        assert {t.name for t in found} == set(failing)


def test_patience_ends() -> None:
    arena = Arena()
    goals = {arena.symbol(c, BOOL): arena.symbol(f"goal {c}", BOOL) for c in "abcd"}

    def undecided(_: Term) -> Model | None:
        raise SolverUndecided("never")

    assert len(not_established(arena, goals, undecided, Patience(6))) == 4
    with pytest.raises(InferenceStuck):
        not_established(arena, goals, undecided, Patience(5))
