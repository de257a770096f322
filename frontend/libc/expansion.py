"""Expansion of library calls in a typed tree to ordinary code, before the tree is lowered.

A call that copies or zeroes a constant number of elements is an assignment, where nobody uses its value; any other one
is a call of a body of its own. A function to which pointers lead has one body for all of them, where its types are
fixed: `realloc` and the copies of memory through pointers have none. What the program defines itself stays as it is,
and so does a call that does not fit what its name promises, or blocks of memory whose elements are not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import cast

from core.program.properties import NO_KINDS, CheckKind, Kinds
from frontend.libc.blocks import MemoryBlock, blocks_of, bytes_of, constant
from frontend.libc.bodies import OWN_BODY, Bodies, OwnText, hidden_object
from frontend.libc.checked import checked_text
from frontend.libc.elements import as_bytes, converted, filling_of, scalars, viewed, zero
from frontend.libc.formats import format_of, is_decided, printed_format
from frontend.libc.names import is_library_function
from frontend.libc.texts import ANY_ERRNO, ERRNO, FORMATS, OBJECTS
from frontend.options import Malloc
from frontend.source import point
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, Pointer, Signature, Void
from frontend.typed.library_table import BUILTIN, Body, Form, Format, LibraryFunction, library_function
from frontend.typed.lvalues import root
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import callee, nodes, unit_nodes
from frontend.typed.tree import FunctionDeclaration, TranslationUnit
from frontend.typed.truths import truth_calls

_OF_MEMORY = (CheckKind.NULL, CheckKind.DANGLING, CheckKind.CONST, CheckKind.UNINITIALIZED)
"""The kinds of checks that are about what functions outside access."""
_ASSIGNED = 64
"""Scalars that one assignment copies within memory."""
_COPIES = (Form.COPY, Form.MOVE)
_ABORTED = (
    f"void {OWN_BODY}(void) {{"
    " signal_handler handler = signal_handlers[6];"
    " if (handler != (signal_handler) 0 && handler != (signal_handler) 1) handler(6);"
    " abort(); }"
)
"""The body of `abort` where signals have handlers: that of SIGABRT runs first."""
_NO_TYPES: Mapping[str, CType] = {}


def _is_nothing(_: str) -> bool:
    return False


def with_library(
    unit: TranslationUnit, is_known: Callable[[str], bool] = _is_nothing, kinds: Kinds = NO_KINDS
) -> TranslationUnit:
    """The unit with bodies for library functions that it calls and does not define, but those that are known.

    Any other function of the library leaves an arbitrary errno, in a unit that has it. It recurses as deep as the tree.
    Where the `kinds` of checks ask for it, calls of functions that stay outside check what these access. What one of
    them asks about does not become an assignment: blocks that may overlap, or be null. Functions that scan have inputs
    for what they write.
    """
    undefined = [name for name, one in unit.functions.items() if one.body is None]
    checks = any(one in kinds for one in _OF_MEMORY)
    sets_errno = ERRNO in _globals(unit) and any(map(is_library_function, undefined))
    has_body = any((is_library(one) or checks or _scans(one)) and not is_known(one) for one in undefined)
    if not sets_errno and not has_body:
        return unit
    work = _Expansion(unit, is_known, kinds)
    found = {name: work.function(one) for name, one in unit.functions.items()}
    globals_ = tuple(work.object(one) for one in unit.globals)
    return replace(unit, functions={**found, **work.added}, globals=(*globals_, *work.objects))


def is_library(name: str) -> bool:
    """Whether there are bodies for a function of this name."""
    return library_function(name).form not in (None, Form.HANDLED)


def _scans(name: str) -> bool:
    """Whether what the function reads is an input for each conversion of its format."""
    accesses = library_function(name).accesses
    return accesses is not None and accesses.scans


def signals_itself(call: tree.Call, unit: TranslationUnit) -> bool:
    """Whether a call of `kill` sends a signal to the process that calls it."""
    process = call.arguments[0] if len(call.arguments) == 2 else None
    while isinstance(process, tree.Convert):
        process = process.operand
    name = callee(process) if isinstance(process, tree.Call) else None
    return name is not None and library_function(name).process and unit.functions[name].body is None


def _globals(unit: TranslationUnit) -> dict[str, tree.Object]:
    return {one.object.name: one.object for one in unit.globals}


class _Expansion:
    """Rewrites the functions of one unit; `added` are the bodies made so far, `objects` what they refer to."""

    def __init__(self, unit: TranslationUnit, is_known: Callable[[str], bool], kinds: Kinds) -> None:
        self._unit, self._model = unit, unit.data_model
        self._is_known_name, self._kinds = is_known, kinds
        self._checks = any(one in kinds for one in _OF_MEMORY)
        self._errno = _globals(unit).get(ERRNO)
        self._hidden = {name: hidden_object(name, self._model, point(unit.file, 1, 1)) for name in OBJECTS}
        self._bodies = Bodies(unit.data_model, {**self._hidden, ERRNO: self._errno or self._hidden[ERRNO]})
        self._count = 0
        self._pointed: dict[str, str] = {}  # functions of which pointers are kept, with their bodies
        every = list(unit_nodes(unit))
        self._truths = truth_calls(every)
        self._callees = {id(node.function) for node in every if isinstance(node, tree.Call)}
        named = {node.function for node in every if isinstance(node, tree.FunctionAddress)}
        self._sets_environment = any(library_function(one).sets_environment for one in named)
        self._has_handlers = any(library_function(one).handler is not None and not self._is_known(one) for one in named)
        self._taken = self._taken_objects()
        self.added: dict[str, FunctionDeclaration] = {}

    @property
    def objects(self) -> Iterator[tree.Declaration]:
        bodies = [one.body for one in self.added.values() if one.body is not None]
        used = {node.object.name for node in nodes(*bodies) if isinstance(node, tree.Variable)}
        for one in self._hidden.values():
            if one.name in used:
                yield tree.Declaration(one.span, one, None)

    def function(self, function: FunctionDeclaration) -> FunctionDeclaration:
        if function.body is None:
            return function
        if not any(self._is_replaced(node) for node in nodes(function.body)):
            return function
        body = self._rebuilt(function.body)
        assert isinstance(body, tree.Compound)
        return replace(function, body=body)

    def object(self, declaration: tree.Declaration) -> tree.Declaration:
        """An object at file scope, whose initialiser may point to functions of the library."""
        if not any(self._is_replaced(node) for node in nodes(declaration)):
            return declaration
        rebuilt = self._rebuilt(declaration)
        assert isinstance(rebuilt, tree.Declaration)
        return rebuilt

    def _is_replaced(self, node: tree.Node) -> bool:
        is_call = self._library(node) is not None or self._sets_errno(node) or self._is_checked(node)
        return is_call or self._is_pointer(node)

    def _is_pointer(self, node: tree.Node) -> bool:
        """Whether the node is the address of a library function that has one body for all calls."""
        if not isinstance(node, tree.FunctionAddress) or id(node) in self._callees:
            return False
        function = library_function(node.function)
        if function.name != node.function or self._is_known(node.function):
            return False
        is_aborting = function.form is Form.HANDLED and self._has_handlers
        return is_aborting or (function.is_plain and function.format is None)

    def _library(self, node: tree.Node) -> LibraryFunction | None:
        """The library function that the node calls, if it has a body."""
        name = callee(node) if isinstance(node, tree.Call) else None
        if name is None or self._is_known(name):
            return None
        function = library_function(name)
        match function.form:
            case Form.HANDLED:
                return function if self._has_handlers else None
            case Form.ITSELF:
                return function if isinstance(node, tree.Call) and signals_itself(node, self._unit) else None
            case None:
                return None
            case _:
                return function

    def _is_checked(self, node: tree.Node) -> bool:
        """Whether the node calls a function that stays outside, with a body that checks or sets what that accesses."""
        name = callee(node) if isinstance(node, tree.Call) else None
        if name is None or library_function(name).accesses is None or self._is_known(name):
            return False
        return self._checks or _scans(name)

    def _is_known(self, name: str) -> bool:
        return self._unit.functions[name].body is not None or self._is_known_name(name)

    def _sets_errno(self, node: tree.Node) -> bool:
        """Whether the node calls a function of the library that may set errno to anything, known or not."""
        name = callee(node) if isinstance(node, tree.Call) and self._errno is not None else None
        if name is None or self._unit.functions[name].body is not None or "assert" in name:
            return False
        if is_library(name) and not (self._fails(name) and self._is_known_name(name)):
            return False
        return is_library_function(name) and not name.startswith(BUILTIN)

    def _fails(self, name: str) -> bool:
        """Whether calls of the function may fail to allocate."""
        return self._unit.malloc is Malloc.MAY_FAIL and library_function(name).fails is not None

    def _taken_objects(self) -> frozenset[str]:
        """The objects whose address is taken by more than assignments of whole objects."""
        bodies = [one.body for one in self._unit.functions.values() if one.body is not None]
        every = list(nodes(*self._unit.globals, *bodies))
        ignored: set[int] = set()
        for node in every:
            call = _discarded(node)
            if call is not None and self._whole_objects(self._blocks(call)) is not None:
                ignored.update(id(block.pointer) for block in self._blocks(call))
        found: set[str] = set()
        for node in every:
            if isinstance(node, tree.AddressOf | tree.Decay) and id(node) not in ignored:
                base = root(node.lvalue)
                if isinstance(base, tree.Variable | tree.CompoundLiteral):
                    found.add(base.object.name)
        return frozenset(found)

    # Trees

    def _rebuilt(self, node: tree.Node) -> tree.Node:
        """The node with its library calls replaced; the same one where there are none."""
        if isinstance(node, tree.FunctionAddress):
            return replace(node, function=self._body_of(node)) if self._is_pointer(node) else node
        call = _discarded(node)
        if isinstance(node, tree.ExpressionStatement) and call is not None:
            assignment = self._assignment(call)
            if assignment is not None:
                return replace(node, expression=self._expression(assignment))
        rebuilt = with_parts(node, self._rebuilt)
        if not isinstance(rebuilt, tree.Call):
            return rebuilt
        if (made := self._called(rebuilt, is_truth=id(node) in self._truths)) is not None:
            name = callee(rebuilt) or ""
            is_any = library_function(name).any_errno or self._fails(name)
            return self._with_errno(made) if self._errno is not None and is_any else made
        found = self._checked(rebuilt)
        if self._sets_errno(rebuilt) or (self._errno is not None and self._form(rebuilt) is Form.READ):
            return self._with_errno(found)
        return found

    def _expression(self, e: tree.Expression) -> tree.Expression:
        return cast(tree.Expression, self._rebuilt(e))

    def _body_of(self, address: tree.FunctionAddress) -> str:
        """The body for a function whose address is taken: one, so that its addresses are equal.

        The function itself, where it is declared otherwise than the library has it.
        """
        function = address.function
        if function not in self._pointed:
            name = f"{function}!{self._count + 1}"
            body = library_function(function).body
            assert body is not None
            text = OwnText(body.file, _ABORTED, ()) if body.form is Form.HANDLED else body.file
            made = self._bodies.make(function, self._count + 1, address.span, {}, text)
            if not _is_declared_as(self._unit.functions[function].type, made[name].type):
                name = function
            else:
                self._count += 1
                self.added.update({one: made[one] for one in made if one == name or one not in self._unit.functions})
            self._pointed[function] = name
        return self._pointed[function]

    # Assignments

    def _blocks(self, call: tree.Call) -> tuple[MemoryBlock, ...]:
        """The blocks that a call copies between, or the one that it fills with zeros; none for other calls."""
        form = self._form(call)
        if form in _COPIES and len(call.arguments) == 3:
            return blocks_of(call.arguments[:2], call.arguments[2], self._model)
        if form is Form.FILL and len(call.arguments) == 3 and constant(call.arguments[1]) == 0:
            return blocks_of(call.arguments[:1], call.arguments[2], self._model)
        return ()

    def _form(self, call: tree.Call) -> Form | None:
        """The way in which the call becomes one of a body, if it can."""
        function = self._library(call)
        return None if function is None else function.form

    def _whole_objects(self, blocks: tuple[MemoryBlock, ...]) -> list[tree.Lvalue] | None:
        """The objects that the blocks are, where all are whole and of one type."""
        found = [whole for one in blocks if (whole := one.whole()) is not None]
        if not blocks or len(found) < len(blocks) or any(one.type != found[0].type for one in found):
            return None
        return found

    def _assignment(self, call: tree.Call) -> tree.Expression | None:
        """The assignment that a call amounts to."""
        blocks = self._blocks(call)
        sides = self._whole_objects(blocks)
        if sides is None or not all(self._is_variable(one) for one in sides):
            if not blocks or scalars(blocks[0], _ASSIGNED) > _ASSIGNED:
                return None
            sides = sides or [lvalue for one in blocks if (lvalue := one.lvalue(call.span)) is not None]
            if len(sides) < len(blocks):
                return None
        if CheckKind.OVERLAP in self._kinds and self._form(call) is Form.COPY and not _are_apart(sides):
            return None
        if CheckKind.NONNULL in self._kinds and not all(isinstance(root(one), tree.Variable) for one in sides):
            return None
        target = sides[0]
        value = zero(call.span, target.type) if len(sides) == 1 else converted(sides[1], target.type)
        return tree.Assign(call.span, target.type, target, value, moves=self._form(call) is Form.MOVE, is_whole=True)

    def _is_variable(self, lvalue: tree.Lvalue) -> bool:
        """Whether the lvalue is no part of memory, and no element of an array."""
        while isinstance(lvalue, tree.Member):
            lvalue = lvalue.base
        return isinstance(lvalue, tree.Variable) and lvalue.object.name not in self._taken

    # Calls

    def _called(self, call: tree.Call, is_truth: bool) -> tree.Expression | None:
        """The call of a body instead, for a result that is used, or for its truth; None where the call does not fit."""
        function = self._library(call)
        if function is None or function.body is None:
            return None
        if function.format is not None:
            return self._formatted(function, function.body, function.format, call)
        name, file = (is_truth and function.truth) or function.name, function.body.file
        match function.body.form:
            case Form.PLAIN | Form.BUILTIN:
                return self._call_of(name, file, call, call.arguments)
            case Form.ALIGNED:
                is_aligned = self._is_aligned(function.body, call)
                return self._call_of(name, file, call, call.arguments) if is_aligned else None
            case Form.ATOMIC:
                first = call.arguments[0].type if call.arguments else None
                types = {"element": first.target} if isinstance(first, Pointer) else {}
                return self._call_of(name, file, call, call.arguments, types)
            case Form.RECORD:
                return self._call_of(name, file, call, call.arguments, {"result": call.type})
            case Form.ONE_OF:
                made = (self._call_of(one, file, call, call.arguments) for one in function.body.words)
                return next((one for one in made if one is not None), None)
            case Form.ELEMENTS:
                return self._on_elements(name, function.body, call)
            case Form.READ:
                return self._reads(function, function.body, call)
            case Form.ENVIRONMENT:
                return self._variable(name, function.body, call)
            case Form.HANDLED:
                return self._call_of(name, OwnText(file, _ABORTED, ()), call, ())
            case Form.ITSELF:
                return self._call_of(function.body.words[0], file, call, call.arguments[1:])
            case _:
                return self._on_blocks(function, function.body, call)

    def _on_blocks(self, function: LibraryFunction, body: Body, call: tree.Call) -> tree.Expression | None:
        """A call on blocks of memory whose elements are known."""
        arguments, pointers = call.arguments, body.position
        if len(arguments) != body.arguments:
            return None
        if body.form is Form.SCALARS:
            arguments = arguments[:2]  # a name stands behind the size
        blocks = blocks_of(arguments[:pointers], arguments[-1], self._model)
        blocks = blocks or bytes_of(arguments[:pointers], arguments[-1], self._model)
        if not blocks:
            return None
        name, blocks = viewed(function, body, arguments[1], blocks)
        if not blocks:
            return None
        element, middle = blocks[0].element, list(arguments[pointers:-1])
        if body.form is Form.FILL:
            filling = filling_of(arguments[1], element)
            assert filling is not None, "bytes hold any"
            middle = [filling]
        found = (*(one.start() for one in blocks), *middle, blocks[0].counted())
        return self._call_of(name, body.file, call, found, {"element": element})

    def _is_aligned(self, body: Body, call: tree.Call) -> bool:
        """Whether a call asks for a constant alignment that there is."""
        position = body.position - 1
        asked = constant(call.arguments[position]) if position < len(call.arguments) else None
        least = self._model.pointer_size if "pointer" in body.words else 1
        return asked is not None and asked >= least and asked.bit_count() == 1

    def _checked(self, call: tree.Call) -> tree.Expression:
        """The call of a body that checks what the function accesses; the call itself where nothing is to check."""
        own = checked_text(call, self._model) if self._is_checked(call) else None
        if own is None or not own.text:
            return call
        return self._call_of(callee(call) or "", own, call, own.arguments, own.types) or call

    def _reads(self, function: LibraryFunction, body: Body, call: tree.Call) -> tree.Expression | None:
        """A call that fills a block of few elements, or a part of it, from outside; others fill all that there is."""
        assert function.accesses is not None
        extents = function.accesses.arguments
        if len(call.arguments) != len(extents):
            return None
        position, extent = next((k, one) for k, one in enumerate(extents) if one.writes)
        sizes = [constant(call.arguments[int(one) - 1]) for one in re.findall("#([0-9])", extent.size)]
        if any(one is None or one < 0 for one in sizes):
            return None
        size = tree.IntegerConstant(call.span, self._model.size_type, prod(one or 0 for one in sizes))
        blocks = blocks_of((call.arguments[position],), size, self._model)
        blocks = blocks or bytes_of((call.arguments[position],), size, self._model)
        if not blocks:
            return None
        if not isinstance(blocks[0].element, Integer):
            blocks = as_bytes(blocks)
        if not blocks or (blocks[0].count or 0) > _ASSIGNED:
            return None
        arguments = list(call.arguments)
        arguments[position] = blocks[0].start()
        arguments[position + 1] = blocks[0].counted()
        return self._call_of(function.name, body.file, call, tuple(arguments), {"element": blocks[0].element})

    def _variable(self, name: str, body: Body, call: tree.Call) -> tree.Expression | None:
        """The value of a variable of the environment: any, but the same each time; None where that may change."""
        argument = call.arguments[0] if len(call.arguments) == 1 else None
        while isinstance(argument, tree.Convert):
            argument = argument.operand
        literal = argument.lvalue if isinstance(argument, tree.Decay) else None
        if self._sets_environment or not isinstance(literal, tree.StringLiteral):
            return None
        text = "".join(map(chr, literal.values[:-1]))
        key = text if text.isascii() and text.isidentifier() else "_".join(map(str, literal.values))
        asked, value = f"interplay_asked_{key}", f"interplay_value_{key}"
        for one, type_ in ((asked, "int"), (value, "char *")):
            if one not in self._hidden:
                self._hidden[one] = hidden_object(one, self._model, point(self._unit.file, 1, 1), type_)
        self._bodies.objects.update({one: self._hidden[one] for one in (asked, value)})
        known = f"if (!{asked}) {{ {asked} = 1; {value} = interplay_variable(name); }}"
        text = f"char *{OWN_BODY}(const char *name) {{ {known} return {value}; }}"
        return self._call_of(name, OwnText(body.file, text, call.arguments), call, call.arguments)

    def _on_elements(self, name: str, body: Body, call: tree.Call) -> tree.Expression | None:
        """A call that sorts or searches an array whose elements are known, and can be assigned."""
        position = body.position - 1
        if len(call.arguments) != position + 4:
            return None
        array, count, size, compare = call.arguments[position:]
        blocks = blocks_of((array,), size, self._model)
        if not blocks or constant(size) != self._model.size_of(blocks[0].element):
            return None
        arguments = (*call.arguments[:position], blocks[0].start(), count, compare)
        return self._call_of(name, body.file, call, arguments, {"element": blocks[0].element})

    def _formatted(
        self, function: LibraryFunction, body: Body, format_: Format, call: tree.Call
    ) -> tree.Expression | None:
        """The call of a body that reads a format; None where the format has what is not decided."""
        known = format_of(format_, call)
        if known is not None and not is_decided(format_, known):
            return None
        own = None if known is None else printed_format(function, known, call, self._model)
        if own is not None:
            return self._call_of(function.name, own, call, own.arguments)
        called = self._call_of(function.name, body.file, call, call.arguments)
        if known is not None or called is None:
            return called
        type_ = Signature(Void(), (), variadic=False, prototype=True)
        self.added[FORMATS] = FunctionDeclaration(call.span, FORMATS, type_, (), None)
        before = tree.Call(call.span, Void(), tree.FunctionAddress(call.span, Pointer(type_), FORMATS), ())
        return tree.Comma(call.span, called.type, before, called)

    def _with_errno(self, call: tree.Expression) -> tree.Expression:
        """The call, after which errno may have any value; it gets it first, which only the arguments could notice."""
        assert self._errno is not None
        type_ = self._errno.type
        any_value = FunctionDeclaration(call.span, ANY_ERRNO, Signature(type_, (), False, True), (), None)
        self.added[ANY_ERRNO] = any_value
        address = tree.FunctionAddress(call.span, Pointer(any_value.type), ANY_ERRNO)
        value = tree.Call(call.span, type_, address, ())
        target = tree.Variable(call.span, type_, self._errno)
        return tree.Comma(call.span, call.type, tree.Assign(call.span, type_, target, value), call)

    def _call_of(
        self,
        function: str,
        text: OwnText | str,
        call: tree.Call,
        arguments: tuple[tree.Expression, ...],
        types: Mapping[str, CType] = _NO_TYPES,
    ) -> tree.Expression | None:
        """The call of a body from a file, or from a text of its own; None where types do not fit."""
        name = f"{function}!{self._count + 1}"
        made = self._bodies.make(function, self._count + 1, call.span, types, text)
        type_ = made[name].type
        count = len(type_.parameters)
        if len(arguments) < count or (len(arguments) > count and not type_.variadic):
            return None
        fixed = list(zip(arguments[:count], type_.parameters, strict=True))
        if not all(_fits(one.type, parameter) for one, parameter in fixed):
            return None
        if isinstance(call.type, Integer) and call.type != type_.result:
            return None
        if not isinstance(call.type, Void) and not _fits(type_.result, call.type):
            return None
        self._count += 1
        self.added.update({one: made[one] for one in made if one == name or one not in self._unit.functions})
        address = tree.FunctionAddress(call.function.span, call.function.type, name)
        given = (*(_passed(one, parameter) for one, parameter in fixed), *arguments[count:])
        result = tree.Call(call.span, type_.result, address, given)
        if call.type == type_.result:
            return result
        return tree.Convert(call.span, call.type, result, explicit=False, is_modular=True)


def _discarded(node: tree.Node) -> tree.Call | None:
    """The call that a statement consists of."""
    if not isinstance(node, tree.ExpressionStatement):
        return None
    e = node.expression
    while isinstance(e, tree.Convert):
        e = e.operand
    return e if isinstance(e, tree.Call) else None


def _are_apart(sides: list[tree.Lvalue]) -> bool:
    """Whether two lvalues are in two objects that the text names."""
    bases = [root(one) for one in sides]
    objects = {one.object.name for one in bases if isinstance(one, tree.Variable)}
    return len(objects) == len(bases)


def _fits(given: CType, wanted: CType) -> bool:
    if isinstance(given, Integer) and isinstance(wanted, Integer):
        return True
    return (isinstance(given, Pointer) and isinstance(wanted, Pointer)) or (
        not isinstance(given, Pointer | Integer) and given == wanted
    )


def _passed(given: tree.Expression, wanted: CType) -> tree.Expression:
    """An argument as a parameter has it; pointers of all types have one representation."""
    if not isinstance(wanted, Integer) or given.type == wanted:
        return given
    return tree.Convert(given.span, wanted, given, explicit=False, is_modular=True)


def _is_declared_as(declared: Signature, body: Signature) -> bool:
    """Whether the body takes what callers of a declared function pass, and returns what they expect."""
    pairs = [(declared.result, body.result), *zip(declared.parameters, body.parameters, strict=False)]
    return len(declared.parameters) == len(body.parameters) and all(
        one == other or (isinstance(one, Pointer) and isinstance(other, Pointer)) for one, other in pairs
    )
