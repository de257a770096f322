"""Intervals of all terms of formulas, followed through these in both directions, and cut until the answer is known.

F. Benhamou, F. Goualard, L. Granvilliers, J.-F. Puget, "Revising hull and box consistency", ICLP 1999; for programs
with floating-point numbers V. D'Silva, L. Haller, D. Kroening, M. Tautschnig, "Numeric bounds analysis with
conflict-driven learning", TACAS 2012. The intervals of operations are those of their table, which know how results are
rounded. A model is one only where its values have been computed.

Heuristic: where it is cut, and which values are tried. Truth values are intervals from 0 to 1.

Limitation: nothing is known of arrays but the bounds of elements that formulas give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf, log2

from core.analysis.bounds import facts_of
from core.limits import SolverUndecided
from core.parameters import parameter
from core.solver.contract import Sat, Unsat
from core.solver.functions import ExactModel, Repaired
from core.terms import BOOL, INT, ArraySort, ArrayValue, Op, Term, Treatment, Value, subterms
from core.terms.interval import ALL, Interval
from core.terms.operators import interval_of
from core.terms.sums import normal_body

OTHER_OPERATORS = Treatment.EXACT

MAX_SYMBOLS = parameter("solver.subdivision.max-symbols")
MAX_TERMS = parameter("solver.subdivision.max-terms")
MAX_CASES = parameter("solver.subdivision.max-cases")
FIRST_PARTS = parameter("solver.subdivision.first-parts")
FEWEST_PARTS = parameter("solver.subdivision.fewest-parts")
MOST_VISITS = parameter("solver.subdivision.most-visits")
EFFORT_PER_PART = parameter("solver.subdivision.effort-per-part")
_PASSES = parameter("solver.subdivision.passes")

_End = int | float  # infinite where nothing bounds a term
_Ends = tuple[_End, _End]
_Change = tuple[int, _End, _End]  # a term, by its position, and the ends between which it lies
_ANY: _Ends = (-inf, inf)
_UNKNOWN: _Ends = (0, 1)
_LOGIC = frozenset({Op.NOT, Op.AND, Op.OR, Op.IFF, Op.ITE, Op.LE, Op.EQ, Op.LINEAR})


def decided(
    formulas: Sequence[Term], effort: int | None, tick: Callable[[], None], *, is_first: bool = False
) -> Sat | Unsat:
    """Whether `formulas` have a model, by intervals that are cut into parts, more with more effort; without any core.

    There are few parts where others are asked after that (`is_first`). `tick` is called for each part. Raises
    `SolverUndecided`.
    """
    network = _Network(formulas)
    most = MOST_VISITS // max(network.size, 1)
    parts = most if effort is None else min(effort // EFFORT_PER_PART, most)
    if network.is_large:
        parts = min(parts, 1)
    elif is_first:
        parts = min(parts, FIRST_PARTS if network.has_one_input else FEWEST_PARTS)
    if parts < 1:
        raise SolverUndecided("too large for intervals")
    waiting = network.start()
    while waiting:
        tick()
        state = waiting.pop()
        model = network.model(state)
        if model is not None:
            return Sat(model)
        parts -= 1
        if parts < len(waiting):
            raise SolverUndecided("intervals that are cut in so many parts do not decide it")
        waiting += reversed(network.halves(state))
    return Unsat(())


class _State:
    """Intervals of all terms, which are to be followed to the users of terms (`up`) or their arguments, and how many
    formulas were decided.
    """

    __slots__ = ("decided", "down", "high", "low", "up")

    def __init__(self, low: list[_End], high: list[_End]) -> None:
        self.low, self.high, self.decided = low, high, 0
        self.up, self.down = bytearray(len(low)), bytearray(len(low))

    def copy(self) -> _State:
        return _State(list(self.low), list(self.high))


class _Network:
    """The terms of formulas, each with its arguments and its users, by their positions."""

    def __init__(self, formulas: Sequence[Term]) -> None:
        self._formulas = formulas
        self._terms = list(subterms(*formulas))
        self._position = {t: i for i, t in enumerate(self._terms)}
        self._args = [tuple(self._position[a] for a in t.args) for t in self._terms]
        self._is_formula = bytes(t.sort is BOOL for t in self._terms)
        self._sides = {i: _bounded_sides(t) for i, t in enumerate(self._terms) if t.is_choice and t.sort is INT}
        self._users: list[list[int]] = [[] for _ in self._terms]
        self._joins = self._joined()
        self._inputs = self._independent()
        for i, args in enumerate(self._args):
            for a in dict.fromkeys(args):
                self._users[a].append(i)
        self._conditions = [*dict.fromkeys(self._args[i][0] for i in self._sides)]
        self._clauses = [i for i, t in enumerate(self._terms) if t.is_disjunction][::-1]  # what is asked comes last
        self._computed = [i for i, t in enumerate(self._terms) if t.op is Op.FLOAT]
        self._is_readable = not any(isinstance(t.sort, ArraySort) or t.is_quantified for t in self._terms)

    @property
    def size(self) -> int:
        return len(self._terms)

    @property
    def is_large(self) -> bool:
        return self.size * len(self._inputs) > MAX_TERMS

    @property
    def has_one_input(self) -> bool:
        return len(self._inputs) == 1

    def start(self) -> list[_State]:
        """The state that the formulas give; nothing where their intervals contradict each other."""
        ends = [_known(t) for t in self._terms]
        state = _State([low for low, _ in ends], [high for _, high in ends])
        state.up[:] = b"\x01" * len(self._terms)
        is_possible = all(self._tighten(state, self._position[f], 1, 1) for f in self._formulas)
        return [state] if is_possible and self.contracts(state) else []

    # What is known of the formulas

    def _joined(self) -> dict[int, list[tuple[int, list[tuple[int, int]]]]]:
        """The numbers that each case of a disjunction gives a value: with its condition and the equation that says so.

        A formula `condition ⇒ x = value` says it.
        """
        told: dict[Term, dict[Term, Term]] = {}
        for formula in self._formulas:
            if formula.is_disjunction and len(formula.args) == 2:
                denial, equation = sorted(formula.args, key=lambda part: part.is_equation)
                if equation.is_equation and denial.is_negation:
                    total = equation.args[0]
                    for x in total.args if total.is_sum else (total,):
                        if x.is_symbol:
                            told.setdefault(denial.args[0], {})[x] = equation
        joins: dict[int, list[tuple[int, list[tuple[int, int]]]]] = {}
        for i, t in enumerate(self._terms):
            if t.is_disjunction and all(case in told for case in t.args):
                for x in told[t.args[0]]:
                    if all(x in told[case] for case in t.args):
                        cases = [(self._position[case], self._position[told[case][x]]) for case in t.args]
                        joins.setdefault(i, []).append((self._position[x], cases))
                        for _, position in cases:
                            (body,) = self._args[position]
                            for part in dict.fromkeys((body, *self._args[body])):
                                self._users[part].append(i)
        return joins

    def _independent(self) -> list[int]:
        """The numbers with which is computed, but for those that equations define by others."""
        defined = {x for joins in self._joins.values() for x, _ in joins}
        for t in self._terms:
            if t.is_equation and t.args[0].is_sum:
                newest = max((x for x in t.args[0].args if x.is_symbol), key=lambda x: x.id, default=None)
                defined |= set() if newest is None else {self._position[newest]}
        computed = {x for t in self._terms if t.op is Op.FLOAT for x in t.symbols() if x.sort is INT}
        return sorted(self._position[x] for x in computed if self._position[x] not in defined)

    # Propagation

    def contracts(self, state: _State) -> bool:
        """Make intervals smaller, as far as terms bound each other; False where one is empty.

        The passes that only make numbers smaller are few, as there can be endless ones; formulas are decided once.
        """
        up, down = state.up, state.down
        passes = 0
        while passes < _PASSES:
            before = state.decided
            i = up.find(1)
            while i >= 0:
                up[i] = 0
                if self._args[i] and not self._tighten(state, i, *self._value(i, state)):
                    return False
                down[i] = 1
                i = up.find(1, i + 1)
            i = down.rfind(1)
            if i < 0:
                break
            while i >= 0:
                down[i] = 0
                for change in self._arguments(i, state) if self._terms[i].op in _LOGIC else ():
                    if not self._tighten(state, *change):
                        return False
                i = down.rfind(1, 0, i)
            passes += state.decided == before
        return True

    def _tighten(self, state: _State, i: int, low: _End, high: _End) -> bool:
        """Note that a term lies between two numbers; False where it cannot."""
        is_new = False
        if low > state.low[i]:
            state.low[i], is_new = low, True
        if high < state.high[i]:
            state.high[i], is_new = high, True
        if is_new:
            if state.low[i] > state.high[i]:
                return False
            state.decided += self._is_formula[i]
            state.down[i] = 1
            for user in self._users[i]:
                state.up[user] = 1
        return True

    def _value(self, i: int, state: _State) -> _Ends:
        """The ends between which the arguments put a term."""
        t, args, low, high = self._terms[i], self._args[i], state.low, state.high
        match t.op:
            case Op.LE | Op.EQ:
                return _compared(t, low[args[0]], high[args[0]])
            case Op.LINEAR:
                parts = list(_scaled(t, args, state))
                return _total(t.constant, [a for a, _ in parts]), _total(t.constant, [b for _, b in parts])
            case Op.NOT:
                return 1 - high[args[0]], 1 - low[args[0]]
            case Op.AND:
                return min(low[a] for a in args), min(high[a] for a in args)
            case Op.OR:
                return max(low[a] for a in args), max(high[a] for a in args)
            case Op.IFF:
                a, b = args
                if low[a] == high[a] and low[b] == high[b]:
                    return (low[a] == low[b],) * 2
                return _UNKNOWN
            case Op.ITE:
                return self._chosen(i, args, state)
            case _ if t.sort is not INT:
                return _UNKNOWN if t.sort is BOOL else _ANY
            case _:
                return _ends(interval_of(t, [_interval(low[a], high[a]) for a in args]))

    def _chosen(self, i: int, args: Sequence[int], state: _State) -> _Ends:
        """The hull of the sides of a choice that may be taken, each under its condition."""
        condition, *sides = args
        possible = [state.high[condition] == 1, state.low[condition] == 0]
        ends: list[_Ends] = []
        for side, is_possible, bounds in zip(sides, possible, self._sides.get(i, (None, None)), strict=True):
            if is_possible:
                low, high = state.low[side], state.high[side]
                if bounds is not None:
                    low, high = max(low, bounds[0]), min(high, bounds[1])
                if low <= high:
                    ends.append((low, high))
        return min((a for a, _ in ends), default=inf), max((b for _, b in ends), default=-inf)

    def _arguments(self, i: int, state: _State) -> Iterator[_Change]:
        """The ends between which a term puts its arguments."""
        t, args, low, high = self._terms[i], self._args[i], state.low[i], state.high[i]
        if t.op is Op.LINEAR:
            yield from _solved(t, args, state, low, high)
        elif t.op is Op.ITE:
            yield from self._of_choice(args, state, low, high)
        elif low == high:
            yield from self._of_truth(i, t, args, state, is_true=low == 1)

    def _of_choice(self, args: Sequence[int], state: _State, low: _End, high: _End) -> Iterator[_Change]:
        condition, yes, no = args
        if state.low[condition] == 1:
            yield yes, low, high
        elif state.high[condition] == 0:
            yield no, low, high
        elif state.low[yes] > high or state.high[yes] < low:
            yield condition, 0, 0
        elif state.low[no] > high or state.high[no] < low:
            yield condition, 1, 1

    def _of_truth(self, i: int, t: Term, args: Sequence[int], state: _State, *, is_true: bool) -> Iterator[_Change]:
        """The ends between which a formula puts its arguments whose truth is known."""
        value = int(is_true)
        match t.op:
            case Op.LE:
                yield (args[0], -inf, t.value) if is_true else (args[0], t.value + 1, inf)
            case Op.EQ if is_true:
                yield args[0], t.value, t.value
            case Op.EQ:
                low, high = state.low[args[0]], state.high[args[0]]
                yield args[0], low + (low == t.value), high - (high == t.value)
            case Op.NOT:
                yield args[0], 1 - value, 1 - value
            case Op.AND | Op.OR if is_true is (t.op is Op.AND):
                yield from ((a, value, value) for a in args)
            case Op.AND | Op.OR:
                open_ = [a for a in args if state.low[a] <= value <= state.high[a]]
                if len(open_) == 1:
                    yield open_[0], value, value
                yield from self._hulls(i, state)
            case Op.IFF:
                for a, b in (args, args[::-1]):
                    if state.low[a] == state.high[a]:
                        same = int((state.low[a] == 1) is is_true)
                        yield b, same, same
            case _:
                return

    def _hulls(self, i: int, state: _State) -> Iterator[_Change]:
        """The ends of what is defined in each case of a disjunction that holds."""
        for x, cases in self._joins.get(i, ()):
            ends = [self._defined(x, equation, state) for case, equation in cases if state.high[case] == 1]
            yield x, min((a for a, _ in ends), default=inf), max((b for _, b in ends), default=-inf)

    def _defined(self, x: int, equation: int, state: _State) -> _Ends:
        """The ends of a symbol, if an equation holds."""
        value, body = self._terms[equation].value, self._args[equation][0]
        if body == x:
            return value, value
        found = _solved(self._terms[body], self._args[body], state, value, value)
        return next((low, high) for one, low, high in found if one == x)

    # Cuts, and models

    def halves(self, state: _State) -> list[_State]:
        """States that have all that a contracted state has: of a formula that may be true or false, or of a number."""
        case = next((a for i in self._clauses for a in self._open_cases(i, state)), None)
        if case is not None:
            return self._cut(state, (case, 1, 1), (case, 0, 0))
        unknown = [c for c in self._conditions if state.low[c] < state.high[c]]
        open_ = [x for x in self._inputs if state.low[x] < state.high[x] and state.high[x] - state.low[x] < inf]
        if unknown and (not open_ or len(unknown) <= MAX_CASES):
            return self._cut(state, (unknown[0], 1, 1), (unknown[0], 0, 0))
        if not open_ or len(self._inputs) > MAX_SYMBOLS:
            raise SolverUndecided("intervals leave nothing to cut, or too much")
        cuts = [self._halved(state, x) for x in open_]
        return min(cuts, key=lambda parts: sum(map(self._size, parts))) if len(cuts) > 1 else cuts[0]

    def _open_cases(self, clause: int, state: _State) -> Sequence[int]:
        """The cases of a disjunction that holds, one of which must be true; none where that may be left to others."""
        args = self._args[clause]
        if state.low[clause] == 0 or any(state.low[a] == 1 for a in args):
            return ()
        open_ = [a for a in args if state.high[a] == 1]
        return () if any(self._terms[a].is_negation for a in open_) else open_

    def _halved(self, state: _State, x: int) -> list[_State]:
        low, high = int(state.low[x]), int(state.high[x])
        middle = (low + high) // 2
        return self._cut(state, (x, low, middle), (x, middle + 1, high))

    def _cut(self, state: _State, *changes: _Change) -> list[_State]:
        result = [(state.copy(), change) for change in changes]
        return [one for one, change in result if self._tighten(one, *change) and self.contracts(one)]

    def _size(self, state: _State) -> float:
        """The mean width of what is computed, of which two halves have as much in sum as the whole."""
        widths = (state.high[i] - state.low[i] + 1 for i in self._computed)
        return float(2 ** (sum(log2(w) for w in widths if w < inf) / max(len(self._computed), 1)))

    def model(self, state: _State) -> ExactModel | None:
        """A model with numbers in the middle of intervals; None where that is none."""
        if not self._is_readable:
            return None
        values = Repaired(_Middle(self._position, state))
        return ExactModel(values) if values.satisfies(self._formulas) else None


class _Middle:
    """Values of symbols in the middle of their intervals; implements `Model`."""

    def __init__(self, position: Mapping[Term, int], state: _State) -> None:
        self._position, self._state = position, state

    def value(self, term: Term) -> Value:
        i = self._position.get(term)
        if isinstance(term.sort, ArraySort):
            return ArrayValue()
        low, high = (-inf, inf) if i is None else (self._state.low[i], self._state.high[i])
        if term.sort is BOOL:
            return low == 1
        if low == -inf or high == inf:
            return int(max(low, 0) if low > -inf else min(high, 0))
        return int((low + high) // 2)


# Intervals


def _known(t: Term) -> _Ends:
    """The ends of a term of which nothing is said."""
    if t.is_true or t.is_false:
        return (1, 1) if t.is_true else (0, 0)
    if t.is_constant:
        return t.value, t.value
    return _UNKNOWN if t.sort is BOOL else _ANY


def _interval(low: _End, high: _End) -> Interval:
    return Interval(None if low == -inf else int(low), None if high == inf else int(high))


def _ends(interval: Interval) -> _Ends:
    return -inf if interval.low is None else interval.low, inf if interval.high is None else interval.high


def _compared(t: Term, low: _End, high: _End) -> _Ends:
    """The truth of an atom about what lies between two numbers."""
    if low > t.value or (t.op is Op.EQ and high < t.value):
        return 0, 0
    return (1, 1) if high <= t.value and (t.op is Op.LE or low == high) else _UNKNOWN


def _scaled(t: Term, args: Sequence[int], state: _State) -> Iterator[_Ends]:
    """The ends of the summands of a sum."""
    for factor, a in zip(t.coefficients, args, strict=True):
        low, high = (state.low[a], state.high[a]) if factor > 0 else (state.high[a], state.low[a])
        yield -inf if abs(low) == inf else factor * low, inf if abs(high) == inf else factor * high


def _total(constant: int, parts: Sequence[_End]) -> _End:
    """A sum of numbers that are infinite in one direction at most."""
    endless = next((part for part in parts if abs(part) == inf), None)
    return sum(parts, constant) if endless is None else endless


def _solved(t: Term, args: Sequence[int], state: _State, low: _End, high: _End) -> Iterator[_Change]:
    """The ends of the arguments of a sum that lies between two numbers."""
    parts = list(_scaled(t, args, state))
    for k, (factor, a) in enumerate(zip(t.coefficients, args, strict=True)):
        others = parts[:k] + parts[k + 1 :]
        least, most = _total(t.constant, [p for p, _ in others]), _total(t.constant, [q for _, q in others])
        above = None if abs(high) == inf or abs(least) == inf else (high - least) // abs(factor)
        below = None if abs(low) == inf or abs(most) == inf else -((most - low) // abs(factor))
        ends = (-inf if below is None else below), (inf if above is None else above)
        yield (a, *ends) if factor > 0 else (a, -ends[1], -ends[0])


def _bounded_sides(t: Term) -> tuple[_Ends | None, _Ends | None]:
    """The bounds that the condition of a choice gives to each side, where it says something about the same sum."""
    yes, no = t.args[1:]
    return _bounds_of(t.args[0], yes, holds=True), _bounds_of(t.args[0], no, holds=False)


def _bounds_of(condition: Term, side: Term, *, holds: bool) -> _Ends | None:
    if side.is_constant:
        return None
    body, factor, summand = normal_body(side)
    found = facts_of(condition, holds).get(body, ALL)
    return None if found == ALL else _ends(found.scaled(factor, summand))
