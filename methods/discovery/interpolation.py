"""Predicate discovery: atoms that a spurious path needs, from sequence interpolants or from weakest preconditions.

Sequence interpolants of an infeasible path are formulas I_0 = true, I_1, …, I_n = false, where each holds after I_{i-1}
and step i (Henzinger, Jhala, Majumdar, McMillan, POPL 2004). Spacer, on the path as a chain of Horn clauses, finds
ones of inductive quality; weakest preconditions of the sliced path always exist, but may grow with the path.
Candidates need no proof of soundness: the engine accepts whatever makes the abstract path infeasible.

Inputs in weakest preconditions are eliminated where an equality determines them. A slice may have dropped that
equality: `related_core` brings such equalities back. What bounds on another input say about the rest, by elimination as
of Fourier and Motzkin, is added to the precondition, which it follows from.

Limitation: atoms that mention inputs are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice

from core.dataclass import dataclass
from core.parameters import parameter
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition
from core.terms import INT, Arena, Term, atoms, lift_choices, literals, substitute
from methods.paths.pathformula import Infeasible

BOUNDS = parameter("discovery.interpolation.bounds")
LARGEST_ATOM = parameter("discovery.interpolation.largest-atom")
ATOMS = parameter("discovery.interpolation.atoms")


@dataclass(frozen=True)
class SlicedPath:
    """An infeasible path with only the guards of its core: `before[i]` are the variables that matter before step i.

    `transitions` has one entry per step of the path; there is one more entry in `before` (nothing matters at the end).
    """

    transitions: tuple[Transition, ...]
    before: tuple[tuple[Term, ...], ...]


def slice_path(expansion: Expansion, steps: Sequence[Step], core: Infeasible) -> SlicedPath:
    """Keep the guards of the core and the assignments on which they depend."""
    arena = expansion.arena
    transitions: list[Transition] = []
    before: list[tuple[Term, ...]] = [()]
    needed: frozenset[Term] = frozenset()
    for step, guards in reversed(list(zip(steps, core.guards, strict=True))):
        updates = {x: v for x, v in step.transition.updates.items() if x in needed}
        sliced = Transition(arena, arena.and_(*guards), updates)
        transitions.append(sliced)
        needed = frozenset(s for s in needed.difference(updates) | sliced.reads if not expansion.is_input(s))
        before.append(tuple(sorted(needed, key=lambda s: s.id)))
    return SlicedPath(tuple(reversed(transitions)), tuple(reversed(before)))


@dataclass(frozen=True)
class CandidatePredicates:
    """Candidate predicates of a path: `formulas[i]` for before step i; `origin` says which method found them."""

    origin: str
    formulas: tuple[Term, ...]

    def atoms(self, arena: Arena, is_input: Callable[[Term], bool]) -> Iterator[tuple[int, Term]]:
        """(position, atom) without repetition, in the order of the path."""
        seen: set[Term] = set()
        for position, formula in enumerate(self.formulas):
            for atom in atoms(lift_choices(arena, formula)):
                inputs = (is_input(arena.original(s)) for s in atom.symbols())
                if atom not in seen and atom.size <= LARGEST_ATOM and not any(inputs):
                    seen.add(atom)
                    yield position, atom


def inside_loops(
    expansion: Expansion, steps: Sequence[Step], atoms: Mapping[int, Collection[Term]], origin: str
) -> CandidatePredicates | None:
    """Candidates from atoms by positions on a path, and the weakest preconditions of what comes after the last of them.

    None if there are no atoms.
    """
    arena = expansion.arena
    if not any(atoms.values()):
        return None
    last = max(atoms)
    guards = Infeasible(tuple(literals(step.transition.guard) for step in steps[last:]))
    needed = weakest_preconditions(expansion, slice_path(expansion, steps[last:], guards))
    inside = (arena.or_(*atoms[i]) if i in atoms else arena.true for i in range(last + 1))
    return CandidatePredicates(origin, (*inside, *needed.formulas[1:]))


def loop_visits(expansion: Expansion, steps: Sequence[Step]) -> dict[At, list[int]]:
    """The positions at which a path visits loop heads, by head."""
    visits: dict[At, list[int]] = {}
    for position, step in enumerate(steps):
        if expansion.is_loop_head(step.source):
            visits.setdefault(step.source, []).append(position)
    return visits


def inside_turn(
    arena: Arena, steps: Sequence[Step], first: int, last: int, atoms_at_head: Iterable[Term]
) -> Iterator[tuple[int, dict[Term, None]]]:
    """The atoms at the positions between two visits of a loop head that become those there.

    Other variables may carry the values; and a turn adds to the variables of a sum one after another, so that the sum
    has other bounds in between.
    """
    wanted = dict.fromkeys(atoms_at_head)
    for i in range(last - 1, first, -1):
        before: dict[Term, None] = {}
        for atom in wanted:
            for part in atoms(lift_choices(arena, steps[i].transition.after(atom))):
                if len(part.symbols()) == len(atom.symbols()):
                    before[part] = None
        wanted = dict(islice(before.items(), ATOMS))
        yield i, wanted


def related_core(expansion: Expansion, steps: Sequence[Step], core: Infeasible, path: SlicedPath) -> Infeasible | None:
    """The core, and the equalities between variables on the path that speak about what matters to the slice.

    The shortest reason may be one about an element that an input chose; another says which element that was. None if
    there are no such equalities.
    """
    relevant = set().union(*path.before)
    for step, sliced in zip(steps, path.transitions, strict=True):
        inputs = [s for s in sliced.reads if expansion.is_input(s)]
        relevant.update(inputs)
        relevant.update(x for x, v in step.transition.updates.items() if not v.symbols().isdisjoint(inputs))
    guards: list[tuple[Term, ...]] = []
    for step, used in zip(steps, core.guards, strict=True):
        kept = frozenset(used)
        guards.append(tuple(g for g in literals(step.transition.guard) if g in kept or _relates(g, relevant)))
    return Infeasible(tuple(guards)) if tuple(guards) != core.guards else None


def _relates(guard: Term, relevant: Set[Term]) -> bool:
    return guard.is_equation and len(guard.symbols()) > 1 and not relevant.isdisjoint(guard.symbols())


def weakest_preconditions(expansion: Expansion, path: SlicedPath, size_limit: int = 20_000) -> CandidatePredicates:
    """Weakest preconditions of the rest of the sliced path at each position; true where one exceeds `size_limit`.

    Inputs that no equality determines remain, under names of their own.
    """
    arena = expansion.arena
    formulas = [arena.true]
    post = arena.true
    for i, transition in reversed(list(enumerate(path.transitions))):
        if post.size <= size_limit:
            inputs = [s for s in sorted(transition.reads, key=lambda s: s.id) if expansion.is_input(s)]
            post = _without(arena, transition.pre(post), inputs, i)
        formulas.append(post if post.size <= size_limit and not post.is_false else arena.true)
        if post.is_false:
            post = arena.true  # what comes before does not matter
            formulas += [arena.true] * (len(path.transitions) + 1 - len(formulas))
            break
    return CandidatePredicates("weakest precondition", tuple(reversed(formulas)))


def _without(arena: Arena, formula: Term, inputs: Sequence[Term], position: int) -> Term:
    """`formula` with the inputs that a conjunct determines replaced by their values, the others renamed.

    Of the others, what follows without them is added.
    """
    for x in inputs:
        known = next((v for v in (_determined(arena, x, c) for c in literals(formula)) if v is not None), None)
        if known is None:
            formula = arena.and_(formula, *_eliminated(arena, x, literals(formula)))
            known = arena.copy(x, f"{x.name}@{position}")
        formula = substitute(arena, formula, {x: known})
    return formula


def _eliminated(arena: Arena, x: Term, conjuncts: Sequence[Term]) -> list[Term]:
    """The combinations of each lower bound of `x` among linear `conjuncts` with each upper bound."""
    sums = [(_slope(x, e), e) for c in conjuncts if x in c.symbols() for e in _at_most_zero(arena, c)]
    upper = [(slope, e) for slope, e in sums if slope is not None and slope > 0][:BOUNDS]
    lower = [(slope, e) for slope, e in sums if slope is not None and slope < 0][:BOUNDS]
    combined = (arena.le(arena.linear([(-b, e), (a, f)]), arena.zero) for a, e in upper for b, f in lower)
    return [c for c in combined if not c.is_true]


def _at_most_zero(arena: Arena, conjunct: Term) -> list[Term]:
    """The sums that `conjunct`, a comparison, says are at most 0."""
    atom = conjunct.args[0] if conjunct.is_negation else conjunct
    if (atom.is_bound and conjunct is atom) or conjunct.is_equation:
        below = arena.linear([(1, atom.args[0])], -atom.value)
        return [below] if atom.is_bound else [below, arena.negate(below)]
    return [arena.linear([(-1, atom.args[0])], atom.value + 1)] if atom.is_bound else []


def _slope(x: Term, sum_: Term) -> int | None:
    """The coefficient of `x` in a sum; None if `x` is also inside of other terms of it."""
    parts = dict(zip(sum_.args, sum_.coefficients, strict=True)) if sum_.is_sum else {sum_: 1}
    inside = any(x in t.symbols() for t in parts if t is not x)
    return None if inside else parts.get(x)


def _determined(arena: Arena, x: Term, conjunct: Term) -> Term | None:
    """The term that a linear equation says `x` is; None if it says no such thing."""
    if not conjunct.is_equation or x.sort is not INT:
        return None
    sum_ = conjunct.args[0]
    zero = substitute(arena, sum_, {x: arena.zero})
    slope = arena.subtract(substitute(arena, sum_, {x: arena.one}), zero)
    if slope not in (arena.one, arena.integer(-1)) or arena.add(arena.multiply(slope, x), zero) is not sum_:
        return None
    return arena.multiply(slope, arena.subtract(arena.integer(conjunct.value), zero))
