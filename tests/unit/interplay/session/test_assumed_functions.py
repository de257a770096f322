"""Functions without a body of which a user says more: that they change nothing, or never return."""

from pathlib import Path

import pytest

from interplay.api import RunVerdict
from interplay.session.request import Request
from interplay.session.verification_task import read_verification_task
from tests.support import prepared

PROGRAM = """#include <assert.h>
struct state { int level; int *other; };
extern int sensor(struct state *s);
extern void halt(int code);
extern int *place(void);
int main(void) {
    int kept = 7;
    struct state s = {3, &kept};
    int got = sensor(&s);
    %s
    return 0;
}
"""
BOTH = {"changes_nothing": ["sensor"], "never_returns": ["halt"]}


def verified(text: str, folder: Path, **options: object) -> RunVerdict:
    file = folder / "a.c"
    file.write_text(PROGRAM % text)
    return prepared.verify(file, engine="bmc", vacuity=0.0, **options)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "plain", "assumed"),
    [
        ("assert(s.level == 3);", "false", "true"),
        ("assert(*s.other == 7 && kept == 7);", "unknown", "true"),
        ("assert(got == 1);", "false", "false"),  # its result may be any, as before
        ("if (got == 4) { halt(1); assert(0); }", "false", "true"),
        ("if (got == 4) halt(1); assert(got != 4);", "false", "true"),
        ("if (got == 4) halt(1); assert(got != 5);", "false", "false"),
    ],
)
def test_what_is_assumed_decides(text: str, plain: str, assumed: str, tmp_path: Path) -> None:
    before, after = verified(text, tmp_path), verified(text, tmp_path, **BOTH)
    assert (before.status, after.status) == (plain, assumed)
    assert "undefined functions: sensor returns any int and changes nothing" in after.assumptions
    assert ("undefined functions: halt never returns" in after.assumptions) is ("halt" in text)
    assert not any("changes nothing" in one or "never returns" in one for one in before.assumptions)


@pytest.mark.long
def test_pointers_that_such_a_function_returns_come_from_outside(tmp_path: Path) -> None:
    text = "int *p = place(); if (p) assert(*p == 3); assert(kept == 7);"
    plain, assumed = (verified(text, tmp_path, changes_nothing=["sensor", *more]) for more in ([], ["place"]))
    statuses = [{one.line: one.status for one in verdict.checks} for verdict in (plain, assumed)]
    assert statuses[0] == statuses[1]


@pytest.mark.parametrize(("assumed", "status"), [([], "true"), (["fill"], "false")])
def test_what_such_a_function_is_given_was_still_never_written(assumed: list[str], status: str, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("extern void fill(int *p);\nint main(void) { int x; fill(&x); return x; }\n")
    verdict = prepared.verify(file, engine="bmc", vacuity=0.0, check=["uninitialized"], changes_nothing=assumed)
    assert verdict.status == status


def test_a_function_with_a_body_does_what_it_does(tmp_path: Path) -> None:
    verdict = verified("", tmp_path, changes_nothing=["main"])
    assert verdict.status == "ERROR"
    assert "main is defined" in verdict.reason


def test_functions_of_the_library_do_what_c_says(tmp_path: Path) -> None:
    verdict = verified("", tmp_path, never_returns=["tgamma"])
    assert verdict.status == "ERROR"
    assert "tgamma is a function of the library" in verdict.reason


def test_nothing_is_assumed_of_functions_that_are_not_there() -> None:
    request = Request("a.c", changes_nothing=("sensro", "halt"), never_returns=("stop",))
    unit = read_verification_task(request, lambda _: PROGRAM % "").parsed()
    told = "there is no function {}, of which something is assumed"
    assert [str(one) for one in unit.warnings] == [
        f"--changes-nothing:1: warning: {told.format('sensro')}; did you mean sensor?",
        f"--never-returns:1: warning: {told.format('stop')}",
    ]
