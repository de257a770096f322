"""The symbols of a certificate: those of the program's states, and those that it brings along itself.

A certificate brings ghost variables, and what its quantifiers bind. The check gives names to more: copies of locals in
later activations, snapshots, values at places of paths. If a symbol of the certificate were one of these, what is
shown of all its values, or of a ghost, would be assumed of a variable. So the names of what a certificate brings begin
with `PROOF_SIGN` (`Arena.proof_symbol`), as none of a program does, and all copies have longer names than what they
are copies of. Nothing else is left for formulas to speak about than variables, and their copies in activations.

*Required*: all of this holds, for each kind of certificate, before anything else is examined.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.certificate.results import Rejected
from core.program import Program
from core.program.expansion import At
from core.program.modular import mentioned, snapshot_name
from core.terms import PROOF_SIGN, Op, Term, Treatment, subterms
from core.verdict import Certificate, Fold

OTHER_OPERATORS = Treatment.EXACT


def wrong_symbols(program: Program, certificate: Certificate) -> Rejected | None:
    """The first symbol of a certificate that is not what its place in it says."""
    own = tuple(symbol for ghost in certificate.ghosts for symbol in ghost.symbols)
    bound = frozenset(_bound(certificate))
    for symbol in (*own, *bound):
        if symbol.op is not Op.SYMBOL or not symbol.name.startswith(PROOF_SIGN):
            return Rejected(None, f"the proof brings along {symbol!r}, which a program could have")
    taken = next((s for s in (*program.variables, *program.inputs) if s.name.startswith(PROOF_SIGN)), None)
    if taken is not None:
        return Rejected(None, f"the program has {taken.name}, which a proof could bring along")
    if len(set(own)) < len(own) or not bound.isdisjoint(own):
        return Rejected(None, "the ghost variables are not different ones")
    if any(not mentioned(edge).isdisjoint(own) for edge in program.edges if own):
        return Rejected(None, "the program speaks about a ghost variable")
    if certificate.contracts:
        copied = next((s for s in (*own, *bound) if snapshot_name(s.name)), None)
        if copied is not None:
            return Rejected(None, f"the proof brings along {copied.name}, the name of a snapshot")
        return None  # which symbols an activation sees is told by `wrong_contracts`
    states = _States(program, own)
    for at, formula in _claims(certificate):
        foreign = next((s for s in formula.symbols() if not states.have(s)), None)
        if foreign is not None:
            return Rejected(at, f"the proof speaks about {foreign.name}, which is no variable")
    return None


class _States:
    """The symbols whose values a state has."""

    def __init__(self, program: Program, ghosts: Collection[Term]) -> None:
        self._variables, self._ghosts = program.variables, frozenset(ghosts)
        self._locals = {x.name: x for x in program.locals()}

    def have(self, symbol: Term) -> bool:
        """Whether this is a variable, the copy of a local in a later activation, or a ghost."""
        if symbol in self._variables or symbol in self._ghosts:
            return True
        name, _, frame = symbol.name.rpartition("#")
        copied = self._locals.get(name)
        return copied is not None and copied.sort == symbol.sort and frame.isdecimal()


def _claims(certificate: Certificate) -> Iterator[tuple[At | None, Term]]:
    yield from certificate.invariants.items()
    for contract in certificate.contracts.values():
        yield from ((None, formula) for formula in (contract.pre, contract.post))
    for fold in (ghost for ghost in certificate.ghosts if isinstance(ghost, Fold)):
        yield from ((None, part) for part in (fold.first, fold.step, fold.bound))


def _bound(certificate: Certificate) -> Iterator[Term]:
    """The symbols that quantifiers bind, wherever they stand."""
    formulas = (*(formula for _, formula in _claims(certificate)), *certificate.lemmas)
    yield from (s for t in subterms(*formulas) if t.op is Op.FORALL for s in t.bound)
