"""A stage of the search that returns nonsense never yields a proof: the kernel rejects it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.decision import cases
from core.decision.justification import Contradiction, Justification
from core.decision.kernel import Kernel
from core.decision.proof_search import Found, Search
from core.decision.prover import Proved
from core.terms import Term
from tests.seeded_bugs import stages
from tests.seeded_bugs.laws import Function, broken
from tests.seeded_bugs.stages import Answers

BUGS: tuple[tuple[str, Callable[[Function], Function], Callable[[Answers], None]], ...] = (
    ("The shortest paths from a place.", stages.one_nearer, stages.of_partitions),
    ("A derived clause, replayed by the kernel.", stages.without_first, stages.of_formulas),
    ("An obligation without quantifiers that implies `hypotheses ⇒ goal`", stages.not_renamed, stages.of_quantifiers),
    ("and what is to be added to get `p` from it", stages.always(({}, ())), stages.of_products),
    ("Show one of the equations that are denied modulo 2^bits", stages.claimed, stages.of_products),
)
"""Laws of stages, how they are broken, and the obligations that reach them."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split small disjunctions, too."""
    monkeypatch.setattr(cases, "SMALLEST_SPLIT", 0)
    monkeypatch.setattr(cases, "FEWEST_CASES", 2)


@pytest.mark.long
@pytest.mark.parametrize("question", list(stages.questions()), ids=lambda question: question.__name__)
def test_what_the_stages_prove_holds(question: Callable[[Answers], None]) -> None:
    answers = Answers()
    question(answers)
    assert not answers.false
    assert answers.rejected == 0
    assert answers.proved > 0


@pytest.mark.long
@pytest.mark.parametrize(("law", "change", "question"), BUGS, ids=[law for law, _, _ in BUGS])
def test_a_broken_stage_proves_nothing_false(
    law: str,
    change: Callable[[Function], Function],
    question: Callable[[Answers], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    broken(monkeypatch, law, stages.counted(change, calls))
    answers = Answers()
    question(answers)
    assert calls
    assert not answers.false


@pytest.mark.long
def test_a_search_that_finds_everything_proves_what_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(_: object, __: object, goal: Term) -> Found:
        nonsense: Justification = Contradiction(goal)
        return Found(Proved(()), nonsense)

    monkeypatch.setattr(Search, "prove", found)
    answers = Answers()
    for question in (stages.of_formulas, stages.of_partitions, stages.of_products):
        question(answers)
    assert not answers.false
    assert answers.rejected > 100


def test_without_the_kernel_it_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "The shortest paths from a place.", stages.one_nearer)
    monkeypatch.setattr(Kernel, "check", lambda *_: True)
    answers = Answers()
    stages.of_partitions(answers)
    assert answers.false
