"""Kernels of decisions with one requirement less each: whatever they require is left out in turn."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from core.decision import kernel

SOURCE = Path(kernel.__file__)


def requirements() -> list[str]:
    """Each requirement of the kernel, as text.

    A requirement is what `_require` or `_require_facts` is called with, or what a method returns whose result is the
    truth of something; of a conjunction, each part is one.
    """
    return list(dict(_requirements(ast.parse(SOURCE.read_text()))))


def weaker_kernel(requirement: str) -> ModuleType:
    """The kernel without a requirement."""
    tree = ast.parse(SOURCE.read_text())
    dict(_requirements(tree))[requirement].put(ast.Constant(value=True))
    module = ModuleType(kernel.__name__)
    exec(compile(ast.fix_missing_locations(tree), str(SOURCE), "exec"), vars(module))
    return module


class _Place:
    """Where a condition stands."""

    def __init__(self, owner: ast.AST, field: str, index: int | None = None) -> None:
        self.owner, self._field, self._index = owner, field, index

    def put(self, value: ast.expr) -> None:
        """Put another condition there."""
        if self._index is None:
            setattr(self.owner, self._field, value)
        else:
            getattr(self.owner, self._field)[self._index] = value


class _Facts(_Place):
    """The formulas that are required to be facts, of which none is left."""

    def __init__(self, call: ast.Call) -> None:
        super().__init__(call, "args")
        self._call = call

    def put(self, value: ast.expr) -> None:
        del self._call.args[1:]


def _requirements(tree: ast.Module) -> Iterator[tuple[str, _Place]]:
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        is_judgement = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_require":
                yield from _parts(function.name, node.args[0], _Place(node, "args", 0))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "_require_facts":
                    yield f"{function.name}: {ast.unparse(node)}", _Facts(node)
            elif isinstance(node, ast.Return) and is_judgement and isinstance(node.value, ast.BoolOp):
                yield from _parts(function.name, node.value, _Place(node, "value"))


def _parts(name: str, condition: ast.expr, place: _Place) -> Iterator[tuple[str, _Place]]:
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And):
        for i, part in enumerate(condition.values):
            yield f"{name}: {ast.unparse(part)}", _Place(condition, "values", i)
    elif isinstance(place.owner, ast.Call):
        yield f"{name}: {ast.unparse(condition)}", place
