"""Calls: edges into functions that the program defines, and the effects of those that it does not define."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.program import Call, InputKind
from core.program.orders import ORDER
from core.program.properties import CheckKind
from core.program.source import EscapingArgument
from core.terms import INT_ARRAY, Term
from frontend.libc.checked import checked_text
from frontend.libc.formats import COUNTS
from frontend.libc.names import is_library_function
from frontend.libc.outside import bounds_of
from frontend.libc.texts import (
    ALLOCATED,
    ANY_NUMBER,
    APART,
    ARGUMENT,
    CONVERSION,
    FAILS,
    FLOAT_STEP,
    FORMATS,
    NUMBERS,
    READABLE,
    SEQUENCED,
    TRUTH,
    WRITABLE,
)
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm, number_type
from frontend.lowering.checks.edges import Checks, Use
from frontend.lowering.checks.uninitialised_reads import may_return
from frontend.lowering.checks.written_marks import MARK
from frontend.lowering.context import (
    ARGUMENTS,
    COPIED,
    DECIDED_FORMATS,
    FILLED,
    STREAMS,
    UNSEQUENCED,
    Cursor,
    LoweringContext,
)
from frontend.lowering.contracts import CallValue
from frontend.lowering.edge_text import show, show_negated
from frontend.lowering.expressions import ExpressionLowering
from frontend.lowering.joined_results import joined_result
from frontend.lowering.memory.allocation import Allocation
from frontend.lowering.memory.questions import MemoryQuestions
from frontend.lowering.ordinals import Ordinals
from frontend.lowering.pointsto.escaping_arguments import escape
from frontend.lowering.records import Records, RecordValue
from frontend.lowering.storage import VariablePlace
from frontend.properties.errors import Effect, is_output
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.called import has_arguments, is_as_wide, is_called_as_declared, is_passed_alike
from frontend.typed.casts import is_null
from frontend.typed.ctype import STREAM, CType, Float, Integer, IntegerKind, Pointer, Record, Void
from frontend.typed.leaves import leaves
from frontend.typed.library_table import Allocated, Refusal, library_function
from frontend.typed.lvalues import strip
from frontend.typed.nonnull import never_null
from frontend.typed.promises import never_returns
from frontend.typed.qualifiers import reads_only
from frontend.typed.traversal import callee, nodes

_Pointer = tuple[BoundedTerm, tree.Expression]
"""The value of an argument, and its expression."""
_UNFILLED = (Allocated.MEMORY, Allocated.ALIGNED)
_STREAMS = ("_IO_FILE", STREAM)  # the tags of glibc, and of the headers here
_WITH_ARGUMENT = (Effect.ASSUME, Effect.ASSERT, Effect.VERIFIER_ASSERT, Effect.EXPECT)


def result_name(function: str) -> str:
    """The variable (or the object, for a struct) that holds what the function returned last.

    It is global: the caller reads it after the function's frame is gone. `return` is no name that a program can use.
    """
    return f"{function}::return"


def declare_result(context: LoweringContext, function: str) -> Term | None:
    """The variable of an integer result; one for each part of a struct, and then None."""
    type_ = context.unit.functions[function].type.result
    if isinstance(type_, Record) and context.assigned is not None and context.assigned.unset:
        context.assigned.add(result_name(function), type_, None)
    found = [
        context.variables.hidden(result_name(function) + leaf.suffix, None, part, leaf.lengths)
        for leaf in leaves(type_)
        if (part := number_type(leaf.type)) is not None
    ]
    return found[0] if isinstance(type_, Integer | Float | Pointer) else None


def returned_flag(context: LoweringContext, function: tree.FunctionDeclaration) -> Term | None:
    """The variable that says whether a function returned a value last; None where that is clear, or not asked."""
    if CheckKind.RETURN not in context.policy.kinds or not context.may_lack_result(function):
        return None
    return context.variables.hidden(f"{function.name}::returned", None, MARK)


class CallLowering:
    """Lowers calls at a cursor."""

    def __init__(self, cursor: Cursor, expressions: ExpressionLowering) -> None:
        self._cursor = cursor
        self._context = cursor.context
        self._expressions = expressions
        self._records = Records(cursor)
        self._allocation = Allocation(cursor, expressions)
        self._checks = Checks(cursor)
        self._questions = MemoryQuestions(cursor, expressions)

    def call(self, call: tree.Call, is_used: bool = True) -> CallValue:
        """The value of a call, which is used or not."""
        name = callee(call)
        if name is None:
            return self._through_pointer(call, is_used)
        if not self._allows(call, name, has_arguments):
            if CheckKind.CALL not in self._context.policy.kinds:
                raise Unsupported(call.span, f"{name} is called with too few arguments, or others than it takes")
            return self._arbitrary(call, name, InputKind.EXTERN)
        if self._context.policy.checks_memory and any(map(_is_stream, call.arguments)):
            self._context.assume(STREAMS)
        if self._context.policy.is_error(name):
            return self._error(call, name)
        function = self._context.unit.functions.get(name)
        if function is not None and function.body is not None:
            return self._defined(call, function, is_used)
        return self._undefined(call, name)

    def _error(self, call: tree.Call, name: str) -> CallValue:
        for argument in call.arguments:
            self._expressions.discard(argument)
        description = f"call of {name}() in {self._cursor.source_function}"
        self._fail(CheckKind.UNREACH_CALL, call, description)
        return self._arbitrary(call, name, InputKind.EXTERN)

    def _fail(self, kind: CheckKind, call: tree.Call, description: str, begins: int | None = None) -> None:
        location = self._context.error(self._cursor.function, kind.value, call.span, description, begins)
        self._context.graph.skip(self._cursor.at, location, call.span, show(call))
        self._cursor.at = self._cursor.location()

    # Functions with a body

    def _defined(self, call: tree.Call, function: tree.FunctionDeclaration, is_used: bool) -> CallValue:
        arguments = self._arguments(call, function)
        self._cursor.step(Call(function.name, arguments), call.span, show(call))
        returned = returned_flag(self._context, function)
        if is_used and returned is not None:
            arena = self._context.arena
            self._cursor.require(CheckKind.RETURN, arena.equals(returned, arena.one), call.span, show(call))
        result = function.type.result
        name = result_name(function.name)
        if isinstance(result, Record):
            return self._records.load(VariablePlace(name, result), call.span)
        if (type_ := number_type(result)) is not None:
            return self._cursor.variable(self._context.variables.named(name), type_)
        return None

    def _through_pointer(self, call: tree.Call, is_used: bool) -> CallValue:
        """A choice between the functions that the pointer may point to."""
        cursor, context, text = self._cursor, self._context, show(call.function)
        pointer = self._expressions.value(call.function)
        names = context.points.indirect.get(id(call), ())
        may_be_outside = context.points.may_be_unknown(call.function)
        if not names and not may_be_outside:
            context.warnings.warn(call.span, f"{text} points to no function; the path ends")
        self._refuse_misfits(call, names, may_be_outside)
        pointer = cursor.save(pointer, ADDRESS, call.span, text)
        self._checks.called(call, pointer.term, [context.memory.function(name).term for name in names])
        join = cursor.location()
        result = joined_result(cursor, self._records, call)
        choice = cursor.at
        called: list[Term] = []
        for name in names:
            cursor.at = choice
            called.append(context.arena.equals(pointer.term, context.memory.function(name).term))
            cursor.assume(called[-1], call.span, f"[{text} == {name}]")
            address = tree.FunctionAddress(call.function.span, call.function.type, name)
            direct = tree.Call(call.span, call.type, address, call.arguments)
            if self._allows(direct, name, is_passed_alike):
                result.set(self.call(direct, is_used), number_type(self._result_type(call, name)), name)
                self._end_never_returning(call, name)
                cursor.jump(join)
        if may_be_outside:
            cursor.at = choice
            cursor.assume(context.arena.not_(context.arena.or_(*called)), call.span, f"[{text} is outside]")
            result.set(self._unknown(call, text), number_type(call.type), text)
            self._end_never_returning(call, text)
            cursor.jump(join)
        cursor.at = join
        return result.get()

    def _end_never_returning(self, call: tree.Call, name: str) -> None:
        """End the path behind a call through a pointer whose functions are declared never to return."""
        if never_returns(call.function.type):
            function = self._context.unit.functions.get(name)
            if function is not None and function.body is not None:
                if may_return(self._context.unit, function, self._context.policy):
                    self._checks.returns(call.span, show(call), is_promised=True)
            else:
                self._cursor.end(call.span, show(call))

    def _refuse_misfits(self, call: tree.Call, names: Sequence[str], may_be_outside: bool) -> None:
        """Refuse a call that goes on nowhere, since all functions that the pointer may point to have other types."""
        fits = any(is_passed_alike(call, self._context.unit.functions[one]) for one in names)
        if names and not fits and not may_be_outside and CheckKind.CALL not in self._context.policy.kinds:
            text = f"{show(call.function)} points to functions of other types alone; `--check call` asks about it"
            raise Unsupported(call.span, text)

    def _allows(self, call: tree.Call, name: str, fits: Callable[[tree.Call, tree.FunctionDeclaration], bool]) -> bool:
        """Whether the path goes on into the function: called as what it is, or, where nobody asks, as what `fits`."""
        function, model = self._context.unit.functions.get(name), self._context.unit.data_model
        if function is None or is_called_as_declared(call, function, model):
            return True
        is_checked = CheckKind.CALL in self._context.policy.kinds
        if not is_checked and fits(call, function):
            if not is_as_wide(call, function, model):
                self._context.assume(ARGUMENTS)
            return True
        for argument in call.arguments:
            self._expressions.discard(argument)
        self._cursor.require(CheckKind.CALL, self._context.arena.false, call.span, show(call), ARGUMENTS)
        return False

    def _result_type(self, call: tree.Call, name: str) -> CType:
        """The type of what the function returns, where the program defines it: else what the call expects."""
        function = self._context.unit.functions[name]
        is_defined = function.body is not None and not self._context.policy.is_error(name)
        return function.type.result if is_defined else call.type

    def _arguments(self, call: tree.Call, function: tree.FunctionDeclaration) -> tuple[Term, ...]:
        """The terms for all leaves of the parameters, in order; those without a variable are left out."""
        arguments: list[Term] = []
        checked, pointers = self._never_null(call), list[_Pointer]()
        for i, argument in enumerate(call.arguments):
            parameter = function.parameters[i] if i < len(function.parameters) else None
            later = self._steps_behind(call, i)
            if parameter is not None and isinstance(parameter.type, Record):
                record = self._expressions.record(argument)
                if later:
                    record = self._records.safe(record, argument.span, show(argument))
                arguments.extend(part for part in record.parts if part is not None)
                arguments.extend(self._marks(parameter, record))
            elif parameter is not None and (type_ := number_type(parameter.type)) is not None:
                value = self._argument(argument, later or i in checked)
                if i in checked:
                    pointers.append((value, argument))
                arguments.append(self._passed(value, argument, type_))
            else:
                self._expressions.discard(argument)
        self._present(call, pointers)
        return tuple(arguments)

    def _argument(self, argument: tree.Expression, is_kept: bool) -> BoundedTerm:
        """The value of an argument, which is kept while others are evaluated."""
        value = self._expressions.value(argument)
        return self._expressions.safe(value, argument) if is_kept else value

    def _marks(self, parameter: tree.Object, value: RecordValue) -> Iterator[Term]:
        """The marks that a parameter of struct type has after its parts, where reads are checked."""
        arena, assigned = self._context.arena, self._context.assigned
        if assigned is not None and assigned.unset.is_passed(parameter):
            for leaf, (part, mark, _) in zip(leaves(parameter.type), value.marked(), strict=True):
                if part is not None:
                    every = arena.const_array(INT_ARRAY, arena.one) if leaf.lengths else arena.one
                    yield every if mark is None else mark

    def _never_null(self, call: tree.Call) -> frozenset[int]:
        """The positions of the arguments that must not be null, where that is checked."""
        is_asked = CheckKind.NONNULL in self._context.policy.kinds and not self._checks.is_library
        return frozenset(never_null(self._context.unit, call) if is_asked else ())

    def _present(self, call: tree.Call, pointers: Iterable[_Pointer]) -> None:
        """Check, when the call happens, that arguments are not null."""
        for value, argument in pointers:
            self._checks.not_null(value, call.span, show(argument))

    def _steps_behind(self, call: tree.Call, position: int) -> bool:
        """Whether something happens where the arguments behind a position are evaluated."""
        return any(self._context.order.steps(one) for one in call.arguments[position + 1 :])

    def _given(self, call: tree.Call) -> None:
        """Evaluate the arguments of a call whose values nothing needs, but that some must not be null."""
        checked, pointers = self._never_null(call), list[_Pointer]()
        for i, argument in enumerate(call.arguments):
            if i in checked:
                pointers.append((self._argument(argument, is_kept=True), argument))
            else:
                self._expressions.discard(argument)
        self._present(call, pointers)

    def _escaping(self, call: tree.Call, name: str) -> tuple[EscapingArgument | None, ...]:
        """The arguments of a call of an undefined function that may write; what the library writes nobody knows."""
        if is_library_function(name) or not self._context.points.written(call):
            self._given(call)
            return ()
        checked, escaping = self._never_null(call), list[EscapingArgument | None]()
        pointers: list[_Pointer] = []
        for i, argument in enumerate(call.arguments):
            if not isinstance(argument.type, Pointer) or is_null(argument):
                self._expressions.discard(argument)
                escaping.append(None)
                continue
            is_kept = i in checked or self._steps_behind(call, i)
            value = self._cursor.stable(self._argument(argument, is_kept), ADDRESS, argument.span, show(argument))
            pointers.extend([(value, argument)] if i in checked else ())
            escaping.append(EscapingArgument(value.term, not reads_only(call.function.type, i), self._extent(argument)))
        self._present(call, pointers)
        return tuple(escaping)

    def _extent(self, argument: tree.Expression) -> int | None:
        """The bytes that a function may write which is given the address of a member; None: those of an object."""
        while isinstance(argument, tree.Convert):
            argument = argument.operand
        lvalue = argument.lvalue if isinstance(argument, tree.AddressOf | tree.Decay) else None
        if lvalue is None or not isinstance(strip(lvalue), tree.Member):
            return None
        return self._context.memory.size(lvalue.type)

    def _passed(self, value: BoundedTerm, argument: tree.Expression, type_: Integer) -> Term:
        """An argument as the parameter has it, also where a call without prototype passes another type."""
        arithmetic, given = self._cursor.arithmetic, number_type(argument.type)
        assert given is not None
        if isinstance(argument.type, Float):
            return self._passed_float(value, argument, type_)
        is_cast, memory = (given == ADDRESS) != (type_ == ADDRESS), self._context.memory
        if is_cast and memory.numbers is not None:
            value, given = memory.numbers.converted(arithmetic, value, given, type_), type_
        elif is_cast and value.constant != 0 and not memory.regions.is_numeric:
            raise Unsupported(argument.span, "a pointer as a number is not decided")
        return arithmetic.number(arithmetic.settle(arithmetic.convert(value, given, type_), type_))

    def _passed_float(self, value: BoundedTerm, argument: tree.Expression, type_: Integer) -> Term:
        """An argument of floating type: a parameter that is declared behind the parentheses narrows it."""
        assert isinstance(argument.type, Float)
        if not isinstance(type_, Ordinals):
            raise Unsupported(argument.span, "a floating-point number as an integer is not decided")
        converted = self._expressions.floats.converted(value, argument.type, Float(type_.float), argument)
        return converted.term

    # Functions without one

    def _undefined(self, call: tree.Call, name: str) -> CallValue:
        function = library_function(name)
        if function.makes_object and call.arguments:
            return self._allocation.call(call, name)
        if function.ends_object:
            self._allocation.release(call)
            return None
        if name == ALLOCATED:
            return self._allocation.size_of(call)
        if name == FAILS:
            return self._allocation.fails(call, self._cursor.function.partition("!")[0])
        if function.question is not None:
            return self._questions.answer(call, name, function.question)
        if name == APART:
            self._checks.apart(call, [self._expressions.value(one).term for one in call.arguments])
            return None
        if name == SEQUENCED:
            self._sequenced(call)
            return None
        if name in (READABLE, WRITABLE):
            address, size = [self._expressions.value(one) for one in call.arguments]
            self._checks.extent(call, address, size, Use.WRITE if name == WRITABLE else Use.READ)
            return None
        if name in (CONVERSION, ORDER, TRUTH, *NUMBERS.values()):
            return self._outside(call, name)
        if name.startswith(FLOAT_STEP):
            floats = self._expressions.floats
            return floats.any_number(call) if name.startswith(ANY_NUMBER) else floats.step(call, name)
        if name == FORMATS:
            self._context.assume(DECIDED_FORMATS)
            return None
        if name == ARGUMENT:
            self._checks.argument(call, self._expressions.condition(call.arguments[0]))
            return None
        if function.refused is Refusal.JUMPS:
            raise Unsupported(call.span, f"{name} is not decided")
        if function.refused is Refusal.ROUNDING:
            raise Unsupported(
                call.span, f"{name}, which changes how floating-point numbers are rounded, is not decided"
            )
        if function.refused is Refusal.THREADS:
            raise Unsupported(call.span, f"threads are not decided: {name}")
        effect = self._effect(call, name)
        match effect:
            case Effect.NONDET:
                return self._arbitrary(call, name, InputKind.NONDET)
            case Effect.VOLATILE:
                return self._arbitrary(call, name, InputKind.VOLATILE)
            case Effect.END | Effect.ASSERT_FAIL:
                self._end(call, name, effect)
                return self._arbitrary(call, name, InputKind.EXTERN)
            case Effect.ASSUME:
                condition = call.arguments[0]
                self._cursor.assume(self._expressions.condition(condition), call.span, show(call))
                return None
            case Effect.ASSERT | Effect.VERIFIER_ASSERT:
                self._assert(call, effect)
                return None
            case Effect.EXPECT:
                return self._expressions.value(call.arguments[0])
            case Effect.OUTPUT:
                if name in self._context.unit.assumed.harmless:
                    result = "" if isinstance(call.type, Void) else f"returns any {call.type} and "
                    self._take(call, name, f"{result}changes nothing", "--changes-nothing")
                self._assume_extents(call, name)
                self._given(call)
                value = self._arbitrary(call, name, InputKind.EXTERN)
                return self._bounded(call, None, value) if name in self._context.unit.assumed.harmless else value
            case Effect.UNKNOWN:
                return self._unknown(call, name)

    def _outside(self, call: tree.Call, name: str) -> CallValue:
        """An arbitrary value for what a body does not know, of `TRUTH` one that is not zero."""
        value = self._arbitrary(call, name, InputKind.EXTERN)
        if name != TRUTH or not isinstance(value, BoundedTerm):
            return value
        arena = self._context.arena
        is_zero = arena.equals(value.term, arena.zero)
        return BoundedTerm(arena.ite(is_zero, arena.one, value.term), value.low, value.high)

    def _effect(self, call: tree.Call, name: str) -> Effect:
        """The effect that the name promises, unless the arguments say that it does something else."""
        effect = self._context.policy.effect_of(name)
        if effect is Effect.NONDET and call.arguments:
            return Effect.UNKNOWN  # such as __VERIFIER_nondet_memory, which writes
        if effect is Effect.OUTPUT and (any(map(_mentions_n, call.arguments)) or _may_count(call, name)):
            return Effect.UNKNOWN
        if effect is Effect.UNKNOWN and name in self._context.unit.no_return:
            return Effect.END
        if effect is Effect.UNKNOWN and name in self._context.unit.assumed.harmless:
            return Effect.OUTPUT
        if effect in _WITH_ARGUMENT and not call.arguments:
            raise Unsupported(call.span, f"{name} is called without an argument")
        return effect

    def _take(self, call: tree.Call, name: str, effect: str, flag: str) -> None:
        """Tell what a user says of an undefined function, on which an answer rests."""
        self._context.undefined.add(name, call.span, self._cursor.function, f"{effect}, as {flag} says")
        self._context.assume(f"undefined functions: {name} {effect}")

    def _end(self, call: tree.Call, name: str, effect: Effect) -> None:
        if name in self._context.unit.assumed.endless:
            self._take(call, name, "never returns", "--never-returns")
        for argument in call.arguments:
            self._expressions.discard(argument)
        function = library_function(name)
        if function.exits:
            self._checks.ends(call.span, show(call))
        if function.never:
            self._checks.unreachable(call)
        if effect is Effect.ASSERT_FAIL and self._context.policy.asserts is Effect.ASSERT:
            self._fail(CheckKind.ASSERTION, call, f"call of {name}() in {self._cursor.source_function}")
        else:
            self._cursor.end(call.span, show(call))

    def _sequenced(self, call: tree.Call) -> None:
        """Two accesses without an order are to two objects: checked, where it is known when, or assumed."""
        what, *apart = call.arguments
        if CheckKind.SEQUENCE not in self._context.policy.kinds:
            self._context.assume(UNSEQUENCED)
            return
        condition = self._expressions.condition(apart[0])
        self._cursor.require(CheckKind.SEQUENCE, condition, call.span, show(what))

    def _assert(self, call: tree.Call, effect: Effect) -> None:
        """A failed `assert` is a check or ends the path; a failed `__VERIFIER_assert` is always a check."""
        cursor, condition = self._cursor, call.arguments[0]
        begins, then, otherwise = cursor.at, cursor.location(), cursor.location()
        self._expressions.branch(condition, then, otherwise)
        cursor.at = otherwise
        if effect is Effect.VERIFIER_ASSERT or self._context.policy.asserts is Effect.ASSERT:
            is_assertion = self._context.policy.asserts is Effect.ASSERT
            kind = CheckKind.ASSERTION if is_assertion else CheckKind.UNREACH_CALL
            self._fail(kind, call, f"{show(call)} in {cursor.source_function}", begins)
        else:
            cursor.end(call.span, show_negated(condition))
        cursor.at = then

    def _unknown(self, call: tree.Call, name: str) -> CallValue:
        if is_output(name) and self._context.points.escaping(call):
            raise Unsupported(call.span, f"{name} that writes through pointers is not decided")
        self._assume_extents(call, name)
        changes = escape(self._cursor, call, name, self._escaping(call, name))
        function, is_library = library_function(name), self._checks.is_library
        if self._context.assigned is not None and function.allocates in _UNFILLED:
            self._context.assume(FILLED)
        if CheckKind.OVERLAP in self._context.policy.kinds and function.copies:
            self._context.assume(COPIED)
        row = function.accesses
        bounds = None if row is None or is_library else bounds_of(row, call.arguments)
        result = "" if isinstance(call.type, Void) else f"returns any {call.type}"
        if bounds is not None:
            result = "returns {} to {}".format(*bounds)
        elif is_library and row is not None and row.has_result:
            result = ""  # the body says it
        if changes:
            other = "changes at most what its arguments lead to, when it is called"
            effect = spelled = " and ".join(one for one in (result, other) if one)
        else:
            effect = result or "has no effect"
            spelled = result or "is taken to have no effect"
        self._context.undefined.add(name, call.span, self._cursor.function, spelled)
        self._context.assume(f"undefined functions: {name} {effect}")
        return self._bounded(call, bounds, self._arbitrary(call, name, InputKind.EXTERN))

    def _assume_extents(self, call: tree.Call, name: str) -> None:
        """Assume that all that a function outside accesses is there, where nothing has checked it."""
        if self._context.policy.checks_memory and not self._checks.is_library:
            found = checked_text(call, self._context.unit.data_model)
            if found is None or found.text:
                self._context.assume(f"undefined functions: {name} accesses living objects only")

    def _bounded(self, call: tree.Call, bounds: tuple[int, int] | None, value: CallValue) -> CallValue:
        """The value, where it is one that the function returns; the path ends elsewhere."""
        type_ = number_type(call.type)
        if isinstance(value, BoundedTerm) and isinstance(call.type, Pointer):
            return self._checks.from_outside(value, call.span, show(call))
        if bounds is None or not isinstance(value, BoundedTerm) or type_ is None:
            return value
        arena, (low, high) = self._context.arena, bounds
        value = self._cursor.save(value, type_, call.span, show(call))
        between = arena.and_(arena.le(arena.integer(low), value.term), arena.le(value.term, arena.integer(high)))
        self._cursor.assume(between, call.span, f"[{low} <= {show(call)} <= {high}]")
        return value

    def _arbitrary(self, call: tree.Call, name: str, kind: InputKind) -> CallValue:
        """Any value of the type of the call; None where it has no values here."""
        if (type_ := number_type(call.type)) is not None:
            return self._cursor.input(kind, name, call.span, type_)
        if isinstance(call.type, Record):
            return self._arbitrary_record(call, name, kind)
        return None

    def _arbitrary_record(self, call: tree.Call, name: str, kind: InputKind) -> RecordValue:
        parts: list[Term | None] = []
        for leaf in leaves(call.type):
            part = number_type(leaf.type)
            if leaf.lengths or part is None:
                raise Unsupported(call.span, f"{name} is not defined, and a {call.type} as its result is not decided")
            parts.append(self._cursor.input(kind, f"{name}{leaf.suffix}", call.span, part).term)
        return RecordValue(call.type, tuple(parts))


def _is_stream(argument: tree.Expression) -> bool:
    """Whether the argument is a stream that the program has opened, or failed to."""
    while isinstance(argument, tree.Convert):
        argument = argument.operand
    type_ = argument.type.target if isinstance(argument.type, Pointer) else None
    if not isinstance(type_, Record) or type_.tag not in _STREAMS:
        return False
    lvalue = argument.lvalue if isinstance(argument, tree.Load) else None
    return not isinstance(lvalue, tree.Variable) or lvalue.object.name not in ("stdin", "stdout", "stderr")


def _mentions_n(argument: tree.Expression) -> bool:
    """Whether a format has a directive like `%n`, which writes."""
    literals = (node.values for node in nodes(argument) if isinstance(node, tree.StringLiteral))
    return any(COUNTS.search(_text(values)) for values in literals)


def _may_count(call: tree.Call, name: str) -> bool:
    """Whether a format that is not in the text could make the function write a number through one of its arguments."""
    format_ = library_function(name).format
    position = len(call.arguments) if format_ is None else format_.position
    given = call.arguments[position : position + 1]
    is_known = any(isinstance(node, tree.StringLiteral) for one in given for node in nodes(one))
    kinds = [_target(one) for one in call.arguments[position + 1 :]]
    return not is_known and any(kind not in (None, IntegerKind.CHAR, IntegerKind.UCHAR) for kind in kinds)


def _target(e: tree.Expression) -> IntegerKind | None:
    """The kind of the integers that an argument points to."""
    while isinstance(e, tree.Convert) and isinstance(e.operand.type, Pointer):
        e = e.operand
    target = e.type.target if isinstance(e.type, Pointer) else None
    return target.kind if isinstance(target, Integer) else None


def _text(values: tuple[int, ...]) -> str:
    return "".join(map(chr, (value & 0xFF for value in values)))
