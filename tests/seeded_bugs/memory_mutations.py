"""Thirty bugs in pointers, lifetimes, unions, calls through pointers, memory and explicit values.

They were chosen before the generator of programs with memory was made, which must find them by itself: `generated`
searches its programs for the first that notices a bug.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

import methods.domains.explicit.compiler as explicit_compiler
from core.terms import Term
from frontend.lowering import storage
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm
from frontend.lowering.calls import CallLowering
from frontend.lowering.checks.object_states import Lives
from frontend.lowering.checks.scopes import Lifetimes
from frontend.lowering.contracts import CallValue
from frontend.lowering.memory import allocation, groups, regions, scalars
from frontend.lowering.memory.addresses import MemoryModel
from frontend.lowering.memory.groups import Group
from frontend.lowering.memory.pointers import Pointers
from frontend.lowering.memory.regions import MemoryPlace
from frontend.lowering.pointsto import analysis
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.classes import Class, FieldKey
from frontend.lowering.pointsto.keys import Keys
from frontend.lowering.records import Records, RecordValue
from frontend.lowering.storage import Slot, Variables
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import CType, Field
from frontend.typed.tree import BinaryOperator
from methods.domains.explicit import cells
from tests.seeded_bugs.mutations import Patch

# Points-to


def copied_pointers_are_not_followed(patch: pytest.MonkeyPatch) -> None:
    original = PointsTo._store

    def store(self: PointsTo, node: Class, key: FieldKey, e: tree.Expression) -> None:
        if not isinstance(e, tree.Load):
            original(self, node, key, e)

    patch.setattr(PointsTo, "_store", store)


def arguments_are_not_bound(patch: pytest.MonkeyPatch) -> None:
    def arguments(self: PointsTo, call: tree.Call, _: str) -> None:
        for one in call.arguments:
            self.value(one)

    patch.setattr(PointsTo, "_arguments", arguments)


def results_are_not_bound(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PointsTo, "result", lambda *_: Class())


def casts_change_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(analysis, "same_representation", lambda *_: True)
    patch.setattr(analysis, "add_view", lambda *_: None)


def exposed_fields_stay_apart(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Keys, "field", lambda _, record, name: (record, name))


def initialisers_hold_no_pointers(patch: pytest.MonkeyPatch) -> None:
    def initialise(self: PointsTo, _: tree.Object, initialiser: tree.Initialiser) -> None:
        for entry in initialiser.entries:
            self.value(entry.value)

    patch.setattr(PointsTo, "_initialise", initialise)


def choices_have_their_first_value(patch: pytest.MonkeyPatch) -> None:
    def joined(self: PointsTo, left: tree.Expression, right: tree.Expression) -> Class | None:
        one, other = self.value(left), self.value(right)
        return other if one is None else one

    patch.setattr(PointsTo, "_joined", joined)


def copied_structs_lose_their_pointers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PointsTo, "_copy", lambda *_: None)


# Lifetimes


def blocks_end_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Lifetimes, "leave", lambda self, _: self._scopes.pop())


def returns_end_nothing(patch: pytest.MonkeyPatch) -> None:
    original = Lifetimes.jump

    def jump(self: Lifetimes, depth: int, span: Span) -> None:
        if depth > 0:
            original(self, depth, span)

    patch.setattr(Lifetimes, "jump", jump)


def goto_ends_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Lifetimes, "goto", lambda *_: None)


def only_one_object_ends(patch: pytest.MonkeyPatch) -> None:
    original = Lives.dead
    patch.setattr(Lives, "dead", lambda self, blocks: original(self, blocks[:1]))


def ends_may_be_accessed(patch: pytest.MonkeyPatch) -> None:
    original = Lives.readable

    def readable(self: Lives, address: Term, size: Term) -> Term:
        return original(self, address, self._arena.subtract(size, self._arena.one))

    patch.setattr(Lives, "readable", readable)


# Unions, bytes, bit-fields


def bytes_are_stored_backwards(patch: pytest.MonkeyPatch) -> None:
    original = scalars.written

    def written(arithmetic: Arithmetic, slot: Slot, held: Term, value: Term, position: int = 0) -> Term:
        new = original(arithmetic, slot, held, value, position)
        if not slot.bytes:
            return new
        arena, start = arithmetic.arena, scalars.place(arithmetic.arena, slot, position)
        places = [arena.add(start, arena.integer(k)) for k in range(slot.bytes)]
        result = held
        for place, other in zip(places, reversed(places), strict=True):
            result = arena.store(result, place, arena.select(new, other))
        return result

    patch.setattr(scalars, "written", written)


def bytes_make_unsigned_numbers(patch: pytest.MonkeyPatch) -> None:
    original = scalars.read

    def read(arithmetic: Arithmetic, slot: Slot, held: Term, position: int = 0) -> BoundedTerm:
        if not slot.bytes or slot.type.bits == 1:
            return original(arithmetic, slot, held, position)
        unsigned = replace(slot.type, signed=False)
        return original(arithmetic, replace(slot, type=unsigned), held, position)

    patch.setattr(scalars, "read", read)


def last_bytes_are_not_stored(patch: pytest.MonkeyPatch) -> None:
    original = scalars.written

    def written(arithmetic: Arithmetic, slot: Slot, held: Term, value: Term, position: int = 0) -> Term:
        fewer = replace(slot, bytes=max(1, slot.bytes - 1)) if slot.bytes else slot
        return original(arithmetic, fewer, held, value, position)

    patch.setattr(scalars, "written", written)


def nothing_overlaps(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Group, "_is_split", lambda *_, **__: False)


def regions_have_the_first_sign(patch: pytest.MonkeyPatch) -> None:
    original = Group.region

    def region(self: Group, name: str, packed: bool) -> groups.Region:
        found = original(self, name, packed)
        return found if found.split else replace(found, type=next(iter(self._types)))

    patch.setattr(Group, "region", region)


def members_begin_where_their_union_does(patch: pytest.MonkeyPatch) -> None:
    original = MemoryPlace.member

    def member(self: MemoryPlace, field: Field) -> MemoryPlace:
        return original(self, replace(field, offset=0) if self.fixed else field)

    patch.setattr(MemoryPlace, "member", member)


def bit_fields_are_whole(patch: pytest.MonkeyPatch) -> None:
    def whole(field: Field) -> CType:
        return field.type

    for module in (regions, storage):
        patch.setattr(module, "field_type", whole)


# Calls through pointers


def only_one_function_is_called(patch: pytest.MonkeyPatch) -> None:
    original = CallLowering._through_pointer

    def through(self: CallLowering, call: tree.Call, is_used: bool) -> CallValue:
        indirect = self._context.points.indirect
        indirect[id(call)] = indirect.get(id(call), ())[:1]
        return original(self, call, is_used)

    patch.setattr(CallLowering, "_through_pointer", through)


def functions_have_one_address(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(MemoryModel, "function", lambda self, _: BoundedTerm(self.arena.integer(1 << 12), 1 << 12, 1 << 12))


def called_pointers_bind_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PointsTo, "_bind", lambda self, _, name: self._reach(name))


# Objects in memory


def recursion_reuses_objects(patch: pytest.MonkeyPatch) -> None:
    original = MemoryModel.moves

    def moves(self: MemoryModel, object_: tree.Object) -> bool:
        return original(self, object_) and object_.function not in self._recursive

    patch.setattr(MemoryModel, "moves", moves)


def heap_objects_overlap(patch: pytest.MonkeyPatch) -> None:
    original = MemoryModel.after

    def after(self: MemoryModel, size: Term) -> Term:
        return self.heap if self.lives is None else original(self, size)

    patch.setattr(MemoryModel, "after", after)


def pointers_only_move_forwards(patch: pytest.MonkeyPatch) -> None:
    original = Pointers.moved

    def moved(
        self: Pointers,
        _: BinaryOperator,
        pointer: tree.Expression,
        address: BoundedTerm,
        offset: BoundedTerm,
        e: tree.Expression,
    ) -> BoundedTerm:
        return original(self, BinaryOperator.ADD, pointer, address, offset, e)

    patch.setattr(Pointers, "moved", moved)


def allocated_zeros_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(allocation, "clear", lambda *_: None)


def structs_are_copied_but_for_their_end(patch: pytest.MonkeyPatch) -> None:
    original = Records.store

    def store(self: Records, place: regions.AnyPlace, value: RecordValue, span: Span, text: str) -> None:
        own = self.load(place, span).parts
        parts = (*value.parts[:-1], own[-1]) if len(own) > 1 else value.parts
        original(self, place, RecordValue(value.type, parts), span, text)

    patch.setattr(Records, "store", store)


def rows_have_one_element(patch: pytest.MonkeyPatch) -> None:
    def flat(self: Variables, _: Sequence[object], indices: Sequence[BoundedTerm]) -> Term:
        return self._arena.add(*map(self._number, indices))

    patch.setattr(Variables, "_flat", flat)


# Engines


def cells_at_unknown_places_stay(patch: pytest.MonkeyPatch) -> None:
    """The engine `explicit` forgets that a write anywhere may change every cell."""
    original = cells.store

    def store(array: cells.Cells | None, index: int | None, value: int | None) -> cells.Cells | None:
        return array if index is None else original(array, index, value)

    patch.setitem(explicit_compiler._HELPERS, "store", store)


MEMORY_BUGS: Mapping[str, Patch] = {
    patch.__name__: patch
    for patch in (
        copied_pointers_are_not_followed,
        arguments_are_not_bound,
        results_are_not_bound,
        casts_change_nothing,
        exposed_fields_stay_apart,
        initialisers_hold_no_pointers,
        choices_have_their_first_value,
        copied_structs_lose_their_pointers,
        blocks_end_nothing,
        returns_end_nothing,
        goto_ends_nothing,
        only_one_object_ends,
        ends_may_be_accessed,
        bytes_are_stored_backwards,
        bytes_make_unsigned_numbers,
        last_bytes_are_not_stored,
        nothing_overlaps,
        regions_have_the_first_sign,
        members_begin_where_their_union_does,
        bit_fields_are_whole,
        only_one_function_is_called,
        functions_have_one_address,
        called_pointers_bind_nothing,
        recursion_reuses_objects,
        heap_objects_overlap,
        pointers_only_move_forwards,
        allocated_zeros_are_forgotten,
        structs_are_copied_but_for_their_end,
        rows_have_one_element,
        cells_at_unknown_places_stay,
    )
}

ENGINE_BUGS: Mapping[str, str] = {"cells_at_unknown_places_stay": "explicit"}
"""The bugs that are not in the front end, with the engine that has them."""
