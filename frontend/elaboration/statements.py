"""Statement syntax to statements, and the declarations among them (C11 6.7, 6.8)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from frontend.elaboration.annotations import Annotations
from frontend.elaboration.instrumentation import Instrumentation
from frontend.elaboration.scope import EnumConstant, FunctionName, FunctionState, SwitchState, Typedef, name_of_static
from frontend.parsing import syntax
from frontend.source import FrontendError, Span, Unsupported, raise_all
from frontend.typed import tree
from frontend.typed.compatible import compatible
from frontend.typed.ctype import Array, CType, Float, Integer, Qualifiers, Record, Signature, Void
from frontend.typed.library_table import BUILTIN, LanguageOperation, library_function
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import is_const, is_volatile, qualified
from frontend.typed.traversal import callee, children
from frontend.typed.tree import Expression, Statement, Storage

_EFFECTS = (tree.Call, tree.Assign, tree.CompoundAssign, tree.Increment, tree.StatementExpression)
WIDEST_CASE = 1000
"""Values of one `case low ... high`."""


class StatementElaboration(Annotations):
    """A layer of the elaboration that reads statements, and declarations at any scope."""

    instrumentation: Instrumentation = Instrumentation()

    # Declarations

    def declaration(self, node: syntax.DeclarationSyntax) -> list[Statement]:
        """Declare, and return what must be executed for it."""
        type_ = self._inferred(node) or self.declared_type(node)
        if node.name is None:
            return []  # a struct, union or enumeration
        if "typedef" in node.storage:
            return self._typedef(node, node.name, type_)
        if isinstance(type_, Signature):
            if node.initialiser is not None:
                raise self.error(node, "a function cannot be initialised")
            self.declare_function(node, node.name, type_)
            return []
        if self.body is None or "extern" in node.storage:
            self._global(node, node.name, type_)
            return []
        return self._local(node, node.name, type_)

    def _inferred(self, node: syntax.DeclarationSyntax) -> CType | None:
        """The type of `__auto_type x = …`; None for other declarations."""
        match node:
            case syntax.DeclarationSyntax(
                type=syntax.TypeOfType(operand=syntax.Name(name="__auto_type")), initialiser=syntax.Syntax() as value
            ) if not isinstance(value, syntax.Braces):
                pending = list(self.pending)
                type_ = self.value(value).type
                self.pending[:] = pending
                return type_
            case _:
                return None

    def _typedef(self, node: syntax.DeclarationSyntax, name: str, type_: CType) -> list[Statement]:
        binding = Typedef(type_, self.typedef_alignment(node, type_))
        if isinstance(self.scopes[-1].names.get(name), Typedef):
            self.scopes[-1].names[name] = binding  # C11 allows it again, with the same type
        else:
            self.bind(name, binding, node)
        return self._flushed()

    def _flushed(self) -> list[Statement]:
        hidden, self.pending = self.pending, []
        return hidden

    def declare_function(self, node: syntax.Syntax, name: str, type_: Signature) -> FunctionState:
        """A function of the program, declared maybe again; a definition or a prototype wins over `f()`."""
        if isinstance(self.scopes[0].names.get(name), tree.Object | Typedef):
            raise self.error(node, f"{name!r} is declared as something else")
        full = self.defined.name(name)
        if full in self.globals:
            raise self.error(node, f"{name!r} is no function at {self.globals[full].object.span}")
        state = self.functions.get(full)
        if state is None:
            state = self.functions[full] = FunctionState(full, type_, self.span(node), declared=True)
        else:
            if state.declared:
                self._refuse_conflict(node, name, type_, state.type, state.span)
            if not state.type.prototype or (type_.prototype and state.body is None):
                state.type = type_
        self.scopes[0].names[name] = FunctionName(full)
        if len(self.scopes) > 1:
            self.scopes[-1].names[name] = FunctionName(full)
        return state

    def _refuse_conflict(self, node: syntax.Syntax, name: str, type_: CType, known: CType, place: Span) -> None:
        """ParseError where two declarations of one name have types that are not compatible (C11 6.2.7)."""
        if not compatible(type_, known):
            raise self.error(node, f"{name!r} has the type {type_} here, but {known} at {place}")

    def _global(self, node: syntax.DeclarationSyntax, name: str, type_: CType) -> None:
        """An object of the unit; `extern` in a block refers to it too."""
        if isinstance(self.scopes[0].names.get(name), FunctionName | Typedef):
            raise self.error(node, f"{name!r} is declared as something else")
        full = self.defined.name(name)
        if full in self.functions:
            raise self.error(node, f"{name!r} is a function at {self.functions[full].span}")
        known = self.globals.get(full)
        initialiser = known.initialiser if known else None
        if known is None:
            storage = Storage.STATIC if full in self.defined.objects else Storage.EXTERNAL
            object_ = tree.Object(self.unique(full), name, type_, storage, None, self.span(node))
        else:
            object_ = known.object
            self._refuse_conflict(node, name, type_, object_.type, object_.span)
            self._complete(object_, type_)
            if is_volatile(type_):  # of one file alone, perhaps
                object.__setattr__(object_, "type", qualified(object_.type, Qualifiers.VOLATILE))
        self._note_qualities(node, object_)
        # The name is known in its own initialiser.
        self.scopes[0].names[name] = object_
        self.scopes[-1].names[name] = object_
        self.globals[full] = tree.Declaration(object_.span, object_, initialiser)
        if node.initialiser is not None:
            if initialiser is not None:
                raise self.error(node, f"{name!r} is initialised twice")
            completed, initialiser = self.initialiser(object_.type, node.initialiser)
            self._complete(object_, completed)
            self._refuse_changing(initialiser)
            self.globals[full] = tree.Declaration(self.span(node), object_, initialiser)

    def _complete(self, object_: tree.Object, type_: CType) -> None:
        """Give the object the length of its array, once that is known.

        Every mention of a name refers to one Object, and earlier mentions cannot know the length; so this value
        changes once, before anybody else sees the tree.
        """
        if isinstance(object_.type, Array) and object_.type.length is None:
            object.__setattr__(object_, "type", type_)

    def _refuse_changing(self, initialiser: tree.Initialiser | None) -> None:
        """Refuse the initialiser of a static object that is plainly not constant (C11 6.7.9); compilers fold others."""
        waiting: list[tree.Node] = [] if initialiser is None else [initialiser]
        while waiting:
            node = waiting.pop()
            if isinstance(node, tree.Logical | tree.Conditional):
                continue  # what is never evaluated may be anything
            if isinstance(node, tree.Load):
                base = root(node.lvalue)
                is_changing = isinstance(base, tree.Variable) and base.object.name not in self.constant_objects
            else:
                name = callee(node) or "" if isinstance(node, tree.Call) else ""
                is_expected = library_function(name).operation is LanguageOperation.EXPECT
                is_folded = is_expected or (name.startswith(BUILTIN) and _is_float(node))
                is_changing = isinstance(node, _EFFECTS) and not is_folded
            if is_changing:
                raise Unsupported(node.span, "the initialiser of a static object is not constant")
            waiting += children(node)

    def _note_qualities(self, node: syntax.DeclarationSyntax, object_: tree.Object) -> None:
        if is_const(object_.type):
            self.constant_objects.add(object_.name)
        with suppress(Unsupported):
            if asked := self.alignment(node):
                self.program.alignments[object_.name] = asked

    def _local(self, node: syntax.DeclarationSyntax, name: str, type_: CType) -> list[Statement]:
        static = "static" in node.storage
        hidden = self._flushed()
        object_ = self.local(name, type_, Storage.STATIC if static else Storage.AUTOMATIC, self.span(node))
        self._note_qualities(node, object_)
        self.bind(name, object_, node)
        if static and self.program.started:
            alias = name_of_static(object_)
            if alias in self.scopes[0].names:
                raise Unsupported(object_.span, f"{alias} is a name of `--entry`")
            self.scopes[0].names[alias] = object_
        initialiser = None
        if node.initialiser is not None:
            completed, initialiser = self.initialiser(type_, node.initialiser)
            self._complete(object_, completed)
        self._check_complete(node, object_.type)
        declaration = tree.Declaration(self.span(node), object_, initialiser)
        if static:
            self._refuse_changing(initialiser)
            self.globals[object_.name] = declaration
            return hidden + self._flushed()
        return [*hidden, *self._flushed(), declaration]

    def _check_complete(self, node: syntax.Syntax, type_: CType) -> None:
        if self.is_open(type_) or isinstance(type_, Void) or (isinstance(type_, Array) and type_.length is None):
            raise self.error(node, f"an object cannot have the incomplete type {type_}")

    # Statements

    def statements(self, nodes: Sequence[syntax.StatementSyntax]) -> list[Statement]:
        """The items of a block. After an error in one the others are read, too, for what else is wrong; not after a
        declaration whose name is not known then, since they may need it.
        """
        items: list[Statement] = []
        errors: list[FrontendError] = []
        self.instrumentation.block(self, nodes)
        for node in nodes:
            state = self.reading
            try:
                self._read_item(node, items)
            except FrontendError as error:
                said = {one.message for one in errors}
                errors += (one for one in (error, *error.others) if one.message not in said)
                self.go_back(state)
                if isinstance(node, syntax.DeclarationSyntax) and node.name not in self.scopes[-1].names:
                    break
        raise_all(errors)
        return items

    def _read_item(self, node: syntax.StatementSyntax, items: list[Statement]) -> None:
        """Add an item of a block; what follows a `case` in pycparser's way is put beside it again."""
        items.extend(self._before(node))
        if isinstance(node, syntax.CaseSyntax):
            items.append(self._case(node, node.statements[:1]))
            items.extend(self.statements(node.statements[1:]))
        elif isinstance(node, syntax.DeclarationSyntax):
            items.extend(self.declaration(node))
            self.refuse_inside(self.span(node))
        elif isinstance(node, syntax.StaticAssert):
            self.static_assert(node)
        else:
            items.extend(self._with_hidden(node))

    def _before(self, node: syntax.StatementSyntax) -> list[Statement]:
        return [*self.claims_before(node), *self.instrumentation.before(self, node)]

    def _with_hidden(self, node: syntax.StatementSyntax) -> list[Statement]:
        outer, self.pending = self.pending, []
        statement = self.statement(node)
        hidden, self.pending = self.pending, outer
        self.refuse_inside(self.span(node))
        return [*hidden, statement]

    def around_call(self, node: syntax.CallSyntax, call: Expression) -> Expression:
        return self.instrumentation.called(self, node, call)

    def static_assert(self, node: syntax.StaticAssert) -> None:
        if not self.constant(node.condition):
            raise self.error(node, "the static assertion does not hold")

    def block(self, node: syntax.Compound) -> tree.Compound:
        with self.scope():
            return tree.Compound(self.span(node), (*self.statements(node.items), *self.claims_at_end(node)))

    def statement(self, node: syntax.StatementSyntax) -> Statement:
        with self.deeper(node):
            return self._statement(node, self.span(node))

    def _statement(self, node: syntax.StatementSyntax, span: Span) -> Statement:
        match node:
            case syntax.Compound():
                return self.block(node)
            case syntax.Simple():
                return self._simple(node, span)
            case syntax.Nothing():
                return tree.Empty(span)
            case syntax.IfSyntax(condition=condition, then=then, otherwise=otherwise):
                held = self.instrumentation.branched(self, node, self.condition(condition))
                return tree.If(span, held, self._sub(then), None if otherwise is None else self._sub(otherwise))
            case syntax.Loop(keyword="while"):
                claims = self.invariant_claims(self.taken_invariants())
                head = self.headed(claims, self._loop_condition(node, node.condition))
                return tree.While(span, head, self._loop_body(node.body))
            case syntax.Loop():
                claims = self.invariant_claims(self.taken_invariants())
                body = self._loop_body(node.body)
                return tree.DoWhile(
                    span,
                    tree.Compound(body.span, (*claims, body)) if claims else body,
                    self._loop_condition(node, node.condition),
                )
            case syntax.ForSyntax():
                return self._for(node, span)
            case syntax.SwitchSyntax():
                return self._switch(node, span)
            case syntax.CaseSyntax():
                return self._case(node, node.statements)
            case syntax.LabelSyntax():
                return self._label(node, span)
            case syntax.Jump():
                return self._jump(node, span)
            case syntax.ReturnSyntax():
                return self._return(node, span)
            case syntax.DeclarationSyntax() | syntax.StaticAssert():
                return tree.Compound(span, tuple(self.statements([node])))

    def _sub(self, node: syntax.StatementSyntax) -> Statement:
        """A statement that is the body of another; it gets a block where hidden declarations precede it."""
        found = [*self._before(node), *self._with_hidden(node)]
        return found[0] if len(found) == 1 else tree.Compound(self.span(node), tuple(found))

    def _simple(self, node: syntax.Simple, span: Span) -> Statement:
        match node.expression:
            case syntax.CallSyntax(function=syntax.Name(name="__asm__"), arguments=(syntax.String(text=text),)):
                return tree.Assembly(span, text)
            case _:
                pass
        operand = self.operand(node.expression)
        if isinstance(operand, tree.Variable | tree.Index | tree.Member | tree.Dereference) and isinstance(
            operand.type, Void | Record | Array
        ):
            if isinstance(operand.type, Array):
                return tree.ExpressionStatement(span, self.decayed(operand))
            return tree.Empty(span)
        return tree.ExpressionStatement(span, self.decayed(operand))

    def _loop_body(self, node: syntax.StatementSyntax) -> Statement:
        assert self.body is not None
        self.body.loops += 1
        body = self._sub(node)
        self.body.loops -= 1
        return body

    def _for(self, node: syntax.ForSyntax, span: Span) -> Statement:
        with self.scope():
            invariants = self.taken_invariants()
            initial = tuple(self.statements(node.initial))
            condition = self._condition_of_for(node, span)
            claims = self.invariant_claims(invariants)
            if claims:
                condition = self.headed(claims, condition or tree.IntegerConstant(span, self.int_, 1))
            step = None if node.step is None else self.decayed(self.operand(node.step))
            return tree.For(span, initial, condition, step, self._loop_body(node.body))

    def _loop_condition(self, node: syntax.Loop | syntax.ForSyntax, condition: syntax.ExpressionSyntax) -> Expression:
        first = self.instrumentation.at_condition(self, node)
        return self.headed(first, self.instrumentation.branched(self, node, self.condition(condition)))

    def _condition_of_for(self, node: syntax.ForSyntax, span: Span) -> Expression | None:
        if node.condition is not None:
            return self._loop_condition(node, node.condition)
        first = self.instrumentation.at_condition(self, node)
        return self.headed(first, tree.IntegerConstant(span, self.int_, 1)) if first else None

    def _switch(self, node: syntax.SwitchSyntax, span: Span) -> Statement:
        assert self.body is not None
        value = self.promoted(self.value(node.value))
        if not isinstance(value.type, Integer):
            raise self.error(node.value, f"a value of type {value.type} cannot be switched on")
        self.body.switches.append(SwitchState(value.type))
        body = self._sub(node.body)
        self.body.switches.pop()
        return tree.Switch(span, value, body)

    def _case(self, node: syntax.CaseSyntax, statements: Sequence[syntax.StatementSyntax]) -> Statement:
        assert self.body is not None
        span = self.prepared.span(node.first, statements[-1].last if statements else node.first)
        if not self.body.switches:
            raise self.error(node, "a case label must be in a switch")
        values = self._case_values(node, self.body.switches[-1])
        inner = self._sub(statements[0]) if statements else tree.Empty(span)
        if values is None:
            return tree.Default(span, inner)
        if len(values) == 1:
            return tree.Case(span, values[0], inner, self._enumerator(node.value))
        if isinstance(inner, tree.Declaration):
            raise Unsupported(span, "a declaration directly after a range of cases is not supported")
        labels = tuple(tree.Case(span, value, tree.Empty(span)) for value in values)
        return tree.Compound(span, (*labels, inner))

    def _enumerator(self, node: syntax.ExpressionSyntax | syntax.Range | None) -> str:
        """The enumerator that a label names; empty for others."""
        is_one = isinstance(node, syntax.Name) and isinstance(self.find(node.name), EnumConstant)
        return node.name if is_one and isinstance(node, syntax.Name) else ""

    def _case_values(self, node: syntax.CaseSyntax, switch: SwitchState) -> Sequence[int] | None:
        """The values of a label, which are new in the switch; None for `default`."""
        values = None if node.value is None else self._range(node.value, switch)
        for value in (None,) if values is None else values:
            if value in switch.values:
                raise self.error(node, "this case is there twice")
            switch.values.add(value)
        return values

    def _range(self, node: syntax.ExpressionSyntax | syntax.Range, switch: SwitchState) -> Sequence[int]:
        if not isinstance(node, syntax.Range):
            return (self._case_value(node, switch),)
        values = range(self._case_value(node.low, switch), self._case_value(node.high, switch) + 1)
        if len(values) > WIDEST_CASE:
            raise Unsupported(self.span(node), f"cases of more than {WIDEST_CASE} values are not supported")
        return values

    def _case_value(self, node: syntax.ExpressionSyntax, switch: SwitchState) -> int:
        given = self.constant(node)
        if given is None:
            raise self.error(node, "the value of a case must be an integer constant")
        return switch.type.convert(given)

    def _label(self, node: syntax.LabelSyntax, span: Span) -> Statement:
        assert self.body is not None
        if node.label in self.body.labels:
            raise self.error(node, f"label {node.label!r} is there twice")
        self.body.labels[node.label] = span
        return tree.Labeled(span, node.label, self._sub(node.statement))

    def _jump(self, node: syntax.Jump, span: Span) -> Statement:
        assert self.body is not None
        if node.keyword == "goto":
            self.body.gotos.append((node.label, span))
            return tree.Goto(span, node.label)
        if node.keyword == "break":
            if not (self.body.loops or self.body.switches):
                raise self.error(node, "break must be in a loop or a switch")
            return tree.Break(span)
        if not self.body.loops:
            raise self.error(node, "continue must be in a loop")
        return tree.Continue(span)

    def _return(self, node: syntax.ReturnSyntax, span: Span) -> Statement:
        assert self.body is not None
        if node.value is None:
            return self.returned(None, span)
        value = self.value(node.value)
        if isinstance(self.body.result, Void):
            return self.returned(self.discarded(value), span)
        return self.returned(self.assigned(value, self.body.result), span)


def _is_float(node: tree.Node) -> bool:
    return isinstance(node, tree.TypedNode) and isinstance(node.type, Float)
