"""The table of parameters: its rows are well-formed and used, and no number that bounds search stands elsewhere."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from core.parameters import parameters, table_text
from resources import rows

ROOT = Path(__file__).parents[2]
ROOMS = ("methods", "core/analysis", "core/decision", "interplay/portfolio", "interplay/session")
USERS = (*ROOMS, "core/solver", "core/certificate")
PREFIXES = re.compile(r"^(methods\.engines|methods|core|interplay)\.")
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
FUNCTIONS = ("parameter", "real_parameter")

OF_THE_KERNEL = "the kernel has no parameters"
AS_IN_THE_KERNEL = "what it finds is replayed by the kernel, which has the same number"
OF_C = "the least size of a type"
OF_PYTHON = "a distance of a shift that Python still computes"
SHOWN = "how much is shown"
OUTSIDE = "the part of a process beside the run, which is no search"

EXCEPTIONS = {
    "core/analysis/bounds.py _CASES": OF_THE_KERNEL,
    "core/analysis/bounds.py _ENTRIES": OF_THE_KERNEL,
    "core/analysis/bounds.py _LEAVES": OF_THE_KERNEL,
    "core/analysis/bounds.py _LONGEST_SUM": OF_THE_KERNEL,
    "core/analysis/intervals.py _BEGIN": "stands for no edge",
    "core/analysis/intervals.py _KEPT": "the number of views of a program",
    "core/decision/kernel.py _PASSES": OF_THE_KERNEL,
    "core/decision/ring.py MAX_MONOMIALS": OF_THE_KERNEL,
    "core/decision/ring.py HIGHEST_DEGREE": OF_THE_KERNEL,
    "core/decision/widening.py _STEP": OF_THE_KERNEL,
    "core/decision/widening.py _WIDEST": OF_THE_KERNEL,
    "core/decision/strides.py _SMALLEST_TYPE": OF_C,
    "methods/clauses/simplification.py _SMALLEST_WRAP": OF_C,
    "methods/engines/acsar/sums.py _SMALLEST_MODULUS": OF_C,
    "methods/engines/acsar/prefixes.py _WRAPPING": "more values than types have that wrap around",
    "methods/engines/acsar/prefixes.py SHIFTS": "positions beside an index",
    "methods/engines/acsar/samples.py ELEMENT_SIZES": "the sizes of types",
    "methods/engines/acsar/sample_tables.py _PRIME": "a prime number",
    "methods/engines/acsar/compiled.py _LARGEST_SHIFT": OF_PYTHON,
    "methods/engines/concrete/expressions.py WIDEST_SHIFT": OF_PYTHON,
    "methods/domains/explicit/cells.py _WIDEST_SHIFT": OF_PYTHON,
    "methods/domains/zones/linear.py SMALLEST_MODULUS": "the sizes of types",
    "methods/domains/zones/linear.py _MODULUS": "the sizes of types",
    "methods/engines/concrete/inputs.py _WORD": "the range of a type",
    "methods/engines/pdr/execution.py _LOWEST": "the least address of an object",
    "core/decision/ground_clauses.py TRUE": "a literal of the SAT solver",
    "methods/engines/pdr/execution.py LAST": "stands for the last step",
    "methods/engines/pdr/universe.py TRUE": "a literal of the SAT solver",
    "methods/engines/pdr/universe.py NULL": "an element of the universe",
    "methods/refinement/reachability_graph.py NO_CHECK": "stands for no check",
    "interplay/portfolio/fork.py _PIECE": "the size of a buffer",
    "interplay/session/apart.py _SLOWEST": OUTSIDE,
    "interplay/session/apart.py _MEMORY": OUTSIDE,
    "interplay/session/apart.py _LOOK": OUTSIDE,
    "interplay/session/apart.py _PIECE": "the size of a buffer",
    "interplay/session/counterexample.py _SHOWN_ELEMENTS": SHOWN,
    "interplay/session/counterexample.py _SHOWN_INPUTS": SHOWN,
    "interplay/session/reaching.py _TOLD": SHOWN,
    "interplay/session/vacuity.py _NAMED": SHOWN,
    "interplay/session/reaching.py _ADDRESS": "the numbers that stand for addresses",
    "interplay/session/request.py SHORTENING": "the default of an option, --shorten",
    "interplay/session/request.py VACUITY": "the default of an option, --vacuity",
    "interplay/session/request.py LARGEST_SEED": "the largest seed that all solvers take",
    "interplay/session/task.py _SHARE": "what reading the program again needs, which is no search",
}
"""Numbers that are no parameters, with the reason."""


def test_rows_are_well_formed() -> None:
    lines = list(rows(table_text()))
    assert len(lines) == len(parameters())
    for line, one in zip(lines, parameters().values(), strict=True):
        name, _, bounds, swept, meaning = line.split(" | ")
        assert re.fullmatch(r"[a-z-]+(\.[a-z-]+){1,3}", name), name
        assert re.fullmatch(r"[0-9_.]+\.\.[0-9_.]+", bounds), name
        assert swept in ("yes", "no"), name
        assert one.low <= one.default <= one.high, name
        assert meaning.strip(), name


def test_numbers_of_search_are_parameters() -> None:
    found = {
        f"{path} {name}"
        for path, tree in _sources()
        for name, value in _constants(tree)
        if _is_number(value) and CONSTANT.fullmatch(name)
    }
    assert found == EXCEPTIONS.keys()


def test_rows_and_their_users_belong_together() -> None:
    used: list[str] = []
    for path, tree in _sources(USERS):
        texts = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
        used += [text for text in texts if isinstance(text, str) and text in parameters()]
        module = PREFIXES.sub("", path.removesuffix(".py").replace("/", "."))
        for constant, value in _constants(tree):
            match value:
                case ast.Call(ast.Name(function), [ast.Constant(str(name))]) if function in FUNCTIONS:
                    assert name == f"{module}.{constant.lstrip('_').lower()}".replace("_", "-")
                    assert isinstance(parameters()[name].default, float) == (function == "real_parameter"), name
                case _:
                    pass
    assert sorted(used) == sorted(parameters())


@pytest.mark.long
def test_nothing_is_taken_before_a_run_can_choose() -> None:
    modules = ("commands.cli", "commands.handlers", "commands.engine", "session.default_services", "worker")
    imports = "; ".join(f"import interplay.{one}" for one in modules)
    code = f"{imports}; import core.parameters; print(*core.parameters._taken)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def _sources(rooms: Iterable[str] = ROOMS) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(one for room in rooms for one in (ROOT / room).rglob("*.py")):
        yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module gives values, with these."""
    for one in tree.body:
        match one:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                yield name, value
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)):
                pairs = zip(names, values, strict=True)
                yield from ((name.id, value) for name, value in pairs if isinstance(name, ast.Name))
            case _:
                pass


def _is_number(value: ast.expr) -> bool:
    """Whether an expression consists of numbers; a call, as that of `range`, of what it gets."""
    match value:
        case ast.Constant(number):
            return isinstance(number, int | float) and not isinstance(number, bool)
        case ast.UnaryOp(_, operand):
            return _is_number(operand)
        case ast.BinOp(left, _, right):
            return _is_number(left) and _is_number(right)
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts) | ast.Call(_, parts):
            return bool(parts) and all(map(_is_number, parts))
        case _:
            return False
