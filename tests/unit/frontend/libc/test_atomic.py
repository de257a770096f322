"""Atomic operations that gcc has built in, against what it makes of the same text."""

import subprocess
from pathlib import Path

import pytest

from core.verdict import Executed
from frontend.api import parse_program
from frontend.interpreter import Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.replay.policy import error_policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from methods.engines.concrete.engine import ConcreteEngine
from tests.support.contexts import RecordingContext

_TYPES = ("signed char", "unsigned short", "int", "unsigned", "long", "unsigned long")
_NUMBERS = ("0", "1", "-1", "127", "0x80", "0x7fffffff", "0x123456789abcdef0")
_OPERATORS = ("add", "sub", "and", "or", "xor", "nand")


def _lines() -> list[str]:
    """Statements that note what each operation returns and leaves."""
    found: list[str] = []
    for k, type_ in enumerate(_TYPES):
        for j, operator in enumerate(_OPERATORS):
            begin, value = _NUMBERS[(k + j) % 7], _NUMBERS[(2 * k + 3 * j + 1) % 7]
            for call in (
                f"__atomic_fetch_{operator}(&x, {value}, 5)",
                f"__atomic_{operator}_fetch(&x, {value}, 0)",
                f"__sync_fetch_and_{operator}(&x, {value})",
                f"__sync_{operator}_and_fetch(&x, {value})",
            ):
                found.append(f"{{ {type_} x = {begin}; note({call}); note(x); }}")
        found.append(
            f"""{{ {type_} x = 3, y = 4, z = 5;
    note(__atomic_load_n(&x, 5)); __atomic_load(&x, &z, 5); note(z); __atomic_store_n(&x, 9, 5); note(x);
    __atomic_store(&x, &y, 5); note(x); note(__atomic_exchange_n(&x, 7, 5)); __atomic_exchange(&x, &y, &z, 5);
    note(x + 8 * z);
    note(__atomic_compare_exchange_n(&x, &z, 6, 0, 5, 5)); note(x + 16 * z);
    note(__atomic_compare_exchange_n(&x, &z, 6, 0, 5, 5)); note(x + 16 * z);
    note(__atomic_compare_exchange(&x, &y, &z, 0, 5, 5)); note(x + y);
    note(__sync_bool_compare_and_swap(&x, 6, 2)); note(__sync_val_compare_and_swap(&x, 2, 1)); note(x);
    note(__sync_lock_test_and_set(&x, 8)); __sync_lock_release(&x); note(x); }}"""
        )
    return [
        *found,
        "{ _Bool f = 0; note(__atomic_test_and_set(&f, 5)); note(__atomic_test_and_set(&f, 5)); "
        "__atomic_clear(&f, 5); note(f); }",
        "{ int a = 1, b = 2, *p = &a; *__atomic_exchange_n(&p, &b, 5) = 5; note(a); __atomic_load_n(&p, 0)[0]++; "
        "note(b); __atomic_thread_fence(5); __sync_synchronize(); }",
    ]


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("part", range(5))
def test_every_operation_is_as_gcc_has_it(part: int, tmp_path: Path) -> None:
    lines = "\n".join(_lines()[part::5])
    text = f"""static unsigned long sum;
static void note(unsigned long x) {{ sum = sum * 31 + x; }}
int main(void) {{ {lines}
"""
    (tmp_path / "a.c").write_text(text + 'extern int printf(const char *, ...); printf("%lu", sum); return 0; }')
    subprocess.run(["gcc", "-w", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    sum_ = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True).stdout
    unit = parse_program(f'{text} __CPROVER_assert(sum == {sum_}u, ""); return 0; }}', "a.c", DataModel.LP64)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)
    (found,) = ConcreteEngine().run(lower(unit, None), [0], RecordingContext()).values()
    assert isinstance(found, Executed)


@pytest.mark.parametrize(
    "call",
    [
        "__atomic_fetch_add(&p, 1, 0)",
        "__atomic_is_lock_free(4, p)",
        "__atomic_test_and_set(&x, 0)",  # of the bytes of x, one
        "__atomic_clear(&x, 0)",
        "__atomic_fetch_add(&wide, 1, 0)",
    ],
)
def test_what_is_refused(call: str) -> None:
    text = f"int main(void) {{ int *p = 0, x = 256; __int128 wide = 1; {call}; return 0; }}"
    with pytest.raises(Unsupported):
        lower(parse_program(text, "a.c", DataModel.LP64), None)


def test_a_definition_of_the_program_counts() -> None:
    text = """int __sync_lock_test_and_set(int *p, int x) { return 77; }
int main(void) { int x = 0; return __sync_lock_test_and_set(&x, 1) == 77 && x == 0 ? 0 : 1; }"""
    unit = parse_program(text, "a.c", DataModel.LP64)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)
