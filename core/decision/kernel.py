"""The kernel of decisions: replays justifications. What it accepts holds; whoever found it need not be right.

Facts are closed if no state satisfies all of them whose values lie in the ranges that `range_of` gives. Each kind of
justification closes facts, each rule gives facts that follow, by a law of one sentence in `justification`, and nothing
is searched for. Believed are the terms with their normal forms, the intervals of `core.analysis.bounds`, the widths of
`widening`, and solvers for the questions that they have refuted (`solver_record`). A symbol that a quantifier binds
occurs nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.analysis.bounds import Intervals
from core.decision.justification import (
    Abstracted,
    Answered,
    Axiom,
    Branched,
    Cases,
    Congruent,
    Contradiction,
    Cut,
    Deduced,
    Deduction,
    Derived,
    InInterval,
    Instantiated,
    Justification,
    Lifted,
    Ordered,
    Propagated,
    Rewritten,
    SumOfBounds,
    ValidClause,
    Witnessed,
)
from core.decision.ring import Ring, TooComplex
from core.decision.solver_record import SolverRecord
from core.decision.widening import width
from core.program import Range
from core.terms import (
    BOOL,
    Arena,
    Op,
    Substitution,
    Term,
    Treatment,
    branched,
    replace_subterms,
    subterms,
)

OTHER_OPERATORS = Treatment.OPAQUE

_PASSES = 3  # of rewriting: the index of an element may itself be an element

_Facts = frozenset[Term]
_Open = tuple[_Facts, Sequence[Term], Justification]  # facts, further ones, and what is to close them


class Wrong(Exception):
    """Raised where a justification is none."""


def _require(condition: bool) -> None:
    if not condition:
        raise Wrong


class Kernel:
    """Accepts justifications, and keeps the lemmas that were justified: these are facts everywhere."""

    def __init__(self, arena: Arena, range_of: Callable[[Term], Range | None], record: SolverRecord) -> None:
        self._arena = arena
        self.range_of = range_of
        self._record = record
        self._lemmas: set[Term] = set()
        self._accepted: dict[Justification, _Facts] = {}  # with what each closes, and more facts all the more
        self.atoms: list[Term] = []  # of clauses, by their numbers from 1 up
        self._numbers: dict[Term, int] = {}
        self._definitions: dict[Term, tuple[tuple[int, ...], ...]] = {}
        self._clauses: dict[ValidClause, frozenset[int]] = {}  # those that hold wherever values lie in their ranges
        self._assumed: tuple[tuple[Term, ...], Intervals] = (), Intervals(range_of)
        self.intervals = self._assumed[1]
        """The intervals of terms without any facts."""

    def check(self, justification: Justification, hypotheses: Iterable[Term], goal: Term) -> bool:
        """Whether `justification` shows that `goal` holds wherever all `hypotheses` do."""
        closed = frozenset((*hypotheses, self._arena.not_(goal)))
        waiting: list[_Open] = [(frozenset(), tuple(closed), justification)]
        try:
            while waiting:
                before, more, by = waiting.pop()
                facts = before.union(more, *(f.args for f in more if f.is_conjunction))
                if self._arena.false not in facts and not self._was_accepted(facts, by):
                    waiting += self._left(facts, by)
        except Wrong:
            return False
        self._accepted[justification] = closed
        return True

    def _was_accepted(self, facts: _Facts, by: Justification) -> bool:
        return by in self._accepted and facts.issuperset(self._accepted[by])

    def learn(self, justification: Justification, lemma: Term) -> bool:
        """Keep a lemma if `justification` shows that it always holds; returns whether it does."""
        if self.check(justification, (), lemma):
            self._lemmas.add(lemma)
        return lemma in self._lemmas

    def lies_within(self, value: Term, bounds: Range, hypotheses: Sequence[Term]) -> bool:
        """Whether intervals show that `value` (every element, of an array) lies in `bounds` under the hypotheses."""
        return self.intervals(value).within(bounds) or self.intervals.assuming(hypotheses)(value).within(bounds)

    # Closing facts

    def _left(self, facts: _Facts, by: Justification) -> Sequence[_Open]:
        """The parts of a justification that are left, with their facts: if they close these, it closes its own."""
        match by:
            case Contradiction(formula):
                _require(self._holds(facts, formula) and self._holds(facts, self._arena.not_(formula)))
            case Cases(formula, closed):
                cases = cases_of(self._arena, formula)
                _require(self._is_fact(facts, formula) and len(cases) == len(closed))
                return [(facts, case, one) for case, one in zip(cases, closed, strict=True)]
            case Cut(shown, then):
                denied: list[_Open] = [(facts, (self._arena.not_(formula),), one) for formula, one in shown]
                return [*denied, (facts, tuple(formula for formula, _ in shown), then)]
            case Deduced(rules, then):
                return [(facts, tuple(f for rule in rules for f in self._given_by(facts, rule)), then)]
            case Abstracted(formulas, symbols, then):
                return [(frozenset(), self._abstracted(facts, formulas, dict(symbols)), then)]
            case Answered(formulas, bits):
                self._require_facts(facts, *formulas)
                _require(self._record.has_refuted(formulas, bits) and (bits is None or self._fits(formulas, bits)))
            case Propagated(formulas, clause):
                self._require_facts(facts, *formulas)
                _require(clause in self._clauses)
                _require(self._clauses[clause] <= {-self.literal(f) for f in formulas})
        return ()

    def _is_fact(self, facts: _Facts, formula: Term) -> bool:
        """Whether a formula is a fact, a lemma, or holds wherever values lie in their ranges."""
        return formula in facts or formula in self._lemmas or truth(self.intervals, formula) is True

    def _require_facts(self, facts: _Facts, *formulas: Term) -> None:
        _require(all(self._is_fact(facts, f) for f in formulas))

    def _holds(self, facts: _Facts, formula: Term) -> bool:
        """Whether a formula is a fact, or facts are all its conjuncts, or one of its disjuncts."""
        if formula.op is Op.OR and not facts.isdisjoint(formula.args):
            return True
        return self._is_fact(facts, formula) or (formula.op is Op.AND and facts.issuperset(formula.args))

    def _fits(self, formulas: Sequence[Term], bits: int) -> bool:
        """Whether nothing overflows in bit-vectors of this width."""
        known = (self.intervals, self.intervals.assuming(formulas))
        return any(needed is not None and needed <= bits for needed in (width(formulas, one) for one in known))

    def _abstracted(self, facts: _Facts, formulas: Sequence[Term], symbols: dict[Term, Term]) -> list[Term]:
        """The formulas with symbols in place of terms: where they have a model, the symbols take the terms' values."""
        self._require_facts(facts, *formulas)
        _require(all(t.op is not Op.FORALL for t in subterms(*formulas)))
        _require(all(t.sort == s.sort for t, s in symbols.items()))
        self._require_fresh(list(symbols.values()), formulas)
        return [replace_subterms(self._arena, f, symbols) for f in formulas]

    def _require_fresh(self, symbols: Sequence[Term], formulas: Iterable[Term]) -> None:
        _require(all(s.op is Op.SYMBOL for s in symbols) and all(self.range_of(s) is None for s in symbols))
        _require(len(set(symbols)) == len(symbols) and all(f.symbols().isdisjoint(symbols) for f in formulas))

    # Rules

    def _given_by(self, facts: _Facts, rule: Deduction) -> Iterable[Term]:
        """The formulas that a rule gives."""
        match rule:
            case SumOfBounds(parts):
                self._require_facts(facts, *(f for _, f in parts))
                return (sum_of(self._arena, parts),)
            case Rewritten(formulas, equations):
                self._require_facts(facts, *formulas, *equations)
                return map(Rewriter(self._arena, equations), formulas)
            case InInterval(formula, given):
                self._require_facts(facts, *given)
                _require(truth(self._assuming(given), formula) is True)
                return (formula,)
            case Branched(formulas, holding, given):
                self._require_facts(facts, *formulas, *given)
                known = self._assuming(given)
                _require(all(self._is_fact(facts, f) or truth(known, f) is True for f in holding))
                return (branched(self._arena, f, set(holding)) for f in formulas)
            case Congruent(formula):
                self._require_facts(facts, *rule.equations, *rule.given)
                return (formula,) if self._is_congruent(rule) else ()
            case Instantiated(formula, values):
                _require(self._is_fact(facts, formula))
                return (self._of_some(formula, values),)
            case Witnessed(formula, constants):
                _require(self._is_fact(facts, formula) and formula.op is Op.NOT)
                self._require_fresh(constants, facts)
                return (self._arena.not_(self._of_some(formula.args[0], constants)),)

    def _of_some(self, formula: Term, values: Sequence[Term]) -> Term:
        """The body of a quantified formula for these values."""
        _require(formula.op is Op.FORALL and len(formula.bound) == len(values))
        _require(all(s.sort == v.sort for s, v in zip(formula.bound, values, strict=True)))
        _require(all(t.op is not Op.FORALL for t in subterms(formula.args[0])))
        return Substitution(self._arena, dict(zip(formula.bound, values, strict=True)))(formula.args[0])

    def _assuming(self, given: tuple[Term, ...]) -> Intervals:
        if self._assumed[0] != given:
            self._assumed = given, self.intervals.assuming(given)
        return self._assumed[1]

    def _is_congruent(self, rule: Congruent) -> bool:
        """Whether the last polynomial is the difference of the sides of an equation that cannot differ by 2^w."""
        _require(rule.bits > 0 and bool(rule.lines) and all(e.is_equation for e in rule.equations))
        facts = self._assuming(rule.given)
        ring = Ring(self._arena, rule.bits, facts)
        try:
            zeros = [ring.difference(e) for e in rule.equations]
            for parts in rule.lines:
                _require(all(0 <= i < len(zeros) for _, i in parts))
                zeros.append(ring.sum((1, ring.product(cofactor, zeros[i])) for cofactor, i in parts))
            if rule.formula.is_false:
                return list(zeros[-1]) == [()]
            _require(rule.formula.is_equation)
            largest = facts(rule.formula.args[0]).scaled(1, -rule.formula.value).magnitude
            return largest is not None and largest < ring.modulus and zeros[-1] == ring.difference(rule.formula)
        except TooComplex:
            return False

    # Clauses

    def literal(self, formula: Term) -> int:
        """The number that a formula has in clauses: that of the atom, or of what is negated, with a sign."""
        if formula.op is Op.NOT:
            return -self.literal(formula.args[0])
        if formula not in self._numbers:
            self.atoms.append(formula)
        return self._numbers.setdefault(formula, len(self.atoms))

    def accept(self, clause: ValidClause) -> None:
        """Keep a clause that holds wherever values lie in their ranges. Raises `Wrong` where that is not seen."""
        self._clauses[clause] = frozenset(self._literals(clause))

    def _literals(self, clause: ValidClause) -> Iterable[int]:
        match clause:
            case Axiom(atom, index):
                _require(self._is_fact(frozenset(), atom) if index is None else 0 <= index < len(self.definition(atom)))
                return (self.literal(atom),) if index is None else self.definition(atom)[index]
            case Lifted(atom, is_implied, conditions):
                n, m = self.literal(atom), self.literal(branched(self._arena, atom, conditions))
                return (*(-self.literal(c) for c in conditions), *((n, -m) if is_implied else (-n, m)))
            case Ordered(low, high):
                _require(low.op is high.op is Op.LE and low.args == high.args and low.value <= high.value)
                return -self.literal(low), self.literal(high)
            case Derived(literals, antecedents):
                _require(self._clauses.keys() >= set(antecedents))
                _require(_is_conflict(set(literals), map(self._clauses.__getitem__, antecedents)))
                return literals

    def definition(self, atom: Term) -> tuple[tuple[int, ...], ...]:
        """Clauses that hold of a formula and its parts: together they make it equivalent to what it is made of."""
        if atom not in self._definitions:
            self._definitions[atom] = tuple(self._defined(atom))
        return self._definitions[atom]

    def _defined(self, t: Term) -> Iterator[tuple[int, ...]]:
        n, args, arena = self.literal(t), [self.literal(a) for a in t.args if a.sort is BOOL], self._arena
        match t.op:
            case Op.AND | Op.OR:
                n, args = (n, args) if t.op is Op.AND else (-n, [-a for a in args])
                yield from (*((-n, a) for a in args), (n, *(-a for a in args)))
            case Op.IFF | Op.ITE if t.sort is BOOL:
                c, a, b = args if t.op is Op.ITE else (*args, -args[1])
                yield from ((-c, -a, n), (-c, a, -n), (c, -b, n), (c, b, -n), (-a, -b, n), (a, b, -n))
            case _:
                is_true = truth(self.intervals, t)
                if t.op is Op.EQ:
                    low, high = (self.literal(arena.le(t.args[0], arena.integer(t.value - k))) for k in (1, 0))
                    yield from ((-n, high), (-n, -low), (n, low, -high))
                yield from () if is_true is None else ((n if is_true else -n,),)


def _is_conflict(false: set[int], clauses: Iterable[frozenset[int]]) -> bool:
    """Whether clauses, in their order, propagate to one of which all literals are false."""
    for clause in clauses:
        open_ = clause - false
        if not open_:
            return True
        if len(open_) == 1:
            false.update(-n for n in open_)
    return False


def cases_of(arena: Arena, formula: Term) -> list[tuple[Term, ...]]:
    """The cases of a formula, each as formulas: where it holds, those of some case do. A conjunction has one case."""
    negate = arena.not_
    positive = formula.op is not Op.NOT
    body = formula if positive else formula.args[0]
    parts = body.args if positive else tuple(map(negate, body.args)) if body.op in (Op.AND, Op.OR) else ()
    match body.op:
        case Op.AND | Op.OR:
            return [parts] if (body.op is Op.AND) is positive else [(part,) for part in parts]
        case Op.IFF:
            a, b = body.args if positive else (body.args[0], negate(body.args[1]))
            return [(a, b), (negate(a), negate(b))]
        case Op.ITE:
            condition, *branches = body.args
            a, b = branches if positive else map(negate, branches)
            return [(condition, a), (negate(condition), b)]
        case Op.EQ if not positive:
            value = arena.integer(body.value)
            return [(arena.lt(body.args[0], value),), (arena.gt(body.args[0], value),)]
        case _:
            return [(formula,)]


def sum_of(arena: Arena, parts: Iterable[tuple[int, Term]]) -> Term:
    """The sum of bounds, each times a positive factor, and of equations, each times any."""
    bodies: list[tuple[int, Term]] = []
    total = 0
    for factor, formula in parts:
        atom, sign = (formula.args[0], -1) if formula.op is Op.NOT else (formula, 1)
        _require((atom.op is Op.LE and factor > 0) or formula.op is Op.EQ)
        bodies.append((sign * factor, atom.args[0]))
        total += factor * (atom.value if sign > 0 else -atom.value - 1)
    return arena.le(arena.linear(bodies), arena.integer(total))


def truth(intervals: Intervals, formula: Term) -> bool | None:
    """The truth of bounds and equations, of negations and conjunctions of them, as far as intervals decide it."""
    if formula.op is Op.CONSTANT:
        return formula.is_true
    if formula.op is Op.AND:
        return True if all(truth(intervals, part) for part in formula.args) else None
    atom, positive = (formula.args[0], False) if formula.op is Op.NOT else (formula, True)
    if atom.op not in (Op.LE, Op.EQ):
        return None
    interval = intervals(atom.args[0])
    low, high, value = interval.low, interval.high, atom.value
    if high is not None and (high <= value if atom.op is Op.LE else high < value):
        return (atom.op is Op.LE) is positive
    if low is not None and low > value:
        return not positive
    return positive if atom.op is Op.EQ and low == high == value else None


class Rewriter:
    """Makes equal terms, with constants for the symbols and elements that equations give one."""

    def __init__(self, arena: Arena, equations: Iterable[Term]) -> None:
        self._arena = arena
        self.values: dict[Term, Term] = {}  # of symbols
        self._elements: dict[Term, Term] = {}
        self.equations: list[Term] = []  # those that give a value
        for t in equations:
            atom = t.args[0] if t.op is Op.NOT else t
            x, value = (t.args[0], arena.integer(t.value)) if t.op is Op.EQ else (atom, arena.boolean(t is atom))
            is_element = x.op is Op.SELECT and x.args[0].op is Op.SYMBOL and x.args[1].op is Op.CONSTANT
            values = self.values if x.op is Op.SYMBOL else self._elements if is_element else None
            if values is not None and x not in values:
                values[x] = value
                self.equations.append(t)
        self._substitution = Substitution(arena, self.values)

    def __call__(self, t: Term) -> Term:
        """An equal term, where the equations hold."""
        for _ in range(_PASSES):
            before = t
            t = self._substitution(t)
            if self._elements:
                t = replace_subterms(self._arena, t, self._elements)
            if t is before:
                break
        return t
