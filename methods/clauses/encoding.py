"""The clauses of a graph, and the certificate that a solution of them is.

One relation per location, over the variables that matter there; the exit of a contracted function is its summary. An
arc is a rule: the relation of its source, the summaries that it uses, and its transition imply the relation of its
target. Ranges of types, and the bounds that simplification rests on, are facts about every state.

Deviation: operators that Spacer does not have, on bits above all, are arbitrary values within the bounds that follow
from their arguments, unless asked otherwise. So a solution is one of the program, and a derivation may be spurious.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum

from core.analysis.intervals import Simplified
from core.dataclass import dataclass
from core.program.expansion import At
from core.program.modular import ModularView
from core.program.semantics import range_facts
from core.terms import Arena, Substitution, Term, literals
from core.verdict import Certificate, Contract
from methods.clauses.clause_graph import Arc, ArcGraph, Entries
from methods.clauses.relevance import relevant_variables
from methods.clauses.simplification import RuleSimplifier
from methods.discovery.horn import Application, HornSystem, Rule


class Wraps(Enum):
    """The encoding of a value that leaves its type and wraps around."""

    VALUES = "values"
    ERRORS = "errors"  # the rules are simpler, but a derivation may end in such an error


class Operators(Enum):
    """The encoding of operators that Spacer does not have."""

    APPROXIMATED = "approximated"
    KEPT = "kept"  # so that a derivation is one of the program


@dataclass(frozen=True)
class Encoding:
    """A Horn system and its meaning.

    `places[i]` is the location of relation i, `arcs[k]` the arc of rule k; None for one of no arc.
    """

    graph: ArcGraph
    system: HornSystem
    places: tuple[At, ...]
    arcs: tuple[Arc | None, ...]


def encode(
    view: ModularView,
    checks: Collection[int],
    entries: Entries,
    wraps: Wraps,
    operators: Operators,
    simplified: Simplified,
    tick: Callable[[], None],
) -> Encoding:
    """The clauses of a view of the simplified program; `tick` is called often, and may raise."""
    graph = ArcGraph(view, checks, entries, tick)
    relevant = relevant_variables(graph, tick)
    graph.compose(relevant, tick)
    return _Encoder(graph, relevant, simplified).encoding(wraps, operators)


class _Encoder:
    def __init__(self, graph: ArcGraph, relevant: Mapping[At, tuple[Term, ...]], simplified: Simplified) -> None:
        self._graph = graph
        self._relevant = relevant
        self._simplified = simplified
        self._arithmetic = RuleSimplifier(graph.arena, graph.range_of)
        ends = (at for arc in graph.arcs for at in (arc.source, arc.target, *self._exits(arc)))
        # Where all states are possible, what leaves has no premise; the start has one where paths lead back to it.
        start = graph.view.start
        self._begins = all(arc.target != start for arc in graph.arcs)
        self._free = graph.free | {start} if self._begins else graph.free
        places = dict.fromkeys(at for at in ends if not graph.is_error(at) and at not in self._free)
        self._numbers = {at: number for number, at in enumerate(places)}

    def _exits(self, arc: Arc) -> list[At]:
        return [self._graph.view.exit(use.callee) for use in arc.uses]

    def encoding(self, wraps: Wraps, operators: Operators) -> Encoding:
        arguments = tuple(self._relevant.get(at, ()) for at in self._numbers)
        rules: list[Rule] = []
        arcs: list[Arc | None] = []
        for arc in self._graph.arcs:
            rule, wrapped = self._arithmetic.decided(self._rule(arc)), None
            if wraps is Wraps.ERRORS:
                rule, wrapped = self._arithmetic.split(rule)
            rules.append(rule)
            arcs.append(arc)
            if wrapped is not None:
                rules.append(wrapped)
                arcs.append(None)
        if not self._begins:
            rules.append(self._initial())
            arcs.append(None)
        if operators is Operators.APPROXIMATED:
            rules = [self._arithmetic.approximated(rule) for rule in rules]
        system = HornSystem(arguments, tuple(rules))
        return Encoding(self._graph, system, tuple(self._numbers), tuple(arcs))

    def _initial(self) -> Rule:
        start = self._graph.view.start
        arguments = self._relevant.get(start, ())
        ranges = range_facts(self._graph.arena, arguments, self._graph.range_of)
        known = self._graph.arena.and_(self._facts(start, arguments), *ranges)
        return Rule((), known, self._applied(start, arguments))

    def _applied(self, at: At, values: tuple[Term, ...]) -> Application:
        return Application(self._numbers[at], values)

    def _rule(self, arc: Arc) -> Rule:
        graph, arena = self._graph, self._graph.arena
        arguments = self._relevant.get(arc.source, ())
        sources = [] if arc.source in self._free else [self._applied(arc.source, arguments)]
        uses = [self._applied(graph.view.exit(use.callee), graph.used(use)) for use in arc.uses]
        head = None
        if not graph.is_error(arc.target):
            updates = arc.transition.updates
            values = tuple(updates.get(x, x) for x in self._relevant.get(arc.target, ()))
            head = self._applied(arc.target, values)
        read = [arc.transition.guard, *(v for use in uses for v in use.values), *(head.values if head else ())]
        facts = range_facts(arena, [*arguments, *read], graph.range_of)
        known = tightest(arena, [*literals(self._facts(arc.source, arguments)), *facts])
        constraint = arena.and_(arc.transition.guard, *known)
        return Rule((*sources, *uses), constraint, head)

    def _facts(self, at: At, arguments: Sequence[Term]) -> Term:
        """The facts about every state at a location, over the variables `arguments`."""
        return self._simplified.visible_bounds(self._graph.view, at, arguments)


def tightest(arena: Arena, facts: Sequence[Term]) -> list[Term]:
    """Equivalent facts, with one lower and one upper bound at most of each term."""
    lows: dict[Term, int] = {}
    highs: dict[Term, int] = {}
    others: list[Term] = []
    for fact in (part for f in facts for part in literals(f)):
        atom = fact.args[0] if fact.is_negation else fact
        if not atom.is_bound:
            others.append(fact)
        elif fact is atom:
            highs[atom.args[0]] = min(atom.value, highs.get(atom.args[0], atom.value))
        else:
            lows[atom.args[0]] = max(atom.value + 1, lows.get(atom.args[0], atom.value + 1))
    bounds = [arena.le(arena.integer(low), t) for t, low in lows.items()]
    return [*bounds, *(arena.le(t, arena.integer(high)) for t, high in highs.items()), *others]


def certificate(encoding: Encoding, formulas: Sequence[Term], simplified: Simplified) -> Certificate:
    """The certificate that a solution is. Of locations without a relation, joins and loop heads are unconstrained."""
    return _Solution(encoding, formulas, simplified).certificate()


class _Solution:
    def __init__(self, encoding: Encoding, formulas: Sequence[Term], simplified: Simplified) -> None:
        self._graph = graph = encoding.graph
        self._view = graph.view
        self._arena: Arena = graph.arena
        self._simplified = simplified
        self._summarised = graph.summarised
        self._meaning = dict(zip(encoding.places, formulas, strict=True))

    def certificate(self) -> Certificate:
        graph, view = self._graph, self._view
        special = {*map(view.entry, view.contracted), *map(view.exit, view.contracted)}
        invariants: dict[At, Term] = {}
        for at in (*graph.visited, *graph.impossible):
            if at not in special and not graph.is_error(at) and self._is_stated(at):
                invariants[at] = self._invariant(at)
        contracts = {name: self._contract(name) for name in view.contracted}
        return Certificate(invariants, (), contracts)

    def _is_stated(self, at: At) -> bool:
        """Whether the check is to stop at a location; where it need not, it still knows the guards on the way there."""
        graph = self._graph
        if at in graph.composed:
            return False
        needed = at in graph.joins or at == graph.view.start or graph.view.is_loop_head(at)
        return needed or at in self._meaning or at not in graph.visited

    def _invariant(self, at: At) -> Term:
        if at not in self._graph.visited:
            return self._arena.false
        known = self._simplified.bounds_at(self._view, at)
        return self._arena.and_(self._meaning.get(at, self._arena.true), known, self._constant(at))

    def _constant(self, at: At) -> Term:
        """The equation of each parameter that its function does not assign with its value on entry."""
        root = self._view.root(at)
        if root not in self._view.contracted:
            return self._arena.true
        kept = self._summarised.constant(root)
        return self._arena.and_(*(self._arena.equals(p, self._view.snapshot(p)) for p in kept))

    def _contract(self, name: str) -> Contract:
        view, arena = self._view, self._arena
        entry, leave = view.entry(name), view.exit(name)
        globals_ = frozenset(view.globals)
        parameters = frozenset(view.program.functions[name].parameters)
        if entry not in self._graph.visited:
            return Contract(arena.false, arena.true)
        pre = self._within(entry, globals_ | parameters)
        renamed = Substitution(arena, {p: view.snapshot(p) for p in parameters})
        post = arena.and_(renamed(self._meaning.get(leave, arena.true)), self._bounds(leave, globals_))
        return Contract(pre, post)

    def _within(self, at: At, visible: frozenset[Term]) -> Term:
        return self._arena.and_(self._meaning.get(at, self._arena.true), self._bounds(at, visible))

    def _bounds(self, at: At, visible: Collection[Term]) -> Term:
        return self._simplified.visible_bounds(self._view, at, visible)
