"""The reducer keeps what goes wrong and leaves out the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.reduce import Predicate, is_c, main, reduce
from interplay.session.request import Request
from tests.random_programs.enumeration import gcc_is_there
from tests.random_programs.memory_generator import PRELUDE
from tests.random_programs.memory_truth import KINDS
from tests.seeded_bugs.memory_mutations import MEMORY_BUGS

pytestmark = pytest.mark.skipif(not gcc_is_there(), reason="needs gcc")

_TEXT = """static int f(int n) { return n + 1; }
int main(void) {
    int x = 3, y = 5;
    while (x < 10) {
        x = f(x) + (y * 2);
        if (x > 4) {
            y = x / (y - 1);
        }
    }
    return x;
}
"""


def test_only_what_matters_is_left() -> None:
    reduced = reduce(_TEXT, lambda text: "/" in text and is_c(text))
    assert len(reduced.splitlines()) <= 4
    assert "/" in reduced
    assert "while" not in reduced


def test_nothing_is_lost_that_matters() -> None:
    assert reduce(_TEXT, lambda text: text == _TEXT) == _TEXT


def test_a_deadline_ends_it() -> None:
    assert reduce(_TEXT, is_c, deadline=0.0) == _TEXT


def test_a_program_without_a_fault_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fine.c"
    file.write_text("int main(void) { return 0; }\n")
    assert main([str(file), "--engine", "bmc", "--expect", "rejected"]) == 1
    assert "nothing to reduce" in capsys.readouterr().err


_NULL = f"""{PRELUDE}
int g;
int main(void) {{
    int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x <= 2);
    g = x;
    int b[3] = {{1, 2, 3}};
    int *p = b + 2;
    p = p - x;
    return b[*p] + g;
}}
"""


@pytest.mark.long
def test_a_contradiction_is_reduced_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    how = Request("", engine="bmc", time_limit=4.0)
    predicate = Predicate(how, KINDS, "true")
    assert not predicate(_NULL)
    MEMORY_BUGS["pointers_only_move_forwards"](monkeypatch)
    assert Predicate(how, KINDS, "unconfirmed")(_NULL)
