"""The programs of the benchmark, the truth about them, and the predicates that their comments give.

A predicate is a comparison in C syntax over variables of `main`, globals, constants, `+`, `-` and array elements.
"""

from __future__ import annotations

import ast
import csv
import re
from dataclasses import dataclass
from pathlib import Path

from core.program import Program
from core.terms import Term

FOLDER = Path(__file__).parent / "programs"

_PREDICATE = re.compile(r"^ \* predicate: (.*)$", re.M)


@dataclass(frozen=True)
class Example:
    """A program of the benchmark. `holds` is whether its assertions do."""

    name: str
    holds: bool
    folder: Path = FOLDER

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.c"


def examples() -> list[Example]:
    """All programs, in the order of the table."""
    with (FOLDER / "expected.csv").open(encoding="utf-8", newline="") as stream:
        return [Example(row["program"], row["expected"] == "true") for row in csv.DictReader(stream)]


def predicates(text: str, program: Program) -> list[Term]:
    """The predicates of the comment of a program text, as terms over the program. Raises `ValueError`."""
    return [_Reader(program, source).predicate() for source in _PREDICATE.findall(text)]


class _Reader:
    """Reads an expression. C and Python write those that occur in the same way."""

    def __init__(self, program: Program, source: str) -> None:
        self._arena = program.arena
        self._source = source
        self._variables = {variable.name: symbol for symbol, variable in program.variables.items()}

    def predicate(self) -> Term:
        match ast.parse(self._source, mode="eval").body:
            case ast.Compare(left, [operator], [right]):
                return self._comparison(operator, self._term(left), self._term(right))
            case _:
                raise ValueError(f"not a comparison: {self._source}")

    def _term(self, node: ast.expr) -> Term:
        match node:
            case ast.BinOp(left, ast.Add(), right):
                return self._arena.add(self._term(left), self._term(right))
            case ast.BinOp(left, ast.Sub(), right):
                return self._arena.subtract(self._term(left), self._term(right))
            case ast.Subscript(array, index):
                return self._arena.select(self._term(array), self._term(index))
            case ast.Constant(int(value)):
                return self._arena.integer(value)
            case ast.Name(name):
                return self._variable(name)
            case _:
                raise ValueError(f"not a predicate: {self._source}")

    def _comparison(self, operator: ast.cmpop, left: Term, right: Term) -> Term:
        match operator:
            case ast.Eq():
                return self._arena.equals(left, right)
            case ast.LtE():
                return self._arena.le(left, right)
            case ast.Lt():
                return self._arena.lt(left, right)
            case _:
                raise ValueError(f"not a comparison: {self._source}")

    def _variable(self, name: str) -> Term:
        for known in (f"main::{name}", name):
            if known in self._variables:
                return self._variables[known]
        raise ValueError(f"{self._source}: the program has no variable {name}")
