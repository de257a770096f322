"""Allocation that may fail: which programs it makes wrong, and what an answer says of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from core.verdict import Status, Verdict
from interplay.session.request import MALLOC_FAILS, MALLOC_SUCCEEDS, read_request
from tests.support.prepared import command as main
from tests.support.verdicts import bare_verdict
from tests.unit.interplay.session.failing_programs import HEAD, SHIM, START, every_program

UNDEFINED = ["null", "dangling", "uninitialized", "bounds", "nonnull"]
_MAX = 5  # allocations


def verdict(text: str, folder: Path, **options: object) -> Verdict:
    file = folder / "a.c"
    file.write_text(HEAD + text)
    request = read_request({"task": str(file), "engine": "bmc", "data_model": "LP64", **options})
    return bare_verdict(request)


def main_of(body: str) -> str:
    return f"int main(void) {{ {body} return 0; }}\n"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", every_program())
def test_what_is_wrong_where_allocation_fails(name: str, tmp_path: Path) -> None:
    text, is_right = every_program()[name]
    found = verdict(text, tmp_path, checks=UNDEFINED)
    assert found.status is (Status.TRUE if is_right else Status.FALSE)
    assert MALLOC_FAILS in found.premises


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", every_program())
def test_gcc_agrees(name: str, tmp_path: Path) -> None:
    """Some choice of failing allocations ends a wrong program by a signal or a sanitizer; none a right one."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    text, is_right = every_program()[name]
    (tmp_path / "b.c").write_text(HEAD + SHIM + text + START)
    flags = ["-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    subprocess.run(["gcc", *flags, "-o", tmp_path / "b", tmp_path / "b.c"], check=True)
    environment = {"ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
    command = [str(tmp_path / "b"), str(1 << _MAX)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, check=True)
    ends = [os.waitstatus_to_exitcode(int(status)) for status in ran.stdout.split()]
    assert len(ends) == 1 << _MAX
    assert any(code not in (0, 1) for code in ends) == (not is_right)


NATIVE = ("contents of the old object", "how many were made", "one of two", "no bytes", "a tree")


@pytest.mark.long
@pytest.mark.parametrize("name", NATIVE)
def test_the_chosen_call_fails_natively(name: str, tmp_path: Path) -> None:
    text, _ = every_program()[f"{name}, wrong"]
    found = verdict(text, tmp_path, malloc="may-fail")
    assert (found.status, found.confirmed_by) == (Status.FALSE, "native replay (gcc -m64)")
    assert verdict(text, tmp_path, malloc="succeeds").status is Status.TRUE


DEREFERENCED = "int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }\n"


@pytest.mark.parametrize(
    ("options", "status", "premise"),
    [
        ({"checks": ["null"]}, "false", MALLOC_FAILS),
        ({"checks": ["dangling"]}, "false", MALLOC_FAILS),
        ({"checks": ["null"], "malloc": "succeeds"}, "true", MALLOC_SUCCEEDS),
        ({"checks": ["overflow"]}, "true", MALLOC_SUCCEEDS),
        ({"property": "valid-deref"}, "true", MALLOC_SUCCEEDS),
        ({"property": "valid-free", "checks": ["null"]}, "true", MALLOC_SUCCEEDS),
        ({"property": "valid-deref", "malloc": "may-fail"}, "false", MALLOC_FAILS),
    ],
)
def test_the_default_and_what_is_asked_for(
    options: dict[str, object], status: str, premise: str, tmp_path: Path
) -> None:
    found = verdict(DEREFERENCED, tmp_path, **options)
    assert (found.status.value, premise in found.premises) == (status, True)
    assert ("allocation succeeds" in found.assumptions) == (premise == MALLOC_SUCCEEDS)


def test_a_program_that_allocates_nothing_has_no_premise(tmp_path: Path) -> None:
    own = "static char pool[8]; void *malloc(size_t n) { return pool; } "
    for text in ("int main(void) { int x = 0, *p = &x; return *p; }", own + DEREFERENCED):
        assert verdict(text, tmp_path, checks=["null"]).premises == ()


@pytest.mark.long
def test_what_start_functions_are_given_is_there(tmp_path: Path) -> None:
    text = "int f(struct node *h) { if (h && h->next) return h->next->value; return 0; }\n"
    found = verdict(text, tmp_path, engine="transition", checks=["null", "dangling"], entry="f")
    assert (found.status, [one for one in found.premises if "malloc" in one]) == (Status.TRUE, [])


def test_p_0_behind_free_is_found(tmp_path: Path) -> None:
    found = verdict(
        "int main(void) { int *p = malloc(8); if (!p) return 0; free(p); return p[0]; }",
        tmp_path,
        checks=["pointer", "dangling"],
    )
    assert str(found) == "false(dangling)"


def test_the_trace_says_which_call_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, run, witness = tmp_path / "a.c", tmp_path / "a.ip", tmp_path / "a.yml"
    file.write_text(HEAD + "int main(void) { for (int i = 0; i < 3; i++)\nassert(malloc(4) || i != 1); return 0; }\n")
    words = ["verify", str(file), "--malloc", "may-fail", "--engine", "bmc"]
    assert main([*words, "--output", str(run), "--witness", str(witness)]) == 10
    told = capsys.readouterr().out
    assert f"{file}:7: malloc fails (extern, time 2) = yes\n" in told
    assert main(["check", str(run)]) == 10
    assert "--malloc may-fail" in capsys.readouterr().out
    assert "violation_sequence" in witness.read_text()


@pytest.mark.parametrize("call", ["malloc(1)", "realloc(0, 1)", 'strdup("")', "aligned_alloc(1, 1)"])
def test_errno_says_where_memory_is_out(call: str, tmp_path: Path) -> None:
    texts = [
        f"#include <errno.h>\n{main_of(f'errno = 0; char *p = {call}; if (!p) assert(errno {claim});')}"
        for claim in ("== 12", "== 0")
    ]
    assert verdict(texts[0], tmp_path, malloc="may-fail").status is Status.TRUE
    found = verdict(texts[1], tmp_path, malloc="may-fail")
    assert (found.status, bool(found.confirmed_by)) == (Status.FALSE, True)
    assert verdict(texts[1], tmp_path, malloc="succeeds").status is Status.TRUE
