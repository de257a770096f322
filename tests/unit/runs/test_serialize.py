"""Programs as JSON: what is written is read, and what strangers write is checked."""

from typing import Any

import pytest

from core.terms import Arena
from runs.jsondata import Malformed, compact, parse
from runs.serialize import decode_program, encode_program
from tests.support.small_programs import counting_loop


def test_a_program_survives() -> None:
    program = counting_loop(10)
    stored = parse(compact(encode_program(program)))
    again = decode_program(stored, Arena())
    assert encode_program(again) == encode_program(program)
    assert again.locations == program.locations
    assert again.checks == program.checks
    assert again.assumptions == program.assumptions


def test_equal_programs_give_equal_values_and_others_do_not() -> None:
    assert encode_program(counting_loop(10)) == encode_program(counting_loop(10))
    assert encode_program(counting_loop(10)) != encode_program(counting_loop(11))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("edges", 0, 1), 99),
        (("edges", 0, 2), ["jump", 1]),
        (("edges", 1, 2, 1), [1]),
        (("checks", 0, 1), -1),
        (("start",), "nowhere"),
        (("functions",), {}),
        (("inputs", 0, 1), "telepathy"),
        (("locations", 0, 1), ["a.c", 1]),
        (("terms", 0), ["symbol"]),
    ],
    ids=str,
)
def test_malformed_programs_are_refused(path: tuple[str | int, ...], value: object) -> None:
    stored: Any = parse(compact(encode_program(counting_loop(10))))
    inner = stored
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(Malformed):
        decode_program(stored, Arena())


def test_a_missing_part_is_named() -> None:
    with pytest.raises(Malformed, match="'terms' is missing"):
        decode_program({}, Arena())
