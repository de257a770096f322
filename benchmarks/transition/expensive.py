"""Interpolants against the method of Das and Dill where a refinement is expensive, on generated drivers.

    python -m benchmarks.transition.expensive [--time-limit 60] [--results DIR]

A driver hands levels on through a buffer and never shows more than the highest; beside that it has commands, or devices
with modes in an array. All predicates are given, and T̂ is true at first. Most predicates say nothing about the
property but relate what a step reads and writes, so there is much to learn, and much to explore again. The journal
makes a measurement resumable.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.journal import Journal
from benchmarks.scaling import program
from benchmarks.transition.__main__ import RESULTS, Work, results_of, run_one
from benchmarks.transition.programs import Example
from benchmarks.transition.report import comparison_table, program_table

CONFIGURATIONS = ("Das-Dill", "cores", "resolution")
_CHOICE = "if (__VERIFIER_nondet_int())"


def _driver(
    levels: int, cells: int, round_: Sequence[str], predicates: Sequence[str] = (), arrays: Sequence[str] = ()
) -> str:
    """A driver that does the commands `round_` in each round of its loop; the elements of `arrays` are 0 at first."""
    places = ["level", "shown", *(f"buffer[{j}]" for j in range(cells))]
    thresholds = [f"{place} <= {10 * t}" for place in places for t in range(1, levels + 1)]
    body = [
        f"level = __VERIFIER_nondet_int(); shown = 0; if (level < 0 || level > {10 * levels}) return 0;",
        *(f"buffer[{j}] = 0;" for j in range(cells)),
        *(f"{element} = 0;" for element in arrays),
        "while (__VERIFIER_nondet_int()) { command = __VERIFIER_nondet_int();",
        *round_,
        "}",
        f"if (shown > {10 * levels}) reach_error();",
    ]
    declarations = f"int buffer[{cells}], mode[64], opened[64], registers[8], level, shown, command;"
    return program([*thresholds, *predicates], declarations, body)


def _moves(cells: int) -> list[str]:
    moves = ["buffer[0] = level;", *(f"buffer[{j}] = buffer[{j - 1}];" for j in range(1, cells))]
    return [*moves, f"shown = buffer[{cells - 1}];"]


def _switch(commands: Sequence[str]) -> list[str]:
    return ["switch (command) {", *(f"case {n}: {command} break;" for n, command in enumerate(commands)), "}"]


def levels(count: int, cells: int, _: int) -> str:
    """Nothing but levels that move, each cell or not in each round."""
    return _driver(count, cells, [f"{_CHOICE} {move}" for move in _moves(cells)])


def registers(count: int, cells: int, commands: int) -> str:
    """Beside that, commands about registers that no predicate knows."""
    others = [
        f"if (registers[{d % 8}] == {d}) registers[{(d + 1) % 8}] = {d}; else registers[{d % 8}] = 0;"
        for d in range(commands)
    ]
    return _driver(count, cells, [*(f"{_CHOICE} {move}" for move in _moves(cells)), *_switch(others)])


def devices(count: int, cells: int, number: int) -> str:
    """One command in each round: a level moves, or a device changes its mode (closed, open, busy)."""
    others = [
        f"if (mode[{d}] == 0) mode[{d}] = 1; else if (mode[{d}] == 1) mode[{d}] = 2; else mode[{d}] = 0;"
        for d in range(number)
    ]
    predicates = [f"mode[{d}] == {mode}" for d in range(number) for mode in (0, 1)]
    arrays = [f"mode[{d}]" for d in range(number)]
    return _driver(count, cells, _switch([*_moves(cells), *others]), predicates, arrays)


def checked(count: int, cells: int, number: int) -> str:
    """All devices may change in each round, and each is checked: it is busy only if it was opened."""
    others = [
        f"{_CHOICE} {{ if (mode[{d}] == 0) {{ mode[{d}] = 1; opened[{d}] = 1; }}"
        f" else if (mode[{d}] == 1) mode[{d}] = 2; else {{ mode[{d}] = 0; opened[{d}] = 0; }} }}"
        f" if (mode[{d}] == 2 && opened[{d}] != 1) reach_error();"
        for d in range(number)
    ]
    known = [f"mode[{d}] == {mode}" for d in range(number) for mode in (0, 1, 2)]
    arrays = [f"{array}[{d}]" for d in range(number) for array in ("mode", "opened")]
    moves = [f"{_CHOICE} {move}" for move in _moves(cells)]
    return _driver(count, cells, [*moves, *others], [*known, *(f"opened[{d}] == 1" for d in range(number))], arrays)


Sizes = Sequence[tuple[int, int, int]]
FAMILIES: Mapping[str, tuple[Callable[[int, int, int], str], Sizes]] = {
    "levels": (levels, [(8, 8, 0), (16, 8, 0), (32, 8, 0), (64, 8, 0), (96, 8, 0), (32, 12, 0)]),
    "registers": (registers, [(16, 4, 40), (32, 4, 40), (32, 8, 40), (16, 8, 120), (32, 8, 120), (48, 8, 80)]),
    "devices": (devices, [(8, 4, 8), (8, 4, 16), (8, 4, 24), (16, 4, 8), (16, 4, 16), (16, 8, 16)]),
    "checked": (checked, [(4, 4, 2), (4, 4, 4), (4, 4, 8), (8, 4, 4), (8, 4, 8), (8, 8, 4)]),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.transition.expensive", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds; default %(default)s")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="default: %(default)s")
    options = parser.parse_args(arguments)
    journal = Journal(options.results / "expensive.jsonl", "run")
    programs = {f"{name}_{a}_{b}_{c}": text(a, b, c) for name, (text, sizes) in FAMILIES.items() for a, b, c in sizes}
    for name, text in programs.items():
        _measure(journal, name, text, options.time_limit)
    results = results_of(journal, [Example(name, True) for name in programs])
    lines = [*comparison_table(results), "", *program_table(results)]
    (options.results / "expensive.md").write_text("\n".join([*lines, ""]), encoding="utf-8")
    print("\n".join(lines))
    return 1 if any(results.wrong()) else 0


def _measure(journal: Journal, name: str, text: str, time_limit: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.c"
        path.write_text(text, encoding="utf-8")
        for configuration in CONFIGURATIONS:
            one = Work(Example(name, True, Path(folder)), configuration)
            if one.key not in journal:
                journal.add(run_one(one, time_limit))
                print(journal.rows[one.key], file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
