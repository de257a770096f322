"""A reader of SMT-LIB terms: the part of the language that `to_smtlib` writes and solvers answer with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import combinations, pairwise

from core.pattern import pattern
from core.terms.arena import Arena
from core.terms.operators import function_named
from core.terms.sorts import INT, ArraySort, Sort
from core.terms.term import Term

SExpression = str | list["SExpression"]

_TOKEN = pattern(r"\(|\)|\|[^|]*\||[^\s()|]+")


class NotReadable(ValueError):
    """Raised for a text that is not a term of the subset."""


def read_expressions(text: str) -> Iterator[SExpression]:
    """The s-expressions of `text`: atoms as strings (without bars), lists as lists."""
    open_: list[list[SExpression]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            open_.append([])
        elif token == ")":
            if len(open_) == 1:
                raise NotReadable("unbalanced parenthesis")
            closed = open_.pop()
            open_[-1].append(closed)
        else:
            open_[-1].append(token.strip("|"))
    if len(open_) > 1:
        raise NotReadable("unbalanced parenthesis")
    yield from open_[0]


class SmtlibReader:
    """Reads terms over the given symbols. Raises `NotReadable` for anything else, quantifiers included."""

    def __init__(self, arena: Arena, symbols: Mapping[str, Term]) -> None:
        self._arena = arena
        self._symbols = symbols

    def read(self, text: str) -> Term:
        expressions = list(read_expressions(text))
        if len(expressions) != 1:
            raise NotReadable("expected one term")
        return self._term(expressions[0], {})

    def _term(self, root: SExpression, bound: Mapping[str, Term]) -> Term:
        """Read a term, depth-first with an explicit stack of (expression, scope, values of its arguments so far)."""
        stack: list[tuple[SExpression, Mapping[str, Term], list[Term]]] = [(root, bound, [])]
        while True:
            e, scope, values = stack[-1]
            pending = self._next_argument(e, scope, values)
            if pending is not None:
                stack.append((*pending, []))
                continue
            stack.pop()
            value = self._value(e, scope, values)
            if not stack:
                return value
            stack[-1][2].append(value)

    def _next_argument(
        self, e: SExpression, scope: Mapping[str, Term], values: list[Term]
    ) -> tuple[SExpression, Mapping[str, Term]] | None:
        if isinstance(e, str):
            return None
        if not e:
            raise NotReadable("empty term")
        if e[0] == "let":
            bindings = e[1]
            assert isinstance(bindings, list)
            if len(values) < len(bindings):
                binding = bindings[len(values)]
                assert isinstance(binding, list)
                return binding[1], scope
            if len(values) == len(bindings):
                names = [str(b[0]) for b in bindings if isinstance(b, list)]
                return e[2], {**scope, **dict(zip(names, values, strict=True))}
            return None
        return (e[1 + len(values)], scope) if len(values) < len(e) - 1 else None

    def _value(self, e: SExpression, scope: Mapping[str, Term], values: list[Term]) -> Term:
        if isinstance(e, str):
            return self._leaf(e, scope)
        head = e[0]
        if head == "let":
            return values[-1]
        if isinstance(head, list):
            if head[:2] == ["as", "const"]:
                sort = read_sort(head[2])
                assert isinstance(sort, ArraySort)
                return self._arena.const_array(sort, values[0])
            raise NotReadable(f"operator {head}")
        function = function_named(head)
        if function is not None:
            return function.make(self._arena, *values)
        build = BUILDERS.get(head)
        if build is None:
            raise NotReadable(f"operator {head}")
        return build(self._arena, values)

    def _leaf(self, name: str, scope: Mapping[str, Term]) -> Term:
        if name in scope:
            return scope[name]
        if name in self._symbols:
            return self._symbols[name]
        if name in ("true", "false"):
            return self._arena.boolean(name == "true")
        if name.isdecimal():
            return self._arena.integer(int(name))
        raise NotReadable(f"symbol {name}")


def read_sort(e: SExpression) -> Sort:
    """Read a sort; of arrays only those of integers are needed."""
    if e == "Int":
        return INT
    if isinstance(e, list) and e[0] == "Array":
        return ArraySort(read_sort(e[1]), read_sort(e[2]))
    raise NotReadable(f"sort {e}")


def _chain(compare: Callable[[Arena, Term, Term], Term]) -> Callable[[Arena, list[Term]], Term]:
    return lambda arena, v: arena.and_(*(compare(arena, a, b) for a, b in pairwise(v)))


def _equal(arena: Arena, a: Term, b: Term) -> Term:
    if isinstance(a.sort, ArraySort):
        raise NotReadable("equality of arrays")
    return arena.equals(a, b)


BUILDERS: Mapping[str, Callable[[Arena, list[Term]], Term]] = {
    "not": lambda arena, v: arena.not_(v[0]),
    "and": lambda arena, v: arena.and_(*v),
    "or": lambda arena, v: arena.or_(*v),
    "=>": lambda arena, v: reduce(lambda acc, a: arena.implies(a, acc), reversed(v)),
    "xor": lambda arena, v: reduce(lambda a, b: arena.not_(arena.iff(a, b)), v),
    "ite": lambda arena, v: arena.ite(*v),
    "=": _chain(_equal),
    "distinct": lambda arena, v: arena.and_(*(arena.not_(_equal(arena, a, b)) for a, b in combinations(v, 2))),
    "<=": _chain(Arena.le),
    "<": _chain(Arena.lt),
    ">=": _chain(Arena.ge),
    ">": _chain(Arena.gt),
    "+": lambda arena, v: arena.add(*v),
    "-": lambda arena, v: arena.negate(v[0]) if len(v) == 1 else arena.subtract(v[0], arena.add(*v[1:])),
    "select": lambda arena, v: arena.select(*v),
    "store": lambda arena, v: arena.store(*v),
}
"""The operators that are no functions of integers, by their names."""
