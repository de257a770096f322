"""Preconditions behind loops whose rounds each write an element of their own: copies, fills and tables of any length.

What a block of memory holds behind such a loop is known at once: the element at `p + r` is what round `r` has written,
and every other one is as it was. So the weakest precondition of what must hold behind it has no quantifier over rounds:
each element that is read there becomes a choice between the two. It is also inductive, since it holds in each round of
what is left of the loop. Ranges of bytes as in A. Bradley, Z. Manna, H. Sipma, "What's decidable about arrays?", VMCAI
2006; loops as updates of whole arrays as in F. Alberti, S. Ghilardi, N. Sharygina, "Decision procedures for flat array
properties", TACAS 2014.

Heuristic: that nothing wraps around, and that no round reads what an earlier one has written. Both become *conditions*
of the precondition, and all is asked like any other candidate for an invariant. An input that is read behind the loop,
such as the index at which an assertion compares two blocks, is a symbol of the proof, which a quantifier binds.

Limitations, by weight: rounds that call functions or go through other loops; more than one block of code; steps other
than by one of what the guard compares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import product

from core.analysis.liveness import Liveness
from core.dataclass import dataclass
from core.decision.strides import constant_part
from core.limits import Limits
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition, range_fact
from core.terms import (
    INT,
    Arena,
    ArraySort,
    Op,
    Substitution,
    Term,
    Treatment,
    literals,
    replace_subterms,
    substitute,
    subterms,
)
from methods.discovery.elimination import for_all

OTHER_OPERATORS = Treatment.EXACT

MAX_CLAUSES = parameter("bmc.map-loops.max-clauses")
MAX_TERMS = parameter("bmc.map-loops.max-terms")
MAX_READS = parameter("bmc.map-loops.max-reads")


@dataclass(frozen=True)
class Write:
    """A write of each round: to the element at `index`, which moves on by `stride`, the value `value`."""

    array: Term
    index: Term
    stride: int
    value: Term


@dataclass(frozen=True)
class MapLoop:
    """A loop that goes on for at most `rounds` more rounds, in each of which scalars change by `steps`."""

    arena: Arena
    guard: Term  # the part of the condition of a round that counts
    rounds: Term
    steps: Mapping[Term, int]
    writes: tuple[Write, ...]
    conditions: tuple[Term, ...]  # under which a round is as described

    def later(self, t: Term, number: Term) -> Term:
        """A term without elements that the loop writes, so many rounds later."""
        factors = {
            x: self.arena.add(x, self.arena.multiply(self.arena.integer(c), number)) for x, c in self.steps.items()
        }
        return substitute(self.arena, t, factors)

    def after(self, formula: Term, number: Term) -> Term | None:
        """The formula over the state so many rounds later, as one over the state now; None where it is large."""
        arena = self.arena
        written = {one.array: arena.fresh("written", one.array.sort) for one in self.writes}
        formula = substitute(arena, self.later(formula, number), written)
        copies = {copy: array for array, copy in written.items()}
        for _ in range(MAX_READS):
            reads = [t for t in subterms(formula) if t.op in (Op.SELECT, Op.STORE) and t.args[0] in copies]
            inner = [t for t in reads if t.is_select and t.args[1].symbols().isdisjoint(copies)]
            if not inner:
                return None if not formula.symbols().isdisjoint(copies) else formula
            found = {t: self._element(copies[t.args[0]], t.args[1], number) for t in inner}
            formula = replace_subterms(arena, formula, found)
        return None

    def _element(self, array: Term, index: Term, number: Term) -> Term:
        """The element of an array so many rounds later."""
        arena, zero = self.arena, self.arena.zero
        element = arena.select(array, index)
        for one in reversed(self.writes):
            if one.array is not array:
                continue
            distance = arena.subtract(index, one.index)
            if one.stride == 0:
                turn, meets = arena.subtract(number, arena.one), arena.equals(distance, zero)
            else:
                if one.stride < 0:
                    distance = arena.negate(distance)
                size = arena.integer(abs(one.stride))
                turn, meets = arena.divide(distance, size), arena.equals(arena.modulo(distance, size), zero)
            written = arena.and_(meets, arena.ge(turn, zero), arena.lt(turn, number))
            element = arena.ite(written, self.later(one.value, turn), element)
        return element

    def side_conditions(self) -> Iterator[Term]:
        """The conditions under which all rounds are as described."""
        arena = self.arena
        yield arena.ge(self.rounds, arena.zero)
        last = arena.subtract(self.rounds, arena.one)
        goes_on = arena.ge(last, arena.zero)
        for condition in self.conditions:
            yield arena.implies(goes_on, condition)
            yield arena.implies(goes_on, self.later(condition, last))
        reads = dict.fromkeys(t for t in subterms(*(one.value for one in self.writes)) if t.is_select)
        for one, read in product(self.writes, reads):
            if read.args[0] is one.array:
                yield arena.implies(goes_on, self._apart(one, read.args[1], last))

    def _apart(self, one: Write, read: Term, last: Term) -> Term:
        """Whether what a round reads at `read` is not what an earlier round has written."""
        arena = self.arena
        moved = arena.subtract(self.later(read, arena.one), read)
        distance = arena.subtract(read, one.index)
        ends = [arena.subtract(self.later(read, last), one.index), arena.subtract(read, self.later(one.index, last))]
        cases = [arena.and_(*(arena.lt(d, arena.zero) for d in (distance, *ends)))]
        cases += [arena.and_(*(arena.gt(d, arena.zero) for d in (distance, *ends)))]
        if moved is arena.integer(one.stride) and one.stride:
            ahead = distance if one.stride > 0 else arena.negate(distance)
            cases.append(arena.ge(ahead, arena.zero))
        return arena.or_(*cases)


def map_loop(expansion: Expansion, head: At, live: Collection[Term]) -> MapLoop | None:
    """The loop at `head` as one whose rounds each write elements of their own; None where it is not of that form."""
    rounds = [step for step in expansion.steps(head) if step.target == head]
    if len(rounds) != 1 or any(expansion.is_input(s) for s in rounds[0].transition.reads):
        return None
    return _Reader(expansion.arena, rounds[0].transition, live).read()


def has_map_loops(expansion: Expansion, heads: Collection[At]) -> bool:
    """Whether some of these loops write elements of their own in each round."""
    liveness = Liveness(expansion)
    loops = (map_loop(expansion, at, liveness.at(at)) for at in heads if expansion.is_loop_head(at))
    return any(loop is not None and loop.writes for loop in loops)


class _Reader:
    """Reads one round as a map."""

    def __init__(self, arena: Arena, change: Transition, live: Collection[Term]) -> None:
        self._arena, self._change, self._live = arena, change, live
        self._conditions: dict[Term, None] = {}

    def read(self) -> MapLoop | None:
        arena, updates = self._arena, self._change.updates
        arrays = [x for x in updates if isinstance(x.sort, ArraySort) and x in self._live]
        scalars = [x for x in updates if not isinstance(x.sort, ArraySort) and x in self._live]
        if any(x.sort is not INT for x in scalars):
            return None
        steps: dict[Term, int] = {}
        for x in scalars:
            difference = arena.subtract(self._plain(updates[x], keeps=False), x)
            if not difference.is_constant:
                return None
            steps[x] = difference.value
        self._steps = steps
        writes: list[Write] = []
        for array in arrays:
            found = self._writes(array, updates[array])
            if found is None:
                return None
            writes += found
        counted = [(part, n) for part in literals(self._change.guard) if (n := self._rounds(part)) is not None]
        if len(counted) != 1:
            return None
        guard, number = counted[0]
        return MapLoop(arena, guard, number, steps, tuple(writes), tuple(self._conditions))

    def _writes(self, array: Term, value: Term) -> list[Write] | None:
        """The writes to an array, the last one first; None where their places do not move evenly."""
        found: list[Write] = []
        while value.is_store:
            index = self._plain(value.args[1])
            stride = self._change_of(index)
            if stride is None:
                return None
            found.append(Write(array, index, stride, self._with_plain_reads(value.args[2])))
            value = value.args[0]
        return found if value is array else None

    def _with_plain_reads(self, value: Term) -> Term:
        """A written value without wrap-around of the places that it is read from."""
        reads = [t for t in subterms(value) if t.is_select and t.args[0].is_symbol]
        moving = [t for t in reads if not t.args[1].symbols().isdisjoint(self._steps)]
        innermost = (t for t in moving if not any(u in moving for u in subterms(t.args[1])))
        places = {t: self._arena.select(t.args[0], self._plain(t.args[1])) for t in innermost}
        return replace_subterms(self._arena, value, places)

    def _change_of(self, t: Term) -> int | None:
        """By how much a term changes in a round, where that is a constant."""
        moved = substitute(
            self._arena, t, {x: self._arena.add(x, self._arena.integer(c)) for x, c in self._steps.items()}
        )
        difference = self._arena.subtract(moved, t)
        return difference.value if difference.is_constant else None

    def _plain(self, t: Term, keeps: bool = True) -> Term:
        """A term without wrap-around; `keeps` notes the conditions under which there is none."""
        arena = self._arena
        while True:
            wrapped = [u for u in subterms(t) if self._unwrapped(u) is not None]
            inner = next((u for u in wrapped if not any(v in wrapped for v in subterms(*u.args))), None)
            found = None if inner is None else self._unwrapped(inner)
            if inner is None or found is None:
                return t
            value, condition = found
            if keeps:
                self._conditions.update(dict.fromkeys(literals(condition)))
            t = replace_subterms(arena, t, {inner: value})

    def _unwrapped(self, t: Term) -> tuple[Term, Term] | None:
        """The number that a term wraps around, and the condition under which it is that number itself."""
        arena = self._arena
        if t.op is Op.MODULO and t.args[1].is_constant:
            value = t.args[0]
            return value, arena.and_(arena.ge(value, arena.zero), arena.lt(value, t.args[1]))
        if not t.is_choice or t.sort is not INT:
            return None
        condition, value, other = t.args
        width = arena.subtract(value, other)
        if not width.is_constant or abs(width.value) < 256 or abs(width.value).bit_count() != 1:
            return None
        if abs(constant_part(other)) < abs(constant_part(value)):
            return other, arena.not_(condition)
        return value, condition

    def _rounds(self, part: Term) -> Term | None:
        """The number of rounds for which a part of the guard holds; None where it says none."""
        arena = self._arena
        atom, holds = (part.args[0], False) if part.is_negation else (part, True)
        if not atom.is_comparison:
            return None
        body, change = atom.args[0], self._change_of(atom.args[0])
        if change is None or abs(change) != 1 or (atom.is_equation and holds):
            return None
        left = arena.subtract(arena.integer(atom.value), body)  # until the body is equal to the value
        left = left if change > 0 else arena.negate(left)
        if atom.is_equation:
            return left
        if holds:
            return arena.add(left, arena.one) if change > 0 else None
        return left if change < 0 else None


@dataclass(frozen=True)
class CheckedClause:
    """A part of a precondition: a formula without quantifiers, and the checks that need it."""

    formula: Term
    checks: frozenset[int]


class LoopPreconditions:
    """The preconditions under which no check fails, through all that follows, clause by clause.

    `rigid` has the symbols of the proof that stand for inputs.
    """

    def __init__(self, expansion: Expansion, checks: Collection[int], limits: Limits) -> None:
        self._expansion, self._limits = expansion, limits
        self._checks = frozenset(checks)
        self._liveness = Liveness(expansion)
        self._found: dict[At, tuple[CheckedClause, ...]] = {}
        self._room = len(expansion.arena) + MAX_TERMS
        self.rigid: dict[Term, None] = {}
        self.is_large = False

    def before(self, at: At) -> tuple[CheckedClause, ...]:
        """The clauses at `at`; none of them is of use where `is_large`."""
        stack = [at]
        begun: set[At] = set()
        while stack and not self.is_large:
            self._limits.check()
            top = stack[-1]
            behind = () if self._expansion.check(top) is not None else self._expansion.steps(top)
            missing = [step.target for step in behind if step.target != top and step.target not in self._found]
            if top in self._found:
                stack.pop()
            elif not missing:
                self._found[stack.pop()] = self._computed(top)
            elif top in begun:
                self.is_large = True  # a cycle through several locations
            else:
                begun.add(top)
                stack.extend(missing)
        return self._found.get(at, ())

    def _computed(self, at: At) -> tuple[CheckedClause, ...]:
        check = self._expansion.check(at)
        arena = self._expansion.arena
        if check is not None:
            return (CheckedClause(arena.false, frozenset({check.id})),) if check.id in self._checks else ()
        steps = self._expansion.steps(at)
        if not self._expansion.is_loop_head(at):
            return self._together(c for step in steps for c in self._over(step))
        loop = map_loop(self._expansion, at, self._liveness.at(at))
        if loop is None:
            return (CheckedClause(arena.false, self._checks),)
        found = [CheckedClause(formula, self._checks) for formula in loop.side_conditions()]
        for step in steps:
            if step.target != at:
                for clause in self._over(step):
                    found += self._behind(loop, step, clause)
        return self._together(found)

    def _together(self, clauses: Iterable[CheckedClause]) -> tuple[CheckedClause, ...]:
        found: dict[Term, frozenset[int]] = {}
        for clause in clauses:
            if not clause.formula.is_true:
                found[clause.formula] = found.get(clause.formula, frozenset()) | clause.checks
        self.is_large |= len(found) > MAX_CLAUSES or len(self._expansion.arena) > self._room
        return tuple(CheckedClause(formula, checks) for formula, checks in found.items())

    def _behind(self, loop: MapLoop, step: Step, clause: CheckedClause) -> Iterator[CheckedClause]:
        """The clauses, before the rounds that are left, of a clause about a step from a loop head."""
        arena = self._expansion.arena
        guards = literals(step.transition.guard)
        formulas: list[Term | None] = []
        if loop.guard not in guards:  # it leaves the loop at its end
            formulas.append(loop.after(clause.formula, loop.rounds))
        if arena.not_(loop.guard) not in guards:  # it leaves the loop in the middle of a round
            number = arena.proof_symbol("round", INT)
            self.rigid[number] = None
            inside = loop.after(clause.formula, number)
            bounds = arena.and_(arena.ge(number, arena.zero), arena.lt(number, loop.rounds))
            formulas.append(inside if inside is None else arena.implies(bounds, inside))
        for formula in formulas:
            if formula is None:
                self.is_large = True
            else:
                yield CheckedClause(formula, clause.checks)

    def _over(self, step: Step) -> Iterator[CheckedClause]:
        """The clauses before a step, with symbols of the proof for inputs that cannot be eliminated."""
        arena, change = self._expansion.arena, step.transition
        inputs = sorted((s for s in change.reads if self._expansion.is_input(s)), key=lambda s: s.id)
        own = {s: arena.proof_symbol("any", s.sort) for s in inputs if s.sort is INT}
        rename = Substitution(arena, own)
        for clause in self._found[step.target]:
            formula = rename(change.wp(clause.formula))
            bound = {s: r for s, r in own.items() if r in formula.symbols()}
            for s, r in bound.items():
                bounds = self._expansion.range_of(s)
                small = None
                if bounds is not None and bounds.high - bounds.low < 2:
                    small = for_all(arena, formula, [(r, bounds)])
                if small is not None:
                    formula = small
                    continue
                self.rigid[r] = None
                if bounds is not None:
                    formula = arena.implies(range_fact(arena, r, bounds), formula)
            yield CheckedClause(formula, clause.checks)
