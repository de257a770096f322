"""Counts the lines that must be right for a `true` to be right, part by part, as `ARCHITECTURE.md` states them.

Run as `python -m scripts.trusted_lines`; a file of the certificate check that is in no part is an error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDED = 50
"""Lines to which the page rounds."""


def _in(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.py" for name in names)


PARTS: dict[str, tuple[str, ...]] = {
    "the kernel": _in("core/decision", "kernel"),
    "beside it: justifications, the ring of polynomials, widths, the record of what solvers answer": _in(
        "core/decision", "justification", "ring", "widening", "solver_record"
    ),
    "intervals": (
        *("core/analysis/bounds.py", "core/terms/interval.py", "core/solver/subdivision.py"),
        "core/decision/reading.py",
    ),
    "the prover, results, quantifiers": _in("core/decision", "prover", "proof_results", "quantified", "quantifiers"),
    "instances for lists": (
        *_in(
            "core/decision", "class_models", "instance_search", "ground_clauses", "grounding", "quotients", "relational"
        ),
        "sat/solver.py",
    ),
    "rules of certificates": _in("core/certificate", "*"),
    "adapters of cvc5 and Bitwuzla": _in(
        "core/solver",
        "contract",
        "evidence",
        "cvc5_solver",
        "bitwuzla_solver",
        "functions",
        "float_vectors",
        "multiplexers",
        "wrapping",
    ),
    "terms": (
        *_in("core/terms", "__init__", "arena", "arrays", "evaluate", "operators", "sorts", "tables", "term"),
        *_in("core/terms", "traversal", "floats", "float_functions", "sums"),
    ),
    "semantics of programs": (
        *_in("core/program", "__init__", "automaton", "blocks", "endings", "expansion", "exploration_order", "loops"),
        *_in("core/program", "memory", "modular", "orders", "semantics", "source", "span", "unwinding"),
        *_in("core", "verdict", "limits", "dataclass", "pattern"),
    ),
    "front end": (
        *(f"frontend/{room}/**/*.py" for room in ("preprocessing", "parsing", "typed", "elaboration", "acsl", "libc")),
        "frontend/properties/**/*.py",
        *("frontend/*.py", "resources/__init__.py"),
    ),
    "lowering": ("frontend/lowering/**/*.py", "core/analysis/classes.py"),
}
"""What a `true` rests on, beside Python, cvc5 and Bitwuzla, and Glucose for lists."""

FALSE_PARTS: dict[str, tuple[str, ...]] = {
    "interpreter of typed C": ("frontend/interpreter/**/*.py",),
    "native replay": ("frontend/replay/**/*.py",),
}
"""What a `false` rests on beside the front end."""

SEARCH = _in(
    "core/decision",
    *("bounding", "cases", "instances", "polynomials", "proof_search", "propositional", "refutation"),
    *("strides", "value_sets"),
)
"""The search for justifications: whatever it returns, the kernel decides whether that counts."""

NOT_BELIEVED = (
    *SEARCH,
    *_in("sat", *("__init__", "circuit", "cnf", "cores", "interpolants", "proof_trace", "raising", "refutation")),
    "sat/resolution.py",
    "core/evidence_steps.py",
    "core/parameters.py",
    *_in(
        "core/terms",
        "bounds_text",
        "float_text",
        "linear_text",
        "notation",
        "printing",
        "python",
        "smtlib_writer",
        "wraparound",
    ),
)
"""Files that the check imports and that cannot make it accept what is wrong: search, and how things are written."""


def files_of(patterns: Iterable[str]) -> set[str]:
    return {str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern)}


def lines_of(files: Iterable[str]) -> int:
    return sum(len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in files)


def lines_by_part() -> dict[str, int]:
    """The lines of each part."""
    parts = {**PARTS, **FALSE_PARTS, "the search for justifications": SEARCH}
    return {part: lines_of(files_of(patterns)) for part, patterns in parts.items()}


def rounded(lines: int) -> int:
    return round(lines / ROUNDED) * ROUNDED


def unassigned() -> set[str]:
    """The files that the check of certificates and its solvers import, directly or not, and that are in no part."""
    known = files_of(pattern for patterns in (*PARTS.values(), NOT_BELIEVED) for pattern in patterns)
    return _imported("core/certificate/check.py", "core/solver/evidence.py") - known


def _imported(*first: str) -> set[str]:
    found: set[str] = set()
    waiting = list(first)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name)
    return found


def _imports(name: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for module in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                path = module.replace(".", "/")
                yield from (f for f in (f"{path}.py", f"{path}/__init__.py") if (ROOT / f).is_file())


def main() -> None:
    """Print the parts as a table."""
    for part, lines in lines_by_part().items():
        print(f"| {part} | {rounded(lines):,} |")
    for name in sorted(unassigned()):
        print(f"in no part: {name}")


if __name__ == "__main__":
    main()
