"""Terms as Python expressions over total values: integers, truth values, and `ConcreteArray` for arrays.

Operations are total: a division by zero, or a shift by no distance, is 0 here. Programs do not use such values, and
what an execution says is replayed. Quantified formulas have no expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from core.parameters import parameter
from core.terms import Op, Term, Treatment, subterms, to_python

OTHER_OPERATORS = Treatment.EXACT

WIDEST_SHIFT = 1 << 12


class NoExpression(Exception):
    """Raised for a term that cannot be computed."""


class ConcreteArray(dict[int, int]):
    """An array of an execution: its entries, and `default` everywhere else. Changed in place by its owner."""

    __slots__ = ("default",)

    def __init__(self, default: int = 0, entries: Mapping[int, int] | None = None) -> None:
        super().__init__(entries or {})
        self.default = default

    def __missing__(self, index: int) -> int:
        return self.default


def copied(array: ConcreteArray) -> ConcreteArray:
    return ConcreteArray(array.default, array)


def stored(array: ConcreteArray, index: int, value: int) -> ConcreteArray:
    """A copy of `array` after a write."""
    new = copied(array)
    new[index] = value
    return new


def divide(a: int, b: int) -> int:
    """The quotient of SMT-LIB `div`."""
    return (a - a % abs(b)) // b if b else 0


def modulo(a: int, b: int) -> int:
    """The remainder of SMT-LIB `mod`."""
    return a % abs(b) if b else 0


def shift_left(a: int, distance: int) -> int:
    return a << distance if 0 <= distance <= WIDEST_SHIFT else 0


def shift_right(a: int, distance: int) -> int:
    return a >> distance if distance >= 0 else 0


HELPERS: Mapping[str, object] = {
    one.__name__: one for one in (ConcreteArray, copied, stored, divide, modulo, shift_left, shift_right)
}
"""The functions that expressions call."""

_CALLED = {
    Op.DIVIDE: "divide",
    Op.MODULO: "modulo",
    Op.SHIFT_LEFT: "shift_left",
    Op.SHIFT_RIGHT: "shift_right",
    Op.STORE: "stored",
    Op.CONST_ARRAY: "ConcreteArray",
}
_LEAVES = (Op.CONSTANT, Op.SYMBOL)
_DEEPEST = parameter("concrete.expressions.deepest")


def expression(root: Term, symbol: Callable[[Term], str], name: Callable[[str], str]) -> str:
    """The Python expression for `root`.

    `symbol` gives the text of a symbol, `name` a name to a text: shared subterms get one, and those that are deep.

    Raises `NoExpression`.
    """
    if root.op in _LEAVES:
        return _node(root, [], symbol)
    every = list(subterms(root))
    uses = Counter(a for t in every for a in t.args)
    texts: dict[Term, str] = {}
    depths: dict[Term, int] = {}
    for t in every:
        text = _node(t, [texts[a] for a in t.args], symbol)
        depth = max((depths[a] + 1 for a in t.args), default=0)
        is_named = depth > 0 and (uses[t] > 1 or depth > _DEEPEST)
        texts[t], depths[t] = (name(text), 0) if is_named else (text, depth)
    return texts[root]


def _node(t: Term, args: Sequence[str], symbol: Callable[[Term], str]) -> str:
    python = to_python(t, args)
    if python is not None:
        return f"({python})"
    match t.op:
        case Op.CONSTANT:
            return repr(t.payload) if not isinstance(t.payload, int) or t.payload >= 0 else f"({t.payload})"
        case Op.SYMBOL:
            return symbol(t)
        case Op.AND | Op.OR:
            return f"({(' and ' if t.is_conjunction else ' or ').join(args)})"
        case Op.ITE:
            return f"({args[1]} if {args[0]} else {args[2]})"
        case Op.SELECT:
            return f"{args[0]}[{args[1]}]"
        case op if op in _CALLED:
            return f"{_CALLED[op]}({', '.join(args)})"
        case _:
            raise NoExpression
