"""Certificates with contracts: right ones are accepted, however deep the recursion; wrong ones are not."""

from collections.abc import Callable, Mapping

import pytest

from core.certificate.results import Certified, Inconclusive, Rejected
from core.program.expansion import At
from core.terms import Term
from core.verdict import Contract
from tests.support.contracted import Claim, asking, assigning, counting_down, remembering


def why(claim: Claim) -> str:
    result = claim.examined()
    assert isinstance(result, Rejected), result
    return result.why


def test_recursion_of_any_depth_is_certified() -> None:
    claim = counting_down()
    result = claim.examined()
    assert isinstance(result, Certified)
    inside = {edge.id for edge in claim.program.edges if claim.program.locations[edge.source].function == "f"}
    assert inside <= set(result.edges)


def test_the_start_function_may_have_a_contract() -> None:
    claim = counting_down()
    a = claim.arena
    both = {**claim.contracts, "main": Contract(a.true, a.true)}
    assert isinstance(Claim(claim.program, {}, both).examined(), Certified)
    assert "start" in why(Claim(claim.program, {}, {**both, "main": Contract(a.false, a.true)}))


def test_a_postcondition_that_some_return_violates_is_rejected() -> None:
    claim = counting_down()
    a, result, before = claim.arena, claim.symbol("f.result"), claim.symbol("f::p@entry")
    assert "does not establish" in why(claim.with_post("f", a.equals(result, a.add(before, a.one))))
    assert "does not establish" in why(claim.with_post("f", a.false))


def test_a_postcondition_that_does_not_suffice_is_rejected() -> None:
    claim = counting_down()
    a, result, before = claim.arena, claim.symbol("f.result"), claim.symbol("f::p@entry")
    assert "does not establish" in why(claim.with_post("f", a.le(result, before)))


def test_a_precondition_must_hold_at_every_call() -> None:
    claim = counting_down()
    a, p = claim.arena, claim.symbol("f::p")
    assert "does not establish" in why(claim.with_pre("f", a.le(a.one, p)))
    assert "does not establish" in why(claim.with_pre("f", a.le(a.integer(899), p)))
    assert "does not establish" in why(asking())


def test_globals_that_a_callee_changes_are_lost() -> None:
    claim = assigning()
    a, g, before = claim.arena, claim.symbol("g"), claim.symbol("g@entry")
    assert "does not establish" in why(claim)
    assert "does not establish" in why(claim.with_post("f", a.equals(g, before)))
    assert "does not establish" in why(claim.with_post("f", a.le(before, g)))


def test_a_contract_that_is_true_and_enough() -> None:
    claim = assigning()
    a, g, before = claim.arena, claim.symbol("g"), claim.symbol("g@entry")
    exact = claim.with_post("f", a.equals(g, a.add(before, a.one)))
    assert "does not establish" in why(exact)  # not at the limit of the range
    small = exact.with_pre("f", a.equals(g, a.zero))
    assert "does not establish" in why(small)  # true, and the error is reached
    assert isinstance(claim.examined(), Rejected)


SPOILED: Mapping[str, tuple[Callable[[Claim], Claim], str]] = {
    "post: a local": (lambda c: c.with_post("f", small(c, "f::l")), "postcondition"),
    "post: a parameter": (lambda c: c.with_post("f", small(c, "f::p")), "postcondition"),
    "post: a local on entry": (lambda c: c.with_post("f", small(c, "f::l@entry")), "postcondition"),
    "post: a stranger": (lambda c: c.with_post("f", small(c, "other")), "postcondition"),
    "pre: a local": (lambda c: c.with_pre("f", small(c, "f::l")), "precondition"),
    "pre: a snapshot": (lambda c: c.with_pre("f", small(c, "f::p@entry")), "precondition"),
    "another function": (lambda c: c.with_invariant(At((), 1), small(c, "f::p")), "another activation"),
    "no snapshot": (lambda c: c.with_invariant(At((), 3), small(c, "f::l@entry")), "another activation"),
    "the entry": (lambda c: c.with_invariant(At((-1,), 2), c.arena.true), "does not have"),
    "an expanded call": (lambda c: c.with_invariant(At((0,), 3), c.arena.true), "does not have"),
    "no call": (lambda c: c.with_invariant(At((1,), 3), c.arena.true), "does not have"),
    "no location": (lambda c: c.with_invariant(At((), 99), c.arena.true), "does not have"),
    "no function": (lambda c: Claim(c.program, {}, {"g": Contract(c.arena.true, c.arena.true)}), "no function g"),
    "no formula": (lambda c: c.with_post("f", c.symbol("f::l")), "not a formula"),
}


def small(claim: Claim, name: str) -> Term:
    return claim.arena.le(claim.symbol(name), claim.arena.zero)


@pytest.mark.parametrize("name", SPOILED)
def test_what_speaks_about_the_wrong_things_is_rejected(name: str) -> None:
    spoil, reason = SPOILED[name]
    claim = remembering()
    assert reason in why(spoil(claim.with_post("f", claim.arena.true)))


def test_locals_of_another_activation_are_not_confused() -> None:
    assert "postcondition" in why(remembering())


def test_a_loop_inside_needs_an_invariant() -> None:
    result = Claim(remembering().program, {}, {}).examined()
    assert isinstance(result, Rejected | Inconclusive)
