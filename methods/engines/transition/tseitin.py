"""Encoding of Boolean combinations of atoms as clauses (Tseitin)."""

from __future__ import annotations

from collections.abc import Mapping

from core.terms import Op, Term, Treatment
from methods.domains.predicate import propositional_order
from sat.cnf import GateEncoder

OTHER_OPERATORS = Treatment.OPAQUE


def encoded(formula: Term, names: Mapping[Term, int], gates: GateEncoder) -> int:
    """The literal of a formula over atoms; `names` has the variable of each."""
    literal = dict(names)
    for t in propositional_order(formula, names):
        if t not in literal:
            literal[t] = gates.constant(t.is_true) if t.is_constant else _gate(t, [literal[a] for a in t.args], gates)
    return literal[formula]


def _gate(t: Term, args: list[int], gates: GateEncoder) -> int:
    match t.op:
        case Op.NOT:
            return -args[0]
        case Op.AND:
            return gates.conjunction(args)
        case Op.OR:
            return gates.disjunction(args)
        case Op.IFF:
            return gates.equivalence(*args)
        case _:
            return gates.choice(*args)
