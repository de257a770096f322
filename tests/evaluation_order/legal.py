"""The outcomes that C gives an expression, found by all interleavings of its evaluations (C11 6.5).

This is the reference: it knows nothing of how the front end orders evaluations. A state is the expression so far, the
variables, and the stores that are still to happen; a store belongs to the innermost part that ends at a sequence point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from frontend.typed.ctype import Integer
from tests.evaluation_order.expressions import BOOL, INT, Expression, common, promoted

MAX_STATES = 60_000

Path = tuple[int, ...]
"""The position of a part: the numbers of the operands on the way to it."""


class TooMany(Exception):
    """There are too many states to enumerate."""


@dataclass(frozen=True, slots=True)
class _State:
    root: Expression
    n: int
    m: int
    pending: frozenset[tuple[Path, str, int]] = frozenset()
    accesses: int = 0
    """How often a variable was read, or a function called that changes one."""


def legal(root: Expression) -> frozenset[tuple[int, int, int]]:
    """The value, and `n` and `m` behind it, in each order. Raises TooMany."""
    found: set[tuple[int, int, int]] = set()
    seen = {_State(root, 0, 0)}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        if state.root.kind == "constant" and not state.pending:
            found.add((state.root.value, state.n, state.m))
        for after in _steps(state):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > MAX_STATES:
            raise TooMany
    return frozenset(found)


def _steps(state: _State) -> list[_State]:
    """The next states. A step that has to do with no variable could come at any time, so it is taken alone."""
    found: list[_State] = []
    for one in state.pending:
        _, name, value = one
        found.append(replace(_stored(state, name, value), pending=state.pending - {one}))
    for after in _inside(state, state.root, (), ()):
        if (after.n, after.m, after.pending, after.accesses) == (state.n, state.m, state.pending, state.accesses):
            return [after]
        found.append(after)
    return found


def _inside(state: _State, e: Expression, at: Path, region: Path) -> Iterator[_State]:
    """The next states by a step at or below `e`."""
    if e.kind == "constant":
        return
    first = len(e.parts) > 0 and e.kind in ("&&", "||", "conditional", "comma")
    open_ = [i for i, one in enumerate(e.parts) if one.kind != "constant"]
    if first:
        open_ = [i for i in open_ if i == 0]
    has_point = first or e.kind == "call"
    for i in open_:
        yield from _inside(state, e.parts[i], (*at, i), at if has_point else region)
    if open_ or (has_point and any(where == at for where, _, _ in state.pending)):
        return
    yield from _reduced(state, e, at, region)


def _reduced(state: _State, e: Expression, at: Path, region: Path) -> Iterator[_State]:
    """The states after `e` is evaluated, all of whose operands have values, or its first one."""
    values = [one.value for one in e.parts]
    match e.kind:
        case "variable":
            read = _constant(INT, state.n if e.name == "n" else state.m)
            yield replace(_with(state, at, read), accesses=state.accesses + 1)
        case "call":
            value, after = _called(state, e.name, [INT.convert(one) for one in values])
            accesses = state.accesses + (e.name != "pure")
            yield replace(_with(after, at, _constant(e.type, value)), accesses=accesses)
        case "assign":
            done = _with(state, at, _constant(INT, values[0]))
            yield replace(done, pending=done.pending | {(region, e.name, INT.convert(values[0]))})
        case "update" | "increment":
            old = state.n if e.name == "n" else state.m
            new = INT.convert(old + (values[0] if values else 1))
            yield _with(_stored(state, e.name, new), at, _constant(INT, new if values else old))
        case "&&" | "||":
            decided = bool(values[0]) == (e.kind == "||")
            yield _with(state, at, _constant(INT, int(e.kind == "||")) if decided else _truth(e.parts[1]))
        case "conditional":
            yield _with(state, at, Expression("cast", e.type, (e.parts[1 if values[0] else 2],)))
        case "comma":
            yield _with(state, at, e.parts[1])
        case _:
            yield _with(state, at, _constant(e.type, _computed(e, values)))


def _truth(e: Expression) -> Expression:
    return Expression("cast", BOOL, (e,))


def _constant(type_: Integer, value: int) -> Expression:
    return Expression("constant", type_, value=int(value != 0) if type_ == BOOL else type_.convert(value))


def _with(state: _State, at: Path, new: Expression) -> _State:
    def changed(e: Expression, path: Path) -> Expression:
        if not path:
            return new
        i = path[0]
        return replace(e, parts=(*e.parts[:i], changed(e.parts[i], path[1:]), *e.parts[i + 1 :]))

    return replace(state, root=changed(state.root, at))


def _stored(state: _State, name: str, value: int) -> _State:
    return replace(state, n=value) if name == "n" else replace(state, m=value)


def _called(state: _State, name: str, values: list[int]) -> tuple[int, _State]:
    k = values[0]
    match name:
        case "get":
            after = replace(state, n=INT.convert(state.n + 1))
            return after.n, after
        case "set":
            return k, replace(state, m=k, n=INT.convert(state.n + k))
        case "pure":
            return INT.convert(k * 100 + values[1] * 10 + values[2]), state
        case _:
            return k, replace(state, n=INT.convert(state.n * 10 + k))


def _computed(e: Expression, values: list[int]) -> int:
    """The value of an operator, before it is converted to the type of the expression."""
    if e.kind == "cast":
        return values[0]
    if e.kind == "unary":
        (type_,) = (promoted(one.type) for one in e.parts)
        value = type_.convert(values[0])
        return {"-": -value, "~": ~value, "!": int(not value)}[e.name]
    left_type = promoted(e.parts[0].type)
    if e.kind in ("<<", ">>"):
        left = left_type.convert(values[0])
        return left << values[1] if e.kind == "<<" else left >> values[1]
    type_ = common(e.parts[0].type, e.parts[1].type)
    a, b = (type_.convert(one) for one in values)
    match e.kind:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%":
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if e.kind == "/" else a - b * quotient
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case _:
            return int({"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "!=": a != b}[e.kind])
