"""Predicate abstraction with approximated transition relations."""

from methods.domains.predicate.abstraction import (
    Abstraction,
    ApproximateTransition,
    PredicateLiteral,
    TransitionClause,
    propositional_order,
)
from methods.domains.predicate.cartesian import CartesianPostcondition
from methods.domains.predicate.constraint import Constraint
from methods.domains.predicate.domain import PredicateDomain, PredicateScope
from methods.domains.predicate.stepsolver import STEP_EFFORT, StepSolver, StepSolvers
from methods.domains.predicate.weakening import weakened

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
