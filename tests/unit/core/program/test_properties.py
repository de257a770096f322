"""The tables of properties and of kinds of checks: complete, without contradictions, documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.program.properties import (
    SELECTABLE,
    UNDEFINED_BEHAVIOUR,
    CheckKind,
    Confirmation,
    PropertyKind,
    kind_of,
    kinds_of,
    selected,
    violation_of,
)

DOCUMENTED = Path(__file__).parents[4] / "docs" / "c-semantics.md"
UNDEFINED = [kind for kind in CheckKind if kind.row.fault]
DEFINED = [kind for kind in SELECTABLE if kind not in UNDEFINED_BEHAVIOUR]
SUPPORTED = [property_ for property_ in PropertyKind if kinds_of(property_)]


@pytest.mark.parametrize("kind", UNDEFINED)
def test_undefined_behaviour_is_found_by_the_interpreter_and_asked_for_somehow(kind: CheckKind) -> None:
    assert kind.row.confirmation is Confirmation.INTERPRETER
    assert kind.row.properties or kind in DEFINED
    assert kind.row.selected_by in ("", *SELECTABLE)


def test_a_name_brings_all_kinds_that_belong_to_it() -> None:
    assert selected(("dangling", "bounds")) == {
        CheckKind.BOUNDS: "bounds",
        CheckKind.DANGLING: "dangling",
        CheckKind.FREE: "dangling",
    }
    assert not selected(())


def test_a_supported_property_has_kinds_and_a_formula() -> None:
    assert SUPPORTED == [
        PropertyKind.UNREACH_CALL,
        PropertyKind.NO_OVERFLOW,
        PropertyKind.VALID_DEREF,
        PropertyKind.VALID_FREE,
        PropertyKind.VALID_MEMCLEANUP,
        PropertyKind.DEF_BEHAVIOR,
    ]
    assert all(property_.row.formula for property_ in SUPPORTED)
    everything = [kind for kind in UNDEFINED if kind is not CheckKind.CLEANUP]
    assert list(kinds_of(PropertyKind.DEF_BEHAVIOR)) == [kind for kind in everything if kind not in DEFINED]
    floats = [CheckKind.FLOAT_DIVISION, CheckKind.FLOAT_OVERFLOW, CheckKind.NAN]
    assert [CheckKind.UNSIGNED, CheckKind.CONVERSION, CheckKind.ENUM, *floats, CheckKind.NONNULL] == DEFINED


def test_what_is_offered_is_supported() -> None:
    offered = [property_ for property_ in PropertyKind if property_.row.title]
    assert offered
    assert all(property_.row.meaning and property_ in SUPPORTED for property_ in offered)


def test_every_name_of_a_check_has_a_kind_and_a_rule() -> None:
    for name in (*CheckKind, *SUPPORTED):
        assert kind_of(name) is not None
        assert violation_of(name)[:1].isupper()
    assert (kind_of("magic"), violation_of("magic")) == (None, "magic")
    assert violation_of("valid-free") == violation_of("free")


@pytest.mark.parametrize("name", [*SELECTABLE, *SUPPORTED])
def test_names_are_documented(name: str) -> None:
    """Their meaning is a row of the document on the semantics of C."""
    if name == PropertyKind.DEF_BEHAVIOR:
        return  # all kinds together
    assert f"`{name}`" in DOCUMENTED.read_text()
