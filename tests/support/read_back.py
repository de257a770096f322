"""Whether what a run prints is read again as what it says: the invariants of its certificates, shown by solvers."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.limits import SolverUndecided
from core.program import Program, Range
from core.program.naming import Naming
from core.program.semantics import range_facts
from core.program.told import told_part
from core.solver.contract import Sat, SolverFactory, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_solver import Z3Factory
from core.terms import Arena, Op, Term, subterms
from frontend.conditions import read_shown
from frontend.source import FrontendError
from interplay.presentation.run_text import RunText
from runs.events import Place
from runs.runfile import StoredRun
from runs.serialize import decode_program
from runs.termtable import TermReader

_EFFORT = 2_000


class Judgement(StrEnum):
    """The meaning of a text, compared with that of the formula that it was written for."""

    SAME = "the same term"
    EQUIVALENT = "an equivalent term"
    TOO_LONG = "is not printed as a whole"
    UNDECIDED = "not decided"
    UNREADABLE = "cannot be read"
    DIFFERENT = "another formula"


@dataclass(frozen=True)
class ReadBack:
    """An invariant as it is printed, a line a conjunct, and what these lines say."""

    place: Place
    lines: tuple[str, ...]
    judgement: Judgement
    reason: str = ""


def read_back(run: StoredRun) -> Iterator[ReadBack]:
    """The invariants that a run prints, each read again."""
    stored = run.document("program.json")
    if stored is None:
        return
    view, program = run.view(), decode_program(stored, Arena())
    text = RunText(view, program)
    for attempt in view.attempts:
        terms = TermReader(program.arena)
        for row in attempt.terms.values():
            terms.define(row)
        for one in attempt.invariants:
            lines = text.whole(attempt, one.formula, one.place)
            yield _judged(program, one.place, terms.term(one.formula), lines)


def _judged(program: Program, place: Place, term: Term, lines: tuple[str, ...]) -> ReadBack:
    if not lines:
        return ReadBack(place, lines, Judgement.TOO_LONG)
    term, left_out = told_part(program.arena, term, Naming(program, place))
    lines = lines[: len(lines) - bool(left_out)]  # the last one counts what is left out
    try:
        ghosts = [one for one in term.symbols() if one not in program.variables]
        again = program.arena.and_(*(read_shown(program, place, line, ghosts) for line in lines))
    except FrontendError as error:
        return ReadBack(place, lines, Judgement.UNREADABLE, str(error))
    return ReadBack(place, lines, _compared(program, term, again))


def _compared(program: Program, term: Term, again: Term) -> Judgement:
    """Solvers show the equivalence within the ranges of variables; what one does not decide is left to the other."""
    if again is term:
        return Judgement.SAME

    def range_of(symbol: Term) -> Range | None:
        return program.range_of(program.arena.original(symbol))

    arena, facts = program.arena, range_facts(program.arena, (term, again), range_of)
    ways = ((term, arena.not_(again)), (again, arena.not_(term)))
    ranges = range_of if program.uses_bits else None
    quantified = any(t.op is Op.FORALL for t in subterms(term, again))
    factories: tuple[SolverFactory, ...] = (Cvc5Factory(),) if quantified else (Z3Factory(0, ranges), Cvc5Factory())
    for factory in factories:
        try:
            solver = factory(_EFFORT)
            solver.add(*facts)
            answers = [solver.check(both) for both in ways]
        except SolverUndecided:
            continue
        if any(isinstance(one, Sat) for one in answers):
            return Judgement.DIFFERENT
        assert all(isinstance(one, Unsat) for one in answers)
        return Judgement.EQUIVALENT
    return Judgement.UNDECIDED
