"""Random functions `long long F(int a, int b)` over integers of all types, with every operator that is decided."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_TYPES = (
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
)
_BINARY = ("+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "+", "-")
_COMPOUND = ("=", "+=", "-=", "*=")
_CONSTANTS = ("0", "1", "2", "-1", "7", "127", "128", "255", "32767", "65536", "2147483647", "0x80000000", "1L << 40")
_NAMES = ("a", "b", "v0", "v1", "v2", "v3", "t[0]", "t[1]", "g")


WIDE_BITS = (
    "({0} & {1})",
    "({0} | {1})",
    "({0} ^ {1})",
    "((unsigned long){0} >> ({1} & 63))",
    "((long){0} >> ({1} & 63))",
    "((unsigned){0} << ({1} & 31))",
)
"""Operations on operands of any size that integers do not express, or only at length."""


class _Function:
    def __init__(self, random: Random, more: Sequence[str]) -> None:
        self._random = random
        self._more = more

    def _expression(self, depth: int) -> str:
        random = self._random
        if depth == 0:
            return random.choice(_NAMES) if random.random() < 0.7 else f"({random.choice(_CONSTANTS)})"
        inner = [self._expression(depth - 1) for _ in range(3)]
        if self._more and random.randrange(4) == 0:
            return random.choice(self._more).format(*inner)
        match random.randrange(11):
            case 0:
                return f"(({random.choice(_TYPES)}){inner[0]})"
            case 1:
                return f"({random.choice(('-', '~', '!'))}{inner[0]})"
            case 2:
                return f"({inner[0]} ? {inner[1]} : {inner[2]})"
            case 3:
                return f"({inner[0]} {random.choice(('/', '%'))} (({inner[1]} & 15) + 1))"
            case 4:
                return f"({inner[0]} {random.choice(('/', '%'))} {random.choice(('3', '-7', '10u', '256'))})"
            case 5:
                return f"({inner[0]} {random.choice(('<<', '>>'))} {random.randrange(8)})"
            case 6:
                return f"({inner[0]} {random.choice('&|^')} ({random.choice(_CONSTANTS)}))"
            case 7:
                return f"h({inner[0]}, {inner[1]})"
            case _:
                return f"({inner[0]} {random.choice(_BINARY)} {inner[1]})"

    def _statement(self, depth: int) -> str:
        random = self._random
        target = random.choice(_NAMES)
        match random.randrange(7 if depth else 4):
            case 0 | 1:
                return f"{target} {random.choice(_COMPOUND)} {self._expression(3)};"
            case 2:
                return f"{random.choice(('++', '--'))}{target};"
            case 3:
                return f"t[v0 & 1] = {random.choice(('v1', 'v2', 'v3'))}--;"
            case 4:
                return f"if ({self._expression(2)}) {{ {self._block(depth)} }} else {{ {self._block(depth)} }}"
            case 5:
                return f"for (int i{depth} = 0; i{depth} < 3; i{depth}++) {{ {self._block(depth)} }}"
            case _:
                cases = (
                    f"case 0: {self._block(depth)} case 1: {self._block(depth)} break; default: {self._block(depth)}"
                )
                return f"switch ({self._expression(2)} & 3) {{ {cases} }}"

    def _block(self, depth: int) -> str:
        return " ".join(self._statement(depth - 1) for _ in range(2))

    def text(self) -> str:
        types = [self._random.choice(_TYPES) for _ in range(7)]
        helper = f"static {types[6]} h({types[5]} x, int y) {{ return x > y ? x - y : y * 3; }}"
        declared = " ".join(f"{types[k]} v{k} = {self._random.choice(_CONSTANTS)};" for k in range(4))
        body = " ".join(self._statement(2) for _ in range(3))
        result = " + ".join(f"{name} * {k + 3}L" for k, name in enumerate(_NAMES))
        start = f"static {types[4]} g; {helper} long long F(int a, int b) {{ {types[5]} t[2] = {{1, 2}}; "
        return f"{start}{declared} {body} return {result}; }}"


def random_functions(count: int, seed: int, more: Sequence[str] = ()) -> list[str]:
    """`more` are operations that expressions have beside those that every arithmetic expresses."""
    random = Random(seed)
    return [_Function(random, more).text() for _ in range(count)]
