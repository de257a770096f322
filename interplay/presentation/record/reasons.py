"""Explanations of spurious paths: the statements that contradict each other, and the lemmas learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from core.dataclass import dataclass
from core.pattern import pattern
from core.program import Assign, Assume, Edge, Program
from core.program.naming import Naming, is_internal
from core.program.told import is_told, is_told_of, value_text
from core.terms import INT, Op, Term, Treatment, subterms
from core.terms.printing import to_readable_c
from interplay.presentation.record.engine_words import lemma_words
from interplay.presentation.record.moments import learned, path_of, round_of
from interplay.presentation.record.run import RunRecord
from interplay.presentation.run_text import bounds_in
from runs.events import LemmaAdded
from runs.runview import RecordedPath

OTHER_OPERATORS = Treatment.EXACT

_LONGEST = 30  # parts of a term that is put into words
_INVOLVED = (Op.ITE, Op.STORE, Op.CONST_ARRAY, Op.MODULO, Op.DIVIDE)
_ACTS = pattern(r"[=(]|\+\+|--")  # others are declarations
MAX = 12  # statements in one sentence


@dataclass(frozen=True)
class CoreStatement:
    """A statement of a contradiction: `says` is its effect (`sets x = 0`) or its condition (`needs x > 0`); `times` is
    the number of its occurrences.
    """

    edge: int
    file: str
    line: int
    says: str
    times: int = 1

    @property
    def where(self) -> str:
        return f"line {self.line}" if self.line else "the start"

    @property
    def said(self) -> str:
        return self.says if self.times == 1 else f"{self.says} ({self.times} ×)"


@dataclass(frozen=True)
class Learned:
    """Lemmas of a round with the same text: their formula, kind, origin and place."""

    lemmas: tuple[int, ...]
    formula: str
    kind: str
    origin: str
    where: str
    line: tuple[str, int] | None

    @property
    def is_tracked(self) -> bool:
        """Whether it is a tracked value, which need not hold; everything else holds."""
        return self.kind in (KINDS["predicate"], KINDS["value"])


KINDS = {
    "predicate": "predicate",
    "transition": "constraint of a step",
    "axiom": "axiom about predicates",
    "value": "tracked variable",
}
"""The names of the roles of lemmas; an invariant has that of its engine."""


def role_words(record: RunRecord, attempt: int, role: str) -> str:
    """The name of a role of lemmas, in the singular."""
    return lemma_words(record, attempt) if role == "invariant" else KINDS.get(role, role)


_ORIGINS: Mapping[str, str] = {
    "guard seed": "a condition of the program",
    "core": "from the statements that contradict each other",
    "interpolant": "from an interpolant of this path",
    "sequence interpolant (Spacer)": "from an interpolant of this path (Spacer)",
    "path invariant (Spacer)": "from an invariant of all paths with these steps (Spacer)",
    "weakest precondition": "from a weakest precondition",
    "loop acceleration": "from what many rounds of the loop come to (acceleration)",
    "user": "added by a person",
    "diagram": "the denial of a part of the diagram of a proof obligation, to which no state of the frame before leads",
    "candidate": "a guess that was kept, since every step keeps it",
    "precondition": "from what must hold before an impossible path",
}


def origin_words(origin: str) -> str:
    """The origin of a lemma in plain words, or in those of the engine."""
    return _ORIGINS.get(origin, f"found as {origin}")


def contradiction(record: RunRecord, attempt: int, round: int | None) -> tuple[CoreStatement, ...]:
    """The statements of the path of a round that cannot all be executed; empty where none are known."""
    return record.memo.get(("contradiction", attempt, round), lambda: _statements(record, attempt, round))


def core_of(record: RunRecord, path: RecordedPath) -> frozenset[int]:
    """The positions of a path whose statements contradict each other, as every view marks them.

    It is the core that the run names, without statements that have no effect or assign an arbitrary value, which
    exclude no execution.
    """
    program = record.program
    if program is None:
        return frozenset(path.event.core)
    edges = path.event.edges
    known = {at: edges[at] for at in path.event.core if 0 <= at < len(edges) and 0 <= edges[at] < len(program.edges)}
    found = frozenset(at for at, edge in known.items() if _excludes(record, program, program.edges[edge]))
    return found or frozenset(known)


def _excludes(record: RunRecord, program: Program, edge: Edge) -> bool:
    """Whether a statement can take part in a contradiction."""
    if isinstance(edge.operation, Assign):
        return not all(value in program.inputs for _, value in edge.operation.updates)
    return bool(_says(record, program, edge))


def _statements(record: RunRecord, attempt: int, round: int | None) -> tuple[CoreStatement, ...]:
    path, program = path_of(record, attempt, round), record.program
    if path is None or program is None:
        return ()
    statements: dict[int, CoreStatement] = {}
    for position in sorted(core_of(record, path)):
        number = path.event.edges[position]
        says = _says(record, program, program.edges[number])
        span = record.span_of_edge(number)
        if number in statements:
            statements[number] = replace(statements[number], times=statements[number].times + 1)
        elif says:
            statements[number] = CoreStatement(number, span.file if span else "", span.line if span else 0, says)
    return tuple(statements.values())


def sentence(statements: Sequence[CoreStatement]) -> str:
    """`line 12 sets x = 0, line 15 needs x > 0: together impossible`; empty without statements."""
    if not statements:
        return ""
    said = ", ".join(f"{one.where} {one.said}" for one in statements[:MAX])
    return f"{said}{conclusion(statements)}"


def conclusion(statements: Sequence[CoreStatement]) -> str:
    """The end of the sentence after the first `MAX` statements."""
    more = f", and {len(statements) - MAX} more" if len(statements) > MAX else ""
    return f"{more}: {'alone' if len(statements) == 1 else 'together'} impossible"


def _says(record: RunRecord, program: Program, edge: Edge) -> str:
    """The effect of an edge in words, or its source text where the words would be too long."""
    names = record.text.names_behind(edge)
    match edge.operation:
        case Assume(condition):
            asked = edge.text.removeprefix("[").removesuffix("]")
            return f"needs {asked if asked and not _is_plain(condition, names) else _text(program, condition, names)}"
        case Assign(updates):
            if edge.text and not all(_is_plain(value, names) for _, value in updates):
                return f"does {edge.text}" if _ACTS.search(edge.text) else f"sets {edge.text}"
            named = [pair for pair in updates if not is_internal(names.symbol(pair[0]))]
            if not named:
                return f"does {edge.text}" if edge.text else ""
            return ", ".join(_assignment(program, variable, value, names) for variable, value in named)
        case _:
            return f"calls {edge.text}" if edge.text else ""


def _assignment(program: Program, variable: Term, value: Term, names: Naming) -> str:
    name = names.symbol(variable)
    known = names.value(variable, value.value) if value.is_constant and value.sort is INT else None
    if known is not None:
        return f"sets {name} = {known}"
    if value in program.inputs:
        return f"gives {name} any value"
    if not is_told_of(variable, value, names):
        return f"sets {name} = …"
    text = value_text(variable, value, names, partial(_text, program, names=names))
    return f"sets {name} = {text}"


def _is_plain(term: Term, names: Naming) -> bool:
    """Whether a term is readable as source: short, without wrap-around, whole arrays or temporaries."""
    parts = list(subterms(term)) if term.size <= _LONGEST else []
    return bool(parts) and not any(
        part.op in _INVOLVED or (part.is_symbol and "\\" in names.symbol(part)) for part in parts
    )


def _text(program: Program, term: Term, names: Naming) -> str:
    if term.size > _LONGEST or not is_told(term, names):
        return "…"
    if term.is_negation and term.args[0].op in (Op.AND, Op.OR):  # part by part it is easier to read
        arena, parts = program.arena, term.args[0].args
        term = (arena.or_ if term.args[0].is_conjunction else arena.and_)(*map(arena.not_, parts))
    return to_readable_c(term, partial(bounds_in, program), names=names)


def learned_in(record: RunRecord, attempt: int, round: int) -> tuple[Learned, ...]:
    """The lemmas learned in a round, in order, each text once."""

    def make() -> tuple[Learned, ...]:
        found = round_of(record.attempt(attempt), round)
        first = found.first if found is not None else 0  # what was known before is not of this round
        lemmas = (lemma for lemma in learned(record, attempt, round) if lemma.alive.born >= first)
        texts: dict[Learned, list[int]] = {}
        for lemma in lemmas:
            texts.setdefault(_learned(record, attempt, lemma.event), []).append(lemma.event.lemma)
        return tuple(replace(one, lemmas=tuple(numbers)) for one, numbers in texts.items())

    return record.memo.get(("learned", attempt, round), make)


def _learned(record: RunRecord, attempt: int, event: LemmaAdded) -> Learned:
    """A lemma without its number."""
    place = event.place
    span = next((s for s in map(record.span_of_edge, event.edges) if s is not None), None)
    if span is None and place is not None:
        span = record.span_of_place(place)
    where = "everywhere" if place is None else f"line {span.line}" if span is not None else record.place(place)
    line = (span.file, span.line) if span is not None else None
    kind = role_words(record, attempt, event.role)
    return Learned((), record.formula(attempt, event.formula, place), kind, event.origin, where, line)
