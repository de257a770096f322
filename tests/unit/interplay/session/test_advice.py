"""Advice: what decides the undefined behaviour that a counterexample runs into, unless that was asked."""

from pathlib import Path

import pytest

from tests.support.prepared import command as main

SEARCH = """#include <assert.h>
extern int any(void);
static int find(const int a[], int n) {
  for (int i = 0; i <= n; i++)
    if (a[i] == 7) return i;
  return 0; }
int main(void) { int a[4] = {1, 2, 3, 4}; int r = find(a, 4); assert(r < 4); return 0; }
"""
LITERAL = """#include <assert.h>
int main(void) { char *s = "ab"; int x = 1; s[0] = 'c'; assert(x == 2); return 0; }
"""


def verdict(text: str, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    (folder / "a.c").write_text(text)
    main(["verify", str(folder / "a.c"), "--engine", "bmc", *words])
    return capsys.readouterr().out.splitlines()


def test_the_first_line_says_what_decides_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, *_ = verdict(SEARCH, tmp_path, capsys)
    assert first.endswith("a.c:5:9: index 4 of an array of 4 elements; `--check bounds` decides it")
    assert first.startswith("UNKNOWN: ")
    assert second == "  what to try: add `--check bounds`"
    first, *_ = verdict(SEARCH, tmp_path, capsys, "--check", "bounds")
    assert first.endswith("a.c:5: index out of bounds in a[i] in find can happen: the index is 4, the last one is 3")


@pytest.mark.parametrize("asked", ["const", "dangling", "bounds,const,dangling"])
def test_what_was_asked_is_no_advice(asked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = "\n".join(verdict(LITERAL, tmp_path, capsys, "--check", asked))
    for name in asked.split(","):
        assert f"`--check {name}`" not in found


def test_what_no_text_calls_is_called_as_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Choices of an order of evaluation, and questions whether two accesses meet, are calls of our own."""
    text = """int k; int get(void) { return ++k; }
    int f(int *p, int *q) { return (*p)++ + (*q = 2); }
    int main(void) { int a = 1, b = 2; return get() - get() + f(&a, &b); }"""
    found = verdict(text, tmp_path, capsys, "--check", "call,sequence")
    assert found[-1] == "VERDICT: true"


def test_a_proof_that_an_execution_contradicts_has_the_same_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "#include <assert.h>\nint main(void) { int x = 5, y = 0; x = x / y; assert(x == 5); return 0; }"
    (tmp_path / "a.c").write_text(text)
    main(["verify", str(tmp_path / "a.c")])
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("UNKNOWN: it holds unless there is undefined behaviour")
    assert second == "  what to try: add `--check division`"
