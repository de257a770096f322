"""Predicate abstraction with approximated transition relations."""

from core.domains.predicate.abstraction import (
    Abstraction,
    ApproximateTransition,
    PredicateLiteral,
    TransitionClause,
    propositional_order,
)
from core.domains.predicate.cartesian import CartesianPostcondition
from core.domains.predicate.constraint import Constraint
from core.domains.predicate.domain import PredicateDomain, PredicateScope
from core.domains.predicate.stepsolver import STEP_EFFORT, StepSolver, StepSolvers
from core.domains.predicate.weakening import weakened

__all__ = [
    "STEP_EFFORT",
    "Abstraction",
    "ApproximateTransition",
    "CartesianPostcondition",
    "Constraint",
    "PredicateDomain",
    "PredicateLiteral",
    "PredicateScope",
    "StepSolver",
    "StepSolvers",
    "TransitionClause",
    "propositional_order",
    "weakened",
]
