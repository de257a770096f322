"""Explicit-value analysis with counterexample-guided refinement, alone and with predicates.

D. Beyer, S. Löwe, "Explicit-Value Analysis Based on CEGAR and Interpolation", Technical Report MIP-1205, 2012. What is
marked with an asterisk is of D. Beyer, S. Löwe, P. Wendler: "Sliced path prefixes", FORTE 2015; "Refinement selection",
SPIN 2015.

| here | paper |
| --- | --- |
| `core.program.expansion` | control-flow automata, steps: section II-A |
| `methods.domains.contract`, `ReachabilityGraph.explore` | program analysis, algorithm 1: sections II-B, II-F |
| `methods.domains.explicit` | abstract variable assignments, their strongest postconditions: sections II-C, III-A |
| `methods.domains.explicit.precision` | precisions, by location, path, or scope: III-A, III-B, III-F (`precision=`) |
| `methods.domains.predicate`, engine `transition` | predicate analysis, its refinement: section II-D |
| `methods.refinement.loop` | algorithm 2, lazily: sections II-E, II-G, III-B |
| `interpolation` | algorithms 3 and 4: sections III-C to III-E; infeasible sliced prefixes* |
| `ReachabilityGraph.prune` | pruning instead of restart: section III-F |
| `methods.paths.pathformula`, `PathCheck` | the precise check, of every path, by its formula: section III-F |
| `refiner` | the choice between explicit values, predicates and the precise check: section III-F; among prefixes* |
| `methods.domains.composite` | the combination with predicates: section III-F |
| `adjustment`, `methods.domains.explicit.domain` | what leaves the explicit precision: sections II-D, III-F |
| `options` | the configurations of section IV; predicates alone are `transition`; `selection=`* |
| `docs/measured.md` | tables I to III, with the programs of these kinds that are at hand, and a shorter limit |

Not there: adjustable large blocks for the predicates (the paper's abstract at loop heads and function calls: values and
predicates take the same steps here, basic blocks, which is faster than large ones for both); the sets of tables I to
III themselves (their device drivers are not at hand); selection by the width of interpolants, or by the pivot*.

Deviations: states forget variables that are dead; what was reached last is explored first.
A refinement tracks what the latest contradiction of the path needs, and what earlier ones need where that has finitely
many values anyway (`finite`): that saves refinements. (`selection=simplest` tracks only these, or else the one with the
fewest values; predicates are refined instead where its values change in a loop, for which domain types score worst*.)
Where exploration meets no error for long, the newest path on the way is refined as well, if explicit values contradict
it: a coarse precision can make up far more states than the program has. A path that the path formula refutes, but
explicit values do not, is set aside where there are no predicates; the check is then `unknown` unless another path is
feasible.
Predicates are those of the engine `transition`, without its seeds: they start from nothing. They see each step with the
known values in it (`methods.domains.explicit.specialisation`), so that they speak of what is not known. Variables with
finitely many values never leave the explicit precision because of their number. But where refinement chooses values,
any variables leave it that together make too many states at one location, as flags do that change independently of
each other: predicates then begin with what guards compare them with, and all is explored again, loop by loop. So it is
where predicates take many refinements.

Limitations, by weight: without predicates, loops are unrolled and unknown values are not related; arrays of thousands
of cells are copied at every write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis.intervals import simplify
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.verdict import Certificate, Outcome, Safe
from methods.discovery.invariants import inductive_invariants
from methods.domains.explicit import Precision, union
from methods.domains.explicit.defaults import ReadCells
from methods.engine import Context, Supported
from methods.engines.explicit.analysis import CombinedAnalysis, ExplicitAnalysis, PredicateRefinement, ValueAnalysis
from methods.engines.explicit.options import ExplicitConfiguration, ExplicitOptions
from methods.options import read_options


class ExplicitEngine:
    """The engine `explicit`; implements `Engine`.

    `predicates` refines the predicates of the configurations that have them.
    """

    name = "explicit"

    def __init__(self, predicates: PredicateRefinement) -> None:
        self._predicates = predicates

    def supports(self, program: Program) -> Supported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        options = read_options(ExplicitOptions, context.options)
        simplified = simplify(program)
        expansion = Expansion(simplified.program, BlockEncoding.BASIC)
        analysis = self._analysis(options, expansion, context)
        outcomes = analysis.decide(checks)
        if len(outcomes) < len(checks):
            lemmas = analysis.lemmas()
            reached = analysis.reached()
            cells = ReadCells(expansion, {at: [values for values, _ in parts] for at, parts in reached.items()})
            states = {
                at: union(program.arena, [(cells.of(values), rest) for values, rest in parts])
                for at, parts in reached.items()
            }
            certificate = Certificate(inductive_invariants(expansion, simplified, states), lemmas)
            outcomes.update((check, Safe(certificate)) for check in checks if check not in outcomes)
        return outcomes

    def _analysis(self, options: ExplicitOptions, expansion: Expansion, context: Context) -> ExplicitAnalysis:
        chosen = options.configuration
        plain = chosen in (ExplicitConfiguration.PLAIN, ExplicitConfiguration.PLAIN_PREDICATES)
        precision = Precision(expansion, None if plain else options.precision)
        match chosen:
            case ExplicitConfiguration.PLAIN | ExplicitConfiguration.EXPLICIT:
                return ValueAnalysis(expansion, precision, context, options.selection)
            case ExplicitConfiguration.PLAIN_PREDICATES | ExplicitConfiguration.PREDICATES:
                return CombinedAnalysis(expansion, precision, context, options.selection, self._predicates)
