"""Numbers made of pointers, and pointers made of numbers, from the command line to the verdict."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.verdict import Verdict
from frontend.options import Malloc
from interplay.session.request import ReplayMode, Request
from tests.support.verdicts import bare_verdict
from tests.unit.interplay.session.numbered_programs import ANYWHERE, NAMES, REGISTERS, WHEREVER, asserting, right, wrong

NO_LEAKS = {"ASAN_OPTIONS": "detect_leaks=0"}
ACCESSES = ("bounds", "null", "dangling")


def verdict(text: str, folder: Path, *checks: str, engine: str = "bmc") -> Verdict:
    """The verdict about a program where allocation succeeds."""
    path = folder / "program.c"
    path.write_text(text)
    request = Request(str(path), engine=engine, replay=ReplayMode.INTERPRETER, checks=checks, malloc=Malloc.SUCCEEDS)
    return bare_verdict(request)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in NAMES if name != "bytes"])  # whose proof takes a minute
def test_accesses_through_numbers_are_proved(name: str, tmp_path: Path) -> None:
    assert str(verdict(right(name), tmp_path, *ACCESSES, engine="bmc" if name == "tag" else "transition")) == "true"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_flaws_behind_numbers_are_found_and_confirmed(name: str, tmp_path: Path) -> None:
    found = verdict(wrong(name), tmp_path, *ACCESSES)
    assert str(found.status) == "false"
    assert found.confirmed_by == "interpreter of typed C"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_address_sanitizer_agrees(name: str, tmp_path: Path) -> None:
    for make, is_flawed in ((right, False), (wrong, True)):
        (tmp_path / "a.c").write_text(make(name))
        flags = ["-w", "-g", "-O0", "-m32", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        subprocess.run(["gcc", *flags, str(tmp_path / "a.c"), "-o", str(tmp_path / "a")], check=True)
        assert (
            subprocess.run([tmp_path / "a"], capture_output=True, check=False, env=NO_LEAKS).returncode != 0
        ) == is_flawed


@pytest.mark.long
@pytest.mark.parametrize("name", ANYWHERE)
def test_nothing_is_proved_of_where_objects_lie(name: str, tmp_path: Path) -> None:
    """The interpreter lets them lie where the counterexample has them."""
    found = verdict(asserting(ANYWHERE[name]), tmp_path)
    assert (str(found), found.confirmed_by) == ("false(assertion)", "interpreter of typed C")


@pytest.mark.long
@pytest.mark.parametrize("name", WHEREVER)
def test_what_holds_wherever_objects_lie_is_proved(name: str, tmp_path: Path) -> None:
    assert str(verdict(asserting(WHEREVER[name]), tmp_path, *ACCESSES)) == "true"


TOUCHING = """#include <assert.h>
#include <stdint.h>
int a, b;
int main(void) { assert((uintptr_t)(&a + %d) != (uintptr_t)&b); }
"""


def test_objects_may_touch(tmp_path: Path) -> None:
    found = verdict(TOUCHING % 1, tmp_path)
    assert (str(found), found.confirmed_by) == ("false(assertion)", "interpreter of typed C")
    assert str(verdict(TOUCHING % 0, tmp_path)) == "true"


ALIGNED = """#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) { char *p = aligned_alloc(64, 64); assert((uintptr_t)p %% %d == 0); }
"""


@pytest.mark.parametrize("number", [64, 128])
def test_memory_has_the_alignment_that_is_asked_for(number: int, tmp_path: Path) -> None:
    assert (str(verdict(ALIGNED % number, tmp_path)) == "true") == (number == 64)


NO_BYTES = """#include <stdlib.h>
int main(void) { int *p = malloc(4); int *q = realloc(p, 0); free(%s); return q != 0; }
"""


@pytest.mark.parametrize(("pointer", "status"), [("q", "true"), ("p", "false(dangling)")])
def test_a_block_of_no_bytes_in_place_of_another_is_its_release(pointer: str, status: str, tmp_path: Path) -> None:
    """As by glibc, where null is the result and the second release of `p` ends the program."""
    assert str(verdict(NO_BYTES % pointer, tmp_path, "dangling")) == status


def test_registers_are_objects(tmp_path: Path) -> None:
    assert str(verdict(REGISTERS, tmp_path, *ACCESSES)) == "true"
    assert str(verdict(REGISTERS.replace("volatile ", ""), tmp_path, *ACCESSES)) == "false(dangling)"


COPY = "unsigned char raw[16] = {1, 2, 3}; struct h { unsigned short a; unsigned n; } v; memcpy(&v, raw + 1, sizeof v);"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (f"{COPY} return v.a - 0x302;", "true"),
        (f"{COPY} struct h *p = (struct h *)(raw + 1); return p != 0;", "false"),
        ("int raw[4] = {0}, v; memcpy(&v, (char *)raw + 1, sizeof v); return v;", "true"),
    ],
    ids=["copy", "conversion", "within an element"],
)
def test_what_is_copied_need_not_be_aligned(body: str, status: str, tmp_path: Path) -> None:
    assert str(verdict(asserting(body), tmp_path, "alignment").status) == status


def test_a_pointer_from_outside_is_null_or_leads_to_an_object(tmp_path: Path) -> None:
    use = "int *p = outside(); if (!p) return 0; unsigned h = (uintptr_t)p % 7; return *p + (int)h;"
    assert str(verdict(asserting(use).replace("int main", "int *outside(void);\nint main"), tmp_path, "null")) == "true"


TESTED = """
#include <stdint.h>
int main(void) {
    unsigned char raw[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const unsigned char *p = raw + 1;
    if (((uintptr_t)p & MASK) == 0) {
        const uint32_t *q = (const uint32_t *)p;
        return q[0] != 0x05040302;
    }
    return 0;
}
"""


@pytest.mark.parametrize(("mask", "status"), [("3", "true"), ("1", "false")])
def test_a_test_of_the_number_decides_about_the_alignment(mask: str, status: str, tmp_path: Path) -> None:
    found = verdict(TESTED.replace("MASK", mask), tmp_path, "alignment", "bounds")
    assert str(found.status) == status


GUESSED = "int x = 3; uintptr_t n = any(); if (n == (uintptr_t)&x) {{ *(int *)n = 4; assert(x == {}); }}"


@pytest.mark.parametrize(("value", "status"), [("4", "true"), ("3", "false")])
def test_a_number_of_any_origin_leads_to_the_object_that_lies_there(value: str, status: str, tmp_path: Path) -> None:
    text = asserting(GUESSED.format(value)).replace("int main", "unsigned any(void);\nint main")
    assert str(verdict(text, tmp_path, "null", "dangling").status) == status
