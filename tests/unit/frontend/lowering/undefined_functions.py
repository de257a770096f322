"""Random functions with undefined behaviour, and what gcc's sanitizer finds in them first."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

from core.program.properties import CheckKind

_TYPES = ("signed char", "unsigned char", "short", "int", "unsigned", "long")
_WIDE = ("a", "b", "s.t[1]")
_NAMES = ("a", "b", "v0", "v1", "v2", "v3", "s.t[1]")
_CONSTANTS = ("1", "2", "-1", "7", "100", "2147483647", "65536", "1L << 40")
_MARK = "===="
_ID = "static long id(long x) { return x; }"
_MESSAGES = {
    "signed integer overflow": CheckKind.OVERFLOW,
    "negation of": CheckKind.OVERFLOW,
    "left shift of": CheckKind.OVERFLOW,
    "cannot be represented": CheckKind.OVERFLOW,
    "division by zero": CheckKind.DIVISION,
    "shift exponent": CheckKind.SHIFT,
    "out of bounds": CheckKind.BOUNDS,
}

Found = tuple[int, frozenset[CheckKind]] | None
"""The line of the first undefined behaviour and the kinds that the line shows; None where there is none."""


def undefined_functions(count: int, seed: int) -> list[str]:
    """Functions `long long F(int a, int b)`, each statement on a line of its own, the first on line 1."""
    random = Random(seed)
    return [_function(random) for _ in range(count)]


def _function(random: Random) -> str:
    types = [random.choice(_TYPES) for _ in range(4)]
    declared = "".join(f" {type_} v{i} = {random.choice('ab')};" for i, type_ in enumerate(types))
    lines = [f"struct {{ int t[4]; int u; }} s = {{{{a, b}}}};{declared}"]
    lines += [_statement(random) for _ in range(6)]
    return "\n".join([f"{_ID} long long F(int a, int b) {{", *lines, "return v0 + 0L; }"])


def _statement(random: Random) -> str:
    match random.randrange(8):
        case 0:
            return f"{random.choice(('++', '--'))}{random.choice(_WIDE)};"
        case 1:
            return f"{random.choice(_WIDE)} {random.choice(('+=', '-=', '*=', '<<='))} {random.choice(_WIDE)};"
        case 2:
            return f"s.t[{random.choice(_NAMES)} {random.choice(('& 7', '+ 3', '% 5'))}] = {_value(random, 1)};"
        case 3:
            branch = f"v0 = {_value(random, 1)};"
            return f"if ({_value(random, 2)} > 0 && {_value(random, 1)}) {branch}"
        case _:
            return f"{random.choice(_NAMES)} = {_value(random, 2)};"


def _value(random: Random, depth: int) -> str:
    """An expression that gcc does not simplify on account of where it stands before the sanitizer sees it."""
    return f"id({_expression(random, depth)})"


def _operand(random: Random, depth: int) -> str:
    return f"(int)id({_expression(random, depth)})" if depth else random.choice(_NAMES)


def _expression(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(_NAMES)
    left = _operand(random, depth - 1)
    right = _operand(random, depth - 1) if random.randrange(3) else f"({random.choice(_CONSTANTS)})"
    match random.randrange(10):
        case 0:
            return f"(-{left})"
        case 1:
            # The sanitizer has the divisor evaluated first, which C leaves open: the dividend cannot fail.
            return f"({random.choice(_NAMES)} {random.choice(('/', '%'))} {right})"
        case 2:
            return f"({left} {random.choice(('<<', '>>'))} ({right} & 63))"
        case 3:
            return f"({left} << {random.randrange(5)})"
        case 4:
            return f"s.t[{left} & 5]"
        case 5:
            return f"({left} ? {right} : {_operand(random, depth - 1)})"
        case 6:
            return f"(({random.choice(_TYPES)}){random.choice(_NAMES)} * {right})"
        case _:
            return f"({left} {random.choice('+-*')} {right})"


def sanitized(functions: Sequence[str], values: Sequence[tuple[int, int]], folder: Path) -> list[list[Found]] | None:
    """The findings of the sanitizer in each function for each pair of arguments; None where gcc has no sanitizer."""
    for number, text in enumerate(functions):
        (folder / f"f{number}.c").write_text(text.replace("F(", f"F{number}(", 1))
    (folder / "main.c").write_text(_driver(len(functions), values))
    files = ["main.c", *(f"f{number}.c" for number in range(len(functions)))]
    flags = ["-O0", "-w", "-std=gnu11", "-fsanitize=undefined,bounds-strict", "-fno-sanitize=object-size"]
    built = subprocess.run(["gcc", *flags, *files, "-o", "main"], cwd=folder, capture_output=True, check=False)
    if built.returncode:
        return None
    ran = subprocess.run([str(folder / "main")], capture_output=True, text=True, check=True)
    found = [_first(output) for output in ran.stderr.split(_MARK)[1:]]
    assert len(found) == len(functions) * len(values)
    return [found[i : i + len(values)] for i in range(0, len(found), len(values))]


def _driver(count: int, values: Sequence[tuple[int, int]]) -> str:
    """Calls each function with each pair, in a process of its own: it may die, and a place is reported only once."""
    declared = "".join(f"long long F{number}(int, int);" for number in range(count))
    functions = ", ".join(f"F{number}" for number in range(count))
    pairs = ", ".join(f"{{(int){a}LL, (int){b}LL}}" for a, b in values)
    return f"""#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
{declared}
static long long (*const functions[])(int, int) = {{{functions}}};
static const int pairs[][2] = {{{pairs}}};
int main(void) {{
    for (unsigned f = 0; f < {count}; f++)
        for (unsigned p = 0; p < {len(values)}; p++) {{
            fputs("{_MARK}", stderr);
            if (fork() == 0) {{
                functions[f](pairs[p][0], pairs[p][1]);
                _exit(0);
            }}
            wait(0);
        }}
    return 0;
}}
"""


def _first(output: str) -> Found:
    events = re.findall(r"^f\d+\.c:(\d+):\d+: runtime error: (.*)$", output, re.MULTILINE)
    if not events:
        return None
    first = events[0][0]
    return int(first), frozenset(_kind(message) for line, message in events if line == first)


def _kind(message: str) -> CheckKind:
    return next((kind for words, kind in _MESSAGES.items() if words in message), CheckKind.CLEANUP)
