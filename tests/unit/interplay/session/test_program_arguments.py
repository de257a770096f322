"""Programs that read their arguments and their environment: strings of any length, and null behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interplay.api import RunVerdict
from interplay.session.request import ARGUMENTS
from tests.support import prepared

ACCESSES = ["null", "dangling", "bounds"]
HEAD = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n"
WRONG = {
    "a character": ("if (c > 1) assert(v[1][0] != '-');", []),
    "an argument that may not be there": ("assert(v[1] != 0);", []),
    "one of two arguments": ("if (c == 3 && !strcmp(v[1], \"-n\")) assert(v[2][0] != '7' || v[2][1] != 'x');", []),
    "a number in an argument": ("if (c > 1) assert(atoi(v[1]) != 42);", []),
    "the environment": ("if (e[0]) assert(e[0][0] != 'H');", []),
    "a variable of the environment": ("char *h = getenv(\"HOME\"); if (h) assert(h[0] == '/');", []),
    "two variables": ('assert(!getenv("A") == !getenv("B"));', []),
    "null behind the arguments": ("return v[1][0];", ["null"]),
    "behind null": ("return v[2] != 0;", ["dangling"]),
    "behind a string": ("if (c > 1 && !v[1][0]) return v[1][1];", ["dangling"]),
    "an argument that is too long": ("char b[4]; if (c > 1) strcpy(b, v[1]);", ["dangling"]),
    "a variable that is too long": ('char b[4], *h = getenv("A"); if (h) strcpy(b, h);', ["dangling"]),
    "a release": ("free(v[0]);", ["dangling"]),
    "a loop too far": ("for (int i = 1; i <= c; i++) if (v[i][0] == '-') return 1;", ["null"]),
}
RIGHT = {
    "at least one argument": ("assert(c >= 1 && v[0] != 0 && v[c] == 0);", []),
    "strings do not overlap": (
        "if (c < 3) return 0; char old = v[2][0]; v[1][0] = 7; assert(v[1] != v[2] && v[2][0] == old);",
        [],
    ),
    "a variable has one value": ('assert(!getenv("A") == !getenv("A"));', []),
    "the name of the program": ("return v[0][0];", ACCESSES),
    "up to the end of a string": ("if (c > 1) for (char *p = v[1]; *p; p++) if (*p == 'x') return 1;", ACCESSES),
    "writes within a string": ("if (c > 1 && v[1][0]) v[1][0] = 'A';", ACCESSES),
    "the environment": ("while (*e) e++;", ACCESSES),
    "two arguments change places": ("if (c > 2) { char *t = v[1]; v[1] = v[2]; v[2] = t; return v[1][0]; }", ACCESSES),
    "values that were written": ("if (c > 1) return v[1][0];", ["uninitialized"]),
}


NOT_BOUNDED = ("a variable that is too long", "up to the end of a string", "the environment")
"""What one engine alone does not decide soon."""


def verify(
    tmp_path: Path,
    body: str,
    check: list[str],
    argc: str | None = None,
    property: str | None = None,
    engine: str = "bmc",  # arguments mean the same to every engine; this one is the quickest with them
) -> RunVerdict:
    file = tmp_path / "t.c"
    file.write_text(f"{HEAD}int main(int c, char **v, char **e) {{ {body} return 0; }}\n")
    return prepared.verify(str(file), check=check, time_limit=100, argc=argc, property=property, engine=engine)


def _engine(name: str) -> str:
    return "portfolio" if name in NOT_BOUNDED else "bmc"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_what_some_arguments_violate(name: str, tmp_path: Path) -> None:
    body, check = WRONG[name]
    result = verify(tmp_path, body, check, engine=_engine(name))
    assert result.status == "false", result.reason
    assert check or "getenv" in body or "native replay (gcc" in (result.confirmed_by or "")


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", RIGHT)
def test_what_holds_for_all_arguments(name: str, tmp_path: Path) -> None:
    body, check = RIGHT[name]
    result = verify(tmp_path, body, check, engine=_engine(name))
    assert result.status == "true", result.reason


@pytest.mark.long
@pytest.mark.parametrize(("argc", "status"), [(None, "true"), ("at-least-one", "true"), ("any", "false")])
def test_no_arguments_at_all(argc: str | None, status: str, tmp_path: Path) -> None:
    result = verify(tmp_path, "assert(c >= 1);", [], argc=argc)
    assert result.status == status


@pytest.mark.long
def test_the_arguments_are_told(tmp_path: Path) -> None:
    body = "if (c == 3 && v[1][0] == '-' && v[1][1] == '\\n' && !v[1][2]) assert(v[2][0] != '7' || v[2][1]);"
    assert (verify(tmp_path, body, []).confirmed_by or "").endswith("; started as: program $'\\x2d\\x0a' 7")


@pytest.mark.long
def test_a_property_admits_no_arguments(tmp_path: Path) -> None:
    assert verify(tmp_path, "return v[0][0];", [], property="valid-deref").status == "false"


@pytest.mark.long
@pytest.mark.parametrize(("body", "is_told"), [("assert(c > -1);", True), ("int x = 1; assert(x);", False)])
def test_the_first_lines_say_how_many_there_are(body: str, is_told: bool, tmp_path: Path) -> None:
    result = verify(tmp_path, body, [])
    assert result.status == "true"
    assert (ARGUMENTS in result.premises) is is_told
