"""Types of expressions in generated programs, as far as instrumentation must know them.

Types are declarators of pycparser. What has no type here is taken to be a scalar.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from pycparser import c_ast

Type: TypeAlias = Any
"""A node of pycparser, which has no types."""


class ExpressionTypes:
    """The names in scope, with their types, and the members of structs and unions."""

    def __init__(self) -> None:
        self._scopes: list[dict[str, Type]] = [{}]
        self._records: dict[str, Type] = {}

    def enter(self) -> None:
        self._scopes.append({})

    def leave(self) -> None:
        self._scopes.pop()

    def declare(self, declaration: c_ast.Decl) -> None:
        """Make a name visible, and the members of a struct or union that is defined with it."""
        type_ = declaration.type
        if declaration.name is not None:
            self._scopes[-1][declaration.name] = type_
        while isinstance(type_, c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl):
            type_ = type_.type
        if isinstance(type_, c_ast.Struct | c_ast.Union) and type_.decls is not None and type_.name is not None:
            self._records[type_.name] = type_

    def of(self, e: c_ast.Node) -> Type | None:
        """The type of an expression; None where it does not matter."""
        match e:
            case c_ast.ID():
                return next((scope[e.name] for scope in reversed(self._scopes) if e.name in scope), None)
            case c_ast.ArrayRef():
                return _target(self.of(e.name))
            case c_ast.StructRef():
                member = self._member(e)
                return None if member is None else member.type
            case c_ast.UnaryOp(op="*"):
                return _target(self.of(e.expr))
            case c_ast.UnaryOp(op="&"):
                return c_ast.PtrDecl([], self.of(e.expr))
            case c_ast.Cast():
                return e.to_type.type
            case c_ast.CompoundLiteral():
                return e.type.type
            case c_ast.Assignment():
                return self.of(e.lvalue)
            case c_ast.TernaryOp():
                return self.of(e.iftrue) or self.of(e.iffalse)
            case c_ast.BinaryOp(op="+" | "-"):
                return next((t for t in (self.of(e.left), self.of(e.right)) if is_pointer(t)), None)
            case c_ast.FuncCall():
                return _target(_function(self.of(e.name)))
            case _:
                return None

    def is_bit_field(self, e: c_ast.Node) -> bool:
        if not isinstance(e, c_ast.StructRef):
            return False
        member = self._member(e)
        return member is not None and member.bitsize is not None

    def truths_in(self, type_: Type | None, text: str) -> list[str]:
        """The lvalues of type `_Bool` that a struct consists of, whose lvalue is the text; one for an lvalue of one."""
        match type_:
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=["_Bool"])):
                return [text]
            case c_ast.TypeDecl(type=c_ast.Struct() as record):
                members = record.decls or self._records[record.name].decls
                return [one for member in members for one in self.truths_in(member.type, f"{text}.{member.name}")]
            case c_ast.ArrayDecl(dim=c_ast.Constant()):
                return [one for k in range(int(type_.dim.value)) for one in self.truths_in(type_.type, f"{text}[{k}]")]
            case _:
                return []

    def _member(self, e: c_ast.StructRef) -> c_ast.Decl | None:
        base = self.of(e.name)
        record = _target(base) if e.type == "->" else base
        record = record.type if isinstance(record, c_ast.TypeDecl) else record
        if not isinstance(record, c_ast.Struct | c_ast.Union):
            return None
        members = record.decls or self._records[record.name].decls
        return next((one for one in members if one.name == e.field.name), None)


def is_array(type_: Type | None) -> bool:
    return isinstance(type_, c_ast.ArrayDecl)


def is_pointer(type_: Type | None) -> bool:
    return isinstance(type_, c_ast.PtrDecl | c_ast.ArrayDecl)


def is_function(type_: Type | None) -> bool:
    return isinstance(type_, c_ast.FuncDecl)


def is_void(type_: Type | None) -> bool:
    return isinstance(type_, c_ast.TypeDecl) and getattr(type_.type, "names", None) == ["void"]


def _target(type_: Type | None) -> Type | None:
    """The target of a pointer, the elements of an array, the result of a function."""
    return type_.type if isinstance(type_, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl) else None


def _function(type_: Type | None) -> Type | None:
    return type_.type if isinstance(type_, c_ast.PtrDecl) else type_
