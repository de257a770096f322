"""Copies of functions that allocate, release or pass on memory of any type: one for each type that calls give it.

`void *xmalloc(size_t size)` returns memory of all types, `void xfree(void *p)` gets it. One body would make one object
of all that it returns: the analysis of pointers does not tell calls apart. So a call leads to a copy for the types that
its untyped pointers have around the call, as each call of the C library has a body of its own (`bodies.py`).

Heuristic: which functions have copies. Any function may have, but those that call themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from core.dataclass import dataclass
from frontend.typed import tree
from frontend.typed.ctype import CType, Integer, IntegerKind, Pointer, Void
from frontend.typed.library_table import Allocated, library_function
from frontend.typed.rebuilding import with_parts
from frontend.typed.traversal import callee, nodes
from frontend.typed.tree import FunctionDeclaration, Storage, TranslationUnit

MAX_NODES = 80
"""Nodes of a function that has copies."""
MAX_COPIES = 200
_OF_ANY_TYPE = (Allocated.MEMORY, Allocated.ALIGNED, Allocated.ZEROS)
"""New objects of any type."""
_KEPT = (tree.Claim, tree.Labeled, tree.Goto, tree.Assembly, tree.PassedArguments)
_UNTYPED = (IntegerKind.CHAR, IntegerKind.SCHAR, IntegerKind.UCHAR)


def with_own_allocators(unit: TranslationUnit) -> TranslationUnit:
    """The unit with copies of such functions. It recurses as deep as the tree."""
    work = _Copies(unit, frozenset(_copied(unit)))
    if not work.names:
        return unit
    functions = {name: work.function(one) for name, one in unit.functions.items()}
    return replace(unit, functions={**functions, **work.added})


def _copied(unit: TranslationUnit) -> Iterator[str]:
    """The functions that have copies."""
    called: dict[str, set[str | None]] = {}
    small: dict[str, set[str | None]] = {}
    for name, function in unit.functions.items():
        if function.body is not None:
            inside = list(nodes(function.body))
            called[name] = {callee(one) for one in inside if isinstance(one, tree.Call)}
            types = (function.type.result, *function.type.parameters)
            is_plain = not function.type.variadic and not any(isinstance(one, _KEPT) for one in inside)
            if is_plain and len(inside) <= MAX_NODES and any(map(_is_untyped, types)):
                small[name] = called[name]
    found: set[str | None] = {None, *(name for name in unit.functions if name not in called and _is_allocator(name))}
    grown = True
    while grown:
        more = {name for name, names in small.items() if name not in found and names & found}
        found |= more
        grown = bool(more)
    yield from (name for name in small if name in found and name not in _reached(name, called))


def _reached(name: str, called: Mapping[str, set[str | None]]) -> set[str | None]:
    """The functions that a call of this one calls by name."""
    found: set[str | None] = set()
    waiting = list(called[name])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(called.get(one or "", ()))
    return found


def _is_allocator(name: str) -> bool:
    """Whether a function of the library allocates or releases memory of any type."""
    function = library_function(name)
    return function.releases or function.allocates in _OF_ANY_TYPE


def _is_untyped(type_: CType) -> bool:
    """Whether a pointer of the type is to memory of any type."""
    if not isinstance(type_, Pointer):
        return False
    target = type_.target
    return isinstance(target, Void) or (isinstance(target, Integer) and target.kind in _UNTYPED)


@dataclass(frozen=True, slots=True)
class _Copy:
    """A copy that is being made: what it is made for, and its objects by identity of those of the function."""

    key: object
    objects: Mapping[int, tree.Object]


@dataclass(slots=True)
class _Copies:
    """Rewrites the functions of one unit; `names` have copies, `added` are those made so far."""

    unit: TranslationUnit
    names: frozenset[str]
    added: dict[str, FunctionDeclaration] = field(default_factory=dict)
    _made: dict[object, str] = field(default_factory=dict)

    def function(self, function: FunctionDeclaration) -> FunctionDeclaration:
        if function.body is None or function.name in self.names:
            return function
        body = self._rebuilt(function.body)
        assert isinstance(body, tree.Compound)
        return replace(function, body=body)

    def _rebuilt(self, node: tree.Node, copy: _Copy | None = None, wanted: CType | None = None) -> tree.Node:
        """The node with calls of copies; `wanted` is the type to which its value is converted."""
        below = node.type if isinstance(node, tree.Convert) else None
        new = with_parts(node, lambda part: self._rebuilt(part, copy, below))
        if copy is not None:
            new = _of_its_own(new, copy)
        name = callee(new) if isinstance(new, tree.Call) else None
        if isinstance(new, tree.Call) and name in self.names and isinstance(new.function, tree.FunctionAddress):
            types = (wanted or new.type, *map(_given, new.arguments))
            is_open = any(one is not None and _is_untyped(one) for one in types)
            key = (name, types, copy.key if copy is not None and is_open else None)
            return replace(new, function=replace(new.function, function=self._copy(name, key)))
        return new

    def _copy(self, name: str, key: object) -> str:
        """The name of the copy; that of the function where there are many."""
        if key not in self._made and len(self._made) < MAX_COPIES:
            self._made[key] = made = f"{name}...{len(self._made) + 1}"
            self.added[made] = self._declared(made, self.unit.functions[name], key)
        return self._made.get(key, name)

    def _declared(self, made: str, function: FunctionDeclaration, key: object) -> FunctionDeclaration:
        assert function.body is not None
        objects: dict[int, tree.Object] = {}
        found = [one.object for one in nodes(function.body) if isinstance(one, tree.Declaration | tree.CompoundLiteral)]
        for one in (*function.parameters, *found):
            if one.storage in (Storage.AUTOMATIC, Storage.PARAMETER) and id(one) not in objects:
                own = made + one.name.removeprefix(function.name)
                objects[id(one)] = replace(one, name=own, function=made)
        body = self._rebuilt(function.body, _Copy(key, objects))
        assert isinstance(body, tree.Compound)
        parameters = tuple(objects[id(one)] for one in function.parameters)
        return replace(function, name=made, parameters=parameters, body=body)


def _of_its_own(node: tree.Node, copy: _Copy) -> tree.Node:
    """The node as one of the copy, since analyses tell nodes apart by identity."""
    if isinstance(node, tree.Declaration | tree.CompoundLiteral | tree.Variable):
        return replace(node, object=copy.objects.get(id(node.object), node.object))
    return replace(node)


def _given(argument: tree.Expression) -> CType | None:
    """The type of a pointer that is given as one to any type."""
    while isinstance(argument, tree.Convert) and isinstance(argument.operand.type, Pointer):
        argument = argument.operand
    return argument.type if isinstance(argument.type, Pointer) else None
