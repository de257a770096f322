"""The certificate of a program that was unrolled completely.

Of a small unrolling whose questions were easy it is an invariant, which people can read; else the rounds of loops that
there are, from which the check of the certificate unrolls the program itself.

The invariant: going backward over the instances gives what an instance requires, so that no error is reached from it.
The unrolling says which values variables may have at an instance, and which differ by constants: *facts*. Where these
imply that a step leads to what its target requires, the instance requires no more than the facts that were used; else
the weakest precondition. The invariant of a location is the disjunction over its instances.

Heuristic: which facts there are. What is claimed does not rest on the unrolling: the certificate is checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from core.analysis.intervals import Simplified
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.semantics import range_facts
from core.program.unwinding import UnwoundPlace, closes_cycle
from core.solver.contract import Unsat
from core.terms import INT, ArraySort, Term, literals, store_layers
from core.verdict import Certificate
from methods.discovery.invariants import inductive_invariants
from methods.engine import Context
from methods.engines.bmc.preconditions import precondition
from methods.paths.unrolling import Instance, Unrolling

EFFORT = parameter("bmc.complete-unrolling.effort")
EFFORT_ON_BITS = parameter("bmc.complete-unrolling.effort-on-bits")
SMALL = parameter("bmc.complete-unrolling.small")
MAX_TERMS = parameter("bmc.complete-unrolling.max-terms")
MAX_ASKED = parameter("bmc.complete-unrolling.max-asked")
READABLE = parameter("bmc.complete-unrolling.readable")
MAX_ELEMENTS = parameter("bmc.complete-unrolling.max-elements")


def certificate(
    unrolling: Unrolling, simplified: Simplified, checks: Collection[int], context: Context, readable: bool = True
) -> Certificate:
    """A certificate that excludes `checks`: an invariant if it should be `readable`, and there is a small one."""
    found: Certificate | None = None
    if readable and len(unrolling.instances) <= SMALL:
        try:
            found = _invariant(unrolling, simplified, checks, context)
        except SolverUndecided:
            context.limits.check()
    return found or Certificate({}, rounds=tuple(_rounds(unrolling)))


def _rounds(unrolling: Unrolling) -> Iterator[UnwoundPlace]:
    """The rounds of loops, and the calls of active functions, that are within the bound."""
    beyond = set(unrolling.frontier)
    for instance in unrolling.instances:
        if instance not in beyond and any(closes_cycle(unrolling.expansion, arc.step) for arc in instance.arriving):
            yield instance.place


def _invariant(
    unrolling: Unrolling, simplified: Simplified, checks: Collection[int], context: Context
) -> Certificate | None:
    """An invariant that excludes `checks`; None where it is large, or inputs cannot be eliminated at a loop head.

    Large ones are mostly weakest preconditions of many paths. Raises `SolverUndecided` at the first question without an
    answer: others would take as long.
    """
    requirements = _Requirements(unrolling, simplified, checks, context)
    expansion, arena = unrolling.expansion, unrolling.expansion.arena
    needed: dict[Instance, Term | None] = {}
    room = len(arena) + MAX_TERMS
    for instance in reversed(unrolling.instances):
        context.limits.check()
        if len(arena) > room or requirements.asked > MAX_ASKED:
            return None
        formula = needed[instance] = requirements.of(instance, needed)
        if formula is not None and formula.size > READABLE:
            return None
    found: dict[At, list[Term | None]] = {}
    for instance, formula in needed.items():
        found.setdefault(instance.at, []).append(formula)
    invariants: dict[At, Term | None] = {}
    for at, formulas in found.items():
        known = [formula for formula in formulas if formula is not None]
        invariants[at] = arena.or_(*known) if len(known) == len(formulas) else None
    # An invariant must also hold at the loops behind an ending, which nothing has explored.
    annotated = (at for at, formula in invariants.items() if formula is None)
    if any(expansion.is_loop_head(at) or at.location in unrolling.endings for at in annotated):
        return None
    if any(formula is not None and formula.size > READABLE for formula in invariants.values()):
        return None
    return Certificate(closed(expansion, simplified, invariants))


def closed(expansion: Expansion, simplified: Simplified, preconditions: dict[At, Term | None]) -> dict[At, Term]:
    """The invariants of a certificate; nothing where none was found, so that the checker walks through."""
    true = expansion.arena.true
    invariants = inductive_invariants(expansion, simplified, {at: f or true for at, f in preconditions.items()})
    return {at: formula for at, formula in invariants.items() if preconditions.get(at, true) is not None}


class _Requirements:
    """The requirements of the instances of an unrolling."""

    def __init__(self, unrolling: Unrolling, simplified: Simplified, checks: Collection[int], context: Context) -> None:
        self._unrolling, self._simplified, self._checks = unrolling, simplified, checks
        self._expansion = unrolling.expansion
        self._arena = unrolling.expansion.arena
        self._solver = context.solver(EFFORT_ON_BITS if self._expansion.program.uses_bits else EFFORT)
        self.asked = 0  # facts, in questions

    def of(self, instance: Instance, needed: dict[Instance, Term | None]) -> Term | None:
        """The requirement of `instance`, from those of the instances behind it."""
        check = self._expansion.check(instance.at)
        if check is not None:
            return self._arena.boolean(check.id not in self._checks)
        if instance.at.location in self._unrolling.endings:
            behind = {step.target for step in self._expansion.steps(instance.at)}
            return self._arena.true if behind <= {instance.at} else None
        followed = {arc.step: arc.target for arc in instance.leaving}
        facts: Sequence[Term] | None = None
        parts: dict[Term, None] = {}
        for step in self._expansion.steps(instance.at):
            target = followed.get(step)
            # What was left out, because no execution goes there, must not be reached.
            post = self._arena.false if target is None else needed[target]
            if post is None:
                return None
            if post.is_true:
                continue
            facts = facts if facts is not None else tuple(self._facts(instance))
            found = self._over(instance.at, step, post, facts)
            if found is None:
                return None
            parts.update(dict.fromkeys(found))
        return self._arena.and_(*parts)

    def _over(self, at: At, step: Step, post: Term, facts: Sequence[Term]) -> list[Term] | None:
        """Facts, and preconditions, under which a step leads to `post`; None where inputs cannot be eliminated."""
        used = self._used(at, step, post, facts)
        if used is not None:
            return used
        conjuncts: list[Term] = []
        for literal in literals(post) or (post,):
            used = self._used(at, step, literal, facts) if literal is not post else None
            if used is None:
                before = precondition(self._expansion, step, literal)
                if before is None:
                    return None
                used = [before]
            conjuncts += used
        return conjuncts

    def _used(self, at: At, step: Step, post: Term, facts: Sequence[Term]) -> list[Term] | None:
        """Facts that imply that a step leads to `post`; None where they do not."""
        goal = step.transition.wp(post)
        if goal.is_true:
            return []
        self.asked += len(facts)
        bounds = self._simplified.invariant(self._expansion, at)
        with self._solver.scope():
            self._solver.add(bounds, self._arena.not_(goal))
            self._solver.add(*range_facts(self._arena, [goal, bounds, *facts], self._expansion.range_of))
            answer = self._solver.check(facts)
        return list(answer.core) if isinstance(answer, Unsat) else None

    def _facts(self, instance: Instance) -> Iterator[Term]:
        """Facts about the values of variables and elements at an instance, from the unrolling."""
        analysis, arena = self._unrolling.value_sets, self._arena
        first: dict[Term, tuple[Term, int]] = {}
        for place, value in self._places(instance):
            numbers = analysis.of(value, instance.possible)
            if numbers is not None:
                yield arena.or_(*(arena.equals(place, arena.integer(number)) for number in sorted(numbers)))
            symbol, distance = _offset(value)
            if symbol is None:
                continue
            other = first.setdefault(symbol, (place, distance))
            if other[0] is not place:
                yield arena.equals(arena.subtract(place, other[0]), arena.integer(distance - other[1]))

    def _places(self, instance: Instance) -> Iterator[tuple[Term, Term]]:
        """The scalars and elements with known values."""
        for x, value in instance.values.items():
            if not isinstance(x.sort, ArraySort):
                if x.sort is INT:
                    yield x, value
                continue
            seen: set[Term] = set()
            for layer in islice(store_layers(value), MAX_ELEMENTS):
                if not layer.is_store or not layer.args[1].is_constant or layer.args[2].sort is not INT:
                    break
                if layer.args[1] not in seen:
                    seen.add(layer.args[1])
                    yield self._arena.select(x, layer.args[1]), layer.args[2]


def _offset(value: Term) -> tuple[Term | None, int]:
    """The symbol and the constant whose sum a value is."""
    if value.is_symbol:
        return value, 0
    if value.is_sum and value.coefficients == (1,) and value.args[0].is_symbol:
        return value.args[0], value.constant
    return None, 0
