"""Lines that go on in the next one, comments and directives between them: what gcc reads as the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.program.simulate import Reached, simulate
from frontend.api import parse_program, read_source
from frontend.lowering import lower
from frontend.properties.errors import UnreachCall
from frontend.source import ParseError, Unsupported
from frontend.typed.ctype import DataModel

HEAD = "void reach_error(void);\n"
MAIN = "int main(void) { int x = 1;\n%s\nif (x == 1) reach_error(); }\n"
DIRECTIVE = "#define ONE 1\n"


@pytest.mark.parametrize("first", ["", DIRECTIVE])
@pytest.mark.parametrize(
    "lines",
    [
        "// comment \\\nx = 2;",
        "// comment \\ \t\nx = 2;",
        "/\\\n/ comment\n",
        "/\\\n* x = 2; *\\\n/",
        "int y = 2, z = x +\\\n++y; x = y - 1;",
        'x = "a//\\\nb"[3] == 98;',
        'x = "a\\\n//b"[3] == 98;',
        'x = "a\\  \n//b"[3] == 98;',
        "int longer = 2; long\\\ner = 1; x = longer;",
        "int longer = 2; long\\ \ner = 1; x = longer;",
        "#pragma unknown \\\nx = 2;",
    ],
)
def test_a_line_goes_on_behind_a_backslash(first: str, lines: str) -> None:
    assert reaches_error(first + HEAD + MAIN % lines)


@pytest.mark.parametrize(
    "definition",
    [
        "/* */ #define value 1",
        "# /* */ define value 1",
        "/*\n*/ # define value 1",
        "\f#define value 1",
        "#define value 1 // \\\n + 5",
        "#define value 1 \\\n // \\\n + 5",
        "#define value 1 \\\n /*\n*/ - /*\n*/ 0",
        "#define value 1 // \\\n ;\nint other = 1 \\\n ;",
    ],
)
def test_comments_and_directives(definition: str) -> None:
    assert reaches_error(f"{HEAD}int value = 2;\n{definition}\n{MAIN % 'x = value;'}")


@pytest.mark.parametrize("first", ["", DIRECTIVE])
@pytest.mark.parametrize(
    "pragma",
    [
        "#pragma pack(1)",
        "#pragma \\\n pack(1)",
        "#pragma /* */ pack(1)",
        "/*\n*/ # /* */ pragma /* */ pack /* */ (1)",
        '_Pragma(L"pack(1)")',
    ],
)
def test_pragmas_that_change_layouts_are_seen(first: str, pragma: str) -> None:
    with pytest.raises(Unsupported, match=r"^a\.c:[123]:[0-9]+: pragma 'pack' is not supported"):
        parse_program(f"{first}{pragma}\nstruct s {{ char c; int i; }} x;", "a.c", DataModel.LP64)


@pytest.mark.parametrize("text", ["int x; # define y 1\n", "# nothing known\n", "int x;\r#define y 1\n"])
def test_what_is_no_directive_is_located(text: str) -> None:
    with pytest.raises(ParseError, match=r"^a\.c:1:"):
        parse_program(text, "a.c", DataModel.LP64)


@pytest.mark.parametrize("literal", ['"\xe9"[0]', "'\xe9'", "L'\xe9'"])
@pytest.mark.parametrize("first", ["", DIRECTIVE])
def test_literals_that_are_no_utf8(first: str, literal: str, tmp_path: Path) -> None:
    """gcc takes their bytes as they are; comments may have what they like."""
    file = tmp_path / "a.c"
    file.write_text(f"{first}/* \xe9 */ int x = {literal};", "latin-1")
    with pytest.raises(Unsupported, match="no UTF-8"):
        parse_program(read_source(file), "a.c", DataModel.LP64)


def reaches_error(text: str) -> bool:
    program = lower(parse_program(text, "a.c", DataModel.LP64), UnreachCall())
    return isinstance(simulate(program, lambda _: 0, 1000), Reached)
