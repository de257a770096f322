"""Translation of outcomes about a program whose elements are variables to outcomes about the program itself.

A variable becomes the element for which it stands, and each invariant gets the bounds on which the indices of elements
rest (`core.analysis.scalars`). Paths and inputs are the same. A contract says of variables that its function does not
change that these elements stay as they are, although the function may change the array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.modular import ModularView
from core.terms import Term, literals
from core.verdict import Certificate, Contract, Fold, Gap, Ghost, Outcome, Safe, Unsafe

if TYPE_CHECKING:
    from core.analysis.scalars import ScalarView


class Translator:
    """Translates outcomes about `view` to outcomes about `program`; of one certificate it makes one."""

    def __init__(self, program: Program, view: ScalarView) -> None:
        self._program, self._view = program, view
        self._certificates: dict[Certificate, Certificate] = {}

    def outcomes(self, outcomes: Mapping[int, Outcome]) -> Mapping[int, Outcome]:
        if not self._view.elements:
            return outcomes
        return {check: self._outcome(outcome) for check, outcome in outcomes.items()}

    def _outcome(self, outcome: Outcome) -> Outcome:
        match outcome:
            case Safe(certificate):
                if certificate not in self._certificates:
                    self._certificates[certificate] = _Proof(self._program, self._view, certificate).translated()
                return Safe(self._certificates[certificate])
            case Unsafe():
                return replace(outcome, gaps=tuple(map(self._gap, outcome.gaps)))
            case _:
                return outcome

    def _gap(self, gap: Gap) -> Gap:
        """A gap without what is known of variables that the program does not have."""
        return Gap(gap.position, {x: value for x, value in gap.values.items() if x in self._program.variables})


class _Proof:
    def __init__(self, program: Program, view: ScalarView, certificate: Certificate) -> None:
        self._program, self._view, self._proof = program, view, certificate
        self._arena = program.arena
        self._modular = ModularView(Expansion(view.program, BlockEncoding.STATEMENTS), certificate.contracts)
        self._changed = ModularView(Expansion(program, BlockEncoding.STATEMENTS), certificate.contracts).changed

    def translated(self) -> Certificate:
        original, proof = self._view.original, self._proof
        return replace(
            proof,
            invariants={at: self._invariant(at, formula) for at, formula in proof.invariants.items()},
            lemmas=tuple(map(original, proof.lemmas)),
            contracts={name: self._contract(name, contract) for name, contract in proof.contracts.items()},
            ghosts=tuple(map(self._ghost, proof.ghosts)),
        )

    def _ghost(self, ghost: Ghost) -> Ghost:
        """A ghost whose definition speaks of variables."""
        if not isinstance(ghost, Fold):
            return ghost
        first, step, bound = map(self._view.original, (ghost.first, ghost.step, ghost.bound))
        return replace(ghost, first=first, step=step, bound=bound)

    def _invariant(self, at: At, formula: Term) -> Term:
        unchanged = self._unchanged(self._modular.root(at))
        return self._and(formula, self._view.bounds(self._modular, at), unchanged)

    def _contract(self, name: str, contract: Contract) -> Contract:
        parameters, globals_ = self._program.functions[name].parameters, self._program.globals()
        pre = self._and(contract.pre, self._bounds(self._modular.entry(name), frozenset({*globals_, *parameters})))
        post = self._and(
            contract.post, self._bounds(self._modular.exit(name), frozenset(globals_)), self._unchanged(name)
        )
        return Contract(pre, post)

    def _and(self, formula: Term, *facts: Term) -> Term:
        return formula if formula.is_false else self._arena.and_(self._view.original(formula), *facts)

    def _bounds(self, at: At, visible: frozenset[Term]) -> Term:
        known = literals(self._view.bounds(self._modular, at))
        return self._arena.and_(*(fact for fact in known if fact.symbols() <= visible))

    def _unchanged(self, function: str) -> Term:
        """The equation of each element that calls of a contracted function leave as it is, with what it was."""
        if function not in self._proof.contracts:
            return self._arena.true
        changed, seen = self._changed[function], self._modular.changed[function]
        return self._arena.and_(
            *(
                self._arena.equals(element, self._view.original(self._modular.snapshot(x)))
                for x, element in self._view.elements.items()
                if element.args[0] in changed and x not in seen
            )
        )
