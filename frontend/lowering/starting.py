"""The start of a program: `main` gets any number of strings, and null behind them (C11 5.1.2.2.1), and so it gets the
environment.
"""

from __future__ import annotations

from core.program import Assign, InputKind, Range
from core.terms import Term
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm, number_type
from frontend.lowering.checks.edges import NULL_END
from frontend.lowering.checks.object_states import STRING_SIZES
from frontend.lowering.context import ONE_ARGUMENT, Cursor
from frontend.lowering.memory.strings import ARGUMENT_COUNT, ENVIRONMENT_COUNT, MAX, StringArray
from frontend.lowering.pointsto.classes import Class
from frontend.lowering.storage import Slot
from frontend.options import Argc
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, Pointer
from frontend.typed.leaves import TypeLeaf, leaves
from frontend.typed.traversal import nodes
from frontend.typed.tree import FunctionDeclaration

_ARRAYS = {1: ARGUMENT_COUNT, 2: ENVIRONMENT_COUNT}
"""The parameters of main that lead to arrays of strings, and the variables with their lengths."""
_CHARACTER = 8
"""The bits of the characters of a string."""


class Starting:
    """The values that `main` is called with. To be made before memory begins, where arrays of strings get addresses."""

    def __init__(self, cursor: Cursor, main: FunctionDeclaration) -> None:
        self._cursor, self._context, self._main = cursor, cursor.context, main
        found = ((position, self._array(position)) for position in _ARRAYS)
        self._arrays = {position: array for position, array in found if array is not None}
        self._context.memory.string_arrays = tuple(self._arrays.values())

    def _array(self, position: int) -> StringArray | None:
        """The array of strings that a parameter leads to; None where nothing reads its pointers."""
        context, memory, parameters = self._context, self._context.memory, self._main.parameters
        if len(parameters) <= position or not isinstance(parameters[0].type, Integer):
            return None
        type_ = parameters[position].type
        character = _character(type_)
        if not isinstance(type_, Pointer) or character is None:
            return None
        owner = context.points.target(context.points.content(parameters[position]), None)
        pointers = self._slot(owner, type_.target)
        if pointers is None or pointers.type != ADDRESS or pointers.bytes:
            return None
        name, size = _ARRAYS[position], context.unit.data_model.pointer_size
        count = context.variables.hidden(name, None, self._count_type)
        if memory.regions.uses_numbers:
            begin = context.variables.hidden(f"{name}!begin", None, ADDRESS)
            return StringArray(begin, count, pointers.variable, size, None)
        begin = context.arena.integer(memory.new_array())
        characters = self._slot(context.points.target(owner, None), character)
        strings = memory.new_strings(None if characters is None or memory.lives is None else characters.variable)
        if memory.lives is not None:
            memory.lives.strings[strings.first // strings.stride] = count
            memory.lives.string_sizes = context.variables.hidden(STRING_SIZES, None, *self._sizes)
        return StringArray(begin, count, pointers.variable, size, strings)

    @property
    def _count_type(self) -> Integer:
        type_ = number_type(self._main.parameters[0].type)
        assert type_ is not None
        return type_

    @property
    def _sizes(self) -> tuple[Integer, tuple[None], Range]:
        """The type of the array with the sizes of strings, and the bounds of its elements."""
        model = self._context.unit.data_model
        return model.size_type, (None,), Range(1, model.difference_type.maximum)

    def _slot(self, owner: Class, type_: CType) -> Slot | None:
        """The region in which objects of a class have scalars of a type, as the place of one."""
        arena = self._context.arena
        place = self._context.memory.at(owner, BoundedTerm(arena.zero, ADDRESS.minimum, ADDRESS.maximum), type_)
        ((_, slot),) = self._context.memory.slots(place, self._main.span)
        return slot

    def arguments(self) -> tuple[Term, ...]:
        """The arguments of the call, after what is known of them."""
        terms: list[Term] = []
        for position, parameter in enumerate(self._main.parameters):
            array = self._arrays.get(position)
            for leaf in leaves(parameter.type):
                type_ = number_type(leaf.type)
                if type_ is not None and array is not None and array.strings is not None:
                    terms.append(array.begin)
                elif type_ is not None:
                    terms.append(self._any(position, parameter, leaf, type_))
        for position, array in self._arrays.items():
            self._begin(position, array, terms)
        lives, variables = self._context.memory.lives, self._context.variables
        if lives is not None and lives.string_sizes is not None:
            (type_, _, bounds), span, held = self._sizes, self._main.span, lives.string_sizes
            sizes = variables.input(InputKind.INDETERMINATE, STRING_SIZES, span, type_, like=held, bounds=bounds)
            self._cursor.step(Assign(((held, sizes),)), span, "")
        return tuple(terms)

    def _any(self, position: int, parameter: tree.Object, leaf: TypeLeaf, type_: Integer) -> Term:
        """The input for a parameter: no pointer is null, and `argc` says how many arguments there are."""
        cursor, arena, name = self._cursor, self._context.arena, parameter.name + leaf.suffix
        value = cursor.input(InputKind.INDETERMINATE, name, parameter.span, type_)
        is_pointer = isinstance(parameter.type, Pointer)
        if position != 0 and not is_pointer:
            return value.term
        value = cursor.save(value, type_, parameter.span, name)
        is_one = self._context.unit.argc is Argc.AT_LEAST_ONE
        least = NULL_END if is_pointer else int(is_one)
        if is_one and not is_pointer and self._is_used(parameter):
            self._context.assume(ONE_ARGUMENT)
        text = f"[{name} is {'not null' if is_pointer else f'at least {least}'}]"
        cursor.assume(arena.le(arena.integer(least), value.term), parameter.span, text)
        return value.term

    def _is_used(self, parameter: tree.Object) -> bool:
        """Whether the text mentions the number of arguments, or its arguments are read."""
        assert self._main.body is not None
        named = (one for one in nodes(self._main.body) if isinstance(one, tree.Variable))
        return 1 in self._arrays or any(one.object.name == parameter.name for one in named)

    def _begin(self, position: int, array: StringArray, arguments: list[Term]) -> None:
        """The array begins to live, with as many pointers as there are."""
        context, arena, parameter = self._context, self._context.arena, self._main.parameters[position]
        count = arguments[0]
        if position != 1:
            kind, bounds = InputKind.INDETERMINATE, Range(0, MAX - 1)
            count = context.variables.input(kind, _ARRAYS[position], parameter.span, self._count_type, bounds=bounds)
        updates = [(array.count, count)]
        if array.strings is None:
            updates.append((array.begin, arguments[position]))
        self._cursor.step(Assign(tuple(updates)), parameter.span, "")
        lives = context.memory.lives
        if lives is not None:
            block, pointers = lives.block(array.begin), arena.add(array.count, arena.one)
            size = arena.multiply(arena.integer(array.size), pointers)
            self._cursor.step(
                Assign((lives.sized(block, size), *lives.qualified(block, array.size))), parameter.span, ""
            )


def _character(type_: CType) -> CType | None:
    """The type of the characters of strings to which the pointers lead that a pointer leads to."""
    for _ in range(2):
        if not isinstance(type_, Pointer):
            return None
        type_ = type_.target
    return type_ if isinstance(type_, Integer) and type_.bits == _CHARACTER else None
