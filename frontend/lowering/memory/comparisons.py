"""Comparisons of pointers whose result depends on where objects lie, which C leaves open.

A pointer to the place behind an object is equal to one to the next object where that begins there (C11 6.5.9), and
string literals may be one object, also where one is the end of the other (6.4.5), and so may compound literals of
constant type (6.5.2.5). So such a comparison has any value, and a violation that rests on it is confirmed, or not, by
an execution, in which objects lie somewhere.

Pointers into one object, and those to the beginnings or parts of objects, are compared exactly.

Limitations: what is in a place at which an object ends is any object, not only the beginning of one; several answers
need not go together; pointers to dead objects, and those from outside of the program, are those to no other object;
what constant compound literals hold is not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from core.terms import Term
from frontend.lowering.memory.addresses import OBJECTS, MemoryModel
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.classes import Class, find
from frontend.typed import tree
from frontend.typed.casts import as_pointers, constant, is_null
from frontend.typed.ctype import Array, CType, Pointer
from frontend.typed.leaves import field_type
from frontend.typed.library_table import library_function
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import may_share
from frontend.typed.traversal import callee, nodes
from frontend.typed.tree import BinaryOperator

_MAX_PAIRS = 10_000
"""Pairs of literals that are compared one by one."""
_MAX_CASES = 64
"""Ways in which literals may overlap, that a condition has one by one."""

_Overlap = tuple[tree.StringLiteral, tree.StringLiteral, int]
"""Two literals, of which the second may begin so many bytes behind the beginning of the first."""


class OpenComparisons:
    """The comparisons of pointers in the code that `main` reaches whose result may depend on where objects lie."""

    def __init__(self, unit: tree.TranslationUnit, points: PointsTo, memory: MemoryModel) -> None:
        self._points, self._memory = points, memory
        self._left: set[Class] = set()
        """The classes with pointers that may have been moved to the end of an object."""
        self._allocated: set[Class] = set()
        self._literals: dict[Class, dict[int, tree.StringLiteral]] = {}
        self._uses: Counter[int] = Counter()
        self._constants: dict[Class, dict[str, tree.Object]] = {}
        """The compound literals of constant type."""
        self._open: dict[int, bool] = {}
        self._overlaps: dict[tuple[Class, Class], tuple[_Overlap, ...] | None] = {}
        bodies = [body for name in points.reachable if (body := unit.functions[name].body) is not None]
        roots = [*(one for one in unit.globals if points.mentions(one.object)), *bodies]
        inside = {id(pointer) for node in nodes(*roots) if (pointer := _accessed(node)) is not None}
        for node in nodes(*roots):
            self._note(node, inside)
        self.asks_about_objects = any(
            self.depends(node) and self._moving(*self._classes(node)) for node in nodes(*bodies)
        )
        """Whether some comparison needs to know the objects of its pointers, which have no constant addresses."""

    def _note(self, node: tree.Node, inside: set[int]) -> None:
        """Note literals, allocations, and where pointers are moved to ends; those `inside` are only used for access."""
        points = self._points
        moved: Class | None = None
        match node:
            case tree.StringLiteral():
                self._uses[id(node)] += 1
                self._literals.setdefault(find(points.place(node)), {})[id(node)] = node
            case tree.CompoundLiteral(object=object_) | tree.Variable(object=object_) if may_share(object_):
                self._constants.setdefault(find(points.place(node)), {})[object_.name] = object_
            case tree.PointerOffset() if id(node) not in inside and not self._stays(node):
                moved = points.value(node)
            case tree.CompoundAssign() | tree.Increment() if isinstance(node.type, Pointer):
                moved = points.value(node)
            case tree.AddressOf() | tree.Decay() if not self._is_within(node.lvalue):
                moved = points.value(node)
            case tree.Call():
                if library_function(callee(node)).makes_object:
                    self._allocated.add(find(points.value(node) or Class()))
                if points.may_be_undefined(node):
                    self._left.update(map(find, points.escaping(node)))
            case _:
                pass
        if moved is not None:
            self._left.add(find(moved))

    def _stays(self, e: tree.PointerOffset) -> bool:
        """Whether the pointer is moved within its object or back, as far as its form shows."""
        number = constant(e.offset)
        if number is None:
            return False
        number = number if e.operator is BinaryOperator.ADD else -number
        if isinstance(e.pointer, tree.Decay) and isinstance(e.pointer.lvalue.type, Array):
            length = e.pointer.lvalue.type.length
            return isinstance(length, int) and number < length and self._is_within(e.pointer.lvalue)
        return number <= 0

    def _is_within(self, lvalue: tree.Lvalue) -> bool:
        """Whether the lvalue has bytes of its object, if it is one at all."""
        declared = field_type(lvalue.field) if isinstance(lvalue, tree.Member) else lvalue.type
        if not self._has_bytes(declared):
            return False
        while isinstance(lvalue, tree.Index | tree.Member):
            if isinstance(lvalue, tree.Index):
                length = lvalue.array.type.length if isinstance(lvalue.array.type, Array) else None
                number = constant(lvalue.index)
                if not isinstance(length, int) or number is None or not 0 <= number < length:
                    return False
            lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
        return not isinstance(lvalue, tree.Dereference) or not isinstance(lvalue.pointer, tree.PointerOffset)

    def _has_bytes(self, type_: CType) -> bool:
        if isinstance(type_, Array) and type_.length is None:
            return False
        return self._memory.size(type_) != 0

    # Comparisons

    def depends(self, node: tree.Node) -> bool:
        """Whether the node is a comparison whose result may depend on where objects lie, judged by its form."""
        known = self._open.get(id(node))
        if known is None:
            known = self._open[id(node)] = self._depends(node)
        return known

    def _depends(self, node: tree.Node) -> bool:
        if not isinstance(node, tree.Binary) or node.operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
            return False
        if self._memory.regions.is_numeric:
            return False  # it is assumed where objects lie
        classes = self._classes(node)
        if len(classes) < 2:
            return False
        left, right = classes
        return (
            self._meet_at_end(node, left, right) or self._are_constant(left, right) or self._shared(left, right) != ()
        )

    def _classes(self, node: tree.Node) -> tuple[Class, ...]:
        """The classes that two pointers point to which are compared; nothing for other expressions."""
        pointers = as_pointers(node) if isinstance(node, tree.Binary) else None
        if pointers is None or any(map(is_null, pointers)):
            return ()
        found = [self._points.value(one) for one in pointers]
        return tuple(find(one) for one in found if one is not None)

    def _meet_at_end(self, node: tree.Binary, left: Class, right: Class) -> bool:
        """Whether one of the pointers may be at the end of an object, and the other one in another object."""
        pointers = as_pointers(node)
        assert pointers is not None
        if left is right and len(left.objects) == 1 and not (left.anonymous or left.opaque or self._moving(left)):
            return False
        return any(self._may_end(*one) for one in zip(pointers, (left, right), strict=True))

    def _may_end(self, pointer: tree.Expression, owner: Class) -> bool:
        while isinstance(pointer, tree.Convert) and isinstance(pointer.operand.type, Pointer):
            pointer = pointer.operand
        if not owner.defined or isinstance(pointer, tree.FunctionAddress):
            return False
        if not all(self._has_bytes(one.type) for one in owner.objects.values()):
            return True
        if isinstance(pointer, tree.AddressOf | tree.Decay) and self._is_within(pointer.lvalue):
            return isinstance(root(pointer.lvalue), tree.Dereference) and owner in self._left
        return owner in self._left

    def _moving(self, *owners: Class) -> bool:
        """Whether the classes have objects without constant addresses."""
        return any(
            one in self._allocated or any(self._memory.moves(object_) for object_ in one.objects.values())
            for one in owners
        )

    def _are_constant(self, left: Class, right: Class) -> bool:
        """Whether both have literals, and one of them compound literals, which may share memory with others."""
        owners = (left, right)
        has_constants = any(one in self._constants for one in owners)
        return has_constants and all(one in self._constants or one in self._literals for one in owners)

    def _shared(self, left: Class, right: Class) -> tuple[_Overlap, ...] | None:
        """The ways in which literals of two classes may overlap; None where these are too many."""
        if (left, right) not in self._overlaps:
            ones, others = (self._literals.get(owner, {}).values() for owner in (left, right))
            found: tuple[_Overlap, ...] | None = None
            if len(ones) * len(others) <= _MAX_PAIRS:
                found = tuple(overlap for one in ones for other in others for overlap in self._ways(one, other))
            self._overlaps[left, right] = found if found is not None and len(found) <= _MAX_CASES else None
        return self._overlaps[left, right]

    def _ways(self, literal: tree.StringLiteral, other: tree.StringLiteral) -> Iterator[_Overlap]:
        """Yield the ways in which two literals can share bytes; a literal that is written once is one object."""
        if literal is other and self._uses[id(literal)] < 2:
            return
        first, second = self._bytes(literal), self._bytes(other)
        if 0 not in first[:-1] and 0 not in second[:-1]:  # then they end together
            shifts: Sequence[int] = (len(first) - len(second),)
        else:
            shifts = range(1 - len(second), len(first))
        for shift in shifts:
            a, b = first[max(shift, 0) :], second[max(-shift, 0) :]
            if a.startswith(b) or b.startswith(a):
                yield literal, other, shift

    def _bytes(self, literal: tree.StringLiteral) -> bytes:
        size = self._memory.regions.size(tree.element_type(literal.type))
        mask = (1 << 8 * size) - 1
        data = b"".join((value & mask).to_bytes(size, "little") for value in literal.values)
        return data.ljust(self._memory.regions.size(literal.type), b"\0")

    # Conditions

    def condition(self, node: tree.Binary, left: Term, right: Term) -> Term:
        """The condition that both results are possible for these addresses, of a comparison that `depends`."""
        owners, pointers = self._classes(node), as_pointers(node)
        assert pointers is not None
        arena, owner, other = self._memory.arena, *owners
        conditions: list[Term] = []
        if self._meet_at_end(node, owner, other):
            if self._may_end(pointers[0], owner):
                conditions += self._ends(owner, left, right)
            if self._may_end(pointers[1], other):
                conditions += self._ends(other, right, left)
        if self._are_constant(owner, other):
            conditions += self._in_two_literals((owner, left), (other, right))
        overlaps = self._shared(owner, other)
        if overlaps is None:
            conditions.append(arena.and_(self._in_literals(left), self._in_literals(right)))
        else:
            conditions += (self._overlapping(overlap, left, right) for overlap in overlaps)
        return arena.or_(*conditions)

    def _ends(self, owner: Class, end: Term, other: Term) -> Iterator[Term]:
        """The conditions that `end` is the end of an object of the class, and `other` in another object."""
        arena, lives = self._memory.arena, self._memory.lives
        if lives is not None:
            yield lives.ends_apart(end, other)
            return
        objects = [(self._memory.address(one).low, self._memory.size(one.type)) for one in owner.objects.values()]
        literals = self._literals.get(owner, {}).values()
        objects += [(self._memory.literal(one).address.low, self._memory.size(one.type)) for one in literals]
        for first, size in objects:
            if size is not None:
                elsewhere = arena.or_(
                    arena.and_(arena.le(arena.integer(OBJECTS), other), arena.lt(other, arena.integer(first))),
                    arena.lt(arena.integer(first + size), other),
                )
                yield arena.and_(arena.equals(end, arena.integer(first + size)), elsewhere)

    def _overlapping(self, overlap: _Overlap, left: Term, right: Term) -> Term:
        """The condition that two pointers into literals are equal where these overlap so."""
        arena, (one, other, shift) = self._memory.arena, overlap
        first, second = (self._memory.literal(literal).address.low for literal in (one, other))
        distance = arena.equals(arena.subtract(left, right), arena.integer(first + shift - second))
        return arena.and_(distance, self._within(left, one, first), self._within(right, other, second))

    def _in_two_literals(self, one: tuple[Class, Term], other: tuple[Class, Term]) -> Iterator[Term]:
        """The conditions that two pointers lead into two literals, or behind them, one of which is compound."""
        (owner, left), (other_owner, right) = one, other
        arena = self._memory.arena
        if self._moving(owner, other_owner):
            yield arena.not_(arena.equals(left, right))
            return
        for key, first, size in self._extents(owner):
            for other_key, second, other_size in self._extents(other_owner):
                if key != other_key and not (isinstance(key, int) and isinstance(other_key, int)):
                    yield arena.and_(
                        *(arena.le(arena.integer(first), left), arena.le(left, arena.integer(first + size))),
                        *(arena.le(arena.integer(second), right), arena.le(right, arena.integer(second + other_size))),
                    )

    def _extents(self, owner: Class) -> Iterator[tuple[str | int, int, int]]:
        """The literals of a class, by name or identity, with address and size."""
        memory = self._memory
        for number, literal in self._literals.get(owner, {}).items():
            yield number, memory.literal(literal).address.low, memory.regions.size(literal.type)
        for name, object_ in self._constants.get(owner, {}).items():
            yield name, memory.address(object_).low, memory.regions.size(object_.type)

    def _within(self, address: Term, literal: tree.StringLiteral, first: int) -> Term:
        arena, size = self._memory.arena, self._memory.regions.size(literal.type)
        return arena.and_(arena.le(arena.integer(first), address), arena.le(address, arena.integer(first + size)))

    def _in_literals(self, address: Term) -> Term:
        """The address may be one of some literal."""
        arena, first = self._memory.arena, OBJECTS if self._memory.lives is None else 1
        return arena.and_(arena.le(arena.integer(first), address), arena.lt(address, self._memory.behind([])))


def _accessed(node: tree.Node) -> tree.Expression | None:
    """The pointer through which the node reads or writes at once."""
    match node:
        case tree.Load(lvalue=lvalue) | tree.Assign(target=lvalue) | tree.CompoundAssign(target=lvalue):
            base = root(lvalue)
        case tree.Increment(target=lvalue):
            base = root(lvalue)
        case _:
            return None
    return base.pointer if isinstance(base, tree.Dereference) else None
