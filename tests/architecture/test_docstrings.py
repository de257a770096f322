"""Docstrings begin with what a thing is or does, in plain words, and name only what exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.architecture.commands import ROOT
from tests.architecture.sources import Source, sources, sources_beside

# `Whether` is right: it begins a predicate.
RIDDLES = frozenset(("What", "Where", "Who", "Whose", "Whom", "How", "When", "Which", "Why"))
BANNED = ("belongs into", "belong into", "in case that", "dear", "looks at", "look at", "looked at", "for a person")
GRAMMARS = (
    "frontend/parsing/syntax.py",
    "frontend/typed/tree.py",
    "frontend/acsl/syntax.py",
)  # a node is its production

TESTS = ("tests/unit/", "tests/gui/", "tests/golden/", "tests/seeded_bugs/")

ROOMS = "gui|interplay|frontend|core|bdd|sat|scripts"
DOTTED = re.compile(rf"(?<![\w./-])(?:{ROOMS})(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(rf"(?<![\w./-])(?:{ROOMS}|tests|benchmarks|docs)/[a-z0-9_./-]+\.(?:py|md)\b")
FILE_ENDINGS = ("c", "conf", "interplay", "ini", "json", "toml", "txt")  # of file names such as `core.json`


@cache
def docstrings() -> tuple[tuple[str, str], ...]:
    """Each docstring with its place; of a test, which states a law, only that of its file."""
    return tuple(
        (docstring.place, docstring.text)
        for source in (*sources(), *sources_beside())
        for docstring in source.docstrings
        if docstring.is_of_file or not source.path.startswith(TESTS)
    )


def undocumented(source: Source) -> Iterator[str]:
    """The module, public classes and public functions with a body of a file that have no docstring."""
    if ast.get_docstring(source.tree) is None:
        yield source.path
    for node in source.tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_") or ast.get_docstring(node):
            continue
        if isinstance(node, ast.ClassDef) and source.path not in GRAMMARS:
            yield f"{source.path}:{node.lineno} class {node.name}"
        if isinstance(node, ast.FunctionDef) and len(node.body) > 1:
            yield f"{source.path}:{node.lineno} def {node.name}"


@pytest.mark.long
def test_public_things_have_docstrings() -> None:
    assert [place for source in sources() for place in undocumented(source)] == []


@pytest.mark.long
def test_a_docstring_begins_with_what_a_thing_is_or_does() -> None:
    assert [f"{place} {text[:60]}" for place, text in docstrings() if text.split()[0].strip("`,:;") in RIDDLES] == []


@pytest.mark.parametrize("phrase", BANNED)
def test_a_docstring_avoids_private_words(phrase: str) -> None:
    pattern = re.compile(rf"\b{phrase}\b", re.IGNORECASE)
    assert [place for place, text in docstrings() if pattern.search(text)] == []


@cache
def definitions() -> dict[str, list[ast.stmt]]:
    """The statements at the top of each module of the product."""
    return {source.module: source.tree.body for source in sources()}


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or a name at the top of one, or a member of a class there."""
    modules = definitions()
    module = next((head for head in heads(name) if head in modules), None)
    if module is None:
        return False
    scope: list[ast.stmt] = modules[module]
    for part in name.removeprefix(module).split(".")[1:]:
        found = next((node for node in scope if part in defined(node)), None)
        if found is None:
            return False
        scope = found.body if isinstance(found, ast.ClassDef) else []
    return True


def heads(name: str) -> Iterator[str]:
    """`a.b.c`, `a.b`, `a`."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def defined(node: ast.stmt) -> set[str]:
    """The names that a statement at the top of a module or class binds."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.ImportFrom(names=names):
            return {alias.asname or alias.name for alias in names}
        case ast.If(body=body):
            return {name for inner in body for name in defined(inner)}
        case _:
            return set()


def test_docstrings_name_only_modules_and_definitions_that_exist() -> None:
    unknown = [
        f"{place} {name}"
        for place, text in docstrings()
        for name in DOTTED.findall(text)
        if name.rpartition(".")[2] not in FILE_ENDINGS and not exists(name)
    ]
    assert unknown == []


def test_docstrings_name_only_files_that_exist() -> None:
    unknown = [
        f"{place} {name}" for place, text in docstrings() for name in FILE.findall(text) if not (ROOT / name).exists()
    ]
    assert unknown == []
