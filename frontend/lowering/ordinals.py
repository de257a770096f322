"""The types of the integers that stand for floating-point numbers: their ordinals (`core/terms/floats.py`)."""

from __future__ import annotations

from dataclasses import field

from core.dataclass import dataclass
from core.program.float_values import INFINITIES
from frontend.typed.ctype import DataModel, Float, FloatKind, Integer, IntegerKind


@dataclass(frozen=True, slots=True)
class Ordinals(Integer):
    """The ordinals of a floating type, which has so many bits in memory. They never wrap around."""

    float: FloatKind = field(default=FloatKind.DOUBLE)

    @property
    def minimum(self) -> int:
        """That of -∞."""
        return -1 - self.infinity

    @property
    def maximum(self) -> int:
        """That of NaN."""
        return self.infinity + 1

    @property
    def infinity(self) -> int:
        return INFINITIES[self.float.value]

    def __str__(self) -> str:
        return self.float.value


def ordinals(type_: Float, model: DataModel = DataModel.LP64) -> Ordinals:
    """The type of the ordinals of a floating type."""
    return Ordinals(IntegerKind.INT128, 8 * model.size_of(type_), signed=True, float=type_.kind)
