"""The table of lemmas: predicates against lines, with the round and path that found them, and their uses.

A predicate is *used* at a place where the formula of an abstract state mentions it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache

from core.dataclass import dataclass
from core.program.source import shown_function
from core.program.span import Span
from interplay.presentation.frames import frames_in_words
from interplay.presentation.record.engine_words import lemma_words
from interplay.presentation.record.memo import drained
from interplay.presentation.record.moments import lemmas, path_of, position, state, telling
from interplay.presentation.record.reasons import origin_words as found_words
from interplay.presentation.record.reasons import role_words
from interplay.presentation.record.run import LATEST, RunRecord
from runs.events import ALL_FRAMES, Place
from runs.runview import AttemptView, Lemma

_PIECE, _MANY = 50, 2_000  # rows and states that are looked at before others have their turn


class LemmaKind(Enum):
    """The kinds of lemmas that have a table of their own; the value is the name, in the plural. `_ROLES` maps them to
    roles of lemmas.
    """

    PREDICATES = "Predicates"
    VALUES = "Tracked variables"
    CONSTRAINTS = "Constraints of steps"
    INVARIANTS = "Invariants"
    """What is to hold at a place: an engine may have another word for it."""


_ROLES: Mapping[str, LemmaKind] = {
    "predicate": LemmaKind.PREDICATES,
    "value": LemmaKind.VALUES,
    "transition": LemmaKind.CONSTRAINTS,
    "axiom": LemmaKind.CONSTRAINTS,
    "invariant": LemmaKind.INVARIANTS,
}


@dataclass(frozen=True)
class LemmaRow:
    """A lemma. `born` is the refinement that learned it (0: known before the first), `fresh`: just now.

    `formula` is its number. `place` is where it was found, None for everywhere; `step` is what the source says at the
    step of a constraint; `lines` are the lines of the main file at which it is used, or of its step. `level` is the
    last frame in which it holds (`ALL_FRAMES`: in all), for engines with frames.
    """

    id: int
    formula: int
    text: str
    kind: LemmaKind
    role: str
    born: int
    fresh: bool
    by_person: bool
    origin: str
    place: Place | None
    found_at: str
    step: str
    lines: frozenset[int]
    level: int | None = None

    @property
    def frames(self) -> str:
        return frames_in_words(self.level)


@dataclass(frozen=True)
class LemmaTable:
    """The lemmas of one kind at a moment, and the lines of the main file that any of them is used at, in order."""

    rows: tuple[LemmaRow, ...]
    lines: tuple[int, ...]

    @property
    def has_frames(self) -> bool:
        return any(row.level is not None for row in self.rows)


def kinds(record: RunRecord, attempt: int = LATEST) -> tuple[LemmaKind, ...]:
    """The kinds that an attempt has."""
    roles = {_ROLES[one.event.role] for one in record.attempt(attempt).lemmas if one.event.role in _ROLES}
    return tuple(kind for kind in LemmaKind if kind in roles)


def kind_words(record: RunRecord, attempt: int, kind: LemmaKind, count: int = 2) -> str:
    """The name of a kind in the words of the engine, in the plural unless there is one."""
    if kind is LemmaKind.INVARIANTS:
        return lemma_words(record, attempt, count).capitalize()
    return kind.value if count != 1 else _ONE[kind]


_ONE = {
    LemmaKind.PREDICATES: "Predicate",
    LemmaKind.VALUES: "Tracked variable",
    LemmaKind.CONSTRAINTS: "Constraint",
}


def table(record: RunRecord, attempt: int, round: int | None, kind: LemmaKind) -> LemmaTable:
    """The lemmas of a kind that are alive at a moment, in the order of their birth."""
    key = ("lemma table", attempt, round, kind)
    return record.memo.get(key, lambda: drained(table_of(record, attempt, round, kind)))


def table_of(record: RunRecord, attempt: int, round: int | None, kind: LemmaKind) -> Iterator[LemmaTable | None]:
    """The same table, computed in pieces, from the state of the run at the first piece; the run may grow meanwhile."""
    view = record.attempt(attempt)
    alive = telling(view, lemmas(record, attempt, round))
    listed = [lemma for lemma in alive if _ROLES.get(lemma.event.role) is kind]
    uses: dict[int, set[int]] = {}
    if kind is LemmaKind.PREDICATES:
        for uses in _uses(record, attempt, round):  # noqa: B007 - the last one counts
            yield None
    births, now = [each.first for each in view.rounds], position(record, attempt, round)
    moment = view.rounds[-1].number if round is None and view.rounds and record.view.verdict is None else round
    texts = [record.formula(attempt, lemma.event.formula) for lemma in listed]
    yield None
    rows: list[LemmaRow] = []
    for number, (lemma, text) in enumerate(zip(listed, texts, strict=True)):
        if number % _PIECE == _PIECE - 1:
            yield None
        event = lemma.event
        index = bisect_right(births, lemma.alive.born) - 1
        born = view.rounds[index].number if index >= 0 else None
        seeded = event.origin == "guard seed" or born is None
        rows.append(
            LemmaRow(
                event.lemma,
                event.formula,
                text,
                kind,
                role_words(record, attempt, event.role),
                0 if seeded or born is None else born + 1,
                born is not None and born == moment and not seeded,
                event.origin == "user",
                event.origin,
                event.place,
                _where(record, lemma),
                record.text.statements(event.edges),
                _lines(record, lemma, uses),
                lemma.level_at(now),
            )
        )
    lines = sorted({line for row in rows for line in row.lines})
    yield LemmaTable(tuple(rows), tuple(lines))


def _where(record: RunRecord, lemma: Lemma) -> str:
    place = lemma.event.place
    if place is None:
        return "everywhere"
    function = _entered(record, place) if lemma.event.role == "value" else None
    if function is not None:
        return f"in {function}"
    span = _first_span(record, lemma.event.edges) or record.span_of_place(place)
    return f"line {span.line}" if span is not None else record.place(place)


def _entered(record: RunRecord, place: Place) -> str | None:
    """The function that begins at a place."""
    functions = record.program.functions.values() if record.program is not None and not place[0] else ()
    return next((shown_function(one.name) for one in functions if one.entry == place[1]), None)


def _first_span(record: RunRecord, edges: Iterable[int]) -> Span | None:
    return next((span for span in map(record.span_of_edge, edges) if span is not None), None)


def _lines(record: RunRecord, lemma: Lemma, uses: Mapping[int, set[int]]) -> frozenset[int]:
    """Lines of the main file: of the step of a constraint, of the places that use a predicate."""
    spans = [record.span_of_edge(edge) for edge in lemma.event.edges]
    if lemma.event.role == "value" and lemma.event.place is not None:
        spans.append(record.span_of_place(lemma.event.place))
    own = {span.line for span in spans if span is not None and span.file == record.main_file}
    return frozenset(own.union(uses.get(lemma.event.formula, ())))


def _uses(record: RunRecord, attempt: int, round: int | None) -> Iterator[dict[int, set[int]]]:
    """For each predicate, by the number of its formula, the lines of the main file whose states mention it at a moment;
    complete at the last piece.
    """
    one, at = record.attempt(attempt), position(record, attempt, round)
    atoms = {lemma.event.formula for lemma in one.lemmas if lemma.event.role == "predicate"}
    # Of formulas, the same at each moment.
    mentioned = record.memo.get(("mentioned", attempt), lambda: dict[int, frozenset[int]]())
    parts = cache(lambda formula: _mentioned(one, formula, atoms, mentioned))
    lines = record.memo.keep(("lines of locations",), lambda: dict(_lines_in_main_file(record)))
    nodes = state(record, attempt, round).nodes
    uses: defaultdict[int, set[int]] = defaultdict(set)
    for begin in range(0, len(nodes), _MANY):  # tens of thousands of states, but few formulas on few lines
        places: defaultdict[int, set[int]] = defaultdict(set)
        for node in nodes[begin : begin + _MANY]:
            line = lines.get(node.place[1])
            if line is not None:
                states = node.states
                places[states[0][1] if len(states) == 1 else node.formula_at(at)].add(line)
        for formula, there in places.items():
            for atom in parts(formula):
                uses[atom] |= there
        yield uses


def _lines_in_main_file(record: RunRecord) -> Iterator[tuple[int, int]]:
    """The locations of the program that stand in the main file, with their lines."""
    for location in record.program.locations if record.program is not None else ():
        span = record.span_of_place(((), location.id))
        if span is not None and span.file == record.main_file:
            yield location.id, span.line


def _mentioned(attempt: AttemptView, formula: int, atoms: set[int], cache: dict[int, frozenset[int]]) -> frozenset[int]:
    """The members of `atoms` that are parts of a formula."""
    stack = [formula]
    while stack:
        number = stack[-1]
        row = attempt.terms.get(number)
        if number in cache:
            stack.pop()
        elif number in atoms or row is None:
            cache[stack.pop()] = frozenset((number,)) if number in atoms else frozenset()
        else:
            args = [arg for arg in row.args if arg < number]  # others are of a file that is not ours
            missing = [arg for arg in args if arg not in cache]
            stack.extend(missing)
            if not missing:
                cache[stack.pop()] = frozenset().union(*(cache[arg] for arg in args))
    return cache[formula]


def origin_words(record: RunRecord, attempt: int, row: LemmaRow) -> str:
    """Sentences about the origin of a lemma, and its uses."""
    parts = [f"{row.role.capitalize()} {row.text}"]
    if row.by_person:
        before = f" before round {row.born}" if row.born else ""
        parts.append(f"A person added it{before}.")
    elif not row.born:
        parts.append("Known before the first refinement: a guard of the program compares like this.")
    elif path_of(record, attempt, row.born - 1) is None:
        reason = next((one.reason for one in record.attempt(attempt).rounds if one.number == row.born - 1), "")
        parts.append(f"Learned in round {row.born}{f', {reason}' if reason else ''}; at {row.found_at}.")
        parts.append(f"It is {found_words(row.origin)}.")
    else:
        goal = _goal(record, attempt, row.born - 1)
        found = f"it is {found_words(row.origin)}, at {row.found_at}"
        parts.append(f"Born in refinement {row.born}, from its spurious path{goal}; {found}.")
    if row.kind is LemmaKind.PREDICATES:
        lines = ", ".join(str(line) for line in sorted(row.lines))
        at = f"line{'s' if len(row.lines) > 1 else ''} {lines}"
        parts.append(f"Abstract states use it at {at}." if lines else "No abstract state uses it now.")
        constraints = _constraints_with(record, attempt, row.id)
        if constraints:
            parts.append(f"Constraints of steps that mention it: {constraints}.")
    elif row.level == ALL_FRAMES:
        parts.append("It was pushed to all frames: every step keeps them together, so it holds in every execution.")
    elif row.level is not None:
        steps = "one step" if row.level == 1 else f"{row.level} steps"
        parts.append(
            f"It was pushed as far as frame {row.level}: it holds in all states that at most {steps} between loop "
            "heads lead to."
        )
    elif row.step:
        parts.append(f"It restricts the step: {row.step}")
    return "\n".join(parts)


def _goal(record: RunRecord, attempt: int, round: int) -> str:
    path = path_of(record, attempt, round)
    checks = record.program.checks if record.program is not None else ()
    found = next((check for check in checks if path is not None and check.id == path.event.check), None)
    return f" to line {found.span.line}" if found is not None else ""


def _constraints_with(record: RunRecord, attempt: int, number: int) -> int:
    """The number of constraints of steps that mention a predicate at the end."""
    view = record.attempt(attempt)

    def make() -> Mapping[int, int]:
        atoms = {lemma.event.formula for lemma in view.lemmas if lemma.event.role == "predicate"}
        known: dict[int, frozenset[int]] = {}
        counts: dict[int, int] = {}
        for lemma in view.lemmas:
            if lemma.event.role in ("transition", "axiom"):
                for atom in _mentioned(view, lemma.event.formula, atoms, known):
                    counts[atom] = counts.get(atom, 0) + 1
        return counts

    counts = record.memo.get(("constraints with", attempt), make)
    return next((counts.get(lemma.event.formula, 0) for lemma in view.lemmas if lemma.event.lemma == number), 0)


def matches(row: LemmaRow, words: str) -> bool:
    """Whether a row contains all words of a filter, in any column; `new` and `user` are keywords."""
    signs = f"{'new' if row.fresh else ''} {'user' if row.by_person else ''}"
    text = f"{row.text} {row.origin} {row.found_at} {row.step} {signs}"
    return all(word in text.lower() for word in words.lower().split())
