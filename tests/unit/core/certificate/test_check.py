"""Right certificates are accepted, wrong ones are not. Programs are made by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified, Inconclusive, Rejected
from core.decision.prover import Effort, Reading
from core.limits import Limits, SolverUndecided
from core.program import Assume, Program, Range
from core.program.expansion import At
from core.solver.contract import BitMethod
from core.solver.evidence import EvidenceFactory
from core.terms import INT, Arena, Term
from core.verdict import Certificate
from runs.events import EvidenceRepeated, EvidenceStep
from tests.support.program_builder import INT32, ProgramBuilder

Steps = list[EvidenceStep | EvidenceRepeated]


@dataclass(frozen=True)
class Case:
    """A program, a certificate that holds for its check 0, and some of its symbols."""

    program: Program
    invariants: Mapping[At, Term]
    lemmas: tuple[Term, ...] = ()

    @property
    def arena(self) -> Arena:
        return self.program.arena

    def symbol(self, name: str) -> Term:
        return self.arena.symbol(name, INT)

    def with_invariant(self, at: At, formula: Term) -> "Case":
        return replace(self, invariants={**self.invariants, at: formula})

    def without(self, at: At) -> "Case":
        return replace(self, invariants={k: v for k, v in self.invariants.items() if k != at})


def examined(
    case: Case,
    steps: Steps | None = None,
    effort: Effort | None = None,
    checks: Sequence[int] = (0,),
    solvers: type[EvidenceFactory] = EvidenceFactory,
) -> CertificateResult:
    return check_certificate(
        case.program,
        checks,
        Certificate(case.invariants, case.lemmas),
        solvers(),
        Limits(),
        (steps if steps is not None else []).append,
        effort or Effort(),
    )


def reported(steps: Steps) -> list[EvidenceStep]:
    """The steps with their last results."""
    found: list[EvidenceStep] = []
    for step in steps:
        if isinstance(step, EvidenceRepeated):
            found[-step.back] = replace(found[-step.back], result=step.result)
        else:
            found.append(step)
    return found


def wrapped_increment(arena: Arena, x: Term) -> Term:
    """`x + 1` of a 32-bit int."""
    return arena.ite(
        arena.lt(x, arena.integer(INT32.high)),
        arena.add(x, arena.one),
        arena.linear([(1, x)], 1 - 2**32),
    )


HEAD = At((), 1)


def counting() -> Case:
    """`n = nondet in 0..1000; i = 0; while (i < n) i++; assert(i == n);` with the invariant `0 ≤ i ≤ n`."""
    b = ProgramBuilder()
    a = b.arena
    i, n, given = b.variable("i"), b.variable("n"), b.input("nondet")
    start, head, body, end, done = (b.location(loop=k == 1) for k in range(5))
    error = b.error()
    middle = b.location()
    b.assign(start, middle, (n, given), (i, a.zero))
    b.assume(middle, head, a.and_(a.le(a.zero, n), a.le(n, a.integer(1000))))
    b.assume(head, body, a.lt(i, n))
    b.assign(body, head, (i, wrapped_increment(a, i)))
    b.assume(head, end, a.ge(i, n))
    b.assume(end, error, a.not_(a.equals(i, n)))
    b.assume(end, done, a.equals(i, n))
    b.function("main", start, done)
    invariant = a.and_(a.le(a.zero, i), a.le(i, n), a.le(n, a.integer(1000)))
    return Case(b.program(), {HEAD: invariant})


def state_machine() -> Case:
    """A lock in a loop: the invariant is propositional over `state = k`."""
    b = ProgramBuilder()
    a = b.arena
    state, flag, given = b.variable("state"), b.variable("flag"), b.input("nondet")
    locations = [b.location(loop=k == 1) for k in range(6)]
    start, head, chosen, locked, skipped, done = locations
    error = b.error()
    is_one = a.equals(state, a.one)
    b.assign(start, head, (state, a.zero), (flag, a.zero))
    b.assign(head, chosen, (flag, given))
    b.assume(chosen, error, is_one)
    b.assume(chosen, locked, a.not_(is_one))
    b.assign(locked, skipped, (state, a.one))
    b.assign(skipped, head, (state, a.integer(2)))
    b.function("main", start, done)
    return Case(b.program(), {HEAD: a.or_(a.equals(state, a.zero), a.equals(state, a.integer(2)))})


def called_twice() -> Case:
    """`x = f(); y = f(); assert(x + y <= 18)` where `f` gives an input in 0..9: each call has its own."""
    b = ProgramBuilder()
    a = b.arena
    x, y, result = b.variable("x"), b.variable("y"), b.variable("f::result")
    given = b.input("nondet", Range(0, 9))
    start, first, second, third, last, done = (b.location() for _ in range(6))
    error = b.error()
    entry, leave = b.location("f"), b.location("f")
    b.call(start, first, "f")
    b.assign(first, second, (x, result))
    b.call(second, third, "f")
    b.assign(third, last, (y, result))
    b.assume(last, error, a.gt(a.add(x, y), a.integer(18)))
    b.assume(last, done, a.le(a.add(x, y), a.integer(18)))
    b.assign(entry, leave, (result, given))
    b.function("main", start, done)
    b.function("f", entry, leave)
    return Case(b.program(), {})


def recursion() -> Case:
    """`f(3)`, where `f(n)` asserts `n ≥ 1` and calls `f(n - 1)` while `n > 1`. Each activation has its own `n`."""
    b = ProgramBuilder()
    a = b.arena
    n = b.variable("f::n")
    start, done = b.location(), b.location()
    entry, big, leave = (b.location("f") for _ in range(3))
    error = b.error("f")
    checked = b.location("f")
    outer = b.call(start, done, "f", a.integer(3))
    b.assume(entry, error, a.lt(n, a.one))
    b.assume(entry, checked, a.ge(n, a.one))
    b.assume(checked, big, a.gt(n, a.one))
    b.assume(checked, leave, a.le(n, a.one))
    inner = b.call(big, leave, "f", a.subtract(n, a.one))
    b.function("main", start, done)
    b.function("f", entry, leave, [n])
    copies = [n, a.symbol("f::n#1", INT), a.symbol("f::n#2", INT), a.symbol("f::n#3", INT)]
    stacks = [(outer, *([inner] * depth)) for depth in range(4)]
    invariants = {
        At(stack, entry): a.equals(copy, a.integer(3 - depth)) if depth < 3 else a.false
        for depth, (stack, copy) in enumerate(zip(stacks, copies, strict=True))
    }
    return Case(b.program(), invariants)


def array_of_bits() -> Case:
    """`a[i] = b` with `b` in 0..1 and elements in 0..1; then reads one element: it is at most 1."""
    b = ProgramBuilder()
    t = b.arena
    bits, i, bit = b.array("bits", Range(0, 1)), b.variable("i"), b.variable("bit", Range(0, 1))
    start, written, done = (b.location() for _ in range(3))
    error = b.error()
    b.assign(start, written, (bits, t.store(bits, i, bit)))
    b.assume(written, error, t.gt(t.select(bits, t.add(i, t.one)), t.one))
    b.assume(written, done, t.true)
    b.function("main", start, done)
    return Case(b.program(), {At((), written): t.true})


def lowest_bit() -> Case:
    """`y = nondet in 0..2^32-1; while (y & (y - 1)) y &= y - 1; assert(y == 0 || y is a power of two);`"""
    b = ProgramBuilder()
    a = b.arena
    y = b.variable("y", Range(0, 2**32 - 1))
    start, head, body, end = (b.location(loop=k == 1) for k in range(4))
    error = b.error()
    cleared = a.bit_and(y, a.subtract(y, a.one))
    b.assign(start, head, (y, b.input("nondet", Range(0, 2**32 - 1))))
    b.assume(head, body, a.not_(a.equals(cleared, a.zero)))
    b.assign(body, head, (y, cleared))
    b.assume(head, end, a.equals(cleared, a.zero))
    # The bits above the lowest one, which is `y & -y`.
    b.assume(end, error, a.not_(a.equals(a.bit_and(y, a.negate(y)), y)))
    b.function("main", start, end)
    return Case(b.program(), {HEAD: a.ge(y, a.zero), At((), 3): a.equals(cleared, a.zero)})


GOOD: dict[str, Callable[[], Case]] = {
    "counting": counting,
    "state machine": state_machine,
    "called twice": called_twice,
    "recursion": recursion,
    "array of bits": array_of_bits,
    "lowest bit": lowest_bit,
}


@pytest.mark.parametrize("name", GOOD)
def test_right_certificates_hold(name: str) -> None:
    result = examined(GOOD[name](), effort=Effort(first_bits=100))
    assert isinstance(result, Certified), result
    assert set(result.edges.values()) == {Reading.BIT_PRECISE}


@pytest.mark.parametrize("name", GOOD)
def test_same_check_same_steps(name: str) -> None:
    first: Steps = []
    second: Steps = []
    assert examined(GOOD[name](), first) == examined(GOOD[name](), second)
    assert first == second != []


def test_a_state_machine_needs_no_arithmetic() -> None:
    steps: Steps = []
    examined(state_machine(), steps)
    assert {step.tool for step in reported(steps)} <= {"syntax", "sat"}


class WithoutBits(EvidenceFactory):
    """Solvers that decide what is asked about bit-vectors by remainders alone."""

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        if method is BitMethod.BITS:
            raise SolverUndecided("not by bits")
        return super().refutes_widened(formulas, width, effort, method)


class OnlyLong(EvidenceFactory):
    """Solvers to which all questions about bit-vectors are hard."""

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        if method is not BitMethod.BITS or effort is None or effort < Effort().last_bits:
            raise SolverUndecided("more effort is needed")
        return super().refutes_widened(formulas, width, effort, method)


@pytest.mark.parametrize(
    ("queries", "reading"), [(Effort().last_queries, Reading.BIT_PRECISE), (0, Reading.INTEGERS)], ids=["some", "none"]
)
def test_some_proofs_are_repeated_with_much_effort(queries: int, reading: Reading) -> None:
    result = examined(counting(), effort=Effort(last_queries=queries), solvers=OnlyLong)
    assert isinstance(result, Certified)
    assert (Reading.INTEGERS in result.edges.values()) == (reading is Reading.INTEGERS)


def test_a_step_is_reported_before_its_proof_is_repeated() -> None:
    """Its reading becomes that of the repeated proof; the steps tell the same as the result."""
    steps: Steps = []
    result = examined(counting(), steps, Effort(remainders=1000), solvers=WithoutBits)
    assert isinstance(result, Certified)
    first = [step for step in steps if isinstance(step, EvidenceStep)]
    assert steps[: len(first)] == first
    assert (first[0].subject, first[0].result) == ("certificate", "well-formed")
    assert Reading.INTEGERS in {step.result for step in first}
    told = {edge: step.result for step in reported(steps) for edge in step.edges}
    assert told == {edge: reading.value for edge, reading in result.edges.items()}


def test_values_that_only_a_solver_bounds_are_steps() -> None:
    """Of `i + j <= 1000 && i <= j` the intervals of `i` and `j` do not say that `2 * i` is at most 1000."""
    b = ProgramBuilder()
    a = b.arena
    i, j, k = (b.variable(name, Range(0, 1000)) for name in "ijk")
    start, middle, done = (b.location() for _ in range(3))
    error = b.error()
    b.assume(start, middle, a.and_(a.le(a.add(i, j), a.integer(1000)), a.le(i, j)))
    b.assign(middle, done, (k, a.add(i, i)))
    b.assume(start, error, a.false)
    b.function("main", start, done)
    steps: Steps = []
    assert isinstance(examined(Case(b.program(), {}), steps), Certified)
    (step,) = (one for one in reported(steps) if one.subject == "range of k")
    assert step.tool == "bitwuzla"


def test_wrong_invariants_with_bits_are_rejected() -> None:
    case = lowest_bit()
    a, y = case.arena, next(iter(case.program.variables))
    even = a.equals(a.bit_and(y, a.integer(6)), a.integer(2))
    for at in case.invariants:
        assert isinstance(examined(replace(case, invariants={**case.invariants, at: even})), Rejected)


def test_lemmas_with_bits_are_used_if_they_are_valid() -> None:
    case = lowest_bit()
    a, y = case.arena, next(iter(case.program.variables))
    valid = a.le(a.bit_and(y, a.integer(12)), a.integer(12))
    wrong = a.le(a.bit_and(y, a.integer(12)), a.integer(11))
    result = check_certificate(
        case.program, [0], Certificate(case.invariants, (valid, wrong)), EvidenceFactory(), Limits(), lambda _: None
    )
    assert isinstance(result, Certified)
    assert result.lemmas == 1


def test_an_invariant_true_everywhere_excludes_nothing() -> None:
    case = counting()
    every = {At((), k): case.arena.true for k in range(len(case.program.locations))}
    assert isinstance(examined(replace(case, invariants=every)), Rejected)


def weaker(case: Case) -> Case:
    i, n = case.symbol("i"), case.symbol("n")
    return case.with_invariant(HEAD, case.arena.le(i, case.arena.add(n, case.arena.one)))


def not_inductive(case: Case) -> Case:
    i, n, ten = case.symbol("i"), case.symbol("n"), case.arena.integer(10)
    return case.with_invariant(HEAD, case.arena.and_(case.invariants[HEAD], case.arena.le(i, ten), case.arena.ge(n, i)))


def not_initial(case: Case) -> Case:
    positive = case.arena.gt(case.symbol("i"), case.arena.zero)
    return case.with_invariant(HEAD, case.arena.and_(case.invariants[HEAD], positive))


def without_head(case: Case) -> Case:
    return case.without(HEAD)


def wrong_place(case: Case) -> Case:
    return case.without(HEAD).with_invariant(At((), 2), case.invariants[HEAD])


def head_is_unreachable(case: Case) -> Case:
    return case.with_invariant(HEAD, case.arena.false)


def start_is_unreachable(case: Case) -> Case:
    return case.with_invariant(At((), 0), case.arena.false)


def start_is_restricted(case: Case) -> Case:
    return case.with_invariant(At((), 0), case.arena.equals(case.symbol("i"), case.arena.zero))


def false_lemma_hides_an_invalid_step(case: Case) -> Case:
    i, n, a = case.symbol("i"), case.symbol("n"), case.arena
    weak = weaker(case)
    return replace(weak, lemmas=(a.or_(a.lt(i, n), a.equals(i, n)), a.false))


def speaks_about_an_input(case: Case) -> Case:
    about = case.arena.equals(case.symbol("nondet"), case.arena.zero)
    return case.with_invariant(HEAD, case.arena.and_(case.invariants[HEAD], about))


@pytest.mark.parametrize(
    "spoil",
    [
        weaker,
        not_inductive,
        not_initial,
        without_head,
        wrong_place,
        head_is_unreachable,
        start_is_unreachable,
        start_is_restricted,
        false_lemma_hides_an_invalid_step,
        speaks_about_an_input,
    ],
)
def test_wrong_certificates_are_rejected(spoil: Callable[[Case], Case]) -> None:
    assert isinstance(examined(spoil(counting())), Rejected)


def test_an_input_of_an_earlier_step_is_not_known_later() -> None:
    """`flag = nondet` twice: an invariant that fixes the input would let the second be taken for the first."""
    case = state_machine()
    flag = case.symbol("flag")
    fixed = case.arena.and_(case.invariants[HEAD], case.arena.equals(flag, case.arena.zero))
    assert isinstance(examined(case.with_invariant(HEAD, fixed)), Rejected)


def test_two_executions_of_an_edge_have_different_inputs() -> None:
    case = called_twice()
    a = case.arena
    difference = a.not_(a.equals(case.symbol("x"), case.symbol("y")))
    edges = list(case.program.edges)
    edges[4] = replace(edges[4], operation=Assume(difference))
    program = replace(case.program, edges=tuple(edges))
    assert isinstance(examined(replace(case, program=program)), Rejected)


def test_a_formula_cannot_name_the_value_of_a_later_execution() -> None:
    """`y` is the second value of the input: were its copy named here, all such values would be one."""
    case, behind = called_twice(), At((), 4)
    a, x, y = case.arena, case.symbol("x"), case.symbol("y")
    bound = a.le(a.add(x, y), a.integer(18))
    assert isinstance(examined(replace(case, invariants={behind: bound})), Certified)
    for number in range(1, 4):  # the copy of the first examination is 0
        fixed = a.and_(bound, a.equals(y, a.symbol(f"nondet!{number}", INT)))
        assert isinstance(examined(replace(case, invariants={behind: fixed})), Rejected)


def test_a_frame_is_not_the_one_below() -> None:
    """The invariants of the deeper activations speak about the outermost activation's parameter."""
    case = recursion()
    stale = {
        at: formula if formula.is_false else case.arena.equals(case.symbol("f::n"), case.arena.integer(3 - depth))
        for depth, (at, formula) in enumerate(case.invariants.items())
    }
    assert isinstance(examined(replace(case, invariants=stale)), Rejected)


def test_recursion_without_annotations_is_not_walked_for_ever() -> None:
    b = ProgramBuilder()
    start, done, entry, leave = b.location(), b.location(), b.location("f"), b.location("f")
    b.error()
    b.call(start, done, "f")
    b.call(entry, leave, "f")
    b.function("main", start, done)
    b.function("f", entry, leave)
    assert isinstance(examined(Case(b.program(), {})), Inconclusive)


def increment_without_wrapping(bounds: Range) -> Case:
    b = ProgramBuilder()
    a = b.arena
    x = b.variable("x", bounds)
    start, head, done = b.location(), b.location(loop=True), b.location()
    b.error()
    b.assign(start, head, (x, a.zero))
    b.assign(head, head, (x, a.add(x, a.one)))
    b.assume(head, done, a.true)
    b.function("main", start, done)
    return Case(b.program(), {HEAD: a.true})


def test_a_missing_wrap_leaves_the_range() -> None:
    result = examined(increment_without_wrapping(INT32))
    assert isinstance(result, Rejected)
    assert "range" in result.why


def test_an_array_takes_only_elements_in_range() -> None:
    b = ProgramBuilder()
    t = b.arena
    bits, i = b.array("bits", Range(0, 1)), b.variable("i")
    start, done = b.location(), b.location()
    b.error()
    b.assign(start, done, (bits, t.store(bits, i, i)))
    b.function("main", start, done)
    assert isinstance(examined(Case(b.program(), {})), Rejected)


def test_an_array_takes_no_array_with_a_wider_range() -> None:
    b = ProgramBuilder()
    bits, wide = b.array("bits", Range(0, 1)), b.array("wide")
    start, done = b.location(), b.location()
    b.error()
    b.assign(start, done, (bits, wide))
    b.function("main", start, done)
    assert not isinstance(examined(Case(b.program(), {})), Certified)


def test_parameters_take_only_arguments_in_range() -> None:
    b = ProgramBuilder()
    a = b.arena
    n, x = b.variable("f::n", Range(0, 255)), b.variable("x")
    start, done, entry, leave = b.location(), b.location(), b.location("f"), b.location("f")
    b.error()
    b.call(start, done, "f", x)
    b.assume(entry, leave, a.true)
    b.function("main", start, done)
    b.function("f", entry, leave, [n])
    result = examined(Case(b.program(), {}))
    assert isinstance(result, Rejected)
    assert "range" in result.why


def test_an_empty_range_proves_nothing() -> None:
    assert isinstance(examined(increment_without_wrapping(Range(1, 0))), Rejected)


def test_an_unknown_check_is_rejected() -> None:
    case = counting()
    assert isinstance(examined(case, checks=[7]), Rejected)


def test_other_checks_may_fail() -> None:
    case = counting()
    weak = case.with_invariant(HEAD, case.arena.true)
    assert isinstance(examined(weak), Rejected)
    assert isinstance(examined(weak, checks=[]), Certified)


def test_lemmas_make_steps_propositional() -> None:
    """Without the lemma the error step needs the SMT solver, with it the SAT solver is enough."""
    case = counting()
    a, i, n = case.arena, case.symbol("i"), case.symbol("n")
    lemma = a.or_(a.lt(n, i), a.lt(i, n), a.equals(i, n))
    for lemmas in ((), (lemma,)):
        steps: Steps = []
        assert isinstance(examined(replace(case, lemmas=lemmas), steps), Certified)
        assert any(step.subject == "lemmas" for step in reported(steps)) == bool(lemmas)


def test_invalid_lemmas_are_dropped_and_reported() -> None:
    case = counting()
    a, i, n = case.arena, case.symbol("i"), case.symbol("n")
    steps: Steps = []
    result = examined(replace(case, lemmas=(a.lt(i, n), a.or_(a.le(i, n), a.lt(n, i)))), steps)
    assert isinstance(result, Certified)
    assert "dropped" in {step.result for step in reported(steps)}


def hard_case(bounds: Range | None) -> Case:
    """Excludes `x³ + y³ + z³ = 33`, which no solver settles fast."""
    b = ProgramBuilder()
    a = b.arena
    x, y, z = (b.variable(name, bounds) for name in "xyz")
    start, done = b.location(), b.location()
    error = b.error()
    cubes = [a.multiply(t, a.multiply(t, t)) for t in (x, y, z)]
    b.assume(start, error, a.equals(a.add(*cubes), a.integer(33)))
    b.assume(start, done, a.true)
    b.function("main", start, done)
    return Case(b.program(), {})


def test_an_undecided_step_is_no_proof() -> None:
    result = examined(hard_case(INT32), effort=Effort(query=2))
    assert isinstance(result, Inconclusive)


def test_unbounded_integers_have_no_width() -> None:
    b = ProgramBuilder()
    a = b.arena
    x, y, z = (b.variable(name, None) for name in "xyz")
    start, middle, done = b.location(), b.location(), b.location()
    error = b.error()
    b.assume(start, middle, a.and_(a.lt(x, y), a.lt(y, z)))
    b.assume(middle, error, a.lt(z, x))
    b.assume(middle, done, a.true)
    b.function("main", start, done)
    result = examined(Case(b.program(), {}))
    assert isinstance(result, Certified)
    assert result.edges[1] is Reading.INTEGERS
