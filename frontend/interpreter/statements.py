"""Compiles statements and functions of the typed tree to blocks of Python text."""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType

from core.dataclass import dataclass
from core.program.properties import CheckKind
from core.program.span import Span
from frontend.interpreter import float_text
from frontend.interpreter.expressions import ExpressionCompiler, Trampolined, trampoline
from frontend.interpreter.image import Image
from frontend.interpreter.integers import converted, returned
from frontend.interpreter.iterative_walk import ExpressionSizes
from frontend.interpreter.python_blocks import CodeBuilder
from frontend.properties.errors import ErrorPolicy
from frontend.typed import tree
from frontend.typed.called import promoted
from frontend.typed.ctype import Array, CType, Float, Integer, Pointer, Record, VariableLength, Void
from frontend.typed.jumps import blocks_around_labels, jumps_of
from frontend.typed.lvalues import root
from frontend.typed.nonnull import returns_no_null
from frontend.typed.restricted import followed
from frontend.typed.traversal import children, nodes


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function as Python code that defines its blocks, its switch tables, and the shape of its frame."""

    code: CodeType
    blocks: int
    tables: dict[str, dict[int, int]]
    parameters: int
    slots: int


@dataclass(slots=True)
class _Switch:
    table: dict[int, int]
    default: int | None = None


class StatementCompiler(ExpressionCompiler):
    """Generates the statements of one function."""

    _break: tuple[int, int] = (-1, 0)
    """Target of `break`, and how many blocks are open there."""
    _continue: tuple[int, int] = (-1, 0)
    _switch: _Switch | None = None
    fallen = "0"
    """The result where the function ends without one."""
    never = False
    """Whether the function is declared never to return."""
    is_present = False
    """Whether its result must not be null, where that is checked."""

    def prepare(self, body: tree.Compound) -> None:
        self._labels: dict[str, int] = {}
        self._around = blocks_around_labels(body)
        self._ending = ending_with_block(body)
        declared = [node for node in nodes(body) if isinstance(node, tree.Declaration)]
        given = {one.object.name for one in declared if one.initialiser and not mentions(one.initialiser, one.object)}
        self.unset = frozenset(one.object.name for one in declared) - given
        self.unset |= {one.name for one in jumps_of(body).skipped}
        self._open: list[tuple[int, list[tree.Object]]] = []
        """The blocks around the statement, each with the objects declared so far that end with it."""

    def statement(self, s: tree.Statement) -> Trampolined:
        mark = self.blocks.mark()
        match s:
            case tree.Declaration():
                yield self.declaration(s)
            case tree.ExpressionStatement(expression=e):
                yield self.effect(e)
            case tree.Empty():
                pass
            case tree.Claim():
                yield self.claim(s)
            case tree.Assembly():
                self.blocks.emit(f"unsupported({self.image.span(s)}, 'inline assembly')")
            case tree.Compound():
                self._open.append((id(s), []))
                yield self.items(s)
                self.close()
            case tree.If():
                yield self.if_(s)
            case tree.While() | tree.DoWhile() | tree.For():
                yield self.loop(s)
            case tree.Switch():
                yield self.switch(s)
            case tree.Case() | tree.Default():
                yield self.case(s)
            case tree.Labeled():
                yield self.labeled(s)
            case tree.Goto(label=label):
                around = self._around[label]
                self.end(one for block, objects in self._open if block not in around for one in objects)
                self.blocks.jump(self.label(label))
            case tree.Break() | tree.Continue():
                target, depth = self._break if isinstance(s, tree.Break) else self._continue
                self.end(one for _, objects in self._open[depth:] for one in objects)
                self.blocks.jump(target)
            case tree.Return(value=value):
                given = self.fallen if value is None else (yield self.value(value))
                if value is not None and isinstance(value.type, Pointer) and self.is_present:
                    given = f"present({given}, {self.image.at(s.span)})"
                self.leave(given, s.span)
        self.blocks.restore(mark)
        return ""

    def leave(self, given: str, span: Span) -> None:
        """The function returns, which some are declared never to do."""
        self.blocks.leave(f"return never_returns({self.image.at(span)})" if self.never else f"return give({given})")

    def items(self, s: tree.Compound) -> Trampolined:
        for item in s.items:
            yield self.statement(item)
        return ""

    def close(self) -> None:
        """Control falls out of the innermost block."""
        self.end(self._open.pop()[1])

    def evaluated(self, literal: tree.Object) -> None:
        if literal.name in self._ending and not self.image.in_slot(literal):
            self.blocks.emit(f"{self.place(literal)} = {self.place(literal)} or local(f, {self.described(literal)})")
            self._open[-1][1].append(literal)

    def end(self, objects: Iterable[tree.Object]) -> None:
        for one in objects:
            self.blocks.emit(f"{self.place(one)} = end(f, {self.place(one)})")

    def declaration(self, s: tree.Declaration) -> Trampolined:
        place, name = self.place(s.object), s.object.source_name
        if is_variable(s.object.type):
            self.blocks.emit(f"{place} = renew(f, {place}, {self.described(s.object)})")
        elif s.object.name in self._ending:
            self.blocks.emit(f"{place} = {place} or local(f, {self.described(s.object)})")
        if s.object.name in self._ending and not self.image.in_slot(s.object):
            self._open[-1][1].append(s.object)
        self.seal(s.object, False)
        if s.initialiser is None or mentions(s.initialiser, s.object):
            self.indeterminate(s.object, self.image.span(s))
        if s.initialiser is not None and name == tree.LENGTH and CheckKind.LENGTH in self.policy.kinds:
            given = s.initialiser.entries[0].value
            assert isinstance(given, tree.Convert)
            length = f"positive({(yield self.value(given.operand))}, {self.image.span(s.initialiser)})"
            self.blocks.emit(f"{place} = {converted(length, given.operand.type, given.type, self.model)}")
        elif s.initialiser is not None:
            yield self.initialise(s.object, s.initialiser)
        self.seal(s.object, True)
        return ""

    def described(self, variable: tree.Object) -> str:
        """The size, the name and the alignment of an object in memory; where that says where it lies, its place."""
        place = f", {self.image.at(variable.span)}" if self.image.is_placed else ""
        return f"{self.size(variable.type)}, {variable.source_name!r}, {self.image.alignment(variable)}{place}"

    def seal(self, variable: tree.Object, is_constant: bool) -> None:
        """Forbid writes to a constant object once it is initialised, where they are checked."""
        number = self.image.constancy(variable)
        if CheckKind.CONST in self.policy.kinds and number:
            self.blocks.emit(f"seal({self.place(variable)}, {is_constant}, {number})")

    def claim(self, s: tree.Claim) -> Trampolined:
        holds, fails = self.blocks.new(), self.blocks.new()
        self.blocks.branch((yield self.condition(s.condition)), holds, fails)
        self.blocks.start(fails)
        word = "excluded" if s.kind is tree.ClaimKind.ASSUMED else "fail"
        self.blocks.leave(f"return {word}({self.image.span(s)})")
        self.blocks.start(holds)
        return ""

    def if_(self, s: tree.If) -> Trampolined:
        blocks = self.blocks
        then, otherwise, end = blocks.new(), blocks.new(), blocks.new()
        blocks.branch((yield self.condition(s.condition)), then, otherwise)
        blocks.start(then)
        yield self.statement(s.then)
        blocks.jump(end)
        blocks.start(otherwise)
        if s.otherwise is not None:
            yield self.statement(s.otherwise)
        blocks.start(end)
        return ""

    def loop(self, s: tree.While | tree.DoWhile | tree.For) -> Trampolined:
        blocks = self.blocks
        head, body, step, end = blocks.new(), blocks.new(), blocks.new(), blocks.new()
        if isinstance(s, tree.For):
            self._open.append((id(s), []))
            for item in s.initial:
                yield self.statement(item)
        if isinstance(s, tree.DoWhile):
            blocks.jump(body)
        blocks.start(head)
        if s.condition is None:
            blocks.jump(body)
        else:
            blocks.branch((yield self.condition(s.condition)), body, end)
        blocks.start(body)
        outer, depth = (self._break, self._continue), len(self._open)
        self._break, self._continue = (end, depth), (step, depth)
        yield self.statement(s.body)
        self._break, self._continue = outer
        blocks.start(step)
        if isinstance(s, tree.For) and s.step is not None:
            yield self.effect(s.step)
        blocks.jump(head)
        blocks.start(end)
        if isinstance(s, tree.For):
            self.close()
        return ""

    def switch(self, s: tree.Switch) -> Trampolined:
        blocks = self.blocks
        name, table = blocks.table()
        otherwise, end = blocks.new(), blocks.new()
        blocks.leave(f"return {name}.get({(yield self.value(s.value))}, {otherwise})")
        inner = _Switch(table)
        outer = self._switch, self._break
        self._switch, self._break = inner, (end, len(self._open))
        yield self.statement(s.body)
        self._switch, self._break = outer
        blocks.jump(end)
        blocks.start(otherwise)
        blocks.jump(end if inner.default is None else inner.default)
        blocks.start(end)
        return ""

    def case(self, s: tree.Case | tree.Default) -> Trampolined:
        block = self.blocks.new()
        self.blocks.start(block)
        if self._switch is not None:
            if isinstance(s, tree.Case):
                self._switch.table[s.value] = block
            else:
                self._switch.default = block
        return (yield self.statement(s.statement))

    def labeled(self, s: tree.Labeled) -> Trampolined:
        self.blocks.start(self.label(s.label))
        if s.label in self.policy.labels:
            self.blocks.emit(f"fail({self.image.span(s)})")
        return (yield self.statement(s.statement))

    def label(self, name: str) -> int:
        if name not in self._labels:
            self._labels[name] = self.blocks.new()
        return self._labels[name]


def is_variable(type_: CType) -> bool:
    """Whether the size of an object of the type is known only when it is declared."""
    while isinstance(type_, Array):
        if isinstance(type_.length, VariableLength):
            return True
        type_ = type_.element
    return False


def ending_with_block(body: tree.Compound) -> frozenset[str]:
    """The objects that a pointer may outlive: declared in a block or loop within the body, and their address is taken.

    Those whose declaration a jump may pass by live as long as the function here, and so do those of statement
    expressions, whose values may be read from them.
    """
    taken: set[str] = set()
    declared: set[str] = set()
    stack: list[tuple[tree.Node, bool]] = [(one, False) for one in body.items]
    while stack:
        node, is_inside = stack.pop()
        if isinstance(node, tree.Declaration | tree.CompoundLiteral) and is_inside:
            declared.add(node.object.name)
        if isinstance(node, tree.AddressOf | tree.Decay):
            base = root(node.lvalue)
            taken.update([base.object.name] if isinstance(base, tree.Variable | tree.CompoundLiteral) else ())
        is_inside |= isinstance(node, tree.Compound | tree.For)
        if isinstance(node, tree.StatementExpression):
            is_inside = False
        stack.extend((child, is_inside) for child in children(node))
    return frozenset(declared & taken) - {one.name for one in jumps_of(body).skipped}


def compile_function(image: Image, policy: ErrorPolicy, function: tree.FunctionDeclaration) -> Compiled:
    """The code of a defined function: parameters arrive in slots 1, 2, …"""
    assert function.body is not None
    objects = _locals(function)
    places = {one.name: f"f[{slot}]" for slot, one in enumerate(objects, 1)}
    blocks = CodeBuilder(1 + len(objects))
    generator = StatementCompiler(image, policy, ExpressionSizes.of(function.body), blocks, places)
    generator.prepare(function.body)
    name, is_body, _ = function.name.partition("!")
    generator.library = name if is_body else ""
    generator.never = function.name in image.unit.no_return
    generator.is_present = generator.asks(CheckKind.NONNULL) and returns_no_null(image.unit, function.name)
    if generator.asks(CheckKind.RESTRICT):
        generator.followed = followed(image.unit, function, policy.accesses_nothing)
    if generator.followed:
        generator.watch = blocks.temporary()
        blocks.emit(f"{generator.watch} = watch()")
    if CheckKind.RETURN in policy.kinds:
        generator.fallen = _fallen(image, function)
    for parameter in function.parameters:
        if isinstance(parameter.type, Integer) and (parameter.type.bits < 32 or not function.type.prototype):
            # A call without a prototype passes what the argument is promoted to.
            blocks.emit(f"{places[parameter.name]} = {returned(places[parameter.name], parameter.type, image.model)}")
        elif isinstance(parameter.type, Float) and not function.type.prototype:  # a `float` comes as a double
            given, place = promoted(parameter.type, image.model), places[parameter.name]
            value = float_text.converted(place, given, parameter.type, image.at(parameter.span))
            blocks.emit(f"{place} = {value}")
    for parameter in function.parameters:
        if (value := generator.named(places[parameter.name], parameter.type, image.at(parameter.span))) != places[
            parameter.name
        ]:
            blocks.emit(f"{places[parameter.name]} = {value}")
        if parameter.name in image.unit.extents:
            blocks.emit(
                f"leads({places[parameter.name]}, {image.unit.extents[parameter.name]}, {image.at(parameter.span)})"
            )
    later = ending_with_block(function.body)
    for parameter in objects:
        if not image.in_slot(parameter) and not is_variable(parameter.type) and parameter.name not in later:
            place = places[parameter.name]
            allocation = f"local(f, {generator.described(parameter)})"
            if parameter in function.parameters:
                blocks.emit(f"a, {place} = {place}, {allocation}")
                generator.store_part(parameter.type, place, "a", image.span(function))
                generator.seal(parameter, True)
            else:
                blocks.emit(f"{place} = {allocation}")
    for parameter in jumps_of(function.body).skipped:
        if not is_variable(parameter.type):
            generator.indeterminate(parameter, image.at(parameter.span))
    trampoline(generator.statement(function.body))
    generator.leave(_fallen(image, function), closing_brace(function))
    return _compiled(blocks, function.name, len(function.parameters))


def _fallen(image: Image, function: tree.FunctionDeclaration) -> str:
    """The result of a function whose end is reached: of main 0, of others indeterminate."""
    result = function.type.result
    if isinstance(result, Record):
        return f"missing(bytes({image.model.size_of(result)}))"
    if function.name == "main" or isinstance(result, Void):
        return "0"
    unnamed = tree.Object(function.name, function.name, result, tree.Storage.EXTERNAL, function.name, function.span)
    return f"missing(scalar({image.add_object(unnamed)}, {image.at(closing_brace(function))}))"


def closing_brace(function: tree.FunctionDeclaration) -> Span:
    """The place of the `}` that ends a definition: where an indeterminate result is keyed."""
    span = function.span
    return Span(span.file, span.end_line, max(span.end_column - 1, 0), span.end_line, span.end_column)


def mentions(initialiser: tree.Initialiser, variable: tree.Object) -> bool:
    """Whether the initialiser of an object may read it, which is indeterminate then."""
    return any(isinstance(node, tree.Variable) and node.object is variable for node in nodes(initialiser))


def compile_initialisers(image: Image, policy: ErrorPolicy) -> Compiled:
    """Code that initialises the globals in their order; the rest of them is zero already."""
    blocks = CodeBuilder(1)
    for declaration in image.unit.globals:
        if declaration.initialiser is not None:
            generator = StatementCompiler(image, policy, ExpressionSizes.of(declaration), blocks, {})
            trampoline(generator.initialise(declaration.object, declaration.initialiser))
    blocks.leave("return give(0)")
    return _compiled(blocks, "initialisers", 0)


def _compiled(blocks: CodeBuilder, name: str, parameters: int) -> Compiled:
    code = compile(blocks.text(), f"<{name}>", "exec", dont_inherit=True)
    return Compiled(code, len(blocks), blocks.tables, parameters, blocks.slots)


def _locals(function: tree.FunctionDeclaration) -> list[tree.Object]:
    """The parameters, then every automatic object of the body."""
    assert function.body is not None
    found = {one.name: one for one in function.parameters}
    for node in nodes(function.body):
        if isinstance(node, tree.Declaration | tree.CompoundLiteral):
            found.setdefault(node.object.name, node.object)
    return list(found.values())
