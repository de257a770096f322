"""Options in a text by which gcc computes otherwise are refused with their place; others are passed over."""

import pytest

from frontend.api import parse_program
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel

REFUSED = (
    '#pragma GCC optimize ("fast-math")',
    '#pragma GCC optimize ("O2", "Ofast")',
    '#pragma GCC optimize ("O2,fast" "-math")',
    '#pragma GCC optimize ("-fno-signed-zeros")',
    "#pragma GCC optimize (OPTION)",
    '#pragma GCC optimize ("\\x66ast-math")',
    '#pragma GCC optimize ("trapv")',
    '#pragma GCC target ("avx2,fma")',
    '#pragma GCC target ("fpmath=387")',
    '#pragma GCC target ("arch=haswell")',
    "#pragma STDC FENV_ACCESS ON",
    "#pragma  STDC  FP_CONTRACT ON",
    "#pragma STDC FENV_ROUND FE_UPWARD",
    "#pragma clang fp contract(fast)",
    "#pragma clang fp reassociate(on)",
    "#pragma float_control(precise, off)",
    '_Pragma("GCC optimize (\\"Ofast\\")")',
    '__attribute__((optimize("fast-math")))',
    '__attribute__((__optimize__("O2", "associative-math")))',
    '__attribute__((noinline, target("no-sse2")))',
    '__attribute__((target_clones("default", "fma")))',
)
ACCEPTED = (
    '#pragma GCC optimize ("O3,unroll-loops")',
    "#pragma GCC optimize 3",
    '#pragma GCC optimize "no-fast-math"',
    '#pragma GCC target ("avx2,sse4.1,fpmath=sse")',
    "#pragma GCC push_options",
    "#pragma STDC FENV_ACCESS OFF",
    "#pragma STDC FP_CONTRACT DEFAULT",
    "#pragma clang fp contract(off)",
    '_Pragma("GCC optimize (\\"O3\\")")',
    '__attribute__((optimize(2), target("sse4.2")))',
    '__attribute__((optimize("O" "1")))',
)


@pytest.mark.parametrize("text", REFUSED)
def test_what_changes_arithmetic_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(Unsupported, match=r"^a\.c:2:[0-9]+: .* is not supported"):
        parse_program(f"extern double x;\n{text}\nint main(void) {{ return 0; }}", "a.c", DataModel.LP64)


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_changes_speed_alone_is_passed_over(text: str) -> None:
    assert parse_program(f"{text}\nint main(void) {{ return 0; }}", "a.c", DataModel.LP64).functions
