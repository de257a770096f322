"""Rules with what was shown of scalars among their facts, so that wrap-around that cannot happen is left out.

Indices such as `4 * i + 1` are then linear, and cells and templates can be read from them. The facts that a rule has
been given are part of the proof: they must be among the invariants of the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.analysis.bounds import Intervals
from core.parameters import parameter
from core.program import Range
from core.terms import INT, Arena, Op, Term, Treatment, literals
from methods.clauses.simplification import RuleSimplifier
from methods.discovery.horn import HornSystem, Rule
from methods.engines.acsar.houdini import Kept

OTHER_OPERATORS = Treatment.OPAQUE

_MAX_VARIABLES = parameter("acsar.strengthening.max-variables")


def telling(candidate: Term) -> bool:
    """Whether a candidate bounds scalars."""
    atom = candidate.args[0] if candidate.is_negation else candidate
    return atom.is_bound and len(atom.symbols()) <= _MAX_VARIABLES and all(s.sort is INT for s in atom.symbols())


def is_of_remainder(candidate: Term) -> bool:
    """Whether a candidate says which remainder a scalar leaves: of what counts by more than one."""
    return candidate.is_equation and candidate.args[0].op is Op.MODULO and candidate.args[0].args[0].is_symbol


def strengthened(arena: Arena, system: HornSystem, facts: Kept, range_of: Callable[[Term], Range | None]) -> HornSystem:
    """The system in which each rule knows the facts about its premises, and what follows from them for its values."""
    simplifier = RuleSimplifier(arena, range_of)
    intervals = Intervals(range_of)
    rules = (simplifier.decided(_with_facts(arena, rule, facts, intervals)) for rule in system.rules)
    return HornSystem(system.arguments, tuple(rules))


def _with_facts(arena: Arena, rule: Rule, facts: Kept, intervals: Intervals) -> Rule:
    known = [fact for premise in rule.premises for fact in facts[premise.relation]]
    constraint = arena.and_(rule.constraint, *known)
    bounds = _bounds(arena, literals(constraint), intervals.assuming(literals(constraint)))
    return Rule(rule.premises, arena.and_(constraint, *bounds), rule.head)


def _bounds(arena: Arena, formulas: Sequence[Term], intervals: Intervals) -> Iterator[Term]:
    """The bounds of single variables that follow from bounds of sums."""
    for formula in formulas:
        atom, holds = (formula.args[0], False) if formula.is_negation else (formula, True)
        if not atom.is_bound or not atom.args[0].is_sum:
            continue
        body = atom.args[0]
        for factor, x in zip(body.coefficients, body.args, strict=True):
            rest = intervals(arena.linear([(1, body), (-factor, x)]))
            limit = rest.low if holds else rest.high
            if x.is_symbol and limit is not None:
                side = arena.le(arena.linear([(factor, x)]), arena.integer(atom.value - limit))
                yield side if holds else arena.not_(side)
