"""Formulas about lists as pictures: literals over pointers are a diagram, a heap of which something is known.

A clause of `pdr` says that no elements satisfy some literals together: its picture is the diagram that it excludes.
Equal names are one record; arrows are those of the literals, without those that follow from others; what is denied, or
is about other variables, is said in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.program import Program
from core.program.naming import REACHES
from core.program.source import path_at
from core.terms import BOOL, INT, Arena, ArraySort, Op, Term, Treatment
from core.terms.wraparound import LinearLiteral, Sum, plain_literal, plain_sum
from interplay.presentation.record.heaps import HeapPath, HeapRecord, HeapState, RecordField
from interplay.presentation.record.moments import path_of, state
from interplay.presentation.record.run import RunRecord
from runs.events import Place
from runs.jsondata import Malformed
from runs.runview import AttemptView, Lemma
from runs.states import NodeHistory

OTHER_OPERATORS = Treatment.EXACT

_SET = ArraySort(INT, BOOL)
_RELATION = ArraySort(INT, _SET)
_ALLOCATED = "\\allocated"
"""The name of the ghost variable of certificates that has what is allocated."""


def excluded_by(record: RunRecord, attempt: int, lemma: Lemma) -> HeapState | None:
    """The diagram that a clause excludes; None of lemmas that say nothing about a heap."""
    event = lemma.event
    return None if event.role != "invariant" else _picture(record, attempt, event.formula, event.place, denied=True)


def described_by(record: RunRecord, attempt: int, node: NodeHistory, position: int) -> HeapState | None:
    """The diagram of an abstract state at an event position; None of states that say nothing about a heap."""
    return _picture(record, attempt, node.formula_at(position), node.place, denied=False)


def state_of_step(record: RunRecord, attempt: int, round: int | None, step: int) -> NodeHistory | None:
    """The proof obligation before a step of the path of a round, where that is the trace of obligations."""
    path = path_of(record, attempt, round)
    if path is None or path.event.result == "feasible":
        return None
    alive = {node.node: node for node in state(record, attempt, path.round).nodes}
    chain = [alive[max(alive)]] if alive else []
    while chain and chain[-1].parent in alive and len(chain) <= len(alive):
        chain.append(alive[chain[-1].parent])
    return chain[step - 1] if 0 < step <= len(chain) else None


def _picture(record: RunRecord, attempt: int, formula: int, place: Place | None, *, denied: bool) -> HeapState | None:
    one = record.attempt(attempt)
    key = ("diagram", one.number, formula, place, denied)
    return record.memo.keep(key, lambda: _read(record, one, formula, place, denied))


def _read(record: RunRecord, attempt: AttemptView, formula: int, place: Place | None, denied: bool) -> HeapState | None:
    program = record.program
    try:
        whole = record.text.term(attempt, formula) if program is not None and formula >= 0 else None
    except Malformed:
        return None
    if whole is None or program is None:
        return None
    diagram = program.arena.not_(whole) if denied else whole
    is_exists = diagram.is_negation and diagram.args[0].is_quantified
    body = program.arena.not_(diagram.args[0].args[0]) if is_exists else diagram
    bound = diagram.args[0].bound if is_exists else ()
    elements = {one: f"x{number}" for number, one in enumerate(bound, 1)}
    return drawn(record, program, _conjuncts(program.arena, body), elements, place)


def _conjuncts(arena: Arena, formula: Term) -> Sequence[Term]:
    """The literals whose conjunction a formula is; the formula itself if it is none."""
    if formula.is_conjunction:
        return formula.args
    denied = formula.args[0] if formula.is_negation else None
    return [arena.not_(one) for one in denied.args] if denied is not None and denied.is_disjunction else [formula]


def drawn(
    record: RunRecord, program: Program, literals: Sequence[Term], elements: Mapping[Term, str], place: Place | None
) -> HeapState | None:
    """The picture of literals; `elements` are the names of variables for any records. None if none is about a heap."""
    diagram = _Diagram(record, program, elements, place)
    for one in literals:
        diagram.take(one)
    return diagram.state() if diagram.is_about_heap else None


@dataclass(frozen=True)
class _Reached:
    """One name reaches another over a field."""

    field: str
    source: Term
    target: Term


class _Diagram:
    """Sorts literals by what they say about which name."""

    def __init__(self, record: RunRecord, program: Program, elements: Mapping[Term, str], place: Place | None) -> None:
        self._record, self._program, self._elements, self._place = record, program, elements, place
        self._names: dict[Term, Term] = {}  # each name with one that it is equal to, or itself
        self._null: set[Term] = set()
        self._reached: list[_Reached] = []
        self._tests: list[tuple[Term, str]] = []
        self._facts: list[str] = []
        self.is_about_heap = False

    # Reading

    def take(self, literal: Term) -> None:
        """Take in a literal: as part of the picture if it is one, else in words."""
        if not (self._take_relation(literal) or self._take_comparison(literal)):
            for name in _selected(literal):
                if self._is_pointer(name):
                    self._join(name, name)
            self._facts.append(self._words(literal))

    def _take_relation(self, literal: Term) -> bool:
        if not literal.is_select:
            return False
        array, target = literal.args
        if array.is_select and array.args[0].sort == _RELATION and array.args[0].name.startswith(REACHES):
            source = array.args[1]
            self._join(source, source)
            self._join(target, target)
            self._reached.append(_Reached(array.args[0].name.removeprefix(REACHES), source, target))
            self.is_about_heap = True
            return True
        if array.sort == _SET and array.is_symbol and array.name == _ALLOCATED:
            self._join(target, target)
            self._tests.append((target, "allocated"))
            self.is_about_heap = True
            return True
        return False

    def _take_comparison(self, literal: Term) -> bool:
        read = plain_literal(literal)
        if read is None:
            return False
        names = [part for _, part in read.body.parts if isinstance(part, Term)]
        if len(names) == 1 and not self._is_pointer(names[0]):
            return self._take_test(literal, names[0])
        if read.op is not Op.EQ or read.negated or not names or not all(map(self._is_pointer, names)):
            return False
        return self._take_equality(read, names)

    def _take_equality(self, read: LinearLiteral, names: Sequence[Term]) -> bool:
        factors = sorted(factor for factor, _ in read.body.parts)
        if read.body.constant or factors not in ([-1, 1], [1], [-1]):
            return False
        self.is_about_heap = True
        self._join(names[0], names[-1])
        if len(names) == 1:
            self._null.add(names[0])
        return True

    def _take_test(self, literal: Term, tested: Term) -> bool:
        """A test of the number in a field of a record."""
        if not tested.is_select:
            return False
        index = plain_sum(tested.args[1])
        if len(index.parts) != 1 or not isinstance(index.parts[0][1], Term) or index.parts[0][0] != 1:
            return False
        owner = index.parts[0][1]
        field = self._field(tested.args[0], index)
        if field is None or not self._is_pointer(owner):
            return False
        self._join(owner, owner)
        self._tests.append((owner, f"{field} {self._words(literal).removeprefix(self._words_of(tested)).strip()}"))
        self.is_about_heap = True
        return True

    def _field(self, array: Term, index: Sum) -> str | None:
        for target in self._program.source.targets:
            for part in target.parts:
                path = path_at(part.steps, index.constant) if part.variable is array else None
                if path is not None:
                    return path.removeprefix(".")
        return None

    def _is_pointer(self, one: Term) -> bool:
        array = one.args[0] if one.is_select else one
        return one in self._elements or array in self._program.source.pointers

    def _join(self, one: Term, other: Term) -> None:
        a, b = self._root(one), self._root(other)
        self._names[b] = a

    def _root(self, term: Term) -> Term:
        self._names.setdefault(term, term)
        while self._names[term] is not term:
            term = self._names[term]
        return term

    def _words(self, literal: Term) -> str:
        text = self._record.text.of_term(literal, self._place)
        for one, name in self._elements.items():
            text = text.replace(self._record.text.of_term(one, self._place), name)
        return text

    def _words_of(self, one: Term) -> str:
        return self._elements.get(one) or self._record.text.of_term(one, self._place)

    # Drawing

    def state(self) -> HeapState:
        null = {self._root(one) for one in self._null}
        roots = list(dict.fromkeys(self._root(one) for one in self._names))
        drawn = [one for one in roots if one not in null]
        numbers = {one: number for number, one in enumerate(drawn)}
        texts = {one: f"#{number + 1}" for one, number in numbers.items()}
        variables = tuple(
            RecordField(self._words_of(one), texts.get(self._root(one), "null"), numbers.get(self._root(one)))
            for one in self._names
            if one not in self._elements
        )
        records = tuple(HeapRecord(texts[one], self._kind(one), tuple(self._fields(one))) for one in drawn)
        paths, more = self._paths(numbers)
        return HeapState(variables, records, paths, (*more, *self._facts))

    def _kind(self, root: Term) -> str:
        names = [self._elements[one] for one in self._names if one in self._elements and self._root(one) is root]
        return f"some record {' = '.join(names)}" if names else ""

    def _fields(self, root: Term) -> Iterator[RecordField]:
        found = dict.fromkeys(text for one, text in self._tests if self._root(one) is root)
        yield from (RecordField("", text) for text in found)

    def _paths(self, numbers: Mapping[Term, int]) -> tuple[tuple[HeapPath, ...], tuple[str, ...]]:
        """The arrows that do not follow from others; what reaches null is said in words."""
        edges: dict[str, set[tuple[int, int]]] = {}
        words: list[str] = []
        for one in self._reached:
            source, target = numbers.get(self._root(one.source)), numbers.get(self._root(one.target))
            if source is None or target is None:
                words.append(f"{self._words_of(one.source)} reaches {self._words_of(one.target)} over {one.field}")
            elif source != target:
                edges.setdefault(one.field, set()).add((source, target))
        found = [
            HeapPath(source, target, field)
            for field, pairs in edges.items()
            for source, target in sorted(pairs)
            if not any((source, middle) in pairs and (middle, target) in pairs for middle in range(len(numbers)))
        ]
        return tuple(found), tuple(words)


def _selected(literal: Term) -> Iterator[Term]:
    """The terms that a literal speaks of, as far as they may be names."""
    seen = [literal]
    while seen:
        one = seen.pop()
        if one.is_symbol:
            yield one
        seen.extend(one.args)
