"""Properties of the code that examines evidence: wrong certificates and wrong counterexamples are not accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.certificate.check import check_certificate
from core.certificate.results import Certified, Rejected
from core.decision.prover import Reading
from core.limits import Limits
from core.program import InputKind, Range
from core.program.expansion import At
from core.program.span import Span
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import Term
from core.verdict import Certificate, InputValue
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.options import SourceFile
from frontend.properties.errors import Effect, ErrorPolicy, UnreachCall
from frontend.replay.confirm import Native, confirm
from frontend.replay.results import Reproduced
from frontend.typed.ctype import DataModel
from tests.support.contracted import Claim, asking, assigning, counting_down, remembering
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


def readings() -> bool:
    """What was shown over integers only is not called bit-precise: a chain of numbers without bounds has no width."""
    b = ProgramBuilder()
    a = b.arena
    x, y, z = (b.variable(name, None) for name in "xyz")
    start, middle, done, error = b.location(), b.location(), b.location(), b.error()
    b.assume(start, middle, a.and_(a.lt(x, y), a.lt(y, z)))
    b.assume(middle, error, a.lt(z, x))
    b.assume(middle, done, a.true)
    b.function("main", start, done)
    lemma = a.or_(a.not_(a.lt(x, y)), a.not_(a.lt(y, z)), a.not_(a.lt(z, x)))
    for lemmas in ((), (lemma,)):
        certificate = Certificate({}, lemmas)
        result = check_certificate(b.program(), (0,), certificate, Cvc5Factory(), Limits(), lambda _: None)
        if not isinstance(result, Certified) or result.edges[1] is not Reading.INTEGERS:
            return False
    return True


def widths() -> bool:
    """No number is too large for its width: three bytes have a product whose bits from the 16th on are not all zero."""
    b = ProgramBuilder()
    a = b.arena
    x, y, z = (b.variable(name, Range(0, 255)) for name in "xyz")
    start, done, error = b.location(), b.location(), b.error()
    product = a.multiply(x, a.multiply(y, z))
    distance = b.variable("distance", Range(16, 16))
    b.assume(start, error, a.gt(a.shift_right(product, distance), a.zero))
    b.assume(start, done, a.true)
    b.function("main", start, done)
    result = check_certificate(b.program(), (0,), Certificate({}), Cvc5Factory(), Limits(), lambda _: None)
    return isinstance(result, Rejected)


def preconditions() -> bool:
    """A precondition that a call violates proves nothing about that call."""
    return _refused(asking())


def postconditions() -> bool:
    """What a function does not do cannot be claimed of it."""
    claim = counting_down()
    return _refused(claim.with_post("f", claim.arena.false)) and not _refused(claim)


def globals_after_calls() -> bool:
    """A global that a callee may change, at any depth, has its old value only where the contract says so."""
    return _refused(assigning())


def snapshots_of_callees() -> bool:
    """A caller knows the snapshots of a callee as the values that it passed, not those that came back."""
    claim = assigning()
    a, g, before = claim.arena, claim.symbol("g"), claim.symbol("g@entry")
    small = claim.with_pre("f", a.equals(g, a.zero))
    return _refused(small.with_post("f", a.equals(g, a.add(before, a.one))))


def snapshots_inside() -> bool:
    """A callee that changes a global has not kept it, whatever it was."""
    claim = assigning()
    return _refused(claim.with_post("f", claim.arena.equals(claim.symbol("g"), claim.symbol("g@entry"))))


def activations() -> bool:
    """A local of a callee is not the local of the same name of its caller."""
    return _refused(remembering())


def _refused(claim: Claim) -> bool:
    return not isinstance(claim.examined(), Certified)


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
    return isinstance(confirm([SourceFile(unit.file, _TEXT)], unit, policy, check, [given], Native.REFUSED), Reproduced)


PROPERTIES: Mapping[str, Callable[[], bool]] = {
    "initiation": initiation,
    "every edge": every_edge,
    "lemmas": lemmas,
    "exclusion": exclusion,
    "ranges of values": ranges_of_values,
    "readings": readings,
    "widths": widths,
    "preconditions": preconditions,
    "postconditions": postconditions,
    "globals after calls": globals_after_calls,
    "snapshots of callees": snapshots_of_callees,
    "snapshots inside": snapshots_inside,
    "activations": activations,
    "confirmation": confirmation,
}
