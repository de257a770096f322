"""The error policy of a program, computed anew from its typed tree and the property."""

from __future__ import annotations

from core.program.properties import NO_KINDS, Kinds
from frontend.properties.errors import ErrorPolicy, Reach, error_functions, policy
from frontend.typed import tree
from frontend.typed.traversal import nodes


def error_policy(unit: tree.TranslationUnit, property_: Reach, kinds: Kinds = NO_KINDS) -> ErrorPolicy:
    """The policy for `unit`: labels count where no code that calls by name reach from main calls an error function."""
    opaque = error_functions(property_)
    called, pending = {"main"}, ["main"]
    while pending:
        function = unit.functions.get(pending.pop())
        if function is None or function.body is None or function.name in opaque:
            continue
        for node in nodes(function.body):
            if isinstance(node, tree.Call) and isinstance(node.function, tree.FunctionAddress):
                name = node.function.function
                if name not in called:
                    called.add(name)
                    pending.append(name)
    return policy(property_, frozenset(called), kinds)
