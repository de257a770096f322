"""Features of programs, and the plans of the portfolio for them."""

from dataclasses import replace
from itertools import product

import pytest

from interplay.portfolio.features import Features, features_of
from interplay.portfolio.plan import Plan, plan, plan_for, read_rules, rules
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
        "repeated": 0,
        "checks": 1,
        "bit_operators": 0,
        "float_operators": 0,
        "products": 0,
        "links": 0,
        "indexed": 0,
        "long": 0,
        "few": 0,
        "many": 0,
        "moves": 0,
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


@pytest.mark.parametrize("in_loop", [False, True])
def test_inputs_that_loops_read_are_told_from_those_read_once(in_loop: bool) -> None:
    builder = ProgramBuilder()
    x, given = builder.variable("x"), builder.input("given")
    start, head, end = builder.location(), builder.location(loop=True), builder.location()
    builder.call(start, head, "idle" if in_loop else "read")
    builder.call(head, head, "read" if in_loop else "idle")
    builder.assume(head, end, builder.arena.true)
    builder.function("main", start, end)
    for name in ("idle", "read"):
        entry, out = builder.location(name), builder.location(name)
        builder.assign(entry, out, *([(x, given)] if name == "read" else []))
        builder.function(name, entry, out)
    found = features_of(builder.program())
    assert (found.inputs, found.repeated) == (1, in_loop)


def test_everyone_is_in_the_plan_or_left_out() -> None:
    made = plan_for(counting_loop(10))
    assert sorted([turn.engine for turn in made.turns] + [name for name, _ in made.left_out]) == sorted(ENGINES)
    assert plan(features_of(counting_loop(10)), ()) == Plan((), (), made.features)
    assert plan(features_of(counting_loop(10)), ("new",)).left_out == (("new", "no rule of the plan names it"),)


BASE = features_of(counting_loop(10))
TOGGLED = dict.fromkeys(
    ("loops", "recursive", "arrays", "inputs", "repeated", "bit_operators", "links", "long", "moves"), (0, 1)
)
KINDS = [
    replace(BASE, **dict(zip((*TOGGLED, "edges", "indexed", "few"), values, strict=True)))
    for values in product(*TOGGLED.values(), (8, 500, 5_000), (0, 2), (0, 1))
]
KINDS += [replace(one, arrays=8 * one.arrays, checks=2) for one in KINDS if not one.few]
KINDS += [replace(one, float_operators=1) for one in KINDS if not one.bit_operators]
"""Programs with and without each feature of which a rule speaks."""

ALL = tuple(ENGINES)

MUCH_CODE = 100


def order_of(features: Features) -> list[str]:
    return [turn.engine for turn in plan(features, ALL).turns]


def test_each_engine_has_turns_or_is_left_out_for_a_reason_and_each_method_has_one() -> None:
    for features in KINDS:
        made = plan(features, ALL)
        assert sorted([*{*order_of(features)}, *(name for name, _ in made.left_out)]) == sorted(ALL)
        assert len({(turn.engine, turn.options) for turn in made.turns}) == len(made.turns)
        assert all(turn.share > 0 and turn.first_slice >= 0 and turn.reason for turn in made.turns)
        assert all(reason for _, reason in made.left_out)
        assert made.turns[0].first_slice > 0


def test_engines_for_all_programs_are_never_left_out() -> None:
    for features in KINDS:
        assert {"bmc", "transition", "explicit", "concrete"} <= set(order_of(features))


def test_engines_for_some_programs_have_a_turn_where_they_suit() -> None:
    for features in KINDS:
        order = order_of(features)
        assert ("pdr" in order) == bool(features.links and not features.recursive)
        assert ("acsar" in order) == bool(features.indexed and features.loops and not features.recursive)
        assert ("chc" in order) == bool((features.loops or features.recursive) and not features.bit_operators)
        assert "eureka" not in order or not (features.bit_operators or features.links or features.edges >= MUCH_CODE)


def test_what_is_made_for_a_program_comes_before_what_is_made_for_all() -> None:
    for features in KINDS:
        order = order_of(features)
        if "pdr" in order:
            assert set(order[: order.index("pdr")]) <= {"concrete"}
        if "acsar" in order and features.edges < MUCH_CODE:
            assert order.index("acsar") < min(order.index("transition"), order.index("explicit"))
        if not features.inputs:
            assert order[0] == "concrete"
        if features.edges >= MUCH_CODE:
            assert order.index("explicit") < order.index("transition")
            is_unrolled = features.inputs and not features.repeated if features.loops else not features.recursive
            computes = features.float_operators and features.loops and features.inputs
            is_searched = is_unrolled or (computes and not features.links and not features.recursive)
            assert (order.index("bmc") < order.index("explicit")) == bool(is_searched)


def test_a_missing_engine_changes_no_turn_of_others() -> None:
    for features in KINDS:
        turns = plan(features, ALL).turns
        for missing in ALL:
            others = tuple(name for name in ALL if name != missing)
            assert plan(features, others).turns == tuple(turn for turn in turns if turn.engine != missing)


def test_of_the_rows_of_a_method_the_first_that_holds_counts() -> None:
    table = read_rules(
        "# a comment\n"
        "loops >= 2 | bmc               | 1 | 2   | many\n"
        "no loops   | bmc               | - |     | none\n"
        "           | bmc               | 2 | 0.5 | else\n"
        "           | bmc induction=off | 1 | 1   | beside\n"
    )

    def made(loops: int) -> list[tuple[str, float, str]]:
        turns = plan(replace(BASE, loops=loops), ("bmc",), table).turns
        return [(turn.reason, turn.first_slice, dict(turn.options).get("induction", "")) for turn in turns]

    assert made(2) == [("many", 1.0, ""), ("beside", 1.0, "off")]
    assert made(1) == [("else", 2.0, ""), ("beside", 1.0, "off")]
    assert plan(replace(BASE, loops=0), ("bmc",), table[:3]).left_out == (("bmc", "none"),)


@pytest.mark.parametrize("row", ["loops > 2 | bmc | 1 | 2 | a relation", "colour | bmc | 1 | 2 | a feature"])
def test_a_row_with_an_unknown_condition_is_an_error(row: str) -> None:
    with pytest.raises(ValueError, match="condition on a feature"):
        read_rules(row)


def test_every_row_of_the_table_may_be_chosen() -> None:
    chosen = {turn for one in KINDS for turn in plan(one, ALL).turns}
    assert {rule.turn for rule in rules() if not rule.leaves_out} <= chosen
