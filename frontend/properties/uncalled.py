"""Functions that no execution enters, by the form of the program, and their claims, which are no checks of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.program.span import Span
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.typed import tree
from frontend.typed.traversal import callee, nodes

_CLAIMS = (Effect.ASSERT, Effect.VERIFIER_ASSERT, Effect.ASSERT_FAIL)


def unexamined(
    unit: tree.TranslationUnit, policy: ErrorPolicy, entered: Collection[str]
) -> Iterator[tuple[str, tree.FunctionDeclaration]]:
    """The functions with a body that are not `entered`, with their names in the source; not those that are errors."""
    for name, function in unit.functions.items():
        if function.body is not None and name not in entered and not policy.is_error(name) and "!" not in name:
            yield name.partition("#")[0], function


def uncalled(unit: tree.TranslationUnit, policy: ErrorPolicy, entered: Collection[str]) -> Iterator[tuple[Span, str]]:
    """The first claim of each function that is not `entered`, with the name of the function in the source."""
    for name, function in unexamined(unit, policy, entered):
        assert function.body is not None
        claims = [node.span for node in nodes(function.body) if _is_claim(node, policy)]
        if claims:
            yield min(claims), name


def _is_claim(node: tree.Node, policy: ErrorPolicy) -> bool:
    if isinstance(node, tree.Claim):
        return node.kind is tree.ClaimKind.CHECKED
    name = callee(node) if isinstance(node, tree.Call) else None
    return name is not None and (policy.is_error(name) or policy.effect_of(name) in _CLAIMS)
