"""Certificates for programs that reach an error, each of which a mistake in one part of the check would accept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.decision.value_sets import ValueSetAnalysis
from core.limits import Limits
from core.program import Cell, InputKind, MemoryLayout, Program
from core.program.expansion import At
from core.program.span import Span
from core.program.unwinding import Loops
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_solver import Z3Factory
from core.terms import INT, INT_ARRAY, Arena
from core.verdict import RELATION, SET, Certificate, Fold, GhostField, HeapGhosts, InputValue
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import SourceFile
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.replay.confirm import Native, confirm
from frontend.replay.repetition import repeat
from frontend.replay.results import Reproduced
from frontend.typed.ctype import DataModel
from interplay.session import readable_invariants
from interplay.session.readable_invariants import Questions
from tests.support.lists import PRELUDE
from tests.support.program_builder import ProgramBuilder
from tests.support.small_programs import counting_loop
from tests.unit.core.certificate.test_unrolled import rounds, writing_somewhere


def _accepted(program: Program, certificate: Certificate) -> bool:
    checks = [check.id for check in program.checks]
    result = check_certificate(program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None)
    return isinstance(result, Certified)


def _lowered(body: str) -> Program:
    return lower(parse_program(f"{PRELUDE}{body}", "a.c", DataModel.ILP32), UnreachCall())


def _behind(program: Program, text: str) -> At:
    """The place in main behind a statement."""
    call = next(edge.id for edge in program.edges if edge.text == "main()")
    return At((call,), next(edge.target for edge in program.edges if edge.text == text))


def _ghosts(program: Program, structured: Iterable[At]) -> HeapGhosts:
    assert program.memory is not None
    symbol = program.arena.symbol
    array, cell = next((a, c) for a, cells in program.memory.cells.items() for c in cells if c.field == "n")
    field = GhostField(array, cell.offset, symbol("\\reaches", RELATION), symbol("\\written", SET))
    return HeapGhosts(symbol("\\allocated", SET), (field,), frozenset(structured))


def cycles() -> bool:
    """A list that closes a cycle is none: what describes lists does not hold of it."""
    program = _lowered(
        "int main(void) { struct node *a = malloc(8); a->n = a; if (a->n == a) reach_error(); return 0; }"
    )
    arena, at = program.arena, _behind(program, "a->n = a")
    ghosts = _ghosts(program, [at])
    a = next(x for x, known in program.variables.items() if known.name == "main::a")
    known = arena.and_(
        arena.select(ghosts.fields[0].written, a), arena.select(ghosts.allocated, a), arena.lt(arena.zero, a)
    )
    return _accepted(program, Certificate({at: known}, ghosts=(ghosts,)))


def cut_cycles() -> bool:
    """Where cycles are cut, the pointer that closes one still leads somewhere."""
    program = _lowered(
        "int main(void) { struct node *a = malloc(8); a->n = a; if (a->n == a) reach_error(); return 0; }"
    )
    arena, at = program.arena, _behind(program, "a->n = a")
    (field,) = _ghosts(program, ()).fields
    around = arena.symbol("\\around", RELATION)
    ghosts = replace(_ghosts(program, [at]), fields=(replace(field, around=around),))
    a = next(x for x, known in program.variables.items() if known.name == "main::a")
    known = arena.and_(arena.select(field.written, a), arena.select(ghosts.allocated, a), arena.lt(arena.zero, a))
    nowhere = arena.not_(arena.select(arena.select(around, a), a))
    return _accepted(program, Certificate({at: arena.and_(known, nowhere)}, ghosts=(ghosts,)))


def allocations() -> bool:
    """Not every address is one that an allocation returned."""
    program = _lowered("int main(void) { struct node *a = malloc(8); a->n = 0; reach_error(); return 0; }")
    arena, at = program.arena, _behind(program, "a->n = 0")
    x, ghosts = arena.proof_symbol("x", INT), _ghosts(program, [at])
    claim = arena.forall((x,), arena.select(ghosts.allocated, x))
    return _accepted(program, Certificate({at: claim}, ghosts=(ghosts,)))


def starts() -> bool:
    """No state is excluded by a claim about the start that nobody proves."""
    program = _lowered("int main(void) { struct node *a = malloc(8); a->n = 0; reach_error(); return 0; }")
    start = At((), program.functions[program.start].entry)
    return _accepted(program, Certificate({start: program.arena.false}, ghosts=(_ghosts(program, []),)))


def values_on_the_heap() -> bool:
    """What is claimed behind a path is about the values there, not about those at its beginning."""
    b = ProgramBuilder()
    a, x, heap, memory = b.arena, b.variable("x"), b.variable("heap"), b.array("memory")
    start, chosen, changed, error = b.location(), b.location(), b.location(), b.error()
    b.assume(start, chosen, a.equals(x, a.zero))
    b.assign(chosen, changed, (x, a.one))
    b.assume(changed, error, a.equals(x, a.one))
    b.function("main", start, changed)
    layout = MemoryLayout({memory: (Cell("node", "n", 0),)}, frozenset({memory}), heap, heap)
    program = replace(b.program(), memory=layout)
    claims = dict.fromkeys((At((), chosen), At((), changed)), a.equals(x, a.zero))
    return _accepted(program, Certificate(claims, ghosts=(_ghosts(program, []),)))


def bounds_of_ghosts() -> bool:
    """A bound of a ghost array that holds at 0 alone is no bound: `s[k] + k <= 0` where all of `s` is 0."""
    b = ProgramBuilder()
    a, x = b.arena, b.variable("x")
    start, made, read, error = b.location(), b.location(), b.location(), b.error()
    edge = b.assign(start, made, (x, a.zero))
    b.assign(made, read, (x, a.one))
    b.assume(read, error, a.equals(x, a.one))
    b.function("main", start, read)
    ghost, result, index = a.symbol("\\s", INT_ARRAY), a.proof_symbol("result", INT), a.proof_symbol("index", INT)
    bound = a.le(a.add(result, index), a.zero)
    fold = Fold(ghost, At((), made), frozenset({edge}), result, index, a.zero, result, bound)
    k = a.proof_symbol("k", INT)
    claimed = a.forall((k,), a.or_(a.lt(k, a.zero), a.le(a.add(a.select(ghost, k), k), a.zero)))
    first, second = (a.equals(a.select(ghost, one), a.zero) for one in (a.zero, a.one))
    claims = {At((), made): a.and_(claimed, first, second), At((), read): a.false}
    return _accepted(b.program(), Certificate(claims, ghosts=(fold,)))


def inputs_of_two_calls() -> bool:
    """Two reads of one input are two values."""
    program = _lowered("static int read(void) { int x = __VERIFIER_nondet_int(); return x; } int main(void) {"
                       " int x = read(), y = read(); if (x != y) reach_error(); return 0; }")  # fmt: skip
    return _accepted(program, Certificate({}))


def ways_back() -> bool:
    """A step back to what was left is a claim, whatever the order in which places are left."""
    b = ProgramBuilder()
    a, x = b.arena, b.variable("main::x")
    entry, begun, changed, met, error = b.location(), b.location(), b.location(), b.location(), b.error()
    b.assign(entry, begun, (x, a.zero))
    b.assume(begun, changed, a.le(b.input("some"), a.zero))
    b.assume(begun, met, a.true)
    b.assign(changed, met, (x, a.one))
    b.assume(met, error, a.equals(x, a.one))
    b.function("main", entry, met, (), (x,))
    program, position = b.program(), Loops.position
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Loops, "position", lambda *given: tuple(-number for number in position(*given)))
        return _accepted(program, Certificate({}, rounds=rounds(program, 2)))


def other_claims_of_unrollings() -> bool:
    """Each claim of an unrolling counts, not the first alone."""
    program = _lowered("int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();"
                       " if (x > y && x < y) reach_error(); if (x == 8) reach_error(); return 0; }")  # fmt: skip
    return _accepted(program, Certificate({}, rounds=rounds(program, 2)))


def missing_rounds() -> bool:
    """An unrolling without the last round of a loop."""
    return _accepted(counting_loop(3), Certificate({}, rounds=rounds(counting_loop(3), 1)))


def missing_numbers() -> bool:
    """An unrolling in which a number is left out of those that an index may be."""
    return _accepted_if_proposed("of", lambda found: found and (frozenset(sorted(found)[1:]) or found))


def missing_steps() -> bool:
    """An unrolling without the steps whose guards say something."""
    return _accepted_if_proposed("within", lambda _: None)


def _accepted_if_proposed(name: str, change: Callable[[Any], Any]) -> bool:
    program, original = writing_somewhere(), getattr(ValueSetAnalysis, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ValueSetAnalysis, name, lambda *given: change(original(*given)))
        return _accepted(program, Certificate({}, rounds=rounds(program, 2)))


def shown_otherwise() -> bool:
    """A formula that is shown in place of another one, and that is not equivalent to it."""
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    formula = arena.or_(arena.and_(arena.le(x, y), arena.le(y, x)), arena.lt(arena.add(x, y), arena.integer(3)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readable_invariants._Simplifier, "formula", lambda *_: arena.le(x, y))
        return readable_invariants.simplified(arena, formula, (), Z3Factory(), Questions()) is not formula


_POLICY = ErrorPolicy(frozenset({"reach_error"}), frozenset(), Effect.END)


def values_of_a_byte() -> bool:
    """A counterexample in which a byte holds 256."""
    text = f"{PRELUDE}int main(void) {{ int x = __VERIFIER_nondet_int(); unsigned char c = x; int y = c;\n"
    text += "if (y == 256) reach_error(); return 0; }"
    unit = parse_program(text, "a.c", DataModel.ILP32)
    (check,) = lower(unit, UnreachCall()).checks
    line = text.count("\n", 0, text.index("= __V")) + 1
    column = text.index("__VERIFIER_nondet_int();") - text.rindex("\n", 0, text.index("int x")) + 0
    place = Span("a.c", line, column, line, column + 23)
    given = InputValue(InputKind.NONDET, "__VERIFIER_nondet_int", place, 0, 256)
    found = confirm([SourceFile(unit.file, text)], unit, _POLICY, check, [given], Native.REFUSED)
    return isinstance(found, Reproduced)


def written_counts() -> bool:
    """An execution in which a number that printf writes is what it was before."""
    text = 'int printf(const char *, ...); int main(void) { int x = 0; printf("ab%n", &x); if (x) reach_error(); }'
    unit = parse_program(f"{PRELUDE}{text}", "a.c", DataModel.ILP32)
    return isinstance(repeat(unit, _POLICY, [], []), Reproduced)


ADVERSARIES: Mapping[str, Callable[[], bool]] = {
    one.__name__: one
    for one in (
        cycles,
        cut_cycles,
        allocations,
        starts,
        values_on_the_heap,
        bounds_of_ghosts,
        inputs_of_two_calls,
        ways_back,
        other_claims_of_unrollings,
        missing_rounds,
        missing_numbers,
        missing_steps,
        shown_otherwise,
        values_of_a_byte,
        written_counts,
    )
}
"""Each says whether what is wrong is accepted."""
