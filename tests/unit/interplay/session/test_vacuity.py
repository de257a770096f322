"""A true that is empty says so: programs in which no execution comes to a check, each beside one in which one does.

The emptiness is proved, and the execution that comes to a check was run by the interpreter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from core.limits import Limits
from core.verdict import CheckResult, Confirmer, Reachability, Status, Verdict
from interplay.api import RunVerdict
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.reaching import ReachingApart
from interplay.session.request import Request, read_request
from interplay.session.services import KnownReach
from interplay.session.vacuity import NO_START, reach, unreached
from runs.events import Event, PhaseStarted
from tests.support import prepared
from tests.support.fakes import FakeServices, FakeTask
from tests.support.small_programs import at, counting_loop

RESULT = CheckResult(0, "assertion", "assertion i == 10", at(6, 5), Status.TRUE, "a certificate")

HEAD = """#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <stdnoreturn.h>
extern int any(void);
extern unsigned natural(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void require(int c) { if (!c) abort(); }
noreturn void stop(int code) { exit(code); }
"""

# name: (with the emptiness, the right twin of it)
ASSUMED = {
    "two bounds": (
        "int x = any(); __VERIFIER_assume(x > 5); __VERIFIER_assume(x < 3); assert(x == 100);",
        "int x = any(); __VERIFIER_assume(x > 5); __VERIFIER_assume(x < 7); assert(x == 6);",
    ),
    "a product": (
        "int x = any(); __VERIFIER_assume(x > 0 && x < 50 && x * x == 7); assert(x == 3);",
        "int x = any(); __VERIFIER_assume(x > 0 && x < 50 && x * x == 49); assert(x == 7);",
    ),
    "after a loop": (
        "unsigned n = natural(), s = 0; for (int i = 0; i < 4; i++) s += n & 1; __VERIFIER_assume(s == 3); assert(n);",
        "unsigned n = natural(), s = 0; for (int i = 0; i < 4; i++) s += n & 1; __VERIFIER_assume(s == 4); assert(n);",
    ),
    "through a function": (
        "int x = any(); require(x > 0); require(x == -1); if (!(x > 3)) reach_error();",
        "int x = any(); require(x > 0); require(x == 11); if (!(x > 3)) reach_error();",
    ),
}
ENDLESS = {
    "nothing in it": (
        "int x = 1; while (x) { } assert(x == 7);",
        "int x = 0; while (x) { } assert(x == 0);",
    ),
    "counts on": (
        "unsigned x = 0; do { x = x + 2; } while (x != 1); assert(x == 0);",
        "unsigned x = 0; do { x = x + 1; } while (x != 9); assert(x == 9);",
    ),
    "waits": (
        "unsigned start = natural(), now = start; while (now == start) { } assert(now != start);",
        "unsigned start = natural(), now = start; while (now == start) { now = natural(); } assert(now != start);",
    ),
    "for ever": (
        "int x = any(); for (;;) { if (x > 0) x = 1; else x = 2; } assert(x == 3);",
        "int x = any(); for (;;) { if (x > 0) break; else x = 2; } assert(x > 0);",
    ),
}
ENDED = {
    "exit": ("int x = any(); exit(0); assert(x == 1);", "int x = any(); if (x != 1) exit(0); assert(x == 1);"),
    "abort": ("int x = any(); if (x) abort(); else abort(); assert(x);", "int x = any(); if (!x) abort(); assert(x);"),
    "a function that never returns": (
        "int x = any(); stop(x); assert(x == 1);",
        "int x = any(); if (x > 1) stop(x); assert(x < 2);",
    ),
    "return": (
        "int x = any(); if (x > 0) return 1; if (x <= 0) return 2; assert(x == 5);",
        "int x = any(); if (x > 5) return 1; if (x < 5) return 2; assert(x == 5);",
    ),
}
DEAD = {
    "a constant": ("int x = any(); if (0) assert(x == 1);", "if (1) assert(sizeof(int) == 4);"),
    "a contradiction": (
        "int x = any(); if (x > 5 && x < 3) { assert(x == 100); }",
        "int x = any(); if (x > 2 && x < 4) { assert(x == 3); }",
    ),
    "data": (
        "int mode = 2, x = any(); if (mode == 1) { assert(x == 4); }",
        "int mode = 2, x = any(); if (mode == 2) { assert(x == x); }",
    ),
    "a case": (
        "unsigned x = natural(); switch (x & 3) { case 5: assert(x == 1); }",
        "unsigned x = natural(); switch (x & 3) { case 3: assert(x & 1); }",
    ),
    "an element": (
        "int a[3] = {1, 2, 3}, x = natural() % 3; if (a[x] == 4) { assert(x == 9); }",
        "int a[3] = {1, 2, 3}, x = natural() % 3; if (a[x] == 3) { assert(x == 2); }",
    ),
}
PARTS = {  # of a condition: what comes before decides
    "the last part": (
        "unsigned x = natural() % 40; if (x > 50) if (any() || natural()) reach_error();",
        "unsigned x = natural() % 40; assert(x < 40 || isnan(x / 1.0));",
    ),
    "a call": (
        "unsigned x = natural() % 40; if (x > 50) { assert(any() || natural()); }",
        "unsigned x = natural() % 40; if (x > 50 && any()) { reach_error(); }",
    ),
    "in brackets": (
        "unsigned x = natural() % 40; if (x > 50) { if (!((any() && x) || any())) reach_error(); }",
        "unsigned x = natural() % 40; if (!(x < 50 || (any() && any()))) goto e; return 0; e: reach_error();",
    ),
    "a choice": (
        "unsigned x = natural() % 40; if (x > 50) { if (any() ? x : any()) reach_error(); }",
        "unsigned x = natural() % 40; if (x > 50 ? any() : 0) reach_error();",
    ),
    "in a loop": (
        "unsigned x = natural() % 40; while (x < 50) { } while (x != 7 || any()) { x = 7; } reach_error();",
        "unsigned x = natural() % 40; while (x < 50 || any()) { } reach_error();",
    ),
}
PROGRAMS = {**ASSUMED, **ENDLESS, **ENDED, **DEAD, **PARTS}
UNCALLED = {  # what a function claims that nothing calls is no check
    "uncalled": "static void test(int x) {\n assert(x == 1); }\nint main(void) { assert(any() | 1); return 0; }",
    "called": "static void test(int x) {\n assert(x != 1); }\nint main(void) { test(any() & 2); return 0; }",
}
UNEXAMINED = {  # functions that no execution enters, and how many they are
    "none": ("static int one(void) { return 1; }", "one()", 0),
    "one calls another": ("int two(void) { return 2; }\nint three(void) { return two() + 1; }", "1", 2),
    "each other": ("int g(int x);\nint f(int x) { return x ? g(x - 1) : 0; }\nint g(int x) { return f(x); }", "1", 2),
    "of a table that is called": ("int one(void) { return 1; }\nint (*table[1])(void) = {one};", "table[0]()", 0),
    "of a table nobody reads": ("int one(void) { return 1; }\nint (*table[1])(void) = {one};", "1", 1),
    "by address": ("int one(void) { return 1; }\nint call(int (*f)(void)) { return f(); }", "call(one)", 0),
    "in an initialiser": ("int one(void) { return 1; }\nint (*chosen)(void) = one;", "chosen()", 0),
}
REQUIRED = {
    "contradiction": "/*@ requires x > 5 && x < 3; ensures \\result == 100; */\nint f(int x) { return x; }",
    "two clauses": "/*@ requires x > 0; requires x + 1 < 1; */\nint f(int x) { assert(x == 3); return x; }",
    "a start": "/*@ requires x > 5 && x < 7; ensures \\result == 6; */\nint f(int x) { return x; }",
    "two starts": "/*@ requires x > 0; requires x < 3; */\nint f(int x) { assert(x == 1 || x == 2); return x; }",
}


def asked(text: str, folder: Path, seconds: float = 10.0) -> tuple[Reachability, str]:
    """What is found out about the only check of a program, without a verdict."""
    file = folder / "a.c"
    file.write_text(f"{HEAD}int main(void) {{\n{text}\nreturn 0; }}\n")
    services = DefaultServices()
    task = services.load(Request(str(file)), lambda name: Path(name).read_text(), lambda _: None)
    (check,) = task.program.checks
    with ReachingApart(task, services, [check.id], lambda: None, seconds) as question:
        found = question.result(Limits())
    known = found.get(check.id)
    return (Reachability.NOT_KNOWN, "") if known is None else (known.reach, known.by)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_where_no_execution_comes_that_is_proved(name: str, tmp_path: Path) -> None:
    reach, by = asked(PROGRAMS[name][0], tmp_path)
    assert reach is Reachability.UNREACHED, (reach, by)
    assert by.startswith((Confirmer.INVARIANT, Confirmer.UNROLLING, "no path")), by


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_where_one_comes_it_is_named(name: str, tmp_path: Path) -> None:
    reach, by = asked(PROGRAMS[name][1], tmp_path)
    assert reach is Reachability.REACHED, (reach, by)
    assert by.startswith("an execution")


def verified(text: str, folder: Path, head: str = HEAD, **options: object) -> RunVerdict:
    file = folder / "a.c"
    file.write_text(head + text)
    return prepared.verify(file, engine="bmc", vacuity=10.0, **options)


@pytest.mark.long
@pytest.mark.parametrize("name", REQUIRED)
def test_a_start_that_nothing_admits_is_an_empty_true(name: str, tmp_path: Path) -> None:
    verdict = verified(REQUIRED[name], tmp_path, entry="f")
    assert verdict.status == "true", verdict
    is_empty = "start" not in name
    assert {one.reach for one in verdict.checks} == {Reachability.UNREACHED if is_empty else Reachability.REACHED}
    assert any(NO_START in line for line in verdict.untested) is is_empty


@pytest.mark.long
@pytest.mark.parametrize("name", UNCALLED)
def test_what_nothing_calls_is_named(name: str, tmp_path: Path) -> None:
    verdict = verified(UNCALLED[name], tmp_path)
    assert verdict.status == "true"
    assert [one.reach for one in verdict.checks] == [Reachability.REACHED]
    line = HEAD.count("\n") + 2
    told = f"nothing calls test ({tmp_path}/a.c:{line}): what is claimed there was not tested"
    assert (told in verdict.untested) is (name == "uncalled")


@pytest.mark.long
@pytest.mark.parametrize("name", UNEXAMINED)
def test_what_no_call_enters_is_counted(name: str, tmp_path: Path) -> None:
    functions, expression, count = UNEXAMINED[name]
    verdict = verified(
        f"{functions}\nint main(void) {{ assert({expression} >= 0); return 0; }}", tmp_path, "#include <assert.h>\n"
    )
    assert verdict.status == "true", verdict
    lines = [one for one in verdict.untested if "examined" in one]
    words = "1 function that {}, was not" if count == 1 else f"{count} functions that {{}}, were not"
    told = words.format("main never calls, directly or through others")
    assert lines == ([f"{told} examined"] if count else [])


def test_functions_that_a_started_one_does_not_call_are_counted(tmp_path: Path) -> None:
    text = "int one(void) { return 1; }\nint two(void) { return one(); }\nint three(void) { return two(); }"
    text += "\nint main(void) { assert(0); return 0; }"
    verdict = verified(text, tmp_path, "", entry="two", check=["overflow"])
    assert any(one.startswith("2 functions that two never calls") for one in verdict.untested), verdict


COUNTED = """int main(void) {
    int x = any();
    assert(x != 5 || x < 7);
    if (x == 123456)
        assert(x > 0);
    %s
    return 0; }
"""


@pytest.mark.long
def test_a_counterexample_counts_for_all_that_it_passes(tmp_path: Path) -> None:
    verdict = verified(COUNTED % "assert(x != 123456);", tmp_path)
    assert verdict.status == "false"
    told = f"the counterexample of line {HEAD.count(chr(10)) + 6}"
    by_line = sorted(verdict.checks, key=lambda one: one.line)
    assert [one.reached_by for one in by_line] == [told, told, "its counterexample"]


@pytest.mark.long
def test_of_a_check_that_is_not_decided_an_execution_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(HEAD + COUNTED % "")
    verdict = prepared.verify(file, engine="acsar", vacuity=10.0)  # which answers only of arrays
    assert verdict.status == "unknown"
    assert {one.reach for one in verdict.checks} == {Reachability.REACHED}


@pytest.mark.long
@pytest.mark.parametrize(("property", "is_asked"), [("no-overflow", True), ("p.prp", False)])
def test_it_is_asked_where_no_file_of_a_benchmark_asks(property: str, is_asked: bool) -> None:
    assert (Request("a.c", property=property).vacuity_seconds() > 0) is is_asked


def test_floating_point_inputs_are_told_as_c_has_them(tmp_path: Path) -> None:
    head = "#include <assert.h>\nextern float __VERIFIER_nondet_float(void);\n"
    text = "int main(void) { float f = __VERIFIER_nondet_float(); if (f > 2.0f && f < 3.0f) assert(f > 1.0f); }"
    verdict = verified(text, tmp_path, head)
    assert verdict.status == "true"
    assert "__VERIFIER_nondet_float() = 2." in verdict.checks[0].reached_by


@dataclass(frozen=True)
class Cancelled:
    """A question whose process does not answer before the run is cancelled (`Reaching`)."""

    steering: Steering

    def __enter__(self) -> Cancelled:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def result(self, limits: Limits) -> Mapping[int, KnownReach]:
        self.steering.cancel()
        limits.check()
        raise AssertionError("the limits do not say that the run is cancelled")


@dataclass(frozen=True)
class Answered:
    """A question to which no execution comes, the answer says (`Reaching`)."""

    def __enter__(self) -> Answered:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def result(self, limits: Limits) -> Mapping[int, KnownReach]:
        return {RESULT.check: KnownReach(Reachability.UNREACHED, "a certificate")}


@pytest.mark.parametrize("other", [Status.FALSE, Status.UNKNOWN])
def test_behind_a_check_that_is_not_decided_executions_may_go_on(other: Status) -> None:
    class Task(FakeTask):
        def reaching(self, *_: object) -> Answered:
            return Answered()

    checks = (RESULT, replace(RESULT, check=1, status=Status.FALSE), replace(RESULT, check=2, status=other))
    task, verdict = Task("false", counting_loop(11), {}), Verdict(Status.FALSE, "assertion", checks)
    first, *_ = reach(task, FakeServices(), Request("a.c"), verdict, lambda: None, Steering(), lambda _: None)
    assert first.reach == (Reachability.UNREACHED if other is Status.FALSE else Reachability.NOT_KNOWN)


def test_an_answer_is_kept_where_the_question_is_cancelled() -> None:
    class Task(FakeTask):
        def reaching(self, *_: object) -> Cancelled:
            return Cancelled(steering)

    steering, events = Steering(), list[Event]()
    verdict = Verdict(Status.TRUE, "", (RESULT,))
    task = Task("true", counting_loop(10), {})
    found = reach(task, FakeServices(), Request("a.c"), verdict, lambda: None, steering, events.append)
    assert [(one.status, one.reach) for one in found] == [(Status.TRUE, Reachability.NOT_KNOWN)]
    assert events == [PhaseStarted("reach")]


@pytest.mark.parametrize(
    "request_", [Request("a.yml"), Request("a.c", property="unreach-call.prp"), Request("a.c", vacuity=0.0)]
)
def test_where_the_verdict_alone_counts_nothing_is_asked(request_: Request) -> None:
    events: list[Event] = []
    verdict = Verdict(Status.TRUE, "", (RESULT,))
    task = FakeTask("true", counting_loop(10), {})
    found = reach(task, FakeServices(), request_, verdict, lambda: None, Steering(), events.append)
    assert (found, events) == ((RESULT,), [])
    assert Request("a.c", time_limit=10.0).vacuity_seconds() == 1.0


def test_no_time_for_it_is_kept_in_run_files() -> None:
    assert read_request(Request("a.c", vacuity=0.0).to_json()).vacuity_seconds() == 0.0


def test_a_violation_is_reached_by_its_counterexample() -> None:
    failing = replace(RESULT, status=Status.FALSE)
    verdict = Verdict(Status.FALSE, "assertion", (failing,))
    task = FakeTask("false", counting_loop(11), {})
    (found,) = reach(task, FakeServices(), Request("a.c"), verdict, lambda: None, Steering(), lambda _: None)
    assert (found.reach, found.reached_by) == (Reachability.REACHED, "its counterexample")


def test_a_place_that_is_reached_for_another_check_is_not_said_to_be_unreached() -> None:
    empty = replace(RESULT, reach=Reachability.UNREACHED)
    told = f"no execution reaches {RESULT.span.file}:6:5: what stands there was not tested"
    failing, elsewhere = replace(RESULT, check=1, status=Status.FALSE), replace(RESULT, check=2, span=at(6, 9))
    assert unreached((empty, failing)) == ()
    assert unreached((empty, replace(elsewhere, reach=Reachability.REACHED))) == (told,)
