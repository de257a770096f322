"""The engine `bmc`: bounded model checking with k-induction."""

from methods.engine import EngineDescription
from methods.engines.bmc.options import BmcOptions

DESCRIPTION = EngineDescription(
    name="bmc",
    method="bounded model checking with k-induction",
    source='A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without BDDs", TACAS 1999; '
    'D. Beyer, M. Dangl, P. Wendler, "Boosting k-induction with continuously-refined invariants", CAV 2015',
    implementation="methods.engines.bmc.engine:BmcEngine",
    options=BmcOptions,
    round="one bound of the search, and one more step of k-induction",
    node="none",
    lemma="an invariant that was kept: a candidate that executions suggest, or a weakest precondition",
    nouns=("bound", "abstract state", "invariant"),
    steering="The engine tries a predicate as an invariant.",
)
