"""Values that nothing determines. Arithmetic on one gives it again; what would depend on it raises `Dependent`.

An execution in which every input is such a value, and that goes on without `Dependent`, is the same for all inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from core.dataclass import dataclass


class Dependent(Exception):
    """Raised where what a program does depends on a value that nothing determines; the message names the value."""


@dataclass(frozen=True, slots=True, eq=False)
class Indeterminate:
    """The value of `name`. It cannot be compared, tested, used as an index, or made a number."""

    name: str


_ARITHMETIC = ("add", "sub", "mul", "and", "or", "xor", "lshift", "rshift", "floordiv", "mod")
_UNARY = ("neg", "invert", "pos")
_DECIDING = ("eq", "ne", "lt", "le", "gt", "ge", "bool", "hash", "index", "int", "getitem", "iter", "len")


def _same(value: Indeterminate, *_: object) -> Indeterminate:
    return value


def _refused(value: Indeterminate, *_: object) -> NoReturn:
    raise Dependent(value.name)


def _define(names: tuple[str, ...], method: Callable[..., object]) -> None:
    for name in names:
        setattr(Indeterminate, f"__{name}__", method)


_define(tuple(f"{side}{name}" for name in _ARITHMETIC for side in ("", "r")) + _UNARY, _same)
_define(_DECIDING, _refused)
