"""The z3 adapter. Terms are translated once per factory.

Every factory owns one z3 context. Solvers are "simple" solvers (the plain SMT core): creating one and checking small
formulas under assumptions costs a small fraction of what the tactic-based default costs. ASTs stay referenced until
their context dies, as the cache holds them all anyway.

Limitation: interpretations of arrays that are not finite maps with a default have no `ArrayValue`, and reading one
raises `SolverUndecided`.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

from core.limits import SolverUndecided
from core.program import Range
from core.solver import z3_library as z3
from core.solver.contract import Sat, Unsat
from core.solver.functions import FunctionFact, answered
from core.solver.multiplexers import is_small
from core.solver.subdivision import decided
from core.solver.z3_library import Handle, Owned, Z3Context, Z3Error, simple_solver
from core.solver.z3_translation import Translation
from core.terms import (
    ArraySort,
    ArrayValue,
    BoolSort,
    IntSort,
    Op,
    Sort,
    Term,
    Treatment,
    Value,
    computes_with_floats,
    subterms,
)

OTHER_OPERATORS = Treatment.OPAQUE

STEPS_PER_EFFORT = 10_000
"""z3 resource steps (`rlimit`) in one unit of effort; a unit is in the order of a millisecond."""

_MAX_STEPS = 2**32 - 1


class Z3Factory:
    """Makes solvers that share one z3 context and translation cache. Implements `SolverFactory`.

    With `range_of` integers are read as bit-vectors, exactly: formulas with bit operators need that, and then the
    range of every symbol must be asserted where it is not all that its bits can hold.
    """

    def __init__(self, seed: int = 0, range_of: Callable[[Term], Range | None] | None = None) -> None:
        self._seed = seed
        self._range_of = range_of
        self._checking = False
        self._interrupted = False

    @cached_property
    def _context(self) -> Z3Context:
        """Made for the first solver: some engines decide a program without one, and z3 takes a while to load."""
        return Z3Context()

    @cached_property
    def _translation(self) -> Translation:
        return _translation(self._context, self._range_of)

    def __call__(self, effort: int | None = None) -> Z3Solver:
        return Z3Solver(self, effort)

    def interrupt(self) -> None:
        # z3 ignores an interrupt that comes just before its search begins: repeat until the check has returned.
        # Bounded, as a signal handler may run in the very thread that is about to leave the check.
        self._interrupted = True
        for _ in range(50):
            if not self._checking:
                return
            self._context.interrupt()
            time.sleep(0.002)

    def tick(self) -> None:
        """Raises `SolverUndecided` after an interrupt."""
        if self._interrupted:
            raise SolverUndecided("z3: interrupted")

    @contextmanager
    def _checks(self) -> Iterator[None]:
        """The scope of every native check. Raises `SolverUndecided` after an interrupt."""
        self._checking = True
        try:
            self.tick()
            yield
        finally:
            self._checking = False

    def _native_solver(self, effort: int | None) -> Owned:
        options = {"random_seed": self._seed}
        if effort is not None:
            options["rlimit"] = min(max(effort, 1) * STEPS_PER_EFFORT, _MAX_STEPS)
        # The user's interrupt belongs to the process, not to whichever check runs.
        return simple_solver(self._context, ctrl_c=False, **options)


def _translation(context: Z3Context, range_of: Callable[[Term], Range | None] | None) -> Translation:
    if range_of is None:
        return Translation(context)
    from core.solver.z3_bits import BitTranslation

    return BitTranslation(context, range_of)


class Z3Solver:
    """A solver of z3; implements `Solver`. It is made for the first question: some are asked none."""

    def __init__(self, factory: Z3Factory, effort: int | None) -> None:
        self._factory = factory
        self._effort = effort
        self._waiting: list[Term] | None = []  # what is asserted before there is a solver
        self._names: dict[Term, Any] = {}  # an assumption -> the literal that stands for it
        self._scopes: list[list[Term]] = []  # the assumptions that were named in each open scope
        self._claims: list[Term] = []  # what is asserted
        self._last: Callable[[], Z3Model | None] = lambda: None  # the model of the last check, if anybody has it

    @cached_property
    def _translation(self) -> Translation:
        return self._factory._translation

    @cached_property
    def _core(self) -> z3.Library:
        return self._translation.core

    @cached_property
    def _context(self) -> int:
        return self._translation.context.ref()

    @cached_property
    def _native(self) -> Owned:
        return self._factory._native_solver(self._effort)

    def _begin(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting:
            self.add(*waiting)

    def add(self, *formulas: Term) -> None:
        if self._waiting is not None:
            self._waiting += formulas
            return
        self._keep_model()
        for formula in formulas:
            self._core.solver_assert(self._context, self._native.handle, self._translation(formula))
        self._claims += formulas

    @contextmanager
    def scope(self) -> Iterator[None]:
        self._begin()
        self._keep_model()
        try:
            self._core.solver_push(self._context, self._native.handle)
        except Z3Error as error:
            raise SolverUndecided(f"z3: {error}") from error
        self._scopes.append([])
        claims = len(self._claims)
        try:
            yield
        finally:
            del self._claims[claims:]
            for assumption in self._scopes.pop():
                del self._names[assumption]
            self._keep_model()
            self._core.solver_pop(self._context, self._native.handle, 1)

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        self._begin()
        self._keep_model()
        literals = [self._literal(a) for a in assumptions]
        if not self._translation.has_uninterpreted:
            return self._checked(assumptions, literals, ())
        claims = [*self._claims, *assumptions]
        reads = [t for t in subterms(*claims) if t.op is Op.LOOKUP and is_small(t.table)]
        boxes = self._translation.boxes
        has_floats = computes_with_floats(claims)
        if has_floats:
            with suppress(SolverUndecided):
                return self._in_parts(claims, assumptions, is_first=True)
        try:
            return answered(lambda: self._checked(assumptions, literals, reads), claims, boxes, self._tell)
        except SolverUndecided:
            if has_floats:
                with suppress(SolverUndecided):
                    return self._in_parts(claims, assumptions, is_first=False)
            raise

    def _in_parts(self, claims: Sequence[Term], assumptions: Sequence[Term], *, is_first: bool) -> Sat | Unsat:
        answer = decided(claims, self._effort, self._factory.tick, is_first=is_first)
        return answer if isinstance(answer, Sat) else Unsat(tuple(assumptions))

    def _tell(self, fact: FunctionFact) -> None:
        self._keep_model()
        self._core.solver_assert(self._context, self._native.handle, self._translation.fact(fact))

    def _checked(self, assumptions: Sequence[Term], literals: Sequence[Any], reads: Sequence[Term]) -> Sat | Unsat:
        """The answer of z3, which is told the numbers of tables that it reads, and to which other functions are any."""
        model = self._found(literals)
        while model is not None and self._correct(model, reads):
            model = self._found(literals)
        return Unsat(self._unsat_core(assumptions, literals)) if model is None else Sat(model)

    def _correct(self, model: Z3Model, reads: Sequence[Term]) -> bool:
        """Assert all numbers of tables that have others in a model; whether there are any."""
        wrong = [t for t in reads if model.number(t) != t.table.value(model.number(t.args[0]))]
        for t in wrong:
            self._core.solver_assert(self._context, self._native.handle, self._translation.all_entries(t))
        return bool(wrong)

    def _found(self, literals: Sequence[Any]) -> Z3Model | None:
        """A model of what was asserted and of literals; None if there is none. Raises `SolverUndecided`."""
        self._keep_model()
        array = self._translation.array(literals)
        with self._factory._checks():
            try:
                answer = self._core.solver_check_assumptions(self._context, self._native.handle, len(literals), array)
            except Z3Error as error:
                raise SolverUndecided(f"z3: {error}") from error
        if answer == 0:
            reason = self._core.solver_get_reason_unknown(self._context, self._native.handle)
            # z3 also calls a search "canceled" that has used up its `rlimit`.
            raise SolverUndecided("z3 used up its effort" if reason == "canceled" else f"z3: {reason}")
        if answer < 0:
            return None
        model = Z3Model(self._translation, self._native_model)
        self._last = weakref.ref(model)
        return model

    def _keep_model(self) -> None:
        """Called before a change, with which z3 forgets the model: whoever still has it may ask it later."""
        model = self._last()
        if model is not None:
            model.keep()

    def _native_model(self) -> Owned:
        """Raises `SolverUndecided`: an interrupt after the check leaves none."""
        try:
            native = self._core.solver_get_model(self._context, self._native.handle)
        except Z3Error as error:
            raise SolverUndecided(f"z3: {error}") from error
        return Owned(self._translation.context, "model", native)

    def _literal(self, assumption: Term) -> Any:
        """A literal equivalent to `assumption`: itself, or a fresh one defined by an equivalence.

        An equivalence is cheaper than two implications.
        """
        variable = assumption.args[0] if assumption.is_negation else assumption
        if variable.is_symbol:
            return self._translation(assumption)
        name = self._names.get(assumption)
        if name is None:
            name = self._names[assumption] = self._translation.fresh_proposition()
            if self._scopes:
                self._scopes[-1].append(assumption)
            definition = self._translation.keep(self._core.mk_eq(self._context, name, self._translation(assumption)))
            self._core.solver_assert(self._context, self._native.handle, definition)
        return name

    def _unsat_core(self, assumptions: Sequence[Term], literals: Sequence[Any]) -> tuple[Term, ...]:
        core, context = self._core, self._context
        if not literals:
            return ()
        vector = core.solver_get_unsat_core(context, self._native.handle)
        core.ast_vector_inc_ref(context, vector)
        try:
            size = core.ast_vector_size(context, vector)
            used = {core.get_ast_id(context, core.ast_vector_get(context, vector, i)) for i in range(size)}
        finally:
            core.ast_vector_dec_ref(context, vector)
        chosen = {
            a: None
            for a, literal in zip(assumptions, literals, strict=True)
            if core.get_ast_id(context, literal) in used
        }
        return tuple(chosen)


class Z3Model:
    """A model of z3; implements `Model`, and stays valid when its solver changes or dies.

    z3 builds it when it is first asked, which takes as long as a small check: most are never asked.
    """

    def __init__(self, translation: Translation, build: Callable[[], Owned]) -> None:
        self._translation = translation
        self._core = translation.core
        self._context = translation.context.ref()
        self._build: Callable[[], Owned] | None = build
        self._native: Owned | None = None
        self._known: dict[Term, Value] = {}

    def keep(self) -> None:
        """Build the model now or never: the solver is about to forget it."""
        build, self._build = self._build, None
        if build is not None:
            with suppress(SolverUndecided):
                self._native = build()

    def _built(self) -> Owned:
        self.keep()
        if self._native is None:
            raise SolverUndecided("z3: there is no model any more")
        return self._native

    def value(self, term: Term) -> Value:
        found = self._known.get(term)
        if found is None:
            found = self._read(self._evaluated(term), term.sort)
            if isinstance(found, ArrayValue):
                found = self._translation.settled(term, found)
            self._known[term] = found
        return found

    def number(self, term: Term) -> int:
        """The value of an integer term."""
        value = self.value(term)
        assert isinstance(value, int)
        return value

    def _evaluated(self, term: Term) -> Any:
        result = (Handle * 1)()
        if not self._core.model_eval(self._context, self._built().handle, self._translation(term), True, result):
            raise SolverUndecided("z3: the model does not determine a term")
        return self._translation.keep(result[0])

    def _read(self, ast: Any, sort: Sort) -> Value:
        match sort:
            case BoolSort():
                return self._boolean(ast)
            case IntSort():
                return self._integer(ast)
            case ArraySort():
                return self._array(ast)

    def _boolean(self, ast: Any) -> bool:
        value = self._core.get_bool_value(self._context, ast)
        if value == 0:
            raise SolverUndecided("z3: the model does not determine a formula")
        return bool(value > 0)

    def _integer(self, ast: Any) -> int:
        if not self._core.is_numeral_ast(self._context, ast):
            raise SolverUndecided("z3: the model does not determine an integer")
        return self._translation.numeral(ast)

    def _array(self, ast: Any) -> ArrayValue:
        core, context = self._core, self._context
        entries: dict[int, int] = {}
        while True:
            if core.get_ast_kind(context, ast) == z3.QUANTIFIER_AST:
                return self._lambda(core.get_quantifier_body(context, ast), entries)
            kind = self._kind(ast)
            if kind == z3.OP_STORE:
                index, value = self._integer(self._arg(ast, 1)), self._integer(self._arg(ast, 2))
                entries.setdefault(index, value)
                ast = self._arg(ast, 0)
            elif kind == z3.OP_CONST_ARRAY:
                return ArrayValue(self._integer(self._arg(ast, 0)), entries)
            elif kind == z3.OP_AS_ARRAY:
                return self._function(ast, entries)
            else:
                raise SolverUndecided("z3: an array of the model has no finite form")

    def _function(self, ast: Any, entries: dict[int, int]) -> ArrayValue:
        """The interpretation of an `as-array` term, below the `entries` stored over it."""
        core, context = self._core, self._context
        declaration = core.get_as_array_func_decl(context, ast)
        interpretation = core.model_get_func_interp(context, self._built().handle, declaration)
        if not interpretation:
            return ArrayValue(0, entries)
        core.func_interp_inc_ref(context, interpretation)
        try:
            for i in range(core.func_interp_get_num_entries(context, interpretation)):
                entry = core.func_interp_get_entry(context, interpretation, i)
                core.func_entry_inc_ref(context, entry)
                index = self._integer(core.func_entry_get_arg(context, entry, 0))
                value = self._integer(core.func_entry_get_value(context, entry))
                core.func_entry_dec_ref(context, entry)
                entries.setdefault(index, value)
            return ArrayValue(self._integer(core.func_interp_get_else(context, interpretation)), entries)
        finally:
            core.func_interp_dec_ref(context, interpretation)

    def _lambda(self, body: Any, entries: dict[int, int]) -> ArrayValue:
        """The map `index ↦ body` where the body is a chain of choices by `index = number`."""
        while self._is_application(body) and self._kind(body) == z3.OP_ITE:
            condition = self._arg(body, 0)
            if not self._is_application(condition) or self._kind(condition) != z3.OP_EQ:
                raise SolverUndecided("z3: an array of the model has no finite form")
            sides = [self._arg(condition, 0), self._arg(condition, 1)]
            numbers = [s for s in sides if self._core.is_numeral_ast(self._context, s)]
            if len(numbers) != 1:
                raise SolverUndecided("z3: an array of the model has no finite form")
            entries.setdefault(self._integer(numbers[0]), self._integer(self._arg(body, 1)))
            body = self._arg(body, 2)
        return ArrayValue(self._integer(body), entries)

    def _is_application(self, ast: Any) -> bool:
        return bool(self._core.is_app(self._context, ast))

    def _kind(self, ast: Any) -> int:
        declaration = self._core.get_app_decl(self._context, ast)
        return int(self._core.get_decl_kind(self._context, declaration))

    def _arg(self, ast: Any, i: int) -> Any:
        return self._core.get_app_arg(self._context, ast, i)
