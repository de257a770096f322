"""The engine `transition`: predicate abstraction whose transition relation is refined by interpolants."""

from methods.engine import EngineDescription
from methods.engines.transition.options import TransitionOptions

DESCRIPTION = EngineDescription(
    name="transition",
    method="predicate abstraction with interpolated transition relations",
    source='R. Jhala, K. L. McMillan, "Interpolant-based transition relation approximation", LMCS 3(4:1), 2007',
    implementation="methods.engines.transition.engine:TransitionEngine",
    options=TransitionOptions,
    round="one refinement: explore, find a path, refine",
    node="all abstract states at one location of the expansion (a BDD over predicates)",
    lemma="a predicate; a clause over V ∪ V' that a step implies (a transition interpolant); an axiom over V",
    steering="The engine uses a predicate wherever its variables mean something.",
    floats="from floating-point arithmetic it learns only bounds and what the program compares",
)
