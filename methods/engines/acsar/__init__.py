"""The engine `acsar`: universally quantified properties of arrays of any size."""

from methods.engine import EngineDescription
from methods.engines.acsar.options import AcsarOptions

DESCRIPTION = EngineDescription(
    name="acsar",
    method="quantified invariants over cells of arrays",
    source='M. N. Seghir, A. Podelski, T. Wies, "Abstraction refinement for quantified array assertions", SAS 2009',
    implementation="methods.engines.acsar.engine:AcsarEngine",
    options=AcsarOptions,
    round="one set of candidates: rows and columns of arrays of two dimensions, elements at one index, what loops make "
    "of beginnings of arrays, then pairs of elements; after them, one exploration back from the errors with the "
    "predicates of the last impossible path",
    node="a relation of the clauses with its meaning: what holds at one loop head or join, for all indices",
    lemma="a conjunct of that meaning, of arrays what holds of the elements at an index k; or a predicate of an "
    "impossible path",
    nouns=("round", "relation", "conjunct"),
    reasons_about_arrays=True,
    floats="none of its candidates is about floating-point arithmetic",
)
