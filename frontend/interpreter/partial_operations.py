"""Operations of generated code that may be undefined: faults, numbers, pointers, and values that were never set.

`span` arguments index `Image.spans`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from core.program.properties import CheckKind
from core.program.span import Span
from frontend.interpreter.image import Image
from frontend.interpreter.memory import NoRecord, NoResult, Unset, unset
from frontend.interpreter.outcome import AssumptionViolated, ErrorReached, RunOutcome, UndefinedBehaviour
from frontend.properties.errors import ErrorPolicy
from frontend.source import Unsupported


class RunEnded(Exception):
    """The run is over."""

    def __init__(self, outcome: RunOutcome) -> None:
        super().__init__()
        self.outcome = outcome


class Operations:
    """The operations of generated code. Where C defines no result, the run ends if the policy asks for that kind."""

    def __init__(self, image: Image, policy: ErrorPolicy) -> None:
        self._image = image
        self._policy = policy
        self._memory = image.memory
        self._first_overflow: Span | None = None
        self._computed: dict[str, Callable[..., int]] = {}
        """The operations on floating-point numbers, by their names."""

    def _operations(self) -> dict[str, object]:
        """The part of the vocabulary of generated text that is here."""
        return {
            "fail": self._fail,
            "excluded": self._excluded,
            "compute": self._compute,
            "truncated": self._truncated,
            "float_result": self._float_result,
            "float_narrowed": self._float_narrowed,
            "unsupported": self._unsupported,
            "div": self._divide,
            "rem": self._remainder,
            "distance": self._distance,
            "shl": self._shift_left,
            "overflow": self._overflow,
            "wraps": self._wraps,
            "changed": self._changed,
            "unnamed": self._unnamed,
            "present": self._present,
            "watch": lambda: RestrictedBytes(self._undefined),
            "outside": self._outside,
            "moved": self._moved,
            "aligned": self._aligned,
            "gap": self._gap,
            "positive": self._positive,
            "used": self._used,
            "truth": self._truth,
            "missing": self._missing,
            "needed": self._needed,
            "never_returns": self._never_returns,
            "mistyped": self._mistyped,
            "exact": self._exact,
        }

    # Faults

    def _fail(self, span: int) -> NoReturn:
        raise RunEnded(ErrorReached(self._image.spans[span], self._first_overflow))

    def _excluded(self, span: int) -> NoReturn:
        raise RunEnded(AssumptionViolated(self._image.spans[span]))

    def _undefined(self, span: int, what: str, kind: CheckKind | None = None) -> RunEnded:
        return RunEnded(UndefinedBehaviour(self._image.spans[span], what, kind))

    def _faulty(self, address: int, size: int, span: int) -> RunEnded:
        fault = self._memory.fault(address, size)
        found = self._memory.around(address)
        if found is not None and found.alive and found.unset is not None:
            offset = address - found.base
            if 0 <= offset <= found.size - size and any(found.unset[offset : offset + size]):
                fault = unset(found.name)
        return self._undefined(span, str(fault), fault.kind)

    def _unsupported(self, span: int, reason: str) -> NoReturn:
        raise Unsupported(self._image.spans[span], f"not interpreted: {reason}")

    def _mistyped(self, span: int) -> NoReturn:
        raise self._undefined(span, "a function is called as of another type", CheckKind.CALL)

    def _never_returns(self, span: int) -> NoReturn:
        raise self._undefined(span, "a function returns that is declared never to", CheckKind.NORETURN)

    # Numbers

    def _compute(self, name: str, *args: int) -> int:
        """The value of an operation on floating-point numbers."""
        found = self._computed.get(name)
        if found is None:
            from frontend.interpreter.floats import operation  # what only programs with such numbers need

            found = self._computed[name] = operation(name)
        return found(*args)

    def _float_result(self, operation: str, format_: str, left: int, right: int, span: int) -> int:
        """The result of an operation that C defines, where somebody asks whether it has a finite number."""
        from core.terms.floats import FORMATS, is_zero  # what only programs with such numbers need

        f, kinds = FORMATS[format_], self._policy.kinds
        result = self._compute(f"float_{operation}__{format_}", left, right)
        divides_by_zero = operation == "divide" and is_zero(right)
        if divides_by_zero and CheckKind.FLOAT_DIVISION in kinds:
            raise self._undefined(span, "floating-point division by zero", CheckKind.FLOAT_DIVISION)
        if f.is_finite(left) and f.is_finite(right) and not divides_by_zero:
            self._check_finite(f.is_finite(result) or result == f.nan, span)
        if result == f.nan and f.nan not in (left, right) and CheckKind.NAN in kinds:
            raise self._undefined(span, "a result is no number", CheckKind.NAN)
        return result

    def _float_narrowed(self, source: str, target: str, number: int, span: int) -> int:
        from core.terms.floats import FORMATS  # what only programs with such numbers need

        result = self._compute(f"float_convert__{target}__{source}", number)
        self._check_finite(FORMATS[target].is_finite(result) or not FORMATS[source].is_finite(number), span)
        return result

    def _check_finite(self, is_finite: bool, span: int) -> None:
        if not is_finite and CheckKind.FLOAT_OVERFLOW in self._policy.kinds:
            raise self._undefined(span, "floating-point overflow", CheckKind.FLOAT_OVERFLOW)

    def _truncated(self, format_: str, number: int, low: int, high: int, span: int) -> int:
        """The integer that a floating-point number becomes."""
        within = self._compute(f"float_to_int__{format_}__m{1 - low}__{high + 1}", number)
        if not low <= within <= high:
            what = "a floating-point number does not fit an integer type"
            raise self._undefined(span, what, CheckKind.FLOAT_CONVERSION)
        return within

    def _divide(self, left: int, right: int, maximum: int, span: int) -> int:
        if right == 0:
            raise self._undefined(span, "division by zero", CheckKind.DIVISION)
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        if quotient > maximum:
            raise self._undefined(span, "overflow in a division", CheckKind.QUOTIENT)
        return quotient

    def _remainder(self, left: int, right: int, maximum: int, span: int) -> int:
        return left - right * self._divide(left, right, maximum, span)

    def _distance(self, distance: int, bits: int, span: int) -> int:
        if not 0 <= distance < bits:
            raise self._undefined(span, f"a shift by {distance} of a value of {bits} bits", CheckKind.SHIFT)
        return distance

    def _shift_left(self, left: int, distance: int, bits: int, span: int) -> int:
        """Of a signed value: not defined for a negative one and where the product leaves the type, but wraps."""
        value, half = left << self._distance(distance, bits, span), 1 << (bits - 1)
        if not 0 <= value < half:
            self._check_overflow(f"{left} << {distance}", bits, span)
        return (value + half & (1 << bits) - 1) - half

    def _check_overflow(self, value: object, bits: int, span: int) -> None:
        if CheckKind.OVERFLOW in self._policy.kinds:
            raise self._undefined(span, f"{value} in {bits} bits", CheckKind.OVERFLOW)

    def _overflow(self, value: int, bits: int, span: int) -> int:
        self._check_overflow(value, bits, span)
        if self._first_overflow is None:
            self._first_overflow = self._image.spans[span]
        half = 1 << (bits - 1)
        return (value + half & (1 << bits) - 1) - half

    def _wraps(self, value: int, bits: int, span: int) -> NoReturn:
        raise self._undefined(span, f"{value} in {bits} bits without sign", CheckKind.UNSIGNED)

    def _changed(self, value: int, span: int) -> NoReturn:
        raise self._undefined(span, f"a conversion of {value} to a type that does not hold it", CheckKind.CONVERSION)

    def _unnamed(self, value: int, span: int) -> NoReturn:
        raise self._undefined(span, f"the value {value}, which is none of the enumerators", CheckKind.ENUM)

    def _present(self, address: object, span: int) -> object:
        if address == 0:
            raise self._undefined(span, "a null pointer that must not be null", CheckKind.NONNULL)
        return address

    # Pointers and lengths

    def _outside(self, index: int, length: int, span: int) -> NoReturn:
        raise self._undefined(span, f"index {index} of an array of {length} elements", CheckKind.BOUNDS)

    def _moved(self, address: int, distance: int, span: int) -> int:
        """A pointer that is moved within its object; of one that is gone, nothing but the place is left."""
        moved = address + distance
        found = self._memory.around(address)
        size = 0 if found is None or not found.alive else found.size
        if not (moved == address if found is None else 0 <= moved - found.base <= size):
            where = "no object" if found is None else found.name
            raise self._undefined(span, f"a pointer into {where} is moved out of it", CheckKind.POINTER)
        return moved

    def _exact(self, target: int, source: int, size: int, span: int) -> None:
        if 0 < abs(target - source) < size:
            raise self._undefined(span, "an object is assigned to one that it overlaps in part", CheckKind.OVERLAP)

    def _aligned(self, address: int, alignment: int, span: int) -> int:
        found = self._memory.around(address)
        if found is not None and found.misaligned(address, alignment):
            what = f"a pointer into {found.name} is not aligned to {alignment} bytes"
            raise self._undefined(span, what, CheckKind.ALIGNMENT)
        return address

    def _gap(self, left: int, right: int, span: int) -> int:
        if self._memory.around(left) is not self._memory.around(right):
            raise self._undefined(span, "pointers into two objects are put in order", CheckKind.POINTER)
        return left - right

    def _positive(self, length: int, span: int) -> int:
        if length <= 0:
            raise self._undefined(span, f"the length of an array is {length}", CheckKind.LENGTH)
        return length

    def _truth(self, value: object, span: int) -> object:
        """The contents of a `_Bool`: 0 or 1."""
        if value not in (0, 1):
            raise self._undefined(span, f"a _Bool holds {value}", CheckKind.BOOLEAN)
        return value

    # Values that were never set

    def _used(self, value: object, span: int) -> object:
        """The contents of a variable: a value."""
        if isinstance(value, Unset):
            what = "a read of a variable to which nothing was written"
            raise self._undefined(span, what, CheckKind.UNINITIALIZED)
        return value

    def _missing(self, value: object) -> object:
        """The result of a function that ends without one."""
        if isinstance(value, bytes):
            return NoRecord(value)
        return NoResult(value) if isinstance(value, int) else value

    def _needed(self, value: object, span: int) -> object:
        """The result of a call, which is used."""
        if isinstance(value, NoResult | NoRecord):
            raise self._undefined(span, "the use of a result that was not returned", CheckKind.RETURN)
        return value


class RestrictedBytes:
    """The bytes that an activation of a function has accessed, through each of its `restrict` parameters or none."""

    def __init__(self, undefined: Callable[[int, str, CheckKind], RunEnded]) -> None:
        self._undefined = undefined
        self._through: dict[int, set[str]] = {}
        self._modified: set[int] = set()

    def at(self, address: int, size: int, is_write: bool, own: str, span: int) -> int:
        """Note an access through the parameter `own`; empty where it is through none."""
        for byte in range(address, address + size):
            through = self._through.setdefault(byte, set())
            through.add(own)
            if is_write:
                self._modified.add(byte)
            if len(through) > 1 and byte in self._modified:
                what = "an access of an object beside a pointer that is restrict, and the object is modified"
                raise self._undefined(span, what, CheckKind.RESTRICT)
        return address
