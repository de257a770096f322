"""Functions on bits that gcc has built in, against what it makes of the same text."""

import subprocess
from pathlib import Path

import pytest

from core.verdict import Safe
from frontend.api import parse_program
from frontend.interpreter import Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.replay.policy import error_policy
from frontend.typed.ctype import DataModel
from frontend.typed.library_table import Body, Form, library_functions
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext

_BODY = Body("bits.c", Form.BUILTIN, ())
_NUMBERS = ("1", "2", "12", "0x80", "0xff00", "0x12345678", "0x80000000", "0x123456789abcdef0", "0x8000000000000001")


@pytest.mark.long
def test_every_function_is_as_gcc_has_it(tmp_path: Path) -> None:
    calls = [
        f"note({name}({number}u));"
        for name in sorted(one.name for one in library_functions() if one.body == _BODY)
        for number in _NUMBERS
        if int(number, 0) < 1 << 32 or name.endswith(("l", "64"))
    ]
    text = f"""static unsigned long sum;
static void note(unsigned long x) {{ sum = sum * 31 + x; }}
int main(void) {{ {" ".join(calls)}
"""
    (tmp_path / "a.c").write_text(text + 'extern int printf(const char *, ...); printf("%lu", sum); return 0; }')
    subprocess.run(["gcc", "-w", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    sum_ = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True).stdout
    unit = parse_program(f"{text} return sum == {sum_}u ? 0 : 1; }}", "a.c", DataModel.LP64)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)


def test_the_lowering_has_their_bodies() -> None:
    text = """extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { unsigned x = __VERIFIER_nondet_uchar();
  if (x != 0) __CPROVER_assert(__builtin_clz(x) < 32 && __builtin_ctz(x) <= 31 - __builtin_clz(x), "");
  return 0; }"""
    program = lower(parse_program(text, "a.c", DataModel.LP64), None)
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(found, Safe)
