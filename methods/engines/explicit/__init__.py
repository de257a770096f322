"""The engine `explicit`: explicit values with counterexample-guided refinement, alone and with predicates."""

from methods.engine import EngineDescription
from methods.engines.explicit.options import ExplicitOptions

DESCRIPTION = EngineDescription(
    name="explicit",
    method="explicit values of refined variables, alone or with predicates",
    source='D. Beyer, S. Löwe, "Explicit-value analysis based on CEGAR and interpolation", 2012',
    implementation="methods.engines.explicit.engine:ExplicitEngine",
    options=ExplicitOptions,
    parts=("methods.engines.transition.engine:predicate_refinement",),
    round="one refinement, as of `transition`; values are refined first, then predicates; impossible paths that have "
    "met no error yet are refuted inside of a round",
    node="an abstract state at one location of the expansion: values of tracked places, with predicates those that "
    "hold of them",
    lemma="a tracked place (role `value`): a variable or an element of an array; with predicates also those of "
    "`transition`",
    steering="The engine tracks the variables of a predicate at the location, and the predicate itself.",
    floats="from floating-point arithmetic it learns only bounds and what the program compares",
)
