"""Proofs by cases of invariants that are disjunctions of conjunctions: the partitions of a domain of zones.

A hypothesis `D₁ ∨ … ∨ Dₙ` is taken case by case. In a case, what the equations of symbols and of array elements with
constants say is substituted, and of a goal that is such a disjunction, too, only the parts are left that these values
do not contradict; one of them must follow. What follows are bounds of differences, by sums of bounds along a path
(R. Bellman, "On a routing problem", 1958), and that a difference is no number outside of its bounds. So a step between
n partitions takes n small proofs, where a solver would be given two disjunctions of n parts.

*Required*: a part of a goal, or a literal of it, follows only if the values of the case make it true or a sum of
hypotheses of the case implies it. Everything else is not proved here, and left to others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from core.terms import INT, Arena, Op, Substitution, Term, Treatment, literals, replace_subterms

OTHER_OPERATORS = Treatment.OPAQUE

FEWEST_CASES = 4
SMALLEST_SPLIT = 300  # nodes of a disjunction that is split
_PASSES = 3  # of substitutions: the index of an element may itself be an element

_Place = Term | None  # None stands for 0
_Difference = tuple[_Place, _Place, int]  # x, y and a bound of x - y
_Conjunction = tuple[Term, ...]


def follows_by_cases(
    arena: Arena, hypotheses: Sequence[Term], goals: Sequence[Term], tick: Callable[[], None]
) -> bool | None:
    """Whether all of `goals` follow, by these means; None where no hypothesis is to be split."""
    split = max(filter(_is_split, hypotheses), key=lambda h: h.size, default=None)
    if split is None:
        return None
    rest = [h for h in hypotheses if h is not split]
    choices = [_Choices(goal) for goal in goals]
    for part in split.args:
        tick()
        case = _Case(arena, [*literals(part), *rest])
        if not case.is_impossible and not all(map(case.proves_one, choices)):
            return False
    return True


def _is_split(h: Term) -> bool:
    """Whether a hypothesis is a disjunction of many conjunctions of literals, and not a small one."""
    if h.op is not Op.OR or len(h.args) < FEWEST_CASES or h.size < SMALLEST_SPLIT:
        return False
    return all(_is_literal(one) for part in h.args for one in literals(part))


def _is_literal(t: Term) -> bool:
    atom = t.args[0] if t.op is Op.NOT else t
    return atom.op in (Op.LE, Op.EQ, Op.SYMBOL, Op.SELECT, Op.CONSTANT)


class _Choices:
    """A goal as a choice of conjunctions, found by the values that they give to symbols."""

    def __init__(self, goal: Term) -> None:
        self._groups: dict[tuple[Term, ...], dict[tuple[int, ...], list[_Conjunction]]] = {}
        for part in goal.args if goal.op is Op.OR else (goal,):
            conjunction = literals(part)
            values = dict(sorted(_symbol_values(conjunction), key=lambda item: item[0].id))
            group = self._groups.setdefault(tuple(values), {})
            group.setdefault(tuple(values.values()), []).append(conjunction)

    def possible(self, known: Mapping[Term, int]) -> Iterable[_Conjunction]:
        """The conjunctions that known values of symbols do not contradict."""
        for symbols, group in self._groups.items():
            if all(x in known for x in symbols):
                yield from group.get(tuple(known[x] for x in symbols), ())
            else:
                for values, conjunctions in group.items():
                    if all(known.get(x, value) == value for x, value in zip(symbols, values, strict=True)):
                        yield from conjunctions


def _symbol_values(conjunction: Iterable[Term]) -> Iterable[tuple[Term, int]]:
    return ((t.args[0], t.value) for t in conjunction if t.op is Op.EQ and t.args[0].op is Op.SYMBOL)


class _Case:
    """One case: the values that its equations give, and the bounds of differences that its other literals are."""

    def __init__(self, arena: Arena, hypotheses: Sequence[Term]) -> None:
        self._arena = arena
        self._symbols: dict[Term, Term] = {}
        self._elements: dict[Term, Term] = {}
        self.is_impossible = False
        self._learn(hypotheses)
        self.known = {x: value.value for x, value in self._symbols.items() if x.sort is INT}
        self._substitution = Substitution(arena, self._symbols)
        self._edges: dict[_Place, list[tuple[_Place, int]]] = {}
        self._excluded: list[_Difference] = []
        self._bounds: dict[_Place, dict[_Place, int]] = {}
        self._assumed = dict.fromkeys(part for h in hypotheses for part in literals(h))
        for h in self._assumed:
            for part in literals(self._simplified(h)):
                self._assume(part)
        for x, y, bound in self._excluded:
            if self._bound(x, y) == bound:  # and it is not the distance
                self._edges.setdefault(x, []).append((y, bound - 1))
                self._bounds.clear()

    def _learn(self, hypotheses: Iterable[Term]) -> None:
        """Note the equations with constants, as they are written."""
        for h in hypotheses:
            for t in literals(h):
                atom = t.args[0] if t.op is Op.NOT else t
                if t.op is Op.EQ and t.args[0].op in (Op.SYMBOL, Op.SELECT):
                    self._note(t.args[0], self._arena.integer(t.value))
                elif atom.op is Op.SYMBOL:
                    self._note(atom, self._arena.boolean(t is atom))

    def _note(self, x: Term, value: Term) -> None:
        if x.op is Op.SYMBOL:
            self._symbols.setdefault(x, value)
        elif x.args[0].op is Op.SYMBOL and x.args[1].op is Op.CONSTANT:
            self._elements.setdefault(x, value)

    def _simplified(self, t: Term) -> Term:
        """An equal term, with values in place of what has them."""
        for _ in range(_PASSES):
            before = t
            t = self._substitution(t)
            if self._elements:
                t = replace_subterms(self._arena, t, self._elements)
            if t is before:
                break
        return t

    def _assume(self, t: Term) -> None:
        if t.is_false:
            self.is_impossible = True
        for x, y, bound in _differences(t) or ():
            self._edges.setdefault(x, []).append((y, bound))
        self._excluded += _disequality(t)

    # Proofs

    def proves_one(self, choices: _Choices) -> bool:
        """Whether a conjunction among the choices follows, as it does where the case contradicts itself."""
        possible = choices.possible(self.known)
        return any(all(map(self._proves, conjunction)) for conjunction in possible) or self._contradicts_itself()

    def _contradicts_itself(self) -> bool:
        return any(self._bound(x, None) is None for x in self._edges)

    def _proves(self, t: Term) -> bool:
        if t in self._assumed:  # most of a state, which a step leaves as it is
            return True
        t = self._simplified(t)
        if t.is_true:
            return True
        return all(self._follows(part) for part in literals(t))

    def _follows(self, literal: Term) -> bool:
        wanted = _differences(literal)
        if wanted is None:
            return any(self._is_at_most(x, y, bound - 1) for x, y, bound in _disequality(literal))
        return all(self._is_at_most(x, y, bound) for x, y, bound in wanted)

    def _is_at_most(self, x: _Place, y: _Place, bound: int) -> bool:
        shortest = self._bound(x, y)
        return shortest is None or shortest <= bound

    def _bound(self, x: _Place, y: _Place) -> int | float | None:
        """The least bound of `x - y` that is a sum of hypotheses, infinite without one; None if these contradict."""
        found = self._bounds.get(x)
        if found is None:
            found = self._bounds[x] = _shortest(self._edges, x)
        return None if not found else found.get(y, float("inf"))


def _shortest(edges: Mapping[_Place, Sequence[tuple[_Place, int]]], source: _Place) -> dict[_Place, int]:
    """The lengths of shortest paths from a place; empty if there is a cycle of negative length on the way."""
    lengths: dict[_Place, int] = {source: 0}
    steps: dict[_Place, int] = {source: 0}  # edges of the path that has been found
    waiting = deque([source])
    queued = {source}
    while waiting:
        x = waiting.popleft()
        queued.discard(x)
        for y, bound in edges.get(x, ()):
            length = lengths[x] + bound
            if y not in lengths or length < lengths[y]:
                if steps[x] > len(edges) + 1 or (y is source and length < 0):
                    return {}
                lengths[y], steps[y] = length, steps[x] + 1
                if y not in queued:
                    queued.add(y)
                    waiting.append(y)
    return lengths


def _disequality(t: Term) -> Sequence[_Difference]:
    """The equation that a literal denies, as bounds that it does not meet both; nothing if it denies none."""
    denies = t.op is Op.NOT and t.args[0].op is Op.EQ
    return (_differences(t.args[0]) or ()) if denies else ()


def _differences(t: Term) -> list[_Difference] | None:
    """A literal as bounds of differences; None if it is none."""
    atom = t.args[0] if t.op is Op.NOT else t
    if atom.op not in (Op.LE, Op.EQ) or (atom.op is Op.EQ and atom is not t):
        return None
    match atom.args[0]:
        case body if body.op is not Op.LINEAR:
            x, y = body, None
        case body if body.coefficients == (1, -1):
            x, y = body.args
        case _:
            return None
    if atom.op is Op.EQ:
        return [(x, y, atom.value), (y, x, -atom.value)]
    return [(x, y, atom.value)] if atom is t else [(y, x, -atom.value - 1)]
