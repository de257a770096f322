"""The source files of the product and of its tests, parsed: their modules, docstrings and definitions."""

import ast
from dataclasses import dataclass
from functools import cache

from tests.architecture.commands import ROOT

FOLDERS = ("gui", "interplay", "frontend", "methods", "runs", "core", "bdd", "sat", "scripts")
BESIDE = ("benchmarks", "tests")

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Docstring:
    """A docstring on one line, and where it stands (`path:line`)."""

    place: str
    text: str
    is_of_file: bool


@dataclass(frozen=True)
class Source:
    """A Python file; `module` is its dotted name. Of the bodies of functions, `tree` has two statements at most."""

    path: str
    tree: ast.Module
    docstrings: tuple[Docstring, ...]

    @property
    def folder(self) -> str:
        return self.path.split("/")[0]

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


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
    return tuple(_parsed(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths)


def _parsed(path: str, text: str) -> Source:
    tree = ast.parse(text)
    docstrings = []
    for node in _definitions(tree):
        if (found := ast.get_docstring(node)) is not None:
            line = 1 if isinstance(node, ast.Module) else node.lineno
            docstrings.append(Docstring(f"{path}:{line}", " ".join(found.split()), isinstance(node, ast.Module)))
        if isinstance(node, FUNCTION):
            del node.body[2:]  # millions of nodes would slow down every test that comes after
    return Source(path, tree, tuple(docstrings))


def _definitions(tree: ast.Module) -> list[ast.Module | ast.ClassDef | FUNCTION]:
    """The module, and its classes and functions wherever a statement may stand; expressions are not looked into."""
    found: list[ast.Module | ast.ClassDef | FUNCTION] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | FUNCTION):
            found.append(node)
        children = ast.iter_child_nodes(node)
        waiting += (child for child in children if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case))
    return found
