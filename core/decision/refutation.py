"""Refutation of formulas by equations modulo powers of two, in the cases of their choices.

A tableau (R. Smullyan, "First-Order Logic", 1968): formulas are taken apart into literals, disjunctions and choices are
split into cases, and each case is closed by its literals, by the intervals that they give, or by its equations: a case
is impossible if it denies `t = k` where `t - k` is congruent to 0 modulo 2^w by the equations of the case
(`core.decision.polynomials`), and lies strictly between -2^w and 2^w. So what machine arithmetic computes modulo 2^w
is proved there, whatever wraps around.

*Required*. The formulas of a case hold wherever those hold that it came from, or in another case of the same split:

* a formula is replaced by its parts; one that is not taken apart is left out, which forgets something;
* a choice by a condition that the literals decide becomes its branch;
* `t ≠ k` where `t ≥ k` becomes `t > k`, and likewise for `≤`;
* a split has all cases: of a disjunction one for each part, of an equivalence or a choice one for each truth value.

Equations are taken from literals `t = k`, and from literals `t ≤ k` whose body has one possible value.

Heuristic: the order of splits, and how many cases there may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.analysis.bounds import Intervals
from core.dataclass import dataclass
from core.decision.polynomials import Ideal, Polynomial, Ring, TooComplex
from core.terms import INT, Arena, Op, Term, Treatment, rebuild, subterms

OTHER_OPERATORS = Treatment.OPAQUE

MOST_CASES = 100
MOST_BITS = 256
_PASSES = 8  # of simplification by what literals decide

_Case = tuple[Term, ...]
_Equation = tuple[Term, int]  # a term and the number that it is equal to


def has_products(formulas: Iterable[Term]) -> bool:
    """Whether formulas multiply unknowns: others are better decided by solvers."""
    return any(t.op is Op.MULTIPLY for t in subterms(*formulas))


@dataclass
class Refuter:
    """Refutes formulas over the symbols whose ranges `intervals` know. `tick` is called now and then."""

    arena: Arena
    intervals: Intervals
    tick: Callable[[], None]

    def refutes(self, formulas: Sequence[Term], most_cases: int = MOST_CASES) -> bool:
        """Whether no assignment within range satisfies all `formulas`; False also where that is not found."""
        cases: list[_Case] = [tuple(formulas)]
        split = 0
        while cases:
            self.tick()
            leaf = _Leaf(self.arena, self.intervals, cases.pop())
            if leaf.is_closed():
                continue
            more = leaf.split()
            if more is None or split + len(more) > most_cases:
                return False
            split += len(more)
            cases += more
        return True


class _Leaf:
    """One case: its literals, and what is to be split."""

    def __init__(self, arena: Arena, intervals: Intervals, formulas: Sequence[Term]) -> None:
        self._arena = arena
        self._ranges = intervals
        self._literals: dict[Term, None] = {}
        self._splits: dict[Term, list[_Case]] = {}
        self._rest: Iterable[Term] = ()  # atoms in the polynomials of equations that do not follow
        self._intervals = intervals
        self._is_impossible = not self._saturate(formulas)

    # Literals

    def _saturate(self, formulas: Sequence[Term]) -> bool:
        """Take formulas apart, and simplify them by what the literals decide; False if they contradict each other."""
        for _ in range(_PASSES):
            if not self._take_apart(formulas):
                return False
            self._intervals = self._ranges.assuming(self._literals)
            before = [*self._literals, *self._splits]
            formulas = [*map(self._simplified, before), *self._sharpened()]
            if any(formula.is_false or self._truth(formula) is False for formula in formulas):
                return False
            if formulas == before:
                return True
        return True

    def _take_apart(self, formulas: Sequence[Term]) -> bool:
        """The literals of formulas, and what is to be split; False if a literal denies another one."""
        self._literals, self._splits = {}, {}
        stack = list(reversed(formulas))
        while stack:
            formula = stack.pop()
            positive = formula.op is not Op.NOT
            match formula.args[0].op if not positive else formula.op:
                case Op.AND if positive:
                    stack.extend(reversed(formula.args))
                case Op.OR if not positive:
                    stack.extend(self._arena.not_(part) for part in reversed(formula.args[0].args))
                case Op.AND | Op.OR | Op.IFF | Op.ITE:
                    self._splits[formula] = []
                case Op.LE | Op.EQ | Op.SYMBOL | Op.SELECT:
                    self._literals[formula] = None
                case Op.CONSTANT if not formula.is_true:
                    return False
        for formula in self._splits:
            self._splits[formula] = list(self._cases(formula))
        return not any(self._arena.not_(literal) in self._literals for literal in self._literals)

    def _cases(self, formula: Term) -> Iterator[_Case]:
        """The cases of a disjunction, an equivalence or a choice, or of the negation of one."""
        negate = self._arena.not_
        positive = formula.op is not Op.NOT
        body = formula if positive else formula.args[0]
        match body.op:
            case Op.OR:
                yield from ((part,) for part in body.args)
            case Op.AND:
                yield from ((negate(part),) for part in body.args)
            case Op.IFF:
                a, b = body.args if positive else (body.args[0], negate(body.args[1]))
                yield from ((a, b), (negate(a), negate(b)))
            case _:
                condition, *branches = body.args
                a, b = branches if positive else map(negate, branches)
                yield from ((condition, a), (negate(condition), b))

    def _sharpened(self) -> Iterator[Term]:
        """Strict bounds, of what is denied to be at an end of its interval."""
        arena = self._arena
        for literal in self._literals:
            if literal.op is Op.NOT and literal.args[0].op is Op.EQ:
                body, value = literal.args[0].args[0], literal.args[0].value
                interval = self._intervals(body)
                if interval.low == value:
                    yield arena.not_(arena.le(body, arena.integer(value)))
                if interval.high == value:
                    yield arena.le(body, arena.integer(value - 1))

    def _truth(self, formula: Term) -> bool | None:
        """The truth of a literal, as far as the literals of the case decide it."""
        if formula in self._literals:
            return True
        atom, positive = (formula.args[0], False) if formula.op is Op.NOT else (formula, True)
        if self._arena.not_(formula) in self._literals:
            return False
        if atom.op not in (Op.LE, Op.EQ):
            return None
        interval = self._intervals(atom.args[0])
        low, high, value = interval.low, interval.high, atom.value
        if high is not None and (high <= value if atom.op is Op.LE else high < value):
            return (atom.op is Op.LE) is positive
        if low is not None and low > value:
            return not positive
        return positive if atom.op is Op.EQ and low == high == value else None

    def _simplified(self, formula: Term) -> Term:
        """An equal formula, with the branches of choices whose conditions are decided."""
        memo: dict[Term, Term] = {}
        for t in subterms(formula):
            args = tuple(memo[a] for a in t.args)
            holds = self._truth(args[0]) if t.op is Op.ITE else None
            if holds is not None:
                memo[t] = args[1] if holds else args[2]
            else:
                memo[t] = t if args == t.args else rebuild(self._arena, t, args)
        return memo[formula]

    # Contradictions

    def is_closed(self) -> bool:
        """Whether nothing satisfies the formulas, as far as is found without a split."""
        if self._is_impossible:
            return True
        denied: dict[int, list[_Equation]] = {}
        for literal in self._literals:
            if literal.op is Op.NOT and literal.args[0].op is Op.EQ:
                equation = literal.args[0].args[0], literal.args[0].value
                bits = self._bits(equation)
                if bits is not None:
                    denied.setdefault(bits, []).append(equation)
        return any(self._follows(bits, equations) for bits, equations in denied.items())

    def _bits(self, equation: _Equation) -> int | None:
        """The least w such that both sides of an equation differ by less than 2^w; None where no small one does."""
        body, value = equation
        largest = self._intervals(body).scaled(1, -value).magnitude
        return largest.bit_length() if largest and largest.bit_length() <= MOST_BITS else None

    def _follows(self, bits: int, denied: Sequence[_Equation]) -> bool:
        """Whether one of the equations that are denied follows modulo 2^bits, or the other ones have no solution."""
        ring = Ring(self._arena, bits, self._intervals)
        try:
            ideal = Ideal(ring, [_difference(ring, equation) for equation in self._equations()])
            left = [ideal.normal(_difference(ring, equation)) for equation in denied]
        except TooComplex:
            return False
        self._rest = dict.fromkeys((*self._rest, *(x for p in left for monomial in p for x in monomial)))
        return ideal.is_contradictory or not all(left)

    def _equations(self) -> Iterator[_Equation]:
        """The equations that hold in this case."""
        for literal in self._literals:
            atom = literal.args[0] if literal.op is Op.NOT else literal
            if literal.op is Op.EQ:
                yield literal.args[0], literal.value
            elif atom.op is Op.LE:
                interval = self._intervals(atom.args[0])
                if interval.low is not None and interval.low == interval.high:
                    yield atom.args[0], interval.low

    # Splits

    def split(self) -> list[_Case] | None:
        """The cases of one split that may help, each with all formulas; None where there is none."""
        everything = (*self._literals, *self._splits)
        best: tuple[Term | None, list[_Case]] | None = None
        for formula, cases in self._splits.items():
            if any(all(map(self._truth, case)) for case in cases):
                continue
            possible = [case for case in cases if not any(self._truth(part) is False for part in case)]
            if best is None or len(possible) < len(best[1]):
                best = formula, possible
        condition = self._open_condition()
        if condition is not None and (best is None or len(best[1]) > 1):
            best = None, [(condition,), (self._arena.not_(condition),)]
        if best is None:
            return None
        rest = tuple(formula for formula in everything if formula is not best[0])
        return [(*case, *rest) for case in best[1]]

    def _open_condition(self) -> Term | None:
        """The condition of a choice on which it depends whether an equation follows."""
        for t in subterms(*self._rest):
            if t.op is Op.ITE and t.sort is INT:
                return t.args[0]
        return None


def _difference(ring: Ring, equation: _Equation) -> Polynomial:
    """The two sides of an equation, subtracted."""
    body, value = equation
    return ring.sum([(1, ring.of(body)), (-value, {(): 1})])
