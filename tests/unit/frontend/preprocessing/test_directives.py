"""Conditions, macros that gcc has from the start, and signs that macros bring together: all as gcc has it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from core.program.simulate import Ended, simulate
from core.terms import ArraySort, ArrayValue
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.preprocessing.directives import condition
from frontend.preprocessing.preprocess import predefined
from frontend.properties.errors import UnreachCall
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel

FLAGS = {DataModel.ILP32: "-m32", DataModel.LP64: "-m64"}
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

CONDITIONS = """
-7 / 2 == -3
-7 % 3 == -1
7 / -2 == -3 && 7 % -3 == 1
-1 >> 1 == -1
1u - 2 > 0
-1 > 0u
0xffffffffffffffff > 0
18446744073709551615 == -1
9223372036854775807 + 1 < 0
'\\377' < 0
'ab' == 24930
L'a' == 97
(0 ? -1 : 0u) - 1 > 0
1 || 1 / 0
0 && 1 / 0
1 ? 2 : 1 / 0
1 == 2 == 0
10 - 4 - 3 == 3
2 + 3 * 4 % 5
~0u == -1
!defined(X) + !X == 2
5 & 3 | 4 ^ 1
1 << 63 < 0
(3, 0)
010 + 0x10 + 0b10 == 26
1ULL > 0 && 1llu
unknown || true
""".strip().splitlines()

MACROS = r"""
#define M -x
#define P +x
#define N(a) -a
#define Q *p
#define XOR(a, b) a ^= b
int a, b, c, d, e;
int main(void) {
  int x = 5, y = 12, *p = &x;
  a = -M; b = +P + x; c = y - M; d = N(-x) + y/Q; XOR(y, x); y ^= 1; e = x-N(y);
  return x;
}
"""


@needs_gcc
def test_conditions_are_those_of_gcc(tmp_path: Path) -> None:
    text = "".join(f"#if {one}\nyes\n#else\nno\n#endif\n" for one in CONDITIONS)
    (tmp_path / "c.c").write_text(text)
    done = subprocess.run(["gcc", "-w", "-E", "-P", tmp_path / "c.c"], check=True, capture_output=True, text=True)
    texts = [one.replace("defined(X)", "0") for one in CONDITIONS]
    ours = ["yes" if condition(one, DataModel.LP64) else "no" for one in texts]
    assert dict(zip(CONDITIONS, ours, strict=True)) == dict(zip(CONDITIONS, done.stdout.split(), strict=True))


@pytest.mark.parametrize("text", ["", "1 +", "1 2", "(1", "1.5", '"a"', "1 / 0", "1 << 64", "f(1)", "(" * 9999, "= 1"])
def test_what_has_no_value(text: str) -> None:
    with pytest.raises(ValueError, match=r"unexpected|has no value|nested too deeply"):
        condition(text, DataModel.LP64)


def test_what_is_not_evaluated_needs_no_value() -> None:
    """Such as `defined(__has_builtin) && __has_builtin(x)` where there is none."""
    assert condition("0 && f(1, (2)) == 3", DataModel.LP64) == 0


@needs_gcc
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
def test_macros_without_a_directive_are_those_of_gcc(model: DataModel) -> None:
    command = ["gcc", FLAGS[model], "-std=gnu11", "-dM", "-E", "-x", "c", "/dev/null"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    others = ("__GNUC", "__VERSION__", "__FLT_EVAL_METHOD__")  # of another version of gcc, and of x87
    assert {one for one in predefined(model) if not one.startswith(others)} <= {one[8:] for one in lines}


def test_the_order_of_bytes_is_known() -> None:
    text = "#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ || __SIZEOF_INT__ != 4 || !defined(__GNUC__)\n#error\n#endif\n"
    parse_program(f"{text}int main(void) {{ return 0; }}", "a.c", DataModel.LP64)


def test_signs_stay_apart() -> None:
    """`-M` negates twice, it is not `--x`."""
    program = lower(parse_program(MACROS, "a.c", DataModel.ILP32), UnreachCall())
    ended = simulate(program, lambda one: ArrayValue(0) if isinstance(one.symbol.sort, ArraySort) else 0, 1000)
    assert isinstance(ended, Ended)
    values = [ended.globals[name] for name in ("a", "b", "c", "d", "e", "main::return")]
    assert values == [5, 10, 17, 7, 13, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#define A x ## y\nint A;", "a.c:1:1: ## in a macro without parameters is not supported"),
        ("#define S(a) #a\nchar s[] =\nS(: @\\n);", "a.c:3:1: a backslash outside of literals is not made a string of"),
        ("int x;\n#line 9\nint y = __LINE__;", "a.c:2:1: #line beside __LINE__"),
    ],
)
def test_what_is_expanded_otherwise_is_refused(text: str, message: str) -> None:
    with pytest.raises(FrontendError) as caught:
        parse_program(text, "a.c", DataModel.ILP32)
    assert str(caught.value) == message
