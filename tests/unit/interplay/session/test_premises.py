"""A data model that nobody chose stands in the first lines of an answer that depends on it, and of no other."""

from pathlib import Path

import pytest

from interplay.session.request import DEFAULT_MODEL
from runs.runfile import open_run
from tests.support.prepared import command as main

DEPENDING = {
    "long": "unsigned long x = 1ul << 31; x <<= 1; assert(x == 0);",
    "size": "assert(sizeof(char *) == 4);",
    "size_t": "size_t n = 3; assert(n < 4);",
    "union": "union { int a[2]; struct { int *p; int b; } s; } u; u.a[1] = 2; u.s.b = 1; assert(u.a[1] == 1);",
    "macro": "#ifdef __LP64__\nassert(0);\n#else\nassert(1 + 1 == 2);\n#endif",
    "type": '_Static_assert(sizeof(long) == 4, ""); assert(1 + 1 == 2);',
    "alignment": "struct { int i; double d; } s; s.i = 1; assert(((char *)&s.d - (char *)&s) == 4);",
}
INDEPENDENT = {
    "ints": "int a[3] = {1, 2, 3}; int s = 0; for (int i = 0; i < 3; i++) s += a[i]; assert(s == 6);",
    "long long": "long long x = 1ll << 40; unsigned char c = 255; assert(x > c);",
    "pointers": "int x = 0; int *p = &x; *p = 1; if (p) assert(x == 1);",
    "unreached": "assert(1 + 1 == 2);",
}


def first_lines(text: str, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    file = folder / "a.c"
    file.write_text(
        "#include <assert.h>\n#include <stddef.h>\nstatic long unused(long x) { static long kept; return kept + x; }\n"
        f"int main(void) {{\n{text}\nreturn 0; }}\n"
    )
    main(["verify", str(file), "--engine", "concrete", *words])
    return capsys.readouterr().out.splitlines()[:2]


@pytest.mark.parametrize("name", DEPENDING)
def test_it_is_said_where_sizes_matter(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = first_lines(DEPENDING[name], tmp_path, capsys)
    assert lines[1].strip() == DEFAULT_MODEL, lines


@pytest.mark.parametrize("name", INDEPENDENT)
def test_it_is_not_said_where_they_do_not(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert DEFAULT_MODEL not in "".join(first_lines(INDEPENDENT[name], tmp_path, capsys))


@pytest.mark.parametrize("word", ["-m32", "--data-model=ILP32"])
def test_it_is_not_said_where_it_was_chosen(word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert DEFAULT_MODEL not in "".join(first_lines(DEPENDING["long"], tmp_path, capsys, word))


def test_the_verdict_has_it_and_check_says_it_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "r.interplay"
    first_lines(DEPENDING["size_t"], tmp_path, capsys, "--output", str(run))
    verdict = open_run(run).view().verdict
    assert verdict is not None
    assert (verdict.premises, verdict.data_model) == ((DEFAULT_MODEL,), "ILP32")
    assert main(["check", str(run)]) == 0
    assert DEFAULT_MODEL in capsys.readouterr().out
