"""Python functions of terms over total values, for executions and tables of states.

Nothing here is trusted. All operands are computed, also where only one is needed; where one of them has no value (a
division by zero), there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.terms import ArrayValue, Op, Term, Treatment, Value, called_functions, subterms, to_python

OTHER_OPERATORS = Treatment.EXACT

SampleRow = Mapping[Term, Value]
Evaluation = Callable[[SampleRow], "tuple[Value, ...] | None"]

_LARGEST_SHIFT = 1 << 12


def compiled(terms: Sequence[Term]) -> Evaluation:
    """The function from values of symbols to the values of `terms`; None where they have none. Raises `KeyError`."""
    names: dict[Term, str] = {}
    symbols: dict[str, Term] = {}
    lines: list[str] = []
    for t in subterms(*terms):
        names[t] = name = f"v{len(names)}"
        if t.is_symbol:
            symbols[f"K{name}"] = t
            lines.append(f"{name} = row[K{name}]")
        else:
            lines.append(f"{name} = {_expression(t, [names[a] for a in t.args])}")
    result = "".join(f"{names[t]}, " for t in terms)
    body = "".join(f"  {line}\n" for line in [*lines, f"return ({result})"])
    scope: dict[str, object] = {
        **called_functions(terms),
        **symbols,
        "divide": _divide,
        "modulo": _modulo,
        "shift": _shift,
        "ArrayValue": ArrayValue,
    }
    exec(f"def run(row):\n{body}", scope)  # written above, of nothing but numbers and own names
    run = scope["run"]
    assert callable(run)

    def total(row: SampleRow) -> tuple[Value, ...] | None:
        try:
            found: tuple[Value, ...] = run(row)
        except (ZeroDivisionError, ValueError):
            return None
        return found

    return total


def _expression(t: Term, args: list[str]) -> str:
    known = to_python(t, args)
    if known is not None:
        return known
    match t.op:
        case Op.CONSTANT:
            return repr(t.payload)
        case Op.AND:
            return " and ".join(args)
        case Op.OR:
            return " or ".join(args)
        case Op.ITE:
            return f"{args[1]} if {args[0]} else {args[2]}"
        case Op.SELECT:
            return f"{args[0]}[{args[1]}]"
        case Op.STORE:
            return f"{args[0]}.updated({args[1]}, {args[2]})"
        case Op.CONST_ARRAY:
            return f"ArrayValue({args[0]})"
        case Op.DIVIDE:
            return f"divide({args[0]}, {args[1]})"
        case Op.MODULO:
            return f"modulo({args[0]}, {args[1]})"
        case Op.SHIFT_LEFT:
            return f"shift({args[0]}, {args[1]})"
        case Op.SHIFT_RIGHT:
            return f"shift({args[0]}, -{args[1]})"
        case _:
            raise NotCompiled(t.op.name)


class NotCompiled(ValueError):
    """Raised for terms with operators that executions do not have: quantifiers."""


def _divide(a: int, b: int) -> int:
    """The quotient of SMT-LIB: the remainder is never negative."""
    return (a - a % abs(b)) // b


def _modulo(a: int, b: int) -> int:
    return a % abs(b)


def _shift(a: int, distance: int) -> int:
    if abs(distance) > _LARGEST_SHIFT:
        raise ValueError("a distance of thousands of bits")
    return a << distance if distance >= 0 else a >> -distance
