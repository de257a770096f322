"""Bitwuzla as an incremental solver over exact bit-vectors, for a search that z3 does not end: it confirms nothing.

Deviations from the contract: no scopes; an unsatisfiable core is all assumptions; models give truth values and numbers,
and only until something is added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.limits import SolverUndecided
from core.program import Range
from core.solver.bitwuzla_solver import CALLS_PER_EFFORT, kinds_of_any_width, loaded
from core.solver.contract import Sat, Unsat
from core.solver.exact_vectors import ARRAY_WIDTH, ExactVectors
from core.terms import BOOL, ArraySort, BoolSort, IntSort, Op, Sort, Term, Treatment, Value

if TYPE_CHECKING:
    from core.solver.float_vectors import FloatVectors

OTHER_OPERATORS = Treatment.OPAQUE


class BitwuzlaSearch:
    """A solver whose checks have `effort`, and end when `stops` says so; `range_of` bounds symbols.

    Formulas that cannot be expressed raise `SolverUndecided` where they are added.
    """

    def __init__(
        self, seed: int, range_of: Callable[[Term], Range | None], effort: int, stops: Callable[[], bool]
    ) -> None:
        self._range_of, self._seed = range_of, seed
        self._native: Any = None  # the solver, once there was a question
        self._new: list[Any] = []  # what it was not told yet
        self._defined = 0  # of the floating-point numbers, those whose definitions it was told
        self._most, self._calls, self._stops = effort * CALLS_PER_EFFORT, 0, stops
        self._changes = 0

    @cached_property
    def _bitwuzla(self) -> Any:
        return loaded()

    @cached_property
    def _translation(self) -> _Translation:
        return _Translation(self._bitwuzla, self._range_of)

    def raise_effort(self, effort: int) -> None:
        """Answer later checks with so much effort: what was learned so far stays."""
        self._most = effort * CALLS_PER_EFFORT

    def _ends(self) -> bool:
        self._calls += 1
        return self._calls > self._most or self._stops()

    def add(self, *formulas: Term) -> None:
        try:
            for formula in formulas:
                self._new.append(self._translation(formula))
        except SolverUndecided as undecided:
            raise undecided.with_traceback(None)  # noqa: B904 - its frames have native terms
        self._changes += 1

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        self._changes += 1
        self._calls = 0
        try:
            result = self._result(assumptions)
        except SolverUndecided as undecided:
            raise undecided.with_traceback(None)  # noqa: B904 - its frames have native terms
        if result == self._bitwuzla.Result.UNSAT:
            return Unsat(tuple(assumptions))
        if result == self._bitwuzla.Result.SAT:
            return Sat(_Model(self, self._changes))
        raise SolverUndecided("bitwuzla: interrupted, or the effort is used up")

    def _result(self, assumptions: Sequence[Term]) -> Any:
        native = self._native = self._native or self._made()
        assumed = [self._translation(assumption) for assumption in assumptions]
        definitions = self._translation.definitions()
        for formula in (*self._new, *definitions[self._defined :]):
            native.assert_formula(formula)
        self._new.clear()
        self._defined = len(definitions)
        return native.check_sat(*assumed)

    def _made(self) -> Any:
        options = self._bitwuzla.Options()
        options.set(self._bitwuzla.Option.SEED, self._seed % (1 << 32))
        options.set(self._bitwuzla.Option.PRODUCE_MODELS, True)
        native = self._bitwuzla.Bitwuzla(self._translation.manager, options)
        native.configure_terminator(self._ends)
        return native

    def value(self, term: Term, change: int) -> Value:
        """The value of a term in the model that the check numbered `change` found."""
        if change != self._changes or isinstance(term.sort, ArraySort):
            raise SolverUndecided("bitwuzla: there is no model any more, or none of arrays")
        text = self._native.get_value(self._translation(term)).value(2)
        if term.sort is BOOL:
            return bool(text)
        number = int(text, 2)
        return number - (1 << len(text)) if text[0] == "1" else number


class _Model:
    """The model of the last check; implements `Model`."""

    def __init__(self, solver: BitwuzlaSearch, change: int) -> None:
        self._solver, self._change = solver, change

    def value(self, term: Term) -> Value:
        return self._solver.value(term, self._change)


class _Translation(ExactVectors):
    """The translation of terms to those of one manager."""

    def __init__(self, bitwuzla: Any, range_of: Callable[[Term], Range | None]) -> None:
        super().__init__(range_of)
        self.manager = bitwuzla.TermManager()
        kind = self._kind = bitwuzla.Kind
        self._constants: dict[str, Any] = {}
        self._floats: FloatVectors | None = None
        self._kinds = {
            "ite": kind.ITE,
            "=": kind.EQUAL,
            "bvadd": kind.BV_ADD,
            "bvmul": kind.BV_MUL,
            "bvneg": kind.BV_NEG,
            "bvsle": kind.BV_SLE,
            "bvslt": kind.BV_SLT,
            "bvand": kind.BV_AND,
            "bvor": kind.BV_OR,
            "bvxor": kind.BV_XOR,
            "bvshl": kind.BV_SHL,
            "bvashr": kind.BV_ASHR,
            "bvsdiv": kind.BV_SDIV,
            "bvsrem": kind.BV_SREM,
        }
        self._operators = kinds_of_any_width(kind)

    def __del__(self) -> None:
        self._vectors.clear()
        self._constants.clear()
        if self._floats is not None:
            self._floats.clear()

    def definitions(self) -> Sequence[Any]:
        """The definitions of the floating-point numbers that are computed."""
        return () if self._floats is None else tuple(self._floats.definitions.values())

    def make(self, name: str, *args: Any) -> Any:
        return self.manager.mk_term(self._kinds[name], list(args))

    def number(self, value: int, width: int) -> Any:
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value % (1 << width))

    def constant(self, name: str, width: int) -> Any:
        found = self._constants.get(name)
        if found is None:
            found = self._constants[name] = self.manager.mk_const(self.manager.mk_bv_sort(width), name)
        return found

    def lower(self, node: Any, high: int, low: int) -> Any:
        return self.manager.mk_term(self._kind.BV_EXTRACT, [node], [high, low])

    def longer(self, node: Any, bits: int, signed: bool) -> Any:
        kind = self._kind.BV_SIGN_EXTEND if signed else self._kind.BV_ZERO_EXTEND
        return self.manager.mk_term(kind, [node], [bits])

    def is_same(self, a: Any, b: Any) -> bool:
        return bool(a == b)

    def applied(self, t: Term, args: list[Any]) -> Any:
        if t.op is not Op.FLOAT:
            raise SolverUndecided("bitwuzla: functions that are only ones")
        if self._floats is None:
            from core.solver.float_vectors import FloatVectors  # what only programs with such numbers need

            self._floats = FloatVectors(loaded(), self.manager)
        return self._floats.applied(t, args, ARRAY_WIDTH)

    def other(self, t: Term, args: list[Any]) -> Any:
        match t.op:
            case Op.CONSTANT:
                return self.manager.mk_true() if t.is_true else self.manager.mk_false()
            case Op.SYMBOL:
                return self.manager.mk_const(self._sort(t.sort), t.name)
            case Op.CONST_ARRAY if t.args[0].is_constant:
                return self.manager.mk_const_array(self._sort(t.sort), args[0])
            case _ if t.op in self._operators:
                return self.manager.mk_term(self._operators[t.op], args) if len(args) > 1 or t.is_negation else args[0]
            case _:
                raise SolverUndecided("bitwuzla: an operator without a translation")

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case BoolSort():
                return self.manager.mk_bool_sort()
            case IntSort():
                return self.manager.mk_bv_sort(ARRAY_WIDTH)
            case ArraySort(_, ArraySort()):
                raise SolverUndecided("bitwuzla: arrays of arrays")
            case ArraySort(index, element):
                return self.manager.mk_array_sort(self._sort(index), self._sort(element))
