"""The adapter of pycparser: tokens to a syntax tree of ours, with exact places.

pycparser reads our tokens instead of lexing text, and takes the number of a token for its column: so its coordinates
lead back to tokens, whatever lines and macros they came from. Nothing untyped leaves this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from core.pattern import compiled_later
from frontend.parsing import syntax
from frontend.parsing.prepass import SAME, Prepared
from frontend.parsing.syntax_errors import syntax_error
from frontend.source import FrontendError, ParseError
from frontend.typed.ctype import Qualifiers

with compiled_later():  # the patterns of its lexer, which is not used
    import pycparser
    from pycparser import c_ast
    from pycparser.c_lexer import Token as PycparserToken

_QUALIFIERS = {"const": Qualifiers.CONST, "volatile": Qualifiers.VOLATILE}

_STRINGS = frozenset(
    ("STRING_LITERAL", "WSTRING_LITERAL", "U8STRING_LITERAL", "U16STRING_LITERAL", "U32STRING_LITERAL")
)
_SURPRISES = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""Exceptions of pycparser at some malformed texts, besides its ParseError."""


def parse(prepared: Prepared) -> Sequence[syntax.ExternalSyntax]:
    """The external declarations of the unit; ParseError where the tokens are not C. It recurses as deep as the text."""
    feed = _Feed(prepared)
    parser = pycparser.CParser(lexer=feed.attach)
    try:
        unit = parser.parse("", prepared.file)
    except pycparser.c_parser.ParseError as error:
        raise feed.located(str(error)) from None
    except _SURPRISES as error:
        raise feed.located(str(error) or "syntax error") from None
    return _NodeConverter(prepared).unit(unit)


class _Feed:
    """A lexer for pycparser that hands out the prepared tokens."""

    def __init__(self, prepared: Prepared) -> None:
        self.filename = prepared.file
        self._prepared = prepared
        self._next = 0

    def attach(self, **_settings: object) -> _Feed:
        return self

    def input(self, _text: str, _filename: str) -> None:
        self._next = 0

    def token(self) -> Any:
        number = self._next
        if number >= len(self._prepared.tokens):
            return None
        self._next = number + 1
        token = self._prepared.tokens[number]
        return PycparserToken(token.kind, token.text, token.line, number, token.file)

    def located(self, complaint: str) -> FrontendError:
        """The error for one of pycparser's, which begins with its coordinates or with a file name."""
        known = re.match(r"(?s).*?:\d+:(\d+): (.*)", complaint)
        number = int(known[1]) if known else max(self._next - 1, 0)
        message = known[2] if known else complaint.removeprefix(f"{self.filename}: ")
        if "At end of input" in message or not self._prepared.tokens:
            return ParseError(self._prepared.span(number, number), "unexpected end of the file")
        return syntax_error(self._prepared, number, message)


class _NodeConverter:
    """Converts pycparser's nodes to ours."""

    def __init__(self, prepared: Prepared) -> None:
        self._tokens = prepared.tokens
        self._partner = prepared.partner
        self._types: dict[int, syntax.TypeSyntax] = {}
        """By identity of the node: `struct {…} a, b;` shares one, which must be one type."""
        self._qualified_types: dict[tuple[int, frozenset[str]], tuple[syntax.TypeSyntax, syntax.TypeSyntax]] = {}
        """By identity of the type, which is kept, and the words that qualify it."""
        self._expressions: dict[type, Callable[[Any], syntax.ExpressionSyntax]] = {
            c_ast.ID: self.name,
            c_ast.Constant: self.constant,
            c_ast.UnaryOp: self.unary,
            c_ast.BinaryOp: self.infix,
            c_ast.Assignment: self.assignment,
            c_ast.TernaryOp: self.choice,
            c_ast.ExprList: self.sequence,
            c_ast.Cast: self.cast,
            c_ast.FuncCall: self.call,
            c_ast.ArrayRef: self.subscript,
            c_ast.StructRef: self.selection,
            c_ast.CompoundLiteral: self.literal,
            c_ast.Compound: self.statement_value,
            c_ast.GenericSelection: self.generic,
        }
        self._statements: dict[type, Callable[[Any], syntax.StatementSyntax]] = {
            c_ast.Compound: self.compound,
            c_ast.EmptyStatement: self.nothing,
            c_ast.Pragma: self.nothing,
            c_ast.If: self.if_,
            c_ast.While: self.while_,
            c_ast.DoWhile: self.do_while,
            c_ast.For: self.for_,
            c_ast.Switch: self.switch,
            c_ast.Case: self.case,
            c_ast.Default: self.default,
            c_ast.Label: self.label,
            c_ast.Goto: self.goto,
            c_ast.Break: self.jump,
            c_ast.Continue: self.jump,
            c_ast.Return: self.return_,
            c_ast.Decl: self.declaration,
            c_ast.Typedef: self.declaration,
            c_ast.StaticAssert: self.static_assert,
        }

    # Places

    def _kind(self, number: int) -> str:
        return self._tokens[number].kind if 0 <= number < len(self._tokens) else ""

    def _close(self, number: int) -> int:
        """The bracket that closes the one at `number`."""
        return self._partner[number] if 0 <= number < len(self._partner) else number

    def _grown(self, node: syntax.Syntax) -> tuple[int, int]:
        """The extent of an expression with the parentheses around it."""
        first, last = node.first, node.last
        while self._kind(first - 1) == "LPAREN" and self._close(first - 1) == last + 1:
            first, last = first - 1, last + 1
        return first, last

    # External declarations

    def unit(self, node: Any) -> Sequence[syntax.ExternalSyntax]:
        return [self._external(item) for item in node.ext if not isinstance(item, c_ast.Pragma)]

    def _external(self, node: Any) -> syntax.ExternalSyntax:
        if isinstance(node, c_ast.FuncDef):
            declaration = self.declaration(node.decl)
            old = tuple(self.declaration(item) for item in node.param_decls or () if not _is_pragma(item))
            body = self.compound(node.body)
            return syntax.FunctionDefinition(declaration.first, body.last, declaration, old, body)
        return self.static_assert(node) if isinstance(node, c_ast.StaticAssert) else self.declaration(node)

    def static_assert(self, node: Any) -> syntax.StaticAssert:
        first = _place(node)
        return syntax.StaticAssert(first, self._close(first + 1), self.expression(node.cond))

    def declaration(self, node: Any) -> syntax.DeclarationSyntax:
        """A Decl, a Typedef or a Typename."""
        type_ = self.type_(node.type)
        first = _place(node) if node.coord is not None else type_.first
        if node.name is None:
            first = min(first, type_.first)
        last = first if node.name is not None else max(first, type_.last)
        while node.name is not None and self._kind(last + 1) in ("LBRACKET", "LPAREN"):
            last = self._close(last + 1)
        initialiser = self.initialiser(node.init) if getattr(node, "init", None) is not None else None
        width = self.expression(node.bitsize) if getattr(node, "bitsize", None) is not None else None
        for part in (initialiser, width):
            last = self._grown(part)[1] if part is not None else last
        storage = tuple(getattr(node, "storage", None) or ())
        aligned = tuple(self._operand(item.alignment) for item in getattr(node, "align", None) or ())
        named = first if node.name is None else _place_of_name(node)
        return syntax.DeclarationSyntax(first, last, node.name, type_, storage, initialiser, width, aligned, named)

    def initialiser(self, node: Any) -> syntax.InitialiserSyntax:
        if not isinstance(node, c_ast.InitList):
            return self.expression(node)
        items = tuple(self._item(item) for item in node.exprs)
        first = items[0].first - 1 if items else _place(node)
        while first > 0 and self._kind(first) != "LBRACE":
            first = min(self._partner[first], first) - 1
        return syntax.Braces(first, self._close(first), items)

    def _item(self, node: Any) -> syntax.InitialiserSyntax | syntax.Designated:
        if not isinstance(node, c_ast.NamedInitializer):
            return self.initialiser(node)
        value = self.initialiser(node.expr)
        designators = tuple(
            part.name if isinstance(part, c_ast.ID) else self.range_or_value(part.expr) for part in node.name
        )
        start = node.name[0]
        first = _place(start) - 1 if isinstance(start, c_ast.ID) else _place(start)
        return syntax.Designated(first, value.last, designators, value)

    # Types

    def type_(self, node: Any) -> syntax.TypeSyntax:
        known = self._types.get(id(node))
        if known is None:
            known = self._types[id(node)] = self._new_type(node)
        return known

    def _new_type(self, node: Any) -> syntax.TypeSyntax:
        match node:
            case c_ast.TypeDecl():
                return self._qualified(node, self.type_(node.type))
            case c_ast.Typename():
                return self.type_(node.type)
            case c_ast.IdentifierType():
                return syntax.NamedType(_place(node), _place(node) + len(node.names) - 1, tuple(node.names))
            case c_ast.PtrDecl():
                target = self.type_(node.type)
                return self._qualified(node, syntax.PointerType(_place(node), _place(node), target))
            case c_ast.ArrayDecl():
                element = self.type_(node.type)
                starred = isinstance(node.dim, c_ast.ID) and node.dim.name == "*"
                length = None if node.dim is None or starred else self.expression(node.dim)
                first = _place(node) if node.coord is not None else element.first
                last = first if length is None else length.last + 1
                return syntax.ArrayType(first, last, element, length, "static" in node.dim_quals)
            case c_ast.FuncDecl():
                return self._function_type(node)
            case c_ast.Struct() | c_ast.Union():
                return self._record(node)
            case c_ast.Enum():
                return self._enumeration(node)
            case c_ast.TypeOf():
                first = _place(node)
                return syntax.TypeOfType(first, self._close(first + 1), self._operand(node.expr))
            case _:
                raise ParseError(self._span_of(node), "this type is not known here")

    def _qualified(self, node: Any, type_: syntax.TypeSyntax) -> syntax.TypeSyntax:
        """The type with the qualifiers that a node of pycparser has; one for all declarators behind `struct {…}`."""
        names = frozenset(one for one in node.quals or () if one in _QUALIFIERS)
        if not names or isinstance(type_, syntax.ArrayType | syntax.FunctionType):
            return type_
        if (id(type_), names) not in self._qualified_types:
            qualifiers = Qualifiers.NONE
            for one in names:
                qualifiers |= _QUALIFIERS[one]
            self._qualified_types[id(type_), names] = type_, replace(type_, qualifiers=qualifiers)
        return self._qualified_types[id(type_), names][1]

    def _span_of(self, node: Any) -> Any:
        number = _place(node) if getattr(node, "coord", None) is not None else 0
        return Prepared("", self._tokens, self._partner, {}).span(number, number)

    def _function_type(self, node: Any) -> syntax.FunctionType:
        result = self.type_(node.type)
        first = _place(node) if node.coord is not None else result.first
        if node.args is None:
            return syntax.FunctionType(first, first, result, None, False)
        given = node.args.params
        parameters = tuple(self._parameter(item) for item in given if not isinstance(item, c_ast.EllipsisParam))
        variadic = any(isinstance(item, c_ast.EllipsisParam) for item in given)
        return syntax.FunctionType(first, first, result, parameters, variadic)

    def _parameter(self, node: Any) -> syntax.DeclarationSyntax:
        if isinstance(node, c_ast.ID):
            place = _place(node)
            return syntax.DeclarationSyntax(place, place, node.name, syntax.NamedType(place, place, ("int",)), ())
        return self.declaration(node)

    def _record(self, node: Any) -> syntax.RecordType:
        """Its first token is the keyword, one before the tag or the brace."""
        place = _place(node)
        keyword = "struct" if isinstance(node, c_ast.Struct) else "union"
        if node.decls is None:
            return syntax.RecordType(place - 1, place, keyword, node.name, None)
        last = self._close(place if node.name is None else place + 1)
        kept = [item for item in node.decls if not isinstance(item, c_ast.Pragma | c_ast.StaticAssert)]
        members = tuple(self.declaration(item) for item in kept)
        return syntax.RecordType(place - 1, last, keyword, node.name, members)

    def _enumeration(self, node: Any) -> syntax.EnumType:
        place = _place(node)
        brace = place + (1 if node.name is None else 2)
        if node.values is None:
            return syntax.EnumType(place, place + 1, node.name, None)
        values = tuple(self._enumerator(item) for item in node.values.enumerators if not _is_pragma(item))
        return syntax.EnumType(place, self._close(brace), node.name, values)

    def _enumerator(self, node: Any) -> syntax.Enumerator:
        value = None if node.value is None else self.expression(node.value)
        place = _place(node)
        return syntax.Enumerator(place, place if value is None else value.last, node.name, value)

    # Expressions

    def expression(self, node: Any) -> syntax.ExpressionSyntax:
        reader = self._expressions.get(type(node))
        if reader is None:
            raise ParseError(self._span_of(node), "this is no expression")
        return reader(node)

    def _operand(self, node: Any) -> syntax.ExpressionSyntax | syntax.TypeSyntax:
        return self.type_(node) if isinstance(node, c_ast.Typename) else self.expression(node)

    def name(self, node: Any) -> syntax.Name:
        return syntax.Name(_place(node), _place(node), node.name)

    def constant(self, node: Any) -> syntax.ExpressionSyntax:
        place = _place(node)
        kind = self._kind(place)
        if kind in _STRINGS:
            last = place
            while self._kind(last + 1) in _STRINGS:
                last += 1
            return syntax.String(place, last, " ".join(token.text for token in self._tokens[place : last + 1]))
        if kind.endswith("CHAR_CONST"):
            return syntax.Character(place, place, node.value)
        return syntax.Number(place, place, node.value, "FLOAT" in kind)

    def unary(self, node: Any) -> syntax.ExpressionSyntax:
        if node.op == "sizeof" or "lignof" in node.op:
            first = _place(node)
            operand = self._operand(node.expr)
            typed = isinstance(node.expr, c_ast.Typename)
            last = self._close(first + 1) if typed else self._grown(operand)[1]
            return syntax.SizeOf(first, last, node.op, operand)
        value = self.expression(node.expr)
        first, last = self._grown(value)
        if node.op.startswith("p"):
            return syntax.Postfix(first, last + 1, node.op[1:], value)
        return syntax.Prefix(first - 1, last, node.op, value)

    def infix(self, node: Any) -> syntax.Infix:
        left, right = self.expression(node.left), self.expression(node.right)
        if node.op == "...":
            raise ParseError(self._span_of(node), "a range must be a case or a designator")
        return syntax.Infix(self._grown(left)[0], self._grown(right)[1], node.op, left, right)

    def assignment(self, node: Any) -> syntax.Assignment:
        target, value = self.expression(node.lvalue), self.expression(node.rvalue)
        return syntax.Assignment(self._grown(target)[0], self._grown(value)[1], node.op, target, value)

    def range_or_value(self, node: Any) -> syntax.ExpressionSyntax | syntax.Range:
        if not (isinstance(node, c_ast.BinaryOp) and node.op == "..."):
            return self.expression(node)
        low, high = self.expression(node.left), self.expression(node.right)
        return syntax.Range(self._grown(low)[0], self._grown(high)[1], low, high)

    def choice(self, node: Any) -> syntax.Choice | syntax.Otherwise:
        if isinstance(node.iftrue, c_ast.ID) and node.iftrue.name == SAME:
            value, otherwise = self.expression(node.cond), self.expression(node.iffalse)
            return syntax.Otherwise(self._grown(value)[0], self._grown(otherwise)[1], value, otherwise)
        condition, then, otherwise = (self.expression(part) for part in (node.cond, node.iftrue, node.iffalse))
        return syntax.Choice(self._grown(condition)[0], self._grown(otherwise)[1], condition, then, otherwise)

    def sequence(self, node: Any) -> syntax.Sequence:
        parts = tuple(self.expression(part) for part in node.exprs)
        return syntax.Sequence(self._grown(parts[0])[0], self._grown(parts[-1])[1], parts)

    def cast(self, node: Any) -> syntax.Cast:
        operand = self.expression(node.expr)
        return syntax.Cast(_place(node), self._grown(operand)[1], self.type_(node.to_type), operand)

    def call(self, node: Any) -> syntax.ExpressionSyntax:
        place = _place(node)
        kind = self._kind(place) if isinstance(node.name, c_ast.ID) else ""  # a result that is called begins there, too
        if kind == "OFFSETOF":
            type_, path = node.args.exprs
            return syntax.OffsetOf(place, self._close(place + 1), self.type_(type_), self.expression(path))
        if kind == "__BUILTIN_VA_ARG":
            list_, type_ = node.args.exprs
            return syntax.NextArgument(place, self._close(place + 1), self.expression(list_), self.type_(type_))
        function = self.expression(node.name)
        first, last = self._grown(function)
        arguments = tuple(self.expression(item) for item in node.args.exprs) if node.args is not None else ()
        return syntax.CallSyntax(first, self._close(last + 1), function, arguments)

    def subscript(self, node: Any) -> syntax.Subscript:
        base = self.expression(node.name)
        first, last = self._grown(base)
        return syntax.Subscript(first, self._close(last + 1), base, self.expression(node.subscript))

    def selection(self, node: Any) -> syntax.Selection:
        base = self.expression(node.name)
        first, last = self._grown(base)
        return syntax.Selection(first, last + 2, base, node.type == "->", node.field.name)

    def literal(self, node: Any) -> syntax.Literal:
        place = _place(node)
        brace = self._close(place) + 1
        value = self.initialiser(node.init)
        if not isinstance(value, syntax.Braces):
            raise ParseError(self._span_of(node), "a compound literal needs braces")
        return syntax.Literal(place, self._close(brace), self.type_(node.type), value)

    def statement_value(self, node: Any) -> syntax.StatementValue:
        body = self.compound(node)
        return syntax.StatementValue(body.first - 1, body.last + 1, body)

    def generic(self, node: Any) -> syntax.Generic:
        associations = tuple(
            (None if one.type is None else self.type_(one.type), self.expression(one.expr)) for one in node.associations
        )
        return syntax.Generic(_place(node), self._close(_place(node) + 1), self.expression(node.expr), associations)

    # Statements

    def statement(self, node: Any) -> syntax.StatementSyntax:
        reader = self._statements.get(type(node))
        if reader is not None:
            return reader(node)
        value = self.expression(node)
        first, last = self._grown(value)
        return syntax.Simple(first, last + 1, value)

    def compound(self, node: Any) -> syntax.Compound:
        place = _place(node)
        items = tuple(self.statement(item) for item in node.block_items or ())
        return syntax.Compound(place, self._close(place), items)

    def nothing(self, node: Any) -> syntax.Nothing:
        return syntax.Nothing(_place(node), _place(node))

    def if_(self, node: Any) -> syntax.IfSyntax:
        condition, then = self.expression(node.cond), self.statement(node.iftrue)
        otherwise = None if node.iffalse is None else self.statement(node.iffalse)
        return syntax.IfSyntax(_place(node), (otherwise or then).last, condition, then, otherwise)

    def while_(self, node: Any) -> syntax.Loop:
        condition, body = self.expression(node.cond), self.statement(node.stmt)
        return syntax.Loop(_place(node), body.last, "while", condition, body)

    def do_while(self, node: Any) -> syntax.Loop:
        body, condition = self.statement(node.stmt), self.expression(node.cond)
        return syntax.Loop(_place(node), self._grown(condition)[1] + 1, "do", condition, body)

    def for_(self, node: Any) -> syntax.ForSyntax:
        initial: tuple[syntax.StatementSyntax, ...] = ()
        if isinstance(node.init, c_ast.DeclList):
            initial = tuple(self.statement(item) for item in node.init.decls)
        elif node.init is not None:
            initial = (self.statement(node.init),)
        condition = None if node.cond is None else self.expression(node.cond)
        step = None if node.next is None else self.expression(node.next)
        body = self.statement(node.stmt)
        return syntax.ForSyntax(_place(node), body.last, initial, condition, step, body)

    def switch(self, node: Any) -> syntax.SwitchSyntax:
        value, body = self.expression(node.cond), self.statement(node.stmt)
        return syntax.SwitchSyntax(_place(node), body.last, value, body)

    def case(self, node: Any) -> syntax.CaseSyntax:
        return self._case(node, self.range_or_value(node.expr))

    def default(self, node: Any) -> syntax.CaseSyntax:
        return self._case(node, None)

    def _case(self, node: Any, value: syntax.ExpressionSyntax | syntax.Range | None) -> syntax.CaseSyntax:
        statements = tuple(self.statement(item) for item in node.stmts)
        last = statements[-1].last if statements else _place(node)
        return syntax.CaseSyntax(_place(node), last, value, statements)

    def label(self, node: Any) -> syntax.LabelSyntax:
        statement = self.statement(node.stmt)
        return syntax.LabelSyntax(_place(node), statement.last, node.name, statement)

    def goto(self, node: Any) -> syntax.Jump:
        return syntax.Jump(_place(node), _place(node) + 2, "goto", node.name)

    def jump(self, node: Any) -> syntax.Jump:
        keyword = "break" if isinstance(node, c_ast.Break) else "continue"
        return syntax.Jump(_place(node), _place(node) + 1, keyword, "")

    def return_(self, node: Any) -> syntax.ReturnSyntax:
        value = None if node.expr is None else self.expression(node.expr)
        last = _place(node) + 1 if value is None else self._grown(value)[1] + 1
        return syntax.ReturnSyntax(_place(node), last, value)


def _place(node: Any) -> int:
    """The number of the token where pycparser places the node; 0 where it does not say."""
    coordinates = node.coord
    return 0 if coordinates is None else int(coordinates.column)


def _place_of_name(node: Any) -> int:
    """The token of the name that a declaration declares."""
    type_ = node.type
    while not isinstance(type_, c_ast.TypeDecl):
        type_ = type_.type
    return _place(type_ if type_.coord is not None else node)


def _is_pragma(node: Any) -> bool:
    return isinstance(node, c_ast.Pragma)
