"""A function is lowered if it may be called, in whatever way its address comes to the call; no other one is."""

import pytest

from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed.ctype import DataModel

DEFINED = "int needed(void) { return 1; } int unused(void) { return needed(); }"
WAYS = {
    "call": ("", "return needed();"),
    "table": ("int (*table[])(void) = {0, needed};", "return table[1]();"),
    "member": ("struct driver { int id; int (*run)(void); } driver = {1, needed};", "return driver.run();"),
    "address": ("", "int (*f)(void) = &needed; return f();"),
    "argument": ("int apply(int (*f)(void)) { return f(); }", "return apply(needed);"),
    "result": ("int (*chosen(void))(void) { return needed; }", "return chosen()();"),
    "memory": ("int (**place)(void); int (*held)(void);", "place = &held; *place = needed; return held();"),
    "static object": ("", "static int (*const kept)(void) = needed; return kept();"),
    "closure": ("int near(void) { return needed(); } int (*start)(void) = near;", "return start();"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_may_be_called_is_lowered(way: str) -> None:
    declared, body = WAYS[way]
    text = f"{DEFINED}\n{declared}\nint main(void) {{ {body} }}"
    functions = lower(parse_program(text, "a.c", DataModel.ILP32), None).functions
    assert "needed" in functions
    assert "unused" not in functions


def test_what_nothing_calls_may_have_what_is_refused() -> None:
    text = 'int unused(void) { __asm__("nop"); return 1; } int main(void) { return 0; }'
    assert "unused" not in lower(parse_program(text, "a.c", DataModel.ILP32), None).functions
