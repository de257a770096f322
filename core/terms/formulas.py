"""A reader of formulas that people write: SMT-LIB with sorts that are checked, and quantifiers over integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.terms.arena import Arena
from core.terms.operators import function_named
from core.terms.smtlib import BUILDERS, NotReadable, SExpression, read_expressions
from core.terms.sorts import BOOL, INT, ArraySort, Sort
from core.terms.term import Term

_DEEPEST = 200
_MAX_DIGITS = 4000  # of a number, as in the tables of run files; Python writes no more than 4300
_FORMULAS = frozenset({"not", "and", "or", "=>", "xor"})
_COMPARISONS = frozenset({"=", "distinct", "<=", "<", ">=", ">"})
_SUMS = frozenset({"+", "-"})


def read_formula(arena: Arena, text: str, symbols: Mapping[str, Term], sort: Sort = BOOL) -> Term:
    """The term of a sort that `text` states over `symbols`. Raises `NotReadable`."""
    expressions = list(read_expressions(text))
    if len(expressions) != 1:
        raise NotReadable("expected one term")
    return _expect([_read(arena, expressions[0], symbols, 0)], [sort], text)[0]


def _read(arena: Arena, e: SExpression, symbols: Mapping[str, Term], depth: int) -> Term:
    if isinstance(e, str):
        return _leaf(arena, e, symbols)
    head, rest = e[0] if e else "", e[1:]
    if not isinstance(head, str) or not head or depth > _DEEPEST:
        raise NotReadable("an operator is missing, or parentheses are too deep")
    if head == "forall":
        return _forall(arena, rest, symbols, depth)
    return _applied(arena, head, [_read(arena, one, symbols, depth + 1) for one in rest])


def _leaf(arena: Arena, name: str, symbols: Mapping[str, Term]) -> Term:
    if name in symbols:
        return symbols[name]
    if name in ("true", "false"):
        return arena.boolean(name == "true")
    if name.isascii() and name.removeprefix("-").isdecimal():
        if len(name) > _MAX_DIGITS:
            raise NotReadable("a number has too many digits")
        return arena.integer(int(name))
    raise NotReadable(f"{name} is no variable here")


def _forall(arena: Arena, rest: Sequence[SExpression], symbols: Mapping[str, Term], depth: int) -> Term:
    if len(rest) != 2 or not isinstance(rest[0], list):
        raise NotReadable("a quantifier is (forall ((name Int) …) formula)")
    bound: dict[str, Term] = {}
    for one in rest[0]:
        if not isinstance(one, list) or len(one) != 2 or not isinstance(one[0], str) or one[1] != "Int":
            raise NotReadable("a quantifier binds integers: ((name Int) …)")
        bound[one[0]] = arena.proof_symbol(one[0], INT)
    body = _expect([_read(arena, rest[1], {**symbols, **bound}, depth + 1)], [BOOL], "forall")[0]
    return arena.forall(list(bound.values()), body) if bound else body


def _applied(arena: Arena, head: str, args: list[Term]) -> Term:
    """The term of an operator over arguments, whose sorts are checked."""
    function = function_named(head)
    if function is not None:
        if not args or len(args) != (function.arity or len(args)):
            raise NotReadable(f"{head} has another number of arguments")
        return function.make(arena, *_expect(args, [INT] * len(args), head))
    if head not in BUILDERS:
        raise NotReadable(f"there is no operator {head}")
    return BUILDERS[head](arena, _expect(args, _expected(head, args), head))


def _expected(head: str, args: Sequence[Term]) -> Sequence[Sort]:
    """The sorts that the arguments of an operator must have, of those that there are."""
    sorts, first = [one.sort for one in args], args[0].sort if args else BOOL
    match head:
        case "ite" if len(args) == 3 and not isinstance(sorts[1], ArraySort):
            return [BOOL, sorts[1], sorts[1]]
        case "select" if isinstance(first, ArraySort):
            return [first, first.index]
        case "store" if isinstance(first, ArraySort):
            return [first, first.index, first.element]
        case "not":
            return [BOOL]
        case _ if head in _FORMULAS and args:
            return [BOOL] * len(args)
        case _ if (head in _COMPARISONS and len(args) > 1) or (head in _SUMS and args):
            return [INT] * len(args)
    raise NotReadable(f"{head} has other arguments")


def _expect(args: list[Term], sorts: Sequence[Sort], where: str) -> list[Term]:
    if [one.sort for one in args] != list(sorts):
        raise NotReadable(f"{where}: sorts do not fit: {', '.join(str(one.sort) for one in args)}")
    return args
