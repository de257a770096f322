"""Operations on floating-point numbers as Bitwuzla has them (IEEE 754), between ordinals that are bit-vectors.

SMT-LIB has no function from a number to its bits, so each result is a vector of its own, which a definition makes the
ordinal of the number: there is exactly one such vector. Definitions belong to a question, as they say nothing else.

Limitation: Bitwuzla has no format of 80 bits, so operations on `long double` are undecided.
"""

from __future__ import annotations

from typing import Any

from core.limits import SolverUndecided
from core.terms import Op, Term, Treatment
from core.terms.float_functions import FloatFunction, FloatOperation
from core.terms.floats import EXTENDED, FloatFormat, Rounding
from core.terms.interval import Interval

OTHER_OPERATORS = Treatment.EXACT

_MODES = {
    Rounding.EVEN: "RNE",
    Rounding.AWAY: "RNA",
    Rounding.DOWN: "RTN",
    Rounding.UP: "RTP",
    Rounding.ZERO: "RTZ",
}
_ROUNDED = {
    FloatOperation.ADD: "FP_ADD",
    FloatOperation.SUBTRACT: "FP_SUB",
    FloatOperation.MULTIPLY: "FP_MUL",
    FloatOperation.DIVIDE: "FP_DIV",
    FloatOperation.FMA: "FP_FMA",
    FloatOperation.SQRT: "FP_SQRT",
}


def width_of(t: Term) -> int:
    """The bits that vectors need for the numbers of a `FLOAT`."""
    function = t.function
    assert isinstance(function, FloatFunction)
    return max(function.format.bits, (function.source or function.format).bits)


class FloatVectors:
    """The operations over the terms of one manager. `definitions` must be asserted with what uses their results."""

    def __init__(self, bitwuzla: Any, manager: Any) -> None:
        self._kind, self._modes, self._manager = bitwuzla.Kind, bitwuzla.RoundingMode, manager
        self._numbers: dict[tuple[Any, str], Any] = {}
        self._named: dict[Term, Any] = {}
        self.definitions: dict[Term, Any] = {}

    def clear(self) -> None:
        """Release all native terms."""
        self._numbers.clear()
        self._named.clear()
        self.definitions.clear()

    def applied(self, t: Term, args: list[Any], width: int) -> Any:
        """The value of a `FLOAT` over signed vectors of `width` bits, as one. Raises `SolverUndecided`."""
        function = t.function
        assert isinstance(function, FloatFunction)
        if EXTENDED in (function.format, function.source):
            raise SolverUndecided("bitwuzla: long double")
        if width < width_of(t):
            raise SolverUndecided(f"bitwuzla: {width} bits for {function.name}")
        if function.operation is FloatOperation.TO_INT:
            return self._truncated(function, self._clamped(function.format, t.args[0], args[0], width), width)
        if t not in self._named:
            self._define(t, function.format, self._result(function, t.args, args, width), width)
        return self._extended(self._named[t], function.format, width)

    def _result(self, function: FloatFunction, terms: tuple[Term, ...], args: list[Any], width: int) -> Any:
        """The number that an operation gives."""
        operation, source = function.operation, function.source
        exponent, significand = function.format.exponent_bits, function.format.precision
        nearest = self._mode(Rounding.EVEN)
        if source is None:
            return self._indexed("FP_TO_FP_FROM_SBV", [nearest, args[0]], exponent, significand)
        given = [self._number(source, self._clamped(source, *one, width)) for one in zip(terms, args, strict=True)]
        if operation is FloatOperation.CONVERT:
            return self._indexed("FP_TO_FP_FROM_FP", [nearest, *given], exponent, significand)
        if operation is FloatOperation.ROUND:
            (mode,) = function.detail
            assert isinstance(mode, Rounding)
            return self._make("FP_RTI", self._mode(mode), *given)
        if operation is FloatOperation.REMAINDER:
            return self._make("FP_REM", *given)
        return self._make(_ROUNDED[operation], nearest, *given)

    def _truncated(self, function: FloatFunction, ordinal: Any, width: int) -> Any:
        """The integer that is left of a number, between the ends."""
        f, (low, high) = function.format, function.detail
        assert isinstance(low, int)
        assert isinstance(high, int)
        inside = function.preimage((None,), Interval(low + 1, high - 1)) if low + 1 < high else Interval(1, 0)
        assert inside is not None
        if inside.is_empty:
            raise SolverUndecided("bitwuzla: a conversion to so few integers")
        bits = max((end if end >= 0 else ~end).bit_length() for end in (low, high)) + 1
        if bits > width:
            raise SolverUndecided(f"bitwuzla: {width} bits for {function.name}")
        zero = self._mode(Rounding.ZERO)
        whole = self._indexed("FP_TO_SBV", [zero, self._number(f, ordinal)], bits)
        whole = self._manager.mk_term(self._kind.BV_SIGN_EXTEND, [whole], [width - bits])
        too_low = self._make("BV_SLT", ordinal, self._constant(inside.low or 0, width))
        too_high = self._make("BV_SGT", ordinal, self._constant(inside.high or 0, width))
        result = self._make("ITE", too_high, self._constant(high, width), whole)
        return self._make("ITE", too_low, self._constant(low, width), result)

    # Numbers and ordinals

    def _clamped(self, f: FloatFormat, t: Term, ordinal: Any, width: int) -> Any:
        """An ordinal that is one of the format, as functions take their arguments."""
        known = t.function if t.op is Op.FLOAT else None
        if isinstance(known, FloatFunction) and known.format == f and known.operation is not FloatOperation.TO_INT:
            return ordinal
        least, most = self._constant(f.minimum, width), self._constant(f.maximum, width)
        below = self._make("ITE", self._make("BV_SLT", ordinal, least), least, ordinal)
        return self._make("ITE", self._make("BV_SGT", ordinal, most), most, below)

    def _number(self, f: FloatFormat, ordinal: Any) -> Any:
        """The number of an ordinal."""
        key = ordinal, f.name
        if key not in self._numbers:
            low = self._manager.mk_term(self._kind.BV_EXTRACT, [ordinal], [f.bits - 1, 0])
            zero, ones = self._constant(0, f.bits), self._constant((1 << (f.bits - 1)) - 1, f.bits)
            pattern = self._make("ITE", self._make("BV_SLT", low, zero), self._make("BV_XOR", low, ones), low)
            self._numbers[key] = self._indexed("FP_TO_FP_FROM_BV", [pattern], f.exponent_bits, f.precision)
        return self._numbers[key]

    def _extended(self, ordinal: Any, f: FloatFormat, width: int) -> Any:
        return self._manager.mk_term(self._kind.BV_SIGN_EXTEND, [ordinal], [width - f.bits])

    def _define(self, t: Term, f: FloatFormat, number: Any, width: int) -> None:
        """Make the ordinal of a number: a vector that a definition gives its value."""
        small = self._named[t] = self._manager.mk_const(self._manager.mk_bv_sort(f.bits), f"float!{t.id}")
        ordinal = self._extended(small, f, width)
        least, most = self._constant(f.minimum, f.bits), self._constant(f.maximum, f.bits)
        within = [self._make("BV_SLE", least, small), self._make("BV_SLE", small, most)]
        same = self._make("EQUAL", self._number(f, ordinal), number)
        self.definitions[t] = self._make("AND", *within, same)

    # Native terms

    def _make(self, kind: str, *args: Any) -> Any:
        return self._manager.mk_term(getattr(self._kind, kind), list(args))

    def _indexed(self, kind: str, args: list[Any], *indices: int) -> Any:
        return self._manager.mk_term(getattr(self._kind, kind), args, list(indices))

    def _mode(self, mode: Rounding) -> Any:
        return self._manager.mk_rm_value(getattr(self._modes, _MODES[mode]))

    def _constant(self, value: int, width: int) -> Any:
        return self._manager.mk_bv_value(self._manager.mk_bv_sort(width), value % (1 << width))
