"""The ranges of bound variables, from what guards their quantifier says about them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from frontend.acsl import syntax
from frontend.acsl.syntax import Formula, Quantor

ValueInterval = tuple[int, int]
BinderRange = tuple[int | None, int | None]
"""None: not bounded on this side."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


class Bounds:
    """The ranges of bound variables.

    `known` has the binders, with the ranges of their types; `interval` is that of a term without binders.
    """

    def __init__(self, known: Mapping[str, BinderRange], interval: Callable[[Formula], ValueInterval]) -> None:
        self._ranges = dict(known)
        self._interval = interval

    def of(self, f: syntax.Quantified) -> Mapping[str, BinderRange]:
        """The range of each binder: outside of it, the body decides nothing."""
        atoms = [atom for guard in _guards(f) for atom in _atoms(guard)]
        for _ in range(len(f.binders) + 1):
            for left, operator, right in atoms:
                self._learn(left, operator, right)
                self._learn(right, _MIRRORED[operator], left)
        return self._ranges

    def _learn(self, left: Formula, operator: str, right: Formula) -> None:
        if not isinstance(left, syntax.Name) or left.name not in self._ranges:
            return
        low, high = self._range(right)
        own_low, own_high = self._ranges[left.name]
        if operator in ("<", "<=", "==") and high is not None:
            high -= operator == "<"
            own_high = high if own_high is None else min(own_high, high)
        if operator in (">", ">=", "==") and low is not None:
            low += operator == ">"
            own_low = low if own_low is None else max(own_low, low)
        self._ranges[left.name] = (own_low, own_high)

    def _range(self, f: Formula) -> BinderRange:
        match f:
            case syntax.Name(name=name) if name in self._ranges:
                return self._ranges[name]
            case syntax.Infix(operator="+", left=left, right=right):
                (a, b), (c, d) = self._range(left), self._range(right)
                return _sum(a, c), _sum(b, d)
            case syntax.Infix(operator="-", left=left, right=right):
                (a, b), (c, d) = self._range(left), self._range(right)
                return _sum(a, None if d is None else -d), _sum(b, None if c is None else -c)
            case _ if mentions(f, self._ranges):
                return None, None
            case _:
                return self._interval(f)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _guards(f: syntax.Quantified) -> Iterator[Formula]:
    """The conditions that hold wherever the body decides anything."""
    body = f.body
    if f.quantor is Quantor.EXISTS:
        yield body
        return
    while isinstance(body, syntax.Infix) and body.operator == "==>":
        yield body.left
        body = body.right


def _atoms(guard: Formula) -> Iterator[tuple[Formula, str, Formula]]:
    for one in _comparisons(guard):
        for operator, left, right in zip(one.operators, one.operands, one.operands[1:], strict=False):
            if operator != "!=":
                yield left, operator, right


def _comparisons(guard: Formula) -> Iterator[syntax.Comparison]:
    stack = [guard]
    while stack:
        match stack.pop():
            case syntax.Infix(operator="&&", left=left, right=right):
                stack += [right, left]
            case syntax.Comparison() as one:
                yield one
            case _:
                pass


def guards_of(f: syntax.Quantified) -> Iterator[syntax.Comparison]:
    """The comparisons that hold wherever the body decides anything."""
    for guard in _guards(f):
        yield from _comparisons(guard)


def limit_of(f: syntax.Quantified, name: str, later: Collection[str], side: str) -> Formula | None:
    """A term that a bound variable is at least (side ">") or at most ("<") wherever the body decides anything, without
    the names in `later`: of a chain such as `i < j < n`, also the limit of the variable that limits it.
    """
    own: dict[str, list[Formula]] = {}
    for guard in _guards(f):
        for left, operator, right in _atoms(guard):
            for one, sign, other in ((left, operator, right), (right, _MIRRORED[operator], left)):
                if isinstance(one, syntax.Name) and sign in (side, f"{side}=", "=="):
                    own.setdefault(one.name, []).append(other)
    work, seen = [name], {name}
    for variable in work:
        for limit in own.get(variable, ()):
            if not mentions(limit, later):
                return limit
            if isinstance(limit, syntax.Name) and limit.name not in seen:
                seen.add(limit.name)
                work.append(limit.name)
    return None


def mentions(f: Formula, names: Collection[str]) -> bool:
    """Whether one of the names stands in a formula."""
    return any(isinstance(one, syntax.Name) and one.name in names for one in _parts(f))


def old_parts(f: Formula) -> Iterator[syntax.Old]:
    """The parts of a formula about the state before."""
    return (one for one in _parts(f) if isinstance(one, syntax.Old))


def names_of_terms(f: syntax.Comparison) -> frozenset[str] | None:
    """The names in a comparison of sums and products of names and numbers; None for others."""
    parts = list(_parts(f))
    plain = (syntax.Comparison, syntax.Name, syntax.Number, syntax.Infix, syntax.Prefix)
    if any(not isinstance(one, plain) or (isinstance(one, syntax.Prefix) and one.operator != "-") for one in parts):
        return None
    return frozenset(one.name for one in parts if isinstance(one, syntax.Name))


def _parts(f: Formula) -> Iterator[syntax.Node]:
    """All nodes of a formula."""
    stack: list[object] = [f]
    while stack:
        one = stack.pop()
        if isinstance(one, syntax.Node):
            yield one
            stack.extend(getattr(one, name) for name in one.__match_args__)
        elif isinstance(one, tuple):
            stack.extend(one)
