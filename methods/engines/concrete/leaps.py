"""Acceleration of executions: leaps over rounds of a loop that are alike.

Where the last two rounds of a loop were alike, the next are computed at once. A number is then an arithmetic
*progression*: its value in round 0 and the amount by which it grows from round to round. One round over progressions
says for how many rounds every comparison comes out as in this one, and whether the numbers after it are the next of
their progressions; by induction all these rounds are alike. This is the acceleration of flat loops (S. Bardin, A.
Finkel, J. Leroux, L. Petrucci, "FAST: acceleration from theory to practice", STTT 10(5), 2008), of one execution
instead of a set of states.

Limitations, by weight: rounds that read inputs or arrays, or are not linear, are followed; of nested loops only the
inner one leaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Assign, Assume, Call, Edge
from core.terms import Op, Term, Treatment
from methods.engines.concrete.compiler import CallStep, ProgramCompiler, Trail
from methods.engines.concrete.machine import Execution

OTHER_OPERATORS = Treatment.REFUSE

LONGEST = parameter("concrete.leaps.longest")
LARGEST = parameter("concrete.leaps.largest")


class NotLinear(Exception):
    """Raised where progressions do not describe what a round does."""


@dataclass(frozen=True, slots=True)
class Progression:
    """An arithmetic progression: the number `first + slope · n` in round n.

    Truth values are 0 and 1, and have no slope.
    """

    first: int
    slope: int = 0


def leap(execution: Execution) -> bool:
    """Skip the rounds that are like the one before; whether there are any."""
    blocks = last_round(execution.trail)
    if not blocks:
        return False
    numbers = execution.numbers()
    try:
        slopes, rounds = repetition(execution.compiler, blocks, numbers)
    except NotLinear:
        return False
    if rounds < 2:
        return False
    execution.leap({x: value + rounds * slopes[x] for x, value in numbers.items()}, rounds * len(blocks))
    return True


def last_round(trail: Trail) -> Trail:
    """The shortest part at the end of a trail that comes twice in a row; empty if there is none."""
    for length in range(1, min(LONGEST, len(trail) // 2) + 1):
        if trail[-1 - length] is trail[-1] and trail[-length:] == trail[-2 * length : -length]:
            return trail[-length:]
    return ()


def repetition(compiler: ProgramCompiler, blocks: Trail, numbers: Mapping[Term, int]) -> tuple[dict[Term, int], int]:
    """The amount by which each of `numbers` grows in a round along `blocks`, and the number of such rounds to come.

    Raises `NotLinear`, also where there is no last one.
    """
    once = _Walk(compiler, {x: Progression(value) for x, value in numbers.items()})
    once.along(blocks)
    slopes = {x: once.lines[x].first - value for x, value in numbers.items()}
    lines = {x: Progression(value, slopes[x]) for x, value in numbers.items()}
    walk = _Walk(compiler, dict(lines))
    walk.along(blocks)
    if any(walk.lines[x] != Progression(line.first + line.slope, line.slope) for x, line in lines.items()):
        raise NotLinear
    if walk.rounds is None:
        raise NotLinear
    return slopes, walk.rounds


class _Walk:
    """One round over progressions, with the activation in which it begins.

    `lines` are the numbers there, and globals.
    """

    def __init__(self, compiler: ProgramCompiler, lines: dict[Term, Progression]) -> None:
        self.lines = lines
        self.rounds: int | None = None  # so many are alike, this one too; None: all
        self._compiler = compiler
        self._inputs = compiler.program.inputs.keys()
        self._frames = [lines]

    def along(self, blocks: Trail) -> None:
        for part in blocks:
            depth = part.depth if isinstance(part, CallStep) else 0
            for number in part.edges:
                self._take(self._compiler.program.edges[number], depth)
        if len(self._frames) != 1:
            raise NotLinear

    def _take(self, edge: Edge, depth: int) -> None:
        match edge.operation:
            case Assume(condition):
                if not self._line(condition).first:
                    raise NotLinear
            case Assign(updates):
                self._assign(updates, self._compiler.is_idle(edge))
            case Call(name, arguments) if depth > 0:
                callee = self._compiler.program.functions[name]
                values = [self._line(argument) for argument in arguments]
                own = dict.fromkeys(callee.locals, Progression(0))
                self._frames.append(own | dict(zip(callee.parameters, values, strict=True)))
            case Call() if depth < 0 and len(self._frames) > 1:
                self._frames.pop()
            case Call():
                raise NotLinear

    def _assign(self, updates: Sequence[tuple[Term, Term]], idle: bool) -> None:
        written = [(x, value) for x, value in updates if not (idle and value in self._inputs)]
        values = [self._line(value) for _, value in written]
        for (x, _), value in zip(written, values, strict=True):
            scope = self._frames[-1] if x in self._frames[-1] else self.lines
            if x not in scope:
                raise NotLinear
            scope[x] = value

    # Values

    def _line(self, term: Term) -> Progression:
        if term.size > LARGEST or not term.symbols().isdisjoint(self._inputs):
            raise NotLinear
        return self._value(term)

    def _value(self, t: Term) -> Progression:
        match t.op:
            case Op.CONSTANT:
                assert isinstance(t.payload, bool | int)
                return Progression(int(t.payload))
            case Op.SYMBOL:
                return self._symbol(t)
            case Op.ITE:
                return self._value(t.args[1] if self._value(t.args[0]).first else t.args[2])
            case Op.LE:
                return self._at_most(self._value(t.args[0]), t.value)
            case Op.EQ:
                return self._equal(self._value(t.args[0]), t.value)
            case Op.LINEAR:
                parts = [(c, self._value(a)) for c, a in zip(t.coefficients, t.args, strict=True)]
                first = t.constant + sum(c * part.first for c, part in parts)
                return Progression(first, sum(c * part.slope for c, part in parts))
            case Op.DIVIDE | Op.MODULO:
                return self._divided(t.op, *(self._value(a) for a in t.args))
            case Op.NOT | Op.AND | Op.OR | Op.IFF:
                return Progression(int(_connected(t.op, [self._value(a).first for a in t.args])))
            case _:
                raise NotLinear

    def _symbol(self, x: Term) -> Progression:
        line = self._frames[-1].get(x) or self.lines.get(x)
        if line is None:
            raise NotLinear
        return line

    def _at_most(self, line: Progression, bound: int) -> Progression:
        holds = line.first <= bound
        self._stays(line, None if holds else bound + 1, bound if holds else None)
        return Progression(int(holds))

    def _equal(self, line: Progression, number: int) -> Progression:
        if line.first == number:
            self._stays(line, number, number)
        elif line.slope and (number - line.first) % line.slope == 0 and (number - line.first) // line.slope > 0:
            self._end((number - line.first) // line.slope)
        return Progression(int(line.first == number))

    def _divided(self, op: Op, line: Progression, by: Progression) -> Progression:
        """The quotient, for as many rounds as it stays the same."""
        if by.first == 0 or by.slope:
            raise NotLinear
        rest = line.first % abs(by.first)
        low = line.first - rest
        self._stays(line, low, low + abs(by.first) - 1)
        return Progression(rest, line.slope) if op is Op.MODULO else Progression(low // by.first)

    def _stays(self, line: Progression, low: int | None, high: int | None) -> None:
        """Limit the rounds to those in which `line`, now from `low` to `high`, stays there."""
        bound = high if line.slope > 0 else low
        if line.slope and bound is not None:
            self._end((bound - line.first) // line.slope + 1)

    def _end(self, rounds: int) -> None:
        self.rounds = rounds if self.rounds is None else min(rounds, self.rounds)


def _connected(op: Op, values: Sequence[int]) -> bool:
    match op:
        case Op.NOT:
            return not values[0]
        case Op.AND:
            return all(values)
        case Op.OR:
            return any(values)
        case _:
            return values[0] == values[1]
