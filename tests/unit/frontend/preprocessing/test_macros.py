"""Expansions of macros; the expected texts are those of gcc 12."""

from __future__ import annotations

import pytest

from frontend.options import SourceFile
from frontend.parsing.tokens import Markers, tokens_of
from frontend.preprocessing.preprocess import preprocess
from frontend.source import ParseError, Unsupported
from frontend.typed.ctype import DataModel


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A name is a call only where a parenthesis stands behind it, not a macro for one.
        ("#define LP (\n#define F(x) [x]\n#define G F LP 3)\nG F LP 3)", "F ( 3 ) F ( 3 )"),
        ("#define E()\n#define A() 1\n#define D(x) x E()\nD(A)() A() D(A) ()", "A ( ) 1 A ( )"),
        ("#define f(x) x f\nf(1)(2)(3)", "1 f ( 2 ) ( 3 )"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
        ("#define A(x) B(x\n#define B(x) <x>\nA(1)) A(2) 3)", "< 1 > < 2 3 >"),
        ("#define h(x) x##x(x)\n#define hh(y) [y]\nh(h)(2)", "[ h ] ( 2 )"),
        ("#define a b c\n#define b a\n#define c(x) (x a)\na(1)", "a ( 1 a c )"),
        # The text behind a call is not a part of its last word.
        ("#define id(x) x\nid(1)2 id(x)y id()z", "1 2 x y z"),
        # A line may end right behind a call in a macro.
        ("#define M(f) f(1)\\\n  f(2)\n#define f(x) <x>\nM(f)", "< 1 > < 2 >"),
        # What `defined` asks about is not expanded, also where it comes from a macro.
        (
            "#define A (defined(__linux__) && defined __GNUC__ && !defined (NONE))\n#if !A\nno\n#else\nyes\n#endif",
            "yes",
        ),
        # Operands of ## have no blanks around them.
        ("#define C(a, ...) a ## __VA_ARGS__\nC(x, y, z) C(, y) C(1, 2 3, 4) C(+, +x)", "xy , z y 12 3 , 4 ++ x"),
        ("#define S(...) #__VA_ARGS__\nS(a,  b ,c) S()", '"a, b ,c" ""'),
        ("#define E(f, ...) g(f, ##__VA_ARGS__)\nE(1) E(1, 2)", "g ( 1 ) g ( 1 , 2 )"),
        # The line of the token that is read, not of the call around it.
        ("#define f(x) x\n#define L f(__LINE__)\nf(\n__LINE__\nL)\nL", "4 5 6"),
    ],
)
def test_expansion(text: str, expected: str) -> None:
    assert expanded(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "#define f(x) x\nf(1\n#define g 5\n+ g)",
        "#define f(x) x\nint a = f\n#undef f\n(3);",
        "#define f(x) x\nint a = f(",
        "#define f(a, ...) a __VA_OPT__(,) __VA_ARGS__\nf(1)",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(Unsupported, match=r"^a\.c:[12]:1: "):
        expanded(text)


def test_a_name_without_parentheses_is_no_call() -> None:
    assert expanded("#define f(x) x\nint f\n#if (1)\n;\n#endif\n#define g\n(3)") == "int f ; ( 3 )"


@pytest.mark.parametrize("call", ["f()", "f(1, 2, 3)", "g()"])
def test_the_number_of_arguments(call: str) -> None:
    with pytest.raises(ParseError, match=r"^a\.c:3:1: macro [fg] has [23] parameters"):
        expanded(f"#define f(a, b) a\n#define g(a, b, ...) a\n{call}")


def expanded(text: str) -> str:
    tokens = tokens_of(preprocess(SourceFile("a.c", text), DataModel.LP64).text, "a.c", Markers.FOLLOWED)
    return " ".join(token.text for token in tokens)
