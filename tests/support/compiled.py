"""A fast simulation of a Program: every location as a Python function, arrays with constant-time updates.

It means what `core.program.simulate` means, which is slow on purpose; `tests/three_way/test_sample.py` compares the
two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import CodeType

from core.program import Assign, Assume, Call, Check, Edge, Input, Operation, Program, terms_of
from core.terms import ArraySort, ArrayValue, NotEvaluable, Op, Term, Value, called_functions, subterms

Supply = Callable[[Input], Value]

_DEEP = 25  # operators nested in one Python expression


class Array:
    """A total map from integers. The newest version owns the entries, older ones say how they differ from the next."""

    __slots__ = ("default", "entries", "key", "next", "value")

    def __init__(self, default: int, entries: dict[int, int]) -> None:
        self.default = default
        self.entries: dict[int, int] | None = entries
        self.key, self.value = 0, 0
        self.next: Array | None = None

    def owned(self) -> dict[int, int]:
        """The entries, moved to this version."""
        if self.entries is not None:
            return self.entries
        chain: list[Array] = [self]
        while chain[-1].entries is None:
            after = chain[-1].next
            assert after is not None
            chain.append(after)
        entries = chain.pop().entries
        assert entries is not None
        newer = chain[-1].next
        for one in reversed(chain):
            assert newer is not None
            newer.key, newer.value = one.key, entries.get(one.key, self.default)
            newer.next, newer.entries = one, None
            entries[one.key] = one.value
            one.entries, one.next = entries, None
            newer = one
        return entries

    def select(self, index: int) -> int:
        return (self.entries if self.entries is not None else self.owned()).get(index, self.default)

    def store(self, index: int, value: int) -> Array:
        entries = self.owned()
        new = Array(self.default, entries)
        self.key, self.value, self.next, self.entries = index, entries.get(index, self.default), new, None
        entries[index] = value
        return new


@dataclass(frozen=True, slots=True)
class Simulated:
    """The end of a run: a check, the return of main, no edge that leads on, or a want of steps (none of these).

    `calls` are the functions entered, in order, up to the number that was asked for.
    """

    check: Check | None
    ended: bool
    stuck: int | None
    calls: list[str]
    globals: Mapping[str, Value]
    steps: int


@dataclass(frozen=True, slots=True)
class _Routine:
    name: str
    frame: list[object]
    entry: int
    exit: int


@dataclass
class Compiled:
    """A program ready to run many times."""

    program: Program
    _globals: dict[Term, int] = field(default_factory=dict)
    _steps: dict[int, Callable[[list[object], list[object]], int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        local = {x for f in self.program.functions.values() for x in (*f.parameters, *f.locals)}
        self._globals = {x: i for i, x in enumerate(y for y in self.program.variables if y not in local)}
        self._pending: list[tuple[str, list[object]]] = []
        self._supply: Supply | None = None
        self._routines = {
            name: _Routine(name, [_zero(x) for x in (*f.parameters, *f.locals)], f.entry, f.exit)
            for name, f in self.program.functions.items()
        }
        self._inputs = list(self.program.inputs.values())
        every = chain.from_iterable(map(terms_of, self.program.edges))
        names = {**HELPERS, **called_functions(every), "pending": self._pending, "supplied": self._supplied}
        numbers = {one.symbol: i for i, one in enumerate(self._inputs)}
        for f in self.program.functions.values():
            slots = {x: i for i, x in enumerate((*f.parameters, *f.locals))}
            places = {x: f"G[{i}]" for x, i in self._globals.items()} | {x: f"L[{i}]" for x, i in slots.items()}
            for location in self.program.locations:
                if location.function == f.name and location.id != f.exit:
                    text = _location(self.program.out_edges[location.id], places, numbers)
                    found: dict[str, object] = {}
                    exec(_compiled(text), names, found)
                    step = found["step"]
                    assert callable(step)
                    self._steps[location.id] = step

    def _supplied(self, number: int) -> object:
        assert self._supply is not None
        value = self._supply(self._inputs[number])
        return Array(value.default, dict(value.entries)) if isinstance(value, ArrayValue) else value

    def run(self, supply: Supply, steps: int, most_calls: int = 20_000) -> Simulated:
        """Run from the start for about `steps` edges; `supply` is asked as by `core.program.simulate`."""
        self._supply, pending = supply, self._pending
        pending.clear()
        checks, routines, table = self.program.checks_at, self._routines, self._steps
        own: list[object] = [_zero(x) for x in self._globals]
        start = routines[self.program.start]
        calls: list[str] = []
        stack: list[tuple[list[object], int, int]] = []
        slots, location, leave = list(start.frame), start.entry, start.exit
        for taken in range(steps):
            if location == leave:
                if not stack:
                    return self._result(None, True, None, calls, own, taken)
                slots, location, leave = stack.pop()
                continue
            if location in checks:
                return self._result(checks[location], False, None, calls, own, taken)
            following = table[location](own, slots)
            if pending:
                name, arguments = pending.pop()
                if len(calls) < most_calls:
                    calls.append(name)
                routine = routines[name]
                stack.append((slots, following, leave))
                slots = [*arguments, *routine.frame[len(arguments) :]]
                following, leave = routine.entry, routine.exit
            elif following < 0:
                return self._result(None, False, location, calls, own, taken)
            location = following
        return self._result(None, False, None, calls, own, steps)

    def _result(
        self, check: Check | None, ended: bool, stuck: int | None, calls: list[str], own: list[object], steps: int
    ) -> Simulated:
        named = {self.program.variables[x].name: _value(own[i]) for x, i in self._globals.items()}
        return Simulated(check, ended, stuck, calls, named, steps)


def _zero(x: Term) -> object:
    return Array(0, {}) if isinstance(x.sort, ArraySort) else 0


def _value(value: object) -> Value:
    if isinstance(value, Array):
        return ArrayValue(value.default, dict(value.owned()))
    assert isinstance(value, bool | int)
    return value


def _compiled(text: str) -> CodeType:
    return compile(text, "<location>", "exec", dont_inherit=True)


def _location(edges: tuple[Edge, ...], places: Mapping[Term, str], inputs: Mapping[Term, int]) -> str:
    lines = ["def step(G, L):"]
    for edge in edges:
        lines += [f" {line}" for line in _edge(edge, places, inputs)]
    return "\n".join([*lines, " return -1"])


def _edge(edge: Edge, places: Mapping[Term, str], inputs: Mapping[Term, int]) -> Iterator[str]:
    terms = _Terms(places, _inputs_of(edge.operation, inputs))
    for number in terms.asked.values():
        yield f"i{number} = supplied({number})"
    match edge.operation:
        case Assume(condition):
            text = terms.text(condition)
            yield from terms.lines
            yield f"if {text}: return {edge.target}"
        case Assign(updates):
            values = [(places[x], terms.text(value)) for x, value in updates]
            yield from terms.lines
            yield from (f"n{i} = {value}" for i, (_, value) in enumerate(values))
            yield from (f"{x} = n{i}" for i, (x, _) in enumerate(values))
            yield f"return {edge.target}"
        case Call(name, arguments):
            texts = [terms.text(one) for one in arguments]
            yield from terms.lines
            yield f"pending.append(({name!r}, [{', '.join(texts)}]))"
            yield f"return {edge.target}"


def _inputs_of(operation: Operation, inputs: Mapping[Term, int]) -> dict[Term, int]:
    match operation:
        case Assume(condition):
            terms = [condition]
        case Assign(updates):
            terms = [value for _, value in updates]
        case Call(_, arguments):
            terms = list(arguments)
    found = sorted({x for t in terms for x in t.symbols() if x in inputs}, key=lambda x: x.id)
    return {x: inputs[x] for x in found}


class _Terms:
    """The text of the terms of one edge; what is shared or deep, and defined everywhere, becomes a line of its own."""

    def __init__(self, places: Mapping[Term, str], asked: Mapping[Term, int]) -> None:
        self._places, self.asked = places, asked
        self._known: dict[Term, tuple[str, int, bool]] = {}  # text, depth, whether it may be undefined
        self.lines: list[str] = []

    def text(self, term: Term) -> str:
        uses: dict[Term, int] = {}
        order = list(subterms(term))
        for one in order:
            for argument in one.args:
                uses[argument] = uses.get(argument, 0) + 1
        for one in sorted(order, key=lambda t: t.id):
            if one not in self._known:
                self._known[one] = self._kept(one, uses.get(one, 0))
        return self._known[term][0]

    def _kept(self, t: Term, uses: int) -> tuple[str, int, bool]:
        arguments = [self._known[a] for a in t.args]
        text = self._write(t, [one[0] for one in arguments])
        depth = 1 + max((one[1] for one in arguments), default=0)
        partial = any(one[2] for one in arguments) or (t.op in _PARTIAL and not _is_positive(t.args[1]))
        # An undefined part may only be evaluated where its guard holds.
        if not t.args or (partial and depth <= 3 * _DEEP) or (uses <= 1 and depth <= _DEEP):
            return text, depth, partial
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name, 0, False

    def _write(self, t: Term, a: list[str]) -> str:
        match t.op:
            case Op.CONSTANT:
                return f"({t.payload})"
            case Op.SYMBOL:
                return f"i{self.asked[t]}" if t in self.asked else self._places[t]
            case Op.ITE:
                return f"({a[1]} if {a[0]} else {a[2]})"
            case Op.NOT:
                return f"(not {a[0]})"
            case Op.AND | Op.OR:
                return f"({(' and ' if t.op is Op.AND else ' or ').join(a)})"
            case Op.IFF:
                return f"({a[0]} == {a[1]})"
            case Op.SELECT:
                return f"{a[0]}.select({a[1]})"
            case Op.STORE:
                return f"{a[0]}.store({a[1]}, {a[2]})"
            case Op.CONST_ARRAY:
                return f"Array({a[0]}, {{}})"
            case Op.LINEAR:
                return f"({' + '.join(f'{c} * {x}' for c, x in zip(t.coefficients, a, strict=True))} + {t.constant})"
            case Op.LE | Op.EQ:
                return f"({a[0]} {'<=' if t.op is Op.LE else '=='} {t.value})"
            case Op.DIVIDE | Op.MODULO if _is_positive(t.args[1]):
                return f"({a[0]} {'//' if t.op is Op.DIVIDE else '%'} {a[1]})"
            case Op.DIVIDE | Op.MODULO | Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
                return f"{_PARTIAL[t.op]}({a[0]}, {a[1]})"
            case Op.LOOKUP:
                return f"{t.table.name}({a[0]})"
            case Op.FLOAT:
                return f"{t.function.name}({', '.join(a)})"
            case op if op in _INFIX:
                return f"({_INFIX[op].join(a)})"
            case op:
                return f"{op.name}({', '.join(a)})"


_PARTIAL = {Op.DIVIDE: "divide", Op.MODULO: "modulo", Op.SHIFT_LEFT: "left", Op.SHIFT_RIGHT: "right"}
_INFIX = {Op.MULTIPLY: " * ", Op.BIT_AND: " & ", Op.BIT_OR: " | ", Op.BIT_XOR: " ^ "}


def _is_positive(t: Term) -> bool:
    return t.op is Op.CONSTANT and t.value > 0


def _divide(a: int, b: int) -> int:
    return (a - _modulo(a, b)) // b


def _modulo(a: int, b: int) -> int:
    if b == 0:
        raise NotEvaluable("division by zero")
    return a % abs(b)


def _left(a: int, b: int) -> int:
    if not 0 <= b <= 1 << 20:
        raise NotEvaluable("shift by a negative or enormous distance")
    return a << b


def _right(a: int, b: int) -> int:
    if not 0 <= b <= 1 << 20:
        raise NotEvaluable("shift by a negative or enormous distance")
    return a >> b


HELPERS: Mapping[str, object] = {"Array": Array, "divide": _divide, "modulo": _modulo, "left": _left, "right": _right}
"""Functions that the texts of terms call."""
