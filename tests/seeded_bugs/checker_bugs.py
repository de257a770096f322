"""Bugs in each module that examines evidence, by the laws that they break, and who must notice them.

The function that keeps a law is found by its docstring (`laws`), so that a bug survives a move and a new name. A bug is
noticed if an adversary is accepted, or if a test of the law fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Any

from core.analysis.bounds import Interval
from core.decision.prover import Proved
from core.terms import BOOL, Arena, Op, SplitAtIndices, Term, replace_subterms, subterms
from tests.seeded_bugs.adversaries import ADVERSARIES
from tests.seeded_bugs.evidence import PROPERTIES
from tests.seeded_bugs.laws import Function
from tests.unit.core.analysis import test_bounds
from tests.unit.core.certificate import (
    test_folds,
    test_ghost_contracts,
    test_heap,
    test_merged_paths,
    test_symbols,
    test_unrolled,
)
from tests.unit.core.decision import test_grounding, test_instances, test_kernel, test_polynomials
from tests.unit.core.solver import (
    test_bitwuzla_widths,
    test_functions,
    test_multiplexers,
    test_subdivision,
    test_wrapping,
)
from tests.unit.core.terms import test_arena

Notice = Callable[[], bool]


@dataclass(frozen=True)
class LawBug:
    """A mistake in the function that keeps a law: what becomes of the function, and whether that is noticed."""

    law: str
    change: Callable[[Function], Function]
    is_noticed: Notice


def _accepted(name: str) -> Notice:
    return lambda: ADVERSARIES[name]()


def _lost(name: str) -> Notice:
    return lambda: not PROPERTIES[name]()


def _fails(test: Callable[..., object], *arguments: Iterable[object]) -> Notice:
    """Whether a test fails, for one of the arguments if it takes any."""

    def is_noticed() -> bool:
        for given in zip(*arguments, strict=True) if arguments else ((),):
            try:
                test(*given)
            except (AssertionError, IndexError, KeyError):
                return True
        return False

    return is_noticed


def _wrong_answers(first: int) -> Notice:
    """Whether one of 600 answers of intervals is wrong: that about the `first` question when this was written."""
    return _fails(test_subdivision.answer_of, (first, *range(600)))


_outside = _fails(test_bounds.test_every_value_lies_in_its_interval)


def _disagrees() -> bool:
    first = 94  # which noticed it when this was written
    return bool(list(islice(test_unrolled.disagreements((first, *range(300))), 1)))


def _refutes_what_has_a_model() -> bool:
    return any(test_grounding.wrong_refutations(seed)[0] for seed in range(12))


def _refutes_what_has_quotients() -> bool:
    return any(test_grounding.wrong_refutations(seed, with_divisions=True)[0] for seed in range(12))


def _always(value: object) -> Callable[[Function], Function]:
    return lambda _: lambda *__: value


def _without_demands(original: Function) -> Function:
    def updated(self: Any, path: Any, *rest: object) -> object:
        return replace(original(self, path, *rest), demands=path.demands)  # type: ignore[type-var]

    return updated


def _first(count: int) -> Callable[[Function], Function]:
    """Only the beginning of what there is."""
    return lambda original: lambda *given: list(islice(original(*given), count))  # type: ignore[call-overload]


def _without_last(original: Function) -> Function:
    return lambda *given: list(original(*given))[:-1]  # type: ignore[call-overload]


def _one_index(original: Function) -> Function:
    def accessed(self: Any, *given: Any) -> object:
        indices = self._indices
        self._indices = lambda index: indices(index)[-1:]
        found = original(self, *given)
        self._indices = indices
        return found

    return accessed


def _not_claimed(kind: str) -> Callable[[Function], Function]:
    def change(original: Function) -> Function:
        return lambda self, what, fails: None if what == kind else original(self, what, fails)

    return change


def _last_claim(original: Function) -> Function:
    def question(unrolling: Any) -> object:
        unrolling.claims = dict(list(unrolling.claims.items())[-1:])
        return original(unrolling)

    return question


def _one_short(original: Function) -> Function:
    def interval(*given: object) -> Interval:
        found: Any = original(*given)
        return Interval(found.low, found.high if found.high is None else found.high - 1)

    return interval


def _narrower(original: Function) -> Function:
    """Facts without the greatest value that the function has there."""

    def facts(*given: object) -> Iterator[object]:
        found: Any
        for found in original(*given):  # type: ignore[attr-defined]
            least = found.value.low
            yield replace(found, value=Interval(least, least))

    return facts


def _highest_only(original: Function) -> Function:
    """Ends without what lies below the upper one."""

    def ends(*given: object) -> object:
        found: Any = original(*given)
        return found if inf in found else (found[1], found[1])

    return ends


def _tighter(original: Function) -> Function:
    def changes(*given: object) -> Iterator[object]:
        for a, low, high in original(*given):  # type: ignore[attr-defined]
            yield a, low, high - 1

    return changes


def _everywhere(original: Function) -> Function:
    """Everything counts as an element of each set."""

    def rebuilt(self: Any, t: Any, args: Any) -> object:
        return self._arena.true if t.op is Op.SELECT and t.sort is BOOL else original(self, t, args)

    return rebuilt


def _trusting(self: Any, lemmas: Sequence[Term]) -> tuple[Term, ...]:
    self._kernel._lemmas.update(lemmas)
    for lemma in lemmas:
        self._search._propositional.include(self._search._integral, self._search._propositional.learn(lemma))
    return ()


def _noticed_by_the_kernels_tests() -> bool:
    claims = test_kernel.WRONG.values()
    return any(map(test_kernel.accepts, claims)) or any(map(_now_fails, test_kernel.ANSWERS))


def _now_fails(test: Callable[[], None]) -> bool:
    return _fails(test)()


def _without_numbers(original: Function) -> Function:
    """All bounds of the same elements are one relation."""

    def relation(*given: object) -> object:
        found: Any = original(*given)
        return found and (found[0]._replace(value=0), found[1])

    return relation


def _without_premises(original: Function) -> Function:
    def laws(self: Any, *given: object) -> Iterator[Term]:
        found: Any = original(self, *given)
        for law in found:
            yield self._arena.or_(*(part for part in law.args if not part.is_negation))

    return laws


def _one_literal_short(original: Function) -> Function:
    def clause(*given: object) -> object:
        found: Any = original(*given)
        return found and found[:-1]

    return clause


def _under_quantifiers_too(_: Function) -> Function:
    """Conditions are put in wherever they stand."""

    def put_in(arena: Any, formula: Term, holding: Any) -> Term:
        conditions = [t for t in subterms(formula) if t.sort is BOOL and t is not formula and t in holding]
        return replace_subterms(arena, formula, dict.fromkeys(conditions, arena.true))

    return put_in


def _half_as_far(original: Function) -> Function:
    """The two sides of an equation are said to differ by half as much as they may."""

    def compared(self: Any, t: Term) -> object:
        ends, body = self._ends, t.args[0]
        halved = t.is_equation and body.is_sum
        self._ends = lambda of, less: [e // 2 for e in ends(of, less)] if halved and of is body else ends(of, less)
        made = original(self, t)
        del self._ends
        return made

    return compared


def _never_negative(original: Function) -> Function:
    """The sign of each symbol is 0."""

    def node(self: Any, t: Term, width: int) -> object:
        if width == 1:
            return original(self, t, width)
        symbol = self._manager.mk_const(self._manager.mk_bv_sort(width - 1), t.name)
        return self._manager.mk_term(self._kind.BV_ZERO_EXTEND, [symbol], [1])

    return node


def _answers_of_few_bits() -> bool:
    return bool(test_bitwuzla_widths.equations_answered_wrongly(100))


def _always_false(_: Function) -> Function:
    return lambda arena, *_: arena.false


def _always_empty_clause(_: Function) -> Function:
    return lambda *__: ((),) * 4


BUGS: tuple[LawBug, ...] = (
    # core/certificate/check, induction
    LawBug(
        "The defects found before any reasoning: unknown checks",
        _always(None),
        _fails(test_symbols.test_no_symbol_stands_for_something_else, ["a bound copy"]),
    ),
    LawBug("Check that executions begin within the invariant.", _always(None), _lost("initiation")),
    LawBug("establishes what its end requires, of ghosts too.", _always(None), _accepted("starts")),
    # ghosts, heap, quantified
    LawBug("elements of ghosts by their readings.", _everywhere, _accepted("allocations")),
    LawBug("The updates for what a step writes to pointer fields", _without_demands, _accepted("cycles")),
    LawBug("Check that what is known of ghosts where a path ends is so.", _always(None), _accepted("cycles")),
    LawBug("holds wherever all `hypotheses` and `facts` do.", _always(Proved(())), _accepted("cycles")),
    # lists
    LawBug(
        "The store closes no cycle, unless there may be some, and it stores null or an allocated address.",
        lambda _: lambda self: self._arena.true,
        lambda: not test_heap.lemmas_hold()["a store"],
    ),
    LawBug(
        "Reachability without the pointer that `p` had.",
        lambda _: lambda self, a, b: self._reaches(a, b),
        lambda: not test_heap.lemmas_hold()["a store"],
    ),
    LawBug(
        "The addresses to which cut pointers lead after the store",
        lambda _: lambda _, around: around,
        lambda: not test_heap.lemmas_hold(with_cycles=True)["a store"],
    ),
    # grounding, relational, ground_clauses, class_models, instance_search
    LawBug("Whether formulas are found to contradict the hypotheses.", _always(True), _refutes_what_has_a_model),
    LawBug("The relation that an atom is, and its arguments", _without_numbers, _refutes_what_has_a_model),
    LawBug(
        "The number that an element is, if it is a constant.",
        lambda _: lambda self, x: 0 if self.elements[x].is_constant else None,
        _refutes_what_has_a_model,
    ),
    LawBug("The denials of equations that make two elements of a class equal", _always([]), _refutes_what_has_a_model),
    LawBug("that the cube is not satisfied by the first elements", _one_literal_short, _refutes_what_has_a_model),
    # quotients
    LawBug(
        "Within the block that begins at an address, quotients and entries are those of the address.",
        _without_premises,
        _refutes_what_has_quotients,
    ),
    LawBug(
        "Bounds of an address by its quotient and remainder, and the entries that it has.",
        _without_premises,
        _refutes_what_has_quotients,
    ),
    # folds
    LawBug("show the bound of a ghost array by induction", _first(1), _accepted("bounds_of_ghosts")),
    LawBug(
        "The facts about the array that a fold gives at the end of a path.",
        lambda original: lambda self, path, _: original(self, path, self.fold.symbol),
        _fails(test_folds.test_an_array_is_new_each_time_that_it_is_made),
    ),
    # unrolling, unrolled
    LawBug("Claim that `fails` never holds.", _not_claimed("errors"), _accepted("other_claims_of_unrollings")),
    LawBug("Claim that `fails` never holds.", _not_claimed("ways back"), _accepted("ways_back")),
    LawBug("Claim that `fails` never holds.", _not_claimed("rounds"), _accepted("missing_rounds")),
    LawBug("Claim that `fails` never holds.", _not_claimed("indices"), _accepted("missing_numbers")),
    LawBug("Claim that `fails` never holds.", _not_claimed("steps"), _accepted("missing_steps")),
    LawBug("Formulas that have a model where some claim fails", _last_claim, _accepted("other_claims_of_unrollings")),
    LawBug(
        "where these have no model, all of them together have none",
        lambda _: lambda *__: [Arena().false],
        test_unrolled.confuses_formats,
    ),
    LawBug(
        "of a choice the branch that intervals leave",
        lambda _: lambda self, t, args: args[1] if t.is_choice else SplitAtIndices.rebuilt(self, t, args),
        _fails(test_unrolled.test_results_wrap_around_only_where_they_may),
    ),
    # arrays
    LawBug("The array with another element at an index that is one of", _one_index, _disagrees),
    LawBug("The element at an index that is one of its", _one_index, _disagrees),
    # quantifiers
    LawBug(
        "The defect of the quantifiers of an invariant",
        _always(None),
        _fails(test_instances.test_quantifiers_are_conjuncts_over_integers_without_others_inside),
    ),
    # walk
    LawBug(
        "The first copy of an input that is not `taken`.",
        lambda _: lambda *given: given[1],
        _accepted("inputs_of_two_calls"),
    ),
    LawBug(
        "The transition of the path with one more step.",
        lambda _: lambda self, last: self.transition.then(last),
        _fails(test_ghost_contracts.test_a_call_knows_what_was_allocated_on_the_path_to_it),
    ),
    LawBug(
        "One path for several between the same places",
        lambda _: lambda *given: given[1][0],
        _fails(test_merged_paths.test_merged_paths_do_what_each_does, [True, False]),
    ),
    LawBug(
        "Whether no two of the conditions hold at once",
        _always(True),
        _fails(test_merged_paths.test_merged_paths_do_what_each_does, [True]),
    ),
    LawBug(
        "Add a variable that the program does not have",
        lambda original: lambda self, x, _: original(self, x, ()),
        _fails(test_ghost_contracts.test_a_contract_speaks_of_lists_and_of_what_was_allocated_before),
    ),
    # what solvers and terms say of functions, tables and remainders
    LawBug(
        "Facts that exclude the values that a model gives to functions",
        _narrower,
        _fails(test_functions.test_facts_hold_wherever_arguments_lie_within_them, range(20)),
    ),
    LawBug(
        "and of `other` beyond; equal parts are one node",
        lambda original: lambda values, other, node, bits, choice: original(values, other, node, bits[:-1], choice),
        _fails(test_multiplexers.test_every_position_has_its_number_and_others_have_0, [8], [2]),
    ),
    LawBug(
        "The number that a choice between integers wraps around",
        lambda original: lambda t, _: original(t, Interval(0, 1)),
        lambda: bool(test_wrapping.wrongly_wrapped(300)),
    ),
    LawBug(
        "The summands of a term, and its constant",
        lambda original: lambda t: ((), original(t)[1]),  # type: ignore[index]
        lambda: bool(test_wrapping.wrongly_wrapped(300)),
    ),
    LawBug("A comparison of a sum with a number; where it is an equation", _half_as_far, _answers_of_few_bits),
    LawBug("The node of a symbol, which has no sign where it is never", _never_negative, _answers_of_few_bits),
    LawBug("The hull of the sides of a choice that may be taken", _highest_only, _wrong_answers(171)),
    LawBug("The ends of the arguments of a sum that lies between", _tighter, _wrong_answers(51)),
    LawBug("States that have all that a contracted state has", _first(1), _wrong_answers(385)),
    LawBug("The ends of what is defined in each case of a disjunction", _tighter, _wrong_answers(41)),
    LawBug(
        "That a term is zero, said of a remainder without a sign",
        lambda original: lambda self, body: self.false if original(self, body) else None,
        _fails(test_arena.test_that_a_remainder_of_c_is_zero_is_said_without_its_sign),
    ),
    # prover, kernel, solver record, widening, contracts
    LawBug("The cases of a formula, each as formulas", _without_last, _noticed_by_the_kernels_tests),
    LawBug("The truth of bounds and equations, of negations", _always(True), _noticed_by_the_kernels_tests),
    LawBug(
        "An equal term, where the equations hold",
        lambda _: lambda self, *_: self._arena.false,
        _noticed_by_the_kernels_tests,
    ),
    LawBug(
        "A formula with the conditions in it that are holding",
        lambda _: lambda *given: given[0].false,
        _noticed_by_the_kernels_tests,
    ),
    LawBug("What is holding says nothing of bound symbols", _under_quantifiers_too, _noticed_by_the_kernels_tests),
    LawBug("Whether the last polynomial is the difference", _always(True), _noticed_by_the_kernels_tests),
    LawBug("The sum of bounds, each times a positive factor", _always_false, _noticed_by_the_kernels_tests),
    LawBug("Clauses that hold of a formula and its parts", _always_empty_clause, _noticed_by_the_kernels_tests),
    LawBug("Whether a solver has refuted this question", _always(True), _noticed_by_the_kernels_tests),
    LawBug("Add the lemmas that are valid", lambda _: _trusting, _lost("lemmas")),
    LawBug("Whether `value` (every element, of an array) lies", _always(Proved(())), _lost("ranges of values")),
    LawBug("A bound on the absolute values of `t` and of the partial results", _always(1), _lost("widths")),
    LawBug("The defects of contracts, and of invariants beside them", _always(None), _lost("activations")),
    # simplification
    LawBug(
        "Whether a fresh solver shows that two formulas are equivalent", _always(True), _accepted("shown_otherwise")
    ),
    # ring, bounds
    LawBug(
        "The sum of `factor · polynomial`.",
        lambda original: lambda self, parts: original(self, list(parts)[:1]),
        _fails(test_polynomials.test_polynomials_have_the_values_of_terms, range(8), [8] * 8),
    ),
    LawBug("The interval of a Euclidean remainder", _one_short, _outside),
    LawBug("The interval of a Euclidean quotient", _one_short, _outside),
    # frontend/interpreter
    LawBug("`text` modulo 2^bits.", lambda _: lambda text, _, **__: text, _accepted("values_of_a_byte")),
    LawBug("Whether an output function may write the number of", _always(False), _accepted("written_counts")),
)
