"""Predicate abstraction with approximated transition relations."""

from core.domains.predicate.abstraction import Abstraction, Clause, Literal, Operation, propositional_order
from core.domains.predicate.domain import PredicateDomain, Scope

__all__ = ["Abstraction", "Clause", "Literal", "Operation", "PredicateDomain", "Scope", "propositional_order"]
