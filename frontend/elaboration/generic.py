"""Generic selections, `_Generic` (C11 6.5.1.1): the expression is chosen by the type of another one.

Types are compared without qualifiers: Unsupported where these could decide, which is between pointers.
"""

from __future__ import annotations

from frontend.elaboration.scope import ElaborationState
from frontend.parsing import syntax
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.compatible import compatible
from frontend.typed.ctype import Pointer


def selected(unit: ElaborationState, node: syntax.Generic) -> syntax.ExpressionSyntax:
    """The expression that the type of the controlling one chooses. That one is not evaluated."""
    pending = list(unit.pending)
    control = unit.value(node.control)
    type_ = control.type
    unit.pending[:] = pending
    types = [(None if one is None else unit.type_of(one), value) for one, value in node.associations]
    fitting = [value for one, value in types if one is not None and compatible(one, type_)]
    others = [value for one, value in types if one is None]
    literal = isinstance(control, tree.Decay) and isinstance(control.lvalue, tree.StringLiteral)
    if len(fitting) > 1 or (fitting and others and isinstance(type_, Pointer) and not literal):
        raise Unsupported(unit.span(node), "_Generic of a pointer, which may differ in qualifiers, is not supported")
    if not fitting and not others:
        raise unit.error(node, f"no association of _Generic has the type {type_}")
    return (fitting or others)[0]
