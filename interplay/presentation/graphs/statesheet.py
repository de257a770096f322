"""The texts of the abstract reachability graph: the kind of a state, its place, and its formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from core.program.source import shown_function
from interplay.presentation.graphs.picture import BoxLine, Role, Sheet, TextStyle, Wire, cut
from interplay.presentation.graphs.stategraph import Looks, Mode, Moment, Tree, path_jumps, path_wires, side_wires
from interplay.presentation.record.engine_words import EngineWord, noun
from interplay.presentation.record.run import RunRecord

_LONGEST = 27  # characters of a line in a box
_MAX_TOLD = 4  # states that are covered
_LONGEST_WHOLE = 4_000  # characters of a formula that is told as a whole, a line a conjunct


def roles_of(record: RunRecord) -> dict[int, Role]:
    """The roles of the locations of the program."""
    return record.memo.keep(("roles",), lambda: dict(_roles(record)))


def _roles(record: RunRecord) -> Iterator[tuple[int, Role]]:
    program = record.program
    if program is None:
        return
    for location in program.locations:
        if location.id in program.checks_at:
            yield location.id, Role.ERROR
        elif location.loop:
            yield location.id, Role.LOOP
    yield program.functions[program.start].entry, Role.ENTRY


def sheet(record: RunRecord, attempt: int, now: Moment, tree: Tree, mode: Mode, selected: int | None) -> Sheet:
    """The tree at a moment, with connections beside the tree for the selected slot."""
    texts = _Texts(record, attempt, now, tree)
    extra: tuple[Wire, ...] = path_jumps(tree, now)
    if selected is not None:
        extra += side_wires(tree, now, selected)
    return Sheet(
        tree.picture,
        Looks(tree, now, mode),
        texts.lines,
        texts.about,
        texts.badge,
        path_wires(tree, now),
        extra,
        texts.joined,
    )


@dataclass(frozen=True)
class _Texts:
    record: RunRecord
    attempt: int
    now: Moment
    tree: Tree

    def badge(self, box: int) -> str:
        slot = self.tree.shown.slots[box]
        by, others = len(self.now.covered_by(slot)), len(self.now.covers(slot))
        return (f"⊂{by}" if by else "") + (f"⊇{others}" if others else "")

    def lines(self, box: int) -> Sequence[BoxLine]:
        slot = self.tree.shown.slots[box]
        title = BoxLine(cut(self._where(slot), _LONGEST), TextStyle.HEAD)
        folded = self.tree.shown.folded.get(box)
        if folded:
            return title, BoxLine(f"⋯ {folded} state{'' if folded == 1 else 's'} folded", TextStyle.QUIET)
        formula = self._formula(slot)
        return title, BoxLine(cut(formula, _LONGEST)) if formula else BoxLine("not at this moment", TextStyle.QUIET)

    def _where(self, slot: int) -> str:
        """Line and function, and the role of the place."""
        location = self.tree.slots.places[slot][1]
        program = self.record.program
        if program is None or not 0 <= location < len(program.locations):
            return f"location {location}"
        one = program.locations[location]
        span = one.span or self.record.span_of_place(self.tree.slots.places[slot])
        word = "✗ error, " if location in program.checks_at else "loop · " if one.loop else ""
        where = f"line {span.line}" if span is not None else f"location {location}"
        function = "start" if one.function == program.start else shown_function(one.function)
        return f"{word}{where}" if function == "main" else f"{word}{where} · {function}"

    def _formula(self, slot: int) -> str:
        node = self.now.node(slot)
        if node is None:
            return ""
        number = node.formula_at(self.now.position)
        return self.record.formula(self.attempt, number, node.place) if number >= 0 else "(formula left out)"

    def joined(self, box: int) -> Sequence[str]:
        """The covers of its successors, and the states that were merged into it."""
        slot = self.tree.shown.slots[box]
        covered = [f"covered by {self._named(by)}" for by in self.now.covered_by(slot)]
        merged = [f"merged with a successor of {self._named(one)}" for one in self.now.merged(slot)[:_MAX_TOLD]]
        return [*covered, *merged]

    def _named(self, slot: int) -> str:
        """The name of a state: its place and its number, since several may be at one place."""
        node = self.now.node(slot)
        return self._where(slot) if node is None else f"{self._where(slot)} ({self._name(node.node)})"

    def _name(self, number: int) -> str:
        """A state by its number, in the engine's word without what it is of: `state 3`, `zone 3`."""
        word = noun(self.record, self.attempt, EngineWord.STATE)
        return f"{word.removeprefix('abstract ')} {number}"

    def about(self, box: int) -> str:
        return "\n".join(self._about(box, self.tree.shown.slots[box]))

    def _about(self, box: int, slot: int) -> Iterator[str]:
        yield self.record.place(self.tree.slots.places[slot])
        node = self.now.node(slot)
        if node is None:
            yield "no state here at this moment"
        else:
            rounds = self.record.attempt(self.attempt).rounds
            born = next((one.number for one in reversed(rounds) if one.first <= node.alive.born), None)
            yield f"{self._name(node.node)}: {self._formula(slot)}"
            number = node.formula_at(self.now.position)
            if self.record.is_abridged(self.attempt, number):
                whole = self.record.whole(self.attempt, number, node.place)
                yield from whole if sum(map(len, whole)) <= _LONGEST_WHOLE else ()
            if born is not None:
                yield f"found in round {born + 1}"
        for by in self.now.covered_by(slot):
            yield f"a successor is covered by the state at {self.record.place(self.tree.slots.places[by])}"
        for source in self.now.covers(slot)[:_MAX_TOLD]:
            yield f"covers a successor of the state at {self.record.place(self.tree.slots.places[source])}"
        if box in self.tree.shown.folded:
            yield f"{self.tree.shown.folded[box]} states are folded into it: Space shows them"
