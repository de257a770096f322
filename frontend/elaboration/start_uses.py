"""The uses of pointers in the code that a start of a function reaches, by the types that they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer, Signature, Void
from frontend.typed.library_table import library_function
from frontend.typed.traversal import callee, nodes

_CHARACTERS = (IntegerKind.CHAR, IntegerKind.SCHAR, IntegerKind.UCHAR)


class PointerUses:
    """Finds what reached code does with pointers."""

    def __init__(self, unit: tree.TranslationUnit, function: tree.FunctionDeclaration) -> None:
        self._unit, self._function = unit, function

    @cached_property
    def reached(self) -> list[tree.Node]:
        """The nodes of functions that may be called, and of initialisers of objects that these read."""
        declared = {one.object.name: one for one in self._unit.globals}
        every: list[tree.Node] = []
        objects, functions = set[str](), {self._function.name}
        pending: list[tree.Node | None] = [self._function.body]
        while pending:
            part = pending.pop()
            for node in nodes(*(() if part is None else (part,))):
                every.append(node)
                if isinstance(node, tree.Variable) and node.object.name not in objects:
                    objects.add(node.object.name)
                    pending.append(declared.get(node.object.name))
                elif isinstance(node, tree.FunctionAddress) and node.function not in functions:
                    functions.add(node.function)
                    pending.append(self._unit.functions[node.function].body)
        return every

    @cached_property
    def moved(self) -> set[CType]:
        """The types to which pointers lead that are moved."""
        types: set[CType] = set()
        for node in self.reached:
            match node:
                case tree.PointerOffset(offset=tree.IntegerConstant(value=0)):
                    pass
                case (
                    tree.PointerOffset(type=Pointer(target))
                    | tree.Increment(type=Pointer(target))
                    | tree.CompoundAssign(type=Pointer(target))
                ):
                    types.add(target)
                case _:
                    pass
        return types

    @cached_property
    def seen_as_bytes(self) -> set[CType]:
        """The types to which pointers lead that become pointers to bytes, but to release objects or ask about them."""
        calls = (node for node in self.reached if isinstance(node, tree.Call) and _takes_whole(callee(node) or ""))
        passed = {id(argument) for call in calls for argument in call.arguments}
        types: set[CType] = set()
        for node in self.reached:
            match node:
                case tree.Convert(type=Pointer(to), operand=tree.TypedNode(type=Pointer(target))):
                    if is_bytes(to) and id(node) not in passed:
                        types.add(target)
                case _:
                    pass
        return types

    @cached_property
    def passed_out(self) -> set[CType]:
        """The types to which pointers lead that functions without a body get."""
        found: set[CType] = set()
        for node in self.reached:
            function = self._unit.functions.get(callee(node) or "") if isinstance(node, tree.Call) else None
            if isinstance(node, tree.Call) and (function is None or function.body is None):
                found |= {one.type.target for one in node.arguments if isinstance(one.type, Pointer)}
        return found

    @cached_property
    def only_read(self) -> set[int]:
        """The values that are only compared, or accessed where they lead to."""
        lines: set[int] = set()
        for node in self.reached:
            match node:
                case (
                    tree.Dereference(pointer=pointer)
                    | tree.PointerOffset(pointer=pointer, offset=tree.IntegerConstant(value=0))
                ):
                    lines.add(id(pointer))
                case tree.Logical(left=left, right=right) | tree.Binary(left=left, right=right):
                    lines |= {id(left), id(right)}
                case tree.Unary(operand=operand) | tree.If(condition=operand):
                    lines.add(id(operand))
                case _:
                    pass
        return lines

    @cached_property
    def steps_back(self) -> bool:
        """Whether code that is reached may move pointers towards the beginnings of objects."""
        return any(
            isinstance(node, tree.PointerOffset | tree.Increment | tree.CompoundAssign)
            and isinstance(node.type, Pointer)
            and not (isinstance(node, tree.PointerOffset) and _is_forward(node))
            for node in self.reached
        )

    @cached_property
    def made_of_characters(self) -> set[CType]:
        """The types of objects to which code that is reached converts pointers to characters."""
        return set(self._converted(lambda one: is_bytes(one) and not isinstance(one, Void)))

    @cached_property
    def made_of_void(self) -> set[CType]:
        return set(self._converted(lambda one: isinstance(one, Void)))

    def _converted(self, is_from: Callable[[CType], bool]) -> Iterator[CType]:
        """The types to which pointers lead that come, but as results of calls, from pointers to others."""
        for node in self.reached:
            match node:
                case tree.Convert(type=Pointer(to), operand=tree.TypedNode(type=Pointer(target)) as operand):
                    is_object = not is_bytes(to) and not isinstance(to, Signature)
                    if is_object and is_from(target) and not isinstance(operand, tree.Call | tree.IntegerConstant):
                        yield to
                case _:
                    pass

    def values_of(self, name: str) -> set[int]:
        """The reads of variables with a name in the source."""
        every = (one for one in self.reached if isinstance(one, tree.Load))
        return {id(one) for one in every if isinstance(v := one.lvalue, tree.Variable) and v.object.source_name == name}


def is_bytes(type_: CType) -> bool:
    """Whether pointers to it may lead to any byte of an object."""
    return isinstance(type_, Void) or (isinstance(type_, Integer) and type_.kind in _CHARACTERS)


def _takes_whole(name: str) -> bool:
    """Whether a function takes a pointer to an object as a whole."""
    function = library_function(name)
    is_asking = function.question is not None
    return is_asking or (function.releases and (function.lowered or function.body is not None))


def _is_forward(node: tree.PointerOffset) -> bool:
    """Whether a pointer moves on by a number that the text shows not to be negative."""
    offset = node.offset
    while isinstance(offset, tree.Convert):
        offset = offset.operand
    is_counted = isinstance(offset, tree.IntegerConstant) and offset.value >= 0
    return node.operator is tree.BinaryOperator.ADD and (is_counted or isinstance(offset, tree.Load))
