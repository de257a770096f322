"""Large and deep programs: an answer or a located message, in time that grows with the text and not faster."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from frontend.api import parse_program
from frontend.lowering import lower
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel

SECONDS = 100.0
"""Of CPU; each of these takes about one."""


def _main(body: str, before: str = "") -> str:
    return f"extern void reach_error(void);\n{before}\nint main(void) {{ int a = 1, b = 2;\n{body}\nreturn a; }}\n"


def _answer(text: str) -> str:
    start = time.process_time()
    try:
        answer = f"{len(lower(parse_program(text, 'a.c', DataModel.ILP32), None).edges)} edges"
    except FrontendError as error:
        answer = str(error)
    assert time.process_time() - start < SECONDS
    return answer


N = 10_000
CHAIN = "\n".join(f"int f{i}(int x) {{ return {f'f{i - 1}(x) + 1' if i else 'x'}; }}" for i in range(1000))
STRUCTS = "struct s0 { int f; };" + "\n".join(f"struct s{i} {{ struct s{i - 1} f, g; }};" for i in range(1, 60))
FUNCTIONS = "typedef int t0;" + "\n".join(f"typedef t{i - 1} (*t{i})(t{i - 1}, t{i - 1});" for i in range(1, 30))

LARGE = {
    "locals": _main("".join(f"int v{i} = a;\n" for i in range(3000))),
    "functions": _main("a = f999(b);", CHAIN),
    "table": _main("a = t[b];", f"int t[] = {{{', '.join(str(i) for i in range(8000))}}};"),
    "statements": _main("a = a + 1;\n" * 2000),
    "cases": _main("switch (a) {" + "".join(f"case {i}: b = {i}; break;\n" for i in range(1000)) + "}"),
    "function types": _main("t29 p;", FUNCTIONS),
}


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_large_programs(name: str) -> None:
    assert _answer(LARGE[name]).endswith(" edges")


NESTED = {
    "parentheses": _main("a = " + "(" * N + "a" + ")" * N + ";"),
    "blocks": _main("{" * N + "}" * N),
    "complements": _main("a = " + "~" * N + "a;"),
    "casts": _main("a = " + "(int)" * N + "a;"),
    "if": _main("if (a) " * N + "b = 0;"),
    "braces": _main("", "int x[1] = " + "{" * N + "1" + "}" * N + ";"),
    "pointers": _main("", "int " + "(*" * N + "p" + ")" * N + ";"),
    "calls": _main("a = " + "f(" * N + "a" + ")" * N + ";", "int f(int x) { return x; }"),
    "terms": _main("a = " + "a + " * 2 * N + "a;"),
    "structs of structs": _main("struct s59 p; a = p.f.f.f.f == 0;", STRUCTS),
    "declarators": _main("", "int " + "*" * 2 * N + "p;"),
}


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", NESTED)
def test_deep_programs_get_a_located_message(name: str) -> None:
    answer = _answer(NESTED[name])
    assert answer.startswith("a.c:")
    assert "nested too deeply" in answer or "parts" in answer


@pytest.mark.long
def test_long_strings_get_a_located_message() -> None:
    answer = _answer(_main('char *s = "' + "x" * 2_000_000 + '"; a = s[b];'))
    assert answer == "a.c:4:11: strings of more than 65536 characters are not supported"


@pytest.mark.long
def test_programs_within_the_bounds_are_read_on_a_larger_stack() -> None:
    assert _answer(_main("a = " + "~" * 9000 + "a;")).endswith(" edges")


def test_deep_programs_need_no_room_that_a_limit_refuses() -> None:
    """A limit of 400 MB of address space: simple programs are read, deep ones get a message."""
    code = """if True:
        import resource
        from frontend.api import parse_program
        from frontend.typed.ctype import DataModel
        from frontend.source import ParseError
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
        parse_program("int main(void) { return 0; }", "a.c", DataModel.ILP32)
        try:
            parse_program("int main(void) { return " + "~" * 9999 + "1; }", "a.c", DataModel.ILP32)
        except ParseError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("a.c:1:1: nested too deeply", "")
