"""Calls of functions as of another type than their own (C11 6.5.2.2)."""

from __future__ import annotations

from dataclasses import replace
from itertools import starmap

from frontend.typed import tree
from frontend.typed.compatible import compatible
from frontend.typed.ctype import CType, DataModel, Float, FloatKind, Integer, Pointer, Record, Signature, Void


def is_called_as_declared(call: tree.Call, function: tree.FunctionDeclaration, model: DataModel) -> bool:
    """Whether C defines the call of a function, by the types of both (C11 6.5.2.2p6 and p9)."""
    own, given = _written(function), call.function.type
    assert isinstance(given, Pointer)
    expected = given.target
    if "!" in function.name or " " in function.name:  # made for the call: no text has such a name
        return True
    if not isinstance(expected, Signature) or not compatible(own, expected):
        return False
    if expected.prototype and own.prototype:
        return True
    passed = expected.parameters if expected.prototype else tuple(one.type for one in call.arguments)
    if own.variadic or expected.variadic:
        return False
    if own.prototype:
        return _all_pass(passed, own.parameters)
    if function.body is None:
        return True
    return _all_pass(passed, tuple(promoted(one.type, model) for one in function.parameters))


def _written(function: tree.FunctionDeclaration) -> Signature:
    """The type of a function as the text has it: without the parameter that hands variable arguments over."""
    type_, last = function.type, function.parameters[-1:]
    is_hidden = any(one.source_name == "..." for one in last)
    return replace(type_, parameters=type_.parameters[:-1]) if is_hidden else type_


def _all_pass(given: tuple[CType, ...], taken: tuple[CType, ...]) -> bool:
    return len(given) == len(taken) and all(map(_passes, given, taken))


def _passes(given: CType, taken: CType) -> bool:
    """Whether an argument without prototype may be one of the type: also of the other sign, or a `void *`."""
    if isinstance(given, Integer) and isinstance(taken, Integer):
        return given.bits == taken.bits
    if isinstance(given, Pointer) and isinstance(taken, Pointer) and (_is_bytes(given) or _is_bytes(taken)):
        return _is_bytes(given) and _is_bytes(taken)
    return compatible(given, taken)


def _is_bytes(type_: Pointer) -> bool:
    target = type_.target
    return isinstance(target, Void) or (isinstance(target, Integer) and target.bits == 8)


def promoted(type_: CType, model: DataModel) -> CType:
    """The type in which an argument is passed where nothing says the parameter's (C11 6.5.2.2)."""
    if isinstance(type_, Float):
        return Float(FloatKind.DOUBLE) if type_.kind is FloatKind.FLOAT else type_
    return model.promote(type_) if isinstance(type_, Integer) else type_


def has_arguments(call: tree.Call, function: tree.FunctionDeclaration) -> bool:
    """Whether a call gives each parameter a value that it can take, by a conversion if need be."""
    pairs = _passed(call, function)
    return len(pairs) >= len(_taken(function)) and not any(_is_float(one) != _is_float(other) for one, other in pairs)


def is_passed_alike(call: tree.Call, function: tree.FunctionDeclaration) -> bool:
    """Whether a call that C does not define still gives each parameter a value of its sort, and gets one."""
    result, pairs = function.type.result, _passed(call, function)
    if function.body is not None and not isinstance(result, Void) and not isinstance(call.type, Void):
        pairs.append((result, call.type))
    return has_arguments(call, function) and all(starmap(_are_alike, pairs))


def _taken(function: tree.FunctionDeclaration) -> tuple[CType, ...]:
    return function.type.parameters if function.body is None else tuple(one.type for one in function.parameters)


def _passed(call: tree.Call, function: tree.FunctionDeclaration) -> list[tuple[CType, CType]]:
    """The types of parameters with those of their arguments."""
    return list(zip(_taken(function), (one.type for one in call.arguments), strict=False))


def _are_alike(type_: CType, other: CType) -> bool:
    """Whether values of the types are passed alike: numbers, pointers, or the same struct."""
    if isinstance(type_, Record) or isinstance(other, Record):
        return type_ == other
    return isinstance(type_, Pointer) == isinstance(other, Pointer) and _is_float(type_) == _is_float(other)


def _is_float(type_: CType) -> bool:
    return isinstance(type_, Float)


def is_as_wide(call: tree.Call, function: tree.FunctionDeclaration, model: DataModel) -> bool:
    """Whether each parameter is as wide as its argument."""
    return all(_width(one, model) == _width(other, model) for one, other in _passed(call, function))


def _width(type_: CType, model: DataModel) -> int:
    """The bytes of an argument that is passed without a prototype; 0 for structs."""
    is_number = isinstance(type_, Integer | Float | Pointer)
    return model.size_of(promoted(type_, model)) if is_number else 0
