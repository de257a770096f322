"""Explanation of a run without an answer: the reason, its meaning, the progress of the run, and advice."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from core.dataclass import dataclass
from core.limits import Cause, cause_of
from interplay.presentation.plurals import counted
from interplay.presentation.record.moments import STUCK_WORDS, born_in, gave_up, path_of
from interplay.presentation.record.reasons import contradiction, sentence
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import Action, Tone, to_try, tone_of
from runs.events import LemmaAdded


class ExplanationPart(StrEnum):
    """The parts of an explanation, by their titles."""

    REASON = "Why there is no answer"
    LAST_PATH = "The last path"
    ADVICE = "What to try"


@dataclass(frozen=True)
class MissingAnswer:
    """The explanation of a missing answer.

    `reason` is in the words of the run, `meaning` in plain ones; `series` names predicates that form a diverging
    series; `last_path` is the progress of the run; `advice` is what to try. `meaning` and `series` may be empty.
    `has_path`: whether there is a last path to show.
    """

    reason: str
    meaning: str
    series: str
    last_path: str
    has_path: bool
    advice: str
    action: Action

    def parts(self) -> tuple[tuple[ExplanationPart, str], ...]:
        """Titles and texts, as views and reports show them."""
        return (
            (ExplanationPart.REASON, f"{self.reason}. {self.meaning} {self.series}".strip()),
            (ExplanationPart.LAST_PATH, self.last_path),
            (ExplanationPart.ADVICE, self.advice),
        )


def no_answer(record: RunRecord) -> MissingAnswer | None:
    """The explanation of a run without an answer; None for other runs."""
    verdict = record.view.verdict
    if verdict is None or tone_of(verdict.verdict) is not Tone.UNKNOWN:
        return None
    reason = verdict.reason or verdict.verdict
    advice, action = to_try(record, verdict)
    has_path = path_of(record, LATEST, None) is not None
    said = f"{reason[:1].upper()}{reason[1:]}", _MEANINGS.get(cause_of(reason), ""), _series(record)
    return MissingAnswer(*said, _last_path(record), has_path, advice, action)


_MEANINGS: Mapping[Cause | None, str] = {
    Cause.NO_PREDICATES: "The engine met a path to the error that no execution follows, and found no "
    "condition on the variables that tells such paths from real ones. That is a limit of the engine: the program may "
    "be right.",
    Cause.NO_PROGRESS: "The engine met the same path again after it had learned from it. That is a limit "
    "of the engine: the program may be right.",
    Cause.SOLVER_UNDECIDED: "A solver gave up on a question, and an open question never becomes an answer.",
    Cause.TIME_LIMIT: "The engine was still at work. Whether it would have found an answer is not known.",
    Cause.MEMORY: "The engine was still at work. Whether it would have found an answer is not known.",
}
"""The meanings of causes, for users."""


SERIES = 4  # predicates from as many refinements that differ in a number alone: the next one would be needed too


def _series(record: RunRecord) -> str:
    """A diverging series: predicates of consecutive refinements that differ only in a number. They count the rounds of
    a loop, and refinement may continue so for ever.
    """
    attempt = record.attempt()
    found: dict[int, dict[int, LemmaAdded]] = {}  # by what is compared: in which round with which number
    for lemma in attempt.lemmas:
        row = attempt.terms.get(lemma.event.formula)
        born = born_in(record, LATEST, lemma) if lemma.event.origin not in ("guard seed", "user") else None
        if lemma.event.role == "predicate" and row is not None and row.op in ("le", "eq") and born is not None:
            found.setdefault(row.args[0], {}).setdefault(born, lemma.event)
    longest = max(found.values(), key=len, default={})
    if len(longest) < SERIES:
        return ""
    events = [longest[born] for born in sorted(longest)]
    texts = [record.formula(LATEST, one.formula, one.place) for one in (*events[:2], events[-1])]
    shown = f"{texts[0]}, {texts[1]}, …, {texts[2]}"
    return (
        f"{len(events)} refinements found predicates that differ in a number alone ({shown}): each excludes a few more "
        "rounds of a loop, and this may go on for ever."
    )


def _last_path(record: RunRecord) -> str:
    path = path_of(record, LATEST, None)
    if path is None:
        return "No abstract path to an error was found."
    check = record.view.checks.get(path.event.check)
    towards = f" to {check.description} in line {check.line}" if check is not None else ""
    rounds = record.attempt().rounds
    went_on = path.round is not None and bool(rounds) and rounds[-1].number > path.round
    stuck = gave_up(record.attempt(), path)
    further = STUCK_WORDS if stuck else ", and the refinement went on" if went_on else ""
    spurious = f"no execution follows it{further}"
    fate = {
        "refuted": spurious,
        "spurious": spurious,
        "feasible": "an execution follows it",
    }.get(path.event.result, "nobody knows yet whether an execution follows it")
    number = f"Refinement {path.round + 1}: a" if path.round is not None else "A"
    why = sentence(contradiction(record, LATEST, path.round))
    said = f" It cannot happen: {why}." if why else ""
    return f"{number} path{towards} with {counted(len(path.event.edges), 'edge')}. {fate[:1].upper()}{fate[1:]}.{said}"
