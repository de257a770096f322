"""Explicit values with counterexample-guided refinement, alone and with predicates."""

from core.engines.explicit.engine import ExplicitEngine, PredicateRefinement

__all__ = ["ExplicitEngine", "PredicateRefinement"]
