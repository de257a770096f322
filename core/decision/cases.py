"""Proofs by cases of invariants that are disjunctions of conjunctions: the partitions of a domain of zones.

A hypothesis `D₁ ∨ … ∨ Dₙ` is taken case by case. In a case, what the equations of symbols and of array elements with
constants say is substituted, and of a goal that is such a disjunction, too, only the parts are left that these values
do not contradict; one of them must follow. What follows are bounds of differences, by sums of bounds along a path
(R. Bellman, "On a routing problem", 1958), and that a difference is no number outside of its bounds. So a step between
n partitions takes n small proofs, where a solver would be given two disjunctions of n parts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.decision.justification import Cases, Contradiction, Cut, Deduced, Justification, Rewritten, SumOfBounds
from core.decision.kernel import Rewriter, cases_of
from core.parameters import parameter
from core.terms import INT, Arena, Term, literals

FEWEST_CASES = parameter("decision.cases.fewest-cases")
SMALLEST_SPLIT = parameter("decision.cases.smallest-split")

_Place = Term | None  # None stands for 0
_Difference = tuple[_Place, _Place, int]  # x, y and a bound of x - y


def closed_by_cases(
    arena: Arena, hypotheses: Sequence[Term], goal: Term, open_goals: Sequence[Term], tick: Callable[[], None]
) -> Justification | None:
    """A justification of the conjuncts of `goal` that are open, by these means; None where none is found."""
    split = max(filter(_is_split, hypotheses), key=lambda h: h.size, default=None)
    if split is None:
        return None
    rest = [h for h in hypotheses if h is not split]
    choices = [(one, _Choices(one)) for one in open_goals]
    closed: list[Justification] = []
    for part in split.args:
        tick()
        by = _Case(arena, [*literals(part), *rest]).closed(goal, choices)
        if by is None:
            return None
        closed.append(by)
    return Cases(split, tuple(closed))


def _is_split(h: Term) -> bool:
    """Whether a hypothesis is a disjunction of many conjunctions of literals, and not a small one."""
    if not h.is_disjunction or len(h.args) < FEWEST_CASES or h.size < SMALLEST_SPLIT:
        return False
    return all(_is_literal(one) for part in h.args for one in literals(part))


def _is_literal(t: Term) -> bool:
    atom = t.args[0] if t.is_negation else t
    return atom.is_comparison or atom.is_symbol or atom.is_select or atom.is_constant


class _Choices:
    """A goal as a choice of conjunctions, found by the values that they give to symbols."""

    def __init__(self, goal: Term) -> None:
        self._groups: dict[tuple[Term, ...], dict[tuple[int, ...], list[Term]]] = {}
        for part in goal.args if goal.is_disjunction else (goal,):
            values = dict(sorted(_symbol_values(literals(part)), key=lambda item: item[0].id))
            group = self._groups.setdefault(tuple(values), {})
            group.setdefault(tuple(values.values()), []).append(part)

    def possible(self, chosen: Mapping[Term, int]) -> Iterable[Term]:
        """The conjunctions that known values of symbols do not contradict."""
        for symbols, group in self._groups.items():
            if all(x in chosen for x in symbols):
                yield from group.get(tuple(chosen[x] for x in symbols), ())
            else:
                for values, conjunctions in group.items():
                    if all(chosen.get(x, value) == value for x, value in zip(symbols, values, strict=True)):
                        yield from conjunctions


def _symbol_values(conjunction: Iterable[Term]) -> Iterable[tuple[Term, int]]:
    return ((t.args[0], t.value) for t in conjunction if t.is_equation and t.args[0].is_symbol)


@dataclass(frozen=True, eq=False)
class _Edge:
    """The bound of `source - target` that a fact is, times a factor."""

    source: _Place
    target: _Place
    bound: int
    fact: Term
    factor: int


class _Case:
    """One case: the values that its equations give, and the bounds of differences that its other literals are."""

    def __init__(self, arena: Arena, hypotheses: Sequence[Term]) -> None:
        self._arena = arena
        self._assumed = dict.fromkeys(part for h in hypotheses for part in literals(h))
        self._rewriter = Rewriter(arena, self._assumed)
        self._known = {x: value.value for x, value in self._rewriter.values.items() if x.sort is INT}
        self._edges: dict[_Place, list[_Edge]] = {}
        self._denied: list[Term] = []
        self._origin: dict[Term, Term] = {}  # of facts: the hypotheses that they are when rewritten
        self._needed: dict[Term, None] = {}  # of these
        self._sharpened: dict[Term, Justification] = {}
        self._paths: dict[_Place, _Paths] = {}
        for h in self._assumed:
            for fact in literals(self._rewriter(h)):
                self._assume(fact, h)
        for fact in self._denied:
            self._sharpen(fact)

    def _assume(self, fact: Term, h: Term) -> None:
        self._origin.setdefault(fact, h)
        for edge in _edges_of(fact):
            self._edges.setdefault(edge.source, []).append(edge)
        if _denied(fact):
            self._denied.append(fact)

    def _sharpen(self, fact: Term) -> None:
        """Add the bound that is left of one that a difference must not meet."""
        for strict, other in (cases := cases_of(self._arena, fact), cases[::-1]):
            if not (edges := _edges_of(strict[0])):
                continue
            x, y, bound = edges[0].source, edges[0].target, edges[0].bound
            if self._length(x, y) == bound + 1:  # and it is not the distance
                beyond = self._summed(self._way(x, y), other[0])
                here = Contradiction(strict[0])
                self._needed[self._origin[fact]] = None
                self._sharpened[strict[0]] = Cases(fact, (here, beyond) if cases[0] is strict else (beyond, here))
                self._edges.setdefault(x, []).append(edges[0])
                self._paths.clear()

    # Proofs

    def closed(self, goal: Term, choices: Sequence[tuple[Term, _Choices]]) -> Justification | None:
        """Close the case: all choices follow, or it contradicts itself."""
        shown: list[tuple[Term, Justification]] = []
        result: Justification | None = Contradiction(self._arena.false)
        if self._arena.false not in self._origin:
            for one, choice in choices:
                by = self._chosen(one, choice)
                if by is None:
                    result = self._contradiction()
                    break
                shown.append((one, by))
            else:
                result = Cut(tuple(shown), Contradiction(goal))
        else:
            self._needed[self._origin[self._arena.false]] = None
        return result and self._from_facts(result)

    def _from_facts(self, then: Justification) -> Justification:
        """`then`, which uses facts that are rewritten hypotheses, and bounds that are left."""
        for fact, by in reversed(self._sharpened.items()):
            then = Cut(((fact, by),), then)
        return Deduced((Rewritten(tuple(self._needed), tuple(self._rewriter.equations)),), then)

    def _chosen(self, goal: Term, choices: _Choices) -> Justification | None:
        """Show a conjunction among the choices."""
        for conjunction in choices.possible(self._known):
            shown: list[tuple[Term, Justification]] = []
            for literal in literals(conjunction):
                if literal not in self._assumed:  # most of a state is, which a step leaves as it is
                    by = self._literal(literal)
                    if by is None:
                        break
                    shown.append((literal, by))
            else:
                whole = (conjunction, Contradiction(conjunction))
                return Cut(tuple(shown), Cut((whole,), Contradiction(goal)))
        return None

    def _literal(self, t: Term) -> Justification | None:
        """Show a literal."""
        value = self._rewriter(t)
        shown: list[tuple[Term, Justification]] = []
        for part in literals(value):
            by = self._follows(part)
            if by is None:
                return None
            shown.append((part, by))
        rule = Rewritten((self._arena.not_(t),), tuple(self._rewriter.equations))
        return Deduced((rule,), Cut(tuple(shown), Contradiction(value)))

    def _follows(self, literal: Term) -> Justification | None:
        denial = self._arena.not_(literal)
        if denial.is_equation:
            ways = [self._excluding(edge, denial) for edge in _edges_of(denial)]
            return next((way for way in ways if way is not None), None)
        cases = [case[0] for case in cases_of(self._arena, denial)]
        closed = [self._excluding(edge, case) for case in cases for edge in _edges_of(case)]
        found = [one for one in closed if one is not None]
        if not found or len(found) < len(cases):
            return None
        return Cases(denial, tuple(found)) if len(cases) > 1 else found[0]

    def _excluding(self, edge: _Edge, fact: Term) -> Justification | None:
        """Exclude the bound that `edge` would be: the way back closes a cycle of negative length."""
        length = self._length(edge.target, edge.source)
        if length is None:
            return self._contradiction()
        return self._summed(self._way(edge.target, edge.source), fact, edge.factor) if length + edge.bound < 0 else None

    def _contradiction(self) -> Justification | None:
        for x in self._edges:
            cycle = self._paths_from(x).cycle
            if cycle:
                return self._summed(cycle)
        return None

    def _summed(self, edges: Iterable[_Edge], fact: Term | None = None, factor: int = 1) -> Justification:
        parts = [(edge.factor, edge.fact) for edge in edges]
        self._needed.update((self._origin[f], None) for _, f in parts if f in self._origin)
        if fact is not None:
            parts.append((factor, fact))
        return Deduced((SumOfBounds(tuple(parts)),), Contradiction(self._arena.false))

    def _length(self, x: _Place, y: _Place) -> int | float | None:
        """The least bound of `x - y` that is a sum of hypotheses, infinite without one; None if these contradict."""
        paths = self._paths_from(x)
        return None if paths.cycle else paths.lengths.get(y, float("inf"))

    def _way(self, x: _Place, y: _Place) -> Iterator[_Edge]:
        before = self._paths_from(x).before
        while y is not x:
            yield before[y]
            y = before[y].source

    def _paths_from(self, x: _Place) -> _Paths:
        if x not in self._paths:
            self._paths[x] = _shortest(self._edges, x)
        return self._paths[x]


@dataclass
class _Paths:
    """The shortest paths from a place: lengths and last edges; or a cycle of negative length on the way."""

    lengths: dict[_Place, int]
    before: dict[_Place, _Edge]
    cycle: Sequence[_Edge] = ()


def _shortest(edges: Mapping[_Place, Sequence[_Edge]], source: _Place) -> _Paths:
    """The shortest paths from a place."""
    paths = _Paths({source: 0}, {})
    steps: dict[_Place, int] = {source: 0}  # edges of the path that has been found
    waiting = deque([source])
    queued = {source}
    while waiting:
        x = waiting.popleft()
        queued.discard(x)
        for edge in edges.get(x, ()):
            y, length = edge.target, paths.lengths[x] + edge.bound
            if y not in paths.lengths or length < paths.lengths[y]:
                paths.lengths[y], paths.before[y], steps[y] = length, edge, steps[x] + 1
                if steps[y] > len(edges) + 1 or y is source:
                    paths.cycle = _cycle(paths.before, y)
                    if paths.cycle:
                        return paths
                if y not in queued:
                    queued.add(y)
                    waiting.append(y)
    return paths


def _cycle(before: Mapping[_Place, _Edge], y: _Place) -> Sequence[_Edge]:
    """The cycle on which one goes back from a place; nothing if there is none."""
    walk: list[_Edge] = []
    seen: dict[_Place, int] = {}
    while y not in seen:
        seen[y] = len(walk)
        if y not in before:
            return ()
        walk.append(before[y])
        y = before[y].source
    return walk[seen[y] :]


def _denied(t: Term) -> bool:
    """Whether a literal denies an equation between two places."""
    return t.is_negation and t.args[0].is_equation and bool(_edges_of(t.args[0]))


def _edges_of(t: Term) -> list[_Edge]:
    """The bounds of differences that a literal is; nothing if it is none."""
    atom = t.args[0] if t.is_negation else t
    if not atom.is_comparison or (atom.is_equation and atom is not t):
        return []
    match atom.args[0]:
        case body if not body.is_sum:
            x, y = body, None
        case body if body.coefficients == (1, -1):
            x, y = body.args
        case _:
            return []
    if atom.is_equation:
        return [_Edge(x, y, atom.value, t, 1), _Edge(y, x, -atom.value, t, -1)]
    return [_Edge(x, y, atom.value, t, 1)] if atom is t else [_Edge(y, x, -atom.value - 1, t, 1)]
