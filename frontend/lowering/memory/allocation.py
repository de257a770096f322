"""Objects on the heap: each takes the next free address, so that no two ever overlap."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from core.program import Assign, InputKind
from core.program.properties import CheckKind
from core.terms import Term
from frontend.libc.texts import ALIGNED, ERRNO, FAILURE, NO_MEMORY
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm
from frontend.lowering.checks.object_states import Lives
from frontend.lowering.context import ALIGNMENTS, ALLOCATES, MEMORY_SAFE, RELEASES, SMALL, STACK, Cursor
from frontend.lowering.edge_text import show
from frontend.lowering.expressions import ExpressionLowering
from frontend.lowering.memory.clearing import clear, mark
from frontend.lowering.memory.object_memory import allocated_sizes, keep_within, place, take
from frontend.lowering.pointsto.classes import find
from frontend.options import START_MALLOC, Malloc
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import IntegerKind
from frontend.typed.library_table import Allocated, library_function
from frontend.typed.traversal import callee

_PAGE = 1 << 12


class Allocation:
    """Lowers calls of allocating and releasing functions at a cursor."""

    def __init__(self, cursor: Cursor, expressions: ExpressionLowering) -> None:
        self._cursor, self._context, self._expressions = cursor, cursor.context, expressions

    def call(self, call: tree.Call, name: str) -> BoundedTerm:
        """`malloc`, `alloca` or `calloc`: arbitrary contents, or zeros."""
        cursor, memory, arena = self._cursor, self._context.memory, self._context.arena
        is_zeroed = library_function(name).allocates is Allocated.ZEROS
        if len(call.arguments) != 1 + (is_zeroed or name == ALIGNED):
            raise Unsupported(call.span, f"{name} is called with {len(call.arguments)} arguments")
        given = self._sizes(call)
        alignment = cursor.arithmetic.number(given.pop(0)) if name == ALIGNED else None
        size = cursor.arithmetic.number(given[0])
        if is_zeroed:
            size = arena.multiply(size, cursor.arithmetic.number(given[1]))
        result = cursor.temporary(ADDRESS)
        joined = self._branch_off_failure(call, name, result)
        self._exclude_large(call, name, size, prod(one.high for one in given))
        if memory.lives is not None:
            self._take(memory.lives, result, size, call, alignment)
        else:
            self._align(call, alignment)
            take(cursor, result, size, call.span, show(call))
        known = allocated_sizes(self._context)
        if known is not None:
            type_ = self._context.unit.data_model.size_type
            settled = cursor.arithmetic.settle(BoundedTerm(size, 0, type_.maximum ** (1 + is_zeroed)), type_)
            cursor.step(Assign(((known, arena.store(known, result, settled.term)),)), call.span, show(call))
        owner = self._context.points.value(call)
        if is_zeroed and owner is not None and find(owner).volatile:
            clear(cursor, owner, result, size, call.span)
        elif owner is not None and self._context.assigned is not None and self._context.assigned.is_escaping(owner):
            mark(cursor, owner, result, size, call.span, is_set=False)
        if joined is not None:
            cursor.enter(joined)
        return cursor.variable(result, ADDRESS)

    def fails(self, call: tree.Call, function: str) -> BoundedTerm:
        """Whether a call of a function that allocates fails: an input, unless it never does."""
        cursor, model = self._cursor, self._context.unit.data_model
        if self._context.unit.malloc is Malloc.SUCCEEDS:
            self._context.assume(ALLOCATES)
            return cursor.constant(0)
        boolean = model.integer(IntegerKind.BOOL)
        choice = cursor.input(InputKind.EXTERN, function + FAILURE, call.span, boolean)
        return cursor.save(choice, boolean, call.span, f"[whether {function} fails]")

    def _branch_off_failure(self, call: tree.Call, name: str, result: Term) -> int | None:
        """Add the case that the call returns null; the location where both cases meet, None where there is but one."""
        cursor, arena, function = self._cursor, self._context.arena, library_function(name)
        if function.fails is None or "!" in cursor.function:  # a body has asked already
            return None
        fails = self.fails(call, function.name)
        if fails.constant == 0:
            return None
        failing, succeeding, joined = cursor.location(), cursor.location(), cursor.location()
        texts = f"[{show(call)} returns null]", f"[{show(call)} succeeds]"
        cursor.split(arena.equals(cursor.arithmetic.number(fails), arena.one), call.span, texts, (failing, succeeding))
        cursor.at = failing
        cursor.step(Assign(((result, arena.zero), *self._no_memory(call))), call.span, show(call))
        cursor.jump(joined)
        cursor.at = succeeding
        return joined

    def _no_memory(self, call: tree.Call) -> Iterator[tuple[Term, Term]]:
        """The update of errno where memory is out."""
        context = self._context
        for one in context.unit.globals:
            if one.object.source_name == ERRNO:
                context.variables.declare(one.object)
                ((_, slot),) = context.memory.slots(context.memory.object(one.object), call.span)
                if slot is not None:
                    yield slot.variable, self._cursor.updated(slot, context.arena.integer(NO_MEMORY))

    def _exclude_large(self, call: tree.Call, name: str, size: Term, high: int) -> None:
        """End the path where more bytes are allocated than a pointer difference can tell, where that may fail instead.

        `high` is the largest size.
        """
        most = self._context.unit.data_model.difference_type.maximum
        never_fails = name == START_MALLOC or library_function(name).allocates is Allocated.STACK
        is_asked = self._context.unit.malloc is Malloc.MAY_FAIL and not never_fails
        if is_asked and high > most:
            self._context.assume(SMALL)
            arena = self._context.arena
            self._cursor.assume(arena.le(size, arena.integer(most)), call.span, f"[{show(call)} succeeds]")

    def size_of(self, call: tree.Call) -> BoundedTerm:
        """The number of bytes that an object on the heap was allocated with; 0 for other addresses."""
        sizes = allocated_sizes(self._context)
        assert sizes is not None
        address = self._expressions.value(call.arguments[0]).term
        size = self._context.arena.select(sizes, address)
        return self._cursor.arithmetic.of_type(size, self._context.unit.data_model.size_type)

    def _align(self, call: tree.Call, alignment: Term | None) -> None:
        """Make the next address one of a page, where addresses are numbers and an alignment is asked for."""
        memory, arena = self._context.memory, self._context.arena
        if alignment is not None and memory.regions.is_numeric:
            page = arena.integer(_PAGE)
            self._context.assume(ALIGNMENTS)
            self._cursor.assume(arena.le(alignment, page), call.span, f"[{show(call)} succeeds]")
            aligned = arena.multiply(page, arena.divide(arena.add(memory.heap, arena.integer(_PAGE - 1)), page))
            self._cursor.step(Assign(((memory.heap, aligned),)), call.span, "")

    def _take(self, lives: Lives, result: Term, size: Term, call: tree.Call, alignment: Term | None) -> None:
        """A new living object; what `alloca` gives cannot be released, and lives on."""
        memory = self._context.memory
        keep_within(self._cursor, memory.after(size), size, call.span)
        owner = self._context.points.value(call)
        if owner is not None and find(owner).exposed:
            multiple = self._context.unit.data_model.heap_alignment
            place(self._cursor, memory.heap, size, multiple, call.span, show(call), asked=alignment)
        updates = [(result, memory.fresh), (memory.heap, memory.after(size))]
        if library_function(callee(call)).allocates is Allocated.STACK:
            if "!" not in self._cursor.function:  # a body of the library returns it
                self._context.assume(STACK)
            updates.append(lives.sized(memory.heap, size))
        else:
            updates.extend(lives.allocated(memory.heap, size))
        updates.extend(lives.qualified(memory.heap, alignment or self._context.unit.data_model.heap_alignment))
        self._cursor.step(Assign(tuple(updates)), call.span, show(call))

    def release(self, call: tree.Call) -> None:
        """Lower `free`: the argument is null or the start of a living object from the heap, which is dead then."""
        cursor, memory = self._cursor, self._context.memory
        if memory.lives is None or len(call.arguments) != 1:
            for argument in call.arguments:
                self._expressions.discard(argument)
            self._context.assume(MEMORY_SAFE)
            return
        pointer = cursor.stable(self._expressions.value(call.arguments[0]), ADDRESS, call.span, show(call)).term
        if CheckKind.FREE not in self._context.policy.kinds:
            self._context.assume(RELEASES)
        cursor.require(CheckKind.FREE, memory.lives.can_release(pointer), call.span, show(call))
        cursor.step(Assign(tuple(memory.lives.released(pointer))), call.span, show(call))

    def _sizes(self, call: tree.Call) -> list[BoundedTerm]:
        """The arguments as numbers of bytes: never negative."""
        cursor, type_ = self._cursor, self._context.unit.data_model.size_type
        sizes: list[BoundedTerm] = []
        for i, one in enumerate(call.arguments):
            value = self._expressions.value(one)
            if any(self._context.order.steps(later) for later in call.arguments[i + 1 :]):
                value = self._expressions.safe(value, one)
            given = self._expressions.integer(one)
            value = cursor.arithmetic.settle(cursor.arithmetic.convert(value, given, type_), type_)
            if cursor.mentions_input(value.term):  # several edges use the size
                value = cursor.save(value, type_, one.span, show(one))
            sizes.append(value)
        return sizes
