"""The parts from which candidates are made, as the rules of a program suggest them: guards, sizes, constants, strides.

Heuristic throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations

from core.dataclass import dataclass
from core.decision.instances import reads_of
from core.parameters import parameter
from core.program import Range
from core.terms import INT, Arena, ArraySort, Op, Term, Treatment, atoms, substitute, subterms
from methods.discovery.horn import HornSystem, Rule
from methods.engines.acsar.cells import Shapes, indices_of
from methods.engines.acsar.samples import is_range_fact, rule_terms
from methods.engines.acsar.templates import ClaimFormulas, Templates, passed_conditions

OTHER_OPERATORS = Treatment.EXACT

MAX_CONSTANTS = parameter("acsar.syntax-hints.max-constants")
_LARGEST = parameter("acsar.syntax-hints.largest")
_LARGEST_MODULUS = parameter("acsar.syntax-hints.largest-modulus")
_LARGEST_CONSTANT = parameter("acsar.syntax-hints.largest-constant")


@dataclass(frozen=True)
class Forms:
    """The parts from which candidates are made: the same for all relations."""

    templates: Templates
    claims: ClaimFormulas
    guards: tuple[Term, ...]
    passed: tuple[Term, ...]  # that were asked of elements
    strides: dict[Term, dict[int, None]]
    together: frozenset[tuple[Term, Term]]  # arrays that meet in a rule
    compared: frozenset[Term]  # arrays of which a guard compares two elements
    sizes: frozenset[Term]  # scalars that are compared with indices, or are in them
    counting: frozenset[Term]  # scalars in indices
    falling: frozenset[Term]  # scalars that rounds make smaller
    stored: frozenset[Term]  # scalars that are elements
    skipped: frozenset[Term]  # scalars that a guard compares with an index for equality
    constants: tuple[int, ...]  # that are stored, or compared with
    parity: bool  # whether it matters that a number is even
    moduli: tuple[int, ...]  # of remainders that guards ask for, and by which rounds step


def forms(
    arena: Arena,
    system: HornSystem,
    shape: Shapes,
    hints: Templates,
    asked: ClaimFormulas,
    range_of: Callable[[Term], Range | None],
) -> Forms:
    """The forms that the rules suggest."""
    guards: dict[Term, None] = {}
    together: set[tuple[Term, Term]] = set()
    compared: set[Term] = set()
    for rule in system.rules:
        conditions = (t.args[0] for t in subterms(*rule_terms(rule)) if t.is_choice)
        for atom in (atom for formula in (rule.constraint, *conditions) for atom in atoms(formula)):
            compared.update(array for array, indices in reads_of([atom]).items() if len(indices) > 1)
            plain = atom.size < _LARGEST and not any(t.op in (Op.SELECT, Op.ITE) for t in subterms(atom))
            if plain and atom.is_comparison and not is_range_fact(atom, range_of):
                guards[atom] = None
                guards[substitute(arena, atom, _given(system, rule))] = None
        for t in rule_terms(rule):
            met = [s for s in t.symbols() if isinstance(s.sort, ArraySort)]
            if len(met) > 1:
                together |= set(permutations(met, 2))
        if rule.head is not None:
            for x, value in zip(system.arguments[rule.head.relation], rule.head.values, strict=True):
                if isinstance(x.sort, ArraySort) and value.is_store:
                    met = [s for s in value.symbols() if isinstance(s.sort, ArraySort) and s is not x]
                    together |= {pair for s in met for pair in ((s, x), (x, s))}
    strides = _strides(system, shape)
    return Forms(
        hints,
        asked,
        tuple(guards),
        passed_conditions(system, range_of),
        strides,
        frozenset(together),
        frozenset(compared),
        (sizes := _sizes(system, guards)),
        _counting(system),
        _falling(arena, system),
        _stored(system),
        frozenset(s for g in guards if g.is_equation and g.symbols() <= sizes for s in g.symbols()),
        _constants(system, guards),
        _parity(system, strides),
        _moduli(arena, system),
    )


def _given(system: HornSystem, rule: Rule) -> dict[Term, Term]:
    """The variables that a rule gives the value of an input: what it asks of the input holds of them."""
    if rule.head is None:
        return {}
    pairs = zip(system.arguments[rule.head.relation], rule.head.values, strict=True)
    known = {s for own in system.arguments for s in own}
    return {value: x for x, value in pairs if value.is_symbol and value not in known and x.sort is INT}


def _sizes(system: HornSystem, guards: Iterable[Term]) -> frozenset[Term]:
    """The scalars in indices, and those that guards compare with them."""
    found = set(_counting(system))
    for guard in guards:
        if not guard.symbols().isdisjoint(found):
            found |= guard.symbols()
    return frozenset(found)


def _constants(system: HornSystem, guards: Iterable[Term]) -> tuple[int, ...]:
    """The small numbers that are stored in arrays, that guards compare with, and that comparisons multiply by."""
    found = {g.value for g in guards if len(g.symbols()) == 1}
    for rule in system.rules:
        bodies = (atom.args[0] for atom in atoms(rule.constraint) if rule.head is None and atom.is_comparison)
        found |= {abs(c) for body in bodies if body.is_sum for c in body.coefficients}
        for t in subterms(*(rule.head.values if rule.head is not None else ())):
            if t.is_store:
                found |= {u.value for u in (t.args[2], *t.args[2].args) if u.is_constant and u.sort is INT}
    return tuple(sorted((c for c in found if abs(c) <= _LARGEST_CONSTANT), key=abs)[:MAX_CONSTANTS])


def _parity(system: HornSystem, strides: Mapping[Term, Mapping[int, None]]) -> bool:
    for rule in system.rules:
        for t in subterms(*rule_terms(rule)):
            if t.op is Op.MODULO and t.args[1].is_constant and t.args[1].value == 2:
                return True
        if rule.head is not None:
            for x, value in zip(system.arguments[rule.head.relation], rule.head.values, strict=True):
                if x.sort is INT and value.is_sum and value.args == (x,) and abs(value.constant) == 2:
                    return True
    return any(2 in factors for factors in strides.values())


def _moduli(arena: Arena, system: HornSystem) -> tuple[int, ...]:
    """The small numbers of which it matters what remainder a scalar leaves."""
    found = {2, 3, 4}
    for rule in system.rules:
        found |= {t.args[1].value for t in subterms(*rule_terms(rule)) if t.op is Op.MODULO and t.args[1].is_constant}
        if rule.head is not None:
            pairs = zip(system.arguments[rule.head.relation], rule.head.values, strict=True)
            steps = (arena.subtract(value, x) for x, value in pairs if x.sort is INT and value.is_sum)
            found |= {abs(step.value) for step in steps if step.is_constant}
    return tuple(sorted(m for m in found if 1 < m <= _LARGEST_MODULUS))


def _counting(system: HornSystem) -> frozenset[Term]:
    indices = (e for own in indices_of(system).values() for e in own)
    return frozenset(s for e in indices for s in e.symbols() if s.sort is INT)


def _falling(arena: Arena, system: HornSystem) -> frozenset[Term]:
    """The scalars of which a rule subtracts a number."""
    found: set[Term] = set()
    for rule in system.rules:
        if rule.head is not None:
            for x, value in zip(system.arguments[rule.head.relation], rule.head.values, strict=True):
                if x.sort is INT and x in value.symbols():
                    step = arena.subtract(value, x)
                    found |= {x} if step.is_constant and step.value < 0 else set()
    return frozenset(found)


def _stored(system: HornSystem) -> frozenset[Term]:
    """The scalars whose values are stored in arrays."""
    values = (t.args[2] for rule in system.rules for t in subterms(*rule_terms(rule)) if t.is_store)
    return frozenset(value for value in values if value.is_symbol)


def _strides(system: HornSystem, shape: Shapes) -> dict[Term, dict[int, None]]:
    """The factors of variables in indices, in elements."""
    strides: dict[Term, dict[int, None]] = {}
    for array, indices in indices_of(system).items():
        size = next((cell.scale for cell in shape.cells.get(array, ())), 1)
        for index in indices:
            if index.is_sum:
                for c, m in zip(index.coefficients, index.args, strict=True):
                    if m.is_symbol and c % size == 0 and 2 <= abs(c // size) <= 5:
                        strides.setdefault(m, {})[c // size] = None
    return strides
