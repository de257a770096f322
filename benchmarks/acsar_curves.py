"""Cost of the engine `acsar` against the number of arrays and of loops, on generated programs of symbolic size.

    python -m benchmarks.acsar_curves [--time-limit 60] [--families copies,rounds] [--results DIR]

Each cell is one run of `interplay verify`: CPU seconds of all its processes, start-up and evidence included. The
journal makes a measurement resumable. The exponent is that of the power of the size that fits the larger half best.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.curves import Curve, svg
from benchmarks.journal import Journal, Row, cell
from benchmarks.process import interplay
from benchmarks.scaling import exponent
from core.dataclass import dataclass

WALL = 20.0  # seconds of wall clock for each CPU second of the limit: the machine may be shared
ARRAYS = tuple(range(1, 11))
LOOPS = tuple(range(1, 9))


def program(arrays: int, loops: Sequence[str], wrong: str) -> str:
    """A program with arrays of a size that is not known; each of `loops` is what a loop does in round i."""
    names = ", ".join(f"a{j}[n]" for j in range(arrays))
    return "\n".join(
        [
            "extern int __VERIFIER_nondet_int(void);",
            "extern void reach_error(void);",
            "int main(void)",
            "{",
            "    int n = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int();",
            "    if (n < 1)",
            "        return 0;",
            f"    int {names};",
            *(f"    for (int i = 0; i < n; i++) {{ {body} }}" for body in loops),
            "    int q = __VERIFIER_nondet_int();",
            f"    if (0 <= q && q < n && {wrong})",
            "        reach_error();",
            "    return 0;",
            "}",
            "",
        ]
    )


def copies(arrays: int) -> str:
    """One loop that passes a value on from array to array, so that all of them meet."""
    steps = ["a0[i] = v;", *(f"a{j}[i] = a{j - 1}[i];" for j in range(1, arrays))]
    return program(arrays, [" ".join(steps)], f"a{arrays - 1}[q] != v")


def fills(arrays: int) -> str:
    """One loop that fills arrays which have nothing to do with each other."""
    steps = [f"a{j}[i] = v;" for j in range(arrays)]
    return program(arrays, [" ".join(steps)], "(" + " || ".join(f"a{j}[q] != v" for j in range(arrays)) + ")")


def rounds(loops: int) -> str:
    """Loops over one array, each of which adds to what the one before has left."""
    return program(1, ["a0[i] = 0;", *["a0[i] = a0[i] + 1;"] * (loops - 1)], f"a0[q] != {loops - 1}")


def passing(loops: int) -> str:
    """Loops that copy an array each, to one of its own."""
    bodies = ["a0[i] = v;", *(f"a{j}[i] = a{j - 1}[i];" for j in range(1, loops))]
    return program(loops, bodies, f"a{loops - 1}[q] != v")


@dataclass(frozen=True)
class Family:
    """Programs by size; `axis` says what the size is."""

    text: Callable[[int], str]
    axis: str
    sizes: tuple[int, ...]


FAMILIES: Mapping[str, Family] = {
    "copies": Family(copies, "arrays", ARRAYS),
    "fills": Family(fills, "arrays", ARRAYS),
    "rounds": Family(rounds, "loops", LOOPS),
    "passing": Family(passing, "loops", LOOPS),
}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    folder = Path(options.results)
    journal = Journal(folder / "acsar-curves.jsonl", "run")
    for name in options.families or FAMILIES:
        _measure(journal, name, options.time_limit)
    for axis in dict.fromkeys(family.axis for family in FAMILIES.values()):
        picture = svg(f"Cost against {axis}", axis, "CPU seconds", curves(journal, axis))
        (folder / f"acsar-{axis}.svg").write_text(picture, encoding="utf-8")
    print("\n".join(table(journal)))
    return 0


def curves(journal: Journal, axis: str) -> list[Curve]:
    """The CPU seconds of what was proved."""
    found = {name: _points(journal, name) for name, family in FAMILIES.items() if family.axis == axis}
    return [Curve(name, points) for name, points in found.items() if points]


def table(journal: Journal) -> list[str]:
    """A line for each family: CPU seconds by size, and the exponent."""
    lines = ["| family | size: CPU s | exponent |", "| --- | --- | --- |"]
    for name, family in FAMILIES.items():
        rows = {size: journal.rows.get(f"{name}/{size}") for size in family.sizes}
        known = ", ".join(f"{size}: {cell(row)}" for size, row in rows.items() if row is not None)
        if known:
            lines.append(f"| {name} ({family.axis}) | {known} | {exponent(_points(journal, name)):.1f} |")
    return lines


def _points(journal: Journal, name: str) -> list[tuple[float, float]]:
    rows = [(size, journal.rows.get(f"{name}/{size}")) for size in FAMILIES[name].sizes]
    return [(float(size), float(str(row["cpu"]))) for size, row in rows if row and row["verdict"] == "true"]


def _measure(journal: Journal, name: str, seconds: float) -> None:
    """All sizes of a family; nothing larger than what took too long."""
    for size in FAMILIES[name].sizes:
        key = f"{name}/{size}"
        if key not in journal:
            journal.add({"run": key, **_run(FAMILIES[name].text(size), seconds)})
            print(f"{key}: {journal.rows[key]}", file=sys.stderr)
        if journal.rows[key]["verdict"] != "true":
            return


def _run(text: str, seconds: float) -> Row:
    with tempfile.TemporaryDirectory(prefix="acsar-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text, encoding="utf-8")
        run = interplay(["verify", str(path), "--engine", "acsar", "--time-limit", f"{seconds:g}"], WALL * seconds)
    last = run.output.decode().strip().splitlines()[-1:]
    return {"verdict": last[0].removeprefix("VERDICT: ") if last else "none", "cpu": round(run.cpu, 2)}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.acsar_curves", description=__doc__.splitlines()[0])
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--families", type=lambda text: text.split(","), metavar="A,B", help=", ".join(FAMILIES))
    parser.add_argument("--results", default=".", metavar="DIR", help="default: here")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
