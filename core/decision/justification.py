"""Justifications: why no state satisfies some formulas, as data that `kernel` replays without search.

A justification is a tree. It closes a set of facts, at first the hypotheses and the negation of the goal, and where it
ends, they contradict each other. Whoever finds one is free in how.
"""

from __future__ import annotations

from core.dataclass import dataclass
from core.decision.ring import Polynomial
from core.terms import Term

Multiple = tuple[Polynomial, int]  # a cofactor, and the number of a polynomial


@dataclass(frozen=True, eq=False)
class Contradiction:
    """The facts have `formula` (its conjuncts, or one of its disjuncts) and its negation; or it is false."""

    formula: Term


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of the fact `formula`, in the order of `kernel.cases_of`, are closed one by one."""

    formula: Term
    closed: tuple[Justification, ...]


@dataclass(frozen=True, eq=False)
class Cut:
    """Each of the formulas follows from the facts, as its negation is closed; then they are facts, too."""

    shown: tuple[tuple[Term, Justification], ...]
    then: Justification


@dataclass(frozen=True, eq=False)
class Deduced:
    """The rules give further facts."""

    rules: tuple[Deduction, ...]
    then: Justification


@dataclass(frozen=True, eq=False)
class Abstracted:
    """Of the facts, `formulas` alone are left, in which fresh symbols stand for subterms."""

    formulas: tuple[Term, ...]
    symbols: tuple[tuple[Term, Term], ...]  # subterm, symbol
    then: Justification


@dataclass(frozen=True, eq=False)
class Answered:
    """A solver has refuted the facts `formulas`: over integers, or bit-vectors of `width` bits."""

    formulas: tuple[Term, ...]
    width: int | None = None


@dataclass(frozen=True, eq=False)
class Axiom:
    """A clause that always holds, the one with `index` among those that define `atom`; of a lemma, itself, None."""

    atom: Term
    index: int | None = None


@dataclass(frozen=True, eq=False)
class Lifted:
    """A clause: where `conditions` hold, an atom implies what it is with these put in, or the other way round."""

    atom: Term
    is_implied: bool
    conditions: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Ordered:
    """The clause that `low` implies `high`: two bounds of one sum."""

    low: Term
    high: Term


@dataclass(frozen=True, eq=False)
class Derived:
    """A clause, of literals as the kernel numbers them, that follows from others by unit propagation in their order."""

    literals: tuple[int, ...]
    antecedents: tuple[ValidClause, ...]


ValidClause = Axiom | Lifted | Ordered | Derived


@dataclass(frozen=True, eq=False)
class Propagated:
    """The facts `formulas` deny all literals of a clause that the kernel has accepted."""

    formulas: tuple[Term, ...]
    clause: ValidClause


Justification = Contradiction | Cases | Cut | Deduced | Abstracted | Answered | Propagated


@dataclass(frozen=True, eq=False)
class SumOfBounds:
    """The sum of facts that are bounds, each times a factor: positive, of an equation any."""

    parts: tuple[tuple[int, Term], ...]


@dataclass(frozen=True, eq=False)
class Rewritten:
    """The facts `formulas`, with values for what facts, the `equations`, give one."""

    formulas: tuple[Term, ...]
    equations: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class InInterval:
    """`formula`, which holds by the intervals that the facts `given` leave to its terms."""

    formula: Term
    given: tuple[Term, ...] = ()


@dataclass(frozen=True, eq=False)
class Instantiated:
    """The body of the fact `formula`, which is quantified, for these values."""

    formula: Term
    values: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Witnessed:
    """The denial of the body of a quantified formula, which the fact `formula` denies, for fresh symbols."""

    formula: Term
    constants: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Branched:
    """The facts `formulas`, with the conditions in them that are `holding`, or whose negations are, put in.

    What is holding are facts, or follows by the intervals that the facts `given` leave.
    """

    formulas: tuple[Term, ...]
    holding: tuple[Term, ...]
    given: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Congruent:
    """`formula`, an equation that holds modulo 2^`bits`, and whose sides differ by less. Or false, if 0 were congruent
    to another constant.

    Its sides differ, modulo 2^`bits`, by the last of some polynomials, which all are congruent to 0: the differences of
    the sides of `equations`, which are facts, and sums of multiples of those before them, the `lines`. Terms are read
    in the ring by the intervals that the facts `given` leave.
    """

    formula: Term
    equations: tuple[Term, ...]
    given: tuple[Term, ...]
    bits: int
    lines: tuple[tuple[Multiple, ...], ...]


Deduction = Branched | Congruent | SumOfBounds | Rewritten | InInterval | Instantiated | Witnessed
