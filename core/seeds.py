"""Predicates to begin with: comparisons of one variable with a constant, and what copies of the variable make of them.

Heuristic. State machines compare with constants what other variables hand them, so `s = c` also matters for `t` where
the program copies `t` to `s`.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.arrangement import arrangement
from core.expansion import Expansion
from core.program import Assign, Assume, Call, Program
from core.terms import INT, Op, Term, atoms, lift_choices, substitute

MAX_SEEDS = 400


def seed_predicates(expansion: Expansion) -> list[Term]:
    """Atoms `x ⋈ c` of guards, closed under copying, related variables together; at most `MAX_SEEDS`."""
    program = expansion.program
    copies = _copies(program)
    seeds: dict[Term, None] = {}
    for edge in program.edges:
        if isinstance(edge.operation, Assume):
            for atom in atoms(lift_choices(program.arena, edge.operation.condition)):
                if _compares_with_constant(atom, program):
                    seeds.update(dict.fromkeys(_closed(atom, copies, program)))
        if len(seeds) > MAX_SEEDS:
            break
    place = arrangement(expansion)
    return sorted(list(seeds)[:MAX_SEEDS], key=lambda atom: place.get(_variable(atom), len(place)))


def _compares_with_constant(atom: Term, program: Program) -> bool:
    if atom.op is Op.SYMBOL:
        return atom in program.variables
    return atom.op in (Op.LE, Op.EQ) and atom.args[0] in program.variables


def _variable(atom: Term) -> Term:
    return atom if atom.op is Op.SYMBOL else atom.args[0]


def _copies(program: Program) -> dict[Term, list[Term]]:
    """For each variable, the variables that are copied to it."""
    copies: dict[Term, dict[Term, None]] = {}
    for target, value in _assignments(program):
        if value in program.variables and target.sort is INT:
            copies.setdefault(target, {})[value] = None
    return {target: list(sources) for target, sources in copies.items()}


def _assignments(program: Program) -> Iterator[tuple[Term, Term]]:
    for edge in program.edges:
        match edge.operation:
            case Assign(updates):
                yield from updates
            case Call(function, arguments):
                yield from zip(program.functions[function].parameters, arguments, strict=True)
            case Assume():
                pass


def _closed(atom: Term, copies: dict[Term, list[Term]], program: Program) -> Iterator[Term]:
    variable = _variable(atom)
    reached = {variable: None}
    work = [variable]
    while work:
        x = work.pop()
        yield substitute(program.arena, atom, {variable: x})
        for source in copies.get(x, []):
            if source not in reached:
                reached[source] = None
                work.append(source)
