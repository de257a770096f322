"""Minimal cores of infeasible paths: statements that contradict each other, none of which can be left out.

The core of a path formula names guards, and a slice adds every assignment to what they read. Not all of these are
needed: of `x = 1; y = x; …` in front of `y > 0 && y < 0` none is. Here each statement can be left out by itself, which
leaves what it assigns at any value of its range, and one after the other is left out for good where the rest still is
impossible (minimal in the sense of deletion; J. W. Chinneck, E. W. Dravnieks, 1991).

They are for display: no refinement needs them. Effort is bounded; what a solver cannot show to be superfluous
within it stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Call
from core.program.blocks import is_path
from core.program.expansion import Expansion, Step
from core.program.semantics import Transition, range_facts, transition
from core.solver.contract import Solver, SolverFactory
from core.terms import BOOL, ArraySort, Substitution, Term
from methods.inference.cores import minimal, refuting

LONGEST_PATH = parameter("paths.contradiction.longest-path")
MAX_PARTS = parameter("paths.contradiction.max-parts")
MAX_CHECKS = parameter("paths.contradiction.max-checks")
CHECK_EFFORT = parameter("paths.contradiction.check-effort")


@dataclass(frozen=True, eq=False)
class _PathPart:
    """A part of a path that is left out as a whole: an edge, or all edges of a step that branches inside. Only the
    parts with `positions` are in the core.
    """

    positions: tuple[int, ...]
    transition: Transition


def minimal_core(
    expansion: Expansion, steps: Sequence[Step], core: Sequence[int], solvers: SolverFactory
) -> tuple[int, ...]:
    """The positions of `core` without what the contradiction does not need; all where that is not shown.

    Positions are those of edges, over all steps.
    """
    arena = expansion.arena
    if sum(len(step.edges) for step in steps) > LONGEST_PATH:
        return tuple(core)
    parts = list(_parts(expansion, steps, frozenset(core)))
    switches = {part: arena.symbol(f"executed@{part.positions[0]}", BOOL) for part in parts if part.positions}
    if not 1 < len(switches) <= MAX_PARTS:
        return tuple(core)
    constraints = list(_constraints(expansion, parts, switches))
    solver = solvers(CHECK_EFFORT)
    solver.add(*constraints)
    solver.add(*range_facts(arena, constraints, expansion.range_of_copy))
    needed = frozenset(_needed(solver, tuple(switches.values())))
    return tuple(at for part, switch in switches.items() if switch in needed for at in part.positions)


def contradiction(expansion: Expansion, steps: Sequence[Step], solvers: SolverFactory) -> tuple[int, ...]:
    """The positions of edges of an infeasible path that contradict each other, as few as `minimal_core` shows; none
    where it shows nothing.
    """
    positions = range(sum(len(step.edges) for step in steps))
    found = minimal_core(expansion, steps, positions, solvers)
    return found if len(found) < len(positions) else ()


def _parts(expansion: Expansion, steps: Sequence[Step], core: frozenset[int]) -> Iterator[_PathPart]:
    first = 0
    for step in steps:
        after = first + len(step.edges)
        if isinstance(step.edges[0].operation, Call) or not is_path(step.edges):
            yield _PathPart(tuple(at for at in range(first, after) if at in core), step.transition)
        else:
            for at, part in zip(range(first, after), edge_transitions(expansion, step), strict=True):
                yield _PathPart((at,) if at in core else (), part)
        first = after


def edge_transitions(expansion: Expansion, step: Step) -> Iterator[Transition]:
    """The transitions of the edges of a step that neither calls nor branches, in the frame of the step."""
    rename = expansion.in_frame(step.source)
    for edge in step.edges:
        t = transition(expansion.arena, edge.operation)
        updates = {rename(x): rename(value) for x, value in t.updates.items()}
        yield Transition(expansion.arena, rename(t.guard), updates)


def _constraints(
    expansion: Expansion, parts: Sequence[_PathPart], switches: Mapping[_PathPart, Term]
) -> Iterator[Term]:
    """The constraints by which the parts are executed one after the other, each only if its switch is true."""
    arena = expansion.arena
    values: dict[Term, Term] = {}
    for i, part in enumerate(parts):
        t, executed = part.transition, switches.get(part, arena.false)
        inputs = {s: arena.copy(s, f"{s.name}@{i}") for s in t.reads if expansion.is_input(s)}
        now = Substitution(arena, {**{s: values[s] for s in t.reads if s in values}, **inputs})
        later = {x: arena.copy(x, f"{x.name}@{i}") for x in t.updates}
        if executed.is_false:
            values.update(later)
            continue
        yield arena.implies(executed, now(t.guard))
        for x, value in [(x, now(value)) for x, value in t.updates.items()]:
            if isinstance(x.sort, ArraySort):  # they have no equality
                values[x] = arena.ite(executed, value, later[x])
            else:
                values[x] = later[x]
                yield arena.implies(executed, arena.equals(later[x], value))


def _needed(solver: Solver, switches: Sequence[Term]) -> Sequence[Term]:
    """Switches that cannot all be true, and none of which can be left out as far as effort reaches."""
    ask = refuting(solver)
    core = ask(switches)
    if core is None:
        return switches
    questions = iter(range(MAX_CHECKS))
    return minimal(core, lambda part: None if next(questions, None) is None else ask(part))
