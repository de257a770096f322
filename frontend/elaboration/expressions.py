"""Expression syntax to typed expressions (C11 6.5)."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.elaboration.atomics import atomic_call
from frontend.elaboration.builtins import builtin_type
from frontend.elaboration.constants import character_literal, float_literal, fold, integer_literal, string_literal
from frontend.elaboration.conversions import INTEGERS_ONLY, SHIFTS, Conversions
from frontend.elaboration.float_calls import float_call, infinity, not_a_number
from frontend.elaboration.generic import selected
from frontend.elaboration.harness import harness_call
from frontend.elaboration.overflow import overflow_call
from frontend.elaboration.scope import EnumConstant, FunctionName, FunctionState, Typedef
from frontend.elaboration.variable_arguments import argument_list_call, next_argument
from frontend.parsing import syntax
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    Field,
    Float,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    RecordKind,
    Signature,
    VariableLength,
    Void,
    is_arithmetic,
    is_scalar,
)
from frontend.typed.library_table import BUILTIN, LanguageOperation, library_function
from frontend.typed.qualifiers import is_const, qualified, qualifiers_of, unqualified
from frontend.typed.tree import BinaryOperator, Expression, Lvalue

_FUNCTION_WORDS = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))

_UNKNOWN = (BUILTIN, "__sync_", "__atomic_")
"""How the names of functions begin that gcc has built in: no other body can be assumed for them."""


class ExpressionElaboration(Conversions):
    """A layer of the elaboration that reads expressions in the current scope."""

    def value(self, node: syntax.ExpressionSyntax) -> Expression:
        return self.decayed(self.operand(node))

    def condition(self, node: syntax.ExpressionSyntax) -> Expression:
        return self.condition_value(self.value(node))

    def lvalue(self, node: syntax.ExpressionSyntax) -> Lvalue:
        operand = self.operand(node)
        if not isinstance(operand, Lvalue) or isinstance(operand, tree.Temporary):
            raise self.error(node, "this is no object that could be assigned to")
        return operand

    def operand(self, node: syntax.ExpressionSyntax) -> Expression | Lvalue:
        """An lvalue where the syntax denotes an object, else a value."""
        with self.deeper(node):
            return self._operand(node)

    def _operand(self, node: syntax.ExpressionSyntax) -> Expression | Lvalue:
        span = self.span(node)
        match node:
            case syntax.Name():
                return self._name(node, span)
            case syntax.Number() | syntax.Character() | syntax.String():
                return self._literal(node, span)
            case syntax.Prefix():
                return self._prefix(node, span)
            case syntax.Postfix():
                return self._increment(node, tree.Position.POSTFIX, span)
            case syntax.SizeOf():
                return self._size_of(node, span)
            case syntax.Infix():
                return self._infix(node, span)
            case syntax.Assignment():
                return self._assignment(node, span)
            case syntax.Choice():
                return self.choice(self.value(node.condition), self.value(node.then), self.value(node.otherwise), span)
            case syntax.Otherwise():
                return self._value_or(node, span)
            case syntax.Sequence():
                return self._sequence(node)
            case syntax.Cast():
                return self._cast(node, span)
            case syntax.CallSyntax():
                return self.around_call(node, self._call(node, span))
            case syntax.Subscript():
                return self._subscript(node, span)
            case syntax.Selection():
                return self._selection(node, span)
            case syntax.Literal():
                return self._compound_literal(node, span)
            case syntax.StatementValue():
                return self._statement_value(node, span)
            case syntax.Generic():
                return self.operand(selected(self, node))
            case syntax.OffsetOf():
                return self._offset_of(node, span)
            case syntax.NextArgument(list=list_, type=type_):
                return next_argument(self, list_, self.type_of(type_), span)

    # Names and literals

    def _name(self, node: syntax.Name, span: Span) -> Expression | Lvalue:
        binding = self.find(node.name)
        self.refuse_absent(node.name, binding, span)
        match binding:
            case tree.Object():
                return tree.Variable(span, binding.type, binding)
            case EnumConstant(value, type_):
                return tree.IntegerConstant(span, type_, value, node.name)
            case FunctionName(name):
                return tree.FunctionAddress(span, Pointer(self.functions[name].type), name)
            case Typedef():
                raise self.error(node, f"{node.name!r} is a type, not a value")
            case None:
                pass
        if node.name in _FUNCTION_WORDS and self.body is not None:
            function = self.body.name.partition("#")[0]
            return self._text(f'"{function}"', span, (node.name, self.body.name))
        raise self.error(node, f"{node.name!r} is not declared")

    def _text(self, text: str, span: Span, name: tuple[str, ...] = ()) -> tree.StringLiteral:
        """Equal literals are one object, as gcc has it; the name of a function is one for each `name`."""
        values, character = string_literal(text, self.model)
        type_ = Array(character, len(values))
        return self.literals.setdefault((type_, values, name), tree.StringLiteral(span, type_, values))

    def _literal(self, node: syntax.Number | syntax.Character | syntax.String, span: Span) -> Expression | Lvalue:
        if isinstance(node, syntax.String):
            return self._text(node.text, span)
        if isinstance(node, syntax.Number) and node.floating:
            text, float_ = float_literal(node.text)
            return tree.FloatConstant(span, float_, text)
        read = integer_literal if isinstance(node, syntax.Number) else character_literal
        try:
            value, type_ = read(node.text, self.model)
        except (ValueError, KeyError, IndexError) as error:
            raise self.error(node, f"malformed constant: {error}") from None
        return tree.IntegerConstant(span, type_, value, "" if isinstance(node, syntax.Number) else node.text)

    # Operators

    def _prefix(self, node: syntax.Prefix, span: Span) -> Expression | Lvalue:
        match node.operator:
            case "++" | "--":
                return self._increment(node, tree.Position.PREFIX, span)
            case "&":
                return self.address(self.operand(node.operand), span)
            case "*":
                return self.dereference(self.value(node.operand), span)
            case _:
                return self._arithmetic_prefix(node, span)

    def _arithmetic_prefix(self, node: syntax.Prefix, span: Span) -> Expression:
        value = self.value(node.operand)
        if node.operator == "!":
            return tree.Unary(span, self.int_, tree.UnaryOperator.NOT, self.condition_value(value))
        value = self.promoted(value)
        if not (isinstance(value.type, Integer) or (node.operator != "~" and is_arithmetic(value.type))):
            raise self.error(node, f"{node.operator} cannot have an operand of type {value.type}")
        if node.operator == "+":
            return value
        return tree.Unary(span, value.type, tree.UnaryOperator(node.operator), value)

    def _increment(self, node: syntax.Prefix | syntax.Postfix, position: tree.Position, span: Span) -> Expression:
        target = self.lvalue(node.operand)
        operator = BinaryOperator.ADD if node.operator == "++" else BinaryOperator.SUBTRACT
        read = self.promoted(self.decayed(target))
        if not is_scalar(target.type):
            raise self.error(node, f"{node.operator} cannot have an operand of type {target.type}")
        if isinstance(target.type, Pointer):
            self.complete_target(target.type, span)
        return tree.Increment(span, unqualified(target.type), operator, position, target, read.type)

    def _infix(self, node: syntax.Infix, span: Span) -> Expression:
        left, right = self.value(node.left), self.value(node.right)
        if node.operator in ("&&", "||"):
            operator = tree.LogicalOperator(node.operator)
            return tree.Logical(span, self.int_, operator, self.condition_value(left), self.condition_value(right))
        return self.binary(BinaryOperator(node.operator), left, right, span)

    def _assignment(self, node: syntax.Assignment, span: Span) -> Expression:
        target = self.lvalue(node.target)
        if isinstance(target.type, Array | Signature | Void):
            raise self.error(node.target, f"a value of type {target.type} cannot be assigned to")
        value = self.value(node.value)
        if node.operator == "=":
            return tree.Assign(span, unqualified(target.type), target, self.assigned(value, target.type))
        operator = BinaryOperator(node.operator[:-1])
        read = self.promoted(self.decayed(target))
        value = self.promoted(value)
        if isinstance(target.type, Pointer):
            additive = operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT)
            if not additive or not isinstance(value.type, Integer):
                raise self.error(node, f"{node.operator} cannot change a pointer by {value.type}")
            self.complete_target(target.type, span)
            return tree.CompoundAssign(span, read.type, operator, target, value, read.type)
        integers = isinstance(read.type, Integer) and isinstance(value.type, Integer)
        if not (integers or (operator not in INTEGERS_ONLY and is_arithmetic(read.type) and is_arithmetic(value.type))):
            raise self.error(node, f"{node.operator} cannot have operands of types {target.type} and {value.type}")
        if operator in SHIFTS:
            return tree.CompoundAssign(span, unqualified(target.type), operator, target, value, read.type)
        computation = self.common(read.type, value.type)
        value, type_ = self.converted(value, computation), unqualified(target.type)
        return tree.CompoundAssign(span, type_, operator, target, value, computation)

    def _value_or(self, node: syntax.Otherwise, span: Span) -> Expression:
        """`a ?: b` keeps `a` in a hidden variable; outside of functions, a constant is read twice."""
        value, otherwise = self.promoted(self.value(node.value)), self.value(node.otherwise)
        if self.body is None:
            return self.choice(value, self.promoted(self.value(node.value)), otherwise, span)
        variable = self.local(".value", value.type, tree.Storage.AUTOMATIC, value.span)
        initialiser = tree.Initialiser(value.span, (tree.InitialiserEntry((), value),), zero_fill=False)
        block = tree.Compound(value.span, (tree.Declaration(value.span, variable, initialiser),))
        condition, then = (self.decayed(tree.Variable(value.span, value.type, variable)) for _ in range(2))
        chosen = self.choice(condition, then, otherwise, span)
        return tree.StatementExpression(span, chosen.type, block, chosen)

    def _sequence(self, node: syntax.Sequence) -> Expression:
        result = self.value(node.parts[0])
        for part in node.parts[1:]:
            value = self.value(part)
            span = self.prepared.span(node.first, part.last)
            result = value if _means_nothing(result) else tree.Comma(span, value.type, result, value)
        return result

    def _cast(self, node: syntax.Cast, span: Span) -> Expression:
        type_, value = unqualified(self.type_of(node.type)), self.value(node.operand)
        if isinstance(type_, Void):
            return tree.Convert(span, type_, value, explicit=True)
        if isinstance(type_, Record) and type_ == value.type:
            return value
        if isinstance(type_, Record) and type_.kind is RecordKind.UNION:
            return self.assigned(value, type_)
        if not is_scalar(type_) or not is_scalar(value.type):
            raise self.error(node, f"a value of type {value.type} cannot be cast to {type_}")
        if {type(type_), type(value.type)} == {Pointer, Float}:
            raise self.error(node, f"a value of type {value.type} cannot be cast to {type_}")
        return tree.Convert(span, type_, value, explicit=True)

    # Sizes

    def _size_of(self, node: syntax.SizeOf, span: Span) -> Expression:
        if isinstance(node.operand, syntax.TypeSyntax):
            type_ = self.type_of(node.operand)
        else:
            type_ = self.type_of_operand(node.operand)
        if node.operator != "sizeof":
            align = self.align_of if node.operator == "_Alignof" else self.preferred_align_of
            own = self.own_alignment(node.operand) if isinstance(node.operand, syntax.TypeSyntax) else None
            return tree.IntegerConstant(span, self.model.size_type, max(own or 1, align(node, type_)))
        return self._size(node, type_, span)

    def type_of_operand(self, node: syntax.ExpressionSyntax) -> CType:
        """Of an operand of `sizeof` or `typeof`, which is not evaluated."""
        pending = list(self.pending)
        operand = self.operand(node)
        self.pending[:] = pending
        if isinstance(operand, tree.Member) and operand.field.width is not None:
            raise self.error(node, "this cannot be asked of a bit-field")
        type_ = operand.type
        designates = isinstance(node, syntax.Name) or (isinstance(node, syntax.Prefix) and node.operator == "*")
        if designates and not isinstance(operand, Lvalue) and isinstance(type_, Pointer):
            return type_.target if isinstance(type_.target, Signature) else type_
        return type_

    def _size(self, node: syntax.Syntax, type_: CType, span: Span) -> Expression:
        """In bytes; for a variable-length array, computed from its hidden lengths."""
        if not isinstance(type_, Array) or not _varies(type_):
            return tree.IntegerConstant(span, self.model.size_type, self.size_of(node, type_))
        element = self._size(node, type_.element, span)
        count: Expression
        if isinstance(type_.length, VariableLength):
            variable = self.lengths[type_.length.variable]
            count = tree.Load(span, variable.type, tree.Variable(span, variable.type, variable))
        else:
            count = tree.IntegerConstant(span, self.model.size_type, type_.length or 0)
        return tree.Binary(span, self.model.size_type, BinaryOperator.MULTIPLY, count, element)

    def _offset_of(self, node: syntax.OffsetOf, span: Span) -> Expression:
        start = tree.Dereference(span, self.type_of(node.type), tree.IntegerConstant(span, self.model.size_type, 0))
        constant, parts = self._offset(node, self._path(node.path, start))
        offset: Expression = tree.IntegerConstant(span, self.model.size_type, constant)
        for index, size in parts:  # gcc allows indices that are not constant
            factor = tree.IntegerConstant(span, self.model.size_type, size)
            part = self.binary(BinaryOperator.MULTIPLY, self.converted(index, self.model.size_type), factor, span)
            offset = self.binary(BinaryOperator.ADD, offset, part, span)
        return offset

    def _path(self, node: syntax.ExpressionSyntax, start: Lvalue) -> Lvalue:
        span = self.span(node)
        match node:
            case syntax.Name(name=name):
                return self._part_of(start, name, node)
            case syntax.Selection(base=base, field=name):
                return self._part_of(self._path(base, start), name, node)
            case syntax.Subscript(base=base, index=index):
                array = self._path(base, start)
                if isinstance(array.type, Array):
                    return tree.Index(span, array.type.element, array, self.value(index))
            case _:
                pass
        raise self.error(node, "this is no member")

    def _offset(self, node: syntax.Syntax, lvalue: Lvalue) -> tuple[int, list[tuple[Expression, int]]]:
        """The constant part of an offset, and the other indices with the sizes of their elements."""
        constant, parts = 0, list[tuple[Expression, int]]()
        while isinstance(lvalue, tree.Member | tree.Index):
            if isinstance(lvalue, tree.Member):
                constant, lvalue = constant + lvalue.field.offset, lvalue.base
                continue
            count, size = fold(lvalue.index), self.size_of(node, lvalue.type)
            constant += 0 if count is None else count * size
            parts += [(lvalue.index, size)] if count is None else []
            lvalue = lvalue.array
        return constant, parts

    # Calls

    def _call(self, node: syntax.CallSyntax, span: Span) -> Expression:
        special = self._special_call(node, span)
        if special is not None:
            return special
        function = self._called(node.function)
        if not (isinstance(function.type, Pointer) and isinstance(function.type.target, Signature)):
            raise self.error(node, f"a value of type {function.type} cannot be called")
        type_ = function.type.target
        given = [self.value(argument) for argument in node.arguments]
        if self.is_open(type_.result):
            raise self.error(node, f"the result type {type_.result} is incomplete")
        return tree.Call(span, unqualified(type_.result), function, self._arguments(node, type_, given))

    def _arguments(
        self, node: syntax.CallSyntax, type_: Signature, given: Sequence[Expression]
    ) -> tuple[Expression, ...]:
        if not type_.prototype:
            return tuple(self.argument(value) for value in given)
        wanted = len(type_.parameters)
        if len(given) < wanted or (len(given) > wanted and not type_.variadic):
            plural = "" if wanted == 1 else "s"
            raise self.error(node, f"the function takes {wanted} argument{plural}, but is given {len(given)}")
        fixed = [self.assigned(value, parameter) for value, parameter in zip(given, type_.parameters, strict=False)]
        return (*fixed, *(self.argument(value) for value in given[wanted:]))

    def _called(self, node: syntax.ExpressionSyntax) -> Expression:
        if isinstance(node, syntax.Name) and self.find(node.name) is None:
            self._declare_implicitly(node)
        return self.value(node)

    def _declare_implicitly(self, node: syntax.Name) -> None:
        """A function that is called before any declaration: gcc knows some, others take anything and return int."""
        known = builtin_type(node.name, self.model)
        if known is None:
            self.diagnostics.warn(self.span(node), f"{node.name!r} is called but not declared: it returns int")
        type_ = known or Signature(self.int_, (), variadic=False, prototype=False)
        name = self.defined.name(node.name)
        self.functions.setdefault(name, FunctionState(name, type_, self.span(node)))
        self.scopes[0].names.setdefault(node.name, FunctionName(name))

    def _special_call(self, node: syntax.CallSyntax, span: Span) -> Expression | None:
        """Calls whose meaning is no call: `__builtin_expect`, and the truth of what an undefined `assert` asserts."""
        if not isinstance(node.function, syntax.Name):
            return None
        name = node.function.name
        function = library_function(name)
        is_fitting = function.operands in (None, len(node.arguments))
        if function.operation is not None and is_fitting and (done := self._operation(node, function.operation, span)):
            return done
        if "_overflow" in name and name.startswith((BUILTIN, "__CPROVER_")):
            return overflow_call(self, node, name, span) or tree.UnsupportedExpression(span, self.int_, f"{name} here")
        if name.startswith(("__CPROVER_", "klee_")):
            return harness_call(self, node, name, span)
        if name.startswith(_UNKNOWN) and self.defined.name(name) not in self.defined.functions:
            made = atomic_call(self, node, name, span) or float_call(self, node, name, span)
            if made is not None:
                return made
            if builtin_type(name, self.model) is None:
                return tree.UnsupportedExpression(span, self.int_, f"{name} is not supported")
        return None

    def _operation(self, node: syntax.CallSyntax, operation: LanguageOperation, span: Span) -> Expression | None:
        """The operation of the language that a call is, if nothing else has its name."""
        match operation:
            case LanguageOperation.EXPECT:
                long = self.model.integer(IntegerKind.LONG)
                return self.converted(self.assigned(self.value(node.arguments[0]), long), long)
            case LanguageOperation.CONSTANT:
                return self._is_constant(self.value(node.arguments[0]), span)
            case LanguageOperation.CHOOSE:
                chosen = self.constant(node.arguments[0])
                if chosen is None:
                    raise self.error(node, "the first argument must be constant")
                return self.value(node.arguments[1 if chosen else 2])
            case LanguageOperation.PREFETCH:
                return self.discarded(self.value(node.arguments[0])) if node.arguments else None
            case LanguageOperation.LIST_START | LanguageOperation.LIST_COPY | LanguageOperation.LIST_END:
                return argument_list_call(self, node, operation, span)
            case LanguageOperation.ASSERT:
                return self._asserted(node, span)
            case LanguageOperation.INFINITY | LanguageOperation.NOT_A_NUMBER:
                signature = (
                    builtin_type(node.function.name, self.model) if isinstance(node.function, syntax.Name) else None
                )
                if signature is None or not isinstance(signature.result, Float):
                    return None
                make = infinity if operation is LanguageOperation.INFINITY else not_a_number
                return make(span, signature.result)
            case LanguageOperation.CLAIM:
                return None

    def _asserted(self, node: syntax.CallSyntax, span: Span) -> Expression | None:
        """The call of an `assert` that is not defined, with the truth of what it asserts."""
        assert isinstance(node.function, syntax.Name)
        name = node.function.name
        if self.defined.name(name) in self.defined.functions or not isinstance(self.find(name), FunctionName | None):
            return None
        truth = self.truth(self.value(node.arguments[0]))
        type_ = Signature(Void(), (self.int_,), variadic=False, prototype=True)
        self.functions[name] = FunctionState(name, type_, self.span(node.function))
        self.scopes[0].names[name] = FunctionName(name)
        function = tree.FunctionAddress(self.span(node.function), Pointer(type_), name)
        return tree.Call(span, Void(), function, (truth,))

    def _is_constant(self, e: Expression, span: Span) -> Expression:
        """The answer of gcc at any level of optimisation, or at none for what is read from memory or called."""
        inner = e
        while isinstance(inner, tree.Convert):
            inner = inner.operand
        known = fold(e) is not None or (isinstance(inner, tree.Decay) and isinstance(inner.lvalue, tree.StringLiteral))
        if not known and not isinstance(inner, tree.Load | tree.Call | tree.AddressOf | tree.Decay):
            return tree.UnsupportedExpression(span, self.int_, "__builtin_constant_p of such an expression")
        return tree.IntegerConstant(span, self.int_, int(known))

    # Parts of objects

    def _subscript(self, node: syntax.Subscript, span: Span) -> Expression | Lvalue:
        base, index = self.value(node.base), self.value(node.index)
        if isinstance(index.type, Pointer):
            base, index = index, base
        if not isinstance(base.type, Pointer) or not isinstance(index.type, Integer):
            raise self.error(node, f"a value of type {base.type} has no elements")
        if isinstance(base.type.target, Void | Signature):
            raise self.error(node, f"{base.type.target} has no elements")
        return self.dereference(self.offset(BinaryOperator.ADD, base, index, span), span)

    def _selection(self, node: syntax.Selection, span: Span) -> Lvalue:
        place = self.span(node.base)
        base = self.dereference(self.value(node.base), place) if node.arrow else self.operand(node.base)
        if not isinstance(base, Lvalue):
            base = tree.Temporary(base.span, base.type, base)
        return self._part_of(base, node.field, node)

    def _part_of(self, base: Lvalue, name: str, node: syntax.Syntax) -> Lvalue:
        if not isinstance(base.type, Record):
            raise self.error(node, f"a value of type {base.type} has no members")
        if self.is_open(base.type):
            raise self.error(node, f"{base.type} is incomplete")
        path = member_path(base.type, name)
        if not path:
            raise self.error(node, f"{base.type} has no member {name!r}")
        span = self.span(node)
        for field in path:
            base = tree.Member(span, qualified(field.type, qualifiers_of(base.type)), base, field)
        return base

    def _compound_literal(self, node: syntax.Literal, span: Span) -> Lvalue:
        type_, initialiser = self.initialiser(self.type_of(node.type), node.value)
        if self.body is None:
            return self._static_literal(type_, initialiser, span)
        object_ = self.local(tree.COMPOUND_LITERAL, type_, tree.Storage.AUTOMATIC, span)
        return tree.CompoundLiteral(span, type_, object_, initialiser)

    def _static_literal(self, type_: CType, initialiser: tree.Initialiser, span: Span) -> Lvalue:
        """Outside of functions, it lives as long as the program."""
        object_ = self.local(tree.COMPOUND_LITERAL, type_, tree.Storage.STATIC, span)
        if is_const(type_):
            self.constant_objects.add(object_.name)
        self.globals[object_.name] = tree.Declaration(span, object_, initialiser)
        return tree.Variable(span, type_, object_)

    def _statement_value(self, node: syntax.StatementValue, span: Span) -> Expression:
        if self.body is None:
            raise self.error(node, "a statement expression must be in a function")
        asserted = self._expanded_assert(node, span)
        if asserted is not None:
            return asserted
        items = list(node.body.items)
        last = items.pop() if items and isinstance(items[-1], syntax.Simple | syntax.LabelSyntax) else None
        while isinstance(last, syntax.LabelSyntax):
            nothing = syntax.Nothing(last.first, last.first)
            items.append(syntax.LabelSyntax(last.first, last.first, last.label, nothing))
            last = last.statement
        if last is not None and not isinstance(last, syntax.Simple):
            items.append(last)
        with self.scope():
            before = self.pending
            self.pending = []
            statements = self.statements(items)
            value = self.value(last.expression) if isinstance(last, syntax.Simple) else None
            statements += self.pending
            self.pending = before
        if value is not None and isinstance(value.type, Void):
            statements, value = [*statements, tree.ExpressionStatement(value.span, value)], None
        block = tree.Compound(self.span(node.body), tuple(statements))
        if value is None:
            return tree.StatementExpression(span, Void(), block, None)
        return tree.StatementExpression(span, value.type, block, value)

    def _expanded_assert(self, node: syntax.StatementValue, span: Span) -> Expression | None:
        """glibc's `({ if (e) ; else __assert_fail(…); })` is `e ? (void) 0 : __assert_fail(…)`."""
        match node.body.items:
            case (
                syntax.IfSyntax(condition=condition, then=syntax.Nothing(), otherwise=syntax.Simple(expression=call)),
            ):
                holds = self.condition(condition)
                nothing = self.discarded(tree.IntegerConstant(holds.span, self.int_, 0))
                return tree.Conditional(span, Void(), holds, nothing, self.discarded(self.value(call)))
            case _:
                return None


def member_path(record: Record, name: str) -> tuple[Field, ...]:
    """The fields that lead to a member, through unnamed structs and unions; empty where there is no such member."""
    for field in record.layout.fields:
        if field.name == name:
            return (field,)
    for field in record.layout.fields:
        if field.name.startswith("#") and isinstance(field.type, Record):
            rest = member_path(field.type, name)
            if rest:
                return (field, *rest)
    return ()


def first_fields(record: Record) -> tuple[Field, ...]:
    """The members that an initialiser without designators fills: of a union only the first."""
    fields = record.layout.fields
    return fields[:1] if record.kind is RecordKind.UNION else fields


def _varies(type_: CType) -> bool:
    return isinstance(type_, Array) and (isinstance(type_.length, VariableLength) or _varies(type_.element))


def _means_nothing(value: Expression) -> bool:
    """`(void) sizeof …`, which glibc's assert begins with."""
    return isinstance(value, tree.Convert) and value.type == Void() and isinstance(value.operand, tree.IntegerConstant)
