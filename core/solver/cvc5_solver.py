"""The cvc5 adapter. Only evidence is checked with it, so that no verdict rests on z3 alone.

Every factory owns one term manager; terms are translated once for it, as integers or, for `refutes_widened`, as
bit-vectors.

Deviations from the contract: a model may be read only until its solver is used again, and an array constant with a
symbolic element cannot be expressed (`SolverUndecided`). The native check holds Python's lock; a plugin that cvc5 calls
during its search lets other threads run, and ends the search after an interrupt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from core.limits import SolverUndecided
from core.solver.contract import BitMethod, IntervalOf, Sat, Unsat
from core.solver.functions import Boxes, FunctionFact, answered, has_functions
from core.terms import (
    INT,
    PROOF_SIGN,
    ArraySort,
    ArrayValue,
    BoolSort,
    IntSort,
    Op,
    Sort,
    Term,
    Treatment,
    Value,
    integer_function,
    is_uninterpreted,
    subterms,
)
from core.terms.interval import Interval

OTHER_OPERATORS = Treatment.OPAQUE

STEPS_PER_EFFORT = 200
"""cvc5 resource steps (`rlimit-per`) in one unit of effort; a unit is in the order of a millisecond."""

_BIT_METHODS: Mapping[BitMethod, tuple[str, Mapping[str, str]]] = {
    BitMethod.BITS: ("QF_ABV", {}),
    BitMethod.CASES: ("QF_ABV", {}),
    BitMethod.REMAINDERS: ("ALL", {"solve-bv-as-int": "bv"}),
}
"""The logic and the options for each method."""


class Cvc5Factory:
    """Makes solvers that share one term manager and translation cache. Implements `WideningFactory`."""

    def __init__(self, seed: int = 0) -> None:
        import cvc5

        self._cvc5: Any = cvc5
        self._seed = seed
        self._manager = cvc5.TermManager()
        self._integers = _Translation(self._manager, cvc5.Kind)
        self._widened: dict[int, _WidenedTranslation] = {}
        self._stopper = _stopper(cvc5, self._manager)

    def __call__(self, effort: int | None = None) -> Cvc5Solver:
        options = {"incremental": "true", "produce-models": "true", "produce-unsat-assumptions": "true"}
        options["unsat-cores-mode"] = "assumptions"  # else it keeps a proof of every large formula
        options["enum-inst"] = "true"  # quantifiers: it tries all terms before it gives up; nothing changes without any
        return Cvc5Solver(self, self._integers, self._native_solver("ALL", effort, options))

    def refutes(self, formulas: Sequence[Term], effort: int | None = None) -> bool:
        native = self._native_solver(_logic(formulas), effort, {})
        for formula in formulas:
            native.assertFormula(self._integers(formula))
        return self._refuted(native, formulas)

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        translation = self._widened.get(width)
        if translation is None:
            translation = self._widened[width] = _WidenedTranslation(self._manager, self._cvc5.Kind, width)
        logic, options = _BIT_METHODS[method]
        native = self._native_solver("ALL" if has_functions(formulas) else logic, effort, options)
        for formula in formulas:
            native.assertFormula(translation(formula))
        return self._refuted(native, formulas)

    def refutes_exactly(
        self, formulas: Sequence[Term], width: int, bounds_of: IntervalOf, effort: int | None = None
    ) -> bool:
        """The answer at one width for all terms, since this translation knows no other."""
        return self.refutes_widened(formulas, width, effort)

    def _refuted(self, native: Any, formulas: Sequence[Term]) -> bool:
        if self._run(native.checkSat).isUnsat():
            return True
        if has_functions(formulas):
            raise SolverUndecided("cvc5: functions may have other values than they have")
        return False

    def interrupt(self) -> None:
        self._stopper.stopped = True

    def _run(self, check: Any) -> Any:
        """The result of a native check, which is sat or unsat."""
        result = None
        if not self._stopper.stopped:
            try:
                result = check()
            except RuntimeError as error:
                raise SolverUndecided(f"cvc5: {error}") from error
        # An interrupted search ends with a made-up answer: test the flag first.
        if self._stopper.stopped or result is None:
            raise SolverUndecided("cvc5: interrupted")
        if result.isUnknown():
            raise SolverUndecided(f"cvc5: {result.getUnknownExplanation().name.lower()}")
        return result

    def _native_solver(self, logic: str, effort: int | None, options: Mapping[str, str]) -> Any:
        native = self._cvc5.Solver(self._manager)
        native.setOption("seed", str(self._seed))
        if effort is not None:
            native.setOption("rlimit-per", str(max(effort, 1) * STEPS_PER_EFFORT))
        for name, value in options.items():
            native.setOption(name, value)
        native.setLogic(logic)
        native.addPlugin(self._stopper)
        return native


def _logic(formulas: Sequence[Term]) -> str:
    """The smallest logic of SMT-LIB that has `formulas`, over integers: cvc5 is quickest there."""
    arrays = multiplies = functions = False
    for t in subterms(*formulas):
        if t.is_quantified:
            return "ALL"
        arrays = arrays or isinstance(t.sort, ArraySort)
        divides = t.op in (Op.DIVIDE, Op.MODULO) and not t.args[1].is_constant
        multiplies = multiplies or divides or t.op is Op.MULTIPLY
        functions = functions or is_uninterpreted(t)
    return f"QF_{'A' if arrays else ''}{'UF' if functions else ''}{'N' if multiplies else 'L'}IA"


def _stopper(cvc5: Any, manager: Any) -> Any:
    """A plugin that makes a search end at once when `stopped` is set, by learning falsity."""

    class Stopper(cvc5.Plugin):  # type: ignore[misc]  # the base has no type: it exists only once cvc5 is loaded
        stopped = False

        def check(self) -> list[Any]:
            return [manager.mkFalse()] if self.stopped else []

        def getName(self) -> str:  # noqa: N802  # cvc5's name
            return "stopper"

    return Stopper(manager)


class Cvc5Solver:
    """A solver of cvc5; implements `Solver`."""

    def __init__(self, factory: Cvc5Factory, translation: _Translation, native: Any) -> None:
        self._factory = factory
        self._translation = translation
        self._native = native
        self._claims: list[Term] = []  # what is asserted

    def add(self, *formulas: Term) -> None:
        for formula in formulas:
            self._native.assertFormula(self._translation(formula))
        self._claims += formulas

    @contextmanager
    def scope(self) -> Iterator[None]:
        self._native.push()
        claims = len(self._claims)
        try:
            yield
        finally:
            del self._claims[claims:]
            self._native.pop()

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        natives = [self._translation(a) for a in assumptions]

        def checked() -> Sat | Unsat:
            result = self._factory._run(lambda: self._native.checkSatAssuming(*natives))
            if result.isSat():
                return Sat(Cvc5Model(self._translation, self._native))
            used = set(self._native.getUnsatAssumptions()) if natives else set()
            core = {a: None for a, native in zip(assumptions, natives, strict=True) if native in used}
            return Unsat(tuple(core))

        if not self._translation.has_uninterpreted:
            return checked()
        return answered(checked, [*self._claims, *assumptions], self._translation.boxes, self._tell)

    def _tell(self, fact: FunctionFact) -> None:
        self._native.assertFormula(self._translation.fact(fact))


class Cvc5Model:
    """A model of cvc5; implements `Model`, until its solver is used again."""

    def __init__(self, translation: _Translation, native: Any) -> None:
        self._translation = translation
        self._native = native

    def value(self, term: Term) -> Value:
        native = self._native.getValue(self._translation(term))
        match term.sort:
            case BoolSort():
                return bool(native.getBooleanValue())
            case IntSort():
                return int(native.getIntegerValue())
            case ArraySort():
                return self._array(native)

    def _array(self, native: Any) -> ArrayValue:
        kind = self._translation.kind
        entries: dict[int, int] = {}
        while native.getKind() == kind.STORE:
            entries.setdefault(int(native[1].getIntegerValue()), int(native[2].getIntegerValue()))
            native = native[0]
        if native.getKind() != kind.CONST_ARRAY:
            raise SolverUndecided("cvc5: an array of the model has no finite form")
        return ArrayValue(int(native.getConstArrayBase().getIntegerValue()), entries)


class _Translation:
    """The translation of terms to terms of one manager, each once; integers are integers."""

    def __init__(self, manager: Any, kind: Any) -> None:
        self.manager = manager
        self.kind = kind
        self.has_uninterpreted = False
        self.boxes = Boxes()
        self._natives: dict[Term, Any] = {}
        self._functions: dict[str, Any] = {}
        self._kinds = {
            Op.NOT: kind.NOT,
            Op.AND: kind.AND,
            Op.OR: kind.OR,
            Op.IFF: kind.EQUAL,
            Op.ITE: kind.ITE,
            Op.SELECT: kind.SELECT,
            Op.STORE: kind.STORE,
        }

    def __call__(self, term: Term) -> Any:
        natives = self._natives
        stack = [term]
        while stack:
            t = stack[-1]
            if t in natives:
                stack.pop()
                continue
            missing = (
                [a for a in (*t.bound, *t.args) if a not in natives]
                if t.is_quantified
                else [a for a in t.args if a not in natives]
            )
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                natives[t] = self._node(t, [natives[a] for a in t.args])
        return natives[term]

    def fact(self, fact: FunctionFact) -> Any:
        """The fact as a native formula."""
        mk, kind = self.manager.mkTerm, self.kind
        given = [part for t, one in zip(fact.term.args, fact.arguments, strict=True) for part in self._bounds(t, one)]
        value = list(self._bounds(fact.term, fact.value))
        true = self.manager.mkTrue()
        known = mk(kind.IMPLIES, mk(kind.AND, true, true, *given), mk(kind.AND, true, true, *value))
        if not fact.term.is_commutative:
            return known
        swapped = mk(kind.APPLY_UF, self._function(fact.term), *(self(one) for one in reversed(fact.term.args)))
        return mk(kind.AND, known, mk(kind.EQUAL, self(fact.term), swapped))

    def _bounds(self, t: Term, interval: Interval) -> Iterator[Any]:
        """The bounds of a term, as far as it has any."""
        if interval.low is not None:
            yield self._less_or_equal(self._number(interval.low), self(t))
        if interval.high is not None:
            yield self._less_or_equal(self(t), self._number(interval.high))

    def sort(self, sort: Sort) -> Any:
        match sort:
            case BoolSort():
                return self.manager.getBooleanSort()
            case IntSort():
                return self._integer_sort()
            case ArraySort(index, element):
                return self.manager.mkArraySort(self.sort(index), self.sort(element))

    def _node(self, t: Term, args: list[Any]) -> Any:
        manager = self.manager
        match t.op:
            case Op.CONSTANT:
                return manager.mkBoolean(t.is_true) if t.sort is not INT else self._number(t.value)
            case Op.SYMBOL:
                return manager.mkConst(self.sort(t.sort), t.name)
            case Op.LE:
                return self._less_or_equal(args[0], self._number(t.value))
            case Op.EQ:
                return manager.mkTerm(self.kind.EQUAL, args[0], self._number(t.value))
            case Op.FORALL:
                return self._forall(t, args[0])
            case Op.CONST_ARRAY:
                return self._constant_array(t, args[0])
            case Op.LINEAR:
                return self._sum(t, args)
            case Op.MULTIPLY:
                return self._product(args)
            case Op.DIVIDE:
                return self._quotient(args[0], args[1])
            case Op.MODULO:
                return self._remainder(args[0], args[1])
            case Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
                return self._bits(t.op, args)
            case _ if is_uninterpreted(t):
                return manager.mkTerm(self.kind.APPLY_UF, self._function(t), *args)
            case _:
                return manager.mkTerm(self._kinds[t.op], *args)

    def _function(self, t: Term) -> Any:
        """The function of which cvc5 knows no more than that it is one."""
        self.has_uninterpreted = True
        function = integer_function(t)
        found = self._functions.get(function.name)
        if found is None:
            integer = self._integer_sort()
            sort = self.manager.mkFunctionSort([integer] * len(t.args), integer)
            found = self._functions[function.name] = self.manager.mkConst(sort, f"{PROOF_SIGN}{function.name}")
        return found

    def _constant_array(self, t: Term, element: Any) -> Any:
        if not t.args[0].is_constant:
            raise SolverUndecided("cvc5: an array constant with a symbolic element")
        return self.manager.mkConstArray(self.sort(t.sort), element)

    def _forall(self, t: Term, body: Any) -> Any:
        """A quantified formula: cvc5 wants variables in the place of the bound symbols, which are constants here."""
        constants = [self._natives[s] for s in t.bound]
        variables = [self.manager.mkVar(self.sort(s.sort), s.name) for s in t.bound]
        scope = self.manager.mkTerm(self.kind.VARIABLE_LIST, *variables)
        return self.manager.mkTerm(self.kind.FORALL, scope, body.substitute(constants, variables))

    # What bit-vectors do in their own way

    def _integer_sort(self) -> Any:
        return self.manager.getIntegerSort()

    def _number(self, value: int) -> Any:
        return self.manager.mkInteger(str(value))

    def _less_or_equal(self, a: Any, b: Any) -> Any:
        return self.manager.mkTerm(self.kind.LEQ, a, b)

    def _sum(self, t: Term, args: list[Any]) -> Any:
        """The value of the `LINEAR` term `t` over `args`."""
        mk, kind = self.manager.mkTerm, self.kind
        summands = [
            a if c == 1 else mk(kind.MULT, self._number(c), a) for c, a in zip(t.coefficients, args, strict=True)
        ]
        if t.constant:
            summands.append(self._number(t.constant))
        return mk(kind.ADD, *summands) if len(summands) > 1 else summands[0]

    def _product(self, args: list[Any]) -> Any:
        return self.manager.mkTerm(self.kind.MULT, *args)

    def _quotient(self, a: Any, b: Any) -> Any:
        return self.manager.mkTerm(self.kind.INTS_DIVISION, a, b)

    def _remainder(self, a: Any, b: Any) -> Any:
        return self.manager.mkTerm(self.kind.INTS_MODULUS, a, b)

    def _bits(self, op: Op, args: list[Any]) -> Any:
        raise SolverUndecided("cvc5: bit operations are decided over bit-vectors only")


class _WidenedTranslation(_Translation):
    """The translation to signed bit-vectors of `width` bits, which the caller has chosen so that nothing overflows."""

    def __init__(self, manager: Any, kind: Any, width: int) -> None:
        super().__init__(manager, kind)
        self._width = width

    def _bits(self, op: Op, args: list[Any]) -> Any:
        kind = self.kind
        kinds = {
            Op.BIT_AND: kind.BITVECTOR_AND,
            Op.BIT_OR: kind.BITVECTOR_OR,
            Op.BIT_XOR: kind.BITVECTOR_XOR,
            Op.SHIFT_LEFT: kind.BITVECTOR_SHL,
            Op.SHIFT_RIGHT: kind.BITVECTOR_ASHR,
        }
        return self.manager.mkTerm(kinds[op], *args)

    def _forall(self, t: Term, body: Any) -> Any:
        raise SolverUndecided("cvc5: a quantifier ranges over all integers, which no width holds")

    def _integer_sort(self) -> Any:
        return self.manager.mkBitVectorSort(self._width)

    def _number(self, value: int) -> Any:
        if not -(1 << (self._width - 1)) <= value < 1 << (self._width - 1):
            raise SolverUndecided(f"cvc5: {value} does not fit {self._width} bits")
        return self.manager.mkBitVector(self._width, str(value % (1 << self._width)), 10)

    def _less_or_equal(self, a: Any, b: Any) -> Any:
        return self.manager.mkTerm(self.kind.BITVECTOR_SLE, a, b)

    def _sum(self, t: Term, args: list[Any]) -> Any:
        mk, kind = self.manager.mkTerm, self.kind
        summands = [
            a if c == 1 else mk(kind.BITVECTOR_NEG, a) if c == -1 else mk(kind.BITVECTOR_MULT, self._number(c), a)
            for c, a in zip(t.coefficients, args, strict=True)
        ]
        if t.constant:
            summands.append(self._number(t.constant))
        return mk(kind.BITVECTOR_ADD, *summands) if len(summands) > 1 else summands[0]

    def _product(self, args: list[Any]) -> Any:
        return self.manager.mkTerm(self.kind.BITVECTOR_MULT, *args)

    def _quotient(self, a: Any, b: Any) -> Any:
        """The quotient whose remainder is never negative; bit-vector division rounds towards zero."""
        mk, kind = self.manager.mkTerm, self.kind
        zero, one = self._number(0), self._number(1)
        quotient = mk(kind.BITVECTOR_SDIV, a, b)
        away = mk(
            kind.ITE,
            mk(kind.BITVECTOR_SLT, b, zero),
            mk(kind.BITVECTOR_ADD, quotient, one),
            mk(kind.BITVECTOR_SUB, quotient, one),
        )
        negative = mk(kind.BITVECTOR_SLT, mk(kind.BITVECTOR_SREM, a, b), zero)
        return mk(kind.ITE, negative, away, quotient)

    def _remainder(self, a: Any, b: Any) -> Any:
        mk, kind = self.manager.mkTerm, self.kind
        zero = self._number(0)
        rest = mk(kind.BITVECTOR_SREM, a, b)
        size = mk(kind.ITE, mk(kind.BITVECTOR_SLT, b, zero), mk(kind.BITVECTOR_NEG, b), b)
        return mk(kind.ITE, mk(kind.BITVECTOR_SLT, rest, zero), mk(kind.BITVECTOR_ADD, rest, size), rest)
