"""Random functions over integers of all types: all operators and statements, nothing undefined."""

from __future__ import annotations

from random import Random

from tests.unit.frontend.interpreter.against_gcc import Case

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
    "long long",
    "unsigned long long",
    "_Bool",
)
_BINARY = ("+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||")
_COMPOUND = ("=", "+=", "-=", "*=", "&=", "|=", "^=")
_CONSTANTS = ("0", "1", "2", "-1", "7", "127", "128", "255", "32767", "65536", "2147483647", "0x80000000", "1LL << 40")


class _Function:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._types = [random.choice(_TYPES) for _ in range(5)]

    def expression(self, depth: int) -> str:
        random = self._random
        if depth == 0:
            return f"v{random.randrange(5)}" if random.random() < 0.7 else f"({random.choice(_CONSTANTS)})"

        def inner() -> str:
            return self.expression(depth - 1)

        match random.randrange(10):
            case 0:
                return f"(({random.choice(_TYPES)}){inner()})"
            case 1:
                return f"({random.choice(('-', '~', '!'))}{inner()})"
            case 2:
                return f"({inner()} ? {inner()} : {inner()})"
            case 3:
                # Never zero, and small enough that no quotient overflows.
                return f"({inner()} {random.choice(('/', '%'))} (({inner()} & 15) + 1))"
            case 4:
                return f"({inner()} {random.choice(('<<', '>>'))} ({inner()} & 7))"
            case _:
                return f"({inner()} {random.choice(_BINARY)} {inner()})"

    def statement(self, depth: int) -> str:
        random = self._random
        kind = random.randrange(6 if depth else 3)
        target = f"v{random.randrange(5)}"
        match kind:
            case 0 | 1:
                return f"{target} {random.choice(_COMPOUND)} {self.expression(3)};"
            case 2:
                return f"{random.choice(('++', '--'))}{target};" if random.random() < 0.5 else f"{target}--;"
            case 3:
                return f"if ({self.expression(2)}) {{ {self.block(depth)} }} else {{ {self.block(depth)} }}"
            case 4:
                return f"for (int i{depth} = 0; i{depth} < 3; i{depth}++) {{ {self.block(depth)} }}"
            case _:
                cases = f"case 0: {self.block(depth)} case 1: {self.block(depth)} break; default: {self.block(depth)}"
                return f"switch ({self.expression(2)} & 3) {{ {cases} }}"

    def block(self, depth: int) -> str:
        return " ".join(self.statement(depth - 1) for _ in range(2))

    def text(self, name: str) -> str:
        declared = " ".join(
            f"{type_} v{number} = {self._random.choice(_CONSTANTS)};" for number, type_ in enumerate(self._types)
        )
        body = " ".join(self.statement(2) for _ in range(4))
        result = " ^ ".join(f"v{number} * {number + 3}LL" for number in range(5))
        return f"long long {name}(void) {{ {declared} {body} return {result}; }}"


def random_cases(count: int, seed: int) -> list[Case]:
    random = Random(seed)
    return [Case(f"random_{number}", _Function(random).text(f"random_{number}")) for number in range(count)]
