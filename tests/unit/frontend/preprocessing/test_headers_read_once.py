"""Headers that several units include: each unit has what it would have alone, and most are read once."""

import random
from pathlib import Path

import pytest

from frontend.options import Preprocessing, SourceFile
from frontend.preprocessing.headers import Headers
from frontend.preprocessing.preprocess import Preprocessed, header_on_disk, preprocess
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel


def alone(source: SourceFile, headers: Headers | None = None) -> Preprocessed | str:
    try:
        return preprocess(source, DataModel.LP64, header_on_disk, headers)
    except FrontendError as error:
        return str(error)


def _header(draw: random.Random, number: int) -> str:
    """A header that asks for macros, sets some, and includes others, with a guard or without."""
    name, lines = f"H{number}", list[str]()
    for at in range(draw.randint(2, 7)):
        m, n = draw.choice("ABCD"), draw.choice("ABCD")
        lines += draw.choice(
            (
                [f"#ifdef {m}", f"int {name.lower()}_{at} = {n};", "#else", f"#define {m} ({at} + {n})", "#endif"],
                [f"#undef {m}", f"#define {m}(x) {n} + x"],
                [f"int {name.lower()}v{at} = {m}(1", f"  + {n}) - -{n};"],
                [f"#undef {m}"],
                [f"int {m}_{at}, {name.lower()}{m};", f'char *s{at} = "{m}";'],
                [f"#if defined {m} && !defined({n})", f"long {name.lower()}l{at};", "#endif"],
                [f'#include "h{draw.randint(0, number - 1)}.h"'] if number else ["int plain;"],
                [f'#include "in/h{draw.randint(0, 2)}.h"'],
                ["const char *file = __FILE__;", "int line = __LINE__;"],
                ["int count = __COUNTER__;"],
            )
        )
    if draw.random() < 0.5:
        lines = [f"#ifndef {name}", f"#define {name}", *lines, "#endif"]
    elif draw.random() < 0.3:
        lines = ["#pragma once", *lines]
    return "\n".join(lines) + "\n"


def _unit(draw: random.Random) -> str:
    lines = [f"#define {draw.choice('ABCD')} {draw.randint(1, 3)}" for _ in range(draw.randint(0, 2))]
    lines += [f'#include "h{draw.randint(0, 4)}.h"\nint between{at};' for at in range(draw.randint(1, 4))]
    return "\n".join(lines) + "\n"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_units_are_what_they_are_alone(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    (tmp_path / "in").mkdir()
    (tmp_path / "sub").mkdir()
    for number in range(5):
        (tmp_path / f"h{number}.h").write_text(_header(draw, number))
    for number in range(3):
        (tmp_path / "in" / f"h{number}.h").write_text(f"int in{number} = A;\n#define B {number}\n")
    headers = Headers()
    settings = Preprocessing(include=(str(tmp_path),))
    for number in range(6):
        folder = draw.choice((tmp_path, tmp_path / "sub"))
        source = SourceFile(str(folder / f"u{number}.c"), _unit(draw), settings)
        assert alone(source, headers) == alone(source)


def test_a_header_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#ifndef A_H\n#define A_H\n#define ONE(x) (x)\nint a = ONE(1);\n#endif\n")
    read: list[str] = []

    def noted(name: str) -> str | None:
        read.append(name)
        return header_on_disk(name)

    (tmp_path / "b.h").write_text('#include "a.h"\nint b = ONE(2);\n')
    headers = Headers()
    for number in range(3):
        text = f'#include "b.h"\nint u{number} = ONE({number});\n'
        found = preprocess(SourceFile(str(tmp_path / f"u{number}.c"), text), DataModel.LP64, noted, headers).text
        assert f"int u{number} = ({number});" in found
        assert "int a = (1);" in found
    assert read.count(str(tmp_path / "a.h")) == 1


def test_a_header_beside_another_file_is_another_one(tmp_path: Path) -> None:
    """What a header includes may lie in the folder of the file that includes it."""
    for folder in ("one", "two", "shared"):
        (tmp_path / folder).mkdir()
    (tmp_path / "shared" / "s.h").write_text('#include "own.h"\nint s;\n')
    (tmp_path / "shared" / "own.h").write_text("int shared;\n")
    (tmp_path / "other.h").write_text('#include "mine.h"\n')
    (tmp_path / "one" / "mine.h").write_text("int one;\n")
    (tmp_path / "two" / "mine.h").write_text("int two;\n")
    headers = Headers()
    settings = Preprocessing(include=(str(tmp_path), str(tmp_path / "shared")))
    for folder in ("one", "two"):
        source = SourceFile(str(tmp_path / folder / "u.c"), '#include "other.h"\n#include "s.h"\n', settings)
        found = alone(source, headers)
        assert found == alone(source)
        assert isinstance(found, Preprocessed)
        assert f"int {folder};" in found.text
        assert "int shared;" in found.text


def test_a_file_that_must_not_be_read_is_refused_in_each_unit(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "own.h").write_text("int own;\n")
    headers = Headers()
    first = SourceFile(str(tmp_path / "one" / "u.c"), '#include "own.h"\n')
    second = SourceFile(str(tmp_path / "two" / "u.c"), f'#include "{tmp_path}/one/own.h"\n')
    assert isinstance(alone(first, headers), Preprocessed)
    assert "is in none of the folders that may be read" in str(alone(second, headers))


def test_a_call_that_goes_on_behind_a_line_is_read(tmp_path: Path) -> None:
    text = "#define F(x, y) x + y\nint a = F(\n  (1),\n\n  2);\nint b = F\n  (3,\n4) ; int c;\nint F;\nint d;\n"
    found = alone(SourceFile(str(tmp_path / "m.c"), text))
    assert isinstance(found, Preprocessed)
    assert "int a = (1) + 2;" in found.text
    assert "int b = 3 + 4 ; int c;" in found.text
    assert "int F;" in found.text
