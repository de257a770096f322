"""Preprocessing numbers and literals with a prefix are single words; the expected texts are those of gcc 12."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from frontend.options import SourceFile
from frontend.preprocessing.preprocess import preprocess
from frontend.preprocessing.words import merges, words
from frontend.source import ParseError
from frontend.typed.ctype import DataModel
from tests.support.prepared import verify

MACROS = (
    "#define L -1\n#define F -2\n#define f *2\n#define e5 +1\n#define p3 +1\n#define u U\n#define N 1\n#define M -N\n"
    "#define E 0x1E\n#define W L\n#define CAT(a, b) a##b\n#define STR(a) #a\n#define XS(a) STR(a)\n#define ID(a) a\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("95LL 95uLL 1.5F 1.F .5F 1e5 1.e+5 0x1p-1f 0xe5 u", "95LL 95uLL 1.5F 1.F .5F 1e5 1.e+5 0x1p-1f 0xe5 U"),
        ("0x1E+2 1..2 1...L 1e+F 1$L", "0x1E+2 1..2 1...L 1e+F 1$L"),
        ("95-L x.L x->F 5*f 5 f a^=L a$L L", "95- -1 x.-1 x->-2 5**2 5 *2 a^=-1 a$L -1"),
        ("L\"a\"[0] u\"a\" u8\"a\" L'a' u'a' U'\\''", "L\"a\"[0] u\"a\" u8\"a\" L'a' u'a' U'\\''"),
        ("L \"a\" \"a\"L 'a'L", "-1 \"a\" \"a\"-1 'a'-1"),
        # Numbers and literals that `##` makes.
        ("CAT(1, L) CAT(1, e5) CAT(1., 5) CAT(x, 1) CAT(0x, 1p3) CAT(1e, +)", "1L 1e5 1.5 x1 0x1p3 1e+"),
        ("CAT(L, \"a\") CAT(L, 'a') CAT(., 5) CAT(1, __COUNTER__)", "L\"a\" L'a' .5 1__COUNTER__"),
        ("__COUNTER__ CAT(1, LL)+__COUNTER__", "0 1LL+1"),
        # `#` keeps them, and has no blank where two words meet.
        ('STR(1.5F) STR(0x1p-1f  + L) STR(L"a\\n")', '"1.5F" "0x1p-1f + L" "L\\"a\\\\n\\""'),
        ("XS(95LL+L) XS(ID(1)L) XS(ID(1)2)", '"95LL+-1" "1-1" "12"'),
        # What macros bring together stays apart.
        ("N.5 E+1 E-1 E+N ID(1).5 ID(.)5 ID(1)2 ID(x)y ID(1)L", "1 .5 0x1E +1 0x1E -1 0x1E +1 1 .5 . 5 1 2 x y 1-1"),
        ("#define w L\nID(w)\n#undef L\nw\"a\" W'a' ID(L)\"a\"", "-1\nL \"a\" L 'a' L \"a\""),
        ("-M N-M", "- -1 1- -1"),
        # Words go on behind a backslash.
        ("x = 95\\\nLL + 1\\\n.5F + a\\\nL + L\\\n\"a\" \\\n+ __LINE__", 'x = 95LL + 1.5F + aL + L"a" + 20'),
        ("ID(1)\\\n2 -\\\n-N \"a\\\n\\\nL\"", '1 2 --1 "aL"'),
    ],
)  # fmt: skip
def test_numbers_and_literals(text: str, expected: str) -> None:
    got = preprocess(SourceFile("a.c", MACROS + text), DataModel.LP64).text
    lines = [line for line in got.split("\n") if line and not line.startswith("#line")]
    assert "\n".join(lines) == expected


@pytest.mark.parametrize(
    "condition",
    ["0x10UL == 16", "95LL == 95", "L'a' == 97", "u'a' == 'a'", "L'a'+L == 96", "E+1 == 31", "E-N == 29", "N-M == 2"],
)
def test_conditions(condition: str) -> None:
    text = preprocess(SourceFile("a.c", f"{MACROS}#if {condition}\nyes\n#endif"), DataModel.LP64).text
    assert text.endswith("\nyes\n")


@pytest.mark.parametrize("condition", ["0x1E+2 == 32", "0x1e-1", "1.5", "1e5", "1.F", "5F", "08", "1..2"])
def test_numbers_that_are_no_integers(condition: str) -> None:
    with pytest.raises(ParseError, match=r"^a\.c:15:1: this condition cannot be evaluated"):
        preprocess(SourceFile("a.c", f"{MACROS}#if {condition}\nyes\n#endif"), DataModel.LP64)


def test_words_have_the_lines_where_they_begin() -> None:
    found = [(one.value, one.lineno) for one in words('a\\\nb c \\\n d"x\\\ny" \\\n\\\n5\\\nL e', 1)]
    assert [one for one in found if one[0].strip()] == [("ab", 1), ("c", 2), ("d", 3), ('"xy"', 3), ("5L", 6), ("e", 7)]


@pytest.mark.parametrize("line", ["a[1+2]=x->y.z-.5+0x1f-1;", "f(L\"a\",'b')<<1e+5>>=3...a$b 1.5F", "++a- --b&&!c||~d"])
def test_words_of_a_text_do_not_merge(line: str) -> None:
    found = [one.value for one in words(line, 1)]
    assert "".join(found) == line
    assert not any(merges(a, b) for a, b in pairwise(found))


@pytest.mark.parametrize(("expected", "value"), [("true", "1.5"), ("false", "0.5")])
def test_a_suffix_is_no_macro(tmp_path: Path, expected: str, value: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(f"#include <assert.h>\n#define F -1\nint main(void) {{ float a = 1.5F; assert(a == {value}); }}\n")
    assert verify(path, time_limit=30).status == expected
