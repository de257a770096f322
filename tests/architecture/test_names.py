"""One name for one thing: no two public classes of the product share a name."""

import ast
from collections import defaultdict

from tests.architecture.sources import Source, sources

# Grammars that mirror each other: a node for the same construct has the same name in each.
GRAMMARS = {
    "frontend/parsing/syntax.py",
    "frontend/acsl/syntax.py",
    "frontend/typed/tree.py",
    "core/program/automaton.py",
}


def public_types(source: Source) -> list[str]:
    """The classes and the aliases of types that a file defines for others."""
    names = []
    for node in source.tree.body:
        match node:
            case ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() | ast.Subscript()):
                names.append(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                names.append(name)
            case _:
                continue
    return [name for name in names if not name.startswith("_") and not name.isupper()]


def test_no_two_public_classes_share_a_name() -> None:
    files = defaultdict(set)
    for source in sources():
        for name in public_types(source):
            files[name].add(source.path)
    shared = {name: sorted(paths) for name, paths in files.items() if len(paths) > 1 and not paths <= GRAMMARS}
    assert shared == {}
