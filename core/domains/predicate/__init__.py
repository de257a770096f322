"""Predicate abstraction with approximated transition relations."""

from core.domains.predicate.abstraction import Abstraction, Clause, Literal, Operation, propositional_order
from core.domains.predicate.cartesian import CartesianPostcondition
from core.domains.predicate.constraint import Constraint
from core.domains.predicate.domain import PredicateDomain, Scope
from core.domains.predicate.stepsolver import STEP_EFFORT, StepSolver, StepSolvers
from core.domains.predicate.weakening import weakened

__all__ = [
    "STEP_EFFORT",
    "Abstraction",
    "CartesianPostcondition",
    "Clause",
    "Constraint",
    "Literal",
    "Operation",
    "PredicateDomain",
    "Scope",
    "StepSolver",
    "StepSolvers",
    "propositional_order",
    "weakened",
]
