"""Leaps: an execution that leaves out rounds ends as the one that does not."""

from __future__ import annotations

from random import Random

import pytest

from core.program import Check, Program
from core.verdict import Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from interplay.session.counterexample import trace_event
from methods.engines.concrete.compiler import Data, ProgramCompiler
from methods.engines.concrete.engine import ConcreteEngine
from methods.engines.concrete.inputs import InputGenerator
from methods.engines.concrete.leaps import leap
from methods.engines.concrete.machine import End, Execution
from tests.support.contexts import RecordingContext

HEAD = "void reach_error() {} unsigned x, y; int i, j, s; unsigned f(unsigned z) { return z + 2; } "
LOOPS = {
    "a bound": "while (x < 9000) x++;",
    "two phases": "while (x < 9001) { if (x < 3000) x++; else x += 2; }",
    "a call": "while (x < 9001) x = f(x);",
    "downwards": "i = 9001; while (i > 1) i -= 2;",
    "not equal": "for (i = 0; i != 9000; i++) s += 3;",
    "never equal, and a bound": "for (i = 1; i != 9000 && i < 20001; i += 2) s++;",
    "equal in the middle": "for (i = 0; i < 9000; i++) if (i == 4321) s = i;",
    "wraps around": "for (i = 0; i < 9000; i++) x += 0x1000001;",
    "a remainder": "for (i = 0; i < 9000; i++) if (i / 1000 == 7) s++;",
    "not linear": "for (i = 0; i < 3000; i++) s = s + i % 7;",
    "an inner loop": "for (i = 0; i < 4; i++) { for (j = 0; j < 3000; j++) s++; s += i; }",
    "an array": "int a[5] = {0}; for (i = 0; i < 5000; i++) a[i % 5] = i; s = a[3];",
    "a choice in a number": "for (i = 0; i < 9000; i++) s += i > 5000 ? 2 : 1;",
}


def program(loop: str, condition: str = "0") -> Program:
    source = f"{HEAD} int main() {{ {loop} if ({condition}) reach_error(); return 0; }}"
    return lower(parse_program(source, "small.c", DataModel.LP64), UnreachCall())


def end_of(p: Program, leaping: bool) -> tuple[Check | End, list[Data], Execution]:
    execution = Execution(ProgramCompiler(p), InputGenerator(p, 0).draw)
    end: Check | End = End.RUNNING
    while end is End.RUNNING:
        end = execution.run_to_head(50)
        if leaping and end is End.RUNNING:
            leap(execution)
    return end, execution._globals, execution


@pytest.mark.parametrize("name", list(LOOPS))
def test_an_execution_ends_as_without_leaps(name: str) -> None:
    p = program(LOOPS[name])
    end, values, slow = end_of(p, leaping=False)
    other_end, other_values, fast = end_of(p, leaping=True)
    assert (end, values) == (other_end, other_values)
    if name not in ("not linear", "an array"):
        assert len(fast.trail) < len(slow.trail) / 5


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_random_loops_end_as_without_leaps(seed: int) -> None:
    random = Random(seed)

    def condition() -> str:
        a, b = random.sample(("x", "y", "i", "s", "2 * i - s", "x / 16", "i % 50", "y - x"), 2)
        return f"{a} {random.choice(('<', '>=', '==', '!='))} {random.choice((b, random.randrange(-50, 900)))}"

    def update() -> str:
        return f"{random.choice('xyis')} += {random.randrange(-40, 60)};"

    branches = f"if ({condition()}) {{ {update()} {update()} }} else {{ {update()} {update()} }}"
    p = program(f"for (j = 0; j < 3000 && ({condition()} || {condition()}); j++) {{ {update()} {branches} }}")
    assert end_of(p, leaping=False)[:2] == end_of(p, leaping=True)[:2]


def test_a_path_with_leaps_has_one_gap_between_the_same_places() -> None:
    p = program("while (x < 0x7fffffff) { if (x < 1000000) x++; else x += 2; }", "x % 2 == 0")
    outcome = ConcreteEngine().run(p, [0], RecordingContext())[0]
    assert isinstance(outcome, Unsafe)
    [gap] = outcome.gaps
    before, after = (p.edges[outcome.path[gap.position - i]] for i in (1, 0))
    assert before.target == after.source
    assert p.edges[outcome.path[-1]].target == p.checks[0].location
    changes = dict(trace_event(p, p.checks[0], outcome).steps[gap.position - 1][1])
    assert changes["x"] == "2147483648 (rounds later)"


def test_each_loop_over_which_an_execution_leaps_has_a_gap() -> None:
    p = program("while (x < 1000000) x++; while (y < 1000000) y++;", "x + y == 2000000")
    outcome = ConcreteEngine().run(p, [0], RecordingContext())[0]
    assert isinstance(outcome, Unsafe)
    assert len(outcome.gaps) == 2
    for gap in outcome.gaps:
        before, after = (p.edges[outcome.path[gap.position - i]] for i in (1, 0))
        assert before.target == after.source
    assert p.edges[outcome.path[-1]].target == p.checks[0].location


def test_a_loop_without_end_is_not_left() -> None:
    p = program("while (1) { i = i < 5 ? 7 : 7; }")
    execution = Execution(ProgramCompiler(p), InputGenerator(p, 0).draw)
    execution.run_to_head(50)
    assert not leap(execution)
