"""Objects that handlers write and that are not volatile get a warning."""

from __future__ import annotations

import pytest

from frontend.api import parse_program
from frontend.typed.ctype import DataModel

MAIN = "int main(void) { int a = t; return a == t; }"
SIGNAL = "void (*signal(int, void (*)(int)))(int); void raise(int);"


def warnings(text: str) -> list[str]:
    return [one.message for one in parse_program(text, "w.c", DataModel.ILP32).warnings]


@pytest.mark.parametrize(
    "text",
    [
        f"int t; void isr(void) {{ t++; }} {MAIN}",
        f"int t; void tick(void) {{ t = 1; }} void isr(void) {{ tick(); }} {MAIN}",
        f"int t; void isr(void) {{ t++; }} void (*table[])(void) = {{ isr }}; {MAIN}",
        f"struct {{ int n; }} s; int t; void isr(void) {{ s.n++; }} {MAIN.replace('t;', 's.n;')}",
    ],
)
def test_handlers_of_interrupts(text: str) -> None:
    (found,) = warnings(text)
    assert "is written by isr, which nothing calls, and is not volatile: no interrupt is taken to happen" in found


def test_handlers_of_signals() -> None:
    (found,) = warnings(f"int t; void h(int n) {{ t = n; }} {SIGNAL} {MAIN.replace('int a', 'signal(2, h); int a')}")
    runs = "only raise, abort and kill(getpid(), …) run it"
    assert found == f"t is written by h, a handler of signals, and is not volatile: {runs}"


@pytest.mark.parametrize(
    "text",
    [
        f"volatile int t; void isr(void) {{ t++; }} {MAIN}",
        f"int t, u; void isr(void) {{ u++; }} {MAIN}",
        f"int t; void tick(void) {{ t++; }} {MAIN.replace('int a', 'tick(); int a')}",
        f"int t; void set(int n) {{ t = n; }} {MAIN}",
        f"int t; void i(void) {{ t++; }} void (*table[])(void) = {{ i }}; {MAIN.replace('int a', 'table[0](); int a')}",
        "int t; void isr(void) { t++; }",
    ],
)
def test_what_is_no_handler_or_not_read_has_no_warning(text: str) -> None:
    assert warnings(text) == []
