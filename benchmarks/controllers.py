"""Measures the portfolio on generated control programs: steps that compute numbers, and properties that say it again.

    python -m benchmarks.controllers [--count 100] [--seed 1] [--time-limit 20] [--results FILE] [--keep FOLDER]

A program has 4 to 20 requirements. Each gives an output in a step: a floating-point number by sums, differences,
products with constants, least and greatest values, of inputs, of outputs before it, and of what it was in the step
before; an integer, or a truth value. The property repeats what each says, so that the program is correct by
construction. Every other one has an error in its step that no property has; gcc compiles it with random inputs, and it
is kept only where the property fails for some of them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.alone import EXITS
from benchmarks.journal import Journal, Row
from benchmarks.process import interplay

FEWEST, MOST = 4, 20  # requirements
MOST_ERRORS = 200  # that are tried in a program before it is given up
STEPS = 20_000  # with random inputs, of a program with an error
LARGEST = {"float": "1e6f", "double": "1e9"}
LEAST = {"float": "1e-6f", "double": "1e-9"}
FLOATS = ("float", "double")
INTEGERS = ("signed char", "unsigned char", "short", "unsigned short")
INTEGER_ENDS = {"signed char": (-128, 127), "unsigned char": (0, 255), "short": (-999, 999), "unsigned short": (0, 999)}


@dataclass(frozen=True, slots=True)
class Requirement:
    """An output and what it is: `value` where `condition` holds, else `other`; all are C expressions.

    `before` is whether the expressions read what the output was in the step before, as `last_` with its name.
    """

    type: str
    output: str
    condition: str
    value: str
    other: str
    before: bool

    def assignment(self) -> str:
        return (
            f"  if ({self.condition})\n    {self.output} = {self.value};\n  else\n    {self.output} = {self.other};\n"
        )

    def claim(self) -> str:
        return f"(({self.condition}) ? {self.output} == ({self.value}) : {self.output} == ({self.other}))"


@dataclass(frozen=True, slots=True)
class Controller:
    """A control program: its inputs by name with their types, what its step does, and what its property says."""

    name: str
    inputs: tuple[tuple[str, str], ...]
    step: tuple[Requirement, ...]
    claimed: tuple[Requirement, ...]
    steps: int | None  # None: for ever

    @property
    def is_correct(self) -> bool:
        return self.step == self.claimed

    def text(self, *, is_tried: bool = False) -> str:
        """The program, for the error function and the input functions of SV-COMP.

        If it is tried, its inputs are random, and it ends with 1 where its property fails.
        """
        outputs = [_declared(r.output, r.type) for r in self.step]
        lasts = [_declared(f"last_{r.output}", r.type) for r in self.step if r.before]
        kept = "".join(f"  last_{r.output} = {r.output};\n" for r in self.step if r.before)
        read = _drawn if is_tried else _read
        steps = STEPS if is_tried and self.steps is None else self.steps
        loop = "while (1)" if steps is None else f"for (int k = 0; k < {steps}; k++)"
        loop += " {\n    remember();\n    sense();\n    step();\n    if (!property())\n      reach_error();\n  }\n"
        if is_tried:
            start = "".join(f"    {r.output} = {_start(r.type)};\n" for r in self.step)
            loop = f"for (int n = 0; n < {STEPS // (steps or 1)}; n++) {{\n{start}  {loop}  }}\n"
        return "\n".join(
            (
                _TRIED_HEAD if is_tried else _HEAD,
                "".join([*(_declared(name, type_) for name, type_ in self.inputs), *outputs, *lasts]),
                f"void remember(void)\n{{\n{kept}}}\n",
                f"void sense(void)\n{{\n{''.join(read(name, type_) for name, type_ in self.inputs)}}}\n",
                f"void step(void)\n{{\n{''.join(r.assignment() for r in self.step)}}}\n",
                f"int property(void)\n{{\n  return {_AND.join(r.claim() for r in self.claimed)};\n}}\n",
                f"int main(void)\n{{\n  {loop}  return 0;\n}}\n",
            )
        )


_AND = "\n    && "
_DEFINED = """#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define abs(a) ((a) < 0 ? -(a) : (a))
"""
_HEAD = f"""extern void abort(void);
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern signed char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
{_DEFINED}"""
_TRIED_HEAD = f"""#include <stdlib.h>
static unsigned long long seed = 88172645463325252ull;
static unsigned next(void) {{ seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed >> 20; }}
static int whole(int low, int high) {{ return low + (int) (next() % (unsigned) (high - low + 1)); }}
static double number(double least, double largest)
{{
  double x = least;
  if (next() % 4) x += next() % 64; else x += (largest - least) * (next() / 4294967296.0);
  return next() % 2 ? x : -x;
}}
static void reach_error(void) {{ exit(1); }}
{_DEFINED}"""
_NONDET = {
    "float": "float",
    "double": "double",
    "signed char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
}


def _start(type_: str) -> str:
    return {"float": "0.5f", "double": "0.25"}.get(type_, "1")


def _declared(name: str, type_: str) -> str:
    return f"{type_} {name} = {_start(type_)};\n"


def _read(name: str, type_: str) -> str:
    """Code that reads an input within its range, which has no zero and no NaN."""
    if type_ in FLOATS:
        low, high = LEAST[type_], LARGEST[type_]
        condition = f"({name} >= -{high} && {name} <= -{low}) || ({name} >= {low} && {name} <= {high})"
    else:
        low, high = map(str, INTEGER_ENDS[type_])
        condition = f"{name} >= {low} && {name} <= {high}"
    return f"  {name} = __VERIFIER_nondet_{_NONDET[type_]}();\n  if (!({condition}))\n    abort();\n"


def _drawn(name: str, type_: str) -> str:
    """Code that draws an input from the same range."""
    if type_ in FLOATS:
        return f"  {name} = ({type_}) number({LEAST[type_]}, {LARGEST[type_]});\n"
    return "  {} = whole({}, {});\n".format(name, *INTEGER_ENDS[type_])


class _Writer:
    """Draws the requirements of one program."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.inputs: list[tuple[str, str]] = []
        self._known: dict[str, list[str]] = {"float": [], "double": [], "integer": [], "bool": []}
        self._depth: dict[str, int] = {}

    def input(self, type_: str) -> None:
        name = f"in_{len(self.inputs)}"
        self.inputs.append((name, type_))
        self._known[type_ if type_ in FLOATS else "integer"].append(name)

    def requirement(self, number: int) -> Requirement:
        """One more requirement; later ones may read its output."""
        random = self._random
        kind = random.choice((*FLOATS, *FLOATS, "integer", "bool"))
        type_ = {"integer": "int", "bool": "unsigned char"}.get(kind, kind)
        output, before = f"out_{number}", kind != "bool" and random.random() < 0.3
        make: Callable[[], str] = {"integer": self._integer, "bool": self._truth}.get(kind, lambda: self._number(kind))
        value, other = make(), make()
        if before:  # what it was is held, not added to, so that no number grows with the steps
            least = f"min(last_{output}, {value})" if kind in FLOATS else f"last_{output}"
            value, other = random.choice(((value, f"last_{output}"), (least, other)))
        condition = self._truth()
        self._known[kind].append(output)
        return Requirement(type_, output, condition, value, other, before)

    def _constant(self, type_: str) -> str:
        random = self._random
        number = random.choice((random.randrange(1, 200), random.randrange(1, 2000) / 10, random.randrange(1, 99) / 64))
        return f"{float(number)}{'f' if type_ == 'float' else ''}"

    def _leaf(self, type_: str) -> str:
        return self._random.choice((*self._known[type_][-6:], self._constant(type_)))

    def _number(self, type_: str, depth: int = 2) -> str:
        random = self._random
        if depth == 0 or random.random() < 0.2:
            return self._leaf(type_)
        a, b = self._number(type_, depth - 1), self._number(type_, depth - 1)
        factor = f"{random.choice(('0.5', '0.25', '0.1', '0.9'))}{'f' if type_ == 'float' else ''}"
        return random.choice(
            (f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"min({a}, {b})", f"abs({a})", f"({factor} * {a})")
        )

    def _integer(self) -> str:
        random = self._random
        a, b = (random.choice((*self._known["integer"][:6], str(random.randrange(1, 100)))) for _ in range(2))
        return random.choice((a, f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"min({a}, {b})", f"abs({a})"))

    def _truth(self) -> str:
        random = self._random
        type_ = random.choice(FLOATS)
        one, other = self._random.choice(self._known[type_][-6:]), self._leaf(type_)
        compared = f"{one} {random.choice(('<', '<=', '>', '>='))} {other}"
        if self._known["bool"] and random.random() < 0.4:
            known = random.choice(self._known["bool"])
            return random.choice((known, f"!{known}", f"({known} && {compared})", f"({known} || {compared})"))
        if random.random() < 0.3:
            return f"({self._integer()} {random.choice(('<', '>='))} {self._integer()})"
        return f"({compared})"


def correct(seed: int, number: int) -> Controller:
    """Program `number` of a seed, without an error."""
    random = Random(f"{seed}/{number}")
    writer = _Writer(random)
    requirements = FEWEST + number % (MOST - FEWEST + 1)
    for type_ in (*FLOATS, *(random.choice((*FLOATS, *INTEGERS)) for _ in range(1 + requirements // 2))):
        writer.input(type_)
    drawn = tuple(writer.requirement(k) for k in range(requirements))
    return Controller(f"controller-{number:03}", tuple(writer.inputs), drawn, drawn, random.choice((1, 5, None)))


_ERRORS = (("+", "-"), ("-", "+"), ("max", "min"), ("min", "max"), (" < ", " <= "), (" > ", " < "), ("&&", "||"))


def wrong(controller: Controller, random: Random, folder: Path) -> Controller | None:
    """The program with an error in one requirement of its step that executions show; None where none of those does."""
    for _ in range(MOST_ERRORS):
        k = random.randrange(len(controller.step))
        one = controller.step[k]
        texts = [one.condition, one.value, one.other]
        part = random.randrange(len(texts))
        old, new = random.choice(_ERRORS)
        places = [i for i in range(len(texts[part])) if texts[part].startswith(old, i)]
        if not places:
            continue
        place = random.choice(places)
        texts[part] = texts[part][:place] + new + texts[part][place + len(old) :]
        mutated = replace(one, condition=texts[0], value=texts[1], other=texts[2])
        found = replace(controller, step=(*controller.step[:k], mutated, *controller.step[k + 1 :]))
        if fails(found, folder):
            return found
    return None


def fails(controller: Controller, folder: Path) -> bool:
    """Whether the property fails for some of the random inputs of an execution that gcc compiles."""
    source, binary = folder / "tried.c", folder / "tried"
    source.write_text(controller.text(is_tried=True), encoding="utf-8")
    flags = ("-O1", "-w", "-ffp-contract=off", "-std=gnu99")
    built = subprocess.run(["gcc", *flags, str(source), "-o", str(binary)], capture_output=True, check=False)
    return built.returncode == 0 and subprocess.run([str(binary)], check=False).returncode == 1


def controllers(seed: int, count: int, folder: Path) -> list[Controller]:
    """The programs of a seed, every other one with an error."""
    found: list[Controller] = []
    for number in range(count):
        one = correct(seed, number)
        mutated = wrong(one, Random(f"{seed}/{number}/error"), folder) if number % 2 else None
        found.append(mutated or one)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    journal = Journal(None if options.results is None else Path(options.results), "program")
    with tempfile.TemporaryDirectory(prefix="controllers-") as created:
        folder = Path(options.keep or created)
        folder.mkdir(parents=True, exist_ok=True)
        programs = controllers(options.seed, options.count, Path(created))
        for one in programs:
            path = folder / f"{one.name}.c"
            path.write_text(one.text(), encoding="utf-8")
            if one.name not in journal:
                journal.add(_row(one, path, options.time_limit))
    rows = [journal.rows[one.name] for one in programs]
    print("\n".join(summary(rows)))
    return 1 if any(row["class"] == "wrong" for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.controllers", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, metavar="N", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    parser.add_argument("--time-limit", type=float, default=20.0, metavar="S", help="CPU seconds; default: %(default)s")
    parser.add_argument("--results", metavar="FILE", help="results as JSON lines; what is there is not run again")
    parser.add_argument("--keep", metavar="FOLDER", help="where the programs are written")
    return parser.parse_args(arguments)


def _row(controller: Controller, path: Path, seconds: float) -> Row:
    run = interplay(["verify", "--time-limit", f"{seconds:g}", str(path)], 4 * seconds)
    verdict = EXITS.get(run.exit_code, "crash")
    expected = "true" if controller.is_correct else "false"
    kind = "right" if verdict == expected else "wrong" if verdict in ("true", "false") else "open"
    row: dict[str, object] = {"program": controller.name, "requirements": len(controller.step), "expected": expected}
    row |= {"verdict": verdict, "class": kind, "cpu": round(run.cpu, 2)}
    print(row, file=sys.stderr)
    return row


def summary(rows: Sequence[Row]) -> list[str]:
    """A Markdown table: how many programs with each verdict that is expected were decided, and in which time."""
    lines = ["| expected | programs | right | wrong | open | CPU s, median | CPU s, most |", f"|{' ---: |' * 7}"]
    for expected in ("true", "false"):
        group = [row for row in rows if row["expected"] == expected]
        kinds = Counter(row["class"] for row in group)
        times = [float(str(row["cpu"])) for row in group] or [0.0]
        counts = f"{kinds['right']} | {kinds['wrong']} | {kinds['open']}"
        lines.append(f"| {expected} | {len(group)} | {counts} | {median(times):.1f} | {max(times):.1f} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
