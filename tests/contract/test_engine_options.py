"""Options change how an engine works, never what it may answer: the contract of engines once more, for each option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum

import pytest

from core.verdict import Safe, Unsafe
from methods.engines.transition.engine import TransitionEngine
from methods.engines.transition.options import TransitionOptions
from tests.contract.test_engines import PROGRAMS, Replay
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext, solver_for
from tests.support.reference import failing_checks

pytestmark = pytest.mark.long

NAMES = ("straight", "counting", "swapping", "calling", "recursive", "lowest bits", "random 12", "random 21")
ENDS_INSIDE_A_BLOCK = ("random 13", "random 22", "random 25", "random bits 14")


def single_options() -> list[Mapping[str, str]]:
    """Every value of every option that is not the default, alone."""
    found: list[Mapping[str, str]] = []
    for option in fields(TransitionOptions):
        assert isinstance(option.default, StrEnum)
        found += [{option.name: value} for value in type(option.default) if value is not option.default]
    return found


COMBINED: list[Mapping[str, str]] = [
    {"refinement": "das-dill", "seeding": "lazy"},
    {"refinement": "das-dill", "seeding": "lazy", "image": "hybrid"},
    {"seeding": "lazy", "image": "hybrid", "blocks": "statements"},
    {"interpolants": "resolution", "seeding": "lazy"},
    {"interpolants": "resolution", "strength": "weak", "seeding": "lazy"},
    {"interpolants": "resolution", "strength": "weak", "seeding": "lazy", "blocks": "statements"},
    {"paths": "all", "seeding": "lazy"},
    {"paths": "all", "refinement": "das-dill"},
    {"paths": "all", "interpolants": "resolution", "seeding": "lazy"},
    {"paths": "all", "interpolants": "resolution", "blocks": "large"},
]


def named(options: Mapping[str, str]) -> str:
    return " ".join(options.values())


@pytest.mark.sampled
@pytest.mark.parametrize("options", [*single_options(), *COMBINED], ids=named)
@pytest.mark.parametrize("name", NAMES)
def test_outcomes_are_right_and_their_evidence_holds(name: str, options: Mapping[str, str]) -> None:
    outcomes_are_right(name, options)


@pytest.mark.parametrize("blocks", ["statements", "large"])
@pytest.mark.parametrize("name", ENDS_INSIDE_A_BLOCK)
def test_exploration_may_end_where_certificates_say_nothing(name: str, blocks: str) -> None:
    outcomes_are_right(name, {"blocks": blocks})


def outcomes_are_right(name: str, options: Mapping[str, str]) -> None:
    program = PROGRAMS[name]()
    failing = failing_checks(program)
    context = RecordingContext(solver=solver_for(program), options=options)
    outcomes = TransitionEngine().run(program, [check.id for check in program.checks], context)
    for check, outcome in outcomes.items():
        assert isinstance(outcome, Unsafe if check in failing else Safe)
        if isinstance(outcome, Safe):
            assert is_certified(program, [check], outcome.certificate)
        elif isinstance(outcome, Unsafe):
            assert Replay(program, outcome.inputs).ends_at(outcome.path) == program.checks[check].location


@pytest.mark.parametrize("options", COMBINED, ids=named)
def test_the_same_run_twice_gives_the_same_events(options: Mapping[str, str]) -> None:
    first, second = RecordingContext(options=options), RecordingContext(options=options)
    for context in (first, second):
        TransitionEngine().run(PROGRAMS["counting"](), [0, 1], context)
    assert first.events == second.events
