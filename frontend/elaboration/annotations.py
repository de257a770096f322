"""ACSL annotations to claims among the statements: the place of each clause, and the claims of contracts.

An assertion is a claim where it stands. A loop invariant is one at the head of the loop, so that it must hold at first
and be preserved. `requires` is a claim at the entry of the function, that is at each call; of `main`, and where
`--entry` starts a function, it is assumed.
`ensures` is a claim before each return: the result, `\\old` values and the parameters (which keep their first values in
`ensures`) are then in hidden objects. A bound variable in `\\old` is any value, chosen where the function begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from core.dataclass import dataclass
from frontend.acsl.parser import parse_annotation
from frontend.acsl.syntax import AnnotationClause, ClauseKind, Formula, Node, Quantor
from frontend.elaboration.definedness import where_defined
from frontend.elaboration.initialisers import Initialisers
from frontend.elaboration.list_predicates import Before
from frontend.elaboration.predicates import Predicates
from frontend.elaboration.scope import Scope
from frontend.options import STARTER
from frontend.parsing import syntax
from frontend.source import ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, Void
from frontend.typed.tree import ClaimKind, Expression, Statement, Storage

MAIN = "main"
_BEFORE_DECLARATIONS = frozenset((";", "{", ":", "(", ")", ","))


@dataclass(slots=True)
class FunctionContract:
    """The clauses of the function that is being read, and what its claims keep of the state in which it began."""

    requires: tuple[AnnotationClause, ...]
    ensures: tuple[AnnotationClause, ...]
    scopes: list[Scope]
    """Names at the entry of the function: the unit and the parameters."""
    changed: frozenset[str]
    """The names that the body may change; others keep the values of parameters without a hidden object."""
    kept: list[Statement] = field(default_factory=list)
    objects: dict[int, tree.Object] = field(default_factory=dict)
    """By the identity of what each one keeps: a formula, a parameter, or a bound variable."""


class Annotations(Initialisers):
    """A layer of the elaboration that takes annotations in the order of the text."""

    contract: FunctionContract | None = None
    invariants: tuple[AnnotationClause, ...] = ()
    """Annotations of the loop that comes next."""

    def declared_from(self, node: syntax.Syntax) -> int:
        """The first token of a declaration: its node begins at the name, behind the words of the type."""
        tokens, first = self.prepared.tokens, node.first
        while first:
            before = first - 1
            if tokens[before].text == "}":
                brace = self.prepared.partner[before]
                words = {token.text for token in tokens[max(brace - 2, 0) : brace]}
                if not words & {"struct", "union", "enum"}:
                    return first
                before = brace
            elif tokens[before].text in _BEFORE_DECLARATIONS:
                return first
            first = before
        return first

    def clauses_before(self, first: int) -> tuple[AnnotationClause, ...]:
        """The clauses of the annotations that stand directly before the token of this number."""
        clauses: list[AnnotationClause] = []
        place, before = self.prepared.span(first, first), self.prepared.span(first - 1, first - 1)
        while self._is_before(place):
            if first and before.file == place.file and self._is_before(_end(before)):
                raise _misplaced(self.annotations[0].span)
            clauses.extend(parse_annotation(self.annotations.pop(0)))
        for clause in clauses:
            if clause.kind is ClauseKind.FRAME:
                words = clause.text.split()
                named = " ".join(words[: 2 if words[0] == "loop" else 1])
                self.program.undecided.append(tree.UndecidedClause(clause.span, named))
        return tuple(one for one in clauses if one.kind is not ClauseKind.FRAME)

    def refuse_inside(self, place: Span) -> None:
        """Refuse annotations that are left before the end of a place."""
        if self._is_before(_end(place)):
            raise _misplaced(self.annotations[0].span)

    def _is_before(self, place: Span) -> bool:
        """Whether an annotation is left that begins before the place."""
        own = place.file == self.prepared.file
        return own and bool(self.annotations) and _begin(self.annotations[0].span) < _begin(place)

    # Among statements

    def claims_before(self, node: syntax.StatementSyntax) -> list[Statement]:
        """The assertions before a statement; loop invariants are put aside for it."""
        declares = isinstance(node, syntax.DeclarationSyntax)
        clauses = self.clauses_before(self.declared_from(node) if declares else node.first)
        self.invariants = tuple(one for one in clauses if one.kind is ClauseKind.INVARIANT)
        if self.invariants and not isinstance(node, syntax.Loop | syntax.ForSyntax):
            raise ParseError(self.invariants[0].span, "a loop invariant must stand before a loop")
        return self._assertions([one for one in clauses if one.kind is not ClauseKind.INVARIANT])

    def claims_at_end(self, block: syntax.Compound) -> list[Statement]:
        """The assertions before the closing brace of a block."""
        return self._assertions(self.clauses_before(block.last))

    def _assertions(self, clauses: Sequence[AnnotationClause]) -> list[Statement]:
        found: list[Statement] = []
        for clause in clauses:
            if clause.kind is ClauseKind.INVARIANT:
                raise ParseError(clause.span, "a loop invariant must stand before a loop")
            if clause.kind is not ClauseKind.ASSERT:
                raise Unsupported(clause.span, "contracts of statements are not decided")
            found.append(self.claim(clause, ClaimKind.CHECKED, self._at_begin()))
        return found

    def _at_begin(self) -> Before | None:
        """The state in which the function that is being read began."""
        contract = self.contract
        if contract is None:
            return None
        return Before(
            None, self._keep, lambda one: one, self._choose, contract.scopes, contract.changed, is_after=False
        )

    def claim(self, clause: AnnotationClause, kind: ClaimKind, before: Before | None = None) -> Statement:
        """The claim of a clause here, after the declarations of its witnesses."""
        assert clause.formula is not None
        reader = Predicates(self, before)
        free = Quantor.FORALL if kind is ClaimKind.CHECKED else Quantor.EXISTS
        condition = reader.predicate(clause.formula, free)
        if kind is ClaimKind.CHECKED:
            condition = where_defined(condition, self.int_)
        claim = tree.Claim(clause.span, kind, condition, clause.text)
        return tree.Compound(clause.span, (*reader.statements, claim)) if reader.statements else claim

    # Loops

    def taken_invariants(self) -> tuple[AnnotationClause, ...]:
        """The invariants of the loop that begins."""
        found, self.invariants = self.invariants, ()
        return found

    def invariant_claims(self, invariants: Sequence[AnnotationClause]) -> tuple[Statement, ...]:
        return tuple(self.claim(one, ClaimKind.CHECKED, self._at_begin()) for one in invariants)

    def headed(self, claims: Sequence[Statement], value: Expression) -> Expression:
        """The condition of a loop, after the claims of its head."""
        if not claims:
            return value
        span = claims[0].span
        return tree.StatementExpression(value.span, value.type, tree.Compound(span, tuple(claims)), value)

    # Contracts

    def contract_of(self, clauses: Sequence[AnnotationClause], body: syntax.Compound) -> FunctionContract | None:
        """The contract before a definition, whose parameters are in scope."""
        for clause in clauses:
            if clause.kind not in (ClauseKind.REQUIRES, ClauseKind.ENSURES):
                raise ParseError(clause.span, f"`{clause.kind.value}` must stand in a function")
        requires = tuple(one for one in clauses if one.kind is ClauseKind.REQUIRES)
        ensures = tuple(one for one in clauses if one.kind is ClauseKind.ENSURES)
        inner = self.scopes[-1]
        scopes = [*self.scopes[:-1], Scope(dict(inner.names), dict(inner.tags))]
        is_annotated = bool(clauses or self.annotations)
        return FunctionContract(requires, ensures, scopes, _changed(body)) if is_annotated else None

    def preconditions(self, contract: FunctionContract, function: str) -> tuple[Statement, ...]:
        kind = ClaimKind.ASSUMED if function in (MAIN, STARTER) else ClaimKind.CHECKED
        return tuple(self.claim(one, kind) for one in contract.requires)

    def returned(self, value: Expression | None, span: Span) -> Statement:
        """A return, after the claims of the function's `ensures`."""
        if self.contract is None or not self.contract.ensures:
            return tree.Return(span, value)
        if value is None or isinstance(value.type, Void):
            first = () if value is None else (tree.ExpressionStatement(span, value),)
            return tree.Compound(span, (*first, *self.postconditions(None), tree.Return(span, None)))
        result = self.local(".result", value.type, Storage.AUTOMATIC, span)
        declared = tree.Declaration(
            span, result, tree.Initialiser(span, (tree.InitialiserEntry((), value),), zero_fill=False)
        )
        kept = tree.Load(span, result.type, tree.Variable(span, result.type, result))
        return tree.Compound(span, (declared, *self.postconditions(result), tree.Return(span, kept)))

    def at_end_of_body(self, result: CType, span: Span, name: str) -> tuple[Statement, ...]:
        """The claims of the `ensures` at the end of the body: the result is then 0 in main, else any value."""
        if self.contract is None or not self.contract.ensures:
            return ()
        if isinstance(result, Void):
            return self.postconditions(None)
        object_ = self.local(".result", result, Storage.AUTOMATIC, span)
        initialiser = None
        if name == MAIN and isinstance(result, Integer):
            entry = tree.InitialiserEntry((), tree.IntegerConstant(span, result, 0))
            initialiser = tree.Initialiser(span, (entry,), zero_fill=False)
        return (tree.Declaration(span, object_, initialiser), *self.postconditions(object_))

    def postconditions(self, result: tree.Object | None) -> tuple[Statement, ...]:
        contract = self.contract
        assert contract is not None
        scopes, self.scopes = self.scopes, contract.scopes
        before = Before(
            result, self._keep, self._keep_parameter, self._choose, contract.scopes, frozenset(), is_after=True
        )
        found = tuple(self.claim(one, ClaimKind.CHECKED, before) for one in contract.ensures)
        self.scopes = scopes
        return found

    def _keep(self, formula: Formula, value: Expression, first: Sequence[Statement]) -> tree.Object:
        contract = self.contract
        if contract is not None and id(formula) not in contract.objects:
            contract.kept += first
        return self._kept(id(formula), ".old", value)

    def _choose(self, node: Node, make: Callable[[], tuple[tree.Object, Sequence[Statement]]]) -> tree.Object:
        contract = self.contract
        assert contract is not None
        if id(node) not in contract.objects:
            contract.objects[id(node)], statements = make()
            contract.kept += statements
        return contract.objects[id(node)]

    def _keep_parameter(self, parameter: tree.Object) -> tree.Object:
        contract = self.contract
        if contract is not None and parameter.source_name not in contract.changed:
            return parameter
        read = tree.Load(parameter.span, parameter.type, tree.Variable(parameter.span, parameter.type, parameter))
        return self._kept(id(parameter), f".old.{parameter.source_name}", read)

    def _kept(self, key: int, name: str, value: Expression) -> tree.Object:
        contract = self.contract
        assert contract is not None
        known = contract.objects.get(key)
        if known is None:
            span = value.span
            known = contract.objects[key] = self.local(name, value.type, Storage.AUTOMATIC, span)
            initialiser = tree.Initialiser(span, (tree.InitialiserEntry((), value),), zero_fill=False)
            contract.kept.append(tree.Declaration(span, known, initialiser))
        return known


def _misplaced(span: Span) -> ParseError:
    return ParseError(span, "an annotation must stand before a statement or a function")


def _end(span: Span) -> Span:
    """The empty span behind a span."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)


def _begin(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _changed(body: syntax.Compound) -> frozenset[str]:
    """The names in assignments, increments, addresses and members of a body: all that it can change by name."""
    names: set[str] = set()
    stack: list[tuple[object, bool]] = [(body, False)]
    while stack:
        node, inside = stack.pop()
        match node:
            case syntax.Name(name=name) if inside:
                names.add(name)
            case syntax.Subscript(base=syntax.Name()) | syntax.Selection(arrow=True) | syntax.Prefix(operator="*"):
                # What a parameter leads to: it is a pointer.
                stack += [(getattr(node, name), False) for name in node.__match_args__]
            case syntax.Assignment(target=target, value=value):
                stack += [(target, True), (value, inside)]
            case syntax.Postfix() | syntax.Prefix(operator="++" | "--" | "&"):
                stack.append((node.operand, True))
            case syntax.Selection(base=base, arrow=False):  # an array in a struct may become a pointer
                stack.append((base, True))
            case syntax.Syntax():
                stack += [(getattr(node, name), inside) for name in node.__match_args__]
            case tuple():
                stack += [(one, inside) for one in node]
            case _:
                pass
    return frozenset(names)


def is_return(s: Statement) -> bool:
    """Whether nothing goes on behind the statement because it returns."""
    while isinstance(s, tree.Compound) and s.items:
        s = s.items[-1]
    return isinstance(s, tree.Return)
