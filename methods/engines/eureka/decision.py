"""Decides error traces by evaluation: indices become numbers, array elements scalars, and few conditions are left.

A. Armando, M. Benerecetti, J. Mantovani, "Abstraction refinement of linear programs with arrays", TACAS 2007,
section 5.

Along a trace every variable has a value, a term over the inputs; constants are folded at once. Where all indices are
numbers, reads and writes of arrays are those of a table, and what remains of the trace formula is its guards, over
scalars. Each value comes with its *origins*, the places through which it has come about. Those of the guards that
contradict each other are what the abstraction lacks.

Deviations: the paper reads the places off a proof in the theory of arrays; here the theory is not needed, and the
origins of a core take the place of its proof. A read also has the origins of the indices of all earlier writes to the
array: another value of these, and the element would be another. Where an index is no number, the path formula decides
(`methods.paths.pathformula`), and the origins are all that the trace mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Range
from core.program.expansion import Expansion, Step
from core.program.semantics import Transition
from core.solver.contract import Model, SolverFactory, Unsat
from core.terms import INT, ArraySort, ArrayValue, Op, Term, Treatment, Value, literals, rebuild, subterms
from core.verdict import InputValue, Unsafe
from methods.inference.cores import minimal, refuting
from methods.paths.pathformula import Infeasible, check_path

OTHER_OPERATORS = Treatment.EXACT

EFFORT = parameter("eureka.decision.effort")
_LARGEST_CORE = parameter("eureka.decision.largest-core")
_LARGEST_ARRAY = parameter("eureka.decision.largest-array")
_LONGEST_FORMULA = parameter("eureka.decision.longest-formula")
_NONE = frozenset[Term]()

Statements = Callable[[Step], Sequence[Transition]]


@dataclass(frozen=True)
class RefutedTrace:
    """The trace cannot be executed. Each of `reasons` has the places of one contradiction.

    `passed` has the places of all guards of the trace, also of those that hold; it is `concrete` if all indices are
    numbers.
    """

    reasons: tuple[frozenset[Term], ...]
    passed: frozenset[Term] = _NONE
    concrete: bool = True


class NotConcrete(Exception):
    """Raised where the index of an access is no number; `index` is its value, where it has one."""

    def __init__(self, index: Term | None = None) -> None:
        super().__init__()
        self.index = index


@dataclass(slots=True)
class _Contents:
    """An array along a trace: `cells` that were written, over `base` (a symbol, or the constant of all others)."""

    base: Term
    cells: dict[int, Evaluated] = field(default_factory=dict)
    origins: frozenset[Term] = _NONE  # of the array as a whole: those of indices of writes, and of copies


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A value with the places through which it has come about."""

    term: Term
    origins: frozenset[Term]


_Any = Evaluated | _Contents


def decide(
    expansion: Expansion, steps: Sequence[Step], statements: Statements, solvers: SolverFactory
) -> RefutedTrace | Unsafe:
    """Decide a trace to an error; `statements` gives the transitions of a step. Raises `SolverUndecided`."""
    try:
        evaluation = TraceEvaluation(expansion)
        for step in steps:
            evaluation.step(statements(step))
        return evaluation.decided(steps, solvers)
    except NotConcrete:
        if len(steps) > _LONGEST_FORMULA:
            return RefutedTrace((), concrete=False)  # not shown, but nothing is claimed of it either
        answer = check_path(expansion, steps, solvers, EFFORT)
        return _mentioned(expansion, steps, statements, answer) if isinstance(answer, Infeasible) else answer


class TraceEvaluation:
    """The values along a trace, and the guards that are no constants. Some inputs may be `fixed`."""

    def __init__(self, expansion: Expansion, fixed: Mapping[Term, int] = MappingProxyType({})) -> None:
        self._expansion = expansion
        self._fixed = fixed
        self._arena = expansion.arena
        self._values: dict[Term, _Any] = {}
        self._inputs: list[dict[Term, Term]] = []  # per step: input -> its copy
        self._elements: dict[Term, dict[int, Term]] = {}  # a copy of an array input, or an initial array -> its cells
        self._guards: list[Evaluated] = []
        self._passed: set[Term] = set()  # the origins of all guards
        self._ranges: dict[Term, Range] = {}  # of the symbols of the guards

    # Steps

    def step(self, statements: Sequence[Transition]) -> Mapping[Term, Evaluated | _Contents]:
        """Execute the statements of a step; returns the values of the parts of the last. Raises `NotConcrete`."""
        index = len(self._inputs)
        read = [s for part in statements for s in part.reads if self._expansion.is_input(s)]
        inputs = {s: self._arena.copy(s, f"{s.name}@{index}") for s in read}
        self._inputs.append(inputs)
        memo: Mapping[Term, _Any] = {}
        for statement in statements:
            memo = self._statement(statement, inputs)
        return memo

    def _statement(self, statement: Transition, inputs: Mapping[Term, Term]) -> Mapping[Term, _Any]:
        """Execute a statement; returns the values of its parts."""
        memo: dict[Term, _Any] = {}
        for conjunct in literals(statement.guard):
            guard = self._scalar(conjunct, inputs, memo)
            self._passed |= guard.origins
            if not guard.term.is_true:
                self._guards.append(guard)
        new = [(x, self._assigned(x, value, inputs, memo)) for x, value in statement.updates.items()]
        self._values.update(new)
        return memo

    def _assigned(self, x: Term, value: Term, inputs: Mapping[Term, Term], memo: dict[Term, _Any]) -> _Any:
        if not isinstance(x.sort, ArraySort):
            found = self._scalar(value, inputs, memo)
            return Evaluated(found.term, found.origins | {self._arena.original(x)})
        array = self._array(value, inputs, memo)
        if value.is_store and value.args[0] is x:
            return array  # its only owner
        return _Contents(array.base, dict(array.cells), array.origins)

    # Values

    def _scalar(self, t: Term, inputs: Mapping[Term, Term], memo: dict[Term, _Any]) -> Evaluated:
        for u in subterms(t):
            if u not in memo and not isinstance(u.sort, ArraySort):
                memo[u] = self._node(u, inputs, memo)
        found = memo[t]
        assert isinstance(found, Evaluated)
        return found

    def _node(self, u: Term, inputs: Mapping[Term, Term], memo: dict[Term, _Any]) -> Evaluated:
        match u.op:
            case Op.CONSTANT:
                return Evaluated(u, _NONE)
            case Op.SYMBOL:
                return self._symbol(u, inputs)
            case Op.SELECT:
                return self._read(self._array(u.args[0], inputs, memo), u, memo)
            case Op.FORALL:
                raise NotConcrete
            case _:
                return self._combined(u, memo)

    def _combined(self, u: Term, memo: Mapping[Term, _Any]) -> Evaluated:
        """The value of an operator; of choices, and of what one argument decides, with the origins that count."""
        args = [self._of(a, memo) for a in u.args]
        result = rebuild(self._arena, u, tuple(a.term for a in args))
        if u.is_choice and args[0].term.is_constant:
            chosen = args[1] if args[0].term.is_true else args[2]
            return Evaluated(result, args[0].origins | chosen.origins)
        if u.op in (Op.AND, Op.OR) and result.is_constant and result.is_true is (u.is_disjunction):
            decisive = [a.origins for a in args if a.term is result]
            if decisive:
                return Evaluated(result, min(decisive, key=len))
        return Evaluated(result, _NONE.union(*(a.origins for a in args)))

    def _of(self, t: Term, memo: Mapping[Term, _Any]) -> Evaluated:
        found = memo[t]
        assert isinstance(found, Evaluated)
        return found

    def _symbol(self, s: Term, inputs: Mapping[Term, Term]) -> Evaluated:
        if s in self._fixed:
            return Evaluated(self._arena.integer(self._fixed[s]), _NONE)
        if s in inputs:
            self._bound(inputs[s], s)
            return Evaluated(inputs[s], _NONE)
        found = self._values.get(s)
        if found is None:
            self._bound(s, s)
            found = self._values[s] = Evaluated(s, frozenset((self._arena.original(s),)))
        assert isinstance(found, Evaluated)
        return found

    def _bound(self, symbol: Term, source: Term) -> None:
        limits = self._expansion.range_of(source)
        if limits is not None:
            self._ranges[symbol] = limits

    def _array(self, t: Term, inputs: Mapping[Term, Term], memo: dict[Term, _Any]) -> _Contents:
        """The contents of an array term; writes to a variable that is assigned the result happen in place."""
        writes: list[Term] = []
        while t.is_store:
            writes.append(t)
            t = t.args[0]
        array = self._base(t, inputs, memo)
        for write in reversed(writes):
            index = self._scalar(write.args[1], inputs, memo)
            value = self._scalar(write.args[2], inputs, memo)
            if not index.term.is_constant:
                raise NotConcrete(index.term)
            array.origins |= index.origins
            array.cells[index.term.value] = value
        return array

    def _base(self, t: Term, inputs: Mapping[Term, Term], memo: dict[Term, _Any]) -> _Contents:
        if t.is_symbol and t in inputs:
            self._elements.setdefault(inputs[t], {})
            self._bound(inputs[t], t)
            return _Contents(inputs[t])
        if t.is_symbol:
            found = self._values.get(t)
            if found is None:
                self._elements.setdefault(t, {})
                self._bound(t, t)
                found = self._values[t] = _Contents(t)
            assert isinstance(found, _Contents)
            return found
        if t.op is Op.CONST_ARRAY:
            return _Contents(self._scalar(t.args[0], inputs, memo).term)
        if t.is_choice:
            condition = self._scalar(t.args[0], inputs, memo)
            if condition.term.is_constant:
                chosen = self._array(t.args[1] if condition.term.is_true else t.args[2], inputs, memo)
                return _Contents(chosen.base, dict(chosen.cells), chosen.origins | condition.origins)
        raise NotConcrete

    def _read(self, array: _Contents, u: Term, memo: Mapping[Term, _Any]) -> Evaluated:
        index = self._of(u.args[1], memo)
        if not index.term.is_constant:
            raise NotConcrete(index.term)
        k = index.term.value
        found = array.cells.get(k)
        if found is None:
            found = array.cells[k] = Evaluated(self._initial(array.base, k, u), _NONE)
        origins = found.origins | array.origins | index.origins
        if u.args[0].is_symbol and not self._expansion.is_input(u.args[0]):
            origins |= {self._arena.select(self._arena.original(u.args[0]), self._arena.integer(k))}
        return Evaluated(found.term, origins)

    def _initial(self, base: Term, k: int, u: Term) -> Term:
        """The element of an array as it was before all writes."""
        if not isinstance(base.sort, ArraySort):
            return base
        cells = self._elements[base]
        if k not in cells:
            cells[k] = self._arena.symbol(f"{base.name}[{k}]", u.sort)
            if base in self._ranges:
                self._ranges[cells[k]] = self._ranges[base]
        return cells[k]

    # The answer

    def decided(self, steps: Sequence[Step], solvers: SolverFactory) -> RefutedTrace | Unsafe:
        false = [guard.origins for guard in self._guards if guard.term.is_false]
        if false:
            return RefutedTrace(tuple(dict.fromkeys(false)), frozenset(self._passed))
        arena = self._arena
        solver = solvers(EFFORT)
        symbols = frozenset[Term]().union(*(guard.term.symbols() for guard in self._guards))
        for symbol in sorted(symbols, key=lambda s: s.id):
            limits = self._ranges.get(symbol)
            if limits is not None and symbol.sort is INT:
                solver.add(arena.between(limits.low, symbol, limits.high))
        origins: dict[Term, frozenset[Term]] = {}
        for guard in self._guards:
            known = origins.get(guard.term)
            if known is None or len(guard.origins) < len(known):
                origins[guard.term] = guard.origins
        answer = solver.check(list(origins))
        if not isinstance(answer, Unsat):
            return self._execution(steps, answer.model)
        core = answer.core if len(answer.core) > _LARGEST_CORE else minimal(answer.core, refuting(solver))
        return RefutedTrace((_NONE.union(*(origins[t] for t in core)),), frozenset(self._passed))

    def _execution(self, steps: Sequence[Step], model: Model) -> Unsafe:
        """The edges and the inputs of the execution that a model stands for."""
        values: list[InputValue] = []
        occurrences: dict[tuple[object, ...], int] = {}
        for step, copies in zip(steps, self._inputs, strict=True):
            if len(step.target.stack) < len(step.source.stack):
                continue  # leaving a callee repeats the call's edge, but evaluates nothing
            for edge in step.edges:
                for s in self._expansion.inputs_of(edge):
                    known = self._expansion.program.inputs[s]
                    key = (known.kind, known.name, known.span)
                    occurrence = occurrences[key] = occurrences.get(key, -1) + 1
                    values.append(InputValue(*key, occurrence, self._input(copies.get(s, s), known.range, model)))
        return Unsafe(tuple(values), tuple(edge.id for step in steps for edge in step.edges))

    def _input(self, copy: Term, limits: Range | None, model: Model) -> Value:
        default = 0 if limits is None else min(max(0, limits.low), limits.high)
        if isinstance(copy.sort, ArraySort):
            cells = self._elements.get(copy, {})
            return ArrayValue(default, {k: _integer(model.value(symbol)) for k, symbol in cells.items()})
        value = model.value(copy) if copy in self._ranges or copy.sort is not INT else default
        return (
            value if limits is None or isinstance(value, bool) else min(max(_integer(value), limits.low), limits.high)
        )


def _integer(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _mentioned(expansion: Expansion, steps: Sequence[Step], statements: Statements, answer: Infeasible) -> RefutedTrace:
    """The places that a trace mentions: in steps of its core, and at all. Of arrays these are all elements, if few."""
    core = [
        part.guard for step, guards in zip(steps, answer.guards, strict=True) if guards for part in statements(step)
    ]
    terms = [t for step in steps for part in statements(step) for t in (part.guard, *part.updates.values())]
    return RefutedTrace((_places(expansion, core),), _places(expansion, terms), concrete=False)


def _places(expansion: Expansion, terms: Sequence[Term]) -> frozenset[Term]:
    arena, program = expansion.arena, expansion.program
    found: set[Term] = set()
    for symbol in {arena.original(s) for t in terms for s in t.symbols()}:
        variable = program.variables.get(symbol)
        if variable is not None and not isinstance(symbol.sort, ArraySort):
            found.add(symbol)
        elif variable is not None and variable.extent is not None and variable.extent <= _LARGEST_ARRAY:
            found.update(arena.select(symbol, arena.integer(k)) for k in range(variable.extent))
    return frozenset(found)
