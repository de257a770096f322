"""Cost of reading and lowering against the number of lines, on generated programs of five families.

    python -m benchmarks.growth [--families straight,machine] [--lines 1000,3000,10000]

The table has CPU seconds and megabytes of whole commands, and for both the exponent of the power of the lines that fits
best what is beyond a start, that of a program of 20 lines (least squares of logarithms). The cheapest of three runs is
counted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.process import Run, interplay
from benchmarks.scaling import slope

LINES = (300, 1_000, 3_000, 10_000, 30_000)
STAGES = ("types", "program")
START = 20  # lines of a program that costs little more than a start
RUNS = 3  # of which the cheapest counts
WALL = 600.0  # seconds of wall clock for one command

_HEAD = ["extern int __VERIFIER_nondet_int(void);", "extern void reach_error(void);"]


def _program(declarations: Sequence[str], body: Sequence[str]) -> str:
    return "\n".join([*_HEAD, *declarations, "int main(void) {", *body, "return 0; }", ""])


def straight(lines: int) -> str:
    """Assignments and branches without a loop, of four variables."""
    forms = (
        "a = a + {k};",
        "b = (b + a) & 255;",
        "if (a > 900) a = a - 900;",
        "c = (c + {k}) % 17;",
        "d = d ^ (c & {k});",
    )
    body = [forms[i % len(forms)].format(k=i % 13 + 1) for i in range(lines - 5)]
    return _program(
        [], ["int a = __VERIFIER_nondet_int() & 7, b = 0, c = 0, d = 0;", *body, "if (b < 0) reach_error();"]
    )


def machine(lines: int) -> str:
    """One loop around a switch, with a counter that each state may count up."""
    states = max(2, lines // 4)
    cases: list[str] = []
    for i in range(states):
        cases += [f"case {i}:", f"if (event == {i % 9}) state = {(7 * i + 1) % states};"]
        cases += ["else if (count < 50) count++;", "break;"]
    body = ["int state = 0, count = 0;", "while (__VERIFIER_nondet_int()) {", "int event = __VERIFIER_nondet_int();"]
    return _program([], [*body, "switch (state) {", *cases, "}", f"if (state >= {states}) reach_error();", "}"])


def functions(lines: int) -> str:
    """Small functions, each of which calls one before it; `main` calls every fourth."""
    number = max(1, lines // 6)
    text: list[str] = []
    for i in range(number):
        below = f"f{i // 2}(y)" if i % 3 and i else "y"
        text += [f"static int f{i}(int x) {{", "int y = x;", f"if (x > {i})", f"y = {i};", f"return {below};", "}"]
    return _program(text, ["int x = 0;", *(f"x = f{i}(x);" for i in range(0, number, 4))])


def structs(lines: int) -> str:
    """Objects of structs of their own, each with a function that writes through a pointer to it."""
    number = max(1, lines // 8)
    text, body = [], []
    for i in range(number):
        text += [
            f"struct s{i} {{",
            "int mode; int held[4];",
            f"}} o{i};",
            f"static void set{i}(struct s{i} *p, int x) {{",
        ]
        text += ["p->mode = x & 3;", "p->held[p->mode] = x; }"]
        body += [f"set{i}(&o{i}, __VERIFIER_nondet_int());", f"if (o{i}.mode > 3) reach_error();"]
    return _program(text, body)


def global_variables(lines: int) -> str:
    """Counters that one function counts up and another one resets, in a loop that checks them."""
    each = range(max(1, lines // 4))
    text = [*(f"static int g{i};" for i in each), "static void tick(void) {"]
    text += [*(f"if (g{i} < {i % 20 + 1}) g{i}++;" for i in each), "}", "static void reset(void) {"]
    text += [*(f"g{i} = 0;" for i in each), "}"]
    body = ["while (__VERIFIER_nondet_int()) {", "if (__VERIFIER_nondet_int()) tick(); else reset();"]
    return _program(text, [*body, *(f"if (g{i} < 0) reach_error();" for i in each), "}"])


FAMILIES: Mapping[str, Callable[[int], str]] = {
    "straight": straight,
    "machine": machine,
    "functions": functions,
    "structs": structs,
    "globals": global_variables,
}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    print("| family | until | lines: CPU s (MB) | exponent of time | of memory |\n| --- | --- | --- | --- | --- |")
    for name in options.families or FAMILIES:
        for stage in STAGES:
            print(row(name, stage, list(_runs(name, stage, (START, *(options.lines or LINES))))), flush=True)
    return 0


def row(name: str, stage: str, runs: Sequence[tuple[int, Run]]) -> str:
    """The line of the table; the first run is a start."""
    (_, start), *others = runs
    cells = ", ".join(f"{lines:,}: {run.cpu:.2f} ({run.memory:.0f})" for lines, run in others)
    time = slope([(lines, run.cpu - start.cpu) for lines, run in others])
    memory = slope([(lines, run.memory - start.memory) for lines, run in others])
    return f"| {name} | {stage} | {cells} | {time:.2f} | {memory:.2f} |"


def _runs(name: str, stage: str, sizes: Sequence[int]) -> Iterator[tuple[int, Run]]:
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        path = Path(folder) / "program.c"
        for lines in sizes:
            text = FAMILIES[name](lines)
            path.write_text(text, encoding="utf-8")
            runs = [interplay(["verify", "--stop-after", stage, str(path)], WALL) for _ in range(RUNS)]
            yield text.count("\n"), min(runs, key=lambda run: run.cpu)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__.splitlines()[0])
    parser.add_argument("--families", type=lambda text: text.split(","), metavar="A,B", help=", ".join(FAMILIES))
    numbers = lambda text: [int(one) for one in text.split(",")]  # noqa: E731
    parser.add_argument("--lines", type=numbers, metavar="N,M", help=f"default: {','.join(map(str, LINES))}")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
