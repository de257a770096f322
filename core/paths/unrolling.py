"""Unrolling an expansion into one formula, with the paths merged that meet at a location in the same layer.

A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without BDDs", TACAS 1999; paths are merged as in
E. Clarke, D. Kroening, F. Lerda, "A tool for checking ANSI-C programs", TACAS 2004. A new layer begins where a loop
head, or a function that is already active, is entered; so the formula grows linearly with the bound, however loops
nest. An *instance* is a location in a layer. Guards only imply how an instance is reached, which is all that a search
for executions needs: in a model, an instance whose guard is true is reached over an arc whose literal is true, from an
instance whose guard is true.

Required: definitions are guarded, since a value may leave its range where its guard is false. Heuristic: constants,
symbols and sums of a symbol and a constant are kept as they are, so that loops with known bounds unroll by themselves.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.analysis.liveness import Liveness
from core.limits import Limits
from core.program.expansion import At, Expansion, Step
from core.program.order import ExplorationOrder, OrderPosition
from core.program.semantics import range_facts
from core.solver.contract import Model, Solver
from core.terms import BOOL, Arena, ArraySort, Op, Substitution, Term, subterms


@dataclass(eq=False)
class Instance:
    """A location in a layer: `values` are those of the variables that differ from their values at the root."""

    at: At
    guard: Term
    values: Mapping[Term, Term]
    arriving: tuple[StepInstance, ...]
    leaving: list[StepInstance] = field(default_factory=list)


@dataclass(eq=False)
class StepInstance:
    """An instance of a step: it is taken from `source` where `taken` holds; `values` are those after it then."""

    source: Instance
    step: Step
    taken: Term
    values: Mapping[Term, Term]
    target: Instance | None = None


class Unrolling:
    """The executions from `root`, from any state there, layer by layer. The solver is told what defines them."""

    def __init__(self, expansion: Expansion, root: At, solver: Solver, limits: Limits) -> None:
        self.expansion = expansion
        self._arena = expansion.arena
        self._solver = solver
        self._limits = limits
        self._order = ExplorationOrder(expansion.program)
        self._liveness = Liveness(expansion)
        self._locals = expansion.program.locals()
        self._created = 0  # symbols
        self._facts: set[Term] = set()
        self._stores: dict[Term, Term] = {}  # an array term without choices between arrays
        self.root = Instance(root, self._arena.true, {}, ())
        self.instances = [self.root]  # in topological order
        self.frontier = [self.root]  # where the next layer begins

    # Layers

    def advance(self) -> list[Instance]:
        """Unroll one more layer; returns the error locations in it."""
        errors: list[Instance] = []
        waiting: list[tuple[OrderPosition, int, At]] = []
        arrived: dict[At, list[StepInstance]] = {}
        following: dict[At, list[StepInstance]] = {}
        for instance in self.frontier:
            self._leave(instance, arrived, following, waiting)
        while waiting:
            self._limits.check()
            at = heapq.heappop(waiting)[2]
            arcs = arrived.pop(at, None)
            if arcs is None:
                continue
            instance = self._join(at, arcs)
            if self.expansion.check(at) is not None:
                errors.append(instance)
            else:
                self._leave(instance, arrived, following, waiting)
        self.frontier = [self._join(at, arcs) for at, arcs in following.items()]
        return errors

    def prune(self, instances: Iterable[Instance]) -> None:
        """Remove instances from the frontier, which no execution reaches."""
        dropped = frozenset(instances)
        self.frontier = [instance for instance in self.frontier if instance not in dropped]

    def _leave(
        self,
        source: Instance,
        arrived: dict[At, list[StepInstance]],
        following: dict[At, list[StepInstance]],
        waiting: list[tuple[OrderPosition, int, At]],
    ) -> None:
        for step in self.expansion.steps(source.at):
            arc = self._take(source, step)
            if arc.taken.is_false:
                continue
            source.leaving.append(arc)
            if begins_layer(self.expansion, step):
                following.setdefault(step.target, []).append(arc)
            else:
                if step.target not in arrived:
                    self._created += 1
                    heapq.heappush(waiting, (self._order.position(step.target)[1:], self._created, step.target))
                arrived.setdefault(step.target, []).append(arc)

    # Definitions

    def _take(self, source: Instance, step: Step) -> StepInstance:
        """Add an instance of a step, with copies of its inputs."""
        arena = self._arena
        self._created += 1
        inputs = sorted((s for s in step.transition.reads if self.expansion.is_input(s)), key=lambda s: s.id)
        copies = {s: arena.copy(s, f"{s.name}@{self._created}") for s in inputs}
        now = Substitution(arena, {**source.values, **copies})
        taken = self._literal(arena.and_(source.guard, now(step.transition.guard)))
        if taken.is_false:
            return StepInstance(source, step, taken, source.values)
        values = dict(source.values)
        values.update({x: now(self._without_choices(value)) for x, value in step.transition.updates.items()})
        return StepInstance(source, step, taken, values)

    def _join(self, at: At, arcs: Sequence[StepInstance]) -> Instance:
        """The instance at which `arcs` meet."""
        arena = self._arena
        guard = arcs[0].taken if len(arcs) == 1 else self._literal(arena.or_(*(arc.taken for arc in arcs)))
        alive = self._alive(at)
        values = {x: self._met(x, arcs) for x in dict.fromkeys(x for arc in arcs for x in arc.values) if alive(x)}
        instance = Instance(at, guard, {x: value for x, value in values.items() if value is not x}, tuple(arcs))
        for arc in arcs:
            arc.target = instance
        self.instances.append(instance)
        return instance

    def _alive(self, at: At) -> Callable[[Term], bool]:
        """Whether the value of a variable may still be read."""
        live = self._liveness.locals_at(at)
        return lambda x: x in live or self._arena.original(x) not in self._locals

    def _met(self, x: Term, arcs: Sequence[StepInstance]) -> Term:
        """The value of `x` where arcs meet: the one that all give, or a symbol that each of them defines."""
        values = [arc.values.get(x, x) for arc in arcs]
        first = values[0]
        if all(value is first for value in values) and (_is_plain(first) or isinstance(x.sort, ArraySort)):
            return first
        if isinstance(x.sort, ArraySort):
            for arc, value in zip(arcs[1:], values[1:], strict=True):
                first = self._without_choices(self._arena.ite(arc.taken, value, first))
            return first
        self._created += 1
        symbol = self._arena.copy(x, f"{x.name}@{self._created}")
        for arc, value in zip(arcs, values, strict=True):
            self.tell(self._arena.implies(arc.taken, self._arena.equals(symbol, value)))
        return symbol

    def _literal(self, formula: Term) -> Term:
        """A literal that implies `formula`; itself where it is one."""
        if formula.op in (Op.CONSTANT, Op.SYMBOL) or (formula.op is Op.NOT and formula.args[0].op is Op.SYMBOL):
            return formula
        self._created += 1
        literal = self._arena.symbol(f"taken@{self._created}", BOOL)
        self.tell(self._arena.implies(literal, formula))
        return literal

    def tell(self, *formulas: Term) -> None:
        """Assert formulas, with the ranges of what they mention."""
        self._solver.add(*formulas)
        self.tell_ranges(formulas)

    def tell_ranges(self, formulas: Sequence[Term]) -> None:
        """Assert the ranges of what `formulas` mention."""
        facts = range_facts(self._arena, formulas, lambda s: self.expansion.range_of(self._arena.original(s)))
        self._solver.add(*(fact for fact in facts if fact not in self._facts))
        self._facts.update(facts)

    def _without_choices(self, value: Term) -> Term:
        """The array `value` as a chain of stores: reading from it is then linear in its length."""
        if not isinstance(value.sort, ArraySort):
            return value
        found = self._stores.get(value)
        if found is None:
            found = self._stores[value] = chain_of_stores(self._arena, value)
        return found

    # Executions

    def path_to(self, instance: Instance, model: Model) -> tuple[Step, ...]:
        """The steps over which a model reaches `instance`, whose guard it makes true."""
        steps: list[Step] = []
        while instance.arriving:
            arc = next(arc for arc in instance.arriving if model.value(arc.taken) is True)
            steps.append(arc.step)
            instance = arc.source
        return tuple(reversed(steps))


def begins_layer(expansion: Expansion, step: Step) -> bool:
    """Whether a step enters a loop head, or a function that is already active."""
    target = step.target
    return expansion.is_loop_head(target) or (
        len(target.stack) > len(step.source.stack) and expansion.frame(target) > 0
    )


def chain_of_stores(arena: Arena, array: Term) -> Term:
    """An equal array without choices between arrays where these differ from a common one by stores."""
    memo: dict[Term, Term] = {}
    for t in subterms(array):
        if not isinstance(t.sort, ArraySort):
            continue
        if t.op is Op.STORE:
            memo[t] = arena.store(memo[t.args[0]], t.args[1], t.args[2])
        elif t.op is Op.ITE:
            memo[t] = _chosen(arena, t.args[0], memo[t.args[1]], memo[t.args[2]])
        else:
            memo[t] = t
    return memo[array]


def _chosen(arena: Arena, condition: Term, a: Term, b: Term) -> Term:
    """`a` if `condition` else `b`, as conditional stores in what both are based on, if there is such an array."""
    first, second = _layers(a), _layers(b)
    depth = {array: i for i, array in enumerate(first)}
    shared = next((i for i, array in enumerate(second) if array in depth), None)
    if shared is None:
        return arena.ite(condition, a, b)
    result = second[shared]
    for stores, holds in ((first[: depth[result]], condition), (second[:shared], arena.not_(condition))):
        for store in reversed(stores):
            _, index, value = store.args
            result = arena.store(result, index, arena.ite(holds, value, arena.select(result, index)))
    return result


def _layers(array: Term) -> list[Term]:
    """The arrays of a chain of stores, the outermost first, the base last."""
    layers = [array]
    while layers[-1].op is Op.STORE:
        layers.append(layers[-1].args[0])
    return layers


def _is_plain(value: Term) -> bool:
    """Whether a value is cheap to repeat."""
    offset = value.op is Op.LINEAR and value.coefficients == (1,) and value.args[0].op is Op.SYMBOL
    return offset or value.op in (Op.SYMBOL, Op.CONSTANT)
