"""One error in a program of three files: its file, line and column, through includes and macros; several at once."""

from pathlib import Path

import pytest

from frontend.api import parse_sources
from frontend.options import SourceFile
from frontend.source import MAX_ERRORS, FrontendError
from frontend.typed.ctype import DataModel
from interplay.presentation.excerpts import error_lines

# The mark ¦ stands before the token that is wrong.
ERRORS = [
    ("int f0(void) { return ¦missing; }", "'missing' is not declared"),
    ("int f0(void) { return 1 ¦2; }", "syntax error"),
    ("struct t0 { int a; }; int f0(void) { return ¦__builtin_offsetof(struct t0, a)(1); }", "cannot be called"),
    ("int f0(void) { int x = 1 + ¦; return x; }", "syntax error before ';'"),
    ("struct t0 { int a; }; int f0(struct t0 *p) { return ¦p->b; }", "struct t0 has no member 'b'"),
    ("int f0(int x) { return ¦*x; }", "int"),
    ("int g0(int x) { return x; } int f0(void) { return ¦g0(1, 2); }", "takes 1 argument, but is given 2"),
    ("int f0(void) { int x; int ¦x; return 0; }", "'x' is declared twice"),
    ("int f0(void) { ¦break; }", "break must be in a loop or a switch"),
    ("int f0(void) { ¦continue; }", "continue must be in a loop"),
    ("int f0(void) { ¦goto away; }", "there is no label 'away'"),
    ("int f0(int x) { switch (x) { case 1: ¦case 1: return 0; } return 1; }", "this case is there twice"),
    ("struct u0; int f0(struct u0 *p) { return ¦p->a; }", "struct u0 is incomplete"),
    ("struct u0; int f0(void) { struct u0 ¦x; return 0; }", "incomplete"),
    ("int f0(void) { return ¦'a; }", "missing closing '"),
    ("int f0(void) { return ¦0x; }", "malformed number"),
    ('_Static_assert(TWICE(1) == 2, ""); ¦_Static_assert(0, "");', "the static assertion does not hold"),
    ("int f0(void) { return TWICE(2) + ¦other; }", "'other' is not declared"),
    ("int f0(void) { return TWICE(¦inner); }", "'inner' is not declared"),
    ("int f0(void) { return SIZE ¦SIZE; }", "syntax error"),
    ("int x0 = 1; int ¦x0 = 2;", "'x0' is initialised twice"),
    ("int g0(void) { return 0; } int ¦g0(void) { return 1; }", "'g0' is defined twice"),
    ("int g0(void); long ¦g0(void);", "'g0' has the type long (void) here, but int (void) at"),
    ("void f0(void) { int x = 1; ¦x(); }", "cannot be called"),
    ("int f0(struct { int a; } *p) { if (¦*p) return 1; return 0; }", "cannot be a condition"),
    ("/*@ requires x > 0; */ void ¦interplay_started(int x) { }", "the name interplay_started is taken"),
    ("int g0(void); int f0(void) { return ¦interplay_reached(); }", "the name interplay_reached is taken"),
    ("#define DOUBLE(a) ((a) + (a))\nint f0(void) { return ¦DOUBLE(1, 2); }", "macro DOUBLE has 1 parameters, not 2"),
]
PLACES = ["main.c", "other.c", "head.h", "deep.h"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_one_error(text: str, message: str, place: str, tmp_path: Path) -> None:
    texts = {
        "main.c": '#include "head.h"\nint main(void) { return SIZE; }\n',
        "other.c": "#define SIZE 4\n#define TWICE(x) ((x) * 2)\n\nint other_file(void) { return 1; }\n",
        "head.h": '#include "deep.h"\n#define SIZE 4\n',
        "deep.h": "#define TWICE(x) ((x) * 2)\n#define SIZE 4\n",
    }
    line = texts[place].count("\n") + 1 + text[: text.index("¦")].count("\n")
    column = text.split("\n")[-1].index("¦") + 1 if "¦" in text.split("\n")[-1] else 1
    texts[place] += text.replace("¦", "") + "\n"
    for name, content in texts.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(FrontendError) as found:
        parse_sources([SourceFile(str(tmp_path / name), texts[name]) for name in PLACES[:2]], DataModel.LP64)
    error = found.value
    assert message in error.message
    assert (error.span.file, error.span.line) == (str(tmp_path / place), line)
    precise = "macro" not in message and text.index("¦") > 0
    if precise and "SIZE ¦" not in text and "'g0'" not in message:
        # some are placed at the operand that begins behind, or at the statement
        assert error.span.column in (column, column - 1, column - len("return "))
    chain = {"head.h": ["main.c:1"], "deep.h": ["head.h:1", "main.c:1"]}.get(place, [])
    assert [one.rpartition("/")[2].rpartition(":")[0] for one in error.message.split(", included from ")[1:]] == chain
    assert not error.others


def test_several_errors_at_once() -> None:
    one = "".join(f"int f{number}(void) {{ return x{number}; }}\n" for number in range(15))
    two = "".join(f"int g{number}(void) {{ return y{number}; }}\n" for number in range(15))
    with pytest.raises(FrontendError) as found:
        parse_sources([SourceFile("a.c", one), SourceFile("b.c", two)], DataModel.LP64)
    errors = [found.value, *found.value.others]
    assert len(errors) == MAX_ERRORS
    assert [(error.span.file, error.span.line) for error in errors[14:17]] == [("a.c", 15), ("b.c", 1), ("b.c", 2)]


def test_several_errors_in_one_body() -> None:
    text = """struct s { int a; };
    int main(void) {
        struct s x;
        int i = 0;
        x.b = 1;
        y = 2;
        while (i) { switch (i) { case 1: break; case 1: i++; } y++; z = 3; }
        break;
        int j = "s" * 2;
        w = j;
        return x;
    }
    int other(void) { return v; }
    """
    with pytest.raises(FrontendError) as found:
        parse_sources([SourceFile("a.c", text)], DataModel.LP64)
    lines = [error.span.line for error in (found.value, *found.value.others)]
    assert lines == [5, 6, 7, 7, 8, 9, 10, 11, 13], "each name once"


def test_errors_of_types_are_told_beside_those_of_syntax_in_other_files() -> None:
    sources = [
        SourceFile("a.c", "int f(void) { return x; }\nint g(void) { return h() + y; }\n"),
        SourceFile("b.c", "int h(void) { return 1 +; }\n"),
        SourceFile("c.c", "int main(void) { return f() + z; }\nint f(void);\n"),
    ]
    with pytest.raises(FrontendError) as refused:
        parse_sources(sources, DataModel.ILP32)
    found = [(error.span.file, error.span.line) for error in (refused.value, *refused.value.others)]
    assert found == [("b.c", 1), ("a.c", 1), ("a.c", 2), ("c.c", 1)]


def test_syntax_errors_of_several_files() -> None:
    with pytest.raises(FrontendError) as found:
        parse_sources([SourceFile("a.c", "int x = ;"), SourceFile("b.c", "int y = ;")], DataModel.LP64)
    assert [error.span.file for error in (found.value, *found.value.others)] == ["a.c", "b.c"]


def test_a_line_with_its_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int f(void)\n{\n\treturn x;\n}\n")
    with pytest.raises(FrontendError) as found:
        parse_sources([SourceFile(str(file), file.read_text())], DataModel.LP64)
    assert error_lines("error", found.value.message, found.value.span) == [
        f"{file}:3:9: error: 'x' is not declared",
        "    \treturn x;",
        "    \t       ^",
    ]
    file.unlink()
    assert len(error_lines("error", found.value.message, found.value.span)) == 1
