"""Functions without a body of which a user says more: that they change nothing, or never return."""

from pathlib import Path

import pytest

from interplay.api import RunVerdict
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


def test_a_function_with_a_body_does_what_it_does(tmp_path: Path) -> None:
    verdict = verified("", tmp_path, changes_nothing=["main"])
    assert verdict.status == "ERROR"
    assert "main is defined" in verdict.reason


def test_functions_of_the_library_do_what_c_says(tmp_path: Path) -> None:
    verdict = verified("", tmp_path, never_returns=["tgamma"])
    assert verdict.status == "ERROR"
    assert "tgamma is a function of the library" in verdict.reason
