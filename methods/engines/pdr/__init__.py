"""The engine `pdr`: universal invariants of list programs."""

from methods.engine import EngineDescription

DESCRIPTION = EngineDescription(
    name="pdr",
    method="property-directed reachability with diagrams, for programs with lists on the heap",
    source='A. Karbyshev, N. Bjørner, S. Itzhaky, N. Rinetzky, S. Shoham, "Property-directed inference of universal '
    'invariants or proving their absence", CAV 2015',
    implementation="methods.engines.pdr.engine:PdrEngine",
    round="one frame",
    node="a proof obligation: the diagram of states at a loop head that lead to an error, as found in one frame",
    lemma="a universal clause that holds at a loop head in all frames up to its level",
    nouns=("frame", "proof obligation", "clause"),
    reasons_about_arrays=True,
    floats="floating-point operations are any functions to it",
)
