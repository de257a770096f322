"""The history of each engine for a report: round by round its path, why it is spurious, what was learned."""

from __future__ import annotations

from collections.abc import Iterator

from core.verdict import ANSWERS
from interplay.presentation.record.moments import path_of
from interplay.presentation.record.paths import Fate, PathStep, abstract_path
from interplay.presentation.record.reasons import MAX, Learned, contradiction, learned_in, origin_words, sentence
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.timeline import EXCLUDED, TimelineColumn, columns
from interplay.presentation.report.document import EngineHistory, LearnedRow, PathRow, ReportLimits, ReportRound
from runs.runview import AttemptView


def histories(record: RunRecord, limits: ReportLimits) -> Iterator[EngineHistory]:
    """The histories of the engines, in the order of their start: in full of those that decided, else of the one whose
    last path says most of why there is no answer.
    """
    some_decided = any(attempt.decided for attempt in record.view.attempts)
    telling = record.attempt()
    for index, attempt in enumerate(record.view.attempts):
        if attempt.event is None:
            continue
        rounds = columns(record, index)
        half = limits.refinements // 2
        shown = rounds if len(rounds) <= limits.refinements else (*rounds[:half], *rounds[-half:])
        yield EngineHistory(
            attempt.event.engine,
            attempt.decided or (attempt is telling and not some_decided),
            _opening(attempt, rounds),
            tuple(_refinement(record, index, column, limits) for column in shown),
            len(rounds) - len(shown),
            tuple((name, str(value)) for name, value in attempt.counters.items()),
            tuple((name, str(limit)) for name, limit in attempt.truncated.items()),
        )


def _opening(attempt: AttemptView, rounds: tuple[TimelineColumn, ...]) -> str:
    asked = len(attempt.event.checks) if attempt.event is not None else 0
    refinements = sum(1 for column in rounds if column.sign == EXCLUDED)
    stuck = [column.round for column in rounds if column.row.stuck]
    parts = [f"It was asked about {_count(asked, 'check')}"]
    if refinements:
        parts.append(f"refined its abstraction {_count(refinements, 'time')}")
    elif rounds and not stuck:
        parts.append(f"took {_count(len(rounds), 'round')}")
    parts += [f"got stuck in refinement {number}" for number in stuck]
    words = f"{' and '.join((*filter(None, [', '.join(parts[:-1])]), parts[-1]))}."
    if attempt.ended is not None:
        ended = attempt.ended
        why = f": {ended.reason}" if ended.reason else ""
        words += (
            f" After {ended.milliseconds / 1000:.1f} s of CPU time it {_ENDS.get(ended.result, ended.result)}{why}."
        )
    answers = [check.status for check in attempt.checks.values()]
    if answers and attempt.ended is None:
        decided = sum(1 for status in answers if status in ANSWERS)
        which = "all of them" if decided == asked else f"{decided or 'none'} of them"
        words += f" It decided {'it' if decided == asked == 1 else which}."
    if any(lemma.event.formula < 0 for lemma in attempt.lemmas):
        words += " The run was recorded without the texts of what was learned."
    return words


_ENDS = {
    "decided": "had decided them",
    "undecided": "had no answer",
    "failed": "failed",
    "stopped": "was stopped",
}


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _refinement(record: RunRecord, attempt: int, column: TimelineColumn, limits: ReportLimits) -> ReportRound:
    number = column.row.round
    why = contradiction(record, attempt, number)
    steps = _path(record, attempt, number)
    learned = learned_in(record, attempt, number)
    half = limits.path // 2
    shown = steps if len(steps) <= limits.path else (*steps[:half], *steps[-half:])
    return ReportRound(
        f"{column.heading}:",
        f"{column.words.partition(': ')[2]}.",
        tuple(_path_row(record, attempt, step) for step in shown),
        len(steps) - len(shown),
        tuple(f"{one.where} {one.said}" for one in why[:MAX]),
        _conclusion(sentence(why), len(why)),
        tuple(map(_learned_row, learned[: limits.learned])),
        max(0, len(learned) - limits.learned),
        column.edits,
    )


def _learned_row(one: Learned) -> LearnedRow:
    return LearnedRow(one.formula, one.kind, origin_words(one.origin), one.where)


def _conclusion(words: str, count: int) -> str:
    if not words:
        return ""
    more = f"With {count - MAX} more: " if count > MAX else ""
    return f"{more}{'Alone' if count == 1 else 'Together'} impossible.".replace(": T", ": t")


def _path(record: RunRecord, attempt: int, number: int) -> tuple[PathStep, ...]:
    """The steps of the path of a round; none for a feasible one, which is shown as counterexample."""
    found = path_of(record, attempt, number)
    if found is None:
        return ()
    shown = abstract_path(record, attempt, found)
    if shown.fate is not Fate.SPURIOUS and record.view.traces:
        return ()
    return tuple(step for step in shown.steps if step.text or step.in_core)


def _path_row(record: RunRecord, attempt: int, step: PathStep) -> PathRow:
    holds = "" if step.before is None else record.formula(attempt, step.before, step.source)
    text = step.text if len(step.text) <= _LONGEST_STEP else f"{step.text[:_LONGEST_STEP].rstrip()} …"
    return PathRow(str(step.span.line) if step.span else "", text, "" if holds == "true" else holds, step.in_core)


_LONGEST_STEP = 200  # characters: steps of some engines have all that stands between two loop heads
