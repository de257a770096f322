"""Undefined behaviour that no check is about, as assumptions that a program needs by the form of its reachable code.

Each finder sees all code that may have the behaviour, and much that has not. Data races need threads, which are
refused, or handlers of signals that run at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.program.properties import CheckKind, PropertyKind, kinds_of
from core.program.source import source_function
from frontend.elaboration.registers import address_of, has_registers
from frontend.libc.names import is_library_function
from frontend.lowering.context import RESTRICT, LoweringContext
from frontend.options import Volatile
from frontend.properties.errors import Effect
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.casts import constant
from frontend.typed.const_parts import hides_parts
from frontend.typed.ctype import Array, CType, Integer, IntegerKind, Pointer, Record, Signature, VariableLength
from frontend.typed.library_table import Form, library_function
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import is_volatile
from frontend.typed.traversal import callee, nodes

EFFECTIVE_TYPES = "objects are accessed through their effective types (as with -fno-strict-aliasing)"
DEAD_POINTERS = "pointers to objects that are gone are not used as values"
INNER_ARRAYS = "pointers that are moved do not leave a member, or an array, within their object"
PRECONDITIONS = "functions of the library are used as the library asks"
COPIED_STRUCTS = "structs that are copied as a whole were written to"
VARIABLE_ARRAYS = "types of arrays of variable length that must be compatible have equal lengths"
RESERVED = "functions of the program with names of the library do what the library says"
MAIN_FORM = "main is called with arguments of the types of its parameters"
VOLATILE = "objects that are volatile are not accessed through pointers to types that are not"
UNCHANGED = "objects that are volatile are memory, which only the program changes"
UNCHANGED_POINTERS = "pointers that are volatile are memory, which only the program changes"
HANDLERS = "handlers of signals run only where the program calls raise, abort, or kill with its own getpid()"
REGISTERS = "there are objects at the constant addresses that the program accesses"
SMALL_NUMBERS = "integers hold the pointers that become them"
CONSTANT_PARTS = "constant bit-fields, and constant members of unions, are not written to"


def unchecked(context: LoweringContext) -> Iterator[str]:
    """The assumptions of the program beside its checks.

    Compilers use that pointers are `restrict`, whatever is asked. What optimisation makes of effective types goes
    without saying where nothing is asked about accesses: memory is then assumed to be used as what it was made for.
    """
    unit, kinds = context.unit, context.policy.kinds
    yield from _undecided(unit.undecided)
    yield from _volatile(context)
    reachable = list(context.calls.reachable)
    restricted = {source_function(name) for name in reachable} & unit.restricted.keys()
    if "" in unit.restricted or any(not context.followed(name) for name in restricted):
        yield RESTRICT
    if kinds.keys().isdisjoint((CheckKind.CONST, CheckKind.DANGLING)):
        return
    bodies = [body for name in reachable if "!" not in name and (body := unit.functions[name].body) is not None]
    every = list(nodes(*bodies))
    if CheckKind.CONST in kinds and _hides_constants(unit, every):
        yield CONSTANT_PARTS
    if CheckKind.DANGLING not in kinds:
        return
    if context.memory.regions.is_punned:
        yield EFFECTIVE_TYPES
    if _keeps_pointers(context, every):
        yield DEAD_POINTERS
    if all(kind in kinds for kind in kinds_of(PropertyKind.DEF_BEHAVIOR)):
        yield from (text for text, may_do in _FINDERS.items() if may_do(context, every))


def _volatile(context: LoweringContext) -> Iterator[str]:
    """The assumptions about volatile objects, and about those at constant addresses."""
    bodies = [body for name in context.calls.reachable if (body := context.unit.functions[name].body) is not None]
    every = list(nodes(*context.unit.globals, *bodies)) if context.unit.has_volatile else []
    loads = [one for one in every if isinstance(one, tree.Load)]
    if context.unit.has_volatile and context.unit.volatile is Volatile.MEMORY:
        yield UNCHANGED
    elif any(isinstance(one.type, Pointer) and _is_shared(context, one.lvalue) for one in loads):
        yield UNCHANGED_POINTERS
    is_arbitrary, are_there = context.unit.volatile is Volatile.ARBITRARY, has_registers(every)
    is_plain = are_there and any(map(_is_plain_place, every))
    if is_arbitrary and (is_plain or any(map(_drops_volatile, every)) or _copies(context, every)):
        yield VOLATILE
    if are_there:
        yield REGISTERS
    if any(isinstance(one, tree.Call) and _makes_handler(one) for one in nodes(*bodies)):
        _only_signals_itself(context, nodes(*context.unit.globals, *bodies))
        yield HANDLERS


def _is_plain_place(node: tree.Node) -> bool:
    """Whether a constant address becomes a pointer to something that is not volatile."""
    return isinstance(node, tree.Convert) and address_of(node) is not None and not _leads_to_volatile(node.type)


def _drops_volatile(node: tree.Node) -> bool:
    """Whether a pointer to a volatile object becomes one to an object that is not, or a number."""
    match node:
        case tree.Convert(operand=operand, type=type_):
            return _leads_to_volatile(operand.type) and not _leads_to_volatile(type_)
        case tree.Assign(target=target, value=value):
            return _leads_to_volatile(value.type) and not _leads_to_volatile(target.type)
        case tree.Declaration(object=object_, initialiser=tree.Initialiser(entries=entries)):
            values = [one.value for one in entries if not one.path]
            return any(_leads_to_volatile(one.type) and not _leads_to_volatile(object_.type) for one in values)
        case tree.Call(function=function, arguments=arguments):
            called = function.type.target if isinstance(function.type, Pointer) else None
            pairs = zip(arguments, called.parameters if isinstance(called, Signature) else (), strict=False)
            return any(_leads_to_volatile(one.type) and not _leads_to_volatile(type_) for one, type_ in pairs)
        case _:
            return False


def _leads_to_volatile(type_: CType) -> bool:
    return isinstance(type_, Pointer) and is_volatile(type_.target)


def _makes_handler(call: tree.Call) -> bool:
    """Whether the call gives a signal another handler than what `SIG_DFL` and the like stand for."""
    position = library_function(source_function(callee(call) or "")).handler
    is_given = position is not None and position < len(call.arguments)
    return is_given and constant(call.arguments[position or 0]) is None


def _only_signals_itself(context: LoweringContext, every: Iterator[tree.Node]) -> None:
    """Refuse signals to processes that are not known, and may be the program: those to itself were replaced."""
    for one in every:
        if not isinstance(one, tree.FunctionAddress) or context.unit.functions[one.function].body is not None:
            continue
        if library_function(one.function).form is Form.ITSELF:
            raise Unsupported(one.span, f"{one.function} may signal the program, which has handlers: not decided")


def _copies(context: LoweringContext, every: list[tree.Node]) -> bool:
    """Whether a copy of memory, such as `memcpy` makes, has volatile objects."""
    read = {id(one.left) for one in every if isinstance(one, tree.Comma)}
    return any(
        id(one) not in read and isinstance(one.type, Integer | Array) and _is_shared(context, one.lvalue)
        for one in every
        if isinstance(one, tree.Load)
    )


def _is_shared(context: LoweringContext, lvalue: tree.Lvalue) -> bool:
    """Whether the lvalue is volatile, and something else than the program may reach it."""
    if not is_volatile(lvalue.type):
        return False
    base = root(lvalue)
    is_static = isinstance(base, tree.Variable) and base.object.storage in (tree.Storage.STATIC, tree.Storage.EXTERNAL)
    return is_static or not isinstance(base, tree.Variable) or base.object.name in context.points.escaped


def _moves_within(_: LoweringContext, every: list[tree.Node]) -> bool:
    """Whether pointers are moved, and some point to a member, or into an array that is a part of an object."""
    moves = (tree.PointerOffset, tree.CompoundAssign, tree.Increment)
    parts = (one.lvalue for one in every if isinstance(one, tree.Decay | tree.AddressOf))
    inner = any(isinstance(one, tree.Index | tree.Member) for one in parts)
    return inner and any(isinstance(one, moves) and isinstance(one.type, Pointer) for one in every)


def _calls_library(context: LoweringContext, _: list[tree.Node]) -> bool:
    """Whether the program uses the library for more than what is checked, or `va_list`, which bodies stand for, too."""
    for name in context.calls.called:
        source = source_function(name)
        is_known = library_function(source).lowered or context.policy.effect_of(source) in _HARMLESS
        if "..." in name or (
            not is_known and not _is_own(context, source) and (name != source or is_library_function(name))
        ):
            return True
    return False


def _is_own(context: LoweringContext, source: str) -> bool:
    function = context.unit.functions.get(source)
    return function is not None and function.body is not None


def _has_library_names(context: LoweringContext, _: list[tree.Node]) -> bool:
    return any(_is_own(context, name) and is_library_function(name) for name in context.calls.called)


def _mixes_lengths(_: LoweringContext, every: list[tree.Node]) -> bool:
    """Whether a pointer to an array of variable length becomes one to other arrays, or the other way round."""
    return any(
        isinstance(one, tree.Convert) and any(_is_variable(type_) for type_ in (one.type, one.operand.type))
        for one in every
    )


def _is_variable(type_: CType) -> bool:
    """Whether it is a pointer to arrays of variable length."""
    target = type_.target if isinstance(type_, Pointer) else None
    while isinstance(target, Array) and not isinstance(target.length, VariableLength):
        target = target.element
    return isinstance(target, Array)


def _has_other_main(context: LoweringContext, _: list[tree.Node]) -> bool:
    """Whether `main` has parameters other than a number of arguments, these, and the environment."""
    words = Pointer(Pointer(context.unit.data_model.integer(IntegerKind.CHAR)))
    expected = (context.unit.data_model.integer(IntegerKind.INT), words, words)
    types = tuple(one.type for one in context.unit.functions["main"].parameters)
    return types not in ((), expected[:2], expected)


def _keeps_pointers(context: LoweringContext, every: list[tree.Node]) -> bool:
    """Whether pointers may lead to an object that ends before the program does."""
    releases = any(library_function(source_function(name)).releases for name in context.calls.called)
    automatic = (one.object for one in every if isinstance(one, tree.Declaration | tree.CompoundLiteral))
    return releases or any(one.name in context.points.escaped for one in automatic)


def _cuts_pointers(context: LoweringContext, every: list[tree.Node]) -> bool:
    """Whether a pointer becomes an integer that may not hold it, other than a `_Bool`."""
    bits = 8 * context.unit.data_model.pointer_size
    integers = (one.type for one in every if isinstance(one, tree.Convert) and isinstance(one.operand.type, Pointer))
    return any(
        isinstance(one, Integer) and 1 < one.bits < bits and one.kind is not IntegerKind.BOOL for one in integers
    )


def _copies_structs(_: LoweringContext, every: list[tree.Node]) -> bool:
    return any(isinstance(one, tree.Load) and isinstance(one.type, Record) for one in every)


def _hides_constants(unit: tree.TranslationUnit, every: list[tree.Node]) -> bool:
    declared = (one.object for one in (*unit.globals, *every) if isinstance(one, tree.Declaration))
    return any(hides_parts(one.type) for one in declared)


def _may_drop_volatile(context: LoweringContext, _: list[tree.Node]) -> bool:
    """Whether something is volatile, and the address of an object is taken."""
    return context.unit.has_volatile and bool(context.points.escaped)


_HARMLESS = (Effect.END, Effect.ASSERT, Effect.ASSERT_FAIL, Effect.EXPECT)
_FINDERS: dict[str, Callable[[LoweringContext, list[tree.Node]], bool]] = {
    INNER_ARRAYS: _moves_within,
    VARIABLE_ARRAYS: _mixes_lengths,
    RESERVED: _has_library_names,
    MAIN_FORM: _has_other_main,
    PRECONDITIONS: _calls_library,
    COPIED_STRUCTS: _copies_structs,
    SMALL_NUMBERS: _cuts_pointers,
    VOLATILE: _may_drop_volatile,
}
UNCHECKED = frozenset(
    (
        RESTRICT,
        UNCHANGED,
        UNCHANGED_POINTERS,
        HANDLERS,
        REGISTERS,
        CONSTANT_PARTS,
        EFFECTIVE_TYPES,
        DEAD_POINTERS,
        *_FINDERS,
    )
)
"""Every assumption that may be among them."""


def _undecided(clauses: Sequence[tree.UndecidedClause]) -> Iterator[str]:
    """The clauses of annotations that a verdict says nothing about, a text for all of one kind."""
    places: dict[str, list[str]] = {}
    for one in clauses:
        places.setdefault(one.words, []).append(f"{one.span.file}:{one.span.line}")
    for words, found in places.items():
        yield f"not decided: {words} at {', '.join(dict.fromkeys(found))}"
