"""With `-fwrapv`, C's signed overflow is none but that of the least number divided by -1."""

from pathlib import Path

import pytest

import interplay
from core.program.properties import UNDEFINED_BEHAVIOUR
from interplay.session.lowered import QUOTIENTS, WRAPS
from tests.support import prepared

EVERYTHING = [one.value for one in UNDEFINED_BEHAVIOUR]


@pytest.mark.parametrize(
    ("body", "check", "flags", "expected"),
    [
        ("x = x + 1;", EVERYTHING, ["-fwrapv"], "true"),
        ("x = -x; x *= 2; x++;", EVERYTHING, ["-fwrapv"], "true"),
        ("x = x + 1;", EVERYTHING, [], "false"),
        ("x = x + 1;", ["overflow"], ["-fwrapv"], "false"),
        ("if (y) x = x / y;", EVERYTHING, ["-fwrapv"], "false"),
        ("if (y) x %= y;", EVERYTHING, ["-fwrapv"], "false"),
        ("if (y > 0) x = x / y;", EVERYTHING, ["-fwrapv"], "true"),
    ],
)
def test_what_it_defines_is_left_out(
    body: str, check: list[str], flags: list[str], expected: str, tmp_path: Path
) -> None:
    found = verdict(body, check, flags, tmp_path)
    assert found.status == expected
    assert (WRAPS in found.assumptions) is (check is EVERYTHING and bool(flags))


@pytest.mark.parametrize(("body", "is_named"), [("x = x + 1;", False), ("if (y) x = x / y;", True)])
def test_a_division_that_may_overflow_is_named(body: str, is_named: bool, tmp_path: Path) -> None:
    found = verdict(f"{body} if (x != x) __builtin_abort();", ["shift", "null"], ["-fwrapv"], tmp_path)
    assert (QUOTIENTS in found.assumptions) is is_named


def verdict(body: str, check: list[str], flags: list[str], folder: Path) -> interplay.RunVerdict:
    file = folder / "a.c"
    declared = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
    file.write_text(f"int __VERIFIER_nondet_int(void);\nint main(void) {{ {declared} {body} return 0; }}\n")
    return prepared.verify(file, engine="bmc", check=check, flag=flags, no_native_replay=True, time_limit=60)
