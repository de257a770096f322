"""Transfer functions of zones with excluded values and congruences, which inform each other.

M. Müller-Olm, H. Seidl, "Analysis of modular arithmetic", TOPLAS 2007; a sum whose interval has one multiple of the
modulus is equal to it, and so a congruence bounds places. Values of other than linear terms are arbitrary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from core.parameters import parameter
from core.program import Program
from core.program.semantics import Transition
from core.terms import INT, Arena, Op, Substitution, Term, Treatment, literals, subterms
from methods.domains.zones.congruences import Coefficients, Congruences
from methods.domains.zones.exclusions import Exclusions, assigned, excluding, sharpened
from methods.domains.zones.forms import LinearForm
from methods.domains.zones.precision import EquatedPlaces
from methods.domains.zones.state import LinearState
from methods.domains.zones.transfer import Transfer
from methods.domains.zones.zone import Zone

OTHER_OPERATORS = Treatment.OPAQUE

_REDUCTIONS = parameter("domains.zones.linear.reductions")
SMALLEST_MODULUS, _MODULUS = 1 << 16, 1 << 64

_Numbers = tuple[tuple[Term, int], ...]


class LinearTransfer:
    """Transfer functions under the precision of `zones`."""

    def __init__(self, arena: Arena, zones: Transfer, modulus: int) -> None:
        self._arena = arena
        self._zones = zones
        self._precision = zones.precision
        self._modulus = modulus
        self._sums: dict[Term, Coefficients | None] = {}

    def apply(self, state: LinearState, step: Transition) -> list[LinearState]:
        """The states after a guard and a simultaneous assignment."""
        excluded = self._excluded(state, step.guard)
        zones = _sharpened(self._zones.assuming(state.zone, step.guard), excluded)
        if state.congruences is not None:
            zones = [part for zone in zones for part in self._congruent_parts(zone, state.congruences, step.guard)]
        if not zones:
            return []
        excluded = assigned(excluded, step.updates)
        zones = _sharpened((after for zone in zones for after in self._zones.updated(zone, step.updates)), excluded)
        if not zones:
            return []
        rest = state.congruences
        if rest is None and not self._zones.forms.sums:
            return [LinearState(zone, None, excluded) for zone in zones]
        if rest is not None:
            rest = self._equated(rest, step.guard)
            if rest is None:
                return []
        known = [self._known_indices(zone, step.updates) for zone in zones]
        after = {one: None if rest is None else self._assigned(rest, step.updates, one) for one in dict.fromkeys(known)}
        states = (LinearState(zone, after[one], excluded) for zone, one in zip(zones, known, strict=True))
        about = step.guard.symbols()
        found = (self.reduced(one, about) for one in states)
        return [one for one in found if one is not None]

    def _equated(self, congruences: Congruences, guard: Term) -> Congruences | None:
        """The congruences after a guard."""
        rest: Congruences | None = congruences
        for conjunct in literals(guard):
            equation = self._equation(conjunct)
            rest = rest and (rest.constrained(equation) if equation else rest)
        return rest

    def _congruent_parts(self, zone: Zone, congruences: Congruences, guard: Term) -> list[Zone]:
        """The parts of a zone in which sums of a guard that have a known residue may have values that satisfy it."""
        zones = [zone]
        for conjunct in literals(guard):
            atom = conjunct.args[0] if conjunct.is_negation else conjunct
            sum_ = self.sum_of(atom.args[0]) if atom.is_comparison and atom.args[0].is_sum else None
            residue = None if sum_ is None else congruences.solved(sum_)
            if residue is not None and residue.keys() <= {None}:
                rest = residue.get(None, 0)
                zones = [part for one in zones for part in self._with_residue(one, conjunct, rest, congruences.modulus)]
        return zones

    def _with_residue(self, zone: Zone, conjunct: Term, residue: int, modulus: int) -> list[Zone]:
        """The parts of a zone in which the sum of a literal, with this residue, may have a value that satisfies it."""
        atom, truth = (conjunct.args[0], False) if conjunct.is_negation else (conjunct, True)
        found: list[Zone] = []
        for part, form in self._zones.values(zone, atom.args[0]):
            low, high = self._zones.forms.interval(part, form)
            least = None if low is None else low + (residue - low) % modulus
            if least is not None and high is not None and least + modulus > high:
                holds = least == atom.value if atom.is_equation else least <= atom.value
                if least > high or holds is not truth:
                    continue
            found.append(part)
        return found

    def _excluded(self, state: LinearState, guard: Term) -> Exclusions:
        """The exclusions after a guard."""
        result = state.exclusions
        for conjunct in literals(guard):
            one = self._zones.excluded(state.zone, conjunct)
            result = excluding(result, *one) if one else result
        return result

    def reduced(self, state: LinearState, about: frozenset[Term] | None = None) -> LinearState | None:
        """The same state, with what zone, tracked sums and congruences tell of each other; None if it is empty.

        Of the sums, it is those of the symbols `about`, if these are given.
        """
        zone = self._zones.forms.related(state.zone, about)
        if zone is None:
            return None
        state = state if zone is state.zone else replace(state, zone=zone)
        for _ in range(_REDUCTIONS if state.congruences is not None else 0):
            whole = state.saturated(self._precision.equates)
            if whole is None:
                return None
            assert whole.congruences is not None
            zone = self._bounded(state.zone, whole.congruences)
            if zone is state.zone or zone is None:
                return whole if zone else None
            state = replace(whole, zone=zone)
        return state

    def _bounded(self, zone: Zone, congruences: Congruences) -> Zone | None:
        """The part of a zone in which sums that are congruent to 0 are multiples of the modulus."""
        for equation in congruences.equations():
            parts = tuple((c, x) for x, c in equation.items() if x is not None)
            if all(x in zone.constants for _, x in parts):
                continue
            constant = equation.get(None, 0)
            form = LinearForm(parts, constant, constant)
            low, high = self._zones.forms.interval(zone, form)
            if low is None or high is None:
                continue
            least, greatest = -(-low // congruences.modulus), high // congruences.modulus
            if least > greatest:
                return None
            if least == greatest:
                after = self._zones.equal(zone, form, least * congruences.modulus)
                if after is None:
                    return None
                zone = after
        return zone

    def _known_indices(self, after: Zone, updates: Mapping[Term, Term]) -> _Numbers:
        """Variables in indices that are numbers where an assignment leads to `after`, if elements have equations."""
        if self._precision.equations is not EquatedPlaces.ALL:
            return ()
        symbols = frozenset[Term]().union(*(index.symbols() for index in _indices(updates.values())))
        fixed = (x for x in symbols - updates.keys() if x.sort is INT and x in after.constants)
        return tuple((x, after.constants[x]) for x in sorted(fixed, key=lambda x: x.id))

    def _assigned(self, congruences: Congruences, updates: Mapping[Term, Term], known: _Numbers) -> Congruences:
        """The congruences after an assignment before which variables are known."""
        numbers = Substitution(self._arena, {x: self._arena.integer(k) for x, k in known})
        new = dict(self._zones.assignments({x: numbers(value) for x, value in updates.items()} if known else updates))
        targets = [x for x in new if x.sort is INT and self._precision.equates(x)]
        following = {x: self._arena.symbol(f"{x!r}@next", INT) for x in targets}
        result = congruences
        for x in targets:
            value = self.sum_of(new[x])
            if value is not None:
                added = result.constrained({**_scaled(value, -1), following[x]: 1})
                assert added is not None, "nothing was known of the new place"
                result = added
        return result.without(targets).renamed({copy: x for x, copy in following.items()})

    def _equation(self, t: Term) -> Coefficients | None:
        """The sum that is 0 where an atom holds, if the atom is a linear equation of tracked places."""
        left = self.sum_of(t.args[0]) if t.is_equation else None
        return None if left is None else _plus(left, 1, {None: -t.value})

    def sum_of(self, t: Term) -> Coefficients | None:
        """The sum that a term is congruent to; None if it is none of tracked places."""
        if t not in self._sums:
            for u in subterms(t):
                if u not in self._sums:
                    self._sums[u] = self._node(u)
        return self._sums[t]

    def _node(self, t: Term) -> Coefficients | None:
        match t.op:
            case Op.CONSTANT if t.sort is INT:
                return {None: t.value}
            case Op.SYMBOL | Op.SELECT if t.sort is INT and self._precision.equates(t):
                return {t: 1}
            case Op.LINEAR:
                result: Coefficients = {None: t.constant}
                for c, argument in zip(t.coefficients, t.args, strict=True):
                    part = self._sums[argument]
                    if part is None:
                        return None
                    result = _plus(result, c, part)
                return result
            case Op.ITE if t.sort is INT:
                a, b = self._sums[t.args[1]], self._sums[t.args[2]]
                return a if a is not None and b is not None and self._congruent(a, b) else None
        return None

    def _congruent(self, a: Coefficients, b: Coefficients) -> bool:
        return not Congruences(self._modulus).solved(_plus(a, -1, b))


def _indices(terms: Iterable[Term]) -> Iterator[Term]:
    return (t.args[1] for t in subterms(*terms) if t.is_select or t.is_store)


def _sharpened(zones: Iterable[Zone], excluded: Exclusions) -> list[Zone]:
    return [one for one in (sharpened(zone, excluded) for zone in zones) if one is not None] if excluded else [*zones]


def _scaled(sum_: Coefficients, factor: int) -> Coefficients:
    return {x: factor * c for x, c in sum_.items()}


def _plus(a: Coefficients, factor: int, b: Coefficients) -> Coefficients:
    result = dict(a)
    for x, c in b.items():
        result[x] = result.get(x, 0) + factor * c
    return result


def modulus_of(program: Program) -> int:
    """The least power of two by which values of the program wrap around."""
    modulus = _MODULUS
    for t in subterms(*program.terms()):
        if t.is_choice and t.sort is INT:
            distance = program.arena.subtract(t.args[1], t.args[2])
            if distance.is_constant:
                d = abs(distance.value)
                if SMALLEST_MODULUS <= d < modulus and d & (d - 1) == 0:
                    modulus = d
    return modulus
