"""Hostile input: nothing outside of the program's folder is read, nothing is run, and every refusal says where."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from frontend.api import parse_program
from frontend.lowering import lower
from frontend.properties.task import parse_task
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel
from interplay.api import verify

SECRET = "secret_of_the_outside"
MAIN = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for the program; beside it a file that is none of its business, with ways to it."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.h").write_text(f"int {SECRET};\n")
    (inside / "link.h").symlink_to("../secret.h")
    (inside / "up").symlink_to("..")
    os.mkfifo(inside / "pipe.h")
    return inside


def _answer(text: str, folder: Path | None = None) -> str:
    file = str((folder or Path()) / "a.c")
    start = time.process_time()
    try:
        program = lower(parse_program(text, file, DataModel.ILP32), None)
        answer = " ".join(program.variables[one].name for one in program.variables)
    except FrontendError as error:
        answer = str(error).replace(file, "a.c")
    assert time.process_time() - start < 60
    return answer


INCLUDES = (
    '#include "../secret.h"',
    '#include "{outside}/secret.h"',
    "#include <{outside}/secret.h>",
    '#include "link.h"',
    '#include "up/secret.h"',
    '#include "up/inside/../secret.h"',
    '#define F "../secret.h"\n#include F',
    '#include "/interplay-library/../{outside}/secret.h"',
    '#include "/dev/zero"',
    '#include "pipe.h"',
    '#include "/proc/self/environ"',
    '#include "."',
)


@pytest.mark.parametrize("line", INCLUDES)
def test_nothing_outside_the_folder_is_included(line: str, folder: Path) -> None:
    text = line.replace("{outside}", str(folder.parent)) + f"\n{MAIN}int *p = &{SECRET};\n"
    answer = _answer(text, folder)
    assert answer.startswith("a.c:"), answer
    refusals = ("in none of the folders that may be read", "only regular files can be included", "no such file")
    assert any(words in answer for words in refusals)


def test_a_program_that_includes_itself(folder: Path) -> None:
    (folder / "a.c").write_text('#include "a.c"\n')
    assert "too many files are included" in _answer('#include "a.c"\n', folder)


@pytest.mark.parametrize("word", ["include_next", "import", "embed", "assert"])
def test_unknown_ways_to_include(word: str, folder: Path) -> None:
    assert f"unknown #{word}" in _answer(f'#define X\n#{word} "../secret.h"\n{MAIN}', folder)


def test_embed_alone_is_not_passed_over() -> None:
    assert _answer(f'#embed "/dev/zero"\n{MAIN}') == "a.c:1:1: unknown #embed"


def _doubling(first: str) -> str:
    return first + "".join(f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1}\n" for i in range(1, 40))


BOMBS = {
    "objects": _doubling("#define A0 1, 1, 1,\n") + "int x[] = { A39 };",
    "functions": "#define D(x) x x\nint x[] = {" + "D(" * 40 + "+1" + ")" * 40 + "};",
    "strings": "#define S(x) #x\n#define T(x) S(x x)\nchar *s = " + "T(" * 30 + "a" + ")" * 30 + ";",
    "conditions": "#define D(x) x && x\n#if " + "D(" * 40 + "1" + ")" * 40 + "\n#endif",
}


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_macro_bombs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.preprocessing.preprocess.MAX_TOKENS", 50_000)
    assert re.search("macros? expands? to more than", _answer(f"{BOMBS[name]}\n{MAIN}"))


@pytest.mark.long
def test_a_macro_bomb_ends_at_the_bound_that_holds() -> None:
    assert re.search("macros? expands? to more than 1?0+ tokens", _answer(f"{BOMBS['conditions']}\n{MAIN}"))


@pytest.mark.parametrize("condition", ["1 / 0", "9" * 9000, '__import__("os").abort()', "1 << 100000000000"])
def test_conditions_that_cannot_be_evaluated(condition: str) -> None:
    assert _answer(f"#if {condition}\n#endif\n{MAIN}") == "a.c:1:1: this condition cannot be evaluated"


def test_markers_do_not_lie_about_files() -> None:
    for line in ('#line 7 "/etc/passwd"', '# 7 "/etc/passwd" 1'):
        assert _answer(f"{line}\nint x = ;\n#define X\n{MAIN}").startswith("a.c:2:9: ")


OUT_OF_SIGHT = (
    "__attribute__((constructor)) void f(void) { reach_error(); }",
    "void f(void) __attribute__((__destructor__(101)));",
    'void f(void) __attribute__((alias("main")));',
    'void f(void) __attribute__((ifunc("main")));',
    'static void g(void) __attribute__((weakref("main")));',
    'int main(void); void *p __attribute__((section(".init_array"), used)) = main;',
    'void *p __attribute__((section(".init_array.00042"))) = 0;',
    'void *p __attribute__((section("." "ctors"))) = 0;',
    'int x __attribute__((section(".data\\n.text"))) = 1;',
    "void f(void) { int x __attribute__((cleanup(g))); }",
    '__asm__(".incbin \\"/etc/passwd\\"");',
    'int x; asm("");',
)


@pytest.mark.parametrize("line", OUT_OF_SIGHT)
def test_code_that_runs_out_of_sight_is_refused(line: str) -> None:
    answer = _answer(f"extern void reach_error(void);\n{line}\nint main(void) {{ return 0; }}\n")
    assert answer.startswith("a.c:2:"), answer
    assert answer.endswith("not supported")


LAID_OUT = (
    'struct __attribute__((scalar_storage_order("big-endian"))) s { int a; };',
    'union u { int a; char b[4]; } __attribute__((__scalar_storage_order__("big-endian")));',
    "struct __attribute__((ms_struct)) s { char a : 3; int b : 4; };",
    "struct s { char a : 3; int b : 4; } __attribute__((__ms_struct__));",
    "enum e { A = 1, B = 2 } __attribute__((mode(QI)));",
    "typedef enum { A = 1 } __attribute__((__mode__(__HI__))) e;",
    "struct __attribute__((copy((struct s *)0))) t { char a; int b; };",
    "struct __attribute__((mode(QI))) s { char a; int b; };",
)


@pytest.mark.parametrize("line", LAID_OUT)
def test_objects_that_are_laid_out_otherwise_are_refused(line: str) -> None:
    answer = _answer(f"{line}\nint main(void) {{ return 0; }}\n")
    assert answer.startswith("a.c:1:"), answer
    assert "is not supported" in answer


def test_other_sections_mean_nothing() -> None:
    for name in (".data", ".init.text", ".data..read_mostly", "__ksymtab_strings"):
        assert _answer(f'int x __attribute__((section("{name}"), unused)) = 1;\n{MAIN}') == "main::return"


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "int a\0b;",
        "int \xff\xfe = 1;",
        "int x = '\0",
        'char *s = "' + "x" * 1_000_000,
        "int x = " + "9" * 1_000_000 + ";",
        "/*" * 100_000,
        "\\" * 100_000,
        "(" * 100_000,
        "'" * 100_001,
    ],
)
def test_strange_bytes_and_huge_tokens(text: str) -> None:
    assert _answer(f"{text}\n{MAIN}").startswith("a.c:")


_TASK = "format_version: '2.0'\ninput_files: {input}\nproperties:\n  - property_file: {property}\n"


@pytest.mark.parametrize("name", ["/etc/passwd", "../../../../etc/passwd", "way/secret.h", "../../secret.h"])
@pytest.mark.parametrize("key", ["input", "property"])
def test_a_task_stays_in_the_folders_around_it(name: str, key: str, folder: Path) -> None:
    (folder / "set").mkdir()
    (folder / "set" / "way").symlink_to("../..")
    given = {"input": "a.c", "property": "../properties/unreach-call.prp"}
    task = folder / "set" / "a.yml"
    assert parse_task(_TASK.format_map(given), task).properties[0].file == task.parent / given["property"]
    with pytest.raises(FrontendError, match=r"a\.yml:[24]:\d+: \w+ must stay in the folders around"):
        parse_task(_TASK.format_map(given | {key: name}), task)


def test_a_task_definition_with_aliases() -> None:
    text = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(FrontendError, match=r"a\.yml:2:8: aliases are not supported"):
        parse_task(f"{text}format_version: *i\n", Path("a.yml"))


HARMFUL = """extern int system(const char *), unlink(const char *), fork(void), execl(const char *, const char *, ...);
extern int open(const char *, int, ...), printf(const char *, ...);
extern void *fopen(const char *, const char *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a > 3) {
    system("touch @/made"); fopen("@/made", "w"); open("@/made", 66, 0600); unlink("@/kept"); fork();
    printf("%n%s%s%s"); execl("/bin/touch", "touch", "@/made", (char *)0);
    if (a < 5) reach_error();
  }
  return 0;
}
"""


@pytest.mark.long
def test_a_counterexample_through_system_touches_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("")
    file = tmp_path / "-rf 'a\"\n$(touch made).c"
    file.write_text(HARMFUL.replace("@", str(tmp_path)))
    verdict = verify(str(file), time_limit=30)
    assert verdict.status == "false"
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["kept", file.name])
