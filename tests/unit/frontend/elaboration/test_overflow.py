"""Questions whether arithmetic leaves its type, against what the compiler says of the same text."""

import subprocess
from itertools import product
from pathlib import Path

import pytest

from frontend.api import parse_program
from frontend.interpreter import Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.replay.native import FLAGS
from frontend.replay.policy import error_policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel

_OPERATIONS = ("add", "sub", "mul")
_TYPES = ("signed char", "unsigned short", "int", "unsigned", "long", "unsigned long")
_NUMBERS = (0, 1, -1, 2, 127, -128, 65535, 2147483647, -2147483648, 4294967295, 2**63 - 1, -(2**63), 2**64 - 1)


def _lines() -> list[str]:
    """Statements that add what each operation answers, and what it stores."""
    found: list[str] = []
    for k, (operation, left, right, result) in enumerate(product(_OPERATIONS, _TYPES, _TYPES, _TYPES)):
        x, y = _NUMBERS[k % 13], _NUMBERS[(k * 5 + k // 13) % 13]
        operands = f"({left}) {x % 2**64}u, ({right}) {y % 2**64}u"
        found.append(f"{{ {result} r; note(__builtin_{operation}_overflow({operands}, &r)); note(r); }}")
        found.append(f"note(__builtin_{operation}_overflow_p({operands}, ({result}) 0));")
        cbmc = {"add": "plus", "sub": "minus", "mul": "mult"}[operation]
        found.append(f"note(__CPROVER_overflow_{cbmc}({operands}));")
    for name, type_ in (("s", "int"), ("u", "unsigned"), ("sl", "long"), ("ull", "unsigned long long")):
        for operation in _OPERATIONS:
            typed = f"__builtin_{name[0]}{operation}{name[1:]}_overflow"
            found.append(f"{{ {type_} r; note({typed}({-3 % 2**64}u, 2147483647, &r)); note(r); }}")
    return found


@pytest.mark.long
def test_every_operation_is_as_gcc_has_it(tmp_path: Path) -> None:
    lines = "\n".join(_lines())
    text = f"""static unsigned long sum;
static void note(unsigned long x) {{ sum = sum * 31 + x; }}
int main(void) {{ {lines}
"""
    (tmp_path / "a.c").write_text(text + 'extern int printf(const char *, ...); printf("%lu", sum); return 0; }')
    defined = [flag for flag in FLAGS if flag.startswith("-D")]
    subprocess.run(["gcc", "-w", *defined, "a.c", "-o", "a"], cwd=tmp_path, check=True)
    sum_ = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True).stdout
    unit = parse_program(f"{text} return sum == {sum_}u ? 0 : 1; }}", "a.c", DataModel.LP64)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)


@pytest.mark.parametrize(
    "call",
    [
        "__builtin_add_overflow(x++, 1, &x)",
        "__builtin_mul_overflow(1.0, 2, &x)",
        "__builtin_add_overflow_p(3, 1, s.bits)",  # which asks about 3 bits
    ],
)
def test_what_is_refused(call: str) -> None:
    begin = "struct { int bits : 3; } s; int main(void) { int x = 0;"
    with pytest.raises(Unsupported):
        lower(parse_program(f"{begin} return {call}; }}", "a.c", DataModel.LP64), None)
    with pytest.raises(Unsupported):  # also where nobody uses the result
        lower(parse_program(f"{begin} {call}; return x; }}", "a.c", DataModel.LP64), None)


def test_the_result_may_be_an_operand() -> None:
    body = "int x = 2147483647; int o = __builtin_add_overflow(x, 1, &x); return o == 1 && x < 0 ? 0 : 1;"
    unit = parse_program(f"int main(void) {{ {body} }}", "a.c", DataModel.LP64)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)
