"""Python expressions of operations that Python has, for compilers of terms."""

from __future__ import annotations

from collections.abc import Sequence

from core.terms.operators import FUNCTIONS, Treatment
from core.terms.term import Op, Term

OTHER_OPERATORS = Treatment.EXACT


def to_python(t: Term, args: Sequence[str]) -> str | None:
    """The expression of `t` over its arguments, which stand in brackets where they need them.

    None for operations that Python lacks or that are not defined everywhere, and where a compiler decides how much is
    evaluated: connectives, choices, arrays, symbols and constants.
    """
    match t.op:
        case Op.NOT:
            return f"not {args[0]}"
        case Op.IFF:
            return f"{args[0]} == {args[1]}"
        case Op.LE:
            return f"{args[0]} <= {t.value}"
        case Op.EQ:
            return f"{args[0]} == {t.value}"
        case Op.LINEAR:
            parts = [a if c == 1 else f"{c} * {a}" for c, a in zip(t.coefficients, args, strict=True)]
            return " + ".join(parts + ([str(t.constant)] if t.constant else []))
        case Op.DIVIDE if t.args[1].is_constant and t.args[1].value > 0:
            return f"{args[0]} // {t.args[1].value}"
        case Op.MODULO if t.args[1].is_constant and t.args[1].value > 0:
            return f"{args[0]} % {t.args[1].value}"
        case op:
            function = FUNCTIONS.get(op)
            if function is None or not function.is_total:
                return None
            return f"{op.name}({', '.join(args)})" if function.infix is None else f" {function.infix} ".join(args)


def called_functions() -> dict[str, object]:
    """The functions that expressions of `to_python` call, by their names."""
    return {op.name: row.value for op, row in FUNCTIONS.items() if row.is_total and row.infix is None}
