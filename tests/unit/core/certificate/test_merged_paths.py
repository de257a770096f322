"""Paths between annotated locations that are many are merged, and say no more than each of them does."""

import pytest

from core.certificate import induction
from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult, Certified, Rejected
from core.limits import Limits
from core.program import Program
from core.program.expansion import At
from core.solver.evidence import EvidenceFactory
from core.terms import Term
from core.verdict import Certificate
from runs.events import EvidenceRepeated, EvidenceStep
from tests.support.program_builder import ProgramBuilder

HEAD = At((), 1)
Steps = list[EvidenceStep | EvidenceRepeated]


def examined(program: Program, invariant: Term, steps: Steps | None = None) -> CertificateResult:
    on_step = ([] if steps is None else steps).append
    return check_certificate(program, (0,), Certificate({HEAD: invariant}), EvidenceFactory(), Limits(), on_step)


def counters(count: int, most: int) -> tuple[Program, Term]:
    """`for (;;) { if (c0 < 10) c0++; …; assert(last <= 10); }` with the invariant that all are at most `most`."""
    b = ProgramBuilder()
    a = b.arena
    numbers = [b.variable(f"c{k}") for k in range(count)]
    start, head, done = b.location(), b.location(loop=True), b.location()
    error = b.error()
    b.assign(start, head, *((x, a.zero) for x in numbers))
    at = head
    for x in numbers:
        less, after = b.location(), b.location()
        b.assume(at, less, a.lt(x, a.integer(10)))
        b.assume(at, after, a.ge(x, a.integer(10)))
        b.assign(less, after, (x, a.add(x, a.one)))
        at = after
    b.assume(at, error, a.lt(a.integer(10), numbers[-1]))
    b.assume(at, head, a.le(numbers[-1], a.integer(10)))
    b.function("main", start, done)
    return b.program(), a.and_(*(a.between(0, x, most) for x in numbers))


def branches(overlap: bool) -> tuple[Program, Term]:
    """`if (x > 0) y = 1; else y = given; z = given; assert(x > 0 || y == z);`, wrong as each reading is another input.

    Where branches `overlap`, the second may always be taken, and `x > 0`: then `y == 1` is asserted, wrongly, too.
    """
    b = ProgramBuilder()
    a = b.arena
    x, y, z, given = b.variable("x"), b.variable("y"), b.variable("z"), b.input("given")
    start, head, one, two, met, end, done = (b.location(loop=k == 1) for k in range(7))
    error = b.error()
    positive = a.lt(a.zero, x)
    b.assign(start, head, (x, a.one if overlap else given))
    b.assume(head, one, positive)
    b.assume(head, two, a.true if overlap else a.not_(positive))
    b.assign(one, met, (y, a.one))
    b.assign(two, met, (y, given))
    b.assign(met, end, (z, given))
    wrong = a.not_(a.equals(y, a.one)) if overlap else a.and_(a.not_(positive), a.not_(a.equals(y, z)))
    b.assume(end, error, wrong)
    b.assume(end, head, a.not_(wrong))
    b.function("main", start, done)
    return b.program(), positive if overlap else a.true


def test_many_branches_in_a_row_are_checked_together() -> None:
    steps: Steps = []
    program, invariant = counters(40, 10)
    assert isinstance(examined(program, invariant, steps), Certified)
    assert len(steps) < 1000


def test_what_some_of_many_paths_break_is_rejected() -> None:
    assert isinstance(examined(*counters(40, 9)), Rejected)


@pytest.mark.parametrize("overlap", [True, False])
def test_merged_paths_do_what_each_does(overlap: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(induction, "VISITS", 0)
        assert isinstance(examined(*branches(overlap)), Rejected)


def test_a_cycle_without_an_invariant_is_not_merged() -> None:
    program, _ = counters(2, 10)
    elsewhere = Certificate({At((), 2): program.arena.true})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(induction, "VISITS", 0)
        result = check_certificate(program, (0,), elsewhere, EvidenceFactory(), Limits(), lambda _: None)
    assert isinstance(result, Rejected)
