"""The main engine: predicate abstraction whose transition relation is refined by interpolants."""

from core.engines.transition.engine import TransitionEngine, predicate_refinement

__all__ = ["TransitionEngine", "predicate_refinement"]
