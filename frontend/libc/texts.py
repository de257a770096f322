"""The C texts in `resources/libc`, and the names by which they speak of what is not in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from core.pattern import pattern
from frontend.typed.library_table import BUILTIN, FLOAT_FORMATS, library_functions
from resources import resource_text

_WORD = pattern(r"\w+")
_TYPED_FILE = pattern(rf"(\w+?)_({'|'.join(FLOAT_FORMATS)})\.c")
_TYPED_NAME = pattern(r"_N\b")
_CONSTANTS = {
    "float": {"LARGEST": "0x1.fffffep127f", "SMALLEST": "0x1p-126f", "PRECISION": "24", "GREATEST": "127"},
    "double": {"LARGEST": "0x1.fffffffffffffp1023", "SMALLEST": "0x1p-1022", "PRECISION": "53", "GREATEST": "1023"},
    "long_double": {
        "LARGEST": "0x1.fffffffffffffffep16383L",
        "SMALLEST": "0x1p-16382L",
        "PRECISION": "64",
        "GREATEST": "16383",
    },
}
"""What texts for any type of floating-point numbers call the limits of the type."""

OBJECTS = {
    "errno": "int",
    "interplay_strtok": "char *",
    "interplay_message": "char[64]",
    "signal_handlers": "handler[65]",
}
"""The objects that texts refer to, with their types: errno, the place where strtok goes on, the result of strerror, the
handlers of signals."""

ALLOCATED = "__interplay_allocated"
"""A function that bodies call: the size, in bytes, of the object on the heap whose address it is given."""

ALIGNED = "__interplay_aligned"
"""A function that bodies call for a new object on the heap, of an alignment and a size."""

FAILS = "__interplay_fails"
"""A function that bodies call where they allocate: whether that fails."""

FAILURE = " fails"
"""How the names of the inputs end that say whether a call of the function before it fails to allocate."""

APART = "__interplay_apart"
"""A function that bodies call before they copy: that the first bytes behind two pointers do not overlap."""

READABLE = "__interplay_readable"
WRITABLE = "__interplay_writable"
"""Functions that bodies call before a function outside reads, or writes: that so many bytes are behind a pointer."""

OPERAND = ".operand "
"""How the variables are called that hold the values of operands then; what the text has there follows."""

SEQUENCED = "unsequenced effects"
"""A function that is called after two accesses without an order: whether they are to two objects, if that is known."""

ARGUMENT = "__interplay_argument"
"""A function that `va_arg` calls: whether the next variable argument is there, and of the type that is asked for."""

CONVERSION = "__interplay_conversion"
"""A function that bodies call for what only the C library knows, such as the characters of a floating-point number."""

ERRNO = "errno"
NO_MEMORY = 12
"""What functions that return null, since they cannot allocate, leave in errno: ENOMEM, as POSIX says."""
NUMBERS = {one: f"__interplay_{one.replace(' ', '_')}" for one in ("float", "double", "long double")}
"""Functions that bodies call for floating-point numbers that only the C library knows, by their types."""

FLOAT_STEP = "__interplay_float_"
"""How the names of functions begin that bodies call for what C has no operator for: a name follows as
`frontend.interpreter.floats` has it."""
ANY_NUMBER = f"{FLOAT_STEP}any__"
"""Of these, how the names of those begin that give any number between two constants."""

TRUTH = "__interplay_truth"
"""A function that bodies call for a number that is not zero, which the C library chooses."""

ANY_ERRNO = "__VERIFIER_nondet_errno"
"""A function whose result is in errno after a call of a function without a model."""

READ_NUMBERS = {one: f"__VERIFIER_nondet_number_{one.replace(' ', '_')}" for one in NUMBERS}
"""Functions that bodies call for floating-point numbers that come from outside, by their types."""

INPUTS = (
    *(f"__VERIFIER_nondet_{name}" for name in ("input", "character", "length", "element")),
    *(f"__VERIFIER_nondet_number{bits}" for bits in (8, 16, 32, 64)),
    *READ_NUMBERS.values(),
)
"""Functions that bodies call for what comes from outside: a character or none, a character, the number of them, an
element of memory, a number of so many bits, a floating-point number.
"""

FORMATS = "__interplay_formats"
"""A function that is called before a body reads a format that is not in the text of the program."""


@cache
def plain_functions() -> Mapping[str, str]:
    """The functions that have bodies of fixed type, with the files of these, in the order of the table."""
    return {one.name: one.body.file for one in library_functions() if one.body is not None and one.is_plain}


def plain_files(texts: Iterable[str]) -> Sequence[str]:
    """The files of functions of fixed type that these C texts may call, themselves or through one another."""
    functions = plain_functions()
    found: set[str] = set()
    pending = list(texts)
    while pending:
        names = {word.removeprefix(BUILTIN) for text in pending for word in _WORD.findall(text)} & functions.keys()
        new = {functions[name] for name in names} - found
        found |= new
        pending = [text_of(file) for file in new]
    return [file for file in dict.fromkeys(functions.values()) if file in found]


def text_of(file: str) -> str:
    """The text of a file of `resources/libc`; for a type of floating-point numbers that for any, with this type."""
    typed = _TYPED_FILE.fullmatch(file)
    if typed is None:
        return resource_text("libc", file)
    format_ = typed[2]
    type_ = format_.replace("_", " ")
    values = {**_CONSTANTS[format_], "number": type_, "INFINITE": f"(({type_}) 1e99999L)"}
    text = _WORD.sub(lambda word: values.get(word[0], word[0]), resource_text("libc", f"{typed[1]}_N.c"))
    return _TYPED_NAME.sub(FLOAT_FORMATS[format_][0], text).replace("__FORMAT", f"__{format_}")
