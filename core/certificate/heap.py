"""The rule of ghost variables for lists on the heap: their updates along paths, and when they describe the heap.

Ghosts are `reaches` and `written` for each pointer field, `length` and `around` where a certificate has them, and
`allocated`: see `lists` for their first values and their updates, which are fixed. Hence nothing of how an engine reads
a heap is trusted.

The ghosts *describe the heap* where the formulas of `lists.structure` hold: reachability is a partial order, total on
what an address reaches, between allocated addresses; and it agrees with the pointers in memory where they were written,
as lengths do. Where there is `around`, some pointers are cut, and `around` agrees with these. That a statement keeps
this is proved once for each form of statement, over any memory (`HeapRule.lemmas`). It holds for stores of null or of
an allocated address that close no cycle, or that may: this is demanded at each store of each path. It holds for
allocations of addresses beyond all others. Behind a call of a contracted function it is known if it holds where the
function returns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from core.certificate.ghosts import Demand, ElementReading, GhostState, reads_elements_only
from core.certificate.lists import (
    StatementLemma,
    StoreUpdate,
    addresses,
    after_allocation,
    element_of,
    first_values,
    statement_lemmas,
    structure,
    without_pointers,
)
from core.certificate.walk import InductionPath
from core.program import MemoryLayout, Program
from core.program.expansion import At, Step
from core.program.modular import ModularView, Summary
from core.program.semantics import Transition
from core.terms import INT_ARRAY, Op, Substitution, Term, Treatment, literals
from core.verdict import RELATION, SET, GhostField, HeapGhosts

OTHER_OPERATORS = Treatment.EXACT

_CYCLE = "a store may close a cycle, or store what is no allocated address"


def wrong_heap(program: Program, ghosts: HeapGhosts, formulas: Collection[Term]) -> str | None:
    """The defect of ghosts, and of formulas about them, that is found before any reasoning; None if there is none."""
    memory = program.memory
    if memory is None:
        return "the program has no memory that ghost variables could follow"
    named = {ghosts.allocated: SET}
    for one in ghosts.fields:
        named[one.reaches], named[one.written] = RELATION, SET
        if one.length is not None:
            named[one.length] = INT_ARRAY
        if one.around is not None:
            named[one.around] = RELATION
        if one.array not in program.globals() or one.array.sort != INT_ARRAY:
            return "a ghost variable is about something that is no memory"
    if any(ghost.sort != sort for ghost, sort in named.items()):
        return "the ghost variables are not sets, relations and lengths"
    if not {memory.counter, *memory.fresh.symbols()} <= set(program.globals()):
        return "addresses of objects are made of something else than globals"
    return None if reads_elements_only(formulas, named) else "a ghost variable is used as a whole"


class HeapRule:
    """The rule of the ghosts for lists; implements `GhostRule`."""

    def __init__(self, view: ModularView, memory: MemoryLayout, ghosts: HeapGhosts) -> None:
        self._view, self._arena, self._memory, self._ghosts = view, view.arena, memory, ghosts
        self._structure = tuple(structure(view.arena, memory, ghosts))

    @property
    def symbols(self) -> tuple[Term, ...]:
        return self._ghosts.symbols

    @property
    def changed_by(self) -> frozenset[str]:
        """The functions whose calls may change the ghosts."""
        followed = {self._memory.counter, *(one.array for one in self._ghosts.fields)}
        return frozenset(name for name, changed in self._view.changed.items() if not followed.isdisjoint(changed))

    def lemmas(self) -> Iterator[StatementLemma]:
        """The claims that each form of statement keeps what describes the heap, over any memory."""
        fields = self._ghosts.fields
        with_lengths = any(one.length is not None for one in fields)
        for with_cycles in dict.fromkeys(one.around is not None for one in fields):
            yield from statement_lemmas(self._arena, with_lengths, with_cycles)

    def first(self) -> GhostState:
        return GhostState(first_values(self._arena, self._ghosts), is_described=False)

    def begin(self, at: At) -> GhostState:
        return GhostState(is_described=at in self._ghosts.structured)

    def facts(self, at: At) -> Sequence[Term]:
        return self._structure if at in self._ghosts.structured else ()

    def after(
        self, state: GhostState, path: InductionPath, step: Step, last: Transition, longer: InductionPath
    ) -> GhostState:
        if isinstance(step, Summary):
            return self._behind_call(state, step, last)
        state = self._with_stores(state, path, last, longer)
        return self._with_allocation(state, path, last, longer)

    def _behind_call(self, state: GhostState, step: Summary, last: Transition) -> GhostState:
        """The values after a call: any, if it may change the ghosts, as far as its contract says nothing."""
        if self._ghosts.allocated not in last.updates:
            return state
        return GhostState(is_described=self._view.exit(step.callee) in self._ghosts.structured)

    def _with_stores(
        self, state: GhostState, path: InductionPath, last: Transition, longer: InductionPath
    ) -> GhostState:
        """The updates for what a step writes to pointer fields."""
        for field in self._ghosts.fields:
            value = last.updates.get(field.array, field.array)
            stores: list[Term] = []
            while value.op is Op.STORE:
                stores.append(value)
                value = value.args[0]
            if value is not field.array:
                state = replace(state, values={**state.values, **without_pointers(self._arena, field)})
            for store in reversed(stores):
                p = self._arena.subtract(path.after(store.args[1]), self._arena.integer(field.offset))
                state = self._with_store(state, path, longer, field, p, path.after(store.args[2]))
        return state

    def _with_store(
        self, state: GhostState, path: InductionPath, longer: InductionPath, field: GhostField, p: Term, v: Term
    ) -> GhostState:
        now = self._now(state, path)
        allocated, may_cycle = now[self._ghosts.allocated], field.around is not None
        update = StoreUpdate(self._arena, now[field.reaches], allocated, p, v, may_cycle)
        demand = self._demand(longer, update.demand())
        values = {**state.values, **update.values(field, now)}
        return replace(state, values=values, demands=(*state.demands, demand))

    def _with_allocation(
        self, state: GhostState, path: InductionPath, last: Transition, longer: InductionPath
    ) -> GhostState:
        """The updates for a step that changes the allocation counter."""
        arena, counter, fresh = self._arena, self._memory.counter, self._memory.fresh
        value = last.updates.get(counter, counter)
        if value is counter:
            return state
        after = path.after(Substitution(arena, {counter: value})(fresh))
        if value.op is Op.CONSTANT:  # executions begin
            values = first_values(arena, self._ghosts)
            demand = self._demand(longer, arena.and_(*addresses(arena, after, values[self._ghosts.allocated])))
            return GhostState(values, demands=(demand,))
        new = path.after(fresh)
        values = {**state.values, **after_allocation(arena, self._ghosts, self._now(state, path), new)}
        demand = self._demand(longer, arena.lt(new, after))
        return replace(state, values=values, demands=(*state.demands, demand))

    def _now(self, state: GhostState, path: InductionPath) -> Mapping[Term, ElementReading]:
        """The readings of all ghosts."""
        updates = path.transition.updates
        terms = {ghost: element_of(self._arena, updates.get(ghost, ghost)) for ghost in self.symbols}
        return {**terms, **state.values}

    def _demand(self, longer: InductionPath, formula: Term) -> Demand:
        return Demand(literals(longer.transition.guard), formula, longer.ids, _CYCLE)
