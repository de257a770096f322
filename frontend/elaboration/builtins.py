"""Functions that gcc knows without a declaration, with their types."""

from __future__ import annotations

from frontend.options import START_MALLOC
from frontend.typed.ctype import CType, DataModel, Float, FloatKind, IntegerKind, Pointer, Signature, Void

_SIGNATURES = {
    "abort": "v", "exit": "vi", "_exit": "vi", "malloc": "pz", "calloc": "pzz", "realloc": "ppz", "free": "vp",
    "alloca": "pz", "memcpy": "pppz", "memmove": "pppz", "memset": "ppiz", "memcmp": "ippz", "strlen": "zs",
    "strcpy": "sss", "strncpy": "sssz", "strcat": "sss", "strncat": "sssz", "strcmp": "iss", "strncmp": "issz",
    "strchr": "ssi", "strrchr": "ssi", "strstr": "sss", "strdup": "ss", "printf": "is.", "sprintf": "iss.",
    "snprintf": "iszs.", "fprintf": "ips.", "scanf": "is.", "sscanf": "iss.", "puts": "is", "putchar": "ii",
    "abs": "ii", "labs": "ll", "fabs": "dd", "sqrt": "dd", "isalpha": "ii", "isdigit": "ii", "isspace": "ii",
    "toupper": "ii", "tolower": "ii", "unreachable": "v", "trap": "v",
    "klee_make_symbolic": "vpzs", START_MALLOC: "pz",
}  # fmt: skip
_BITS = {
    **{f"{name}{suffix}": f"i{letter}" for name in ("popcount", "parity", "clz", "ctz")
       for suffix, letter in (("", "u"), ("l", "m"), ("ll", "q"))},
    "ffs": "ii", "ffsl": "il", "ffsll": "iL", "bswap16": "hh", "bswap32": "uu", "bswap64": "qq",
}  # fmt: skip
_FLOATS = {
    **dict.fromkeys(("isnan", "isinf", "isinf_sign", "isfinite", "finite", "isnormal", "signbit"), "id"),
    **dict.fromkeys(("signbitf", "isnanf", "isinff"), "if"), **dict.fromkeys(("signbitl", "isnanl", "isinfl"), "iD"),
    **dict.fromkeys((f"is{name}" for name in ("greater", "greaterequal", "less", "lessequal", "lessgreater")), "idd"),
    "isunordered": "idd", "fpclassify": "iiiiiid",
    **dict.fromkeys(("huge_val", "inf"), "d"), **dict.fromkeys(("huge_valf", "inff"), "f"),
    **dict.fromkeys(("huge_vall", "infl"), "D"),
}  # fmt: skip
"""Functions that gcc knows with `__builtin_` only: of bits, and of floating-point numbers, whose results are any."""
_PREFIXED = {**_BITS, **_FLOATS}


def builtin_type(name: str, model: DataModel) -> Signature | None:
    """The type of a function that needs no declaration, also as `__builtin_…`; None for any other name."""
    plain = name.removeprefix("__builtin_")
    signature = _SIGNATURES.get(plain) or (_PREFIXED.get(plain) if plain != name else None)
    if signature is None or (name in ("unreachable", "trap")):
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
