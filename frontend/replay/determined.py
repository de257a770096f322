"""Results that C determines and nothing here computes: a violation must not rest on values made up for them.

An undefined function may return anything, but not one of the C library: that `strtol("12", 0, 10)` is not 12 is no
violation. Where the program passes the result over, it does not matter. So with the pointers that `argv` leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.program import InputKind
from core.program.span import Span
from core.terms import ArrayValue
from core.verdict import InputValue
from frontend.elaboration.constants import fold
from frontend.interpreter import ELSEWHERE, ELSEWHERE_AT
from frontend.lowering.memory.casts import is_null
from frontend.typed import tree
from frontend.typed.traversal import unit_nodes

# C11 clause 7 and POSIX, without what depends on the outside (files, time, environment) and what is modelled.
DETERMINED = frozenset(
    (
        *("strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax", "atoll", "a64l", "l64a"),
        *("sprintf", "snprintf", "vsprintf", "vsnprintf", "asprintf", "vasprintf", "sscanf", "vsscanf"),
        *("strtok", "strtok_r", "strsep", "strcoll", "strxfrm", "strverscmp", "strchrnul", "strcasestr", "strlcpy"),
        *("strlcat", "stpncpy", "mempcpy", "memccpy", "memrchr", "memmem", "rawmemchr", "basename", "index", "rindex"),
        *("bcmp", "bsearch", "lfind", "lsearch", "tfind", "tsearch", "div", "ldiv", "lldiv", "imaxdiv", "imaxabs"),
        *("ffs", "ffsl", "ffsll", "toascii", "isascii", "wcslen", "wcscmp", "wcsncmp", "wcscpy", "wcsncpy", "wcscat"),
        *("wcschr", "wcsrchr", "wcsstr", "wcstol", "wcstoul", "wmemcmp", "wmemcpy", "wmemset", "towlower", "towupper"),
        *("htons", "htonl", "ntohs", "ntohl", "inet_addr", "inet_aton"),
        # That output succeeds does not depend on the outside for what a program may expect of it.
        *("printf", "fprintf", "dprintf", "vprintf", "vfprintf", "putchar", "putc", "fputc", "puts", "fputs"),
        *("fflush", "ungetc", "sleep"),
    )
)
_OWN_ARGUMENT = frozenset(("fgets", "gets", "fgets_unlocked", "getcwd"))
"""They return null or their first argument."""
_COUNTED = frozenset(("read", "write", "fread", "fwrite"))
"""They return no more than their third argument, which the lowering knows where it is constant."""


def made_up(unit: tree.TranslationUnit, inputs: Iterable[InputValue]) -> str | None:
    """The function of the C library that returns a made-up value that the program may use; None if none does."""
    suspects = [one for one in inputs if one.kind is InputKind.EXTERN and _function(one) in _SUSPECTS]
    if not suspects:
        return None
    ignored = set(_ignored(unit))
    calls = {node.span: node for node in unit_nodes(unit) if isinstance(node, tree.Call)}
    used = (one for one in suspects if one.span not in ignored)
    return next((one.name for one in used if _is_made_up(one, calls.get(one.span))), None)


_SUSPECTS = DETERMINED | _OWN_ARGUMENT | _COUNTED | {"time"}


def _is_made_up(one: InputValue, call: tree.Call | None) -> bool:
    """Whether the function cannot return just any value, for all that is known of its arguments."""
    name, arguments = _function(one), call.arguments if call is not None else ()
    if name in _OWN_ARGUMENT:
        return one.value != 0
    if name in _COUNTED:
        is_known = len(arguments) > 2 and fold(arguments[2]) is not None
        return not is_known and isinstance(one.value, int) and one.value > 0
    if name == "time":
        return not arguments or not is_null(arguments[0])
    return True


def _function(one: InputValue) -> str:
    """The function that returns the value, or the struct of which it is a part."""
    return one.name.partition(".")[0].removeprefix("__builtin_")


def _ignored(unit: tree.TranslationUnit) -> Iterator[Span]:
    """The places of the calls that are statements by themselves."""
    for node in unit_nodes(unit):
        if isinstance(node, tree.ExpressionStatement):
            expression = node.expression
            while isinstance(expression, tree.Convert):
                expression = expression.operand
            if isinstance(expression, tree.Call):
                yield expression.span


def wrong_argument(unit: tree.TranslationUnit, inputs: Iterable[InputValue]) -> str | None:
    """The element of `argv` that is null, or is not, against C11 5.1.2.2.1; None if there is none."""
    scalars = {(one.kind, one.name, one.span): one.value for one in inputs}
    parameters = unit.functions["main"].parameters[:2]
    argc, argv = ([scalars.get((InputKind.INDETERMINATE, one.name, one.span)) for one in parameters] + [None] * 2)[:2]
    memory = next((one.value for one in inputs if one.name == ELSEWHERE), None)
    if not isinstance(argc, int) or not isinstance(argv, int) or not isinstance(memory, ArrayValue):
        return None
    size = unit.data_model.pointer_size
    for at in sorted(memory.entries):
        index, rest = divmod(at + ELSEWHERE_AT - argv, size)
        if rest == 0 and 0 <= index <= argc:
            is_null = not any(memory[at + k] for k in range(size))
            if is_null != (index == argc):
                return f"argv[{index}]"
    return None
