"""Candidate invariants of loops: formulas of simple forms that hold in sampled executions. Nothing here is trusted.

M. Ernst et al., "Dynamically discovering likely program invariants", TSE 2001; equations by linear algebra as in
R. Sharma et al., "A data driven approach for algebraic loop invariants", ESOP 2013. An engine keeps those that are
inductive (`methods.engines.bmc.induction`).

Heuristic throughout: which inputs are tried, which states are kept, which forms are looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from math import gcd, lcm

from core.parameters import parameter
from core.program import Assign, Assume, Call, Operation, Program
from core.program.expansion import At, Expansion
from core.program.float_values import INFINITIES, float_type_within
from core.terms import Arena, NotEvaluable, Op, Term, Treatment, atoms, evaluate, subterms
from methods.discovery.executions import Executions, guard_atoms

OTHER_OPERATORS = Treatment.OPAQUE

MAX_VARIABLES = parameter("discovery.candidates.max-variables")
MAX_FACTORS = parameter("discovery.candidates.max-factors")
MAX_CASES = parameter("discovery.candidates.max-cases")
FEWEST_STATES = parameter("discovery.candidates.fewest-states")
LARGEST_COEFFICIENT = parameter("discovery.candidates.largest-coefficient")
LARGEST_MODULUS = parameter("discovery.candidates.largest-modulus")
MAX_MODULI = parameter("discovery.candidates.max-moduli")

LADDER = parameter("discovery.candidates.ladder")
MAX_LADDERS = parameter("discovery.candidates.max-ladders")
LEAST_ORDINAL = parameter("discovery.candidates.least-ordinal")

Columns = Mapping[Term, Sequence[int]]  # the values of each term, one for each state


class CandidateInvariants:
    """The candidate invariants at each location."""

    def __init__(self, expansion: Expansion, executions: Executions) -> None:
        self._expansion = expansion
        self._arena = expansion.arena
        self._executions = executions
        program = expansion.program
        self._moduli = _moduli(program)
        self._thresholds = _thresholds(program)
        self._guards: dict[str, dict[Term, None]] = {}
        for edge in program.edges:
            if isinstance(edge.operation, Assume):
                own = self._guards.setdefault(program.locations[edge.source].function, {})
                own.update(dict.fromkeys(atoms(edge.operation.condition)))

    def at(self, at: At) -> list[Term]:
        """Formulas over the variables that hold in all states seen at `at`, without repetition."""
        variables, states = self._executions.at(at)
        if not states:
            return []
        columns = {x: [state[i] for state in states] for i, x in enumerate(variables)}
        floats = {x: float_type_within(self._expansion.range_of(x)) for x in columns}
        changing = [x for x in _changing(columns) if floats[x] is None]  # ordinals are compared, and nothing else
        chosen = {x: columns[x] for x in changing[:MAX_VARIABLES]}
        found = dict.fromkeys(self._constant(columns))
        found.update(dict.fromkeys(equations(self._arena, chosen)))
        found.update(dict.fromkeys(self._bounds(chosen)))
        ends = {x: INFINITIES[type_] for x, type_ in floats.items() if type_ is not None}
        for x, infinity in ends.items():
            found.update(dict.fromkeys(self._ladder(x, columns[x], infinity)))
        found.update(dict.fromkeys(self._remainders(chosen)))
        found.update(dict.fromkeys(self._of_guards(at, columns)))
        found.update(dict.fromkeys(self._by_cases(at, columns, chosen, ends)))
        found.update(dict.fromkeys(quadratic_equations(self._arena, chosen)))
        return [formula for formula in found if not formula.is_constant]

    def linear_equations(self, at: At) -> list[Term]:
        """The linear equations between the variables that changed, as `at` has them."""
        return list(dict.fromkeys(equations(self._arena, self._changed(at))))

    def quadratic_equations(self, at: At) -> list[Term]:
        """The linear equations between these variables and their products, as `at` has them."""
        return list(dict.fromkeys(quadratic_equations(self._arena, self._changed(at))))

    def _changed(self, at: At) -> Columns:
        variables, states = self._executions.at(at)
        columns = {x: [state[i] for state in states] for i, x in enumerate(variables)}
        changing = [x for x in _changing(columns) if float_type_within(self._expansion.range_of(x)) is None]
        return {x: columns[x] for x in changing[:MAX_VARIABLES]}

    def _constant(self, columns: Columns) -> Iterator[Term]:
        for x, values in columns.items():
            if len(set(values)) == 1:
                yield self._arena.equals(x, self._arena.integer(values[0]))

    def _bounds(self, columns: Columns) -> Iterator[Term]:
        """Intervals, and bounds of differences and sums."""
        arena = self._arena
        for x, values in columns.items():
            yield from _between(arena, x, values)
        for x, y in combinations(columns, 2):
            pairs = list(zip(columns[x], columns[y], strict=True))
            yield from _between(arena, arena.subtract(x, y), [a - b for a, b in pairs])
            yield from _between(arena, arena.add(x, y), [a + b for a, b in pairs])

    def _ladder(self, x: Term, values: Sequence[int], infinity: int) -> Iterator[Term]:
        """Bounds of a floating-point number: the constants of the program and numbers that are round, from those seen
        outwards, all that are finite, and all that are no NaN.
        """
        arena = self._arena
        low, high = min(values), max(values)
        steps = sorted({*self._thresholds, *(-1 - one for one in self._thresholds)})
        above = [one for one in steps if high <= one < infinity - 1][:LADDER]
        below = [one for one in reversed(steps) if -infinity < one <= low][:LADDER]
        for one in sorted({*above, *_round(high), infinity - 1, infinity}):
            if high <= one <= infinity:
                yield arena.le(x, arena.integer(one))
        for one in sorted({*below, *_round(low), -infinity}):
            if -infinity <= one <= low:
                yield arena.le(arena.integer(one), x)

    def _remainders(self, columns: Columns) -> Iterator[Term]:
        """The remainders of variables modulo constants that divide no other such constant."""
        arena = self._arena
        for x, values in columns.items():
            found = [m for m in self._moduli if len({value % m for value in values}) == 1]
            for modulus in found:
                if not any(other > modulus and other % modulus == 0 for other in found):
                    rest = arena.integer(values[0] % modulus)
                    yield arena.equals(arena.modulo(x, arena.integer(modulus)), rest)

    def _of_guards(self, at: At, columns: Columns) -> Iterator[Term]:
        """Atoms of the guards of the function, or their negations, that held always."""
        for atom, truth in self._guards_at(at, columns):
            if len(set(truth)) == 1:
                yield atom if truth[0] else self._arena.not_(atom)

    def _by_cases(self, at: At, columns: Columns, chosen: Columns, infinities: Mapping[Term, int]) -> Iterator[Term]:
        """The formulas that hold in the states in which a guard has one truth value: phases of a loop."""
        cases = [(atom, truth) for atom, truth in self._guards_at(at, columns) if len(set(truth)) == 2]
        for atom, truth in cases[:MAX_CASES]:
            for side in (True, False):
                if truth.count(side) >= FEWEST_STATES:
                    case = atom if side else self._arena.not_(atom)
                    for formula in self._of_case(_chosen(columns, truth, side), chosen, infinities):
                        yield self._arena.implies(case, formula)

    def _of_case(self, part: Columns, chosen: Columns, infinities: Mapping[Term, int]) -> Iterator[Term]:
        numbers = {x: part[x] for x in chosen}
        yield from equations(self._arena, numbers)
        yield from self._remainders(numbers)
        for x, infinity in infinities.items() if len(infinities) <= MAX_LADDERS else ():
            yield from self._ladder(x, part[x], infinity)

    def _guards_at(self, at: At, columns: Columns) -> Iterator[tuple[Term, list[bool]]]:
        """The atoms of guards of the function over the variables at `at`, and their truth in each state."""
        rename = self._expansion.in_frame(at)
        count = len(next(iter(columns.values()), ()))
        for atom in self._guards.get(self._expansion.function(at), ()):
            renamed = rename(atom)
            if renamed.symbols() and renamed.symbols() <= columns.keys():
                rows = ({x: columns[x][i] for x in renamed.symbols()} for i in range(count))
                try:
                    truth = [evaluate(renamed, row) is True for row in rows]
                except NotEvaluable:  # a guard elsewhere, behind a test of its divisor
                    continue
                yield renamed, truth


def _chosen(columns: Columns, truth: Sequence[bool], side: bool) -> Columns:
    """The values in the states in which a guard has a truth value."""
    return {x: [v for v, t in zip(values, truth, strict=True) if t is side] for x, values in columns.items()}


def _changing(columns: Columns) -> list[Term]:
    return [x for x, values in columns.items() if len(set(values)) > 1]


def _between(arena: Arena, term: Term, values: Sequence[int]) -> Iterator[Term]:
    yield arena.le(arena.integer(min(values)), term)
    yield arena.le(term, arena.integer(max(values)))


def _thresholds(program: Program) -> set[int]:
    """The constants with which the program compares, as far as they may be floating-point numbers."""
    found = {t.value for t in subterms(*program.terms()) if t.is_comparison}
    return {one for one in found if abs(one) >= LEAST_ORDINAL}


def _round(ordinal: int) -> Iterator[int]:
    """Numbers with half the digits, and powers of two, on either side of a number of any format."""
    magnitude = ordinal if ordinal >= 0 else -1 - ordinal
    for bits in (23, 52):
        whole = magnitude >> bits << bits
        yield from (whole, whole + (1 << bits), -1 - whole, -1 - whole - (1 << bits))


def _moduli(program: Program) -> list[int]:
    """2, and the least constants by which the program adds, multiplies or divides."""
    moduli = {2}
    for edge in program.edges:
        for t in subterms(*_new_values(edge.operation)):
            if t.is_sum:
                moduli |= {abs(t.constant), *map(abs, t.coefficients)}
    for atom in guard_atoms(program):
        for t in subterms(atom):
            if t.op is Op.MODULO and t.args[1].is_constant:
                moduli.add(t.args[1].value)
    return sorted(m for m in moduli if 1 < m <= LARGEST_MODULUS)[:MAX_MODULI]


def _new_values(operation: Operation) -> Sequence[Term]:
    match operation:
        case Assign(updates):
            return [value for _, value in updates]
        case Call(_, arguments):
            return arguments
        case Assume():
            return ()


def equations(arena: Arena, columns: Columns) -> Iterator[Term]:
    """A basis of the linear equations between the terms of `columns` that hold in all states."""
    terms = list(columns)
    for vector in _null_space(list(columns.values())):
        if all(abs(c) <= LARGEST_COEFFICIENT for c in vector[:-1]):
            parts = [(c, t) for c, t in zip(vector, terms, strict=False) if c]
            yield arena.equals(arena.linear(parts, vector[-1]), arena.zero)


def quadratic_equations(arena: Arena, columns: Columns) -> Iterator[Term]:
    """Linear equations between independent variables and their products."""
    order = {x: i for i, x in enumerate(columns)}
    dependent = {max((t for t in subterms(e) if t in order), key=order.__getitem__) for e in equations(arena, columns)}
    factors = [x for x in columns if x not in dependent][:MAX_FACTORS]
    monomials: dict[Term, Sequence[int]] = {x: columns[x] for x in factors}
    for x, y in combinations_with_replacement(factors, 2):
        monomials[arena.multiply(x, y)] = [a * b for a, b in zip(columns[x], columns[y], strict=True)]
    states = len(set(zip(*(columns[x] for x in factors), strict=True))) if factors else 0
    if states > len(monomials):
        yield from equations(arena, monomials)


def _null_space(columns: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """A basis of the vectors (c, d) with Σ cᵢ · columnᵢ + d = 0 in each row, whole numbers; by elimination."""
    count = len(columns)
    reduced: dict[int, list[int]] = {}  # by the last column that is not zero, which all others have zero
    for values in dict.fromkeys(zip(*columns, strict=True)):
        row = [*values, 1]
        for column, pivot in reduced.items():
            row = _without(row, column, pivot)
        last = next((column for column in range(count, -1, -1) if row[column]), None)
        if last is not None:
            reduced = {column: _without(other, last, row) for column, other in reduced.items()}
            reduced[last] = row
        if len(reduced) > count:
            return
    for free in range(count):
        if free not in reduced:
            factor = lcm(*(row[column] for column, row in reduced.items()))
            vector = [0] * (count + 1)
            vector[free] = -factor
            for column, row in reduced.items():
                vector[column] = row[free] * factor // row[column]
            divisor = gcd(*vector)
            yield [value // divisor for value in vector]


def _without(row: list[int], column: int, pivot: Sequence[int]) -> list[int]:
    """A multiple of `row` with its entry at `column` cleared by the pivot row, as small as it can be."""
    if not row[column]:
        return row
    factor, other = pivot[column], row[column]
    found = [factor * a - other * b for a, b in zip(row, pivot, strict=True)]
    divisor = gcd(*found)
    return [value // divisor for value in found] if divisor > 1 else found
