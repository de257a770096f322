"""The abstract reachability graph as a drawing whose layout is the same for all refinements.

Every state that an attempt ever had gets a *slot*. A state that is found again after a refinement pruned it (same
parent slot, same location, same way) takes the slot of the one that died, so that all moments share one tree. The tree
is laid out once; a moment has the sets of slots that are taken, new, or free again. Slots are numbered by the births of
their first states, so that numbers are stable while a run grows.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from functools import cached_property
from itertools import islice, pairwise
from typing import overload

from core.dataclass import dataclass
from interplay.presentation.graphs.picture import LINE, PADDING, Box, Look, Outline, Picture, Role, Wire, WireKind
from interplay.presentation.layout import CancelCheck, Point, Size, Spacing, checked, tidy, unchecked
from interplay.presentation.record.moments import position, round_of
from interplay.presentation.record.paths import path_shown
from interplay.presentation.record.run import RunRecord
from runs.events import Place
from runs.runview import AttemptView
from runs.states import Cover, NodeHistory

WIDTH = 204.0
SIZE = Size(WIDTH, 2 * LINE + PADDING)
_SPACING = Spacing(between=16, layers=26, margin=24)
_MAX_BESIDE = 50  # wires beside the tree, of one kind


class Mode(Enum):
    """The part of the graph that is shown."""

    PATH = "Error path"
    MOMENT = "This moment"
    ALL = "All states"


@dataclass(frozen=True)
class TreeSlots:
    """The slots of the drawing. `of` maps a state, by the position of its birth, to its slot.

    The other fields are indices, so that a moment need not visit all states. By position: births, deaths, changes of
    formulas. `there` are the states that a location ever had, `occupants` those that a slot ever had. Covers are
    indexed by the number of the covered state's predecessor (`leaving`) and of the covering state (`entering`).
    `numbered` are the states that had a number, `children` those found from the state with a number.
    """

    parents: tuple[int, ...]
    places: tuple[Place, ...]
    of: Mapping[int, int]
    births: Sequence[tuple[int, NodeHistory]] = ()
    deaths: Sequence[tuple[int, NodeHistory]] = ()
    changes: Sequence[tuple[int, NodeHistory]] = ()
    there: Mapping[Place, Sequence[NodeHistory]] = field(default_factory=dict)
    occupants: Sequence[Sequence[NodeHistory]] = ()
    leaving: Mapping[int, Sequence[Cover]] = field(default_factory=dict)
    entering: Mapping[int, Sequence[Cover]] = field(default_factory=dict)
    numbered: Mapping[int, Sequence[NodeHistory]] = field(default_factory=dict)
    children: Mapping[int, Sequence[NodeHistory]] = field(default_factory=dict)


def slots_of(nodes: Sequence[NodeHistory], covers: Sequence[Cover] = (), check: CancelCheck = unchecked) -> TreeSlots:
    """Assign slots to states, which are given in any order."""
    parents: list[int] = []
    places: list[Place] = []
    of: dict[int, int] = {}
    latest: dict[int, int] = {}  # by the number of a state that was born last with it
    free: dict[tuple[int, Place, tuple[int, ...]], list[tuple[int, int]]] = {}  # (death, slot), earliest first
    there: dict[Place, list[NodeHistory]] = {}
    occupants: list[list[NodeHistory]] = []
    numbered: dict[int, list[NodeHistory]] = {}
    children: dict[int, list[NodeHistory]] = {}
    ordered = sorted(nodes, key=lambda one: one.alive.born)
    for node in checked(ordered, check):
        key = (latest.get(node.parent, -1), node.place, node.edges)
        waiting = free.setdefault(key, [])
        if waiting and waiting[0][0] <= node.alive.born:
            slot = heapq.heappop(waiting)[1]
        else:
            slot = len(parents)
            parents.append(key[0])
            places.append(node.place)
            occupants.append([])
        occupants[slot].append(node)
        numbered.setdefault(node.node, []).append(node)
        children.setdefault(node.parent, []).append(node)
        if node.alive.died is not None:
            heapq.heappush(waiting, (node.alive.died, slot))
        of[node.alive.born] = latest[node.node] = slot
        there.setdefault(node.place, []).append(node)
    births = [(node.alive.born, node) for node in ordered]
    deaths = sorted(((node.alive.died, node) for node in ordered if node.alive.died is not None), key=_first)
    changes = sorted(((at, node) for node in ordered for at, _ in node.states[1:]), key=_first)
    leaving: dict[int, list[Cover]] = {}
    entering: dict[int, list[Cover]] = {}
    for cover in covers:
        leaving.setdefault(cover.event.parent, []).append(cover)
        entering.setdefault(cover.event.by, []).append(cover)
    return TreeSlots(
        parents=tuple(parents),
        places=tuple(places),
        of=of,
        births=births,
        deaths=deaths,
        changes=changes,
        there=there,
        occupants=occupants,
        leaving=leaving,
        entering=entering,
        numbered=numbered,
        children=children,
    )


def _first(pair: tuple[int, NodeHistory]) -> int:
    return pair[0]


def _between(events: Sequence[tuple[int, NodeHistory]], after: int, until: int) -> Iterator[NodeHistory]:
    """The states of events at positions above `after` and up to `until`."""
    for _, node in events[bisect_right(events, after, key=_first) : bisect_right(events, until, key=_first)]:
        yield node


# What is folded away


@dataclass(frozen=True)
class Folds:
    """The parts that are folded: everything below some slots, chains, calls; `opened` are exceptions, by the slot
    shown.
    """

    chains: bool = False
    calls: bool = False
    closed: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Shown:
    """The slots that are drawn, in order, with their parents among them and the numbers of slots folded into each."""

    slots: tuple[int, ...]
    parents: tuple[int, ...]
    folded: Mapping[int, int]
    into: Sequence[int] = field(default=())  # by slot: the drawn slot that stands for it, -1 outside


def shown(slots: TreeSlots, folds: Folds, only: Collection[int] | None = None) -> Shown:
    """The slots that are left after folding; with `only` these slots are kept, and nothing is folded."""
    if only is not None:
        return _only(slots, only)
    interior = _interior(slots) if folds.chains else [False] * len(slots.parents)
    into: list[int] = []
    start: list[int] = []  # where the chain of each slot begins
    for slot, parent in enumerate(slots.parents):
        begin = -1 if parent < 0 else start[parent] if interior[parent] else parent
        start.append(begin)
        head = -1 if parent < 0 else into[parent]
        hidden = head >= 0 and (
            head in folds.closed
            or (interior[slot] and begin not in folds.opened)
            or (folds.calls and _depth(slots, slot) > _depth(slots, head) and head not in folds.opened)
        )
        into.append(head if hidden else slot)
    folded: dict[int, int] = {}
    for slot, head in enumerate(into):
        if head != slot:
            folded[head] = folded.get(head, 0) + 1
    return _numbered(slots, into, folded)


def _depth(slots: TreeSlots, slot: int) -> int:
    return len(slots.places[slot][0])


def _interior(slots: TreeSlots) -> list[bool]:
    """For each slot, whether it is inside of a chain: it has one child, and so has its parent."""
    children = [0] * len(slots.parents)
    for parent in slots.parents:
        if parent >= 0:
            children[parent] += 1
    return [parent >= 0 and children[slot] == 1 and children[parent] == 1 for slot, parent in enumerate(slots.parents)]


def _only(slots: TreeSlots, only: Collection[int]) -> Shown:
    kept = set(only)
    into: list[int] = []
    for slot, parent in enumerate(slots.parents):
        into.append(slot if slot in kept else into[parent] if parent >= 0 else -1)
    return _numbered(slots, into, {})


def _numbered(slots: TreeSlots, into: Sequence[int], folded: Mapping[int, int]) -> Shown:
    kept = [slot for slot, head in enumerate(into) if head == slot]
    index = {slot: number for number, slot in enumerate(kept)}
    parents = [slots.parents[slot] for slot in kept]
    above = tuple(-1 if parent < 0 else index.get(into[parent], -1) for parent in parents)
    return Shown(tuple(kept), above, {index[slot]: count for slot, count in folded.items()}, into)


# Drawing


@dataclass(frozen=True)
class Tree:
    """A drawing of some slots. `boxes` maps drawn slots to boxes."""

    slots: TreeSlots
    shown: Shown
    picture: Picture
    boxes: Mapping[int, int]
    wire_to: Mapping[int, int]  # by the box that it enters

    @property
    def outline(self) -> Outline:
        """The outline: every state below the one that it was found from."""
        return Outline(self.shown.parents)


def tree(
    slots: TreeSlots,
    folds: Folds,
    roles: Mapping[int, Role],
    only: Collection[int] | None = None,
    check: CancelCheck = unchecked,
) -> Tree:
    """Lay the tree out. `roles` are those of locations of the program."""
    what = shown(slots, folds, only)
    centres = tidy(what.parents, SIZE, _SPACING, check)
    boxes = tuple(
        Box(
            centre.x - SIZE.width / 2,
            centre.y - SIZE.height / 2,
            SIZE.width,
            SIZE.height,
            roles.get(slots.places[slot][1], Role.PLAIN),
        )
        for slot, centre in checked(zip(what.slots, centres, strict=True), check)
    )
    wires = tuple(
        Wire(parent, child, _bus(centres[parent], centres[child]))
        for child, parent in checked(enumerate(what.parents), check)
        if parent >= 0
    )
    right = max((box.left + box.width for box in boxes), default=0.0)
    bottom = max((box.top + box.height for box in boxes), default=0.0)
    size = Size(right + _SPACING.margin, bottom + _SPACING.margin)
    wire_to = {wire.target: number for number, wire in enumerate(wires)}
    return Tree(slots, what, Picture(size, boxes, wires), {slot: box for box, slot in enumerate(what.slots)}, wire_to)


def _bus(above: Point, below: Point) -> tuple[Point, ...]:
    """The polyline from a parent to a child: down, across, down; siblings share the horizontal part."""
    start = Point(above.x, above.y + SIZE.height / 2)
    end = Point(below.x, below.y - SIZE.height / 2)
    if above.x == below.x:
        return start, end
    middle = end.y - _SPACING.layers / 2
    return start, Point(start.x, middle), Point(end.x, middle), end


# A moment


@dataclass(frozen=True)
class Moment:
    """The tree at a moment, which is a position of the events.

    `differences` are slots that differ from the round before, `path` has the slots of the abstract path in its order.
    """

    slots: TreeSlots
    position: int
    differences: Mapping[int, Look]
    path: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of states."""
        born = bisect_right(self.slots.births, self.position, key=_first)
        return born - bisect_right(self.slots.deaths, self.position, key=_first)

    @cached_property
    def taken(self) -> frozenset[int]:
        """The slots that have a state."""
        born = self.slots.births[: bisect_right(self.slots.births, self.position, key=_first)]
        now, of = self.position, self.slots.of
        return frozenset(of[at] for at, node in born if (died := node.alive.died) is None or now < died)

    def node(self, slot: int) -> NodeHistory | None:
        """The state that is in a slot."""
        return next((one for one in self.slots.occupants[slot] if one.alive.contains(self.position)), None)

    def at(self, place: Place | None) -> list[int]:
        """The slots of the states at a location."""
        known = self.slots.there.get(place, ()) if place is not None else ()
        return [self.slots.of[node.alive.born] for node in known if node.alive.contains(self.position)]

    def covered_by(self, slot: int) -> list[int]:
        """The slots of the states that cover successors of the state in a slot."""
        return self._joined(slot, self.slots.leaving, lambda cover: cover.event.by)

    def covers(self, slot: int) -> list[int]:
        """The slots of the states some successor of which is covered by the state in a slot."""
        return self._joined(slot, self.slots.entering, lambda cover: cover.event.parent)

    def merged(self, slot: int) -> list[int]:
        """The slots of the states from which something arrived later in the state in a slot, and was merged into it."""
        node = self.node(slot)
        joined = node.joined if node is not None else []
        numbers = {parent for at, parent in joined if at <= self.position and node and parent != node.parent}
        found = (self._slot(number) for number in sorted(numbers))
        return [one for one in found if one is not None]

    def _joined(self, slot: int, covers: Mapping[int, Sequence[Cover]], end: Callable[[Cover], int]) -> list[int]:
        node = self.node(slot)
        known = covers.get(node.node, ()) if node is not None else ()
        numbers = dict.fromkeys(end(cover) for cover in known if cover.alive.contains(self.position))
        found = (self._slot(number) for number in numbers)
        return [one for one in found if one is not None]

    def _slot(self, number: int) -> int | None:
        """The slot of the state that has a number at this moment."""
        known = self.slots.numbered.get(number, ())
        alive = (node for node in known if node.alive.contains(self.position))
        return next((self.slots.of[node.alive.born] for node in alive), None)


def moment(record: RunRecord, attempt: int, round: int | None, slots: TreeSlots) -> Moment:
    """The states in the slots at a moment, and the differences from the round before; at the end there are none."""
    key = ("states", attempt, round, len(slots.births), len(slots.deaths), len(slots.changes))
    return record.memo.get(key, lambda: _moment(record, attempt, round, slots))


def _moment(record: RunRecord, attempt: int, round: int | None, slots: TreeSlots) -> Moment:
    path = path_slots(record, attempt, round, slots)
    now = Moment(slots, position(record, attempt, round), {}, path)
    return now if round is None else replace(now, differences=_differences(record, attempt, round, now))


def _differences(record: RunRecord, attempt: int, round: int, now: Moment) -> Mapping[int, Look]:
    """Slots that were taken, left, or changed since the round before."""
    one = record.attempt(attempt)
    found = round_of(one, round)
    before = [earlier.number for earlier in one.rounds if found is not None and earlier.first < found.first]
    if not before:
        return {}
    slots, then = now.slots, position(record, attempt, before[-1])
    of = slots.of
    born = {of[node.alive.born] for node in _between(slots.births, then, now.position)}
    died = {of[n.alive.born]: n for n in _between(slots.deaths, then, now.position) if n.alive.born <= then}
    stayed = {of[n.alive.born]: n for n in _between(slots.changes, then, now.position) if n.alive.born <= then}
    looks = {slot: Look.NEW for slot in born if slot not in died and now.node(slot) is not None}
    for slot, old in {**stayed, **died}.items():
        node = now.node(slot)
        if node is None:
            looks[slot] = Look.GONE
        elif node.formula_at(now.position) != old.formula_at(then):
            looks[slot] = Look.CHANGED
    return looks


def path_slots(record: RunRecord, attempt: int, round: int | None, slots: TreeSlots) -> tuple[int, ...]:
    """The slots on the path shown: step by step the child at the next place, else any state there."""
    path = path_shown(record, attempt, round, None)
    if path is None or not path.steps:
        return ()
    at = position(record, attempt, round)
    found: list[int] = []
    last = -1  # number of the state before
    for place in record.places_on(edge for step in path.steps for edge in step.edges):
        children = (node for node in slots.children.get(last, ()) if node.place == place and node.alive.contains(at))
        others = (node for node in slots.there.get(place, ()) if node.alive.contains(at))
        node = next(children, None) or next(others, None)
        if node is not None:
            slot = slots.of[node.alive.born]
            if not found or found[-1] != slot:
                found.append(slot)
            last = node.node
    return tuple(found)


class Looks(Sequence[Look]):
    """The look of each box, computed on demand. A box with folded slots is on the path if one of them is."""

    def __init__(self, tree: Tree, now: Moment, mode: Mode) -> None:
        self._slots = tree.shown.slots
        self._now = now
        self._rest = Look.ABSENT if mode is Mode.ALL else Look.HIDDEN
        self._special: dict[int, Look] = {}
        self._known: dict[int, Look] = {}  # of others that were asked for
        for slot, look in now.differences.items():
            box = tree.boxes.get(slot)
            if box is not None:
                self._special[box] = look
        for slot in now.path:
            box = tree.boxes.get(tree.shown.into[slot])
            if box is not None:
                differs = self._special.get(box)
                self._special[box] = Look.PATH if differs is None else differs | Look.PATH

    def __len__(self) -> int:
        return len(self._slots)

    @overload
    def __getitem__(self, index: int) -> Look: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Look]: ...
    def __getitem__(self, index: int | slice) -> Look | Sequence[Look]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        found = self._special.get(index)
        if found is None:
            found = self._known.get(index)
        if found is None:
            there = self._now.node(self._slots[index]) is not None
            found = self._known[index] = Look.NONE if there else self._rest
        return found

    def __iter__(self) -> Iterator[Look]:
        taken, rest, there = self._now.taken, self._rest, Look.NONE
        looks = [there if slot in taken else rest for slot in self._slots]
        for box, look in self._special.items():
            looks[box] = look
        return iter(looks)


def path_wires(tree: Tree, now: Moment) -> frozenset[int]:
    """The wires between boxes of the path."""
    on_path = {box for slot in now.path if (box := tree.boxes.get(tree.shown.into[slot])) is not None}
    into = [tree.wire_to[box] for box in on_path if box in tree.wire_to]
    return frozenset(wire for wire in into if tree.picture.wires[wire].source in on_path)


def path_jumps(tree: Tree, now: Moment) -> tuple[Wire, ...]:
    """Wires for the steps of the path that the tree lacks: those that lead to a state that was found before."""
    boxes = [box for slot in now.path if (box := tree.boxes.get(tree.shown.into[slot])) is not None]
    parents = tree.shown.parents
    steps = dict.fromkeys(pair for pair in pairwise(boxes) if pair[0] != pair[1] and parents[pair[1]] != pair[0])
    return tuple(_beside(tree.picture, *pair, WireKind.PATH) for pair in islice(steps, _MAX_BESIDE))


def side_wires(tree: Tree, now: Moment, slot: int) -> tuple[Wire, ...]:
    """Wires for connections of a state beside the tree: its covering states, the states it covers, and states merged
    into it.
    """
    here = tree.boxes.get(slot)
    if here is None:
        return ()
    pairs = [(slot, by, WireKind.COVER) for by in now.covered_by(slot)]
    pairs += [(source, slot, WireKind.COVER) for source in now.covers(slot)[:_MAX_BESIDE]]
    pairs += [(source, slot, WireKind.BACK) for source in now.merged(slot)[:_MAX_BESIDE]]
    found = []
    for source, target, kind in pairs:
        ends = tree.boxes.get(tree.shown.into[source]), tree.boxes.get(tree.shown.into[target])
        if ends[0] is not None and ends[1] is not None:
            found.append(_beside(tree.picture, ends[0], ends[1], kind))
    return tuple(found)


def _beside(picture: Picture, source: int, target: int, kind: WireKind) -> Wire:
    """A wire through the gap below the row of the source, then up or down beside the target, in at its right side."""
    a, b = picture.boxes[source], picture.boxes[target]
    low, out = a.top + a.height + 8, b.left + b.width + 8
    start = min(max(out, a.left + 12), a.left + a.width - 12)
    points = (
        Point(start, a.top + a.height),
        Point(start, low),
        Point(out, low),
        Point(out, b.centre.y),
        Point(b.left + b.width, b.centre.y),
    )
    return Wire(source, target, points, kind)


def all_nodes(attempt: AttemptView) -> list[NodeHistory]:
    """Every state that an attempt ever had."""
    return [*attempt.states.removed, *attempt.states.nodes.values()]
