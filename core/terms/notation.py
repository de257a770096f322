"""Notations of formulas: operators, names of symbols, and how tightly operators bind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Protocol

from core.dataclass import dataclass
from core.pattern import pattern
from core.terms.arena import PROOF_SIGN
from core.terms.term import Term, subterms
from core.terms.wraparound import BoundsOf, IntegerCast, LinearLiteral, Sum

Pieces = tuple["str | Term | Sum", ...]
"""An expression in pieces: text, what is followed by members or indices, and indices."""


_NUMBERED = pattern(r"![0-9]+$")


def stem(name: str) -> str:
    """The name that a symbol of a proof, as what a quantifier binds, was made with."""
    return _NUMBERED.sub("", name).removeprefix(PROOF_SIGN)


@dataclass(frozen=True, slots=True)
class Access:
    """An element of an array as the source writes it. `part` is what the names know of it; `*p` is a prefix."""

    pieces: Pieces
    part: object = None
    is_prefix: bool = False


class SymbolNames(Protocol):
    """The names of symbols in a formula."""

    def symbol(self, symbol: Term) -> str:
        """The text of a symbol; others have other texts."""
        ...

    def is_free(self, name: str) -> bool:
        """Whether a quantifier can bind a variable of this name: it means nothing else."""
        ...

    def element(self, select: Term) -> Access | None:
        """The expression for an element of an array; None where it is the array with an index."""
        ...

    def value(self, of: Term, value: int) -> str | None:
        """A name for a value that is compared with a term."""
        ...

    def float_type(self, of: Term) -> str | None:
        """The floating type of C of a symbol or an element; None for another type."""
        ...


class LastParts:
    """SymbolNames without their functions: `x` for `f::x`. Two variables may have one name."""

    def symbol(self, symbol: Term) -> str:
        return symbol.name.rpartition("::")[2]

    def is_free(self, name: str) -> bool:
        return True

    def element(self, select: Term) -> Access | None:
        return None

    def value(self, of: Term, value: int) -> str | None:
        return None

    def float_type(self, of: Term) -> str | None:
        return None


class FullNames(LastParts):
    """The names that terms have."""

    def symbol(self, symbol: Term) -> str:
        return symbol.name


class WithBound:
    """Names with others for the variables that the quantifiers of a formula bind: each another one than all else."""

    def __init__(self, names: SymbolNames, root: Term) -> None:
        self._names, self._bound = names, dict[Term, str]()
        bound = [one for t in subterms(root) if t.is_quantified for one in t.bound]
        taken = {names.symbol(one) for one in root.symbols()} if bound else set()
        for one in dict.fromkeys(bound):
            self._bound[one] = next(
                name for name in _numbered(stem(one.name)) if name not in taken and names.is_free(name)
            )
            taken.add(self._bound[one])

    def symbol(self, symbol: Term) -> str:
        return self._bound.get(symbol) or self._names.symbol(symbol)

    def is_free(self, name: str) -> bool:
        return self._names.is_free(name)

    def element(self, select: Term) -> Access | None:
        return self._names.element(select)

    def value(self, of: Term, value: int) -> str | None:
        return self._names.value(of, value)

    def float_type(self, of: Term) -> str | None:
        return self._names.float_type(of)


def _numbered(name: str) -> Iterator[str]:
    """A name, and the same with numbers from 2 on."""
    plain = name if name.isidentifier() else "k"
    yield plain
    yield from (f"{plain}{number}" for number in count(2))


@dataclass(frozen=True, slots=True)
class Notation:
    """The operators of one infix notation.

    `rounds_down` says whether division rounds a term down, as terms do; where it rounds towards zero, more is written.
    With `bounds` it is for display: numbers near powers of two are written with these, wrap-around as a conversion.
    `has_floats`: the formula speaks of floating-point numbers.
    """

    not_: str
    and_: str
    or_: str
    iff: str
    le: str
    lt: str
    ge: str
    gt: str
    eq: str
    ne: str
    times: str
    names: SymbolNames
    rounds_down: Callable[[Term], bool]
    bounds: BoundsOf | None = None
    is_math: bool = False
    has_floats: bool = False


MATH = Notation(
    "¬", " ∧ ", " ∨ ", " ⇔ ", " ≤ ", " < ", " ≥ ", " > ", " = ", " ≠ ", "·", FullNames(), lambda _: True, is_math=True
)
C = Notation(
    "!",
    " && ",
    " || ",
    " == ",
    " <= ",
    " < ",
    " >= ",
    " > ",
    " == ",
    " != ",
    "*",
    LastParts(),
    lambda _: False,
)

# Binding strengths: an argument in a context that binds more tightly gets parentheses.
ITE, OR, AND, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(8)


TermOrder = Callable[[Sequence[Term]], Sequence[Term]]
"""The ordering of the parts of a conjunction or disjunction; terms themselves are in the order of their creation."""

InfixText = tuple[str, int]  # with the strength of its binding
InfixTexts = Callable[
    [Term | IntegerCast, int], str
]  # of a part, in a context that binds as tightly as the number says


class WrittenPart(Protocol):
    """A part of a conjunction or disjunction that is neither a term nor a comparison of integers."""

    def text(self, arg: InfixTexts, and_: str, /) -> InfixText: ...


FormulaPart = Term | LinearLiteral | WrittenPart
