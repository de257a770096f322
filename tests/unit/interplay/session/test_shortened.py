"""Counterexamples are short and the same, whichever engine finds the violation."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.limits import Limits
from core.program import InputKind
from core.verdict import InputValue, Outcome, Shortened, Status, Unsafe
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.examination import Examiner
from interplay.session.member_storage import NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.session import Session
from methods.paths import canonical
from runs.events import Event, TraceShown
from tests.support.fakes import PATH, PHANTOM, FakeTask, ShortenedAtOnce
from tests.support.small_programs import at, counting_loop

NONDET = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
PROGRAMS = {
    "a value": ("int x = __VERIFIER_nondet_int(); if (x > 41 || x < -90) reach_error();", [42]),
    "a sign": (
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\nif (x * 2 < y - 4) reach_error();",
        [0, 5],
    ),
    "rounds": (
        "int s = 0, n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) s += __VERIFIER_nondet_int();\n"
        "if (s > 6) reach_error();",
        [1, 7],
    ),
    "elements": ("int a[3], i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3 && a[i] == 9) reach_error();", None),
}
"""A body of main, and the inputs of its smallest counterexample, in order."""


def traces(body: str, engine: str, folder: Path) -> list[TraceShown]:
    path = folder / "program.c"
    path.write_text(f"{NONDET}int main(void) {{\n{body}\nreturn 0; }}\n")
    events: list[Event] = []
    request = Request(str(path), engine=engine, replay=ReplayMode.INTERPRETER)
    found = Session(request, DefaultServices(), events.append, Steering(), NoStorage()).run().verdict
    assert found.status is Status.FALSE
    return [one for one in events if isinstance(one, TraceShown)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_engines_show_the_same(name: str, tmp_path: Path) -> None:
    body, inputs = PROGRAMS[name]
    first, *others = (traces(body, engine, tmp_path) for engine in ("bmc", "transition", "explicit"))
    assert all(one == first for one in others)
    assert [one.note for one in first] == [""]
    if inputs is not None:
        assert [int(value) for *_, value in first[0].inputs] == inputs


def test_it_says_where_effort_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canonical, "INSTANCES", 0)
    (found,) = traces(PROGRAMS["a value"][0], "bmc", tmp_path)
    assert found.note.startswith("not minimal")
    assert [value for *_, value in found.inputs] == ["42"]  # along its path


class Task(FakeTask):
    """A task that shortens each counterexample to one that no replay confirms."""

    def shortening(self, check: int, claim: Unsafe, seconds: float) -> ShortenedAtOnce:
        return ShortenedAtOnce(Shortened(replace(claim, inputs=(replace(claim.inputs[0], value=PHANTOM),)), True))


def test_a_short_one_that_is_not_confirmed_gives_way_to_the_first() -> None:
    events: list[Event] = []
    kept: list[Outcome] = []
    task = Task("false", counting_loop(11), {})
    claim = Unsafe((InputValue(InputKind.NONDET, "__VERIFIER_nondet_int", at(3, 11), 0, 7),), PATH)
    limits = Limits(None)
    examiner = Examiner(
        task, ReplayMode.INTERPRETER, limits, events.append, id, lambda found: kept.extend(found.values())
    )
    examiner.examine({0: claim})
    assert examiner.examined[0].status is Status.FALSE
    assert kept == [claim]
    assert [one.note[:11] for one in events if isinstance(one, TraceShown)] == ["not minimal"]
