"""Contracts in certificates: functions that are shown once, for every call, to keep what is claimed of them.

The proof rule is Hoare's for recursive procedures. For each contracted function `f` that is entered:

* where `f` is called, its precondition holds of the arguments and the globals (the step `Enter`); where `f` is the
  start function, it holds of every initial state;
* from its precondition, with snapshots taken of that moment and locals arbitrary, every path inside establishes the
  invariants, and the postcondition where `f` returns;
* behind a call, the caller knows the postcondition, of the arguments and globals as they were and of the globals as
  they are. Whatever else the callee may assign has lost its value; nothing else has changed (the step `Summary`).

So by induction over the length of executions, each activation satisfies its invariants with respect to the moment
when it was entered. *Required* for this: no function assigns the locals of another, and no formula speaks about a
variable that belongs to another activation: its name would mean something else in each.

Ghosts are globals: contracts speak about them, entering takes snapshots of those that the function may change, and
behind a call these have any values, of which the caller knows what is known where the callee returns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.certificate.walk import GhostRule
from core.program import Call
from core.program.expansion import At, Expansion, Step
from core.program.modular import ModularView, Summary, separated, snapshot_name
from core.program.semantics import Transition
from core.terms import Term
from core.verdict import Certificate, Contract, Fold


class ContractedView(ModularView):
    """The modular view in which the summaries of contracted functions are their postconditions."""

    def __init__(self, expansion: Expansion, contracts: Mapping[str, Contract]) -> None:
        super().__init__(expansion, contracts)
        self._contracts = contracts
        self._rules: Sequence[GhostRule] = ()
        self._assumed: dict[At, tuple[Step, ...]] = {}

    def add_ghosts(self, rules: Sequence[GhostRule]) -> None:
        """Make the ghosts of some rules globals. Before it is asked for steps."""
        self._rules = rules
        for rule in rules:
            changed_by = rule.changed_by
            for ghost in rule.symbols:
                self.add_global(ghost, changed_by)

    def steps(self, at: At) -> tuple[Step, ...]:
        """The steps that leave `at`; across a call, what is known where the callee returns is the guard."""
        found = self._assumed.get(at)
        if found is None:
            found = self._assumed[at] = tuple(map(self._assume, super().steps(at)))
        return found

    def _assume(self, step: Step) -> Step:
        if not isinstance(step, Summary):
            return step
        known = (formula for rule in self._rules for formula in rule.facts(self.exit(step.callee)))
        guard = step.instance(self.arena.and_(self._contracts[step.callee].post, *known))
        return replace(step, transition=Transition(self.arena, guard, step.transition.updates))


def claims(view: ModularView, certificate: Certificate) -> dict[At, Term]:
    """The claims at each location of the view: invariants, preconditions at entries, postconditions at exits."""
    found = dict(certificate.invariants)
    for name in view.contracted:
        contract = certificate.contracts[name]
        leave = view.exit(name)
        found[leave] = view.arena.and_(contract.post, found.get(leave, view.arena.true))
        found[view.entry(name)] = contract.pre
    return found


def wrong_contracts(view: ModularView, certificate: Certificate) -> str | None:
    """The defects of contracts, and of invariants beside them, found before any reasoning; None if there are none."""
    program = view.program
    unknown = [name for name in certificate.contracts if name not in program.functions]
    if unknown:
        return f"the program has no function {unknown[0]}"
    if any(snapshot_name(s.name) for s in (*program.variables, *program.inputs)):
        return "the program uses the name of a snapshot"
    mixed = separated(program)
    if mixed is not None:
        return mixed
    globals_ = frozenset(view.globals)
    for name in view.contracted:
        snapshots = frozenset(map(view.snapshot, view.snapshots_of(name)))
        parameters = frozenset(program.functions[name].parameters)
        if not certificate.contracts[name].pre.symbols() <= globals_ | parameters:
            return f"the precondition of {name} speaks about more than parameters and globals"
        if not certificate.contracts[name].post.symbols() <= globals_ | snapshots:
            return f"the postcondition of {name} speaks about more than globals and snapshots"
    for at, formula in certificate.invariants.items():
        visible = _visible(view, at)
        if visible is None:
            return "an invariant is given for a place that the modular view does not have"
        if not formula.symbols() <= visible:
            return f"an invariant of {program.locations[at.location].function} speaks about another activation"
    for fold in (ghost for ghost in certificate.ghosts if isinstance(ghost, Fold)):
        spoken = frozenset[Term]().union(*(part.symbols() for part in (fold.first, fold.step, fold.bound)))
        if not spoken <= (_visible(view, fold.at) or frozenset()) | {fold.result, fold.index}:
            return "the definition of a ghost array speaks about another activation"
    return None


def _visible(view: ModularView, at: At) -> frozenset[Term] | None:
    """The symbols that an invariant at `at` may have: globals, locals of the activations on the stack, and snapshots.

    None where no path of the view leads: the stack is not one of calls, each from the function of the one before, that
    are expanded.
    """
    program, expansion = view.program, view.expansion
    if not 0 <= at.location < len(program.locations):
        return None
    visible = set(view.globals)
    places = []
    for depth, number in enumerate(at.stack):
        if not 0 <= number < len(program.edges):
            return None
        places.append(At(at.stack[:depth], program.edges[number].source))
    places.append(at)
    for place in places:
        function = program.functions[program.locations[place.location].function]
        if place.stack and not _leads(view, place.stack[-1], function.name):
            return None
        rename = expansion.in_frame(place)
        visible.update(rename(x) for x in (*function.parameters, *function.locals))
    root = program.locations[places[0].location].function
    if root in view.contracted:
        visible.update(map(view.snapshot, view.snapshots_of(root)))
    elif root != program.start:
        return None
    return frozenset(visible)


def _leads(view: ModularView, edge: int, function: str) -> bool:
    operation = view.program.edges[edge].operation
    return isinstance(operation, Call) and operation.function == function and function not in view.contracted
