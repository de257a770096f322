"""Evidence as JSON: what is written is read, and what strangers write is checked."""

from dataclasses import replace
from typing import Any

import pytest

from core.program import InputKind
from core.program.expansion import At
from core.terms import INT, INT_ARRAY, Arena, ArrayValue
from core.verdict import (
    RELATION,
    SET,
    Certificate,
    Contract,
    Fold,
    Gap,
    Ghost,
    GhostField,
    HeapGhosts,
    InputValue,
    Safe,
    Unknown,
    Unsafe,
)
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import Malformed, compact, parse
from tests.support.small_programs import at


def test_evidence_survives() -> None:
    arena = Arena()
    i = arena.symbol("main::i", INT)
    certificate = Certificate({At((0,), 4): arena.le(i, arena.integer(10))}, (arena.le(i, i), arena.lt(i, arena.zero)))
    memory = InputValue(InputKind.INDETERMINATE, "a", at(4), 1, ArrayValue(0, {3: 1, -2: 5}))
    unsafe = Unsafe((memory, InputValue(InputKind.NONDET, "f", at(3), 0, True)), (0, 1, 0), (Gap(2, {i: -7}), Gap(3)))
    stored = parse(compact(encode_evidence({0: Safe(certificate), 1: unsafe, 2: Safe(certificate), 3: Unknown("")})))
    evidence = decode_evidence(stored, arena)
    assert sorted(evidence.certificates) == [0, 2]
    assert evidence.certificates[0] is evidence.certificates[2]
    assert evidence.certificates[0].invariants == certificate.invariants
    assert evidence.certificates[0].lemmas == certificate.lemmas
    assert evidence.counterexamples == {1: unsafe}


def test_a_gap_that_was_written_as_a_position_is_read() -> None:
    stored = {
        "terms": [],
        "certificates": [],
        "counterexamples": [{"check": 0, "inputs": [], "path": [0, 1], "gap": 1}],
    }
    assert decode_evidence(stored, Arena()).counterexamples == {0: Unsafe((), (0, 1), (Gap(1),))}


def test_contracts_survive() -> None:
    arena = Arena()
    p, before = arena.symbol("f::p", INT), arena.symbol("f::p@entry", INT)
    contract = Contract(arena.le(arena.zero, p), arena.le(p, before))
    stored = parse(compact(encode_evidence({0: Safe(Certificate({}, (), {"f": contract}))})))
    [found] = decode_evidence(stored, arena).certificates[0].contracts.items()
    assert found[0] == "f"
    assert (found[1].pre, found[1].post) == (contract.pre, contract.post)


def test_certificates_without_contracts_are_written_as_they_always_were() -> None:
    stored: Any = parse(compact(encode_evidence({0: Safe(Certificate({}))})))
    assert stored["certificates"] == [{"checks": [0], "invariants": [], "lemmas": []}]
    assert decode_evidence(stored, Arena()).certificates[0].contracts == {}


def ghosts() -> tuple[Ghost, ...]:
    t = Arena()
    own, result, index = (t.symbol(f"\\{name}", sort) for name, sort in (("s", INT_ARRAY), ("r", INT), ("i", INT)))
    fold = Fold(own, At((2,), 3), frozenset({4, 1}), result, index, t.zero, t.add(result, index), t.true)
    field = GhostField(t.symbol("a", INT_ARRAY), 8, t.symbol("\\reaches", RELATION), t.symbol("\\written", SET))
    return fold, HeapGhosts(t.symbol("\\allocated", SET), (field,), frozenset({At((), 1)}))


def stored_ghosts() -> Any:
    return parse(compact(encode_evidence({0: Safe(Certificate({}, ghosts=ghosts()))})))


def are_kept(stored: Any, kinds: list[type]) -> bool:
    """Whether what is read is written as `ghosts` are, in this order."""
    read = decode_evidence(stored, Arena()).certificates[0]
    again: Any = parse(compact(encode_evidence({0: Safe(replace(read, ghosts=sorted_by_kind(read.ghosts)))})))
    return [type(one) for one in read.ghosts] == kinds and again == stored_ghosts()


def sorted_by_kind(found: tuple[Ghost, ...]) -> tuple[Ghost, ...]:
    return tuple(sorted(found, key=lambda one: isinstance(one, HeapGhosts)))


def test_ghosts_of_all_kinds_survive() -> None:
    assert are_kept(stored_ghosts(), [Fold, HeapGhosts])


def test_ghosts_that_had_fields_of_their_own_are_converted() -> None:
    stored = stored_ghosts()
    certificate = stored["certificates"][0]
    (_, fold), (_, heap) = certificate.pop("ghosts")
    certificate.update(heap=heap, folds=[fold])
    assert are_kept(stored, [HeapGhosts, Fold])


def test_ghosts_of_no_known_kind_are_refused() -> None:
    stored = stored_ghosts()
    stored["certificates"][0]["ghosts"][0][0] = "dream"
    with pytest.raises(Malformed, match="unknown kind of ghost 'dream'"):
        decode_evidence(stored, Arena())


def test_malformed_evidence_is_refused() -> None:
    with pytest.raises(Malformed):
        decode_evidence({"terms": [], "certificates": [{"checks": [0.5]}], "counterexamples": []}, Arena())
