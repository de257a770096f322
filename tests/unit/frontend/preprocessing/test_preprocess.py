"""Directives: lines and columns survive, includes are confined, bombs are bounded."""

import re
from pathlib import Path

import pytest

from frontend.api import parse_program, read_source
from frontend.source import FrontendError, ParseError
from frontend.typed.ctype import DataModel


def places(text: str, file: Path, model: DataModel = DataModel.ILP32) -> dict[str, tuple[str, int, int]]:
    unit = parse_program(text, str(file), model)
    return {one.object.name: (one.span.file, one.span.line, one.span.column) for one in unit.globals}


def test_lines_and_columns_survive(tmp_path: Path) -> None:
    lines = ("#include <limits.h>", "/* one */ int /* two", " three */ y; int z;", "#define N 3 // three")
    text = "\n".join((*lines, "int a[N]; /* x */ int b;", ""))
    file = tmp_path / "m.c"
    assert places(text, file) == {
        "y": (str(file), 3, 11),
        "z": (str(file), 3, 18),
        "a": (str(file), 5, 5),
        "b": (str(file), 5, 23),
    }


def test_own_headers_are_included(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "own.h").write_text("\nint from_header;\n")
    found = places('#include "sub/own.h"\nint x;', tmp_path / "m.c")
    assert found["from_header"] == (str(tmp_path / "sub" / "own.h"), 2, 5)
    assert found["x"] == (str(tmp_path / "m.c"), 2, 5)


@pytest.mark.parametrize("name", ["/dev/zero", "../outside.h", "/etc/passwd", "link.h", "."])
def test_includes_are_confined(name: str, tmp_path: Path) -> None:
    (tmp_path / "outside.h").write_text("int x;")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "link.h").symlink_to(tmp_path / "outside.h")
    with pytest.raises(ParseError, match=r"m\.c:2:1: (?:only regular files can|.* is in none of the folders)"):
        parse_program(f'\n#include "{name}"\n', str(inner / "m.c"), DataModel.ILP32)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#include <nosuch.h>\n", "m.c:1:1: cannot include nosuch.h"),
        ("int x;\n#error stop here\n", "m.c:2:1: #error stop here"),
        ("#if 1\nint x;\n", "m.c:1:1: Unterminated #if 1"),
        ("#ifdef\n#endif\n", "m.c:1:1: #ifdef needs something after it"),
        ("#if 1/0\n#endif\n", "m.c:1:1: this condition cannot be evaluated"),
        ('#include "m.c"\n', "too many files are included"),
        ("#define A0 1+1+1+1\n" + "".join(f"#define A{i} A{i - 1} + A{i - 1}\n" for i in range(1, 60)) + "int x = A59;",
         "a macro expands to more than"),
        ("#define B0(x) x+x\n" + "".join(f"#define B{i}(x) B{i - 1}(x)+B{i - 1}(x)\n" for i in range(1, 14))
         + "int a = 1;\nint x = B13(1);", "m.c:16:1: a macro expands to more than 20000 tokens"),
    ],
)  # fmt: skip
def test_bad_directives_are_located(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.preprocessing.preprocess.MAX_TOKENS", 50_000)
    monkeypatch.setattr("frontend.preprocessing.preprocess.MAX_AT_ONCE", 20_000)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.c").write_text(text)
    with pytest.raises(ParseError) as caught:
        parse_program(text, "m.c", DataModel.ILP32)
    assert message in str(caught.value)
    assert str(caught.value).startswith("m.c:")


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
def test_every_library_header_elaborates(model: DataModel) -> None:
    from importlib.resources import files

    folder = files("resources").joinpath("include")
    names = [one.name for one in folder.iterdir() if one.name.endswith(".h")] + ["sys/types.h"]
    text = "".join(f"#include <{name}>\n" for name in sorted(names))
    limits = '_Static_assert(LONG_MAX == (long) (((unsigned long) -1) >> 1) && sizeof(size_t) == sizeof(void *), "");'
    limits += '_Static_assert(sizeof(max_align_t) == (sizeof(long) == 8 ? 32 : 48), "");'
    unit = parse_program(f"{text}{limits}\nint main(void) {{ assert(NULL == 0); return INT_MIN; }}", "m.c", model)
    assert "malloc" in unit.functions
    assert unit.warnings == ()


def test_a_byte_order_mark_is_no_character(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_bytes(b"\xef\xbb\xbfint x;\n")
    path = tmp_path / "a.c"
    path.write_bytes(b'\xef\xbb\xbf#include "own.h"\r\nint main(void) { return x; }\r\n')
    assert parse_program(read_source(path), str(path), DataModel.ILP32).warnings == ()


def test_source_files_are_bounded(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.c", Path("/dev/zero")):
        with pytest.raises(ParseError, match="there is no such file"):
            read_source(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.c", b"\x7fELF\0\1", "a.c:1:1: the file is no text: it has a null byte"),
        ("a.cpp", b"int main() {}", "a.cpp:1:1: the file is C++ by its name, and C alone is read"),
    ],
)
def test_files_that_are_no_c_are_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FrontendError, match=re.escape(message)):
        read_source(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#include <vector>\n", "; it is a header of C++, and C alone is read"),
        ("#include <emmintrin.h>\n", "; -U __SSE__ and -U __SSE2__ take the parts of a program that need no vector"),
        ('#include "lib/own.h"\n', "there is no such file in the folder of the text, those of -I and -isystem"),
        ('#include "m.c"\n', "does one lack an include guard?"),
    ],
)
def test_headers_that_are_not_there_say_what_to_do(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.c").write_text(text)
    with pytest.raises(ParseError, match=re.escape(message)):
        parse_program(text, "m.c", DataModel.ILP32)
