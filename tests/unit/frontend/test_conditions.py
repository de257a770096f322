"""Conditions that users type: their meaning at a place, and the places of their errors."""

from functools import partial

import pytest

from core.program import Program
from core.terms import ArrayValue, Term, Value
from core.terms.evaluate import evaluate
from core.terms.printing import to_c, to_readable_c
from frontend.conditions import names_at, read_condition
from frontend.source import FrontendError
from interplay.presentation.run_text import bounds_in
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from runs.events import Place

TEXT = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int total;
struct pair { int left; int right; };
int twice(int n)
{
    return n + n;
}
int main(void)
{
    int slots[3] = {0};
    struct pair both = {1, 2};
    for (int i = 0; i < 3; i++)
        slots[i] = i;
    for (int i = 0; i < 3; i++)
        total += slots[i] + twice(both.left);
    if (total < 0)
        reach_error();
    return 0;
}
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return DefaultServices().load(Request("task.c"), lambda _: TEXT, lambda _: None).program


def at(program: Program, line: int, function: str = "main") -> Place:
    """The first location on a line."""
    spans = ((one.id, one.span) for one in program.locations if one.function == function)
    return (), next(number for number, span in spans if span is not None and span.line == line)


def symbol(program: Program, name: str) -> Term:
    return next(symbol for symbol in program.variables if symbol.name == name)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("total <= 3", "total <= 3"),
        ("0 <= total < 10 && both.left == 1", "total <= 9 && both.left == 1 && total >= 0"),
        ("slots[1] != total", "slots[1] != total"),
        ("total", "total != 0"),
        ("!(total == 2 * both.right + 0x10)", "total != 2*both.right + 16"),
        ("total > 0 ==> total > 'a'", "total <= 0 || total > 97"),
        ("total <= 0 ? total == 4 : !!total", "total > 0 ? total != 0 : total == 4"),
    ],
)
def test_what_conditions_mean(program: Program, text: str, meaning: str) -> None:
    found = read_condition(program, at(program, 17), text)
    assert found is read_condition(program, at(program, 17), meaning)
    assert found is read_condition(program, at(program, 17), to_c(found))


@pytest.mark.parametrize(
    "text",
    [
        "total > 2³¹ - 5",
        "total == -2³¹",
        "slots[0] + total != 3*2³² + 7",
        "(int)(total + 1) > slots[1]",
        "(int)(total - 1) <= 4",
        "(unsigned)total >= 2³¹",
        "(unsigned char)(total + 3) == 7",
        "(short)total < slots[2]",
        "(int64_t)(total*total*total) < 2⁶² - 1",
        "(total % 3 + 3) % 3 == 1",
        "total < slots[0] || total > slots[0]",
    ],
)
def test_what_is_shown_can_be_typed(program: Program, text: str) -> None:
    """A formula in the words in which people see it is the same formula, or has the same values."""
    place, bounds = at(program, 17), partial(bounds_in, program)
    found = read_condition(program, place, text)
    shown = to_readable_c(found, bounds)
    again = read_condition(program, place, shown)
    assert to_readable_c(again, bounds) == shown
    total, slots = symbol(program, "total"), symbol(program, "main::slots")
    for value in (-(2**31), -(2**31) + 1, -257, -8, -1, 0, 1, 4, 255, 65535, 2**31 - 2, 2**31 - 1):
        for other in (-(2**31), -3, 0, 3, 2**31 - 1):
            values: dict[Term, Value] = {total: value, slots: ArrayValue(other)}
            assert evaluate(found, values) == evaluate(again, values), (shown, value, other)


def test_conversions_wrap_around(program: Program) -> None:
    total, place = symbol(program, "total"), at(program, 17)
    for value in (-(2**31), -129, -1, 0, 127, 255, 2**31 - 1):
        wrapped = (value + 2**31 + 1) % 2**32 - 2**31
        assert evaluate(read_condition(program, place, f"(int)(total + 1) == {wrapped}"), {total: value}) is True
        assert evaluate(read_condition(program, place, f"(uint8_t)total == {value % 256}"), {total: value}) is True


def test_division_rounds_towards_zero(program: Program) -> None:
    total, place = symbol(program, "total"), at(program, 17)
    for value, quotient, remainder in ((7, 3, 1), (-7, -3, -1), (6, 3, 0), (-6, -3, 0)):
        assert evaluate(read_condition(program, place, f"total / 2 == {quotient}"), {total: value}) is True
        assert evaluate(read_condition(program, place, f"total % 2 == {remainder}"), {total: value}) is True


def test_names_are_those_of_the_place(program: Program) -> None:
    first, second = symbol(program, "main::i"), symbol(program, "main::i~2")
    for place, text, meant in (
        (at(program, 13), "i <= 2", first),
        (at(program, 15), "i <= 2", second),
        (at(program, 13), "i@15 <= 2", second),
        (None, "main::i@13 <= 2", first),
        (at(program, 15), "i@13 <= 2", first),
        (at(program, 15), "twice::n <= 2", symbol(program, "twice::n")),
        (at(program, 7, "twice"), "::total <= 2", symbol(program, "total")),
    ):
        assert read_condition(program, place, text).symbols() == {meant}
    with pytest.raises(FrontendError, match="there is no variable i here"):
        read_condition(program, at(program, 17), "i <= 2")
    assert "n" in names_at(program, at(program, 7, "twice"))
    assert "n" not in names_at(program, at(program, 17))
    assert "total" in names_at(program, None)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("totl > 0", 1, "there is no variable totl here; there are slots"),
        ("total > ", 8, "expected a formula in this condition, found the end of the condition"),
        ("total > 1 2", 11, "expected an operator, or the end"),
        ("total 1", 7, "expected an operator"),
        ("total $ 1", 7, "'$' means nothing in this condition"),
        ("slots > 1", 1, "this is an array"),
        ("total[1] > 1", 1, "it is not known what this points to"),
        ("*total > 1", 2, "it is not known what this points to"),
        ("both->left > 1", 1, "this is no pointer"),
        ("1 > 0", 1, "this is always true"),
        ("total / both.left > 1", 9, "divide by a positive number"),
        ("total & 1", 1, "the operator & cannot stand in a condition"),
        ("\\forall integer k; k > total", 1, "quantifiers"),
        ("twice(total) > 1", 1, "not decided"),
        ("(long)total > 1", 1, "the size of (long) is not known here; there are int"),
        ("(struct pair)total > 1", 1, "the size of (struct pair) is not known"),
        ("total < 2⁹⁹⁹", 9, "too large"),
        ("total < 3²", 9, "this number is not decided"),
        ("(" * 3000, 1, "too long"),
        ("", 1, "expected a formula"),
    ],
)
def test_what_is_wrong_is_located(program: Program, text: str, column: int, words: str) -> None:
    with pytest.raises(FrontendError) as caught:
        read_condition(program, at(program, 17), text)
    assert words in caught.value.message
    assert caught.value.span.column == column


def test_bits_are_for_programs_with_bits() -> None:
    """Engines read these as bit-vectors; of another program a predicate with bits would leave them undecided."""
    text = TEXT.replace("total += slots[i]", "total += (slots[i] & total)")
    program = DefaultServices().load(Request("task.c"), lambda _: text, lambda _: None).program
    total, place = symbol(program, "total"), at(program, 17)
    values = (-7, -1, 0, 4, 6, 7)
    masked, shifted = (read_condition(program, place, text) for text in ("(total & 5) == 4", "total >> 1 ^ 3"))
    assert [evaluate(masked, {total: x}) for x in values] == [x & 5 == 4 for x in values]
    assert [evaluate(shifted, {total: x}) for x in values] == [x >> 1 != 3 for x in values]
    with pytest.raises(FrontendError, match="shift by a number"):
        read_condition(program, place, "total << total == 1")


def test_a_location_that_does_not_exist(program: Program) -> None:
    with pytest.raises(FrontendError, match="no such location"):
        read_condition(program, ((), 10_000), "total > 0")
