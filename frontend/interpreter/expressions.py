"""Compiles expressions of the typed tree to Python text.

Each method that walks a part of unbounded depth is a generator: it yields the walks it needs and is sent their results
(see `trampoline`). An expression without effects that is small becomes one Python expression; effects, calls and large
operands become lines in front of it, from left to right: where another order makes a difference, the tree has a choice.
"""

from __future__ import annotations

from collections.abc import Generator

from core.program.properties import CheckKind
from core.program.span import Span
from frontend.interpreter import float_text
from frontend.interpreter.address_text import call_kinds, changes_kind, product, takes, total
from frontend.interpreter.image import Image
from frontend.interpreter.integers import (
    COMPARISONS,
    arithmetic,
    checked,
    converted,
    is_constant,
    returned,
    wrapped,
)
from frontend.interpreter.iterative_walk import ExpressionSizes
from frontend.interpreter.python_blocks import CodeBuilder
from frontend.libc.texts import ANY_NUMBER, FLOAT_STEP
from frontend.properties.errors import ErrorPolicy
from frontend.typed import tree
from frontend.typed.alignment import needed_alignment
from frontend.typed.casts import as_pointers, is_null
from frontend.typed.changes import entered_type, kept_type, loses, may_change
from frontend.typed.copies import copied_character, needs_no_value
from frontend.typed.ctype import (
    Array,
    CType,
    Field,
    Float,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    Signature,
    VariableLength,
    Void,
)
from frontend.typed.floats import is_decided
from frontend.typed.lvalues import root
from frontend.typed.nonnull import never_null
from frontend.typed.promises import never_returns
from frontend.typed.qualifiers import may_share
from frontend.typed.restricted import based_on
from frontend.typed.tree import BinaryOperator

Trampolined = Generator["Trampolined", str, str]


def trampoline(walk: Trampolined) -> str:
    """Run a walk and those that it yields, on an explicit stack."""
    stack = [walk]
    returned: str | None = None
    while True:
        try:
            stack.append(next(stack[-1]) if returned is None else stack[-1].send(returned))
            returned = None
        except StopIteration as stop:
            stack.pop()
            returned = str(stop.value)
            if not stack:
                return returned


class ExpressionCompiler:
    """Generates the expressions of one function into `blocks`."""

    def __init__(
        self, image: Image, policy: ErrorPolicy, sizes: ExpressionSizes, blocks: CodeBuilder, places: dict[str, str]
    ) -> None:
        self.image = image
        self.model = image.model
        self.policy = policy
        self.sizes = sizes
        self.blocks = blocks
        self.places = places  # of the locals: their slots, or the slots that hold their addresses
        self.unset: frozenset[str] = frozenset()  # the locals that may have no value
        self.followed: frozenset[str] = frozenset()  # parameters that are `restrict`, beside which nothing is accessed
        self.watch = ""  # the slot that notes the accesses, where there are some
        self.library = ""  # the function of the library for a call of which this is a body

    # Values

    def value(self, e: tree.Expression) -> Trampolined:
        """The text of the value; a pure text is evaluated once, at once."""
        text = yield self.unseen_value(e)
        return text if is_constant(text) else self.seen(text, e.span)

    def seen(self, text: str, span: Span) -> str:
        """A text whose evaluation is noted, where somebody watches for this piece of the source."""
        return f"seen({text}, {self.image.at(span)})" if span in self.image.watched else text

    def unseen_value(self, e: tree.Expression) -> Trampolined:
        if isinstance(e.type, Float) and not is_decided(e.type, self.model):
            return f"unsupported({self.image.span(e)}, {str(e.type)!r})"
        match e:
            case tree.IntegerConstant(value=value):
                return str(value)
            case tree.FunctionAddress(function=name):
                return str(self.image.function_address(name))
            case tree.Load(lvalue=lvalue):
                text = yield self.load(lvalue)
            case tree.AddressOf(lvalue=lvalue) | tree.Decay(lvalue=lvalue):
                text = self.aligned(e, (yield self.address(lvalue, 1)))
            case tree.Convert():
                text = yield self.convert(e)
            case tree.Unary():
                text = yield self.unary(e)
            case tree.Binary() | tree.PointerOffset() | tree.PointerDifference():
                text = yield self.binary(e)
            case tree.Logical() | tree.Conditional():
                text = yield self.choice(e)
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                text = yield self.assignment(e)
            case tree.Call():
                return (yield self.call(e, is_used=True))
            case tree.Comma(left=left, right=right):
                yield self.effect(left)
                return (yield self.value(right))
            case tree.StatementExpression():
                return (yield self.statement_expression(e))
            case tree.PassedArguments() | tree.NextArgument():
                raise TypeError("these have become other code")
            case tree.UnsupportedExpression(reason=reason):
                return f"unsupported({self.image.span(e)}, {reason!r})"
            case tree.FloatConstant():
                return float_text.constant(e) or f"unsupported({self.image.span(e)}, 'a constant of so many digits')"
        return text if self.sizes.small(e) else self.kept(text)

    def statement_expression(self, e: tree.StatementExpression) -> Trampolined:
        yield self.items(e.body)
        return (yield self.value(e.value)) if e.value is not None else "0"

    def items(self, s: tree.Compound) -> Trampolined:
        raise NotImplementedError  # the statements are in the subclass

    def kept(self, text: str) -> str:
        """A text that later effects do not change."""
        if is_constant(text):
            return text
        temporary = self.blocks.temporary()
        self.blocks.emit(f"{temporary} = {text}")
        return temporary

    def atomic(self, text: str) -> str:
        """A text that may be written twice."""
        return text if is_constant(text) or text.startswith(("f[", "g[")) else self.kept(text)

    def operands(self, *parts: tree.Expression) -> Generator[Trampolined, str, list[str]]:
        """The values of operands, from left to right."""
        texts: list[str] = []
        for position, part in enumerate(parts):
            text = yield self.value(part)
            later = all(self.sizes.small(other) for other in parts[position + 1 :])
            texts.append(text if later else self.kept(text))
        return texts

    def condition(self, e: tree.Expression) -> Trampolined:
        """A text whose truth is that of `e != 0`."""
        match e:
            case tree.Unary(operator=tree.UnaryOperator.NOT, operand=operand):
                text = f"(not {(yield self.condition(operand))})"
            case tree.Binary(left=left, right=right) if isinstance(left.type, Float):
                text = float_text.comparison(e.operator, left.type, *(yield from self.operands(left, right)))
            case tree.Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
                a, b = self.compared(e, *(yield from self.operands(left, right)))
                text = f"({a} {COMPARISONS[operator]} {b})"
            case tree.Logical(operator=operator, left=left, right=right) if self.sizes.small(e):
                word = "and" if operator is tree.LogicalOperator.AND else "or"
                text = f"({(yield self.condition(left))} {word} {(yield self.condition(right))})"
            case tree.Convert(type=Integer(), operand=operand) if self._keeps_truth(e):
                return (yield self.condition(operand))
            case _ if isinstance(e.type, Float):
                return float_text.truth((yield self.value(e)))
            case _:
                return (yield self.value(e))
        return self.seen(text, e.span)

    def _keeps_truth(self, e: tree.Convert) -> bool:
        if not isinstance(e.type, Integer) or not isinstance(e.operand.type, Integer):
            return False
        if self.asks(CheckKind.CONVERSION) and may_change(e):
            return False
        return e.type.bits >= e.operand.type.bits or e.type.kind is IntegerKind.BOOL

    def unary(self, e: tree.Unary) -> Trampolined:
        if e.operator is tree.UnaryOperator.NOT:
            return f"(0 if {(yield self.condition(e.operand))} else 1)"
        text = yield self.value(e.operand)
        if isinstance(e.type, Float):
            return float_text.opposite(e.type, text)
        assert isinstance(e.type, Integer)
        if e.operator is tree.UnaryOperator.COMPLEMENT:
            return f"(~{text})" if e.type.signed else f"({text} ^ {e.type.maximum})"
        return checked(f"-({text})", e.type, self.image.span(e), not self.asks(CheckKind.UNSIGNED))

    def convert(self, e: tree.Convert) -> Trampolined:
        if isinstance(e.type, Void):
            yield self.effect(e.operand)
            return "0"
        text = yield self.value(e.operand)
        if isinstance(e.type, Float) or isinstance(e.operand.type, Float):
            return self.float_converted(text, e.operand.type, e.type, self.image.span(e))
        if isinstance(e.type, Record | Array | Signature):
            return text
        if self.image.is_closed and text != "0" and changes_kind(e.operand.type, e.type):
            text = f"cast({text}, {self.image.span(e)})"
        if may_change(e):
            text = self.unchanged(text, e.operand.type, e.type, self.image.span(e))
        return self.aligned(e, converted(text, e.operand.type, e.type, self.model))

    def asks(self, kind: CheckKind) -> bool:
        """Whether a kind of behaviour that C defines is an error here: bodies of the library may have it."""
        return kind in self.policy.kinds and not self.library

    def unchanged(self, text: str, source: CType, target: CType, span: int) -> str:
        """A value that a conversion to `target` must not change, where that is checked."""
        if not self.asks(CheckKind.CONVERSION) or not isinstance(target, Integer) or not loses(source, target):
            return text
        if is_constant(text) and target.holds(int(text)):
            return text
        return f"(v if {target.minimum} <= (v := {text}) <= {target.maximum} else changed(v, {span}))"

    def named(self, text: str, type_: CType, span: int) -> str:
        """A value of an object of this type, which must be an enumerator where that is checked."""
        values = type_.enumerators if isinstance(type_, Integer) and self.asks(CheckKind.ENUM) else ()
        return f"(v if (v := {text}) in {values} else unnamed(v, {span}))" if values else text

    def aligned(self, e: tree.Expression, address: str) -> str:
        """A pointer, which must be aligned for what it points to where that is checked."""
        wanted = needed_alignment(e, self.model) if CheckKind.ALIGNMENT in self.policy.kinds else 1
        return address if wanted == 1 else f"aligned({address}, {wanted}, {self.image.span(e)})"

    def binary(self, e: tree.Binary | tree.PointerOffset | tree.PointerDifference) -> Trampolined:
        match e:
            case tree.Binary(operator=operator, left=left, right=right) if isinstance(left.type, Float):
                a, b = yield from self.operands(left, right)
                if isinstance(e.type, Float):
                    return self.float_result(operator, e.type, a, b, self.image.span(e))
                return f"(1 if {float_text.comparison(operator, left.type, a, b)} else 0)"
            case tree.Binary(operator=operator, left=left, right=right):
                a, b = self.compared(e, *(yield from self.operands(left, right)))
                computation = left.type if isinstance(left.type, Integer) else self.model.size_type
                return arithmetic(operator, computation, a, b, self.image.span(e), not self.asks(CheckKind.UNSIGNED))
            case tree.PointerOffset(operator=operator, pointer=pointer, offset=offset):
                a, b = yield from self.operands(pointer, offset)
                return self.moved(operator, e.type, a, b, self.image.span(e))
            case tree.PointerDifference(left=left, right=right):
                a, b = yield from self.operands(left, right)
                a, b = self.ordered(a, b, self.image.span(e))
                size = self.size(tree.element_type(left.type))
                type_ = self.model.difference_type
                return wrapped(f"(({a} - {b}) // ({size}))", type_.bits, signed=True)

    def float_result(self, operator: BinaryOperator, type_: Float, left: str, right: str, span: int) -> str:
        """The result of an operation on floating-point numbers, which is checked where somebody asks."""
        if any(map(self.asks, (CheckKind.FLOAT_DIVISION, CheckKind.FLOAT_OVERFLOW, CheckKind.NAN))):
            return float_text.checked(operator, type_, left, right, span)
        return float_text.result(operator, type_, left, right)

    def float_converted(self, text: str, source: CType, target: CType, span: int) -> str:
        """A number in another type, which is checked where somebody asks."""
        if self.asks(CheckKind.FLOAT_OVERFLOW) and isinstance(source, Float) and isinstance(target, Float):
            return float_text.narrowed(text, source, target, span)
        return float_text.converted(text, source, target, span)

    def moved(self, operator: BinaryOperator, pointer: CType, address: str, offset: str, span: int) -> str:
        """The address `offset` elements from `address`."""
        bytes_ = product(offset, self.size(tree.element_type(pointer)))
        if CheckKind.POINTER in self.policy.kinds:
            return f"moved({address}, {operator.value}({bytes_}), {span})"
        return f"({address} {operator.value} {bytes_} & {self.image.memory.mask})"

    def compared(self, e: tree.Binary, left: str, right: str) -> tuple[str, str]:
        """Two texts that compare as the operands do, where these are pointers."""
        pointers = as_pointers(e) if e.operator in COMPARISONS else None
        if pointers is None or any(map(is_null, pointers)):
            return left, right
        if e.operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
            return self.ordered(left, right, self.image.span(e))
        return f"apart({left}, {right}, {self.image.span(e)})", "0"

    def ordered(self, left: str, right: str, span: int) -> tuple[str, str]:
        """Two texts in the order of two pointers, which must point into one object where that is checked."""
        if CheckKind.POINTER not in self.policy.kinds:
            return left, right
        return f"gap({left}, {right}, {span})", "0"

    def size(self, type_: CType) -> str:
        """The size in bytes; of a variable-length array, what its length variables say."""
        if isinstance(type_, Array) and isinstance(type_.length, VariableLength):
            return product(self.places[type_.length.variable], self.size(type_.element))
        if isinstance(type_, Array) and type_.length is not None:
            return product(str(type_.length), self.size(type_.element))
        return str(self.model.size_of(type_))

    def choice(self, e: tree.Logical | tree.Conditional) -> Trampolined:
        if self.sizes.small(e):
            if isinstance(e, tree.Logical):
                return f"(1 if {(yield self.condition(e))} else 0)"
            condition = yield self.condition(e.condition)
            then = yield self.value(e.then)
            return f"({then} if {condition} else {(yield self.value(e.otherwise))})"
        blocks, result = self.blocks, self.blocks.temporary()
        first, second, end = blocks.new(), blocks.new(), blocks.new()
        blocks.branch((yield self.condition(e.condition if isinstance(e, tree.Conditional) else e.left)), first, second)
        if isinstance(e, tree.Conditional):
            branches = [(first, e.then), (second, e.otherwise)]
        else:
            conjunction = e.operator is tree.LogicalOperator.AND
            evaluated, decided = (first, second) if conjunction else (second, first)
            blocks.start(decided)
            blocks.emit(f"{result} = {0 if conjunction else 1}")
            blocks.jump(end)
            branches = [(evaluated, e.right)]
        for block, branch in branches:
            blocks.start(block)
            text = yield (self.condition(branch) if isinstance(e, tree.Logical) else self.value(branch))
            blocks.emit(f"{result} = 1 if {text} else 0" if isinstance(e, tree.Logical) else f"{result} = {text}")
            blocks.jump(end)
        blocks.start(end)
        return result

    # Effects

    def effect(self, e: tree.Expression) -> Trampolined:
        """Generate the effects alone."""
        if isinstance(e, tree.Assign | tree.CompoundAssign | tree.Increment):
            text = yield self.assignment(e, is_discarded=True)
        elif isinstance(e, tree.Call):
            text = yield self.call(e, is_used=False)
        elif isinstance(e, tree.Load):
            text = yield self.looked_up(e.lvalue)
        elif isinstance(e, tree.Convert) and isinstance(e.type, Void):
            return (yield self.effect(e.operand))
        else:
            text = yield self.unseen_value(e)
        text = self.seen(text, e.span)
        if not is_constant(text) and not text.startswith(("f[", "g[")):
            self.blocks.emit(text)
        return ""

    def looked_up(self, lvalue: tree.Lvalue) -> Trampolined:
        """An object whose value is not used."""
        if self.slot(lvalue) is not None:
            return "0"
        span = self.image.span(lvalue)
        address = self.watched(lvalue, (yield self.address(lvalue)), False, span)
        return f"load_bytes({address}, {self.size(lvalue.type)}, {span})"

    def assignment(
        self, e: tree.Assign | tree.CompoundAssign | tree.Increment, is_discarded: bool = False
    ) -> Trampolined:
        """Store, and give the value of the whole."""
        slot = self.slot(e.target)
        address = ""
        if slot is None:
            address = self.atomic((yield self.address(e.target)))
        if isinstance(e, tree.Assign):
            if address and not self.sizes.small(e.value):
                address = self.kept(address)
            copied = self.copied(e) if is_discarded and address else None
            if copied is not None:
                source, span = (yield self.address(copied.lvalue)), self.image.span(copied)
                source = self.watched(copied.lvalue, source, False, span)
                data = self.kept(f"load_bytes({source}, {self.size(copied.type)}, {span})")
                address = self.watched(e.target, address, True, self.image.span(e))
                self.blocks.emit(f"store_bytes({address}, {data}, {self.image.span(e)})")
                return "0"
            new, old = self.kept_value((yield self.assigned(e, address)), e.value.type, e), ""
        else:
            new, old = yield from self.updated(e, slot or address)
        if slot is not None:
            self.blocks.emit(f"{slot} = {new}")
            return old or slot
        new = self.seen(self.atomic(new), e.target.span)
        address = self.watched(e.target, address, True, self.image.span(e))
        self.store(e.target, address, new, self.image.span(e))
        return old or self.truncated(e.target, new)

    def assigned(self, e: tree.Assign, address: str) -> Trampolined:
        """The value of an assignment; a struct is not read from an object that overlaps the target in part."""
        is_checked = CheckKind.OVERLAP in self.policy.kinds and not (self.library or e.moves)
        if not is_checked or not isinstance(e.type, Record | Array) or not isinstance(e.value, tree.Load):
            return (yield self.value(e.value))
        source = e.value.lvalue
        place = self.kept(self.watched(source, (yield self.address(source)), False, self.image.span(source)))
        value = self.kept(self.loaded(source, place, self.image.span(source)))
        self.blocks.emit(f"exact({address}, {place}, {self.size(e.type)}, {self.image.span(e)})")
        return value

    def updated(
        self, e: tree.CompoundAssign | tree.Increment, place: str
    ) -> Generator[Trampolined, str, tuple[str, str]]:
        """The new value of the target, and the old one where that is the value of the whole."""
        right = (yield self.value(e.value)) if isinstance(e, tree.CompoundAssign) else "1"
        slot = self.slot(e.target) is not None
        span = self.image.span(e)
        before = self.used(e.target, place, span) if slot else self.loaded(e.target, place, span)
        before = self.named(before, e.target.type, span)
        if before != place:
            right = self.kept(right)  # its faults come before those of the target, as in the lowering
        old = ""
        if isinstance(e, tree.Increment) and e.position is tree.Position.POSTFIX:
            before = old = self.kept(before)
        if isinstance(e.computation, Pointer):
            return self.moved(e.operator, e.computation, before, right, self.image.span(e)), old
        if isinstance(e.computation, Float):
            left = float_text.converted(before, e.target.type, e.computation, span)
            right = (
                float_text.converted(right, e.value.type, e.computation, span)
                if isinstance(e, tree.CompoundAssign)
                else float_text.one(e.computation)
            )
            result = self.float_result(e.operator, e.computation, left, right, span)
            result = self.float_converted(result, e.computation, e.target.type, span)
            return self.kept_value(result, e.target.type, e), old
        assert isinstance(e.computation, Integer)
        before = self.unchanged(before, e.target.type, e.computation, span)
        left = converted(before, e.target.type, e.computation, self.model)
        result = arithmetic(e.operator, e.computation, left, right, span, not self.asks(CheckKind.UNSIGNED))
        result = self.kept_value(result, e.computation, e)
        return converted(result, e.computation, e.target.type, self.model), old

    def kept_value(self, text: str, source: CType, e: tree.Assign | tree.CompoundAssign | tree.Increment) -> str:
        """A value that an object keeps: one that it holds, and has a name for, where that is checked."""
        span = self.image.span(e)
        return self.named(self.unchanged(text, source, kept_type(e.target), span), e.target.type, span)

    def call(self, e: tree.Call, is_used: bool) -> Trampolined:
        span = self.image.span(e)
        direct = e.function.function if isinstance(e.function, tree.FunctionAddress) else None
        callee = "" if direct else self.kept((yield self.value(e.function)))
        arguments = yield from self.operands(*e.arguments)
        for position in never_null(self.image.unit, e) if self.asks(CheckKind.NONNULL) and not self.library else ():
            arguments[position] = self.kept(f"present({arguments[position]}, {span})")
        every = f"({''.join(text + ', ' for text in arguments)})"
        kind = self.image.record(e.type)
        if direct and self.policy.is_error(direct):
            self.blocks.emit(f"fail({span})")
            return "0"
        if direct is not None and not self.image.allows(e, direct, self.policy):
            self.blocks.emit(f"mistyped({span})")
            return "0"
        if direct is not None and self.image.unit.functions[direct].body is None:
            if direct.startswith(ANY_NUMBER):
                direct = self.library
            elif direct.startswith(FLOAT_STEP):
                return float_text.step(direct.removeprefix(FLOAT_STEP), arguments)
            result = f"extern({direct!r}, {every}, {span}, {kind})"
            return self.kept(returned(result, e.type, self.model))
        self.check_types(e, direct, callee)
        after = self.blocks.new()
        self.blocks.leave(
            f"return call({direct!r}, {after}, {every}, {span})"
            if direct
            else f"return call_at({callee}, {after}, {every}, {span}, {kind}, {self.image.call(e)})"
        )
        self.blocks.start(after)
        if not direct and never_returns(e.function.type):
            self.blocks.emit(f"never_returns({span})")
        is_checked = is_used and CheckKind.RETURN in self.policy.kinds and not isinstance(e.type, Void)
        given = f"needed(result[0], {span})" if is_checked else "result[0]"
        given = given if direct else returned(given, e.type, self.model)
        return self.kept(given) if not isinstance(e.type, Void) else "0"

    def check_types(self, e: tree.Call, direct: str | None, callee: str) -> None:
        """Check that a function thinks of addresses as its caller does, where they are kept apart from numbers."""
        kinds = call_kinds(e)
        if not self.image.is_closed or (direct is not None and takes(self.image.unit.functions[direct], kinds)):
            return
        address = callee if direct is None else self.image.function_address(direct)
        self.blocks.emit(f"fits({address}, {kinds!r}, {self.image.span(e)})")

    # Lvalues

    def slot(self, lvalue: tree.Lvalue) -> str | None:
        """The slot of a variable that lies in one."""
        if not isinstance(lvalue, tree.Variable) or not self.image.in_slot(lvalue.object):
            return None
        return self.place(lvalue.object)

    def place(self, variable: tree.Object) -> str:
        return self.places.get(variable.name) or self.image.place(variable)

    def load(self, lvalue: tree.Lvalue) -> Trampolined:
        slot, span = self.slot(lvalue), self.image.span(lvalue)
        if slot is not None:
            return self.named(self.used(lvalue, slot, span), lvalue.type, span)
        address = self.watched(lvalue, (yield self.address(lvalue)), False, span)
        return self.named(self.loaded(lvalue, address, span), lvalue.type, span)

    def watched(self, lvalue: tree.Lvalue, address: str, is_write: bool, span: int) -> str:
        """The address of an access, which is noted where it may be beside a pointer that is `restrict`."""
        if not self.watch or not isinstance(root(lvalue), tree.Dereference | tree.StringLiteral):
            return address
        own = based_on(lvalue, self.followed)
        return f"{self.watch}.at({address}, {self.size(lvalue.type)}, {is_write}, {own!r}, {span})"

    def used(self, lvalue: tree.Lvalue, slot: str, span: int) -> str:
        """The contents of the slot of an lvalue: a value, where that is checked."""
        is_unset = isinstance(lvalue, tree.Variable) and lvalue.object.name in self.unset
        return f"used({slot}, {span})" if is_unset and CheckKind.UNINITIALIZED in self.policy.kinds else slot

    def copied(self, e: tree.Assign) -> tree.Load | None:
        """The scalar that an assignment copies as it is, with or without a value, where values are checked."""
        if CheckKind.UNINITIALIZED not in self.policy.kinds:
            return None
        if self.library and isinstance(e.value, tree.Load) and e.value.type == e.target.type:
            return e.value if self.slot(e.value.lvalue) is None else None
        return copied_character(e, self.image.taken)

    def loaded(self, lvalue: tree.Lvalue, address: str, span: int) -> str:
        """The value that lies at the address of `lvalue`."""
        type_ = lvalue.type
        field = bit_field(lvalue)
        if needs_no_value(lvalue, self.image.taken):
            return f"load_byte({address}, {span})"
        if field is not None and isinstance(type_, Integer):
            return f"load_bits({address}, {field.bit_offset}, {field.width}, {type_.signed}, {span})"
        match type_:
            case Integer(kind=IntegerKind.BOOL):
                return f"truth(load8u({address}, {span}), {span})"
            case Integer(signed=signed):
                return f"load{self.image.bits(type_)}{'s' if signed else 'u'}({address}, {span})"
            case Pointer():
                name = "load_pointer" if self.image.is_closed else f"load{self.image.bits(type_)}u"
                return f"{name}({address}, {span})"
            case Float():
                return f"load_float({address}, {type_.kind.value!r}, {span})"
            case _:
                return f"load_bytes({address}, {self.size(type_)}, {span})"

    def store(self, lvalue: tree.Lvalue, address: str, text: str, span: int) -> None:
        field = bit_field(lvalue)
        if field is not None:
            self.blocks.emit(f"store_bits({address}, {field.bit_offset}, {field.width}, {text}, {span})")
        else:
            self.store_part(lvalue.type, address, text, span)

    def store_part(self, type_: CType, address: str, text: str, span: int) -> None:
        match type_:
            case Pointer() if self.image.is_closed:
                self.blocks.emit(f"store_pointer({address}, {text}, {span})")
            case Integer() | Pointer():
                self.blocks.emit(f"store{self.image.bits(type_)}({address}, {text}, {span})")
            case Float():
                self.blocks.emit(f"store_float({address}, {text}, {type_.kind.value!r}, {span})")
            case _:
                self.blocks.emit(f"store_bytes({address}, {text}, {span})")

    def truncated(self, lvalue: tree.Lvalue, text: str) -> str:
        """The value that reading the target gives after `text` was stored."""
        field = bit_field(lvalue)
        if field is None or field.width is None or not isinstance(lvalue.type, Integer):
            return text
        return wrapped(text, field.width, signed=lvalue.type.signed)

    def address(self, lvalue: tree.Lvalue, beyond: int = 0) -> Trampolined:
        """The address of the object; an index may be that of the end of its array, where `beyond` is 1."""
        match lvalue:
            case tree.Variable(object=variable):
                return self.place(variable)
            case tree.Index():
                return (yield self.element(lvalue, beyond))
            case tree.Member(base=base, field=field):
                return total((yield self.address(base)), field.offset)
            case tree.Dereference(pointer=pointer):
                return (yield self.value(pointer))
            case tree.StringLiteral():
                return str(self.image.literal(lvalue))
            case tree.CompoundLiteral(object=variable, initialiser=initialiser):
                self.evaluated(variable)
                yield self.initialise(variable, initialiser)
                if may_share(variable) and not self.image.in_slot(variable):
                    self.blocks.emit(f"share({self.place(variable)})")
                return self.place(variable)
            case tree.Temporary(value=value):
                text = yield self.value(value)
                place = self.blocks.temporary()
                self.blocks.emit(f"{place} = local(f, {self.size(lvalue.type)}, 'a temporary')")
                self.store_part(lvalue.type, place, text, self.image.span(lvalue))
                return place

    def evaluated(self, literal: tree.Object) -> None:
        """Note that a compound literal is evaluated here, in its block."""

    def element(self, lvalue: tree.Index, beyond: int) -> Trampolined:
        base = yield self.address(lvalue.array)
        if not self.sizes.small(lvalue.index):
            base = self.kept(base)
        index = yield self.value(lvalue.index)
        index = self.bounded(lvalue, index, beyond)
        return total(base, product(index, self.size(lvalue.type)))

    def bounded(self, lvalue: tree.Index, index: str, beyond: int) -> str:
        """The index, checked against the length of a declared array.

        Where bounds are no errors of their own, one past the end is an address and what lies there is checked when it
        is accessed, and members are not checked, since the last array of a struct may be a window on more memory.
        """
        is_checked = CheckKind.BOUNDS in self.policy.kinds
        length = self._length(lvalue)
        if length is None or not (is_checked or (is_constant(length) and not isinstance(lvalue.array, tree.Member))):
            return index
        index = index if is_constant(index) else self.seen(index, lvalue.span)
        end = total(length, beyond if is_checked else 1)
        if is_constant(index) and is_constant(end) and 0 <= int(index) < int(end):
            return index
        return f"(v if 0 <= (v := {index}) < {end} else outside(v, {length}, {self.image.span(lvalue)}))"

    def _length(self, lvalue: tree.Index) -> str | None:
        """The declared number of elements of an array; None where there is none."""
        array = lvalue.array.type
        if not isinstance(array, Array) or not array.length:
            return None
        if isinstance(array.length, VariableLength):
            return self.places[array.length.variable]
        return str(array.length)

    # Initialisers

    def initialise(self, variable: tree.Object, initialiser: tree.Initialiser) -> Trampolined:
        place, span = self.place(variable), self.image.span(initialiser)
        if self.image.in_slot(variable):
            for entry in initialiser.entries:
                text = self.entered((yield self.value(entry.value)), entry)
                self.blocks.emit(f"{place} = {text}")
            if not initialiser.entries:
                self.blocks.emit(f"{place} = 0")
            return ""
        if initialiser.zero_fill:
            self.blocks.emit(f"zero({place}, {self.size(variable.type)}, {span})")
        for entry in initialiser.entries:
            offset, field, type_ = self.part(variable.type, entry.path)
            address = total(place, offset)
            text = self.entered((yield self.value(entry.value)), entry)
            if field is not None:
                self.blocks.emit(f"store_bits({address}, {field.bit_offset}, {field.width}, {text}, {span})")
            else:
                self.store_part(type_, address, text, span)
        return ""

    def entered(self, text: str, entry: tree.InitialiserEntry) -> str:
        """A value that a part of an object begins with, as of `kept_value`."""
        type_, span = entered_type(entry), self.image.span(entry.value)
        return self.named(self.unchanged(text, entry.value.type, type_, span), type_, span)

    def part(self, type_: CType, path: tree.Path) -> tuple[int, Field | None, CType]:
        """The offset, the bit-field and the type of a part of an object."""
        offset, field = 0, None
        for step in path:
            if isinstance(step, Field):
                offset, type_ = offset + step.offset, step.type
                field = step if step.width is not None else None
            else:
                type_ = tree.element_type(type_)
                offset += step * self.model.size_of(type_)
        return offset, field, type_

    def indeterminate(self, variable: tree.Object, span: int) -> None:
        """A declaration without initialiser: what was recorded, else 0."""
        number = self.image.add_object(variable)
        if self.image.in_slot(variable):
            self.blocks.emit(f"{self.place(variable)} = scalar({number}, {span})")
        else:
            self.blocks.emit(f"storage({number}, {self.place(variable)}, {span})")


def bit_field(lvalue: tree.Lvalue) -> Field | None:
    return lvalue.field if isinstance(lvalue, tree.Member) and lvalue.field.width is not None else None
