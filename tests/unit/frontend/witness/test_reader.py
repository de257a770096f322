"""Witnesses as people and tools write them, and as nobody should."""

import pytest

from frontend.source import FrontendError, ParseError, Unsupported
from frontend.witness.reader import GivenProof, GivenViolation, read_witness

PROOF = """- entry_type: invariant_set
  metadata:
    format_version: 2.0
    uuid: 060dad30-77b0-4ee6-96c0-16d11bfc0506
    creation_time: 2026-11-21T08:00:00Z
    producer: {name: Other}
    task:
      input_files: [example.c]
      input_file_hashes: {example.c: 0123}
      data_model: LP64
      language: C
      surprise: [1, 2]
  content:
  - invariant:
      type: loop_invariant
      location: {file_name: example.c, line: 7, function: main}
      value: 0 <= i && i <= 10
      format: c_expression
  - invariant:
      type: location_invariant
      location: {file_name: example.c, line: 9, column: 3}
      value: true
"""

VIOLATION = r"""- entry_type: violation_sequence
  metadata: {}
  content:
  - segment:
    - waypoint: {type: branching, action: avoid, constraint: {value: true}, location: {line: 5, column: 3}}
    - waypoint: {type: function_return, action: follow, constraint: {value: \return == 6}, location: {line: 5}}
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: example.c, line: 11}}
"""


def test_scalars_are_texts_and_what_is_missing_is_no_fault() -> None:
    proof = read_witness(PROOF, "w.yml")
    assert isinstance(proof, GivenProof)
    assert proof.about.data_model == "LP64"
    assert proof.about.hashes == {"example.c": "0123"}
    assert proof.about.specification == ""
    assert proof.about.producer == "Other"
    loop, location = proof.invariants
    assert (loop.at_loop, loop.location.line, loop.location.column, loop.value) == (True, 7, None, "0 <= i && i <= 10")
    assert (location.at_loop, location.location.column, location.value) == (False, 3, "true")
    assert (loop.span.file, loop.span.line, loop.span.column) == ("w.yml", 17, 14)


def test_segments() -> None:
    violation = read_witness(VIOLATION, "w.yml")
    assert isinstance(violation, GivenViolation)
    first, last = violation.segments
    assert [one.value for one in first.avoid] == ["true"]
    assert (first.follow.kind, first.follow.value) == ("function_return", "\\return == 6")
    assert last.follow.kind == "target"


def test_one_entry_may_stand_alone() -> None:
    alone = "\n".join(line[2:] for line in PROOF.splitlines())
    assert read_witness(alone, "w.yml") == read_witness(alone, "w.yml")
    assert isinstance(read_witness(alone, "w.yml"), GivenProof)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "w.yml:1:1", "empty"),
        ("a: [", "w.yml:1:5", "expected"),
        ("- 7\n", "w.yml:1:3", "a mapping is expected"),
        ("[]", "w.yml:1:1", "no entry"),
        ("- entry_type: invariant_set\n", "w.yml:1:3", "'content' is missing"),
        (PROOF.replace("line: 7", "line: seven"), "w.yml:16:46", "'seven' is no line"),
        (PROOF.replace("line: 7", f"line: {'9' * 5000}"), "w.yml:16:46", "no line"),
        (VIOLATION.replace("follow, constraint", "avoid, constraint"), "w.yml:4:5", "one at its end to follow"),
        (VIOLATION.replace("type: target", "type: function_enter"), "w.yml:7:5", "the target is the last"),
        (VIOLATION.replace(", constraint: {value: true}", ""), "w.yml:5:17", "needs a constraint"),
        ("a: &x [1]\nb: *x\n", "w.yml:2:4", "aliases"),
        ("[" * 200 + "]" * 200, "w.yml:1:51", "nested"),
        ("a: \x01", "w.yml:1:1", "not YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_witness(text, "w.yml")
    assert str(caught.value.span) == place
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PROOF.replace("format_version: 2.0", "format_version: '1.0'"), "version 1.0"),
        (PROOF.replace("type: loop_invariant", "type: loop_transition_invariant"), "loop_transition_invariant"),
        (PROOF.replace("c_expression", "acsl_expression"), "acsl_expression"),
        (PROOF.replace("invariant_set", "ghost_instrumentation"), "ghost_instrumentation"),
        (VIOLATION.replace("action: avoid", "action: cycle"), "action cycle"),
        ('<?xml version="1.0"?>\n<graphml/>\n', "GraphML witnesses are not read"),
    ],
)
def test_what_is_not_decided(text: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message):
        read_witness(text, "w.yml")


def test_a_bomb_of_aliases_and_a_large_file_are_refused_at_once() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
    for text in (bomb, " " * (5 << 20), "!!python/object/apply:os.system ['true']"):
        with pytest.raises(FrontendError):
            read_witness(text, "w.yml")
