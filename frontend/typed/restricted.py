"""Accesses through pointers that are `restrict`, in functions whose text shows which they are (C11 6.7.3.1).

A function is followed where such pointers are parameters that are only accessed through, moved and compared, where it
calls nothing that could access memory, and where it accesses no named object that a pointer may lead to. What an
expression is based on is then what it is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.program.source import source_function
from frontend.typed import tree
from frontend.typed.ctype import Pointer
from frontend.typed.lvalues import root
from frontend.typed.traversal import callee, nodes
from frontend.typed.tree import Storage

_LOCAL = (Storage.AUTOMATIC, Storage.PARAMETER)


def followed(
    unit: tree.TranslationUnit, function: tree.FunctionDeclaration, is_harmless: Callable[[str, bool], bool]
) -> frozenset[str]:
    """The parameters of a function that are `restrict`, where it is followed; none elsewhere.

    A call of what `is_harmless` accesses no memory: a function by its name, and whether it has a body. Claims are no
    code of the program, so what they read is no access, and functions with some are not followed.
    """
    declared = unit.restricted.get(source_function(function.name), ())
    names = frozenset(one.name for one in function.parameters if one.source_name in declared)
    if function.body is None or "" in unit.restricted or "" in declared or not names:
        return frozenset()
    every, shown = list(nodes(function.body)), set[int]()
    taken = {base.object.name for one in every if isinstance(base := _addressed(one), tree.Variable)}
    for node in every:
        match node:
            case tree.Claim():
                return frozenset()
            case tree.Call() if any(map(_is_pointer, node.arguments)) or not _calls(unit, node, is_harmless):
                return frozenset()
            case tree.Variable(object=one) if one.storage not in _LOCAL or one.name in taken:
                return frozenset()
            case tree.Member(field=field) if field.width is not None:
                return frozenset()
            case _:
                shown.update(id(one) for e in _used(node) for one in _chain(e))
    mentions = (one for one in every if isinstance(one, tree.Variable) and one.object.name in names)
    return names if all(id(one) in shown for one in mentions) else frozenset()


def _calls(unit: tree.TranslationUnit, call: tree.Call, is_harmless: Callable[[str, bool], bool]) -> bool:
    name = callee(call) or ""
    function = unit.functions.get(name)
    return is_harmless(name, function is not None and function.body is not None)


def _addressed(node: tree.Node) -> tree.Lvalue | None:
    """The object to which, or into which, a node makes a pointer."""
    return root(node.lvalue) if isinstance(node, tree.AddressOf | tree.Decay) else None


def _used(node: tree.Node) -> tuple[tree.Expression, ...]:
    """The pointers that a node accesses memory through, compares or moves, and keeps nowhere."""
    match node:
        case tree.Dereference(pointer=e) | tree.Unary(operand=e) | tree.ExpressionStatement(expression=e):
            return (e,)
        case tree.Binary(left=left, right=right) | tree.PointerDifference(left=left, right=right):
            return (left, right)
        case tree.Logical(left=left, right=right):
            return (left, right)
        case tree.If(condition=e) | tree.While(condition=e) | tree.DoWhile(condition=e):
            return (e,)
        case tree.For(condition=condition, step=step):
            return tuple(e for e in (condition, step) if e is not None)
        case _:
            return ()


def based_on(lvalue: tree.Lvalue, names: frozenset[str]) -> str:
    """The one of the parameters that an access is based on; empty where it is none."""
    base = root(lvalue)
    found = _chain(base.pointer) if isinstance(base, tree.Dereference) else iter(())
    return next((one.object.name for one in found if one.object.name in names), "")


def _chain(e: tree.Expression | None) -> Iterator[tree.Variable]:
    """The variable that a pointer, or one that is moved, is made of, if there is one."""
    while e is not None:
        match e:
            case tree.Load(lvalue=tree.Variable() as variable):
                yield variable
                return
            case tree.Increment(target=tree.Variable() as variable):
                yield variable
                return
            case tree.CompoundAssign(target=tree.Variable() as variable):
                yield variable
                return
            case tree.PointerOffset(pointer=pointer):
                e = pointer
            case tree.Convert(operand=operand):
                e = operand if _is_pointer(operand) else None
            case tree.AddressOf(lvalue=lvalue) | tree.Decay(lvalue=lvalue):
                base = root(lvalue)
                e = base.pointer if isinstance(base, tree.Dereference) else None
            case _:
                return


def _is_pointer(e: tree.Expression) -> bool:
    return isinstance(e.type, Pointer)
