"""Immutable terms. Terms are made only by an `Arena`, which shares equal ones, so `is` decides equality.

Normal forms that the arena guarantees (and every traversal may rely on):

* an integer sum is one flat `LINEAR` term: arguments are non-linear-combination monomials in order of
  creation, the payload is `(coefficients, constant)`;
* an integer atom is `LE` or `EQ`: its one argument is a monomial or a `LINEAR` term with constant 0, whose
  leading coefficient is positive and whose coefficients have no common divisor; its payload is the right side.
  Other comparisons are negations of these, so a predicate and its negation share one atom;
* `AND` and `OR` are flat, sorted by creation, without duplicates or complementary arguments;
* `BIT_AND`, `BIT_OR` and `BIT_XOR` have two different arguments in order of creation; masks of lowest bits are `MODULO`
  terms, shifts by constants products and quotients;
* a `MODULO` by a constant `m` has a sum only with a constant from 0 to `m` - 1 and coefficients closest to 0;
* a `FLOAT` has an argument that is no constant, and no `LE` or `EQ` has one with a single such argument if the values
  that it bounds are those of an interval of this argument;
* a `SELECT` never reads from a `STORE`, an array-valued `ITE` or a `CONST_ARRAY`: it has been resolved.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import cast

from core.terms.sorts import Sort
from core.terms.tables import ConstantTable, NamedFunction


class Op(IntEnum):
    """The operators of terms. The comment gives the sorts of arguments and result, then the payload.

    Those from integers to an integer without payload have a row in `core/terms/operators.py`.
    """

    CONSTANT = 0  # Bool or Int; payload: the bool or int
    SYMBOL = 1  # any sort; payload: the name
    NOT = 2  # Bool -> Bool
    AND = 3  # Bool* -> Bool
    OR = 4  # Bool* -> Bool
    IFF = 5  # Bool Bool -> Bool
    ITE = 6  # Bool s s -> s
    LINEAR = 7  # Int* -> Int; payload: (coefficients, constant)
    LE = 8  # Int -> Bool; payload: k, meaning argument <= k
    EQ = 9  # Int -> Bool; payload: k, meaning argument = k
    MULTIPLY = 10  # Int* -> Int, non-linear product
    DIVIDE = 11  # Int Int -> Int; SMT-LIB div (the remainder is never negative)
    MODULO = 12  # Int Int -> Int; SMT-LIB mod
    SELECT = 13  # (Array i e) i -> e
    STORE = 14  # (Array i e) i e -> (Array i e)
    CONST_ARRAY = 15  # e -> (Array i e)
    FORALL = 16  # Bool -> Bool; payload: the bound symbols
    BIT_AND = 17  # Int Int -> Int, of two's complement numbers without a last bit, as are the next four
    BIT_OR = 18  # Int Int -> Int
    BIT_XOR = 19  # Int Int -> Int
    SHIFT_LEFT = 20  # Int Int -> Int; the distance (the second argument) is not negative
    SHIFT_RIGHT = 21  # Int Int -> Int; rounds down
    LOOKUP = 22  # Int -> Int; payload: the table of which it is the number at a position
    FLOAT = 23  # Int* -> Int; payload: the function of floating-point numbers, which are their ordinals

    __hash__ = int.__hash__  # that of enumerations is slow, and every term that is made asks for it


# Members of enumerations are slow to look up, and every pass asks for these.
_CONSTANT, _SYMBOL, _NOT, _AND, _OR, _ITE, _LINEAR = Op.CONSTANT, Op.SYMBOL, Op.NOT, Op.AND, Op.OR, Op.ITE, Op.LINEAR
_LE, _EQ, _SELECT, _STORE, _FORALL = Op.LE, Op.EQ, Op.SELECT, Op.STORE, Op.FORALL

Payload = bool | int | str | tuple[object, ...] | ConstantTable | NamedFunction | None


class Term:
    """One node of a term graph: operator, arguments, payload, sort; `id` counts creations in its arena."""

    __slots__ = ("_symbols", "args", "id", "op", "payload", "size", "sort")

    def __init__(self, op: Op, args: tuple[Term, ...], payload: Payload, sort: Sort, id: int) -> None:
        self.op = op
        self.args = args
        self.payload = payload
        self.sort = sort
        self.id = id
        self.size: int = 1 + sum(a.size for a in args)  # as a tree; graphs may be far smaller
        self._symbols: frozenset[Term] | None = None

    @property
    def name(self) -> str:
        """The name of a symbol."""
        assert isinstance(self.payload, str)
        return self.payload

    @property
    def value(self) -> int:
        """The value of an Int constant, or the right side of an `LE` or `EQ` atom."""
        assert isinstance(self.payload, int)
        return self.payload

    @property
    def is_true(self) -> bool:
        return self.op is Op.CONSTANT and self.payload is True

    @property
    def is_false(self) -> bool:
        return self.op is Op.CONSTANT and self.payload is False

    @property
    def is_constant(self) -> bool:
        return self.op is _CONSTANT

    @property
    def is_symbol(self) -> bool:
        return self.op is _SYMBOL

    @property
    def is_negation(self) -> bool:
        return self.op is _NOT

    @property
    def is_conjunction(self) -> bool:
        return self.op is _AND

    @property
    def is_disjunction(self) -> bool:
        return self.op is _OR

    @property
    def is_choice(self) -> bool:
        return self.op is _ITE

    @property
    def is_sum(self) -> bool:
        """Whether it is a `LINEAR` term."""
        return self.op is _LINEAR

    @property
    def is_bound(self) -> bool:
        """Whether it is an atom `argument ≤ value`."""
        return self.op is _LE

    @property
    def is_equation(self) -> bool:
        """Whether it is an atom `argument = value`."""
        return self.op is _EQ

    @property
    def is_comparison(self) -> bool:
        return self.op is _LE or self.op is _EQ

    @property
    def is_select(self) -> bool:
        return self.op is _SELECT

    @property
    def is_store(self) -> bool:
        return self.op is _STORE

    @property
    def is_access(self) -> bool:
        """Whether it is a `SELECT` or a `STORE`, whose second argument is an index."""
        return self.op is _SELECT or self.op is _STORE

    @property
    def is_quantified(self) -> bool:
        return self.op is _FORALL

    @property
    def coefficients(self) -> tuple[int, ...]:
        """The coefficients of a `LINEAR` term, parallel to its arguments."""
        assert isinstance(self.payload, tuple)
        coefficients = self.payload[0]
        assert isinstance(coefficients, tuple)
        return coefficients

    @property
    def constant(self) -> int:
        """The constant summand of a `LINEAR` term."""
        assert isinstance(self.payload, tuple)
        constant = self.payload[1]
        assert isinstance(constant, int)
        return constant

    @property
    def table(self) -> ConstantTable:
        """The table of a `LOOKUP`."""
        assert isinstance(self.payload, ConstantTable)
        return self.payload

    @property
    def function(self) -> NamedFunction:
        """The function of which a `FLOAT` is the value."""
        assert self.op is Op.FLOAT
        return cast("NamedFunction", self.payload)

    @property
    def is_commutative(self) -> bool:
        """Whether it is a `FLOAT` whose value does not depend on the order of its arguments."""
        return self.op is Op.FLOAT and self.function.is_commutative

    @property
    def bound(self) -> tuple[Term, ...]:
        """The symbols that a `FORALL` binds."""
        assert isinstance(self.payload, tuple)
        return tuple(s for s in self.payload if isinstance(s, Term))

    def symbols(self) -> frozenset[Term]:
        """The free symbols; cached in every subterm."""
        stack = [self] if self._symbols is None else []
        while stack:
            t = stack[-1]
            missing = [a for a in t.args if a._symbols is None]
            stack += missing
            if not missing:
                stack.pop()
                t._symbols = t._symbols or _symbols_of(t)
        assert self._symbols is not None
        return self._symbols

    def __repr__(self) -> str:
        """Prefix notation, for debugging; `core.terms.printing` is for display."""
        texts: dict[Term, str] = {}
        for t in subterms(self):
            head = t.op.name.lower() if t.payload is None or t.op in (Op.LOOKUP, Op.FLOAT) else str(t.payload)
            texts[t] = f"({' '.join([head, *(texts[a] for a in t.args)])})" if t.args else head
        return texts[self]


def _symbols_of(t: Term) -> frozenset[Term]:
    """Free symbols of `t`, given those of its arguments."""
    if t.op is Op.SYMBOL:
        return frozenset((t,))
    known = [a._symbols for a in t.args if a._symbols]
    if not known:
        return frozenset()
    union = known[0] if len(known) == 1 else frozenset().union(*known)
    return union.difference(t.bound) if t.op is Op.FORALL else union


def subterms(*roots: Term, without: set[Term] | None = None) -> Iterator[Term]:
    """Every distinct subterm once, arguments before the terms that use them; none of `without`, to which they go."""
    seen: set[Term] = set() if without is None else without
    stack = [(t, False) for t in reversed(roots)]
    while stack:
        t, expanded = stack.pop()
        if expanded:
            yield t
        elif t not in seen:
            seen.add(t)
            stack.append((t, True))
            stack.extend((a, False) for a in reversed(t.args) if a not in seen)
