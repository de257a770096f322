"""Infeasible paths as Horn clauses, for a solver that finds interpretations of their relations.

Two systems. The *chain* has one relation for each position of the (sliced) path: its interpretations are sequence
interpolants. The *path program* (D. Beyer, T. Henzinger, R. Majumdar, A. Rybalchenko, "Path invariants", PLDI 2007) has
one relation for each location that the path visits, and all steps of the path between them: its interpretations are
invariants that exclude the path with its loops unrolled any number of times, so refinement does not unroll them one by
one. It has no solution where some longer unrolling is feasible.

Interpretations are candidates for predicates only, never trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from core.dataclass import dataclass
from core.program.expansion import At, Expansion, Step
from core.program.semantics import Transition, range_facts
from core.terms import Term, to_smtlib
from core.terms.smtlib_writer import smt_symbol
from methods.discovery.interpolation import CandidatePredicates, SlicedPath


@dataclass(frozen=True)
class Application:
    """A relation, by its number, applied to values."""

    relation: int
    values: tuple[Term, ...]


@dataclass(frozen=True)
class Rule:
    """A Horn clause `premises ∧ constraint ⇒ head`, for all values of the symbols; no head: false."""

    premises: tuple[Application, ...]
    constraint: Term
    head: Application | None


@dataclass(frozen=True)
class HornSystem:
    """A system of Horn clauses, in which relation i ranges over the variables `arguments[i]`."""

    arguments: tuple[tuple[Term, ...], ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class PathSystem(HornSystem):
    """The Horn system of a path; `positions[i]` are the positions of the path that relation i is for.

    `depth` is the number of steps of the shortest derivation of false that must be excluded.
    """

    positions: tuple[tuple[int, ...], ...]
    length: int
    depth: int

    def candidates(self, formulas: Sequence[Term], true: Term, origin: str) -> CandidatePredicates:
        """Interpretations of the relations at their positions in the path."""
        result = [true] * (self.length + 1)
        for positions, formula in zip(self.positions, formulas, strict=True):
            for position in positions:
                result[position] = formula
        return CandidatePredicates(origin, tuple(result))


def chain(expansion: Expansion, path: SlicedPath) -> PathSystem:
    """The chain of a sliced path. Steps that neither constrain nor change what matters have no rule of their own."""
    arguments = [path.before[0]]
    rules = [Rule((), expansion.arena.true, Application(0, path.before[0]))]
    positions: list[tuple[int, ...]] = [(0,)]
    length = len(path.transitions)
    for i, transition in enumerate(path.transitions):
        last = i + 1 == length
        if transition.guard.is_true and not transition.updates and not last:
            continue
        # Between two rules the variables that matter can only have become fewer.
        here, after = len(arguments) - 1, path.before[i + 1]
        head = None if last else Application(here + 1, after)
        rules.append(_rule(expansion, Application(here, arguments[here]), head, transition))
        if not last:
            arguments.append(after)
            positions.append((i + 1,))
    return PathSystem(tuple(arguments), tuple(rules), tuple(positions), length, len(arguments) + 1)


def path_program(
    expansion: Expansion, steps: Sequence[Step], live: Callable[[At], frozenset[Term]]
) -> PathSystem | None:
    """The path program of a path to an error location; None if the path visits no location twice.

    `live` gives the variables that may still be read at a location.
    """
    visits: dict[At, list[int]] = {}
    for position, step in enumerate(steps):
        visits.setdefault(step.source, []).append(position)
    if len(visits) == len(steps):
        return None
    arcs = _merged(expansion, dict.fromkeys((s.source, s.target, s.transition) for s in steps), steps[0].source)
    places = {at: i for i, at in enumerate(at for at in visits if any(at == source for source, _, _ in arcs))}
    relevant = _relevant(expansion, [transition for _, _, transition in arcs])
    arguments = tuple(tuple(sorted(relevant & live(at), key=lambda s: s.id)) for at in places)
    rules = [Rule((), expansion.arena.true, Application(0, arguments[0]))]
    for source, target, transition in arcs:
        head = Application(places[target], arguments[places[target]]) if target in places else None
        rules.append(_rule(expansion, Application(places[source], arguments[places[source]]), head, transition))
    return PathSystem(arguments, tuple(rules), tuple(tuple(visits[at]) for at in places), len(steps), 0)


_Arc = tuple[At, At, Transition]


def _merged(expansion: Expansion, arcs: Iterable[_Arc], start: At) -> list[_Arc]:
    """The arcs with every location that has one way in and one way out composed away."""
    result = list(arcs)
    for at in dict.fromkeys(source for source, _, _ in result):
        into = [arc for arc in result if arc[1] == at]
        out = [arc for arc in result if arc[0] == at]
        if at == start or len(into) != 1 or len(out) != 1 or into[0] is out[0]:
            continue
        (source, _, first), (_, target, second) = into[0], out[0]
        if any(expansion.is_input(s) for s in first.reads & second.reads):
            continue  # two executions of one input must not become one
        result[result.index(into[0])] = (source, target, first.then(second))
        result.remove(out[0])
    return result


def _relevant(expansion: Expansion, transitions: Sequence[Transition]) -> frozenset[Term]:
    """The variables on which the guards depend, directly or through assignments."""
    relevant = set().union(*(t.guard.symbols() for t in transitions))
    grown = True
    while grown:
        size = len(relevant)
        for t in transitions:
            for x, value in t.updates.items():
                if x in relevant:
                    relevant |= value.symbols()
        grown = len(relevant) > size
    return frozenset(s for s in relevant if not expansion.is_input(s))


def _rule(expansion: Expansion, source: Application, target: Application | None, transition: Transition) -> Rule:
    """The rule of one transition, in which inputs, and initial values where it leaves relation 0, are in range.

    `target` is applied to the variables; the rule puts their new values in.
    """
    inputs = [s for s in transition.reads if expansion.is_input(s)]
    bounded = [*inputs, *source.values] if source.relation == 0 else inputs
    facts = range_facts(expansion.arena, sorted(bounded, key=lambda s: s.id), expansion.range_of)
    head = target and Application(target.relation, tuple(transition.updates.get(x, x) for x in target.values))
    return Rule((source,), expansion.arena.and_(transition.guard, *facts), head)


def horn_problem(system: HornSystem) -> str:
    """The system in SMT-LIB 2.6 over relations `R0`, `R1`, …: one assertion per rule, in their order."""
    lines = ["(set-logic HORN)"]
    for i, arguments in enumerate(system.arguments):
        lines.append(f"(declare-fun R{i} ({' '.join(str(a.sort) for a in arguments)}) Bool)")
    lines += map(_clause, system.rules)
    return "\n".join(lines)


def _applied(application: Application) -> str:
    name, values = f"R{application.relation}", application.values
    return f"({name} {' '.join(map(to_smtlib, values))})" if values else name


def _clause(rule: Rule) -> str:
    premise = to_smtlib(rule.constraint)
    if rule.premises:
        premise = f"(and {' '.join(map(_applied, rule.premises))} {premise})"
    head = "false" if rule.head is None else _applied(rule.head)
    implication = f"(=> {premise} {head})"
    values = (*(v for p in rule.premises for v in p.values), rule.constraint, *(rule.head.values if rule.head else ()))
    symbols: dict[Term, None] = {}
    for t in values:
        symbols.update(dict.fromkeys(sorted(t.symbols(), key=lambda s: s.id)))
    if symbols:
        bound = " ".join(f"({smt_symbol(s.name)} {s.sort})" for s in symbols)
        implication = f"(forall ({bound}) {implication})"
    return f"(assert {implication})"
