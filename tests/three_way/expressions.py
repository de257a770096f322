"""Random integer expressions of C without undefined behaviour (with `-fwrapv`), and the names they read."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

TYPES = (
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
)
CONSTANTS = (
    *(
        "0",
        "1",
        "2",
        "3",
        "-1",
        "5u",
        "7",
        "10",
        "127",
        "128",
        "255",
        "256",
        "1000",
        "32767",
        "32768",
        "65535",
        "65536",
    ),
    *("2147483647", "(-2147483647 - 1)", "0x80000000", "4294967295u", "1LL << 40", "0x123456789abcLL", "'a'", "-100L"),
)
_BINARY = ("+", "-", "*", "+", "-", "<", ">", "<=", ">=", "==", "!=", "&&", "||")
_COMPOUND = ("=", "=", "+=", "-=", "*=")
_BITS = ("&", "|", "^")


class Source:
    """The random choices of one program, the text outside functions, and what expressions may read anywhere.

    Every name outside functions ends in `tag`, so that many programs fit in one translation unit.
    """

    def __init__(self, random: Random, tag: str) -> None:
        self.random = random
        self.tag = tag
        self.declarations: list[str] = []
        self.leaves: list[str] = []
        self._count = 0
        self.wide_bits = random.random() < 0.25

    def name(self, stem: str) -> str:
        """A fresh name for the whole unit."""
        self._count += 1
        return f"{stem}{self._count}_{self.tag}"

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def below(self, bound: int) -> int:
        return self.random.randrange(bound)

    def type(self) -> str:
        return self.random.choice(TYPES)

    def number(self) -> str:
        return self.random.choice(CONSTANTS)

    def declare(self, *lines: str) -> None:
        self.declarations.extend(lines)

    # Expressions

    def expression(self, names: Sequence[str], depth: int = 2) -> str:
        random = self.random
        if depth == 0:
            return self.leaf(names)
        a, b, c = (self.expression(names, depth - 1) for _ in range(3))
        match random.randrange(14):
            case 0 | 1:
                return f"(({self.type()}){a})"
            case 2:
                return f"({self.pick('-', '~', '!', '+')}{a})"
            case 3:
                return f"({a} ? {b} : {c})"
            case 4:
                return f"({a} {self.pick('/', '%')} (({b} & 15) + 1))"
            case 5:
                return f"({a} {self.pick('/', '%')} {self.pick('3', '-7', '10u', '256', '100LL')})"
            case 6:
                return f"({a} {self.pick('<<', '>>')} {random.randrange(8)})"
            case 7 if self.wide_bits:
                return f"({a} {random.choice(_BITS)} {b})"
            case 7:
                return f"({a} {random.choice(_BITS)} {self.pick('15', '0xff', '1', '0x0ff0', '-8')})"
            case 8 if self.wide_bits:
                return f"((unsigned){a} {self.pick('<<', '>>')} ({b} & 31))"
            case 8:
                return f"((void)0, {a})" if random.random() < 0.3 else f"(({a}) == ({b}))"
            case _:
                return f"({a} {random.choice(_BINARY)} {b})"

    def leaf(self, names: Sequence[str]) -> str:
        roll = self.random.random()
        if names and roll < 0.6:
            return self.random.choice(list(names))
        if self.leaves and roll < 0.78:
            return self.random.choice(self.leaves)
        return f"({self.number()})"

    # Statements

    def assignment(self, targets: Sequence[str], names: Sequence[str], depth: int = 2) -> str:
        target = self.random.choice(list(targets))
        match self.below(8):
            case 0:
                return f"{self.pick('++', '--')}{target};"
            case 1:
                return f"{target}{self.pick('++', '--')};"
            case 2:
                value = self.expression(names, 1)
                return f"{target} {self.pick('/=', '%=')} ({value} & 7) + 1;"
            case 3:
                return f"{target} {self.pick('<<=', '>>=')} {self.below(5)};"
            case 4 if self.wide_bits:
                return f"{target} {self.pick('&=', '|=', '^=')} {self.expression(names, 1)};"
            case _:
                return f"{target} {self.random.choice(_COMPOUND)} {self.expression(names, depth)};"

    def statement(self, targets: Sequence[str], names: Sequence[str], depth: int = 1) -> str:
        """An assignment, or control flow around some; loops run a few times."""
        kind = self.below(9) if depth else 0
        if kind < 4:
            return self.assignment(targets, names)
        inner = [self.statement(targets, names, depth - 1) for _ in range(3)]
        counter = f"k{depth}"
        match kind:
            case 4 | 5:
                return f"if ({self.expression(names)}) {{ {inner[0]} }} else {{ {inner[1]} {inner[2]} }}"
            case 6:
                leave = self.pick("break", "continue")
                condition = f"if ({self.expression(names, 1)}) {leave};"
                bound = self.below(4) + 1
                return (
                    f"for (int {counter} = 0; {counter} < {bound}; {counter}++) {{ {inner[0]} {condition} {inner[1]} }}"
                )
            case 7:
                bound = self.below(3) + 1
                condition = f"--{counter} > 0 && {self.leaf(names)} != 5"
                return f"{{ int {counter} = {bound}; do {{ {inner[0]} }} while ({condition}); }}"
            case _:
                falls = self.pick("break;", "")
                return (
                    f"switch ({self.expression(names)} & 3) {{ case 0: {inner[0]} {falls} case 1: {inner[1]} break;"
                    f" default: {inner[2]} }}"
                )

    def block(self, targets: Sequence[str], names: Sequence[str], count: int = 3, depth: int = 1) -> str:
        return "\n  ".join(self.statement(targets, names, depth) for _ in range(count))
