"""Parameters that stand for an array with a name: each call hands them one with the same number of elements.

What such a parameter is indexed with is an index of that array, and leaves it where it would leave the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import cast

from frontend.typed import tree
from frontend.typed.ctype import Array, Pointer
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import callee, nodes, unit_nodes

_NONE, _OTHER = 0, -1
"""In place of a number of elements: of a parameter that got nothing yet, and of one that gets anything else."""


def with_named_arrays(unit: tree.TranslationUnit) -> tree.TranslationUnit:
    """The unit in which `p[i]` is an element of an array of n elements, for parameters `p` that stand for one."""
    lengths = _lengths(unit)
    if not lengths:
        return unit
    functions = {
        name: replace(one, body=cast(tree.Compound, _changed(one.body, lengths)))
        if one.body is not None and any(parameter.name in lengths for parameter in one.parameters)
        else one
        for name, one in unit.functions.items()
    }
    return replace(unit, functions=functions)


def _changed(root: tree.Node, lengths: Mapping[str, int]) -> tree.Node:
    """The tree with elements in place of what such parameters lead to; parts come before what they are parts of."""
    changed: dict[int, tree.Node] = {}
    for node in reversed(list(nodes(root))):
        new = _as_element(with_parts(node, lambda part: changed.get(id(part), part)), lengths)
        if new is not node:
            changed[id(node)] = new
    return changed.get(id(root), root)


def _as_element(node: tree.Node, lengths: Mapping[str, int]) -> tree.Node:
    match node:
        case tree.Dereference(
            pointer=tree.PointerOffset(
                operator=tree.BinaryOperator.ADD,
                pointer=tree.Load(lvalue=tree.Variable(object=parameter)) as pointer,
                offset=index,
            )
        ) if parameter.name in lengths:
            array = tree.Dereference(pointer.span, Array(node.type, lengths[parameter.name]), pointer)
            return tree.Index(node.span, node.type, array, index)
    return node


def _lengths(unit: tree.TranslationUnit) -> Mapping[str, int]:
    """The numbers of elements of the arrays that parameters stand for, which are never assigned to."""
    every = list(unit_nodes(unit))
    lengths = {one.name: _NONE for function in unit.functions.values() for one in function.parameters}
    lengths = {name: length for name, length in lengths.items() if name not in _written(every)}
    given = [(one.name, argument) for call in _calls(unit, every) for one, argument in call if one.name in lengths]
    is_new = True
    while is_new:
        is_new = False
        for name, argument in given:
            length = _length(argument, lengths)
            if length not in (_NONE, lengths[name]) and lengths[name] != _OTHER:
                lengths[name] = length if lengths[name] == _NONE else _OTHER
                is_new = True
    return {name: length for name, length in lengths.items() if length > 0}


def _written(every: Sequence[tree.Node]) -> frozenset[str]:
    """The variables that something else is done to than to read them."""
    read = {id(one.lvalue) for one in every if isinstance(one, tree.Load)}
    return frozenset(one.object.name for one in every if isinstance(one, tree.Variable) and id(one) not in read)


def _calls(
    unit: tree.TranslationUnit, every: Sequence[tree.Node]
) -> Iterator[Sequence[tuple[tree.Object, tree.Expression | None]]]:
    """The parameters of each call of a function that the unit defines, with their arguments; None where these are not
    known: those of a function whose address is taken, and of `main`.
    """
    named = {id(one.function) for one in every if isinstance(one, tree.Call) and callee(one) is not None}
    taken = {one.function for one in every if isinstance(one, tree.FunctionAddress) and id(one) not in named}
    for name, function in unit.functions.items():
        if name in taken or name == "main":
            yield [(one, None) for one in function.parameters]
    for call in (one for one in every if isinstance(one, tree.Call)):
        called = unit.functions.get(callee(call) or "")
        if called is not None:
            parameters = called.parameters
            arguments = call.arguments if len(call.arguments) >= len(parameters) else ()
            yield list(zip_longest(parameters, arguments[: len(parameters)]))


def _length(argument: tree.Expression | None, lengths: Mapping[str, int]) -> int:
    match argument:
        case tree.Decay(lvalue=tree.Variable(type=Array(element, int(length)))) if length > 0:
            return length if argument.type == Pointer(element) else _OTHER
        case tree.Load(lvalue=tree.Variable(object=parameter)):
            return lengths.get(parameter.name, _OTHER)
        case _:
            return _OTHER
