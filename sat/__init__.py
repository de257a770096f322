"""Propositional satisfiability: incremental solving, cores over tagged clauses, refutations and their interpolants.

A reading path for interpolation: `proof_trace` (what the solver logs), `refutation` (a resolution proof of it),
`resolution` (the proof as a graph), `raising` (the proof rewritten for stronger interpolants), `interpolants`,
`circuit` (what they are). Importing this package loads no native library; making a solver does.
"""

from sat.circuit import Circuit, CircuitBuilder
from sat.cnf import GateEncoder
from sat.cores import Consistent, Core, Minimality, tagged_core
from sat.interpolants import interpolant, sequence_interpolants, symmetric_interpolants
from sat.proof_trace import Derived, derivation
from sat.raising import raised
from sat.refutation import ProofError, refute
from sat.resolution import Hypothesis, Proof, Resolution
from sat.solver import Answer, Clause, ConflictLimitReached, Satisfiable, SatSolver, Unsatisfiable

__all__ = [
    "Answer",
    "Circuit",
    "CircuitBuilder",
    "Clause",
    "ConflictLimitReached",
    "Consistent",
    "Core",
    "Derived",
    "GateEncoder",
    "Hypothesis",
    "Minimality",
    "Proof",
    "ProofError",
    "Resolution",
    "SatSolver",
    "Satisfiable",
    "Unsatisfiable",
    "derivation",
    "interpolant",
    "raised",
    "refute",
    "sequence_interpolants",
    "symmetric_interpolants",
    "tagged_core",
]
