"""Predicate discovery: atoms that a spurious path needs, from sequence interpolants or from weakest preconditions.

Sequence interpolants of an infeasible path are formulas I_0 = true, I_1, …, I_n = false, where each holds after I_{i-1}
and step i (Henzinger, Jhala, Majumdar, McMillan, POPL 2004). Spacer, on the path as a chain of Horn clauses, finds
ones of inductive quality; weakest preconditions of the sliced path always exist, but may grow with the path.
Candidates need no proof of soundness: the engine accepts whatever makes the abstract path infeasible.

Limitations: inputs in weakest preconditions are not eliminated, atoms that mention them are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.expansion import Expansion, Step
from core.pathformula import Infeasible
from core.semantics import Transition
from core.terms import Arena, Term, atoms, lift_choices

LARGEST_ATOM = 60  # heuristic: larger ones are unrollings of arithmetic, which exclude one path and no other


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
class Candidates:
    """`formulas[i]` should be tracked before step i; `origin` says which method found them."""

    origin: str
    formulas: tuple[Term, ...]

    def atoms(self, arena: Arena, is_input: Callable[[Term], bool]) -> Iterator[tuple[int, Term]]:
        """(position, atom) without repetition, in the order of the path."""
        seen: set[Term] = set()
        for position, formula in enumerate(self.formulas):
            for atom in atoms(lift_choices(arena, formula)):
                if atom not in seen and atom.size <= LARGEST_ATOM and not any(is_input(s) for s in atom.symbols()):
                    seen.add(atom)
                    yield position, atom


def weakest_preconditions(expansion: Expansion, path: SlicedPath, size_limit: int = 20_000) -> Candidates:
    """For each position, when the rest of the sliced path can be executed; true where that exceeds `size_limit`."""
    arena = expansion.arena
    formulas = [arena.true]
    post = arena.true
    for transition in reversed(path.transitions):
        if post.size <= size_limit:
            post = transition.pre(post)
        formulas.append(post if post.size <= size_limit and not post.is_false else arena.true)
        if post.is_false:
            post = arena.true  # what comes before does not matter
            formulas += [arena.true] * (len(path.transitions) + 1 - len(formulas))
            break
    return Candidates("weakest precondition", tuple(reversed(formulas)))
