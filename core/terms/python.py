"""Python expressions of operations that Python has, for compilers of terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.terms.operators import FUNCTIONS, Treatment, function_of, integer_function
from core.terms.term import Op, Term, subterms

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
            function = function_of(t)
            if function is None or not function.is_total:
                return None
            name = function.name if op in (Op.LOOKUP, Op.FLOAT) else op.name
            return f"{name}({', '.join(args)})" if function.infix is None else f" {function.infix} ".join(args)


def called_functions(terms: Iterable[Term] = ()) -> dict[str, object]:
    """The functions that expressions of `to_python` call, by their names; of payloads, those of `terms`."""
    named = (integer_function(t) for t in subterms(*terms) if t.op in (Op.LOOKUP, Op.FLOAT))
    payloads: dict[str, object] = {function.name: function.value for function in named}
    return payloads | {op.name: row.value for op, row in FUNCTIONS.items() if row.is_total and row.infix is None}
