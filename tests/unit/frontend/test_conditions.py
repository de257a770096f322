"""Conditions that a person types: what they mean at a place, and where they are wrong."""

import pytest

from core.events import Place
from core.program import Program
from core.terms.evaluate import evaluate
from core.terms.printing import to_c
from frontend.conditions import names_at, read_condition
from frontend.source import FrontendError
from interplay.installed import Installed
from interplay.request import Request

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
    return Installed().load(Request("task.c"), lambda _: TEXT, lambda _: None).program


def at(program: Program, line: int, function: str = "main") -> Place:
    """The first location on a line."""
    spans = ((one.id, one.span) for one in program.locations if one.function == function)
    return (), next(number for number, span in spans if span is not None and span.line == line)


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


def test_division_rounds_towards_zero(program: Program) -> None:
    total = next(symbol for symbol in program.variables if symbol.name == "total")
    place = at(program, 17)
    for value, quotient, remainder in ((7, 3, 1), (-7, -3, -1), (6, 3, 0), (-6, -3, 0)):
        assert evaluate(read_condition(program, place, f"total / 2 == {quotient}"), {total: value}) is True
        assert evaluate(read_condition(program, place, f"total % 2 == {remainder}"), {total: value}) is True


def test_names_are_those_of_the_place(program: Program) -> None:
    assert to_c(read_condition(program, at(program, 13), "i <= 2")) == "i <= 2"
    assert to_c(read_condition(program, at(program, 15), "i <= 2")) == "i~2 <= 2"
    assert to_c(read_condition(program, at(program, 15), "i~2 <= 2")) == "i~2 <= 2"
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
        ("total[1] > 1", 1, "no array"),
        ("*total > 1", 1, "what memory holds has no name here"),
        ("both->left > 1", 1, "what memory holds has no name here"),
        ("1 > 0", 1, "this is always true"),
        ("total / both.left > 1", 9, "divide by a positive number"),
        ("total & 1", 1, "the operator & cannot stand in a condition"),
        ("\\forall integer k; k > total", 1, "quantifiers"),
        ("twice(total) > 1", 1, "not decided"),
        ("(" * 3000, 1, "too long"),
        ("", 1, "expected a formula"),
    ],
)
def test_what_is_wrong_is_located(program: Program, text: str, column: int, words: str) -> None:
    with pytest.raises(FrontendError) as caught:
        read_condition(program, at(program, 17), text)
    assert words in caught.value.message
    assert caught.value.span.column == column


def test_a_location_that_does_not_exist(program: Program) -> None:
    with pytest.raises(FrontendError, match="no such location"):
        read_condition(program, ((), 10_000), "total > 0")
