"""Events as JSON lines: round trip, stable bytes, lenient about what is new and strict about what is known."""

from dataclasses import replace
from typing import get_args

import pytest

from core.verdict import Confirmer
from runs.events import (
    NO_PROGRESS,
    NOT_KNOWN,
    SCHEMA_VERSION,
    AttemptContinued,
    AttemptEnded,
    AttemptStarted,
    CheckDecided,
    Counter,
    Event,
    InterpolantsFound,
    LemmaAdded,
    LemmasPushed,
    NodeAdded,
    PathFound,
    PhaseStarted,
    PlanMade,
    Progress,
    TermDefined,
    TraceShown,
    VerdictReached,
)
from runs.events_json import decode, encode, header, read_header
from runs.jsondata import Malformed

EVENTS: list[Event] = [
    TermDefined(0, "linear", (1, 2), "1,-1;5", "Int"),
    AttemptStarted(0, "transition", (("blocks", "basic"),), (0, 1)),
    NodeAdded(3, -1, ((4, 9), 2), (1,), -1),
    LemmaAdded(0, "predicate", "core", 7, (1, 2), None),
    LemmaAdded(1, "predicate", "core", 7, (), ((), 5)),
    LemmasPushed((0, 1), -1),
    InterpolantsFound("strong", (0, 2), (7, 8)),
    PathFound(0, (1, 2, 3), "refuted", (1,), (7, 8)),
    TraceShown(0, ((3, (("x", "−1"),)), (4, ())), (("nondet", "f", "a.c", 3, 1, 0, "7"),)),
    CheckDecided(0, "unreach-call", "call of reach_error", "ä.c", 3, 1, "true", "a certificate", ""),
    PlanMade((("loops", 2),), (("explicit", "few inputs"), ("transition", "always")), (("bmc", "no"),)),
    AttemptContinued(-1),
    AttemptEnded(1, "failed", "out of memory", 1250),
    VerdictReached("true", 0, ("no signed overflow",), "a certificate", "", ""),
]


@pytest.mark.parametrize("event", EVENTS, ids=map(str, range(len(EVENTS))))
def test_round_trip(event: Event) -> None:
    assert decode(encode(event)) == event
    assert encode(event).isascii()


def test_bytes_are_fixed() -> None:
    assert encode(Progress(6, 1, -1, -1)) == '{"kind":"progress","done":6,"left":1,"growth":-1,"evidence":-1}'
    assert encode(Counter("states", 12)) == '{"kind":"counter","name":"states","value":12}'
    assert encode(EVENTS[2]) == '{"kind":"node","node":3,"parent":-1,"place":[[4,9],2],"edges":[1],"formula":-1}'


def test_every_kind_has_its_own_name_and_decodes() -> None:
    kinds = [event_type.kind for event_type in get_args(Event)]
    assert len(set(kinds)) == len(kinds)
    for kind in kinds:
        with pytest.raises(Malformed, match="lacks"):
            decode(f'{{"kind":"{kind}"}}')


def test_unknown_kinds_and_fields_are_skipped() -> None:
    assert decode('{"kind":"from the future","value":1}') is None
    assert decode('{"kind":"phase","name":"parse","colour":"red"}') == PhaseStarted("parse")


@pytest.mark.parametrize(
    ("words", "confirmer"),
    [("a complete unrolling (3 edges)", Confirmer.UNROLLING), ("native replay", Confirmer.NATIVE_REPLAY), ("x", "")],
)
def test_older_files_say_the_kind_of_a_confirmation_in_words(words: str, confirmer: str) -> None:
    event = CheckDecided(0, "assertion", "", "a.c", 3, 1, "true", words, "")
    line = encode(event).replace(',"confirmer":""', "")
    assert decode(line) == replace(event, confirmer=confirmer)
    assert decode(encode(event)) == event


def test_what_an_event_does_not_know_of_progress_stays() -> None:
    progress = Progress(NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, 44).after(Progress(6, 1, 120, NOT_KNOWN))
    assert progress == Progress(6, 1, 120, 44)
    assert Progress(7, 0, NOT_KNOWN, NOT_KNOWN).after(progress) == Progress(7, 0, 120, 44)
    assert progress.known()[-2:] == (("cost of the next step", "120 %"), ("size of the evidence", "44"))
    assert NO_PROGRESS.known() == ()


def test_a_field_with_a_default_may_be_absent() -> None:
    assert decode('{"kind":"path","check":0,"edges":[],"result":"abstract"}') == PathFound(0, (), "abstract")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "[]",
        "{}",
        '{"kind":7}',
        '{"kind":"phase","name":7}',
        '{"kind":"counter","name":"n","value":true}',
        '{"kind":"counter","name":"n","value":1.5}',
        '{"kind":"removed","nodes":[1,"2"]}',
        '{"kind":"node","node":3,"parent":-1,"place":[[4]],"edges":[1],"formula":-1}',
        "[" * 100_000,
        '{"kind":"counter","name":"n","value":' + "9" * 5000 + "}",
        b"\xff\xfe",
    ],
    ids=range(13),
)
def test_malformed_lines_are_refused_with_one_line(line: str | bytes) -> None:
    with pytest.raises(Malformed) as caught:
        decode(line)
    assert "\n" not in str(caught.value)


def test_header() -> None:
    line = header("interplay 0.1.0")
    assert line == '{"format":"interplay-events","schema":8,"writer":"interplay 0.1.0"}'
    assert read_header(line) == SCHEMA_VERSION
    assert read_header(line.replace(str(SCHEMA_VERSION), "99", 1)) == 99  # what it adds is skipped
    with pytest.raises(Malformed):
        read_header('{"format":"something else","schema":3}')
    with pytest.raises(Malformed, match="schema version 2 is not read here; the oldest that is read is 3"):
        read_header(line.replace(str(SCHEMA_VERSION), "2", 1))
