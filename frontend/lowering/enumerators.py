"""The enumerations that variables and members take their values from.

What has an enumeration type has its enumerators; an `int` has those that the code assigns to it, or compares it with.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.program.characters import character
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind
from frontend.typed.lvalues import COMPARISONS
from frontend.typed.traversal import callee, nodes

UseKey = tuple[str, str]
"""A holder of values: ("object", its name), ("result", the function), or (tag of the record, member)."""

CHARACTERS = tuple((value, text) for value in range(128) if (text := character(value)) is not None)
"""The printable characters with their texts."""


def is_character(type_: CType) -> bool:
    """Whether a type is `char`; numbers have those with a sign in their names."""
    return isinstance(type_, Integer) and type_.kind is IntegerKind.CHAR and not type_.enum


class EnumeratorUses:
    """The uses of enumerators in functions."""

    def __init__(self, unit: tree.TranslationUnit, functions: Iterable[str]) -> None:
        self._sets = unit.enumerations
        self._numbers = {name: number for number, one in enumerate(self._sets) for name, _ in one.values}
        self._tags = {one.tag: number for number, one in enumerate(self._sets) if one.tag}
        self._parameters = {name: function.parameters for name, function in unit.functions.items()}
        self._found: dict[UseKey, int] = {}
        for name in functions if self._sets else ():
            body = unit.functions[name].body
            for node in nodes(body) if body is not None else ():
                self._visit(node, name)

    def of(self, use: UseKey, type_: CType) -> tuple[tuple[int, str], ...]:
        """The values with their names: the first enumerator of each, or characters of a `char`."""
        number = self._tags.get(type_.enum) if isinstance(type_, Integer) and type_.enum else None
        number = self._found.get(use) if number is None else number
        if number is None:
            return CHARACTERS if is_character(type_) else ()
        names: dict[int, str] = {}
        for name, value in self._sets[number].values:
            names.setdefault(value, name)
        return tuple(names.items())

    def _visit(self, node: tree.Node, function: str) -> None:
        match node:
            case tree.Assign(target=target, value=value):
                self._note(_use_of(target), value)
            case tree.Declaration(object=object_, initialiser=initialiser) if initialiser is not None:
                for entry in initialiser.entries:
                    self._note(("object", object_.name), entry.value)
            case tree.Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
                self._note(_use(left), right)
                self._note(_use(right), left)
            case tree.Switch(value=value, body=body):
                for one in nodes(body):
                    if isinstance(one, tree.Case) and one.enumerator:
                        self._put(_use(value), one.enumerator)
            case tree.Return(value=value) if value is not None:
                self._note(("result", function), value)
            case tree.Call(arguments=arguments):
                parameters = self._parameters.get(callee(node) or "", ())
                for parameter, argument in zip(parameters, arguments, strict=False):
                    self._note(("object", parameter.name), argument)
            case _:
                pass

    def _note(self, use: UseKey | None, value: tree.Expression) -> None:
        waiting = [value]
        while waiting:
            match waiting.pop():
                case tree.IntegerConstant(text=name) if name:
                    self._put(use, name)
                case tree.Convert(operand=operand):
                    waiting.append(operand)
                case tree.Conditional(then=then, otherwise=otherwise):
                    waiting += [otherwise, then]
                case _:
                    pass

    def _put(self, use: UseKey | None, enumerator: str) -> None:
        if use is not None and enumerator in self._numbers:
            self._found.setdefault(use, self._numbers[enumerator])


def _use(e: tree.Expression) -> UseKey | None:
    while isinstance(e, tree.Convert):
        e = e.operand
    match e:
        case tree.Load(lvalue=lvalue):
            return _use_of(lvalue)
        case tree.Call():
            return "result", callee(e) or ""
        case _:
            return None


def _use_of(lvalue: tree.Lvalue) -> UseKey | None:
    while isinstance(lvalue, tree.Index):
        lvalue = lvalue.array
    match lvalue:
        case tree.Variable(object=object_):
            return "object", object_.name
        case tree.Member(base=base, field=field):
            return str(base.type), field.name
        case _:
            return None
