"""The scalar parts of an object, named as the lowering names what it records for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.terms import ArrayValue, Value
from frontend.ctype import Array, CType, DataModel, Integer, Pointer, Record


@dataclass(frozen=True, slots=True)
class Part:
    """Scalars of `size` bytes: one at `offset`, or `length` of them every `stride` bytes."""

    name: str
    offset: int
    size: int
    stride: int
    length: int | None

    def fill(self, data: bytearray, value: Value | None) -> None:
        """Write the recorded value; what lies beyond the object is dropped."""
        if isinstance(value, ArrayValue):
            count = self.length or 0
            if value.default:
                for index in range(count):
                    self._put(data, index, value[index])
            else:
                for index, element in value.entries.items():
                    if 0 <= index < count:
                        self._put(data, index, element)
        elif value is not None:
            self._put(data, 0, int(value))

    def _put(self, data: bytearray, index: int, value: int) -> None:
        start = self.offset + index * self.stride
        if start + self.size <= len(data):
            data[start : start + self.size] = (value & (1 << 8 * self.size) - 1).to_bytes(self.size, "little")


def scalar_parts(name: str, type_: CType, size: int, model: DataModel) -> Iterator[Part]:
    """The parts of an object of `size` bytes: fields are `object.field`, and arrays one part of many elements."""
    stack: list[tuple[str, CType, int, int | None, int]] = [(name, type_, 0, None, 0)]
    while stack:
        part, inner, offset, count, stride = stack.pop()
        match inner:
            case Array(element, length):
                extent = length if isinstance(length, int) else size // max(1, _size(element, model))
                step = _size(element, model)
                stack.append((part, element, offset, extent if count is None else count * extent, step))
            case Record():
                for field in reversed(inner.layout.fields):
                    if field.width is None:
                        stack.append((f"{part}.{field.name}", field.type, offset + field.offset, count, stride))
            case Integer() | Pointer():
                width = model.size_of(inner)
                yield Part(part, offset, width, stride or width, count)
            case _:
                continue


def _size(type_: CType, model: DataModel) -> int:
    try:
        return model.size_of(type_)
    except ValueError:
        return 1
