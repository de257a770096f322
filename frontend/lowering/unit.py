"""Lowering of a translation unit: functions reachable from main, globals, and the function that starts the program."""

from __future__ import annotations

from dataclasses import replace

from core.program import Call, Function, Program
from core.program.orders import OpenOrders
from core.program.properties import NO_KINDS, CheckKind, Kinds
from core.terms import Arena, Term
from frontend.large_stack import run_on_large_stack
from frontend.libc.allocators import with_own_allocators
from frontend.libc.arguments import with_arguments
from frontend.libc.expansion import with_library
from frontend.libc.names import is_library_function
from frontend.libc.texts import OBJECTS
from frontend.lowering.accesses import UNORDERED
from frontend.lowering.arithmetic import BitsNeeded, MakeArithmetic
from frontend.lowering.bit_operations import BitOperations
from frontend.lowering.call_graph import Touches, call_graph
from frontend.lowering.calls import declare_result
from frontend.lowering.checks.edges import Checks
from frontend.lowering.checks.unchecked import unchecked
from frontend.lowering.checks.uninitialised_reads import UnsetObjects
from frontend.lowering.checks.written_marks import Assigned
from frontend.lowering.context import NUMBERS, LoweringContext
from frontend.lowering.control_flow import GraphBuilder, symbols_of
from frontend.lowering.effects import Order
from frontend.lowering.guards import with_guards
from frontend.lowering.linear_bits import LinearBits
from frontend.lowering.memory.addresses import MemoryModel
from frontend.lowering.memory.comparisons import OpenComparisons
from frontend.lowering.memory.description import describe_memory
from frontend.lowering.memory.float_bits import with_nan_patterns
from frontend.lowering.memory.object_memory import declared_once
from frontend.lowering.memory.regions import Regions
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.escaping_arguments import PointersChange
from frontend.lowering.sequencing.rewriting import with_orders
from frontend.lowering.source_table import describe_source
from frontend.lowering.starting import Starting
from frontend.lowering.statements import FunctionLowering
from frontend.lowering.storage import Variables
from frontend.lowering.tables import constant_tables
from frontend.options import ArithmeticChoice
from frontend.properties.errors import Reach, error_functions, needs_sizes, policy
from frontend.source import NoStart, Unsupported, point
from frontend.typed import tree
from frontend.typed.library_table import library_function
from frontend.typed.named_arrays import with_named_arrays
from frontend.typed.traversal import used
from frontend.typed.tree import COMPOUND_LITERAL, FunctionDeclaration, Storage, TranslationUnit

START = "<start>"
MAIN = "main"
_LISTED = 5  # functions that a message names


def lower(
    unit: TranslationUnit, property: Reach, choice: ArithmeticChoice = ArithmeticChoice.AUTO, kinds: Kinds = NO_KINDS
) -> Program:
    """The program of a translation unit, on mathematical integers with explicit wrap-around.

    `property` says what must not be reached; without one, error functions, error labels and assertions must not.
    `choice` says whether the program may have, or has, operators on bits; `kinds` is undefined behaviour to be checked.
    Raises Unsupported for what reachable code does and this lowering does not decide, and ParseError where there is no
    main.
    """
    try:
        if choice is not ArithmeticChoice.BITVECTORS:
            return run_on_large_stack(lambda: _lower(unit, property, kinds, LinearBits))
    except BitsNeeded:
        if choice is ArithmeticChoice.INTEGERS:
            raise
    except RecursionError:
        raise _too_deep(unit) from None
    try:
        return run_on_large_stack(lambda: _lower(unit, property, kinds, BitOperations))
    except RecursionError:
        raise _too_deep(unit) from None


def _too_deep(unit: TranslationUnit) -> Unsupported:
    return Unsupported(point(unit.file, 1, 1), "nested too deeply")


def _lower(unit: TranslationUnit, property: Reach, kinds: Kinds, arithmetic: MakeArithmetic) -> Program:
    main = unit.functions.get(MAIN)
    if main is None or main.body is None:
        raise NoStart(point(unit.file, 1, 1), f"the program has no function main{_others(unit)}")
    if CheckKind.BOUNDS in kinds:
        unit = with_named_arrays(unit)
    unit = used(unit, MAIN, is_library_function)  # what bodies of the library call must not be left out
    try:
        return _program(unit, property, kinds, arithmetic)
    except PointersChange:
        return _program(unit, property, kinds, arithmetic, changes_pointers=True)


def _others(unit: TranslationUnit) -> str:
    """The hint at the functions that can be started instead of `main`, if there are any."""
    defined = [name for name, one in unit.functions.items() if one.body is not None]
    if not defined:
        return ""
    names = ", ".join([*defined[:_LISTED], *(["…"] if len(defined) > _LISTED else [])])
    return f"; `--entry FUNCTION` starts another one: {names}"


def _program(
    unit: TranslationUnit, property: Reach, kinds: Kinds, arithmetic: MakeArithmetic, changes_pointers: bool = False
) -> Program:
    context = _context(unit, property, kinds, arithmetic, changes_pointers)
    conflicts = context.order.conflicts()
    if conflicts:
        context = _context(with_orders(unit, conflicts, kinds), property, kinds, arithmetic, changes_pointers)
        context.order.refuse_open()
    unit = context.unit
    for name in context.calls.reachable:
        declare_result(context, name)
    # The start comes first: its locations and edges then have the lowest ids.
    functions = {START: _start(context, unit.functions[MAIN])}
    for name in context.calls.reachable:
        functions[name] = FunctionLowering(context, name).function(unit.functions[name])
    if context.variables.nan_patterns:
        graph, variables = context.graph, context.variables
        functions = {name: with_nan_patterns(one, graph, variables) for name, one in functions.items()}
    return replace(_finish(context, functions), orders=OpenOrders(conflicts, context.orders))


def _context(
    unit: TranslationUnit, property: Reach, kinds: Kinds, arithmetic: MakeArithmetic, changes_pointers: bool
) -> LoweringContext:
    """The program without code, of the unit with bodies of library functions."""
    unit = with_arguments(with_library(with_own_allocators(unit), kinds=kinds))
    arena = Arena()
    opaque = error_functions(property)
    unit, guards = (unit, frozenset[str]()) if kinds else with_guards(unit, MAIN, opaque)
    points = PointsTo(unit, MAIN, opaque, changes_pointers)
    # The rules of competitions let objects lie where they do here; the lives of compound literals are not decided, and
    # pointers that undefined functions write are replayed as addresses.
    has_literals = any(one.source_name == COMPOUND_LITERAL for one in points.escaped.values())
    blocks = needs_sizes(kinds) or (property is None and not has_literals and not changes_pointers)
    regions = Regions(unit, points, bounded=arithmetic is BitOperations, blocks=blocks)
    variables = Variables(arena, regions.address)
    touches = Touches(regions, CheckKind.DANGLING in kinds)
    calls = call_graph(unit, MAIN, opaque, touches, points.indirect)
    errors = policy(property, calls.called, kinds, guards)
    unset = UnsetObjects(unit, points, errors) if CheckKind.UNINITIALIZED in kinds else None
    assigned = None if unset is None else Assigned(arena, unit, points, regions, variables, unset)
    asks = regions.uses_numbers or any(library_function(name).question is not None for name in calls.called)
    is_tracked = errors.tracks or (asks and not regions.is_numeric)
    once = declared_once(unit, calls.recursive)
    memory = MemoryModel(arena, variables, regions, calls.recursive, once, is_tracked, kinds)
    comparisons = OpenComparisons(unit, points, memory)
    if memory.lives is None and comparisons.asks_about_objects:
        memory = MemoryModel(arena, variables, regions, calls.recursive, once, True, kinds)
        comparisons = OpenComparisons(unit, points, memory)
    order = Order(unit, calls, touches, points.indirect, errors, unset, regions, comparisons.depends)
    graph = GraphBuilder(arena.true)
    context = LoweringContext(
        *(unit, arena, graph, variables, memory, points, calls, order, comparisons, errors, arithmetic, assigned)
    )
    for text in unchecked(context):
        context.assume(text)
    if regions.shares_addresses:
        context.assume(NUMBERS if memory.numbers is None else memory.numbers.assumption)
    for warning in unit.warnings:
        context.warnings.warn(warning.span, warning.message)
    return context


def _start(context: LoweringContext, main: FunctionDeclaration) -> Function:
    """Give every global that reachable code mentions its first value, then call main."""
    lowering = FunctionLowering(context, START)
    cursor = lowering.cursor
    entry = cursor.at
    context.graph.keep(entry)
    # What reads values that nothing may have written asks arrays for them.
    tables = {} if context.assigned else constant_tables(context.unit, context.points, context.calls.reachable)
    starting = Starting(cursor, main)
    lowering.memory.begin(main.span)
    for declaration in context.unit.globals:
        object_ = declaration.object
        if object_.name in context.calls.globals or context.points.mentions(object_):
            if object_.name in tables:
                (variable,) = context.variables.declare(object_)
                context.variables.tables[variable] = tables[object_.name]
            else:
                _global(context, lowering, declaration)
    arguments = starting.arguments()
    cursor.step(Call(MAIN, arguments), main.span, "main()")
    Checks(cursor).ends(main.span, "the end of main")
    context.graph.keep(cursor.at)
    return Function(START, (), tuple(cursor.temporaries), None, entry, cursor.at, main.span)


def _global(context: LoweringContext, lowering: FunctionLowering, declaration: tree.Declaration) -> None:
    object_, span = declaration.object, declaration.span
    if object_.storage is Storage.EXTERNAL and object_.name not in OBJECTS:
        if lowering.objects.havoc_object(object_, span) and not span.file.startswith("<"):  # as `stdin` of `<stdio.h>`
            context.warnings.warn(span, f"{object_.source_name} is defined nowhere; its first value is arbitrary")
    elif declaration.initialiser is None:  # errno, too (C11 7.5)
        lowering.objects.zero(object_, span)
    else:
        lowering.objects.initialise(object_, declaration.initialiser, span)
    lowering.objects.mark_static(object_, span)


def _finish(context: LoweringContext, functions: dict[str, Function]) -> Program:
    variables = context.variables
    if context.order.rests_on_types:
        context.assume(UNORDERED)
    for copy in context.graph.drop_copies(context.arena, context.memory.firsts):
        variables.drop(copy)
    for table in variables.tables:
        variables.drop(table)
    layout = context.graph.simplified()
    position = layout.position
    placed = {
        name: replace(function, entry=position[function.entry], exit=position[function.exit])
        for name, function in functions.items()
    }
    used = frozenset[Term]().union(*(symbols_of(edge.operation) for edge in layout.edges))
    return Program(
        arena=context.arena,
        functions=placed,
        locations=layout.locations,
        edges=layout.edges,
        variables=variables.variables,
        inputs={symbol: one for symbol, one in variables.inputs.items() if symbol in used},
        checks=context.checks(position),
        start=START,
        assumptions=tuple(sorted(context.assumptions)),
        warnings=tuple(str(one) for one in (*context.warnings.entries(), *context.undefined.entries())),
        memory=describe_memory(context.memory, variables, context.assigned),
        source=describe_source(context, layout.edges),
    )
