"""Bugs put into the checker on purpose. Each is a small change that somebody could make; a `Bug` says who must notice.

A bug is *noticed* by a program if the verdict on it is no longer the right one: a wrong verdict, or evidence that is
not accepted. Bugs in the code that examines evidence cannot be seen that way, since nothing stands behind that code:
they are noticed by a property of it (`evidence`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import pytest

import core.analysis.intervals as intervals
import core.program.modular as modular
import methods.domains.predicate.abstraction as abstraction
from bdd import Bdd, Relation
from core.analysis.bound_pairs import BoundPair
from core.certificate import check as certificate_check
from core.certificate import contracts
from core.certificate.contracts import ContractedView
from core.certificate.induction import InductionCheck
from core.decision.proof_search import Found, Search
from core.decision.prover import Proved, Prover, Reading
from core.program import InputKind
from core.program.expansion import At, Expansion, Step
from core.program.modular import ModularView, Summary
from core.program.semantics import StaticSingleAssignment, Transition
from core.program.span import Span
from core.terms import Arena, Substitution, Term, literals
from core.verdict import Certificate, Confirmer, InputValue
from frontend.interpreter import Inputs
from frontend.interpreter.machine import Machine
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm
from frontend.lowering.checks.edges import Checks
from frontend.lowering.checks.object_states import Lives
from frontend.lowering.effects import Order
from frontend.lowering.expressions import ExpressionLowering
from frontend.lowering.statements import FunctionLowering
from frontend.replay.results import Reproduced
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Integer
from methods.domains.predicate import (
    Abstraction,
    ApproximateTransition,
    PredicateDomain,
    PredicateScope,
    TransitionClause,
)
from methods.engines.transition.oracle import StepOracle

Patch = Callable[[pytest.MonkeyPatch], None]


def _always(value: object) -> Callable[..., object]:
    """A function that ignores its arguments."""
    return lambda *_: value


@dataclass(frozen=True)
class Bug:
    """A bug. `noticed_by` names programs of the suite, or properties of `evidence`."""

    patch: Patch
    noticed_by: tuple[str, ...]


# Lowering


def wrapping_is_left_out(patch: pytest.MonkeyPatch) -> None:
    def settle(self: Arithmetic, value: BoundedTerm, type_: Integer) -> BoundedTerm:
        return BoundedTerm(self.number(value), max(value.low, type_.minimum), min(value.high, type_.maximum))

    patch.setattr(Arithmetic, "settle", settle)


def unsigned_is_treated_as_signed(patch: pytest.MonkeyPatch) -> None:
    original = Arithmetic.settle

    def settle(self: Arithmetic, value: BoundedTerm, type_: Integer) -> BoundedTerm:
        return original(self, value, replace(type_, signed=True) if type_.bits == 32 else type_)

    patch.setattr(Arithmetic, "settle", settle)


def operands_are_not_promoted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DataModel, "promote", lambda _, type_, *__: type_)


def switch_does_not_fall_through(patch: pytest.MonkeyPatch) -> None:
    original = FunctionLowering.statement

    def statement(self: FunctionLowering, s: tree.Statement) -> None:
        if isinstance(s, tree.Case | tree.Default):
            self.cursor.jump(self._targets.breaks[-1][0])
            self.cursor.at = self.cursor.location()
        original(self, s)

    patch.setattr(FunctionLowering, "statement", statement)


def short_circuit_evaluates_both(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Order, "steps_inside", _always(False))


def division_rounds_down(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Arithmetic, "_toward_zero", lambda _, __, operation, a, b: operation(a, b))


def postfix_gives_the_new_value(patch: pytest.MonkeyPatch) -> None:
    original = ExpressionLowering._incremented

    def incremented(self: ExpressionLowering, e: tree.Increment) -> BoundedTerm:
        return original(self, replace(e, position=tree.Position.PREFIX))

    patch.setattr(ExpressionLowering, "_incremented", incremented)


def division_by_zero_goes_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Checks, "defined", lambda _, __, right, *___: right)


# Checks of undefined behaviour


def least_numbers_are_negated(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Checks, "negated", lambda self, value, type_, _: self._exact.negate(value, type_))


def accesses_are_of_one_byte(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Checks, "_extent", _always(1))


def what_is_released_stays_alive(patch: pytest.MonkeyPatch) -> None:
    original = Lives.released

    def released(self: Lives, address: Term) -> list[tuple[Term, Term]]:
        return [(x, value) for x, value in original(self, address) if x is not self.sizes]

    patch.setattr(Lives, "released", released)


def what_is_released_can_be_released(patch: pytest.MonkeyPatch) -> None:
    original = Lives.released

    def released(self: Lives, address: Term) -> list[tuple[Term, Term]]:
        return [(x, value) for x, value in original(self, address) if x is not self.releasable]

    patch.setattr(Lives, "released", released)


def allocations_are_not_counted(patch: pytest.MonkeyPatch) -> None:
    original = Lives.allocated

    def allocated(self: Lives, block: Term, size: Term) -> list[tuple[Term, Term]]:
        return [(x, value) for x, value in original(self, block, size) if x is not self.count]

    patch.setattr(Lives, "allocated", allocated)


# Transitions and paths


def later_values_are_not_composed(patch: pytest.MonkeyPatch) -> None:
    def then(self: Transition, second: Transition) -> Transition:
        guard = self.arena.and_(self.guard, self.after(second.guard))
        return Transition(self.arena, guard, {**self.updates, **second.updates})

    patch.setattr(Transition, "then", then)


def substitution_is_sequential(patch: pytest.MonkeyPatch) -> None:
    original = Substitution.__init__

    def init(self: Substitution, arena: Arena, replacements: Mapping[Term, Term]) -> None:
        done: dict[Term, Term] = {}
        for x, value in replacements.items():
            done[x] = one_at_a_time(Substitution.__new__(Substitution), arena, done, value)
        original(self, arena, done)

    def one_at_a_time(inner: Substitution, arena: Arena, done: Mapping[Term, Term], value: Term) -> Term:
        original(inner, arena, done)
        return inner(value)

    patch.setattr(Substitution, "__init__", init)


def path_formula_lacks_guards(patch: pytest.MonkeyPatch) -> None:
    original = StaticSingleAssignment.step

    def step(self: StaticSingleAssignment, t: Transition, is_input: Callable[[Term], bool]) -> tuple[Term, ...]:
        guards = len(list(literals(t.guard)))
        return (self.arena.true,) * guards + original(self, t, is_input)[guards:]

    patch.setattr(StaticSingleAssignment, "step", step)


def activations_share_their_locals(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Expansion, "frame", _always(0))


# Images and the abstract transition relation


def affected_predicates_keep_their_frame(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ApproximateTransition, "relation", lambda _, manager: Relation.make(manager, ()))


def old_values_survive_the_image(patch: pytest.MonkeyPatch) -> None:
    """The quantification is left out: the image is still restricted by the states before it."""
    original = PredicateDomain.successors

    def successors(self: PredicateDomain, state: Bdd, step: Step, precision: Abstraction) -> Iterable[Bdd]:
        for image in original(self, state, step, precision):
            both = self._manager.conjoin(image, state)
            if not self._manager.is_false(both):
                yield both

    patch.setattr(PredicateDomain, "successors", successors)


def clauses_have_a_wrong_sign(patch: pytest.MonkeyPatch) -> None:
    original = StepOracle.impossible

    def impossible(
        self: StepOracle, op: ApproximateTransition, before: Mapping[int, bool], after: Mapping[int, bool]
    ) -> TransitionClause | None:
        clause = original(self, op, before, after)
        if clause is None:
            return None
        return TransitionClause(tuple((p, primed, sign != primed) for p, primed, sign in clause.literals))

    patch.setattr(StepOracle, "impossible", impossible)


def order_axioms_are_wrong(patch: pytest.MonkeyPatch) -> None:
    original = abstraction._order_axioms

    def axioms(predicates: Sequence[Term], p: int, q: int) -> Iterator[tuple[tuple[int, bool], ...]]:
        for clause in original(predicates, p, q):
            yield tuple((predicate, False) for predicate, _ in clause)

    patch.setattr(abstraction, "_order_axioms", axioms)


def everything_counts_as_covered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PredicateDomain, "covered", lambda _, __, reached: bool(reached))


def intervals_decide_too_much(patch: pytest.MonkeyPatch) -> None:
    original = intervals._truth

    def truth(atom: Term, value: BoundPair) -> bool | None:
        low, high = value
        return original(atom, (low, None if high is None else high - 1))

    patch.setattr(intervals, "_truth", truth)


# The examination of evidence


def an_edge_is_skipped(patch: pytest.MonkeyPatch) -> None:
    original = Expansion.steps
    patch.setattr(Expansion, "steps", lambda self, at: original(self, at)[:1])


def errors_are_not_excluded(patch: pytest.MonkeyPatch) -> None:
    def required(self: InductionCheck, at: At) -> Term:
        return self._invariants.get(at, self._view.arena.true)

    patch.setattr(InductionCheck, "_required", required)


def all_proofs_count_as_repeated(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Prover, "repeated", lambda _, groups: [frozenset(group) for group in groups])


def lemmas_count_as_bit_precise(patch: pytest.MonkeyPatch) -> None:
    original = Search._add

    def add(self: Search, lemma: Term, found: Found) -> bool:
        parts = tuple(replace(part, reading=Reading.BIT_PRECISE) for part in found.proof.parts)
        return original(self, lemma, replace(found, proof=Proved(parts)))

    patch.setattr(Search, "_add", add)


def preconditions_are_not_asked_for(patch: pytest.MonkeyPatch) -> None:
    original = ModularView.steps
    patch.setattr(
        ModularView, "steps", lambda self, at: tuple(s for s in original(self, at) if not isinstance(s, modular.Enter))
    )


def globals_survive_calls(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(modular, "changed_globals", lambda program: dict.fromkeys(program.functions, frozenset()))


def deeper_calls_change_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(modular, "_callers", lambda program: dict.fromkeys(program.functions, ()))


def snapshots_are_the_present(patch: pytest.MonkeyPatch) -> None:
    original = ContractedView._assume

    def assume(self: ContractedView, step: Step) -> Step:
        """What the callee was given is taken to be what it returned with."""
        if isinstance(step, Summary):
            now = {self.snapshot(x): self._returned[x] for x in self.changed[step.callee]}
            instance = Substitution(self.arena, {**step.instance._memo, **now})
            step = Summary(step.source, step.target, step.edges, step.transition, step.callee, instance)
        return original(self, step)

    patch.setattr(ContractedView, "_assume", assume)


def snapshots_are_taken_at_the_end(patch: pytest.MonkeyPatch) -> None:
    original = contracts.claims

    def claims(view: ModularView, certificate: Certificate) -> dict[At, Term]:
        now = Substitution(view.arena, {view.snapshot(x): x for x in view.program.variables})
        return {at: now(formula) for at, formula in original(view, certificate).items()}

    patch.setattr(certificate_check, "claims", claims)


def postconditions_are_not_proved(patch: pytest.MonkeyPatch) -> None:
    original = contracts.claims

    def claims(view: ModularView, certificate: Certificate) -> dict[At, Term]:
        exits = {view.exit(name) for name in view.contracted}
        return {at: formula for at, formula in original(view, certificate).items() if at not in exits}

    patch.setattr(certificate_check, "claims", claims)


def any_end_confirms(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        import_module("frontend.replay.confirm"), "interpret", _always(Reproduced("said so", Confirmer.INTERPRETER))
    )


def inputs_are_always_the_first(patch: pytest.MonkeyPatch) -> None:
    original = Inputs.of

    def of(recorded: Iterable[InputValue]) -> Inputs:
        return original([one for one in recorded if one.occurrence == 0])

    patch.setattr(Inputs, "of", staticmethod(of))


def replayed_values_are_not_converted(patch: pytest.MonkeyPatch) -> None:
    original = Machine._next

    def next_(self: Machine, kind: InputKind, span: Span, name: str) -> object:
        value = original(self, kind, span, name)
        return -value if isinstance(value, int) else value

    patch.setattr(Machine, "_next", next_)


# Harmless


def preconditions_lack_the_guard(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Transition, "pre", lambda self, post: self.after(post))


def dead_predicates_stay(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PredicateScope, "lost", _always(frozenset()))


CAUGHT: Mapping[str, Bug] = {
    bug.patch.__name__: bug
    for bug in (
        Bug(wrapping_is_left_out, ("byte wraps",)),
        Bug(unsigned_is_treated_as_signed, ("minus one is large",)),
        Bug(operands_are_not_promoted, ("sum of bytes",)),
        Bug(switch_does_not_fall_through, ("fall through",)),
        Bug(short_circuit_evaluates_both, ("short circuit",)),
        Bug(division_rounds_down, ("division truncates",)),
        Bug(postfix_gives_the_new_value, ("postfix",)),
        Bug(division_by_zero_goes_on, ("division ends",)),
        Bug(least_numbers_are_negated, ("least number",)),
        Bug(accesses_are_of_one_byte, ("one byte short",)),
        Bug(what_is_released_stays_alive, ("after its end",)),
        Bug(what_is_released_can_be_released, ("released twice",)),
        Bug(allocations_are_not_counted, ("never released", "released")),
        Bug(later_values_are_not_composed, ("in a row",)),
        Bug(substitution_is_sequential, ("copy",)),
        Bug(path_formula_lacks_guards, ("toggle",)),
        Bug(activations_share_their_locals, ("recursion",)),
        Bug(affected_predicates_keep_their_frame, ("lock", "late bug")),
        Bug(old_values_survive_the_image, ("late bug",)),
        Bug(clauses_have_a_wrong_sign, ("late bug", "lock")),
        Bug(order_axioms_are_wrong, ("ranges",)),
        Bug(everything_counts_as_covered, ("late bug",)),
        Bug(intervals_decide_too_much, ("late bug", "suspended")),
        Bug(an_edge_is_skipped, ("every edge",)),
        Bug(errors_are_not_excluded, ("exclusion",)),
        Bug(all_proofs_count_as_repeated, ("readings",)),
        Bug(lemmas_count_as_bit_precise, ("readings",)),
        Bug(preconditions_are_not_asked_for, ("preconditions",)),
        Bug(globals_survive_calls, ("globals after calls",)),
        Bug(deeper_calls_change_nothing, ("globals after calls",)),
        Bug(snapshots_are_the_present, ("snapshots of callees",)),
        Bug(snapshots_are_taken_at_the_end, ("snapshots inside",)),
        Bug(postconditions_are_not_proved, ("postconditions",)),
        Bug(any_end_confirms, ("confirmation",)),
        Bug(inputs_are_always_the_first, ("two reads",)),
        Bug(replayed_values_are_not_converted, ("two reads",)),
    )
}

NOT_CAUGHT: Mapping[str, tuple[Bug, str]] = {
    "preconditions_lack_the_guard": (
        Bug(preconditions_lack_the_guard, ("lock", "postfix")),
        "weakest preconditions only suggest predicates, and any predicate is sound",
    ),
    "dead_predicates_stay": (
        Bug(dead_predicates_stay, ("lock", "late bug")),
        "what a state says about dead variables is true, only useless",
    ),
}
