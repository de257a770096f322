"""Predicate abstraction whose transition relation is refined by interpolants.

R. Jhala and K. L. McMillan, "Interpolant-based transition relation approximation", LMCS 3(4:1), 2007.

| here | paper |
| --- | --- |
| `core.program.semantics`, `core.program.expansion` | transitions, preconditions: section 3; programs: section 6.1 |
| `methods.paths.pathformula` | bounded model checking, of one path: sections 3.1 and 6.1 |
| `sat.refutation`, `sat.interpolants` | interpolants of a resolution proof, symmetric ones: section 3.2 |
| `TransitionEngine.run`, `methods.refinement` | the loop of figure 1 |
| `layers`, `refiner` (`paths=all`) | section 4: all paths of k steps at once; why that ends for finite systems |
| `refiner` (`paths=one`) | section 6.1: path by path |
| `abstractpath`, `oracle` | the refutation of abstract paths, and its theory lemmas, each from one step: section 4 |
| `abstractformula`, `proofs` | the same by resolution proofs, sections 4 and 6.2: `interpolants=resolution` |
| `sat.raising` | strong interpolants: section 7, figures 3 to 6 |
| `methods.domains.predicate`, `bdd` | abstract program, T̂ of an operation, images: sections 5 and 6.1 |
| `methods.domains.predicate.abstraction` | p' as the weakest precondition of p: section 6.2 |
| `methods.domains.predicate.cartesian` | the hybrid image of section 6.3: `image=hybrid` |
| `refiner` (`refinement=das-dill`) | the method of Das and Dill that section 8 compares with |
| `methods.discovery` | new predicates, where the paper has those of Henzinger et al. (POPL 2004): section 8 |
| `benchmarks.transition` | figures 7 to 9, with programs of our own; figure 7 where refinements are expensive |

Not there: liveness (section 9); an interpolating prover for functions and linear arithmetic (section 3.2), which is not
needed, since all atoms are private to a step; the choice of the heavier branch in `Raise` (section 7, which does
not make it either); transition systems other than programs as input.

Deviations. *Core-based interpolants*: a propositional solver sees only the predicates; each valuation of the path
that it finds is examined step by step, and the minimal core of an impossible step is a clause over V ∪ V' that joins
T̂ of that step. This is the fully raised proof of figure 6: every theory lemma belongs to one step, the interpolant
of a step is the conjunction of its lemmas, and always in conjunctive normal form. *All* learned lemmas are kept, not
only those of the final proof. *Seeds*: comparisons of guards with constants, and the values of variables in guards that
are assigned a constant once, are predicates from the beginning. *Pruning*: only
what depends on the refuted path from the first changed step on is explored again. *Predicates* come from Spacer's
invariants and sequence interpolants of the path, from what its loops keep (acceleration, bounds of what they add up,
ends of constant tables, equations of sampled executions), and from weakest preconditions of the path's slice. *Hybrid
image*: the Cartesian postcondition is asked for predicates that T̂ leaves open, the others are known; the result is
that of the paper.
*Exactly k*: the bounded model checking formula of all paths is decided lazily, path by path, where T̂ admits them.

Limitations, by weight: recursion is unfolded, so recursion of unbounded depth is not proved; predicates are atoms
without quantifiers, so properties of whole arrays are not proved; a violation behind thousands of rounds of a loop is
not reached, as paths get longer by one round in a refinement; non-linear arithmetic is left to the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from bdd import Bdd, best_manager
from core.analysis.intervals import simplify
from core.parameters import parameter
from core.program import Program
from core.program.expansion import At, Expansion
from core.terms import Term
from core.verdict import Certificate, Outcome, Safe
from methods.discovery.invariants import inductive_invariants
from methods.discovery.seeds import seed_predicates
from methods.domains.options import Seeding
from methods.domains.predicate import Abstraction, CartesianPostcondition, PredicateDomain, weakened
from methods.engine import Context, Supported
from methods.engines.transition.options import ImageMethod, TransitionOptions
from methods.engines.transition.refiner import TransitionRefiner
from methods.options import read_options
from methods.refinement.loop import refine_until_decided
from methods.refinement.reachability_graph import ReachabilityGraph

LARGE = parameter("transition.engine.large")


class TransitionEngine:
    """The engine `transition`; implements `Engine`."""

    name = "transition"

    def supports(self, program: Program) -> Supported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        options = read_options(TransitionOptions, context.options)
        simplified = simplify(program)
        expansion = Expansion(simplified.program, options.blocks)
        abstraction = Abstraction(program.arena, best_manager(), options.seeding)
        refiner = TransitionRefiner(expansion, abstraction, context, options, count())
        try:
            if options.seeding is Seeding.EAGER:
                refiner.seed(seed_predicates(expansion))
            domain = _domain(expansion, abstraction, context, options)
            graph = ReachabilityGraph(expansion, domain, abstraction, context)
            outcomes = refine_until_decided(graph, refiner, checks, context)
        finally:
            refiner.close()
        if len(outcomes) < len(checks):
            undecided = [check for check in checks if check not in outcomes]
            found = _proving(expansion, domain, abstraction, graph, undecided, context)
            invariants = inductive_invariants(expansion, simplified, found)
            safe = Safe(Certificate(invariants, tuple(refiner.lemmas())))
            outcomes.update((check, safe) for check in undecided)
        return outcomes


def _proving(
    expansion: Expansion,
    domain: PredicateDomain,
    abstraction: Abstraction,
    graph: ReachabilityGraph[Bdd, Abstraction],
    checks: Sequence[int],
    context: Context,
) -> Mapping[At, Term]:
    """The formulas of the reached states; where these are large, weaker ones that still prove `checks` (ids)."""
    m, conjunction = abstraction.manager, expansion.arena.and_
    reached = {at: m.disjoin(*states) for at, states in graph.states().items()}
    if max(map(m.size, reached.values())) <= LARGE:
        return graph.invariants()
    required = weakened(expansion, domain, abstraction, reached, checks, context.limits)
    return {at: conjunction(*map(domain.formula, parts)) for at, parts in required.items()}


def _domain(
    expansion: Expansion, abstraction: Abstraction, context: Context, options: TransitionOptions
) -> PredicateDomain:
    match options.image:
        case ImageMethod.RELATION:
            return PredicateDomain(expansion, abstraction)
        case ImageMethod.HYBRID:
            cartesian = CartesianPostcondition(expansion, abstraction, context.solver)
            return PredicateDomain(expansion, abstraction, cartesian)


def predicate_refinement(
    expansion: Expansion, abstraction: Abstraction, context: Context, numbers: Iterator[int]
) -> TransitionRefiner:
    """The refinement of this engine as a part of others, with its default options; `numbers` are those of lemmas."""
    return TransitionRefiner(expansion, abstraction, context, TransitionOptions(), numbers)
