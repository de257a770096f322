"""Transitions against evaluation: wp and pre, composition, and SSA path formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from core.program import Assume, Range
from core.program.semantics import StaticSingleAssignment, Transition, range_facts, transition
from core.terms import Arena, ArrayValue, NotEvaluable, Term, Value, evaluate
from tests.support.random_terms import RandomTerms

State = Mapping[Term, Value]
INDICES = range(-6, 7)  # where arrays are compared


def random_transition(draw: RandomTerms) -> Transition:
    variables = draw.random.sample((*draw.integers, *draw.arrays), draw.random.randint(0, 3))
    updates = {x: draw.integer(2) if x in draw.integers else draw.array(2) for x in variables}
    return Transition(draw.arena, draw.formula(1), updates)


def executed(t: Transition, state: State) -> State | None:
    """The state after `t`, None where its guard does not hold."""
    if not evaluate(t.guard, state):
        return None
    return {**state, **{x: evaluate(value, state) for x, value in t.updates.items()}}


def same(a: State | None, b: State | None) -> bool:
    if a is None or b is None:
        return a is b
    return all(_equal(a[x], b[x]) for x in a)


def _equal(a: Value, b: Value) -> bool:
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
        keys = {*a.entries, *b.entries, *INDICES}
        return all(a[k] == b[k] for k in keys)
    return a == b


@given(st.integers(0, 2**32))
def test_wp_and_pre_speak_about_the_state_after(seed: int) -> None:
    draw = RandomTerms(seed)
    t, post = random_transition(draw), draw.formula(2)
    for _ in range(5):
        state = draw.values()
        after = executed(t, state)
        ends = after is not None and evaluate(post, after) is True
        assert evaluate(t.pre(post), state) is ends
        assert evaluate(t.wp(post), state) is (after is None or ends)
        assert evaluate(t.pre(post), state) is (not evaluate(t.wp(draw.arena.not_(post)), state))


@given(st.integers(0, 2**32))
def test_composition_is_execution_in_sequence(seed: int) -> None:
    draw = RandomTerms(seed)
    parts = [random_transition(draw) for _ in range(3)]
    left = parts[0].then(parts[1]).then(parts[2])
    right = parts[0].then(parts[1].then(parts[2]))
    for _ in range(5):
        state = draw.values()
        after: State | None = state
        for part in parts:
            after = None if after is None else executed(part, after)
        assert same(executed(left, state), after)
        assert same(executed(right, state), after)


def test_a_swap_is_simultaneous() -> None:
    draw = RandomTerms(0)
    x, y, _ = draw.integers
    swap = Transition(draw.arena, draw.arena.true, {x: y, y: x})
    twice = swap.then(swap)
    assert not twice.updates
    assert swap.after(draw.arena.lt(x, y)) is draw.arena.lt(y, x)


@given(st.integers(0, 2**32))
def test_a_path_formula_holds_exactly_on_executions(seed: int) -> None:
    """The definitions determine the renamed symbols, and then the guards say whether the path is taken."""
    draw = RandomTerms(seed)
    given_ = draw.integers[2]  # z is an input
    steps = []
    for _ in range(4):
        t = random_transition(draw)
        steps.append(Transition(draw.arena, t.guard, {x: v for x, v in t.updates.items() if x is not given_}))
    ssa = StaticSingleAssignment(draw.arena)
    constraints = [ssa.step(t, lambda s: s is given_) for t in steps]
    initial = draw.values()
    inputs = [draw.random.randint(-4, 4) for _ in steps]
    state: State | None = initial
    model = dict(initial)
    for i, (t, value) in enumerate(zip(steps, inputs, strict=True)):
        model.update(dict.fromkeys(ssa.inputs[i].values(), value))
        taken = state is not None and bool(evaluate(t.guard, {**state, given_: value}))
        before: State = state if state is not None else initial
        if state is not None:
            reference = executed(Transition(draw.arena, draw.arena.true, t.updates), {**state, given_: value})
            assert reference is not None
            state = {**reference, given_: initial[given_]}
            model.update(_definitions(draw.arena, ssa, i, t, {**before, given_: value}))
        assert all(evaluate(c, model) for c in constraints[i]) is taken
        if not taken:
            return
    assert state is not None
    assert all(_equal(evaluate(ssa.now(x), model), state[x]) for x in draw.symbols if x is not given_)


def _definitions(arena: Arena, ssa: StaticSingleAssignment, step: int, t: Transition, state: State) -> State:
    defined = {x: arena.symbol(f"{x.name}@{step}", x.sort) for x in t.updates}
    return {copy: evaluate(t.updates[x], state) for x, copy in defined.items() if ssa.origin.get(copy) is x}


def test_each_step_has_its_own_inputs() -> None:
    draw = RandomTerms(0)
    x, y, given_ = draw.integers
    read = Transition(draw.arena, draw.arena.true, {x: given_})
    keep = Transition(draw.arena, draw.arena.true, {y: x})
    differ = transition(draw.arena, Assume(draw.arena.not_(draw.arena.equals(x, y))))
    ssa = StaticSingleAssignment(draw.arena)
    constraints = [ssa.step(t, lambda s: s is given_) for t in (read, keep, read, differ)]
    first, second = ssa.inputs[0][given_], ssa.inputs[2][given_]
    assert first is not second
    assert constraints[3] == (draw.arena.not_(draw.arena.equals(first, second)),)


@given(st.integers(0, 2**32))
def test_range_facts_hold_wherever_all_values_are_in_range(seed: int) -> None:
    draw = RandomTerms(seed)
    terms: Sequence[Term] = (draw.formula(3), draw.integer(3))
    facts = range_facts(draw.arena, terms, lambda _: Range(-4, 4))
    values = draw.values()
    for fact in facts:
        with suppress(NotEvaluable):
            assert evaluate(fact, values)
