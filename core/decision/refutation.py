"""Refutation of formulas by equations modulo powers of two, in the cases of their choices.

A tableau (R. Smullyan, "First-Order Logic", 1968): formulas are taken apart into literals, disjunctions and choices are
split into cases, and each case is closed by its literals, by the intervals that they give, or by its equations: a case
is impossible if it denies `t = k` where `t - k` is congruent to 0 modulo 2^w by the equations of the case
(`core.decision.polynomials`), and lies strictly between -2^w and 2^w. So what machine arithmetic computes modulo 2^w
is proved there, whatever wraps around.

The formulas of a case hold wherever those hold that it came from, or in another case of the same split:

* a formula is replaced by its parts; one that is not taken apart is left out, which forgets something;
* a choice by a condition that the literals decide becomes its branch;
* `t ≠ k` where `t ≥ k` becomes `t > k`, and likewise for `≤`;
* a split has all cases: of a disjunction one for each part, of an equivalence or a choice one for each truth value.

Equations are taken from literals `t = k`, and from literals `t ≤ k` whose body has one possible value.

All of that is written down as a justification, for the kernel to replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.analysis.bounds import Intervals
from core.dataclass import dataclass
from core.decision.justification import (
    Branched,
    Cases,
    Congruent,
    Contradiction,
    Cut,
    Deduced,
    Deduction,
    InInterval,
    Justification,
    Multiple,
)
from core.decision.kernel import cases_of, truth
from core.decision.polynomials import Ideal
from core.decision.ring import Ring, TooComplex
from core.parameters import parameter
from core.terms import INT, Arena, Op, Term, Treatment, branched, rebuild, subterms

OTHER_OPERATORS = Treatment.OPAQUE

MAX_CASES = parameter("decision.refutation.max-cases")
MAX_BITS = parameter("decision.refutation.max-bits")
_PASSES = parameter("decision.refutation.passes")

_Case = tuple[Term, ...]


def has_products(formulas: Iterable[Term]) -> bool:
    """Whether formulas multiply unknowns: others are better decided by solvers."""
    return any(t.op is Op.MULTIPLY for t in subterms(*formulas))


@dataclass
class Refuter:
    """Refutes formulas over the symbols whose ranges `intervals` know. `tick` is called now and then."""

    arena: Arena
    intervals: Intervals
    tick: Callable[[], None]

    def refutes(self, formulas: Sequence[Term], most_cases: int = MAX_CASES) -> bool:
        """Whether no assignment within range satisfies all `formulas`; False also where that is not found."""
        return self.closed(formulas, most_cases) is not None

    def closed(self, formulas: Sequence[Term], most_cases: int = MAX_CASES) -> Justification | None:
        """A justification that closes `formulas`; None if none is found."""
        return self._closed(formulas, [most_cases])

    def _closed(self, formulas: Sequence[Term], left: list[int]) -> Justification | None:
        """A justification that closes a case. `left` has the number of cases that there still may be."""
        self.tick()
        leaf = _Leaf(self.arena, self.intervals, formulas)
        end = leaf.contradiction()
        if end is not None:
            return leaf.justified(end)
        split = leaf.split()
        if split is None or len(split.possible) > left[0]:
            return None
        left[0] -= len(split.possible)
        closed: dict[_Case, Justification] = {}
        for case in reversed(split.possible):
            by = self._closed((*case, *split.rest), left)
            if by is None:
                return None
            closed[case] = by
        return leaf.justified(split.justified(leaf, closed))


@dataclass(frozen=True)
class _Split:
    """The cases of a formula, or the truth and the falsity of the condition of a choice; `rest` are other formulas."""

    formula: Term | None
    cases: Sequence[_Case]
    possible: Sequence[_Case]
    rest: Sequence[Term]

    def justified(self, leaf: _Leaf, closed: Mapping[_Case, Justification]) -> Justification:
        """A justification, from those of the possible cases."""
        if self.formula is not None:
            return Cases(self.formula, tuple(closed.get(case) or leaf.impossible(case) for case in self.cases))
        (condition,), (denial,) = self.cases
        return Cut(((denial, closed[condition,]),), closed[denial,])


class _Leaf:
    """One case: its literals, and what is to be split."""

    def __init__(self, arena: Arena, intervals: Intervals, formulas: Sequence[Term]) -> None:
        self._arena = arena
        self._ranges = intervals
        self._literals: dict[Term, None] = {}
        self._splits: dict[Term, list[_Case]] = {}
        self._rest: Iterable[Term] = ()  # atoms in the polynomials of equations that do not follow
        self._intervals = intervals
        self._steps: list[Callable[[Justification], Justification]] = []
        self._end: Justification | None = None
        self._saturate(formulas)

    def justified(self, end: Justification) -> Justification:
        """A justification that closes the case, of one that closes it after its formulas were simplified."""
        for step in reversed(self._steps):
            end = step(end)
        return end

    # Literals

    def _saturate(self, formulas: Sequence[Term]) -> None:
        """Take formulas apart, and simplify them by what the literals decide, until they contradict each other."""
        for _ in range(_PASSES):
            self._end = self._take_apart(formulas)
            if self._end is not None:
                return
            self._intervals = self._ranges.assuming(self._literals)
            before = [*self._literals, *self._splits]
            formulas = [*self._simplified(before), *self._sharpened()]
            wrong = next((f for f in formulas if f.is_false or self._truth(f) is False), None)
            if wrong is not None:
                self._end = self._denied(wrong)
            if wrong is not None or formulas == before:
                return

    def _take_apart(self, formulas: Sequence[Term]) -> Justification | None:
        """The literals of formulas, and what is to be split; why a literal denies another one, if one does."""
        self._literals, self._splits = {}, {}
        stack = list(reversed(formulas))
        while stack:
            formula = stack.pop()
            positive = not formula.is_negation
            match formula.args[0].op if not positive else formula.op:
                case Op.AND if positive:
                    stack.extend(reversed(formula.args))
                case Op.OR if not positive:
                    stack.extend(self._arena.not_(part) for part in reversed(formula.args[0].args))
                    self._steps.append(_unfolding(formula))
                case Op.AND | Op.OR | Op.IFF | Op.ITE:
                    self._splits[formula] = []
                case Op.LE | Op.EQ | Op.SYMBOL | Op.SELECT:
                    self._literals[formula] = None
                case Op.CONSTANT if not formula.is_true:
                    return Contradiction(formula)
        for formula in self._splits:
            self._splits[formula] = cases_of(self._arena, formula)
        denied = (literal for literal in self._literals if self._arena.not_(literal) in self._literals)
        return next(map(Contradiction, denied), None)

    def _sharpened(self) -> Iterator[Term]:
        """Strict bounds, of what is denied to be at an end of its interval."""
        for literal in self._literals:
            if literal.is_negation and literal.args[0].is_equation:
                body, value = literal.args[0].args[0], literal.args[0].value
                (below,), (above,) = cases_of(self._arena, literal)
                interval = self._intervals(body)
                if interval.low == value:
                    self._steps.append(self._excluding(literal, below, is_first=True))
                    yield above
                if interval.high == value:
                    self._steps.append(self._excluding(literal, above, is_first=False))
                    yield below

    def _excluding(self, literal: Term, case: Term, is_first: bool) -> Callable[[Justification], Justification]:
        closed = self._denied(case)
        return lambda then: Cases(literal, (closed, then) if is_first else (then, closed))

    def _denied(self, formula: Term) -> Justification:
        """Close the case in which a formula holds, which literals deny, or the intervals that they give."""
        denial = self._arena.not_(formula)
        if denial.is_true or denial in self._literals:
            return Contradiction(formula)
        return Deduced((InInterval(denial, tuple(self._literals)),), Contradiction(formula))

    def impossible(self, case: _Case) -> Justification:
        """Close a case of which a part is false."""
        return self._denied(next(part for part in case if self._truth(part) is False))

    def _truth(self, formula: Term) -> bool | None:
        """The truth of a literal, as far as the literals of the case decide it."""
        if formula in self._literals:
            return True
        return False if self._arena.not_(formula) in self._literals else truth(self._intervals, formula)

    def _simplified(self, formulas: Sequence[Term]) -> Sequence[Term]:
        """Equal formulas, with the conditions of choices put in that are decided."""
        holding: set[Term] = set()
        memo: dict[Term, Term] = {}
        for t in subterms(*formulas):
            args = tuple(memo[a] for a in t.args)
            is_true = self._truth(args[0]) if t.is_choice else None
            if is_true is not None:
                holding.add(args[0] if is_true else self._arena.not_(args[0]))
                memo[t] = args[1] if is_true else args[2]
            else:
                memo[t] = t if args == t.args else rebuild(self._arena, t, args)
        if not holding:
            return formulas
        simplified = [branched(self._arena, formula, holding) for formula in formulas]
        rule = Branched(tuple(formulas), tuple(holding), tuple(self._literals))
        self._steps.append(lambda then: Deduced((rule,), then))
        return simplified

    # Contradictions

    def contradiction(self) -> Justification | None:
        """A justification that closes the formulas, as far as one is found without a split."""
        if self._end is not None:
            return self._end
        found = self._out_of_range()
        if found is not None:
            return found
        denied: dict[int, list[Term]] = {}
        for literal in self._literals:
            if literal.is_negation and literal.args[0].is_equation:
                bits = self._bits(literal.args[0])
                if bits is not None:
                    denied.setdefault(bits, []).append(literal.args[0])
        shown = (self._follows(bits, equations) for bits, equations in denied.items())
        return next((by for by in shown if by is not None), None)

    def _out_of_range(self) -> Justification | None:
        """Close the case if a literal bounds what is computed with floating-point numbers where it has no value."""
        for literal in self._literals:
            atom = literal.args[0] if literal.is_negation else literal
            if atom.is_comparison and any(t.op is Op.FLOAT for t in (atom.args[0], *atom.args[0].args)):
                others = tuple(one for one in self._literals if one is not literal)
                if truth(self._ranges.assuming(others), literal) is False:
                    denial = self._arena.not_(literal)
                    return Deduced((InInterval(denial, others),), Contradiction(literal))
        return None

    def _bits(self, equation: Term) -> int | None:
        """The least w such that both sides of an equation differ by less than 2^w; None where no small one does."""
        largest = self._intervals(equation.args[0]).scaled(1, -equation.value).magnitude
        return largest.bit_length() if largest and largest.bit_length() <= MAX_BITS else None

    def _follows(self, bits: int, denied: Sequence[Term]) -> Justification | None:
        """Show one of the equations that are denied modulo 2^bits, or that the other ones have no solution."""
        ring = Ring(self._arena, bits, self._intervals)
        rules, equations = self._equations()
        try:
            ideal = Ideal(ring, [ring.difference(equation) for equation in equations])
            reduced = [ideal.reduced(ring.difference(equation)) for equation in denied]
        except TooComplex:
            return None
        self._rest = dict.fromkeys((*self._rest, *(x for p, _ in reduced for monomial in p for x in monomial)))
        shown = next((e for e, (left, _) in zip(denied, reduced, strict=True) if not left), self._arena.false)
        last: tuple[Multiple, ...] = next((parts for left, parts in reduced if not left), ())
        if ideal.contradiction is not None:
            shown, last = self._arena.false, (({(): 1}, ideal.contradiction),)
        elif shown.is_false:
            return None
        lines = (*ideal.lines, last)
        rule = Congruent(shown, tuple(equations), tuple(self._literals), bits, lines)
        return Deduced(tuple(rules), Deduced((rule,), Contradiction(shown)))

    def _equations(self) -> tuple[list[Deduction], list[Term]]:
        """The equations that hold in this case, and the rules that give those that are no literals."""
        rules: list[Deduction] = []
        equations: list[Term] = []
        for literal in self._literals:
            atom = literal.args[0] if literal.is_negation else literal
            if literal.is_equation:
                equations.append(literal)
            elif atom.is_bound:
                interval = self._intervals(atom.args[0])
                if interval.low is not None and interval.low == interval.high:
                    equation = self._arena.equals(atom.args[0], self._arena.integer(interval.low))
                    if equation.is_equation:
                        equations.append(equation)
                        rules.append(InInterval(equation, tuple(self._literals)))
        return rules, equations

    # Splits

    def split(self) -> _Split | None:
        """The split that may help; None where there is none."""
        best: _Split | None = None
        everything = (*self._literals, *self._splits)
        for formula, cases in self._splits.items():
            if any(all(map(self._truth, case)) for case in cases):
                continue
            possible = [case for case in cases if not any(self._truth(part) is False for part in case)]
            if best is None or len(possible) < len(best.possible):
                best = _Split(formula, cases, possible, tuple(f for f in everything if f is not formula))
        condition = self._open_condition()
        if condition is not None and (best is None or len(best.possible) > 1):
            cases = [(condition,), (self._arena.not_(condition),)]
            best = _Split(None, cases, cases, everything)
        return best

    def _open_condition(self) -> Term | None:
        """The condition of a choice on which it depends whether an equation follows."""
        for t in subterms(*self._rest):
            if t.op is Op.ITE and t.sort is INT:
                return t.args[0]
        return None


def _unfolding(formula: Term) -> Callable[[Justification], Justification]:
    return lambda then: Cases(formula, (then,))
