"""A solver that asks z3 and Bitwuzla in turns, with more effort each time: the search of an unrolling.

z3 is quick on many small questions and keeps what it learned; behind symbolic indices and over bit operations Bitwuzla
is often ten times as fast, and z3 over sums and orders of numbers. Which it is, only asking tells; but programs about
bits ask small questions that take z3 seconds, and of these Bitwuzla is asked alone. Where formulas have no exact
bit-vectors, z3 is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.limits import Limits, NoAnswer, SolverUndecided
from core.parameters import parameter
from core.program import Program, Range
from core.solver.bitwuzla_search import BitwuzlaSearch
from core.solver.contract import GrowingSolver, Sat, Unsat
from core.solver.exact_vectors import ARRAY_WIDTH
from core.terms import ArraySort, Op, Term, Treatment, computes_with_floats, subterms

OTHER_OPERATORS = Treatment.EXACT

FIRST = parameter("paths.patient-solver.first")
FIRST_ON_FLOATS = parameter("paths.patient-solver.first-on-floats")
STEP = parameter("paths.patient-solver.step")
PLACES = Range(-(1 << ARRAY_WIDTH - 16), (1 << ARRAY_WIDTH - 16) - 1)
"""Where pointers without bounds lead: sums of them and of other numbers are still indices."""

BITS = parameter("paths.patient-solver.bits")
BITS_OF_BYTES = parameter("paths.patient-solver.bits-of-bytes")


def share_of_bitwuzla(program: Program) -> int | None:
    """The units of effort of Bitwuzla for one of z3 in questions about a program; None where it has all.

    It has where there are bit operators, or bytes are cut out of numbers, as memory of bytes does. Of floating-point
    numbers z3 knows facts, while Bitwuzla computes them.
    """
    if _has_bits(program) and not computes_with_floats(program.terms()):
        return None
    arrays = (x for x in program.variables if isinstance(x.sort, ArraySort))
    return BITS_OF_BYTES if any(_has_bytes(program.range_of(x)) for x in arrays) else BITS


def begins_with_bitwuzla(program: Program) -> bool:
    """Whether Bitwuzla is asked before z3 has had any effort: floating-point numbers are also read as bits."""
    return _has_bits(program) and computes_with_floats(program.terms())


def _has_bits(program: Program) -> bool:
    return program.uses_bits or _cuts_bytes(program)


def _cuts_bytes(program: Program) -> bool:
    """Whether a program computes what a number is without its lowest byte, or more of them."""
    quotients = (t for t in subterms(*program.terms()) if t.op is Op.DIVIDE and t.args[1].is_constant)
    return any(t.args[1].value >= 256 and t.args[1].value.bit_count() == 1 for t in quotients)


def _has_bytes(elements: Range | None) -> bool:
    return elements is not None and elements.low >= -128 and elements.high <= 255


class PatientSolver:
    """A solver of growing assertions, each check of which has `effort`, bounded by `limits`.

    `share` is that of Bitwuzla: without one it is asked alone, where it can be. Then, and where nothing else `computes`
    as the program does, pointers are as far as `PLACES`: whatever is proved by that is a claim of a certificate, which
    is checked without.
    """

    def __init__(
        self,
        solvers: Callable[[int], GrowingSolver],
        effort: int,
        range_of: Callable[[Term], Range | None],
        limits: Limits,
        seed: int,
        share: int | None = BITS,
        *,
        begins_with_bitwuzla: bool = False,
        computes: bool = False,
    ) -> None:
        self._solvers, self._effort, self._share = solvers, effort, share
        self._begins_with_bitwuzla = begins_with_bitwuzla
        self._limits = limits
        self._added: list[Term] = []
        self._told: dict[GrowingSolver, int] = {}  # how much of what was added
        is_alone = computes or share is None
        bounds = (lambda symbol: range_of(symbol) or PLACES) if is_alone else range_of
        self._bitwuzla = BitwuzlaSearch(seed, bounds, 0, self._stops)
        self._others = self._ladder(0)
        self._asked = next(self._others)
        self.is_hard = share is None  # whether a question was too hard for z3 with little effort

    def raise_effort(self, effort: int) -> None:
        """Answer later checks with so much effort: for those that were too hard."""
        self._others, self._effort = self._ladder(self._effort), effort

    def add(self, *formulas: Term) -> None:
        self._added += formulas

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        """Decide what was added together with `assumptions`. Raises `SolverUndecided`."""
        while True:
            try:
                self._asked.add(*self._added[self._told.get(self._asked, 0) :])
                self._told[self._asked] = len(self._added)
                return self._asked.check(assumptions)
            except SolverUndecided:
                self._limits.check()
                other = next(self._others, None)
                if other is None:
                    raise
                self.is_hard = True
                self._asked = other  # for later questions, too: they are hardly easier

    def _ladder(self, effort: int) -> Iterator[GrowingSolver]:
        """The solvers in the order in which they are asked, after those that had some `effort`.

        Bitwuzla has its share of what z3 had before: then no wrong choice costs many times what the right one does.
        """
        if self._share is None:
            self._bitwuzla.raise_effort(BITS * self._effort)
            yield self._bitwuzla
            if self._told.get(self._bitwuzla) == len(self._added):
                return  # it has been told all, and z3 would take longer
        if not effort:
            if self._begins_with_bitwuzla and self._share is not None:
                self._bitwuzla.raise_effort(self._share * min(FIRST_ON_FLOATS, self._effort))
                yield self._bitwuzla
            effort = min(FIRST, self._effort)
            yield self._solvers(effort)
        while effort < self._effort:
            self._bitwuzla.raise_effort((self._share or BITS) * effort)
            yield self._bitwuzla
            effort = min(STEP * effort, self._effort)
            yield self._solvers(effort)

    def _stops(self) -> bool:
        try:
            self._limits.check()
        except NoAnswer:
            return True
        return False
