"""The refinements of a run as columns of a timeline, each with a sentence and its differences from the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from core.limits import Cause, cause_of
from core.verdict import ANSWERS
from interplay.presentation.record.engine_words import EngineWord, noun
from interplay.presentation.record.moments import STUCK_WORDS, RoundRow, path_of, rounds
from interplay.presentation.record.reasons import KINDS
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import phase_words
from runs.events import AttemptResult, EditAction, Edited
from runs.runview import AttemptView

NO_BREAK = "\N{NO-BREAK SPACE}"
"""Between a number and its unit."""

_ACTIONS: Mapping[str, str] = {
    EditAction.ADD_PREDICATE.value: "added",
    EditAction.REMOVE_PREDICATE.value: "removed",
    EditAction.STOP.value: "stopped the run",
}

END, NOW = "end", "now"
"""The titles of the last round, of a run that is over and of one that goes on."""


@dataclass(frozen=True)
class TimelineColumn:
    """A round as a column. `round` is its number in views; `sign` is the result for its path (`SIGN_WORDS`).

    `title` is the number of the refinement, or the name of the last round; `heading` and `sentence` describe the round,
    and `times` say how long its phases took.
    `lemmas` is the number of predicates, or of
    other lemmas for engines without predicates, `new_lemmas` the number of those that the round learned. `more_states`
    is the difference to the column before. `edits` are the edits of a user before it.
    """

    row: RoundRow
    round: int
    title: str
    sign: str
    heading: str
    sentence: str
    lemmas: int
    new_lemmas: int
    more_states: int
    edits: tuple[str, ...]
    times: str = ""

    @property
    def brief(self) -> str:
        """The words without the times of phases."""
        return f"{self.heading}: {self.sentence}"

    @property
    def seconds(self) -> float:
        return sum(self.row.seconds.values())

    @property
    def words(self) -> str:
        return "; ".join([self.brief, *([self.times] if self.times else [])])


def columns(record: RunRecord, attempt: int = LATEST) -> tuple[TimelineColumn, ...]:
    """One column for each round of an attempt, in order."""
    return record.memo.get(("columns", attempt), lambda: _columns(record, attempt))


def _columns(record: RunRecord, attempt: int) -> tuple[TimelineColumn, ...]:
    edits: dict[int, list[str]] = {}
    for edit in record.attempt(attempt).edits:
        edits.setdefault(edit.round, []).append(edit_words(record, attempt, edit))
    columns_: list[TimelineColumn] = []
    before = 0
    with_predicates = has_predicates(record, attempt)
    for row in rounds(record, attempt):
        changed = tuple(edits.get(row.round, ()))
        round_number = row.round + 1
        more = row.states - before
        lemmas = row.predicates if with_predicates else row.constraints
        new = row.new_predicates if with_predicates else row.learned
        known = f"{lemmas} {counted_words(record, attempt, lemmas)} now"
        title = _title(row, round_number, record)
        learned = _learned(
            record, attempt, row, KNOWN_PREDICATES if needs_constraints_only(record, attempt, row) else ""
        )
        difference = more if columns_ else 0
        heading = f"Refinement {round_number}" if row.result in _EXCLUDED else f"Round {round_number}"
        heading += _bound(row)
        heading += f", {_why(columns_[-1])}" if columns_ else ""
        result = _result(record, attempt, row, title)
        states = f"{row.states} {noun(record, attempt, EngineWord.STATE, row.states)}"
        states = states if row.states or difference else ""
        sentence = _sentence(row, result, f"{learned}{known}", states + (f" ({difference:+d})" if difference else ""))
        sentence = "; ".join([sentence, *(f"before it a person {edit}" for edit in changed)])
        columns_.append(
            TimelineColumn(
                row, round_number, title, _sign(row), heading, sentence, lemmas, new, difference, changed, _times(row)
            )
        )
        before = row.states
    return tuple(columns_)


_PLAIN_REASONS = ("start", "refined", "")
"""The reasons of rounds that say no more than that there is another one."""


def _bound(row: RoundRow) -> str:
    return "" if row.reason in _PLAIN_REASONS else f", {row.reason}"


def _why(before: TimelineColumn) -> str:
    """The reason why there is another round behind one."""
    row = before.row
    if row.result in _EXCLUDED:
        return f"since refinement {before.round} excluded its path, and there may be others"
    of = "" if row.reason in _PLAIN_REASONS else f" ({row.reason})"
    left = "found an execution to one check, and others are open" if row.result == "feasible" else "left checks open"
    return f"since round {before.round}{of} {left}"


def _was_cut_off(record: RunRecord, attempt: AttemptView, row: RoundRow, title: str) -> bool:
    """Whether a round is the last one of an attempt and was interrupted, so that it has no result."""
    verdict = record.view.verdict
    if row.round != attempt.rounds[-1].number or verdict is None:
        return False
    asked = () if attempt.event is None else attempt.event.checks
    if asked and sum(check.status in ANSWERS for check in attempt.checks.values()) >= len(asked):
        return False
    stopped = attempt.ended is not None and attempt.ended.result == AttemptResult.STOPPED
    return title == END or stopped or cause_of(verdict.reason) in (Cause.TIME_LIMIT, Cause.INTERRUPTED)


def _goes_on(record: RunRecord, attempt: AttemptView, row: RoundRow) -> bool:
    """Whether a round is the last one of an engine that is at work."""
    return record.view.verdict is None and attempt.ended is None and row.round == attempt.rounds[-1].number


def counted_words(record: RunRecord, attempt: int, count: int = 2) -> str:
    """The name of what columns count, in the plural unless there is one."""
    if has_predicates(record, attempt):
        return _plural("predicate", count)
    roles = {lemma.event.role for lemma in record.attempt(attempt).lemmas}
    return _plural(KINDS["value"], count) if roles == {"value"} else noun(record, attempt, EngineWord.LEMMA, count)


def has_predicates(record: RunRecord, attempt: int) -> bool:
    """Whether the engine of an attempt has learned predicates."""
    return any(lemma.event.role == "predicate" for lemma in record.attempt(attempt).lemmas)


KNOWN_PREDICATES = "the predicates were known; what these steps do to them was not"
"""The reason for a refinement that found no predicate."""


def needs_constraints_only(record: RunRecord, attempt: int, row: RoundRow) -> bool:
    """Whether a round excluded its path without a new predicate, by what it learned about steps."""
    excluded = row.result in _EXCLUDED and not row.stuck
    return excluded and bool(row.learned) and not row.new_predicates and has_predicates(record, attempt)


def _title(row: RoundRow, number: int, record: RunRecord) -> str:
    """The title of a round that excludes no path: the current exploration, or the end, with an error or without."""
    if row.result in _EXCLUDED or row.reason != "refined":
        return str(number)
    if record.view.verdict is not None:
        return END
    return str(number) if row.result else NOW


def _sign(row: RoundRow) -> str:
    if row.stuck:
        return STUCK
    return EXCLUDED if row.result in _EXCLUDED else FOUND if row.result == "feasible" else ""


def place_words(columns: Sequence[TimelineColumn], index: int | None) -> str:
    """The position of a cursor, as `refinement 2 of 5`; None is the end."""
    excluded = [column.round for column in columns if column.sign == EXCLUDED]
    if index is None:
        stuck = bool(columns) and columns[-1].row.stuck
        count, word = (len(excluded), "refinement") if excluded or stuck else (len(columns), "round")
        return f"after {count} {_plural(word, count)}{f', stuck in number {columns[-1].round}' if stuck else ''}"
    one = columns[index]
    if one.row.stuck:
        return f"refinement {one.round}, stuck"
    if one.sign == EXCLUDED:
        return f"refinement {one.round} of {excluded[-1]}"
    return f"round {one.round} of {len(columns)}"


def rounds_in_words(record: RunRecord) -> tuple[str, ...]:
    """The number of rounds that the engine of the run has made; nothing before the first."""
    count = len(record.view.attempt.rounds)
    return (f"{count} {noun(record, LATEST, EngineWord.ROUND, count)}",) if count else ()


def moment_words(record: RunRecord, attempt: int, round: int | None) -> str:
    """The moment that the views show, as `refinement 2 of 5`; empty at the end."""
    if round is None:
        return ""
    found = columns(record, attempt)
    index = next((i for i, column in enumerate(found) if column.row.round == round), None)
    return "" if index is None else place_words(found, index)


def phases_of(columns: Sequence[TimelineColumn]) -> tuple[str, ...]:
    """The phases that any column has, in the order of their first appearance."""
    return tuple(dict.fromkeys(name for column in columns for name in column.row.seconds))


def edit_words(record: RunRecord, attempt: int, edit: Edited) -> str:
    """An edit by a user in words, as `added i <= 3`."""
    action = _ACTIONS.get(edit.action, edit.action)
    return f"{action} {record.formula(attempt, edit.formula, edit.place)}".strip()


EXCLUDED, FOUND, STUCK, EDITED = "↺", "✗", "?", "✎"
SIGN_WORDS: Mapping[str, str] = {
    EXCLUDED: "path excluded",
    FOUND: "error found",
    STUCK: "stuck: nothing excludes the path",
    EDITED: "edited by a person",
}
"""The meanings of the signs of columns: ✗ is a violation, here as everywhere."""

_EXCLUDED = ("refuted", "spurious")
_RESULTS = {
    "refuted": "a path{goal} was found; no execution follows it",
    "spurious": "a path{goal} was found; no execution follows it",
    "feasible": "a path{goal} was found, and an execution follows it",
    "": "no path was found",
}


def _goal(record: RunRecord, attempt: int, row: RoundRow) -> str:
    """The target of the path of a round."""
    path = path_of(record, attempt, row.round)
    checks = record.program.checks if record.program is not None else ()
    found = next((check for check in checks if path is not None and check.id == path.event.check), None)
    return f" to line {found.span.line}" if found is not None else ""


def _result(record: RunRecord, attempt: int, row: RoundRow, title: str) -> str:
    """The result of a round, in words."""
    if not row.result and _goes_on(record, record.attempt(attempt), row):
        return "no path so far" if "explore" in row.seconds or title == NOW else "it goes on"
    if not row.result and _was_cut_off(record, record.attempt(attempt), row, title):
        return "it was cut off before a path was found"
    if not row.result and "explore" not in row.seconds:  # it looks for no path
        last, decided = record.attempt(attempt).rounds[-1].number, record.attempt(attempt).decided
        return "it was decided" if decided and row.round == last else "nothing was decided"
    goal = _goal(record, attempt, row)
    return _RESULTS.get(row.result, f"a path{goal} is examined").format(goal=goal)


def _sentence(row: RoundRow, result: str, known: str, states: str) -> str:
    """The description of a round in one sentence."""
    parts = [f"{result}{STUCK_WORDS if row.stuck else ''}", known, *([states] if states else [])]
    return "; ".join(parts)


def _times(row: RoundRow) -> str:
    return ", ".join(f"{phase_words(name)} {seconds:.2f}{NO_BREAK}s" for name, seconds in row.seconds.items())


def _learned(record: RunRecord, attempt: int, row: RoundRow, why: str) -> str:
    """The number of lemmas that a round learned, with the number of predicates among them, where there is any."""
    if not row.learned:
        return ""
    new = row.new_predicates
    of_them = f", {new} of them {'a predicate' if new == 1 else 'predicates'}" if new else ""
    enough = ", which was not enough" if row.stuck else ""
    if has_predicates(record, attempt):  # it may have learned of steps, too
        word = noun(record, attempt, EngineWord.LEMMA, row.learned)
    else:
        word = counted_words(record, attempt, row.learned)
    return f"{row.learned} {word} learned{of_them}{enough}{f' ({why})' if why else ''}; "


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
