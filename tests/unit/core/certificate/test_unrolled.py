"""Complete unrollings: what is accepted is what no execution contradicts, and mistakes in the check show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified, Rejected
from core.certificate.unrolling import CompleteUnrolling
from core.decision.prover import Reading
from core.decision.value_sets import ValueSet, ValueSetAnalysis
from core.limits import Limits, SolverUndecided
from core.program import Program, Range
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.program.unwinding import Loops, UnwoundPlace
from core.solver.contract import IntervalOf, WideningFactory
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.evidence import EvidenceFactory
from core.terms import INT_ARRAY, Arena, SplitAtIndices, Term
from core.terms.float_functions import FloatOperation, float_function
from core.terms.floats import DOUBLE, FLOAT, FloatFormat
from core.verdict import Certificate, Safe
from runs.events import EvidenceRepeated, EvidenceStep
from runs.evidence_json import decode_evidence, encode_evidence
from tests.contract.test_engines import calling, counting, recursive
from tests.support.program_builder import INT32, ProgramBuilder
from tests.support.random_graphs import random_program
from tests.support.short_loops import SMALL, ShortLoops, failing_checks
from tests.support.small_programs import counting_loop

ENOUGH = 4


def rounds(program: Program, most: int) -> tuple[UnwoundPlace, ...]:
    """The places of a program, with at most `most` rounds of each loop and nested call of a function."""
    expansion, loops = Expansion(program, BlockEncoding.STATEMENTS), Loops(program)
    found = {UnwoundPlace(expansion.start, loops.numbers(expansion.start, 0)): None}
    waiting = list(found)
    while waiting:
        place = waiting.pop()
        for step in expansion.steps(place.at):
            after = loops.after(place, step)
            deep = len(after.at.stack) - len(set(after.at.stack)) >= most
            if after not in found and not deep and all(n < most for numbers in after.rounds for n in numbers):
                found[after] = None
                waiting.append(after)
    return tuple(found)


def examined(program: Program, checks: Iterable[int], most: int = ENOUGH) -> CertificateResult:
    certificate = Certificate({}, rounds=rounds(program, most))
    return check_certificate(program, list(checks), certificate, Cvc5Factory(), Limits(), lambda _: None)


def reading_twice() -> Program:
    """`for (i = 0; i < 2; i++) { y = x; x = nondet(); } assert(x == y);`"""
    b = ProgramBuilder()
    a = b.arena
    i, x, y = (b.variable(f"main::{name}") for name in "ixy")
    entry, head, body, read, end = (b.location(loop=n == 1) for n in range(5))
    b.assign(entry, head, (i, a.zero), (x, a.zero), (y, a.zero))
    b.assume(head, body, a.lt(i, a.integer(2)))
    b.assign(body, read, (i, a.add(i, a.one)), (y, x))
    b.assign(read, head, (x, b.input("some", SMALL)))
    b.assume(head, b.error(), a.and_(a.le(a.integer(2), i), a.not_(a.equals(x, y))))
    b.assume(head, end, a.and_(a.le(a.integer(2), i), a.equals(x, y)))
    b.function("main", entry, end, (), (i, x, y))
    return b.program()


def writing_somewhere() -> Program:
    """`x = nondet() ? 2 : 1; a[1] = 5; a[2] = 6; a[x] = 7; assert(a[1] == 5); assert(a[x] == 7);`"""
    b = ProgramBuilder()
    a, x, array = b.arena, b.variable("main::x"), b.array("array")
    entry, begun, one, two, met, written, first, end = (b.location() for _ in range(8))
    some = b.input("some", SMALL)
    filled = a.store(a.store(a.const_array(INT_ARRAY, a.zero), a.one, a.integer(5)), a.integer(2), a.integer(6))
    b.assign(entry, begun, (array, filled), (x, some))
    b.assume(begun, one, a.equals(x, a.zero))
    b.assume(begun, two, a.not_(a.equals(x, a.zero)))
    b.assign(one, met, (x, a.one))
    b.assign(two, met, (x, a.integer(2)))
    b.assign(met, written, (array, a.store(array, x, a.integer(7))))
    for source, target, index, value in ((written, first, a.one, 5), (first, end, x, 7)):
        right = a.equals(a.select(array, index), a.integer(value))
        b.assume(source, b.error(), a.not_(right))
        b.assume(source, target, right)
    b.function("main", entry, end, (), (x,))
    return b.program()


def converting(format_: FloatFormat) -> Program:
    """`p = any; assume(p > 4095); x = nondet(); assert((int) (double) x == x);` where `p` has no bounds."""
    b = ProgramBuilder()
    a, x, p = b.arena, b.variable("main::x"), b.variable("main::p", None)
    entry, begun, led, end = (b.location() for _ in range(4))
    there = a.compute(float_function(FloatOperation.OF_INT, format_), x)
    back = a.compute(float_function(FloatOperation.TO_INT, format_, INT32.low, INT32.high), there)
    b.assign(entry, begun, (x, b.input("some")), (p, b.input("any", None)))
    b.assume(begun, led, a.lt(a.integer(4095), p))
    b.assume(led, b.error(), a.not_(a.equals(back, x)))
    b.assume(led, end, a.equals(back, x))
    b.function("main", entry, end, (), (x, p))
    return b.program()


def confuses_formats() -> bool:
    """Whether the check takes every number for one that a `float` holds."""
    certificate = Certificate({}, rounds=rounds(converting(FLOAT), 1))
    found = check_certificate(converting(FLOAT), [0], certificate, EvidenceFactory(), Limits(), lambda _: None)
    return isinstance(found, Certified)


def test_floating_point_numbers_beside_numbers_without_bounds() -> None:
    program = converting(DOUBLE)
    certificate = Certificate({}, rounds=rounds(program, 1))
    found = check_certificate(program, [0], certificate, EvidenceFactory(), Limits(), lambda _: None)
    assert isinstance(found, Certified)
    assert not confuses_formats()


@cache
def made(source: Callable[[], Program] | int) -> tuple[Program, frozenset[int]]:
    """A program, for a number one of short loops, and the checks that fail in it: all executions are tried once."""
    program = ShortLoops(source).program() if isinstance(source, int) else source()
    return program, frozenset(failing_checks(program))


def disagreements(seeds: Iterable[int] = range(60)) -> Iterator[int]:
    """The checks for which the answer is wrong: of a check that may fail, or of one that cannot."""
    for program, failing in map(made, (reading_twice, writing_somewhere, *seeds)):
        for check in program.checks:
            if isinstance(examined(program, [check.id]), Certified) == (check.id in failing):
                yield check.id


@pytest.mark.long
@pytest.mark.parametrize("most", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_what_is_accepted_is_what_no_execution_contradicts(most: int) -> None:
    assert not list(disagreements(range(most)))


def test_random_programs_are_not_trivial() -> None:
    found = [(len(program.checks), len(failing)) for program, failing in map(made, range(20))]
    assert sum(failing for _, failing in found) >= 5
    assert sum(checks - failing for checks, failing in found) >= 10


def _left_out(analysis: ValueSetAnalysis, *arguments: object) -> ValueSet | None:
    found = OF(analysis, *arguments)  # type: ignore[arg-type]
    return found and (frozenset(sorted(found)[1:]) or found)


def _impossible(analysis: ValueSetAnalysis, *arguments: object) -> dict[Term, ValueSet] | None:
    """Guards that leave out some numbers cannot hold."""
    found = WITHIN(analysis, *arguments)  # type: ignore[arg-type]
    return found if found == arguments[1] else None


OF, WITHIN = ValueSetAnalysis.of, ValueSetAnalysis.within


@pytest.mark.long
@pytest.mark.parametrize(("name", "mistake"), [("of", _left_out), ("within", _impossible)])
def test_what_proposes_numbers_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, name: str, mistake: Callable[..., object]
) -> None:
    """A number that is left out costs proofs, and makes none."""
    programs, failing = zip(*map(made, (writing_somewhere, *range(15))), strict=True)
    proved = [{check.id for check in one.checks} - wrong for one, wrong in zip(programs, failing, strict=True)]
    monkeypatch.setattr(ValueSetAnalysis, name, mistake)
    accepted = [{c.id for c in one.checks if isinstance(examined(one, [c.id]), Certified)} for one in programs]
    assert all(found <= right for found, right in zip(accepted, proved, strict=True))
    assert accepted != proved


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "name", "mistake"),
    [("indices", "of", _left_out), ("steps", "within", _impossible), ("rounds", "note", ValueSetAnalysis.note)],
)
def test_each_kind_of_claim_counts(
    monkeypatch: pytest.MonkeyPatch, kind: str, name: str, mistake: Callable[..., object]
) -> None:
    """Without the claims of one kind, wrong proposals and missing rounds make wrong proofs."""
    monkeypatch.setattr(ValueSetAnalysis, name, mistake)
    monkeypatch.setattr(
        CompleteUnrolling, "_claim", lambda self, what, fails: None if what == kind else CLAIM(self, what, fails)
    )
    most = 1 if kind == "rounds" else ENOUGH
    assert any(
        isinstance(examined(program, [check], most), Certified)
        for program, failing in map(made, (writing_somewhere, *range(60)))
        for check in failing
    )


def _shared(_: CompleteUnrolling, symbol: Term, values: dict[Term, Term]) -> Term:
    return values.get(symbol, symbol)


def _first(*arguments: list[object]) -> object:
    return arguments[3][0]


def _one_index(self: SplitAtIndices, arena: Arena, now: dict[Term, Term], indices: Callable[..., list[Term]]) -> None:
    SPLIT(self, arena, now, lambda index: indices(index)[-1:])


CLAIM, SPLIT = CompleteUnrolling._claim, SplitAtIndices.__init__


@pytest.mark.long
@pytest.mark.parametrize(
    ("owner", "name", "mistake"),
    [
        (CompleteUnrolling, "_now", _shared),
        (CompleteUnrolling, "_met", _first),
        (SplitAtIndices, "__init__", _one_index),
    ],
)
def test_a_mistake_in_the_check_shows(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str, mistake: Callable[..., object]
) -> None:
    monkeypatch.setattr(owner, name, mistake)
    assert list(islice(disagreements(), 1))


@pytest.mark.parametrize("seed", range(40))
def test_jumps_and_recursion(seed: int) -> None:
    """What is reached within some rounds is reached within more: a proof is a proof whatever the certificate lists."""
    program = random_program(seed)
    checks = [check.id for check in program.checks]
    results = [isinstance(examined(program, checks, most), Certified) for most in (2, 3)]
    assert results in ([False, False], [False, True], [True, True])


def test_loops_calls_and_recursion_are_proved() -> None:
    assert isinstance(examined(counting(), [0], 8), Certified)
    assert isinstance(examined(calling(), [0]), Certified)
    assert isinstance(examined(counting_loop(10), [0], 12), Certified)


def test_a_round_that_is_missing_is_noticed() -> None:
    assert isinstance(examined(counting_loop(10), [0], 11), Certified)
    assert isinstance(examined(counting_loop(10), [0], 10), Rejected)
    assert isinstance(examined(recursive(), [0], 1), Rejected)


def distant() -> Program:
    """`y = x > 0 ? x + 1 : 1 - x; assert(y > 0);`, which is no matter of few numbers."""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("main::x"), b.variable("main::y")
    entry, begun, one, two, met, end = (b.location() for _ in range(6))
    b.assign(entry, begun, (x, b.input("some", Range(-1000, 1000))))
    b.assume(begun, one, a.lt(a.zero, x))
    b.assume(begun, two, a.le(x, a.zero))
    b.assign(one, met, (y, a.add(x, a.one)))
    b.assign(two, met, (y, a.subtract(a.one, x)))
    b.assume(met, b.error(), a.le(y, a.zero))
    b.assume(met, end, a.lt(a.zero, y))
    b.function("main", entry, end, (), (x, y))
    return b.program()


class _WithoutBits(Cvc5Factory):
    """Solvers that leave everything open that is asked over bit-vectors."""

    def refutes_exactly(
        self, formulas: Sequence[Term], width: int, bounds_of: IntervalOf, effort: int | None = None
    ) -> bool:
        raise SolverUndecided("no bits")


@pytest.mark.parametrize(
    ("make", "reading", "tool"),
    [(EvidenceFactory, Reading.BIT_PRECISE, "bitwuzla"), (_WithoutBits, Reading.INTEGERS, "cvc5")],
)
def test_bit_vectors_are_asked_before_integers(
    make: Callable[[], WideningFactory], reading: Reading, tool: str
) -> None:
    program, steps = distant(), list[EvidenceStep | EvidenceRepeated]()
    certificate = Certificate({}, rounds=rounds(program, ENOUGH))
    result = check_certificate(program, [0], certificate, make(), Limits(), steps.append)
    assert isinstance(result, Certified)
    assert set(result.edges.values()) == {reading}
    last = steps[-1]
    assert isinstance(last, EvidenceStep)
    assert last.tool == tool


def _adding(most: int) -> Program:
    """`assert(x <= x + y)` in one byte without sign, of inputs that are at most `most`."""
    b = ProgramBuilder()
    a, x, y, z = b.arena, *(b.variable(f"main::{name}") for name in "xyz")
    entry, begun, added, end = (b.location() for _ in range(4))
    total = a.add(x, y)
    wrapped = a.ite(a.le(total, a.integer(255)), total, a.subtract(total, a.integer(256)))
    b.assign(entry, begun, (x, b.input("some", Range(0, most))), (y, b.input("other", Range(0, most))))
    b.assign(begun, added, (z, wrapped))
    b.assume(added, b.error(), a.lt(z, x))
    b.assume(added, end, a.le(x, z))
    b.function("main", entry, end, (), (x, y, z))
    return b.program()


def test_results_wrap_around_only_where_they_may() -> None:
    assert isinstance(examined(_adding(127), [0]), Certified)
    assert isinstance(examined(_adding(128), [0]), Rejected)


def _choosing(is_free: bool) -> Program:
    """`x = 1` or `x = 0`, whichever an execution likes, or as an input says; `assert(x == 1);`"""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("main::x"), b.variable("main::y")
    entry, begun, one, two, met, end = (b.location() for _ in range(6))
    b.assign(entry, begun, (y, b.input("some", SMALL)))
    positive = a.lt(a.zero, y)
    b.assume(begun, one, a.true if is_free else positive)
    b.assume(begun, two, a.true if is_free else a.not_(positive))
    b.assign(one, met, (x, a.one))
    b.assign(two, met, (x, a.zero))
    b.assume(met, b.error(), a.not_(a.equals(x, a.one)))
    b.assume(met, end, a.equals(x, a.one))
    b.function("main", entry, end, (), (x, y))
    return b.program()


@pytest.mark.parametrize("is_free", [False, True])
def test_of_several_steps_that_can_be_taken_each_is(is_free: bool) -> None:
    assert isinstance(examined(_choosing(is_free), [0]), Rejected)


def _changing_once(is_first: bool, expected: int) -> Program:
    """`if (nondet()) x = 7; assert(x == expected);`, x has a first value; `x = 7` comes first, or last"""
    b = ProgramBuilder()
    a, x, y = b.arena, b.variable("x", SMALL), b.variable("main::y")
    entry, begun, one, two, met, end = (b.location() for _ in range(6))
    b.assign(entry, begun, (y, b.input("some", SMALL)))
    b.assume(begun, one, a.lt(a.zero, y))
    b.assume(begun, two, a.le(y, a.zero))
    for source, target in ((one, met), (two, met)):
        b.assign(source, target, *([(x, a.integer(7))] if (source == one) == is_first else []))
    right = a.equals(x, a.integer(7)) if expected == 7 else a.lt(x, a.integer(7))
    b.assume(met, b.error(), a.not_(right))
    b.assume(met, end, right)
    b.function("main", entry, end, (), (y,))
    return b.program()


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("expected", [0, 7])
def test_a_change_on_one_of_two_paths_is_neither_forgotten_nor_taken_for_both(is_first: bool, expected: int) -> None:
    assert isinstance(examined(_changing_once(is_first, expected), [0]), Rejected)


def _writing_anywhere(expected: int, is_one: bool) -> Program:
    """`if (x > 0) a[k] = 7; else a[k] = 8;`, k may be anything; on one path, `assert(a[k] == expected);`"""
    b = ProgramBuilder()
    a, x, k, array = b.arena, b.variable("main::x"), b.variable("main::k"), b.array("array")
    entry, begun, one, two, met, end = (b.location() for _ in range(6))
    b.assign(entry, begun, (x, b.input("some", SMALL)), (k, b.input("any", Range(-1000, 1000))))
    positive = a.lt(a.zero, x)
    for target, condition, value in ((one, positive, 7), (two, a.not_(positive), 8)):
        b.assume(begun, target, condition)
        b.assign(target, met, (array, a.store(array, k, a.integer(value))))
    differs = a.not_(a.equals(a.select(array, k), a.integer(expected)))
    wrong = a.and_(positive if is_one else a.not_(positive), differs)
    b.assume(met, b.error(), wrong)
    b.assume(met, end, a.not_(wrong))
    b.function("main", entry, end, (), (x, k))
    return b.program()


@pytest.mark.parametrize("is_one", [False, True])
@pytest.mark.parametrize("expected", [7, 8])
def test_an_array_that_meets_itself_has_what_its_path_wrote_anywhere(expected: int, is_one: bool) -> None:
    result = examined(_writing_anywhere(expected, is_one), [0])
    assert isinstance(result, Certified if is_one == (expected == 7) else Rejected)


def test_other_claims_beside_rounds_are_refused() -> None:
    program = counting_loop(3)
    certificate = Certificate({}, (program.arena.true,), rounds=())
    result = check_certificate(program, [0], certificate, Cvc5Factory(), Limits(), lambda _: None)
    assert isinstance(result, Rejected)


def test_rounds_are_stored() -> None:
    program = recursive()
    certificate = Certificate({}, rounds=rounds(program, 3))
    evidence = decode_evidence(encode_evidence({0: Safe(certificate)}), program.arena)
    assert evidence.certificates[0].rounds == certificate.rounds
    plain = decode_evidence(encode_evidence({0: Safe(Certificate({}))}), program.arena)
    assert plain.certificates[0].rounds is None


def test_the_evidence_says_which_claims_there_are() -> None:
    steps = list[EvidenceStep | EvidenceRepeated]()
    program = writing_somewhere()
    certificate = Certificate({}, rounds=rounds(program, ENOUGH))
    check_certificate(program, [1], certificate, Cvc5Factory(), Limits(), steps.append)
    first = steps[0]
    assert isinstance(first, EvidenceStep)
    assert first.result == "claims: indices 2, steps 1"
