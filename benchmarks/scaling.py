"""Cost of the engine `transition` against the number of predicates and the length of paths, on generated programs.

    python -m benchmarks.scaling [--time-limit 120] [--families mirrors,locks] [--results DIR]

Each family is one program with a size. The journal makes a measurement resumable; the table has, per family, the
exponent of the power of the size that fits the CPU seconds of its larger half best (least squares of logarithms).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.curves import Curve, svg
from benchmarks.journal import Journal, Row
from benchmarks.process import module

RESULTS = Path(__file__).parent / "transition" / "results"
QUICKEST = 0.001  # CPU seconds; the resolution of a measurement
WALL = 4.0  # seconds of wall clock for each CPU second of the limit: the machine may be shared

_HEAD = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"


def program(predicates: Sequence[str], declarations: str, body: Sequence[str]) -> str:
    comment = "".join(f" * predicate: {predicate}\n" for predicate in predicates)
    return f"/*\n{comment} */\n{_HEAD}{declarations}\nint main(void)\n{{\n" + "\n".join(body) + "\nreturn 0;\n}\n"


def mirrors(predicates: int) -> str:
    """Pairs of flags that are set alike; two predicates a pair, and a check for each pair."""
    pairs = range(predicates // 2)
    body = [f"if (__VERIFIER_nondet_int()) {{ f{j} = 0; g{j} = 0; }} else {{ f{j} = 1; g{j} = 1; }}" for j in pairs]
    body += [f"if (f{j} == 0 && g{j} != 0) reach_error();" for j in pairs]
    variables = ", ".join(f"f{j}, g{j}" for j in pairs)
    return program([p for j in pairs for p in (f"f{j} == 0", f"g{j} == 0")], f"int {variables};", body)


def locks(predicates: int) -> str:
    """Locks that are taken and released as chosen in each round of a loop; two predicates a lock."""
    each = range(predicates // 2)
    body = ["while (__VERIFIER_nondet_int()) {", *(f"c{j} = __VERIFIER_nondet_int();" for j in each)]
    body += [f"if (c{j} != 0) held{j} = 1;" for j in each]
    body += [f"if (c{j} != 0) {{ if (held{j} != 1) reach_error(); held{j} = 0; }}" for j in each]
    variables = ", ".join(f"c{j}, held{j}" for j in each)
    return program([p for j in each for p in (f"c{j} == 0", f"held{j} == 1")], f"int {variables};", [*body, "}"])


def straight(steps: int) -> str:
    """A fact about an array element that holds before and after many branches; each branch is a step of the path."""
    branches = ["if (__VERIFIER_nondet_int()) y = y + 1; else z = y;"] * steps
    return program(
        ["a[x] == 1", "a[k] == 1", "x == k"],
        "int a[10], x, k, y, z;",
        [
            "x = __VERIFIER_nondet_int(); k = x;",
            "if (x < 0 || x > 9) return 0;",
            "a[x] = 1;",
            *branches,
            "if (a[k] != 1) reach_error();",
        ],
    )


def passing_on(steps: int) -> str:
    """A value that wanders through four variables; each move is a step of the path, as a branch may skip it."""
    places = [((j + 1) % 4, j % 4) for j in range(steps)]
    moves = [f"if (__VERIFIER_nondet_int()) v{to} = v{by}; else v{to} = v0;" for to, by in places]
    return program(
        [f"v{j} == w" for j in range(4)],
        "int v0, v1, v2, v3, w;",
        ["w = __VERIFIER_nondet_int();", "v0 = w; v1 = w; v2 = w; v3 = w;", *moves, "if (v0 != w) reach_error();"],
    )


@dataclass(frozen=True)
class Family:
    """Programs by size; `axis` says what the size is."""

    text: Callable[[int], str]
    axis: str
    sizes: tuple[int, ...]


PREDICATES = (20, 40, 80, 120, 160, 200)
STEPS = (50, 100, 200, 400, 800)
FAMILIES: Mapping[str, Family] = {
    "mirrors": Family(mirrors, "predicates", PREDICATES),
    "locks": Family(locks, "predicates", PREDICATES),
    "straight": Family(straight, "steps", STEPS),
    "passing on": Family(passing_on, "steps", STEPS),
}
CONFIGURATIONS = ("cores", "given", "default")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    journal = Journal(Path(options.results) / "scaling.jsonl", "run")
    for name in options.families or FAMILIES:
        for configuration in CONFIGURATIONS:
            _measure(journal, name, configuration, options.time_limit)
    lines = table(journal)
    (Path(options.results) / "scaling.md").write_text("\n".join([*lines, ""]), encoding="utf-8")
    for axis in dict.fromkeys(family.axis for family in FAMILIES.values()):
        picture = svg(f"Cost against {axis}", axis, "CPU seconds", curves(journal, axis))
        (Path(options.results) / f"scaling-{axis}.svg").write_text(picture, encoding="utf-8")
    print("\n".join(lines))
    return 0


def curves(journal: Journal, axis: str) -> list[Curve]:
    """The CPU seconds of what was decided."""
    found: list[Curve] = []
    for name, family in FAMILIES.items():
        for configuration in CONFIGURATIONS if family.axis == axis else ():
            rows = [(size, journal.rows.get(f"{name}/{size}/{configuration}")) for size in family.sizes]
            points = [(s, max(float(str(r["cpu"])), QUICKEST)) for s, r in rows if r and r["verdict"] == "true"]
            if points:
                found.append(Curve(f"{name}, {configuration}", points))
    return found


def _measure(journal: Journal, name: str, configuration: str, seconds: float) -> None:
    """All sizes of a family; nothing larger than what took too long."""
    for size in FAMILIES[name].sizes:
        key = f"{name}/{size}/{configuration}"
        if key not in journal:
            row = _run(FAMILIES[name].text(size), configuration, seconds)
            journal.add({"run": key, **row})
            print(f"{key}: {row}", file=sys.stderr)
        if journal.rows[key]["verdict"] != "true":
            return


def _run(text: str, configuration: str, seconds: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="scaling-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text, encoding="utf-8")
        run = module("benchmarks.transition.run", [str(path), configuration, f"{seconds:g}"], WALL * seconds)
    try:
        found: Row = json.loads(run.output)
    except json.JSONDecodeError:
        return {"verdict": "crash", "cpu": seconds, "refinements": 0}
    return found


def table(journal: Journal) -> list[str]:
    """A line per family and configuration: CPU seconds (refinements) by size, and the exponent."""
    lines = ["| family | configuration | size: CPU s (refinements) | exponent |", "| --- | --- | --- | --- |"]
    for name, family in FAMILIES.items():
        for configuration in CONFIGURATIONS:
            rows = {size: journal.rows.get(f"{name}/{size}/{configuration}") for size in family.sizes}
            known = {size: row for size, row in rows.items() if row is not None}
            if known:
                cells = ", ".join(f"{size}: {_cell(row)}" for size, row in known.items())
                points = [(s, float(str(r["cpu"]))) for s, r in known.items() if r["verdict"] == "true"]
                lines.append(f"| {name} ({family.axis}) | {configuration} | {cells} | {exponent(points):.1f} |")
    return lines


def _cell(row: Row) -> str:
    note = "" if row["verdict"] == "true" else f" {row['verdict']}"
    return f"{float(str(row['cpu'])):.2f} ({row['refinements']}){note}"


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of logarithms over the larger half of the sizes, least squares; not a number for fewer than two."""
    return slope(points[-max(2, (len(points) + 1) // 2) :])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of logarithms over all sizes, least squares; not a number for fewer than two."""
    if len(points) < 2:
        return math.nan
    xs, ys = [math.log(x) for x, _ in points], [math.log(max(y, QUICKEST)) for _, y in points]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True)) / sum((x - x0) ** 2 for x in xs)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__.splitlines()[0])
    parser.add_argument("--time-limit", type=float, default=120.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--families", type=lambda text: text.split(","), metavar="A,B", help=", ".join(FAMILIES))
    parser.add_argument("--results", default=str(RESULTS), metavar="DIR", help="default: %(default)s")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
