"""Random expressions whose value depends on the order of evaluation, with constants that compilers fold.

Two to four calls change one variable, which the expression may also read, or change once; all operators, casts and
places with operands occur. None is undefined: nothing else touches the variable that a store outside of calls changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from frontend.typed.ctype import Integer, IntegerKind

INT = Integer(IntegerKind.INT, 32, signed=True)
UNSIGNED = Integer(IntegerKind.UINT, 32, signed=False)
LONG_LONG = Integer(IntegerKind.LLONG, 64, signed=True)
CHAR = Integer(IntegerKind.SCHAR, 8, signed=True)
BYTE = Integer(IntegerKind.UCHAR, 8, signed=False)
BOOL = Integer(IntegerKind.BOOL, 8, signed=False)
SPELLED = {INT: "int", UNSIGNED: "unsigned", LONG_LONG: "long long", CHAR: "signed char", BYTE: "unsigned char"}

DECLARED = """static int n, m;
static int f(int k) { n = n * 10 + k; return k; }
static unsigned u(int k) { n = n * 10 + k; return k; }
static long long l(int k) { n = n * 10 + k; return k; }
static unsigned char c(int k) { n = n * 10 + k; return k; }
static int get(int k) { n++; return n + 0 * k; }
static int set(int k) { m = k; n += m; return m; }
static int pure(int a, int b, int d) { return a * 100 + b * 10 + d; }
"""
CALLS = {"f": INT, "u": UNSIGNED, "l": LONG_LONG, "c": BYTE, "get": INT, "set": INT}
"""The functions that change something, with the types of their results."""


_BINARY = ("+", "-", "*", "&", "|", "^", "-", "+", "^")
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_FOLDED = (
    *(("*", -1), ("*", -3), ("*", 0), ("*", 2), ("/", -1), ("/", 1), ("/", 3), ("%", -1), ("%", 4), ("-", 0)),
    *(("+", 1), ("+", -1), ("&", 0), ("&", 2), ("|", 7), ("^", -1), ("^", 1), (">>", 1), ("<<", 2)),
)
"""Operators with constants that compilers simplify."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An operation on expressions: an operator, `call`, `constant`, `variable`, `cast`, `assign`, …

    `name` is the function, the variable or the operator of a compound assignment, `type` that of the value.
    """

    kind: str
    type: Integer
    parts: tuple[Expression, ...] = ()
    name: str = ""
    value: int = 0

    def text(self) -> str:
        parts = [one.text() for one in self.parts]
        match self.kind:
            case "constant":
                return f"{self.value}{'u' if self.type == UNSIGNED else ''}" if self.value >= 0 else f"({self.value})"
            case "variable":
                return self.name
            case "call":
                return f"{self.name}({', '.join(parts)})"
            case "cast":
                return f"({SPELLED[self.type]})({parts[0]})"
            case "conditional":
                return f"({parts[0]} ? {parts[1]} : {parts[2]})"
            case "assign":
                return f"({self.name} = {parts[0]})"
            case "update":
                return f"({self.name} += {parts[0]})"
            case "increment":
                return f"({self.name}++)"
            case "unary":
                return f"{self.name}({parts[0]})"
            case "comma":
                return f"({parts[0]}, {parts[1]})"
            case _:
                return f"({parts[0]} {self.kind} {parts[1]})"


def promoted(type_: Integer) -> Integer:
    return INT if type_.bits < INT.bits else type_


def common(left: Integer, right: Integer) -> Integer:
    """The type in which two operands are computed with."""
    found = [promoted(left), promoted(right)]
    return LONG_LONG if LONG_LONG in found else UNSIGNED if UNSIGNED in found else INT


class Generator:
    """Makes the expressions of one seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._calls = 0
        self._reads: list[str] = []

    def expression(self) -> Expression:
        """An expression with two to four calls, and a few places that read or change what these change."""
        while True:
            self._calls, self._stored = 0, self._random.random() < 0.15
            self._reads = ["n", "m"] if self._random.random() < 0.4 and not self._stored else []
            found = self._any(self._random.choice((2, 3, 3, 4)))
            if 2 <= self._calls <= 4:
                return found

    def _any(self, depth: int) -> Expression:
        random = self._random
        if depth == 0 or random.random() < 0.12:
            return self._leaf()
        kind = random.choices(
            ("binary", "comparison", "unary", "cast", "logical", "conditional", "comma", "pure", "bound", "call"),
            (40, 12, 12, 7, 6, 5, 3, 6, 8, 5),
        )[0]
        match kind:
            case "binary":
                return self._binary(
                    random.choice(_BINARY),
                    self._any(depth - 1),
                    self._any(depth - 1),
                )
            case "comparison":
                operator = random.choice(_COMPARISONS)
                return Expression(operator, INT, (self._any(depth - 1), self._any(depth - 1)))
            case "unary":
                operand, operator = self._any(depth - 1), random.choice("-~!")
                return Expression("unary", INT if operator == "!" else promoted(operand.type), (operand,), operator)
            case "cast":
                return Expression("cast", random.choice(list(SPELLED)), (self._any(depth - 1),))
            case "logical":
                return Expression(random.choice(("&&", "||")), INT, (self._any(depth - 1), self._any(depth - 1)))
            case "conditional":
                parts = tuple(self._any(depth - 1) for _ in range(3))
                return Expression("conditional", common(parts[1].type, parts[2].type), parts)
            case "comma":
                left, right = self._any(depth - 1), self._any(depth - 1)
                return Expression("comma", right.type, (left, right))
            case "pure":
                return Expression("call", INT, tuple(self._any(depth - 1) for _ in range(3)), "pure")
            case "call" if self._calls < 4:
                self._calls += 1
                name = random.choice(list(CALLS))
                return Expression("call", CALLS[name], (self._any(depth - 1),), name)
            case _:
                return self._folded(depth - 1)

    def _folded(self, depth: int) -> Expression:
        """An operation with a constant that compilers simplify."""
        random, operand = self._random, self._any(depth)
        operator, value = random.choice(_FOLDED)
        constant = Expression("constant", INT, value=value)
        if operator == "-":
            return self._binary("-", constant, operand)
        if operator in ("<<", ">>"):
            return Expression(operator, promoted(operand.type), (operand, constant))
        return self._binary(operator, operand, constant)

    def _binary(self, operator: str, left: Expression, right: Expression) -> Expression:
        if operator == "^" and self._random.random() < 0.3:
            right = Expression("unary", promoted(right.type), (right,), "~")
        if self._random.random() < 0.08:  # a distance that fits
            mask = Expression("&", common(right.type, INT), (right, Expression("constant", INT, value=7)))
            return Expression(">>", promoted(left.type), (left, mask))
        return Expression(operator, common(left.type, right.type), (left, right))

    def _leaf(self) -> Expression:
        random = self._random
        if self._reads and random.random() < 0.25:
            return Expression("variable", INT, name=random.choice(self._reads))
        if self._stored and random.random() < 0.4:
            self._stored = False
            kind = random.choice(("assign", "update", "increment"))
            parts = () if kind == "increment" else (Expression("constant", INT, value=random.randint(1, 9)),)
            return Expression(kind, INT, parts, random.choice("nm"))
        if self._calls < 4 and random.random() < 0.8:
            self._calls += 1
            name = random.choice(list(CALLS))
            return Expression("call", CALLS[name], (Expression("constant", INT, value=random.randint(1, 9)),), name)
        return Expression("constant", random.choice((INT, INT, UNSIGNED)), value=random.choice((0, 1, 2, 3, 7, 100)))
