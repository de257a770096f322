"""The source files of the product and of its tests, parsed: their modules, docstrings and definitions."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.architecture.commands import ROOT

FOLDERS = ("gui", "interplay", "frontend", "methods", "runs", "core", "bdd", "sat", "scripts")
BESIDE = ("benchmarks", "tests")

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | Definition


@dataclass(frozen=True)
class Source:
    """A Python file; `module` is its dotted name."""

    path: str
    tree: ast.Module

    @property
    def folder(self) -> str:
        return self.path.split("/")[0]

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def documented(self) -> Iterator[tuple[Documented, str, str]]:
        """Each node that has a docstring, where it stands (`path:line`), and the docstring on one line."""
        for node in ast.walk(self.tree):
            if isinstance(node, Documented) and (text := ast.get_docstring(node)) is not None:
                line = 1 if isinstance(node, ast.Module) else node.lineno
                yield node, f"{self.path}:{line}", " ".join(text.split())


@cache
def sources() -> tuple[Source, ...]:
    """Every Python file of the product, by path."""
    return parsed(FOLDERS)


@cache
def sources_beside() -> tuple[Source, ...]:
    """Every Python file that tests or measures the product, by path."""
    return parsed(BESIDE)


def parsed(folders: tuple[str, ...]) -> tuple[Source, ...]:
    """Every Python file below the folders, by path."""
    paths = sorted(path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return tuple(Source(path, ast.parse((ROOT / path).read_text(encoding="utf-8"))) for path in paths)
