"""Features of programs, and the plans of the portfolio for them."""

from dataclasses import replace

import pytest

from interplay.portfolio.plan import Features, Plan, features_of, plan, plan_for
from methods.registry import ENGINES
from tests.support.program_builder import ProgramBuilder
from tests.support.small_programs import counting_loop


def test_features_of_a_loop() -> None:
    assert dict(features_of(counting_loop(10)).items()) == {
        "edges": 8,
        "loops": 1,
        "functions": 2,
        "recursive": 0,
        "variables": 2,
        "arrays": 0,
        "inputs": 1,
        "checks": 1,
        "bit_operators": 0,
        "products": 0,
        "links": 0,
        "indexed": 0,
        "long": 0,
    }


def test_features_of_terms_and_calls() -> None:
    builder = ProgramBuilder()
    arena, x, a = builder.arena, builder.variable("x"), builder.array("a")
    entry, end = builder.location("f"), builder.location("f")
    builder.call(entry, end, "g")
    builder.function("f", entry, end)
    other, out = builder.location("g"), builder.location("g")
    builder.call(other, out, "f")
    builder.assign(other, out, (x, arena.modulo(x, arena.select(a, x))), (a, arena.store(a, x, arena.multiply(x, x))))
    builder.function("g", other, out)
    found = features_of(builder.program("f"))
    assert (found.recursive, found.arrays, found.products, found.indexed) == (2, 1, 2, 2)


def test_everyone_is_in_the_plan_or_left_out() -> None:
    made = plan_for(counting_loop(10))
    assert sorted([turn.engine for turn in made.turns] + [name for name, _ in made.left_out]) == sorted(ENGINES)
    assert plan(features_of(counting_loop(10)), ()) == Plan((), (), made.features)
    assert plan(features_of(counting_loop(10)), ("new",)).left_out == (("new", "no rule of the plan names it"),)


def few(**features: int) -> Features:
    return replace(features_of(counting_loop(10)), **features)


ALL = tuple(ENGINES)


@pytest.mark.parametrize(
    ("features", "order", "left_out"),
    [
        (few(), ["bmc", "chc", "transition", "explicit", "concrete"], ["pdr", "acsar", "eureka"]),
        (few(arrays=1), ["bmc", "eureka", "chc", "transition", "explicit", "concrete"], ["pdr", "acsar"]),
        (few(inputs=0), ["concrete", "bmc", "chc", "transition", "explicit"], ["pdr", "acsar", "eureka"]),
        (few(recursive=1, loops=0), ["concrete", "bmc", "eureka", "chc", "transition", "explicit"], ["pdr", "acsar"]),
        (few(loops=0), ["transition", "bmc", "explicit", "concrete"], ["pdr", "chc", "eureka", "acsar"]),
        (
            few(arrays=1, bit_operators=3),
            ["bmc", "transition", "explicit", "concrete"],
            ["pdr", "acsar", "eureka", "chc"],
        ),
        (few(edges=500, arrays=1), ["explicit", "transition", "bmc", "chc", "concrete"], ["pdr", "acsar", "eureka"]),
        (
            few(edges=500, bit_operators=3),
            ["explicit", "transition", "bmc", "concrete"],
            ["pdr", "acsar", "chc", "eureka"],
        ),
        (few(links=1), ["pdr", "bmc", "chc", "transition", "explicit", "concrete"], ["acsar", "eureka"]),
        (few(indexed=2), ["bmc", "concrete", "acsar", "chc", "transition", "explicit"], ["pdr", "eureka"]),
        (few(arrays=1, indexed=2), ["bmc", "concrete", "acsar", "eureka", "chc", "transition", "explicit"], ["pdr"]),
        (few(indexed=2, long=1), ["bmc", "acsar", "concrete", "chc", "transition", "explicit"], ["pdr", "eureka"]),
        (few(indexed=2, recursive=1), ["concrete", "bmc", "eureka", "chc", "transition", "explicit"], ["pdr", "acsar"]),
    ],
)
def test_the_order_of_turns(features: Features, order: list[str], left_out: list[str]) -> None:
    made = plan(features, ALL)
    assert [turn.engine for turn in made.turns] == order
    assert [name for name, _ in made.left_out] == left_out
    assert all(turn.share > 0 for turn in made.turns)
    assert all(reason for _, reason in made.left_out)
