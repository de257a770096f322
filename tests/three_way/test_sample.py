"""Generated programs by gcc, in the interpreter of typed C and as a lowered Program: the same ends and checksums."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from core.program import Input
from core.program.simulate import BudgetExceeded, Ended, Reached, Stuck
from core.program.simulate import simulate as simulate_slowly
from core.terms import ArraySort, ArrayValue, Value
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support.compiled import Compiled
from tests.three_way.batches import compared, native_runs
from tests.three_way.generator import generate
from tests.three_way.native import Native
from tests.three_way.pieces import PIECES, UNDECIDED
from tests.three_way.tasks import Ran, three_ways

pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")]


FLAGGED = [
    replace(DataModel.ILP32, unsigned_char=True, short_enums=True),
    replace(DataModel.LP64, unsigned_char=True, short_wchar=True, pack=2),
]


@pytest.mark.parametrize("count", [4, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_generated_programs(model: DataModel, count: int, tmp_path: Path) -> None:
    programs = [generate(1, number, model) for number in range(count)]
    answers = [
        compared(program, model, native)
        for program, native in zip(programs, native_runs(programs, model, tmp_path), strict=True)
    ]
    assert [answer.different for answer in answers if answer.different] == []
    assert sum(not answer.refused for answer in answers) == count


def test_every_piece_is_taken(tmp_path: Path) -> None:
    model = DataModel.LP64
    programs = [generate(2, number, model, (name,)) for number, name in enumerate(sorted(PIECES))]
    found = {}
    for program, native in zip(programs, native_runs(programs, model, tmp_path), strict=True):
        answer = compared(program, model, native)
        found[program.pieces[0]] = answer.refused or answer.different
    assert {name for name, why in found.items() if why} <= UNDECIDED


def test_same_seed_same_program() -> None:
    assert generate(3, 7, DataModel.ILP32) == generate(3, 7, DataModel.ILP32)
    assert generate(3, 7, DataModel.ILP32).text != generate(4, 7, DataModel.ILP32).text


def _supply(asked: Input) -> Value:
    return ArrayValue(1) if isinstance(asked.symbol.sort, ArraySort) else asked.span.line % 2


@pytest.mark.parametrize("number", range(6))
def test_compiled_simulation_means_the_same(number: int) -> None:
    """The fast simulation against the one that defines the meaning."""
    names = tuple(sorted(PIECES.keys() - UNDECIDED)[number::6])
    text = generate(5, number, DataModel.ILP32, names).text
    program = lower(parse_program(text, "program.c", DataModel.ILP32), UnreachCall())
    fast, slow = Compiled(program).run(_supply, 50_000), simulate_slowly(program, _supply, 50_000)
    assert dict(fast.globals) == dict(slow.globals)
    match slow:
        case Reached(check):
            assert fast.check == check
        case Ended():
            assert fast.ended
        case Stuck(location):
            assert fast.stuck == location
        case BudgetExceeded():
            assert not fast.ended


TASK = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void abort(void);
extern void *malloc(unsigned);
static int table[3], count;
static int twice(int n) { count++; return 2 * n; }
int main(void)
{
    int local, *fresh = malloc(8), n = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++)
        table[i] = twice(__VERIFIER_nondet_int() + i);
    if (local != *fresh || n > 100000)
        abort();
    if (table[1] > 2)
        reach_error();
    return 0;
}
"""


def test_a_task(tmp_path: Path) -> None:
    file = tmp_path / "task.c"
    file.write_text(TASK)
    found = three_ways(file, DataModel.ILP32, Native(tmp_path, DataModel.ILP32))
    assert isinstance(found, Ran)
    assert found.equal, found
    assert {"returned/returned/returned", "error/error/error"} <= set(found.ends)


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same task, where the lowering takes 2 * n for 3 * n."""
    file = tmp_path / "task.c"
    file.write_text(TASK)
    broken = lower(parse_program(TASK.replace("2 * n", "3 * n"), str(file), DataModel.ILP32), UnreachCall())
    monkeypatch.setattr("tests.three_way.tasks.lower", lambda *_: broken)
    found = three_ways(file, DataModel.ILP32, Native(tmp_path, DataModel.ILP32))
    assert isinstance(found, Ran)
    assert any("table" in text for text in found.different)
    assert any("program" in text for text in found.different)
    assert not any(text.startswith("gcc, interpreter") for text in found.different)
