"""Lowering: the typed tree of a translation unit to a program over terms."""

from frontend.lowering.errors import UnreachCall
from frontend.lowering.unit import lower

__all__ = ["UnreachCall", "lower"]
