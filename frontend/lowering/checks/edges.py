"""Checks of undefined behaviour: an edge to an error location wherever an operation may have no defined result.

The path goes on only where the operation is defined, so a later check is not about what an earlier one found. With
overflow checked, signed arithmetic is mathematical and nothing wraps around. Conversions to signed types are defined
by the implementation, and so no overflow (C11 6.3.1.3). Each edge has the place that the interpreter of typed C gives
to the same behaviour, so that a counterexample is confirmed by kind and place.

Bounds are those of gcc's `-fsanitize=bounds-strict`: of each array with a declared length, also within a struct. The
address `&a[n]` is the end of an array of n elements, and no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from core.program.own_steps import is_start_file
from core.program.properties import CheckKind
from core.terms import Term
from frontend.elaboration.registers import PAGE
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm
from frontend.lowering.checks.restricted_accesses import accessed
from frontend.lowering.context import (
    ASSIGNED,
    BOOLEANS,
    DISTANCES,
    DIVISORS,
    FITTING,
    MEMORY_SAFE,
    NEVER_RETURN,
    ONE_OBJECT,
    UNREACHED,
    VARIABLE_ARGUMENTS,
    WITHIN_BOUNDS,
    Cursor,
)
from frontend.lowering.edge_text import show
from frontend.lowering.effects import DIVISIONS, OVERFLOWING, WRAPPING
from frontend.lowering.memory import scalars
from frontend.lowering.memory.regions import AnyPlace, MemoryPlace
from frontend.lowering.pointsto.classes import find
from frontend.lowering.storage import Slot
from frontend.options import Volatile
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.changes import loses
from frontend.typed.const_parts import constant_parts, is_constant
from frontend.typed.copies import needs_no_value
from frontend.typed.ctype import Array, CType, Integer, VariableLength
from frontend.typed.library_table import bodies_without_values
from frontend.typed.lvalues import root
from frontend.typed.tree import BinaryOperator

NULL_END = 1 << 12
"""Addresses below are null pointers, or members of what a null pointer points to."""


class Use(Enum):
    """The use of an lvalue."""

    READ = "read"
    WRITE = "write"
    ADDRESS = "address"


class Checks:
    """Adds the edges to error locations at a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._context = cursor.context
        self._kinds = cursor.context.policy.kinds
        self.is_library = "!" in cursor.function  # a body made for a call, which the interpreter does not see
        # Assumes nothing: what may leave its type is excluded first.
        self._exact = cursor.context.make_arithmetic(cursor.context.arena, lambda _: None, cursor.context.memory.type)

    # Divisors and distances: the path ends where there is no result, whether that is checked or not

    def defined(
        self, operator: BinaryOperator, right: BoundedTerm, operand: tree.Expression, type_: Integer, e: tree.Expression
    ) -> BoundedTerm:
        """The right operand of `e`, after the path has ended where it is a zero divisor or too far a distance."""
        assert isinstance(operand.type, Integer)
        arena, text = self._context.arena, show(operand)
        is_shift = operator in (BinaryOperator.SHIFT_LEFT, BinaryOperator.SHIFT_RIGHT)
        if (right.low >= 0 and right.high < type_.bits) if is_shift else (right.low > 0 or right.high < 0):
            return right
        right = self._cursor.stable(right, operand.type, operand.span, text)
        if not is_shift:
            self._go_on(CheckKind.DIVISION, self._exact.holds(right), operand, f"[{text} != 0]", e)
            return right
        t = self._exact.number(right)
        within = arena.and_(arena.le(arena.zero, t), arena.lt(t, arena.integer(type_.bits)))
        self._go_on(CheckKind.SHIFT, within, operand, f"[0 <= {text} < {type_.bits}]", e)
        return BoundedTerm(t, max(right.low, 0), min(right.high, type_.bits - 1))

    def _go_on(self, kind: CheckKind, condition: Term, operand: tree.Expression, text: str, e: tree.Expression) -> None:
        if kind in self._kinds:
            self._cursor.require(kind, condition, e.span, show(e))
        else:
            self._context.assume(DIVISORS if kind is CheckKind.DIVISION else DISTANCES)
            self._cursor.assume(condition, operand.span, text)

    # Overflow

    def covers(self, operator: BinaryOperator, type_: Integer) -> bool:
        if not type_.signed:
            return self._is_asked(CheckKind.UNSIGNED) and operator in WRAPPING
        return _overflow_of(operator) in self._kinds and operator in OVERFLOWING

    def _is_asked(self, kind: CheckKind) -> bool:
        """Whether a kind of behaviour that C defines is an error here: bodies of the library may have it."""
        return kind in self._kinds and not self.is_library

    def binary(
        self, operator: BinaryOperator, left: BoundedTerm, right: BoundedTerm, type_: Integer, e: tree.Expression
    ) -> BoundedTerm:
        """The operation on values that `type_` holds, after the path has ended where the result leaves the type.

        The divisor is not 0, and the distance of a shift is settled and within range. May raise Undecided.
        """
        text, arena = show(e), self._context.arena
        left = self._cursor.stable(self._exact.settle(left, type_), type_, e.span, text)
        if operator is BinaryOperator.SHIFT_LEFT:
            return self._shifted(left, right, type_, e)
        right = self._cursor.stable(self._exact.settle(right, type_), type_, e.span, text)
        result = self._exact.binary(operator, left, right, type_)
        if operator is BinaryOperator.REMAINDER:
            if left.low == type_.minimum and right.low <= -1 <= right.high:
                least = arena.equals(self._exact.number(left), arena.integer(type_.minimum))
                minus_one = arena.equals(self._exact.number(right), arena.integer(-1))
                self._cursor.require(CheckKind.QUOTIENT, arena.not_(arena.and_(least, minus_one)), e.span, text)
            return result
        return self._within(result, type_, e.span, text, _overflow_of(operator))

    def negated(self, value: BoundedTerm, type_: Integer, e: tree.Expression) -> BoundedTerm:
        """`-value`, of a settled value."""
        value = self._cursor.stable(value, type_, e.span, show(e))
        return self._within(self._exact.negate(value, type_), type_, e.span, show(e))

    def _shifted(self, left: BoundedTerm, right: BoundedTerm, type_: Integer, e: tree.Expression) -> BoundedTerm:
        """C11 6.5.7: the left operand is not negative, and its product with the power of 2 is in the type."""
        arena, exact = self._context.arena, self._exact
        limit = exact.binary(BinaryOperator.SHIFT_RIGHT, exact.constant(type_.maximum), right, type_)
        number = exact.number(left)
        fits = arena.and_(arena.le(arena.zero, number), arena.le(number, exact.number(limit)))
        self._cursor.require(CheckKind.OVERFLOW, fits, e.span, show(e))
        result = exact.settle(exact.binary(BinaryOperator.SHIFT_LEFT, left, right, type_), type_)
        return BoundedTerm(result.term, max(result.low, 0), result.high)

    def _within(
        self, result: BoundedTerm, type_: Integer, span: Span, text: str, kind: CheckKind = CheckKind.OVERFLOW
    ) -> BoundedTerm:
        arena, number = self._context.arena, self._exact.number(result)
        low, high = arena.integer(type_.minimum), arena.integer(type_.maximum)
        above = arena.true if result.low >= type_.minimum else arena.le(low, number)
        below = arena.true if result.high <= type_.maximum else arena.le(number, high)
        self._cursor.require(kind if type_.signed else CheckKind.UNSIGNED, arena.and_(above, below), span, text)
        if result.low > type_.maximum or result.high < type_.minimum:
            return self._exact.constant(0)  # the path has ended
        return BoundedTerm(result.term, max(result.low, type_.minimum), min(result.high, type_.maximum))

    # Values that types do not hold, or do not name

    def converted(self, value: BoundedTerm, source: Integer, target: CType, span: Span, text: str) -> BoundedTerm:
        """The value, unsettled in `source`, after the path has ended where a conversion to `target` changes it."""
        if not self._is_asked(CheckKind.CONVERSION) or not isinstance(target, Integer) or not loses(source, target):
            return value
        value = self._cursor.stable(self._exact.settle(value, source), source, span, text)
        arena, number = self._context.arena, self._exact.number(value)
        low, high = arena.integer(target.minimum), arena.integer(target.maximum)
        above = arena.true if target.minimum <= value.low else arena.le(low, number)
        below = arena.true if value.high <= target.maximum else arena.le(number, high)
        self._cursor.require(CheckKind.CONVERSION, arena.and_(above, below), span, text)
        return value

    def named(self, value: BoundedTerm, source: Integer, type_: CType, span: Span, text: str) -> BoundedTerm:
        """The value, after the path has ended where it is no enumerator of an enumeration."""
        values = type_.enumerators if isinstance(type_, Integer) else ()
        if not self._is_asked(CheckKind.ENUM) or not values:
            return value
        value = self._cursor.stable(self._exact.settle(value, source), source, span, text)
        arena, number = self._context.arena, self._exact.number(value)
        runs = (
            arena.and_(arena.le(arena.integer(low), number), arena.le(number, arena.integer(high)))
            for low, high in _runs(values)
        )
        self._cursor.require(CheckKind.ENUM, arena.or_(*runs), span, text)
        return value

    def not_null(self, value: BoundedTerm, span: Span, text: str) -> BoundedTerm:
        """A pointer that must not be null, after the path has ended where it is."""
        if not self._is_asked(CheckKind.NONNULL):
            return value
        value = self._cursor.stable(value, ADDRESS, span, text)
        arena = self._context.arena
        self._cursor.require(CheckKind.NONNULL, arena.not_(arena.equals(value.term, arena.zero)), span, text)
        return value

    # Indices

    def index(self, lvalue: tree.Index, index: BoundedTerm, use: Use) -> BoundedTerm:
        """The index, after the path has ended where it leaves the declared array."""
        type_ = self._array(lvalue)
        length = self._length(type_)
        if CheckKind.BOUNDS not in self._kinds or length is None:
            # An array without length ends where the object does.
            is_whole = length is None and isinstance(root(lvalue), tree.Dereference)
            if not (is_whole and CheckKind.DANGLING in self._kinds):
                self._context.assume(WITHIN_BOUNDS)
            return index
        assert isinstance(lvalue.index.type, Integer)
        arena, text = self._context.arena, show(lvalue)
        index = self._cursor.stable(index, lvalue.index.type, lvalue.span, text)
        number = self._exact.number(index)
        end = arena.add(length, arena.one) if use is Use.ADDRESS else length
        first = arena.true if index.low >= 0 else arena.le(arena.zero, number)
        last = arena.true if end.is_constant and index.high < end.value else arena.lt(number, end)
        self._cursor.require(CheckKind.BOUNDS, arena.and_(first, last), lvalue.span, text)
        return index

    def _array(self, lvalue: tree.Index) -> Array:
        assert isinstance(lvalue.array.type, Array)
        return lvalue.array.type

    def _length(self, type_: Array) -> Term | None:
        """The declared number of elements; None for an array that is a window on more memory."""
        if isinstance(type_.length, VariableLength):
            return self._context.variables.named(type_.length.variable)
        return self._context.arena.integer(type_.length) if type_.length else None

    # Accesses through pointers

    def access(self, lvalue: tree.Lvalue, place: AnyPlace, use: Use, span: Span) -> AnyPlace:
        """The place, after the path has ended where the bytes of the lvalue cannot be accessed."""
        place = self._accessed(lvalue, place, use, span)
        if use is Use.WRITE and CheckKind.CONST in self._kinds:
            place = self._not_constant(lvalue, place, span)
        if self._cursor.watch is not None and isinstance(place, MemoryPlace):
            place = self.stable(place, span, show(lvalue))
            assert isinstance(place, MemoryPlace)
            size, is_write = self._extent(lvalue), use is Use.WRITE
            accessed(self._cursor, lvalue, place.address.term, size, is_write, span, show(lvalue))
        return place

    def _accessed(self, lvalue: tree.Lvalue, place: AnyPlace, use: Use, span: Span) -> AnyPlace:
        """The place, after the path has ended where the bytes are not those of a living object."""
        if not isinstance(place, MemoryPlace) or not isinstance(root(lvalue), tree.Dereference | tree.StringLiteral):
            return place
        if CheckKind.DANGLING not in self._kinds:
            self._context.assume(MEMORY_SAFE)
        if CheckKind.DANGLING not in self._kinds and CheckKind.NULL not in self._kinds:
            return place
        if self._cursor.mentions_input(place.address.term):
            saved = self._cursor.saved_place(place, span, show(lvalue))
            assert isinstance(saved, MemoryPlace)
            place = saved
        self._not_null(place.address.term, span, show(lvalue))
        lives = self._context.memory.lives
        if CheckKind.DANGLING in self._kinds and lives is not None:
            valid = lives.writable if use is Use.WRITE else lives.readable
            address, size = place.address.term, self._extent(lvalue)
            condition = valid(address, self._context.arena.integer(size))
            condition = self._context.arena.or_(condition, *self._in_registers(address, size))
            self._cursor.require(CheckKind.DANGLING, condition, span, show(lvalue))
        return place

    def _in_registers(self, address: Term, size: int) -> Iterator[Term]:
        """The conditions that so many bytes from an address on are those of registers, one for each page with some."""
        arena, regions = self._context.arena, self._context.memory.regions
        for page in sorted(regions.registers if self._context.unit.volatile is Volatile.ARBITRARY else ()):
            first, last = arena.integer(page), arena.integer(page + PAGE - size)
            yield arena.and_(arena.le(first, address), arena.le(address, last))

    def _not_constant(self, lvalue: tree.Lvalue, place: AnyPlace, span: Span) -> AnyPlace:
        """The place, after the path has ended where it is in a constant object."""
        arena, base, lives = self._context.arena, root(lvalue), self._context.memory.lives
        if isinstance(base, tree.Variable):
            unit = self._context.unit
            constant = base.object.name in unit.constant or is_constant(lvalue, unit.data_model)
            self._cursor.require(CheckKind.CONST, arena.false if constant else arena.true, span, show(lvalue))
        elif isinstance(place, MemoryPlace) and lives is not None and self._may_be_constant(lvalue):
            place = self.stable(place, span, show(lvalue))
            assert isinstance(place, MemoryPlace)
            meets = lives.is_constant(place.address.term, arena.integer(self._extent(lvalue)))
            self._cursor.require(CheckKind.CONST, arena.not_(meets), span, show(lvalue))
        return place

    def _may_be_constant(self, lvalue: tree.Lvalue) -> bool:
        """Whether an object that an lvalue may be a part of is constant, or has constant parts."""
        points, unit = self._context.points, self._context.unit
        owner = find(points.place(lvalue))
        if owner.opaque or owner.numbers or owner.unknown:
            return True
        if any(x in unit.constant or constant_parts(one.type, unit.data_model) for x, one in owner.objects.items()):
            return True
        return any(find(points.place(one)) is owner for one in self._context.memory.regions.literals())

    def aligned(self, address: BoundedTerm, alignment: int, e: tree.Expression) -> BoundedTerm:
        """The pointer, after the path has ended where it is not aligned for what it points to."""
        lives = self._context.memory.lives
        if CheckKind.ALIGNMENT not in self._kinds or lives is None or self.is_library or alignment == 1:
            return address
        address = self._cursor.stable(address, ADDRESS, e.span, show(e))
        condition = self._number_is_aligned(address, alignment, e)
        if condition is None:
            condition = lives.is_aligned(address.term, alignment)
        self._cursor.require(CheckKind.ALIGNMENT, condition, e.span, show(e))
        return address

    def _number_is_aligned(self, address: BoundedTerm, alignment: int, e: tree.Expression) -> Term | None:
        """The condition that the number of the pointer is a multiple; None where its object may lie anywhere."""
        context, arena = self._context, self._context.arena
        owner, numbers, lives = context.points.value(e), context.memory.numbers, context.memory.lives
        if numbers is None or lives is None or owner is None or not find(owner).exposed:
            return None
        number = numbers.number(self._cursor.arithmetic, address)
        rest = arena.modulo(number.term, arena.integer(alignment))
        is_null = arena.equals(lives.block(address.term), arena.zero)
        return arena.or_(is_null, arena.equals(rest, arena.zero))

    def _not_null(self, address: Term, span: Span, text: str) -> None:
        if CheckKind.NULL in self._kinds:
            self._cursor.require(CheckKind.NULL, self._is_far_from_null(address), span, text)

    def _is_far_from_null(self, address: Term) -> Term:
        """The address is neither below 4096, nor as near to the end of the address space where numbers reach there."""
        arena, numbers = self._context.arena, self._context.memory.numbers
        above = arena.le(arena.integer(NULL_END), address)
        if numbers is None:
            return above
        last = arena.integer(numbers.type.maximum)
        before = arena.le(address, arena.subtract(last, arena.integer(NULL_END)))
        return arena.and_(above, arena.or_(before, arena.lt(last, address)))

    def from_outside(self, pointer: BoundedTerm, span: Span, text: str) -> BoundedTerm:
        """A pointer that the program did not make is null or leads to an object, none of which begins near null."""
        if self._context.tells_null:
            pointer = self._cursor.stable(pointer, ADDRESS, span, text)
            arena = self._context.arena
            leads = self._is_far_from_null(pointer.term)
            null = arena.equals(pointer.term, arena.zero)
            self._cursor.assume(arena.or_(null, leads), span, f"[{text} is null or leads to an object]")
        return pointer

    def read_outside(self, slot: Slot, span: Span, text: str) -> None:
        """Likewise, of what the slot held at first, where that was not the program's; also what is known of the
        arguments of the program, and of its environment. The index of the slot mentions no input.
        """
        memory, arena = self._context.memory, self._context.arena
        first = memory.firsts.get(slot.variable)
        if first is None:
            return
        value = scalars.read(self._exact, slot, first)
        facts: list[Term] = []
        if slot.type == ADDRESS:
            value = self.from_outside(value, span, f"first {text}")
        for array in memory.string_arrays if slot.index is not None else ():
            assert slot.index is not None
            is_character = (slot.bytes or slot.type.bits // 8) == 1
            if slot.variable is array.pointers and slot.type == ADDRESS:
                facts.append(array.holds(arena, slot.index, value.term, NULL_END))
            elif slot.variable in array.regions and is_character and memory.lives is not None:
                facts.append(memory.lives.ends(slot.index, self._exact.number(value)))
        if facts:
            self._cursor.assume(arena.and_(*dict.fromkeys(facts)), span, f"[{text} is as main gets it]")

    def moved(self, address: BoundedTerm, result: BoundedTerm, span: Span, text: str) -> BoundedTerm:
        """The moved address, after the path has ended where it leaves the object that it was in."""
        lives = self._context.memory.lives
        is_own = self.is_library or is_start_file(span.file)
        if CheckKind.POINTER in self._kinds and lives is not None and not is_own:
            assert not self._cursor.mentions_input(address.term), "made stable before"
            result = self._cursor.stable(result, ADDRESS, span, text)
            both = map(self._context.arena.and_, *(self._in_registers(one.term, 0) for one in (address, result)))
            condition = self._context.arena.or_(lives.reaches(address.term, result.term), *both)
            self._cursor.require(CheckKind.POINTER, condition, span, text)
        return result

    def one_object(self, left: BoundedTerm, right: BoundedTerm, e: tree.Expression) -> None:
        """Pointers that are put in order or subtracted."""
        lives, text = self._context.memory.lives, show(e)
        if lives is None or CheckKind.POINTER not in self._kinds:
            self._context.assume(ONE_OBJECT if lives else MEMORY_SAFE)
            return
        if self.is_library:
            return
        first, second = (self._cursor.stable(one, ADDRESS, e.span, text).term for one in (left, right))
        self._cursor.require(CheckKind.POINTER, lives.in_one_object(first, second), e.span, text)

    def leads(self, parameter: tree.Object, size: int) -> None:
        """The parameter leads to so many bytes of a living object (C11 6.7.6.3)."""
        address, lives = self._context.variables.named(parameter.name), self._context.memory.lives
        self._not_null(address, parameter.span, parameter.source_name)
        if lives is None or CheckKind.DANGLING not in self._kinds:
            self._context.assume(MEMORY_SAFE)
            return
        readable = lives.readable(address, self._context.arena.integer(size))
        self._cursor.require(CheckKind.DANGLING, readable, parameter.span, parameter.source_name)

    def extent(self, call: tree.Call, address: BoundedTerm, size: BoundedTerm, use: Use) -> None:
        """Bytes that a function outside reads or writes; the path ends where they cannot be accessed."""
        arena, lives, what = self._context.arena, self._context.memory.lives, show(call.arguments[0])
        pointer = self._cursor.stable(address, ADDRESS, call.span, what).term
        bytes_ = self._cursor.stable(size, self._context.unit.data_model.size_type, call.span, what)
        count = self._exact.number(bytes_)
        is_empty = arena.equals(count, arena.zero)
        if CheckKind.NULL in self._kinds:
            leads = self._is_far_from_null(pointer)
            self._cursor.require(CheckKind.NULL, arena.or_(is_empty, leads), call.span, what)
        if lives is None or CheckKind.DANGLING not in self._kinds:
            self._context.assume(MEMORY_SAFE)
        else:
            valid = (lives.writable if use is Use.WRITE else lives.readable)(pointer, count)
            self._cursor.require(CheckKind.DANGLING, arena.or_(is_empty, valid), call.span, what)
        if lives is not None and CheckKind.CONST in self._kinds and use is Use.WRITE:
            may_be_written = arena.not_(lives.is_constant(pointer, count))
            self._cursor.require(CheckKind.CONST, arena.or_(is_empty, may_be_written), call.span, what)

    def _extent(self, lvalue: tree.Lvalue) -> int:
        """The bytes that an access touches."""
        if isinstance(lvalue, tree.Member) and lvalue.field.width is not None:
            return (lvalue.field.bit_offset + lvalue.field.width + 7) // 8
        size = self._context.memory.size(lvalue.type)
        if size is None:
            raise Unsupported(lvalue.span, "an access to an object of variable size is not decided")
        return size

    def called(self, call: tree.Call, pointer: Term, functions: Sequence[Term]) -> None:
        """A call through a pointer, which must be one of the functions."""
        arena, text = self._context.arena, show(call)
        self._not_null(pointer, call.span, text)
        if CheckKind.DANGLING not in self._kinds:
            self._context.assume(MEMORY_SAFE)
            return
        condition = arena.or_(*(arena.equals(pointer, one) for one in functions))
        self._cursor.require(CheckKind.DANGLING, condition, call.span, text)

    def unfit(self, e: tree.Convert) -> None:
        """A constant floating-point number that the integer type does not hold."""
        self._cursor.require(CheckKind.FLOAT_CONVERSION, self._context.arena.false, e.span, show(e), FITTING)

    def unreachable(self, call: tree.Call) -> None:
        """A call that is promised never to be reached."""
        self._cursor.require(CheckKind.UNREACHABLE, self._context.arena.false, call.span, show(call), UNREACHED)

    def returns(self, span: Span, text: str = "", is_promised: bool = False) -> None:
        """The function returns, or one that was called, of which it is promised that it never does."""
        if is_promised or self._cursor.function in self._context.unit.no_return:
            self._cursor.require(CheckKind.NORETURN, self._context.arena.false, span, text, NEVER_RETURN)

    def ends(self, span: Span, text: str) -> None:
        """The program ends: all memory from the heap must have been released, where that is checked."""
        lives = self._context.memory.lives
        if CheckKind.CLEANUP in self._kinds and lives is not None:
            condition = self._context.arena.equals(lives.count, self._context.arena.zero)
            self._cursor.require(CheckKind.CLEANUP, condition, span, text)

    def apart(self, call: tree.Call, blocks: Sequence[Term]) -> None:
        """Two pieces of memory that a body of the library reads and writes do not overlap; each has its size."""
        if CheckKind.OVERLAP in self._kinds:
            arena, (first, size, second, other) = self._context.arena, blocks
            disjoint = arena.or_(arena.le(arena.add(first, size), second), arena.le(arena.add(second, other), first))
            empty = arena.or_(arena.equals(size, arena.zero), arena.equals(other, arena.zero))
            what = self._cursor.function.partition("!")[0]
            self._cursor.require(CheckKind.OVERLAP, arena.or_(empty, disjoint), call.span, what)

    def exact(self, target: AnyPlace, source: AnyPlace, e: tree.Assign) -> None:
        """Two objects of one type that are copied are one, or share no byte (C11 6.5.16.1)."""
        size = self._context.memory.size(e.type)
        if self.is_library:
            return
        if isinstance(target, MemoryPlace) and isinstance(source, MemoryPlace) and size is not None:
            arena, first, second = self._context.arena, target.address.term, source.address.term
            extent = arena.integer(size)
            before = arena.le(arena.add(first, extent), second)
            behind = arena.le(arena.add(second, extent), first)
            apart = arena.or_(arena.equals(first, second), before, behind)
            self._cursor.require(CheckKind.OVERLAP, apart, e.span, show(e), ASSIGNED)

    def argument(self, call: tree.Call, fits: Term) -> None:
        """The next variable argument is there, and has the type that is asked for."""
        if CheckKind.ARGUMENTS in self._kinds:
            self._cursor.require(CheckKind.ARGUMENTS, fits, call.span, "va_arg")
        elif fits is not self._context.arena.true:
            self._context.assume(VARIABLE_ARGUMENTS)
            self._cursor.assume(fits, call.span, "[va_arg finds an argument of its type]")

    # Values

    def covers_read(self, lvalue: tree.Lvalue) -> bool:
        """Whether a read of the lvalue may find no value, and is checked."""
        assigned = self._context.assigned
        return assigned is not None and not self._compares_bytes and assigned.unset.includes(lvalue)

    def covers_value(self, lvalue: tree.Lvalue) -> bool:
        """Whether a read of the lvalue may find no value of its type, and is checked."""
        booleans = CheckKind.BOOLEAN in self._kinds and self._context.memory.regions.may_hold_no_boolean(lvalue)
        return booleans or self.covers_read(lvalue)

    @property
    def _compares_bytes(self) -> bool:
        """Whether this is the body of a function on blocks of memory: unsigned characters need no value there."""
        return self.is_library and self._cursor.function.partition("!")[0] in bodies_without_values()

    def has_value(self, slot: Slot, lvalue: tree.Lvalue, span: Span) -> None:
        """Something was written to the scalar that is read, where that matters, and it is a value of its type."""
        assigned, escaped = self._context.assigned, self._context.points.escaped
        if assigned is not None and self.covers_read(lvalue) and not needs_no_value(lvalue, escaped):
            self._cursor.require(CheckKind.UNINITIALIZED, assigned.has_value(slot), span, show(lvalue))
        if slot.is_boolean:
            arena = self._context.arena
            self.is_truth(arena.select(slot.variable, scalars.place(arena, slot, 0)), span, show(lvalue))

    def is_truth(self, byte: Term, span: Span, text: str) -> None:
        """The byte of a `_Bool` that is read is 0 or 1, where it may have been written as another type."""
        if CheckKind.BOOLEAN not in self._kinds:
            self._context.assume(BOOLEANS)
            return
        arena = self._context.arena
        self._cursor.require(CheckKind.BOOLEAN, arena.le(byte, arena.one), span, text)

    def mark(self, slot: Slot) -> Term | None:
        """The mark of a scalar; None where it has a value always."""
        assigned = self._context.assigned
        return None if assigned is None or assigned.of(slot) is None else assigned.mark(slot)

    def copied(self, e: tree.Assign) -> tree.Load | None:
        """The scalar that an assignment copies as it is, with or without a value."""
        if self._context.assigned is None:
            return None
        found = self._context.assigned.unset.copied(e, self._cursor.function)
        return found if found is not None and self.covers_read(found.lvalue) else None

    def stable(self, place: AnyPlace, span: Span, text: str) -> AnyPlace:
        """The place for more than one edge: without inputs, where checks may add edges."""
        terms = [place.address] if isinstance(place, MemoryPlace) else place.indices
        if self._kinds and any(self._cursor.mentions_input(one.term) for one in terms):
            return self._cursor.saved_place(place, span, text)
        return place


def _overflow_of(operator: BinaryOperator) -> CheckKind:
    """The kind of an overflow of a signed operation."""
    return CheckKind.QUOTIENT if operator in DIVISIONS else CheckKind.OVERFLOW


def _runs(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The ends of the pieces of sorted numbers that follow one another."""
    first = last = values[0]
    for value in values[1:]:
        if value > last + 1:
            yield first, last
            first = value
        last = value
    yield first, last
