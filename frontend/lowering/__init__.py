"""Lowering: the typed tree of a translation unit to a program over terms."""

from frontend.lowering.unit import lower
from frontend.properties.errors import UnreachCall

__all__ = ["UnreachCall", "lower"]
