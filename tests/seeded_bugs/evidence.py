"""Properties of the code that examines evidence: wrong certificates and wrong counterexamples are not accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.certificate import Certified, check_certificate
from core.expansion import At
from core.limits import Limits
from core.program import InputKind, Range
from core.solver.cvc5_solver import Cvc5Factory
from core.span import Span
from core.terms import Term
from core.verdict import Certificate, InputValue
from frontend.api import parse_program
from frontend.ctype import DataModel
from frontend.lowering import lower
from frontend.lowering.errors import Effect, ErrorPolicy, UnreachCall
from frontend.replay import Confirmed, Native, confirm
from tests.support.program_builder import ProgramBuilder

HEAD = At((), 1)


def _accepted(
    start: int, bounds: Range, invariant: Callable[[ProgramBuilder, Term], Term], lemma: bool, error: int = 5
) -> bool:
    """Whether `invariant` is accepted for `x = start; while (*) x += 2 or x += 1; assert(x != error)`."""
    b = ProgramBuilder()
    a = b.arena
    x = b.variable("x", bounds)
    entry, head, done = b.location(), b.location(loop=True), b.location()
    wrong = b.error()
    b.assign(entry, head, (x, a.integer(start)))
    small = b.location()
    b.assume(head, small, a.lt(x, a.integer(100)))
    b.assign(small, head, (x, a.linear([(1, x)], 2)))
    b.assume(head, wrong, a.equals(x, a.integer(error)))
    b.assume(head, done, a.true)
    b.function("main", entry, done)
    certificate = Certificate({HEAD: invariant(b, x)}, (a.false,) if lemma else ())
    result = check_certificate(b.program(), (0,), certificate, Cvc5Factory(), Limits(), lambda _: None)
    return isinstance(result, Certified)


_WIDE = Range(-1000, 1000)


def _even(b: ProgramBuilder, x: Term) -> Term:
    return b.arena.equals(b.arena.modulo(x, b.arena.integer(2)), b.arena.zero)


def _true(b: ProgramBuilder, _: Term) -> Term:
    return b.arena.true


def _not_five(b: ProgramBuilder, x: Term) -> Term:
    return b.arena.not_(b.arena.equals(x, b.arena.integer(5)))


def initiation() -> bool:
    """The first step of the program must establish the invariant, and the start its own."""
    b = ProgramBuilder()
    a = b.arena
    x = b.variable("x", _WIDE)
    entry, wrong, done = b.location(), b.error(), b.location()
    b.assume(entry, wrong, a.gt(x, a.zero))
    b.assume(entry, done, a.true)
    b.function("main", entry, done)
    certificate = Certificate({At((), entry): a.le(x, a.zero)})
    result = check_certificate(b.program(), (0,), certificate, Cvc5Factory(), Limits(), lambda _: None)
    return not isinstance(result, Certified)


def every_edge() -> bool:
    """An invariant that holds on one edge and not on another is wrong, wherever the other stands."""
    return not _accepted(0, _WIDE, _true, lemma=False, error=50)


def lemmas() -> bool:
    """From a false lemma everything follows; it must not be used."""
    return not _accepted(1, _WIDE, _not_five, lemma=True)


def exclusion() -> bool:
    """An inductive invariant that does not exclude the error proves nothing."""
    return not _accepted(1, _WIDE, _true, lemma=False) and _accepted(0, _WIDE, _even, lemma=False)


def ranges_of_values() -> bool:
    """A value may not leave the range of its variable."""
    return not _accepted(0, Range(0, 50), _even, lemma=False)


_TEXT = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 3)
        reach_error();
    return 0;
}
"""


def confirmation() -> bool:
    """A counterexample counts only if the program reaches the error on its inputs."""
    return _confirmed(3) and not _confirmed(4)


def _confirmed(value: int) -> bool:
    unit = parse_program(_TEXT, "three.c", DataModel.ILP32)
    check = lower(unit, UnreachCall()).checks[0]
    place = Span("three.c", 4, 13, 4, 36)
    given = InputValue(InputKind.NONDET, "__VERIFIER_nondet_int", place, 0, value)
    policy = ErrorPolicy(frozenset({"reach_error"}), frozenset(), Effect.END)
    return isinstance(confirm(_TEXT, unit, policy, check, [given], Native.REFUSED), Confirmed)


PROPERTIES: Mapping[str, Callable[[], bool]] = {
    "initiation": initiation,
    "every edge": every_edge,
    "lemmas": lemmas,
    "exclusion": exclusion,
    "ranges of values": ranges_of_values,
    "confirmation": confirmation,
}
