"""Lowering of the statements of one function to control flow between locations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.program import Assign, Function, InputKind
from core.program.properties import CheckKind
from core.program.witness_marks import CLAIM
from core.terms import Term
from frontend.lowering.arithmetic import number_type
from frontend.lowering.calls import CallLowering, result_name, returned_flag
from frontend.lowering.checks.assumed_bounds import assume_inside
from frontend.lowering.checks.edges import Checks
from frontend.lowering.checks.restricted_accesses import begin
from frontend.lowering.checks.scopes import Lifetimes
from frontend.lowering.checks.uninitialised_reads import may_return
from frontend.lowering.context import Cursor, LoweringContext
from frontend.lowering.edge_text import show
from frontend.lowering.expressions import ExpressionLowering
from frontend.lowering.objects import ObjectLowering
from frontend.lowering.records import Records
from frontend.lowering.storage import VariablePlace
from frontend.source import Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Integer, Pointer, Record
from frontend.typed.jumps import Jumps, jumps_of
from frontend.typed.nonnull import returns_no_null
from frontend.typed.tree import ClaimKind


@dataclass(slots=True)
class _Targets:
    """The targets of `break` and `continue`, innermost last, with the number of scopes that are open there."""

    breaks: list[tuple[int, int]] = field(default_factory=list)
    continues: list[tuple[int, int]] = field(default_factory=list)


class FunctionLowering:
    """Lowers the body of one function, or initialisers for a function that the text does not have."""

    def __init__(self, context: LoweringContext, name: str) -> None:
        self._context = context
        self.cursor = Cursor(context, name)
        self._expressions = ExpressionLowering(self.cursor, self, CallLowering)
        self._checks = Checks(self.cursor)
        self._records = Records(self.cursor)
        self._targets = _Targets()
        self._labels: dict[str, int] = {}
        self._cases: dict[int, int] = {}  # id of a Case or Default node -> its location
        self._locals: dict[Term, None] = {}
        self._lifetimes = Lifetimes(self.cursor)
        self.objects = ObjectLowering(self.cursor, self._expressions, self._lifetimes, self._locals)
        self.memory = self.objects.memory

    # Functions

    def function(self, declaration: tree.FunctionDeclaration) -> Function:
        """Lower the definition of a function."""
        assert declaration.body is not None
        cursor = self.cursor
        parameters = [s for one in declaration.parameters for s in self.objects.declared(one)]
        result = self._context.variables.named(result_name(declaration.name)) if _returns(declaration) else None
        entry = cursor.at
        self._exit = self._context.graph.location(declaration.name, _closing_brace(declaration.span))
        for location in (entry, self._exit):
            self._context.graph.keep(location)
        self._locals.update(dict.fromkeys(self._lifetimes.function(declaration.body)))
        self._parameters(declaration)
        if names := self._context.followed(declaration.name):
            cursor.watch = begin(cursor, names, declaration.span)
        self._forget_skipped(jumps_of(declaration.body))
        self.block(declaration.body)
        if declaration.name in self._context.unit.no_return:
            self._end_never_returning(declaration)
        self._lifetimes.leave(_closing_brace(declaration.span))
        self._fall_off(declaration)
        locals_ = (*(s for s in self._locals if s not in parameters), *cursor.temporaries)
        name, span = declaration.name, declaration.span
        return Function(name, tuple(parameters), locals_, result, entry, self._exit, span)

    def _forget_skipped(self, jumps: Jumps) -> None:
        """Objects whose declaration a jump may pass by are indeterminate from the start."""
        for object_ in jumps.skipped:
            if self._context.policy.tracks and self._context.memory.holds(object_):
                raise Unsupported(object_.span, f"a jump past the declaration of {object_.source_name} is not decided")
            if self._context.memory.holds(object_):
                self.memory.allocate(object_, object_.span)
            self.objects.indeterminate(object_, object_.span)

    def _end_never_returning(self, declaration: tree.FunctionDeclaration) -> None:
        """The closing brace of a function that is declared never to return, if control may get there."""
        if may_return(self._context.unit, declaration, self._context.policy):
            self._checks.returns(_closing_brace(declaration.span))

    def _fall_off(self, declaration: tree.FunctionDeclaration) -> None:
        """Reaching the end of the body: main returns 0, other functions an indeterminate value."""
        result, end = declaration.type.result, _closing_brace(declaration.span)
        place = VariablePlace(result_name(declaration.name), result)
        if declaration.name == "main" and isinstance(result, Integer):
            ((_, slot),) = self._context.memory.slots(place, end)
            assert slot is not None
            self.cursor.step(Assign(((slot.variable, self._context.arena.zero),)), end, "return 0")
        else:
            self.objects.havoc(place, InputKind.INDETERMINATE, end, "}")
            self._returned(end, "}", has_value=False)
        self.cursor.jump(self._exit)

    # Objects

    def _parameters(self, declaration: tree.FunctionDeclaration) -> None:
        """Parameters whose address is taken are copied to memory; some must lead to so many elements."""
        for parameter in declaration.parameters:
            if isinstance(parameter.type, Integer) and parameter.type.enumerators:
                number = self.cursor.variable(self._context.variables.named(parameter.name), parameter.type)
                self._checks.named(number, parameter.type, parameter.type, parameter.span, parameter.source_name)
            if parameter.name in self._context.unit.extents:
                self._checks.leads(parameter, self._context.unit.extents[parameter.name])
            if self._context.memory.holds(parameter):
                self.memory.allocate(parameter, declaration.span)
                self._lifetimes.begin(parameter)
                place = VariablePlace(parameter.name, parameter.type)
                value = self._records.load(place, parameter.span)
                self._records.store(
                    self._context.memory.object(parameter), value, parameter.span, parameter.source_name
                )

    def begin(self, object_: tree.Object, initialiser: tree.Initialiser | None, span: Span) -> None:
        """An automatic object begins: it is initialised, or indeterminate."""
        self.objects.begin(object_, initialiser, span)

    def literal(self, literal: tree.CompoundLiteral) -> None:
        """A compound literal is evaluated."""
        self._lifetimes.end(literal.object, literal.span)
        self.begin(literal.object, literal.initialiser, literal.span)

    # Statements

    def block(self, block: tree.Compound) -> None:
        self._lifetimes.enter(block)
        for item in block.items:
            self.statement(item)
        self._lifetimes.leave(block.span)

    def _within(self, s: tree.Statement) -> None:
        """A statement that a selection or a loop controls, which is a block of its own."""
        self._lifetimes.enter(s)
        self.statement(s)
        self._lifetimes.leave(s.span)

    def statement(self, s: tree.Statement) -> None:
        match s:
            case tree.Declaration():
                self.begin(s.object, s.initialiser, s.span)
            case tree.ExpressionStatement():
                self._expressions.discard(s.expression)
            case tree.Empty():
                pass
            case tree.Compound():
                self.block(s)
            case tree.If():
                self._if(s)
            case tree.While() | tree.DoWhile() | tree.For():
                self._loop(s)
            case tree.Switch():
                self._switch(s)
            case tree.Case() | tree.Default():
                self.cursor.enter(self._cases[id(s)])
                self.statement(s.statement)
            case tree.Labeled():
                self._labeled(s)
            case tree.Goto() | tree.Break() | tree.Continue():
                self._jump(s)
            case tree.Return():
                self._return(s)
            case tree.Claim():
                self._claim(s)
            case tree.Assembly():
                raise Unsupported(s.span, f"inline assembly in {self.cursor.source_function} is not decided")

    def _claim(self, s: tree.Claim) -> None:
        """A check of its own where it is checked; where it is assumed, the path ends unless it holds."""
        cursor = self.cursor
        holds, fails = cursor.location(), cursor.location()
        match s.kind:
            case ClaimKind.CHECKED:
                description = f"{s.text} in {cursor.source_function}"
                fails = self._context.error(cursor.function, CheckKind.ACSL.value, s.span, description, cursor.at)
            case ClaimKind.ASSUMED:
                self._context.assume(f"{s.text} (annotation of {cursor.source_function})")
            case ClaimKind.WITNESSED:
                self._witnessed(s)
                return
        cursor.requires_nothing = s.kind is ClaimKind.ASSUMED
        self._expressions.branch(s.condition, holds, fails)
        cursor.requires_nothing = False
        cursor.at = holds

    def _witnessed(self, s: tree.Claim) -> None:
        """A branch that ends in the error or nowhere: the path beside it does not notice."""
        cursor = self.cursor
        aside, holds, after = cursor.location(), cursor.location(), cursor.location()
        description = f"{s.text} in {cursor.source_function}"
        fails = self._context.error(cursor.function, CheckKind.WITNESS.value, s.span, description)
        self._context.graph.skip(cursor.at, aside, s.span, CLAIM)
        self._context.graph.skip(cursor.at, after)
        cursor.at = aside
        self._expressions.branch(s.condition, holds, fails)
        cursor.at = after

    def _if(self, s: tree.If) -> None:
        join, span = self.cursor.location(), s.span
        self._lifetimes.enter(s)
        while True:  # a chain of `else if` is as long as the program likes
            then, otherwise = self.cursor.location(), self.cursor.location()
            self._expressions.branch(s.condition, then, otherwise)
            self.cursor.at = then
            self._within(s.then)
            self.cursor.jump(join)
            self.cursor.at = otherwise
            if not isinstance(s.otherwise, tree.If):
                break
            s = s.otherwise
        if s.otherwise is not None:
            self._within(s.otherwise)
        self.cursor.enter(join)
        self._lifetimes.leave(span)

    def _loop(self, s: tree.While | tree.DoWhile | tree.For) -> None:
        cursor = self.cursor
        self._lifetimes.enter(s)
        for one in s.initial if isinstance(s, tree.For) else ():
            self.statement(one)
        head, body, step, end = (cursor.location() for _ in range(4))
        self._context.graph.loop_head(head, _keyword(s))
        cursor.enter(head)
        if isinstance(s, tree.DoWhile):
            cursor.enter(body)
        else:
            self._condition(s.condition, body, end)
            cursor.at = body
        self._targets.breaks.append((end, self._lifetimes.depth))
        self._targets.continues.append((step, self._lifetimes.depth))
        self._within(s.body)
        self._targets.breaks.pop()
        self._targets.continues.pop()
        cursor.enter(step)
        if isinstance(s, tree.DoWhile):
            self._condition(s.condition, head, end)
        else:
            if isinstance(s, tree.For) and s.step is not None:
                self._expressions.discard(s.step)
            cursor.jump(head)
        cursor.at = end
        self._lifetimes.leave(s.span)

    def _condition(self, condition: tree.Expression | None, then: int, otherwise: int) -> None:
        if condition is None:
            self.cursor.jump(then)
        else:
            assume_inside(self.cursor, self._expressions, condition)
            self._expressions.branch(condition, then, otherwise)

    def _switch(self, s: tree.Switch) -> None:
        cursor, arena = self.cursor, self._context.arena
        self._lifetimes.enter(s)
        value = self._expressions.value(s.value)
        assert isinstance(s.value.type, Integer)
        if cursor.mentions_input(value.term):
            value = cursor.save(value, s.value.type, s.value.span, show(s.value))
        selector, end = cursor.arithmetic.number(value), cursor.location()
        others, default, text = list[Term](), end, "default"
        labels = _labels_of(s.body)
        if any(one.order for one in labels):
            self._context.orders[s.span] = tuple(one.order for one in labels)
        for label in labels:
            location = self._cases[id(label)] = cursor.location()
            if isinstance(label, tree.Default):
                default, text = location, label.order or text
                continue
            here = arena.equals(selector, arena.integer(label.value))
            others.append(arena.not_(here))
            case = label.order or label.enumerator or label.value
            cursor.split_off(here, s.value.span, f"[{show(s.value)} == {case}]", location)
        cursor.split_off(arena.and_(*others), s.value.span, f"[{show(s.value)}: {text}]", default)
        cursor.at = cursor.location()
        self._targets.breaks.append((end, self._lifetimes.depth))
        self._within(s.body)
        self._targets.breaks.pop()
        cursor.enter(end)
        self._lifetimes.leave(s.span)

    def _labeled(self, s: tree.Labeled) -> None:
        self.cursor.enter(self._label(s.label))
        self._lifetimes.label(s.label)
        if s.label in self._context.policy.labels:
            description = f"label {s.label} in {self.cursor.source_function}"
            error = self._context.error(self.cursor.function, CheckKind.UNREACH_CALL.value, s.span, description)
            self._context.graph.skip(self.cursor.at, error, s.span, f"{s.label}:")
            self.cursor.at = self.cursor.location()
        self.statement(s.statement)

    def _label(self, name: str) -> int:
        if name not in self._labels:
            self._labels[name] = self.cursor.location()
        return self._labels[name]

    def _jump(self, s: tree.Goto | tree.Break | tree.Continue) -> None:
        match s:
            case tree.Goto(label=label):
                self._lifetimes.goto(label, s.span)
                self.cursor.jump(self._label(label))
                return
            case tree.Break():
                target, depth = self._targets.breaks[-1]
            case tree.Continue():
                target, depth = self._targets.continues[-1]
        self._lifetimes.jump(depth, s.span)
        self.cursor.jump(target)

    def _return(self, s: tree.Return) -> None:
        if s.value is not None:
            self._set_result(s.value, s.span)
        self._returned(s.span, "return", has_value=s.value is not None)
        self._checks.returns(s.span)
        self._lifetimes.jump(0, s.span)
        self.cursor.jump(self._exit)

    def _returned(self, span: Span, text: str, has_value: bool) -> None:
        """Note whether there is a result, where its use is checked."""
        flag = returned_flag(self._context, self._context.unit.functions[self.cursor.function])
        if flag is not None:
            self.objects.set({flag: self._context.arena.one if has_value else self._context.arena.zero}, span, text)

    def _set_result(self, e: tree.Expression, span: Span) -> None:
        text = f"return {show(e)}"
        name = result_name(self.cursor.function)
        if isinstance(e.type, Record):
            self._records.store(VariablePlace(name, e.type), self._expressions.record(e), span, text)
        elif number_type(e.type) is not None:
            value = self._expressions.value(e)
            if isinstance(e.type, Pointer) and returns_no_null(self._context.unit, self.cursor.function):
                value = self._checks.not_null(value, span, text)
            result = self._context.variables.named(name)
            self.cursor.step(Assign(((result, self.cursor.arithmetic.number(value)),)), span, text)
        else:
            self._expressions.discard(e)


def _closing_brace(span: Span) -> Span:
    """The last character of a definition."""
    return Span(span.file, span.end_line, max(span.end_column - 1, 0), span.end_line, span.end_column)


def _returns(declaration: tree.FunctionDeclaration) -> bool:
    return number_type(declaration.type.result) is not None


def _keyword(s: tree.While | tree.DoWhile | tree.For) -> Span:
    """The place of the loop's keyword."""
    word = "while" if isinstance(s, tree.While) else "do" if isinstance(s, tree.DoWhile) else "for"
    span = s.span
    return Span(span.file, span.line, span.column, span.line, span.column + len(word))


def _labels_of(body: tree.Statement) -> Sequence[tree.Case | tree.Default]:
    """The labels of a switch, in the order of the text; inner switches keep theirs."""
    labels: list[tree.Case | tree.Default] = []
    stack: list[tree.Node] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, tree.Case | tree.Default):
            labels.append(node)
        if not isinstance(node, tree.Switch):
            stack.extend(reversed(_inner(node)))
    return labels


def _inner(node: tree.Node) -> list[tree.Node]:
    """The statements directly below a statement."""
    match node:
        case tree.Compound(items=items):
            return list(items)
        case tree.If(then=then, otherwise=otherwise):
            return [then] if otherwise is None else [then, otherwise]
        case tree.While(body=body) | tree.DoWhile(body=body) | tree.For(body=body):
            return [body]
        case tree.Case(statement=inner) | tree.Default(statement=inner) | tree.Labeled(statement=inner):
            return [inner]
        case _:
            return []
