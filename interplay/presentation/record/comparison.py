"""Comparison of two runs: their results and costs, round by round, and predicate by predicate.

The runs may be of different engines, options, versions or programs, so nothing is compared by number: predicates are
equal if they have equal texts at the same line. Rounds are matched in their order; where one run has fewer, its last
one stands for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path

from core.dataclass import dataclass
from core.verdict import Confirmer, Status
from interplay.presentation.record.moments import RoundRow, born_in, predicates, rounds
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import proof_shares, rests_on_invariants
from interplay.presentation.run_options import shown_engine, shown_verdict
from runs.jsondata import Malformed, as_object, as_str
from runs.runfile import RUN_SUFFIX, open_run
from runs.runview import Lemma

MAX_OFFERED = 12
_LONGEST_OFFERED = 1 << 17  # bytes; to read a larger file for its verdict would hold the window


@dataclass(frozen=True)
class ComparedRun:
    """A run with the selected attempt and round; round None is its end."""

    record: RunRecord
    attempt: int = LATEST
    round: int | None = None


@dataclass(frozen=True)
class OverviewRow:
    """A value of both runs, such as the verdict, as texts; `same` is whether they are equal."""

    name: str
    words: str
    first: str
    second: str

    @property
    def same(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True)
class RoundPair:
    """The rounds at the same place in both runs; None where one has no more."""

    index: int
    first: RoundRow | None
    second: RoundRow | None


class Shared(Enum):
    """The runs that know a predicate: one of them or both."""

    BOTH = "in both"
    FIRST = "only in A"
    SECOND = "only in B"


@dataclass(frozen=True)
class PredicateRow:
    """A predicate, and the rounds that learned it (None: it is initial, or unknown in that run)."""

    shared: Shared
    where: str
    kind: str
    formula: str
    born_first: int | None
    born_second: int | None


@dataclass(frozen=True)
class Offered:
    """A run file offered for comparison, with a description."""

    path: Path
    words: str


# Overview


def title_of(record: RunRecord) -> str:
    """A short title of a run: its task, its engine, its verdict."""
    return f"{record.title}, {_engine(record)}: {_verdict(record)}"


def overview(first: ComparedRun, second: ComparedRun) -> tuple[OverviewRow, ...]:
    """The results and costs of the runs."""
    a, b = _facts_of(first), _facts_of(second)
    rows = [OverviewRow(name, words, a[name], b[name]) for name, words in _FACTS.items()]
    return tuple(row for row in rows if row.first or row.second)


_FACTS: Mapping[str, str] = {
    "Verdict": "What came out",
    "Confirmed by": "What examined the evidence",
    "Obligations": "What the checker of the proof had to show, and in which reading",
    "Shown by": "The tools that showed it, with the number of obligations of each",
    "Engine": "The engine that was chosen, and the one whose answer counts",
    "Options": "What was chosen beside the engine",
    "Program": "The C file or task definition",
    "Property": "What was asked",
    "Version": "The program that wrote the run",
    "Time": "Seconds on the clock, from the start to the verdict",
    "Rounds": "Of the engine that is looked at: its refinements, and the round that ended it",
    "Predicates": "In its last round",
    "Constraints": "Other lemmas, in its last round",
    "Abstract states": "In its last round",
}


def _facts_of(side: ComparedRun) -> Mapping[str, str]:
    record, view = side.record, side.record.view
    rows = rounds(record, side.attempt)
    last = rows[-1] if rows else None
    confirmed = view.verdict.confirmed_by if view.verdict is not None else ""
    shares = proof_shares(record) if rests_on_invariants(record) else None
    return {
        "Verdict": _verdict(record),
        "Confirmed by": confirmed if shares is None else Confirmer.INVARIANT.value,
        "Obligations": "" if shares is None else shares.obligations.replace(" obligations", ""),
        "Shown by": "" if shares is None else shares.tools,
        "Engine": _engine(record),
        "Options": _options(record),
        "Program": record.title,
        "Property": (record.request.property or "assertions").rpartition("/")[2],
        "Version": record.writer,
        "Time": f"{view.seconds:.2f} s",
        "Rounds": str(len(rows)),
        "Predicates": str(last.predicates) if last is not None else "0",
        "Constraints": str(last.constraints) if last is not None else "0",
        "Abstract states": str(last.states) if last is not None else "0",
    }


def _verdict(record: RunRecord) -> str:
    verdict = record.view.verdict
    return "no verdict yet" if verdict is None else shown_verdict(verdict.verdict)


def _engine(record: RunRecord) -> str:
    chosen = shown_engine(record.request.engine)
    decided = record.attempt().event
    if decided is None or decided.engine == record.request.engine:
        return chosen
    return f"{chosen}, decided by {decided.engine}" if record.attempt().decided else chosen


def _options(record: RunRecord) -> str:
    request = record.request
    parts = [f"{name}={value}" for name, value in request.options]
    if request.time_limit is not None:
        parts.append(f"{request.time_limit:g} s CPU")
    if request.memory_limit is not None:
        parts.append(f"{request.memory_limit} MB")
    if request.seed:
        parts.append(f"seed {request.seed}")
    parts += [f"check {name}" for name in request.checks]
    edits = sum(len(one.edits) for one in record.view.attempts)
    if edits:
        parts.append(f"steered, {edits} changes")
    return ", ".join(parts)


def same_program(first: RunRecord, second: RunRecord) -> bool:
    """Whether both runs read the same source texts, whatever the names of the files."""
    return sorted(first.sources.values()) == sorted(second.sources.values())


# Rounds


def round_pairs(first: ComparedRun, second: ComparedRun) -> tuple[RoundPair, ...]:
    """The rounds of both, in their order."""
    a, b = rounds(first.record, first.attempt), rounds(second.record, second.attempt)
    return tuple(
        RoundPair(index, a[index] if index < len(a) else None, b[index] if index < len(b) else None)
        for index in range(max(len(a), len(b)))
    )


def linked(pairs: tuple[RoundPair, ...], index: int | None) -> tuple[int | None, int | None]:
    """The rounds that both runs show for a pair under the cursor: None, the end, where a run has no more."""
    if index is None or not 0 <= index < len(pairs):
        return None, None
    first, second = pairs[index].first, pairs[index].second
    return (None if first is None else first.round), (None if second is None else second.round)


def index_of(pairs: tuple[RoundPair, ...], first: int | None) -> int | None:
    """The pair in which the first run has this round."""
    return next((pair.index for pair in pairs if pair.first is not None and pair.first.round == first), None)


# Predicates

_Key = tuple[str, str, str]  # where, kind, formula


def predicate_rows(first: ComparedRun, second: ComparedRun) -> tuple[PredicateRow, ...]:
    """The predicates at the moments of both runs: those of only one first, then those of both; by place within."""
    a, b = _known(first), _known(second)
    rows = [
        PredicateRow(
            Shared.BOTH if key in a and key in b else Shared.FIRST if key in a else Shared.SECOND,
            *key,
            _born(first, a.get(key)),
            _born(second, b.get(key)),
        )
        for key in dict.fromkeys((*a, *b))
    ]
    order = (Shared.FIRST, Shared.SECOND, Shared.BOTH)
    return tuple(sorted(rows, key=lambda row: order.index(row.shared)))


def _born(side: ComparedRun, lemma: Lemma | None) -> int | None:
    return None if lemma is None else born_in(side.record, side.attempt, lemma)


def _known(side: ComparedRun) -> Mapping[_Key, Lemma]:
    """The lemmas of a moment by their texts."""
    record = side.record
    found: dict[_Key, Lemma] = {}
    for lemmas in predicates(record, side.attempt, side.round).values():
        for lemma in lemmas:
            found.setdefault(_key(record, side.attempt, lemma), lemma)
    return found


def _key(record: RunRecord, attempt: int, lemma: Lemma) -> _Key:
    number = record.attempt(attempt).number
    return record.memo.keep(("compared", number, lemma.event.lemma), lambda: _make_key(record, attempt, lemma))


def _make_key(record: RunRecord, attempt: int, lemma: Lemma) -> _Key:
    place = lemma.event.place
    span = None if place is None else record.span_of_place(place)
    where = "everywhere" if place is None else "at the start" if span is None else f"line {span.line}"
    return where, lemma.event.role, record.formula(attempt, lemma.event.formula)


def counts(rows: Iterable[PredicateRow]) -> Mapping[Shared, int]:
    """The number of predicates for each value of `Shared`."""
    found = dict.fromkeys(Shared, 0)
    for row in rows:
        found[row.shared] += 1
    return found


# Which runs there are


def offered(folder: Path, without: Path | None) -> tuple[Offered, ...]:
    """The newest runs of a folder, except the one that is shown."""
    try:
        files = sorted(folder.glob(f"*{RUN_SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
    except OSError:
        return ()
    named = (_offered(path) for path in files[: 2 * MAX_OFFERED] if path != without and path.is_file())
    return tuple([one for one in named if one is not None][:MAX_OFFERED])


def _offered(path: Path) -> Offered | None:
    """A run file described by its name, engine and verdict; None for other files."""
    try:
        if path.stat().st_size > _LONGEST_OFFERED:
            return Offered(path, path.name)
        run = open_run(path)
        verdict = as_object(run.document("verdict.json") or {})
        engine = shown_engine(as_str(run.options().get("engine", "")))
    except (Malformed, OSError):
        return None
    word = as_str(verdict.get("verdict", Status.UNKNOWN.value))
    return Offered(path, f"{path.stem}: {word}, {engine}")
