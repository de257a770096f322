"""The scalar parts of an object as bytes, under the names that the lowering gives them.

A struct has one part per field, `s.f`; an array, one part of many elements, row-major over all arrays around the
scalar, so that an array of structs is one part per field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.dataclass import dataclass
from core.terms import ArrayValue, Value
from frontend.typed.ctype import Array, CType, DataModel, Float, Integer, Pointer, Record, RecordKind


@dataclass(frozen=True, slots=True)
class Part:
    """A scalar part of an object: scalars of `width` bits, the first at bit `low`.

    `arrays` are (length, bytes per element) of the arrays around it, outermost first.
    """

    name: str
    type: CType
    low: int = 0
    width: int = 0
    arrays: tuple[tuple[int, int], ...] = ()

    def fill(self, data: bytearray, value: Value | None) -> None:
        """Write the recorded value; what lies beyond the object is dropped."""
        if isinstance(value, ArrayValue):
            count = 1
            for length, _ in self.arrays:
                count *= length
            indices = range(count) if value.default else sorted(index for index in value.entries if 0 <= index < count)
            for index in indices:
                self._put(data, index, value[index])
        elif value is not None:
            self._put(data, 0, int(value))

    def _bits(self, value: int) -> int:
        """The bits of a scalar; of a floating-point number, the value is the ordinal."""
        if not isinstance(self.type, Float):
            return value
        from frontend.interpreter.floats import bits_of  # what only programs with such numbers need
        from frontend.typed.float_formats import format_of

        return bits_of(format_of(self.type), value)

    def _put(self, data: bytearray, index: int, value: int) -> None:
        start = self.low
        for length, stride in reversed(self.arrays):
            index, position = divmod(index, max(1, length))
            start += 8 * position * stride
        first, last = start // 8, (start + self.width + 7) // 8
        if last > len(data):
            return
        mask, low = (1 << self.width) - 1, start % 8
        before = int.from_bytes(data[first:last], "little")
        after = before & ~(mask << low) | (self._bits(value) & mask) << low
        data[first:last] = after.to_bytes(last - first, "little")


def scalar_parts(name: str, type_: CType, size: int, model: DataModel) -> Iterator[Part]:
    """The parts of an object of `size` bytes, which tells the length of an array that the type leaves open."""
    stack = [Part(name, type_)]
    while stack:
        part = stack.pop()
        match part.type:
            case Array(element, length):
                stride = _size(element, model, size)
                extent = length if isinstance(length, int) else size // stride
                stack.append(replace(part, type=element, arrays=(*part.arrays, (extent, stride))))
            case Record(kind=RecordKind.STRUCT, is_complete=True):
                for field in reversed(part.type.layout.fields):
                    low = part.low + 8 * field.offset + field.bit_offset
                    inner = f"{part.name}.{field.name}"
                    stack.append(replace(part, name=inner, type=field.type, low=low, width=field.width or 0))
            case Integer() | Float() | Pointer():
                yield replace(part, width=part.width or 8 * model.size_of(part.type))
            case _:
                continue


def _size(type_: CType, model: DataModel, otherwise: int) -> int:
    """The size of an element; a row of a variable-length array is taken for the whole object."""
    try:
        return max(1, model.size_of(type_))
    except ValueError:
        return max(1, otherwise)
