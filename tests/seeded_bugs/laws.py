"""The function that keeps a law, found by the law that its docstring states, wherever it lives."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import FunctionType, ModuleType

import pytest

from core.terms.operators import FUNCTIONS

PACKAGES = (
    "core.certificate", "core.decision", "core.analysis", "core.program", "core.terms.interval", "core.terms.arrays",
    "core.terms.arena", "core.terms.traversal", "core.solver.bitwuzla_solver", "core.solver.functions",
    "core.solver.multiplexers", "core.solver.subdivision", "core.solver.wrapping",
    "frontend.interpreter", "interplay.session.readable_invariants",
)  # fmt: skip

Function = Callable[..., object]
Owner = type | ModuleType


def broken(patch: pytest.MonkeyPatch, law: str, change: Callable[[Function], Function]) -> None:
    """Put what `change` makes of it in place of the function that keeps a law, also where it was imported by name."""
    owner, name = keeper(law)
    original = getattr(owner, name)
    changed = change(original)
    patch.setattr(owner, name, changed)
    if isinstance(owner, ModuleType):
        for module in list(sys.modules.values()):
            for known, value in list(vars(module).items()):
                if value is original:
                    patch.setattr(module, known, changed)
    for op, row in FUNCTIONS.items():
        if row.interval is original:
            patch.setitem(FUNCTIONS, op, replace(row, interval=changed))  # type: ignore[arg-type]


def keeper(law: str) -> tuple[Owner, str]:
    """The module or class with the one function whose docstring states the law, and the function's name."""
    found = [(owner, name) for text, owner, name in _stated() if law in text]
    assert len(found) == 1, f"{len(found)} functions state that {law!r}"
    return found[0]


@cache
def _stated() -> tuple[tuple[str, Owner, str], ...]:
    return tuple(
        (" ".join((function.__doc__ or "").split()), owner, name)
        for package in PACKAGES
        for module in _modules(package)
        for owner in _owners(module)
        for name, function in vars(owner).items()
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
    )


def _modules(package: str) -> Iterator[ModuleType]:
    found = import_module(package)
    yield found
    for one in walk_packages(getattr(found, "__path__", ()), f"{package}."):
        yield import_module(one.name)


def _owners(module: ModuleType) -> Iterator[Owner]:
    """The module, and its classes."""
    yield module
    yield from (one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__)
