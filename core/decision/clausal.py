"""Clausal proofs: how formulas that a SAT solver has refuted contradict each other, by propagation.

Most contradict each other by unit propagation alone. It is done here, over clauses added where they may
matter: each subformula in the directions in which it is used (D. Plaisted, S. Greenbaum, "A structure-preserving clause
form translation", 1986), none below what is false already. Where that is not enough, a SAT solver is asked for a proof.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from core.decision.justification import Axiom, NumberedClause, Ordered, Propagated
from core.decision.kernel import Kernel
from core.terms import Term
from sat.proof_trace import derivation

_Given = tuple[Axiom | Ordered, NumberedClause]


class ClausalProofs:
    """Makes clausal proofs. Choices in atoms that are in `whole` stay there."""

    def __init__(self, kernel: Kernel, whole: Collection[Term]) -> None:
        self._kernel = kernel
        self._whole = whole
        self._numbers: dict[Term, int] = {}
        self.atoms: list[Term] = []  # by number, from 1
        self._consequences: dict[int, list[_Given]] = {}

    def proof(self, facts: Iterable[Term]) -> Propagated | None:
        """A proof that facts contradict each other; None without one."""
        propagation = _Propagation(self)
        for fact in facts:
            if not fact.is_true:
                literal = self.literal(fact)
                propagation.assume(literal, (Axiom(fact), (literal,)))
        conflict = propagation.run()
        return _from_solver(propagation.clauses) if conflict is None else propagation.explained(conflict)

    def consequences(self, literal: int) -> list[_Given]:
        """The clauses that say what follows from a literal."""
        if literal not in self._consequences:
            atom = self.atoms[abs(literal) - 1]
            found = self._consequences[literal] = []
            for i, parts in enumerate(self._kernel.definition(atom)):
                if not (atom in self._whole and _lifts(atom, parts)):
                    clause = tuple(map(self.literal, parts))
                    if -literal in clause:
                        found.append((Axiom(atom, i), clause))
        return self._consequences[literal]

    def literal(self, t: Term) -> int:
        atom = t.args[0] if t.is_negation else t
        number = self._numbers.get(atom)
        if number is None:
            self.atoms.append(atom)
            number = self._numbers[atom] = len(self.atoms)
        return number if atom is t else -number


class _Propagation:
    """Unit propagation over clauses that are added as they are reached."""

    def __init__(self, proofs: ClausalProofs) -> None:
        self._proofs = proofs
        self.clauses: list[_Given] = []
        self._reasons: dict[int, int] = {}  # true literal -> its clause, in the order of propagation
        self._new: list[int] = []  # of them, those whose consequences are to be drawn
        self._watched: dict[int, list[int]] = {}  # literal -> clauses to be looked at when it becomes false
        self._watches: dict[int, int] = {}  # clause -> the sum of its two watched literals
        self._waiting: deque[int] = deque()  # literals whose consequences are to be added
        self._queued: set[int] = set()  # literals that wait, or waited
        self._reached: set[int] = set()
        self._bounds: dict[Term, list[tuple[int, int]]] = {}  # sum -> its bounds and their literals, ascending

    def assume(self, literal: int, given: _Given) -> None:
        self._add(given)
        self._queue((literal,))

    def run(self) -> int | None:
        """The clause that becomes empty; None without one."""
        conflict = self._propagate()
        while conflict is None and self._waiting:
            literal = self._waiting.popleft()
            if -literal in self._reasons:
                continue
            self._reached.add(literal)
            more = self._ordered(literal) if -literal not in self._reached else []
            for given in (*self._proofs.consequences(literal), *more):
                conflict = self._add(given)
                if conflict is not None:
                    return conflict
                self._queue(given[1])
            conflict = self._propagate()
        return conflict

    def _queue(self, literals: NumberedClause) -> None:
        for literal in literals:
            if literal not in self._queued:
                self._queued.add(literal)
                self._waiting.append(literal)

    def _ordered(self, literal: int) -> list[_Given]:
        """The order of a bound among those of the same sum that were reached before."""
        atom = self._proofs.atoms[abs(literal) - 1]
        if not atom.is_bound:
            return []
        bounds = self._bounds.setdefault(atom.args[0], [])
        own = (atom.value, abs(literal))
        place = bisect_left(bounds, own)
        around = [*bounds[max(place - 1, 0) : place], own, *bounds[place : place + 1]]
        insort(bounds, own)
        atoms = self._proofs.atoms
        return [(Ordered(atoms[low - 1], atoms[high - 1]), (-low, high)) for (_, low), (_, high) in pairwise(around)]

    def _add(self, given: _Given) -> int | None:
        """Add a clause that is not satisfied already; returns its number if it is empty."""
        reasons = self._reasons
        if not reasons.keys().isdisjoint(given[1]):
            return None
        open_ = [n for n in given[1] if -n not in reasons]
        index = len(self.clauses)
        self.clauses.append(given)
        if not open_:
            return index
        if len(open_) == 1:
            self._assign(open_[0], index)
        else:
            self._watches[index] = open_[0] + open_[1]
            for n in open_[:2]:
                self._watched.setdefault(n, []).append(index)
        return None

    def _assign(self, literal: int, clause: int) -> None:
        self._reasons[literal] = clause
        self._new.append(literal)

    def _propagate(self) -> int | None:
        """Draw consequences; returns the number of a clause that is empty."""
        while self._new:
            false = -self._new.pop()
            for index in self._watched.pop(false, ()):
                clause = self.clauses[index][1]
                if not self._reasons.keys().isdisjoint(clause):
                    continue
                open_ = [n for n in clause if -n not in self._reasons]
                if not open_:
                    return index
                if len(open_) == 1:
                    self._assign(open_[0], index)
                else:
                    other = self._watches[index] - false
                    new = open_[0] if open_[0] != other else open_[1]
                    self._watches[index] = new + other
                    self._watched.setdefault(new, []).append(index)
        return None

    def explained(self, conflict: int) -> Propagated:
        """The proof that ends in a clause that is empty."""
        needed, stack = {conflict}, [conflict]
        while stack:
            for n in self.clauses[stack.pop()][1]:
                reason = self._reasons.get(-n)
                if reason is not None and reason not in needed:
                    needed.add(reason)
                    stack.append(reason)
        order = [number for number in self._reasons.values() if number in needed]
        given = tuple(self.clauses[number][0] for number in (*order, conflict))
        return Propagated(given, (((), tuple(range(len(given)))),))


def _from_solver(clauses: Sequence[_Given]) -> Propagated | None:
    """A proof of a SAT solver."""
    numbers: dict[int, int] = {}
    derived = derivation([_renumbered(clause, numbers) for _, clause in clauses])
    if not derived or derived[-1].clause:
        return None
    given = sorted({a for one in derived for a in one.antecedents if a >= 0})
    place = {a: i for i, a in enumerate(given)}
    own: dict[int, int] = {}  # the numbers that literals have in the proof
    for i in given:
        _renumbered(_renumbered(clauses[i][1], numbers), own)
    parts = tuple(
        (tuple(own[n] for n in one.clause), tuple(place[a] if a >= 0 else a for a in one.antecedents))
        for one in derived
    )
    return Propagated(tuple(clauses[i][0] for i in given), parts)


def _renumbered(clause: NumberedClause, numbers: dict[int, int]) -> NumberedClause:
    """A clause whose literals are counted as they occur."""
    for n in clause:
        if n not in numbers:
            numbers[abs(n)] = len(numbers) // 2 + 1
            numbers[-abs(n)] = -numbers[abs(n)]
    return tuple(map(numbers.__getitem__, clause))


def _lifts(atom: Term, clause: Iterable[Term]) -> bool:
    """Whether a clause says what an atom is with its choices outside."""
    others = (part.args[0] if part.is_negation else part for part in clause)
    return (atom.is_comparison or atom.is_select) and any(other is not atom and not other.is_bound for other in others)
