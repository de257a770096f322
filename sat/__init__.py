"""Propositional satisfiability: incremental solving with assumptions and cores, and cores over tagged clauses.

Importing this package loads no native library; making a solver does.
"""

from sat.cores import Consistent, Core, Minimality, tagged_core
from sat.solver import Answer, Clause, Sat, Solver, Undecided, Unsat

__all__ = [
    "Answer",
    "Clause",
    "Consistent",
    "Core",
    "Minimality",
    "Sat",
    "Solver",
    "Undecided",
    "Unsat",
    "tagged_core",
]
