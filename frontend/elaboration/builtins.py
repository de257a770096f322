"""The types of functions that gcc knows without a declaration."""

from __future__ import annotations

from frontend.typed.ctype import CType, DataModel, Float, FloatKind, IntegerKind, Pointer, Signature, Void
from frontend.typed.library_table import library_function


def builtin_type(name: str, model: DataModel) -> Signature | None:
    """The type of a function that needs no declaration, also as `__builtin_…`; None for any other name."""
    signature = library_function(name).type
    if not signature:
        return None
    types: dict[str, CType] = {
        "v": Void(),
        "i": model.integer(IntegerKind.INT),
        "l": model.integer(IntegerKind.LONG),
        "L": model.integer(IntegerKind.LLONG),
        "h": model.integer(IntegerKind.USHORT),
        "u": model.integer(IntegerKind.UINT),
        "m": model.integer(IntegerKind.ULONG),
        "q": model.integer(IntegerKind.ULLONG),
        "z": model.size_type,
        "p": Pointer(Void()),
        "s": Pointer(model.integer(IntegerKind.CHAR)),
        "d": Float(FloatKind.DOUBLE),
        "f": Float(FloatKind.FLOAT),
        "D": Float(FloatKind.LONG_DOUBLE),
    }
    result, parameters = signature[0], signature[1:].rstrip(".")
    return Signature(types[result], tuple(types[letter] for letter in parameters), signature.endswith("."), True)
