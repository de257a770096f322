"""Elaboration of a whole translation unit: its functions and objects in order (C11 6.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from frontend.acsl.syntax import AnnotationClause
from frontend.elaboration.annotations import is_return
from frontend.elaboration.scope import BodyState, Defined, FunctionState, ProgramState, Typedef
from frontend.elaboration.statements import StatementElaboration
from frontend.options import STARTER
from frontend.parsing import syntax
from frontend.parsing.prepass import Prepared
from frontend.source import ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, DataModel, Pointer, Signature, Void
from frontend.typed.qualifiers import is_const
from frontend.typed.traversal import nodes
from frontend.typed.tree import Storage


def elaborate_functions(
    prepared: Prepared,
    declarations: Sequence[syntax.ExternalSyntax],
    model: DataModel,
    types: Mapping[str, CType],
    objects: Mapping[str, tree.Object],
    functions: Mapping[str, str],
) -> dict[str, tree.FunctionDeclaration]:
    """The functions of a text that defines no objects, with the given meanings of its typedef names and objects; some
    of them get other names.
    """
    defined = (one.declaration.name for one in declarations if isinstance(one, syntax.FunctionDefinition))
    names = Defined(frozenset(functions.get(name, name) for name in defined if name), frozenset(), functions)
    unit = UnitElaboration(prepared, model, names, ProgramState())
    unit.scopes[0].names.update({name: Typedef(type_) for name, type_ in types.items()})
    unit.scopes[0].names.update(objects)
    for node in declarations:
        if not (isinstance(node, syntax.DeclarationSyntax) and node.name in types):
            unit.external(node)
    return unit.declared()


class UnitElaboration(StatementElaboration):
    """Reads external declarations."""

    _assumed: tuple[AnnotationClause, ...] = ()
    """The `requires` of the function that is started."""

    def external(self, node: syntax.ExternalSyntax) -> None:
        clauses = self.clauses_before(self.declared_from(node))
        if clauses and not isinstance(node, syntax.FunctionDefinition):
            raise Unsupported(clauses[0].span, "an annotation outside of functions must stand before a definition")
        match node:
            case syntax.FunctionDefinition():
                self._function(node, clauses)
            case syntax.DeclarationSyntax():
                self.declaration(node)
            case syntax.StaticAssert():
                self.static_assert(node)
        self.refuse_inside(self.span(node))

    def _function(self, node: syntax.FunctionDefinition, clauses: Sequence[AnnotationClause]) -> None:
        header = node.declaration.type
        name = node.declaration.name
        if not isinstance(header, syntax.FunctionType) or name is None:
            raise self.error(node.declaration, "only a function can have a body")
        full = self.defined.name(name)
        known = self.functions.get(full)
        if known is not None and known.body is not None:
            raise self.error(node.declaration, f"{name!r} is defined twice: here and at {known.span}")
        result = self.type_of(header.result)
        self.body = BodyState(full, result)
        with self.scope():
            parameters = self._parameters(header, node.old_parameters)
            types = tuple(parameter.type for parameter in parameters)
            prototype = not node.old_parameters and header.parameters is not None
            type_ = Signature(result, types, header.variadic, prototype)
            state = self._declare(node, name, type_)
            hidden, self.pending = self.pending, []
            state.body = tree.Compound(self.span(node.body), (*hidden, *self._body(node, name, result, clauses)))
        state.span, state.parameters, state.type = self.span(node), parameters, type_
        self._check_labels(self.body)
        self.body = None

    def _body(
        self, node: syntax.FunctionDefinition, name: str, result: CType, clauses: Sequence[AnnotationClause]
    ) -> tuple[tree.Statement, ...]:
        """The statements of the body, between what the contract says of its begin and of its end."""
        span = self.span(node.body)
        clauses = self._assumed if name == STARTER else clauses
        self.contract = contract = self.contract_of(clauses, node.body)
        first = () if contract is None else self.preconditions(contract, name)
        if contract is not None and self.defined.name(name) == self.program.started:
            self._assumed, self.program.required = contract.requires, first
        items = [*self.statements(node.body.items), *self.claims_at_end(node.body)]
        if not items or not is_return(items[-1]):
            items += self.at_end_of_body(
                result, Span(span.file, span.end_line, span.end_column - 1, span.end_line, span.end_column), name
            )
        self.contract = None
        return (*first, *(contract.kept if contract else ()), *items)

    def _declare(self, node: syntax.FunctionDefinition, name: str, type_: Signature) -> FunctionState:
        """The function is known in its own body, with the type of its definition."""
        result = type_.result
        if isinstance(result, Array | Signature) or self.is_open(result):
            raise self.error(node.declaration, f"a function cannot return {type_.result}")
        outer, self.scopes = self.scopes, self.scopes[:1]
        state = self.declare_function(node.declaration, name, type_)
        self.scopes = outer
        if type_.prototype or not state.type.prototype:
            state.type = type_
        return state

    def _parameters(
        self, header: syntax.FunctionType, old: Sequence[syntax.DeclarationSyntax]
    ) -> tuple[tree.Object, ...]:
        if header.parameters is None or self.is_void_list(header):
            return ()
        declared = {item.name: item for item in old}
        parameters: list[tree.Object] = []
        for given in header.parameters:
            node = declared.get(given.name, given)
            type_ = self.parameter_type(node)
            if isinstance(type_, Void) or self.is_open(type_):
                raise self.error(node, f"a parameter cannot have the type {type_}")
            name = node.name or ".unnamed"
            parameter = self.local(name, type_, Storage.PARAMETER, self.span(node))
            if node.name is not None:
                self.bind(name, parameter, node)
            self._note_extent(node, parameter)
            if is_const(type_):
                self.constant_objects.add(parameter.name)
            parameters.append(parameter)
        return tuple(parameters)

    def _note_extent(self, node: syntax.DeclarationSyntax, parameter: tree.Object) -> None:
        """Note the bytes that an argument has at least, where the declaration says that."""
        count = None
        if isinstance(node.type, syntax.ArrayType) and node.type.at_least and node.type.length is not None:
            count = self.constant(node.type.length)
        if count is not None and isinstance(parameter.type, Pointer):
            self.program.extents[parameter.name] = count * self.size_of(node, parameter.type.target)

    def _check_labels(self, body: BodyState) -> None:
        for label, span in body.gotos:
            if label not in body.labels:
                raise self.error(span, f"there is no label {label!r} in {body.name}")

    def declared(self) -> dict[str, tree.FunctionDeclaration]:
        return {
            state.name: tree.FunctionDeclaration(state.span, state.name, state.type, state.parameters, state.body)
            for state in self.functions.values()
        }

    def finish(self) -> None:
        """Tentative definitions of arrays without a length have one element (C11 6.9.2)."""
        self.refuse_unheeded()
        self._refuse_other_names()
        if self.annotations:
            raise ParseError(self.annotations[0].span, "an annotation must stand before a statement or a function")
        self.leave_types()
        for name, declaration in self.globals.items():
            object_ = declaration.object
            if object_.storage is Storage.EXTERNAL or (object_.function is None and name not in self.defined.own):
                continue
            if isinstance(object_.type, Array) and object_.type.length is None:
                self._complete(object_, Array(object_.type.element, 1))
            if isinstance(object_.type, Void) or self.is_open(object_.type):
                raise self.error(object_.span, f"an object cannot have the incomplete type {object_.type}")

    def _refuse_other_names(self) -> None:
        """An asm label makes a name stand for something else, which only the variants in C libraries leave as it is."""
        given = {one.label for one in self.prepared.labels if one.label != one.name}
        words = Counter(token.text for token in self.prepared.tokens) if given else Counter()
        for label in self.prepared.labels:
            if words[label.name] == 1 and label.name not in given:
                continue  # nothing uses the name
            known = {label.name, *given} & {*self.defined.functions, *self.defined.objects}
            variant = (
                label.label.startswith("__") and label.label.endswith(f"_{label.name}")
            ) or label.label == f"{label.name}64"
            is_unclear = known or not variant or label.label in self.functions
            if label.label != label.name and is_unclear and self._is_used(label.name):
                raise Unsupported(label.span, f"{label.name!r} as another name of {label.label!r} is not supported")

    def _is_used(self, name: str) -> bool:
        """Whether anything but a declaration of a function has the name."""
        full = self.defined.name(name)
        if full not in self.functions or full in self.defined.functions:
            return True
        bodies = [one.body for one in self.functions.values() if one.body is not None]
        every = nodes(*self.globals.values(), *bodies)
        return any(isinstance(node, tree.FunctionAddress) and node.function == full for node in every)
