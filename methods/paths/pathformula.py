"""Path formulas: they decide whether a path is feasible, and give its core or the inputs of an execution.

One solver asserts nothing; every constraint of every step is an assumption, so an unsatisfiable core is a slice of the
path.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from contextlib import suppress

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program import Edge, Range
from core.program.blocks import is_path
from core.program.expansion import Expansion, Step
from core.program.semantics import StaticSingleAssignment, range_facts
from core.solver.contract import Model, Sat, Solver, SolverFactory, Unsat
from core.terms import ArraySort, ArrayValue, Term, Treatment, Value, computes_with_floats, evaluate, literals
from core.verdict import InputValue, Unsafe
from methods.paths.memory_models import model_in_memory
from methods.paths.patient_solver import PLACES

OTHER_OPERATORS = Treatment.OPAQUE

_FIRST_EFFORT = parameter("paths.pathformula.first-effort")
_FIRST_BITS_EFFORT = parameter("paths.pathformula.first-bits-effort")
_BITS_EFFORT = parameter("paths.pathformula.bits-effort")


@dataclass(frozen=True)
class Infeasible:
    """The path cannot be executed: already the conjuncts `guards[i]` of the guards of its steps refute it."""

    guards: tuple[tuple[Term, ...], ...]


@dataclass(frozen=True)
class PathFormula:
    """The constraints of each step, and the assignment that numbers their symbols."""

    ssa: StaticSingleAssignment
    constraints: tuple[tuple[Term, ...], ...]
    facts: tuple[Term, ...]  # ranges of the initial values, of inputs, and of array elements that are read


@dataclass(frozen=True)
class ChangedModel:
    """A model with other values of some symbols; implements `Model`."""

    base: Model
    others: Mapping[Term, Value]

    def value(self, term: Term) -> Value:
        found = self.others.get(term)
        return self.base.value(term) if found is None else found


def path_formula(expansion: Expansion, steps: Sequence[Step]) -> PathFormula:
    """The formula that is satisfiable exactly if the path can be executed from some initial state."""
    ssa = StaticSingleAssignment(expansion.arena)
    constraints = tuple(ssa.step(step.transition, expansion.is_input) for step in steps)
    facts = range_facts(
        expansion.arena, [c for cs in constraints for c in cs], lambda s: expansion.range_of(ssa.origin.get(s, s))
    )
    return PathFormula(ssa, constraints, tuple(facts))


def check_path(
    expansion: Expansion, steps: Sequence[Step], solvers: SolverFactory, effort: int | None
) -> Infeasible | Unsafe:
    """Decide a path to an error location. Raises `SolverUndecided`."""
    formula = path_formula(expansion, steps)
    answer = decided(expansion, formula, solvers, effort)
    if isinstance(answer, Sat):
        return execution(expansion, steps, formula, answer.model)
    core = set(answer.core)
    return Infeasible(tuple(_used(step, cs, core) for step, cs in zip(steps, formula.constraints, strict=True)))


def decided(expansion: Expansion, formula: PathFormula, solvers: SolverFactory, effort: int | None) -> Sat | Unsat:
    """Whether the constraints of a path have a model, else those that refute it. Raises `SolverUndecided`.

    Of floating-point numbers z3 knows facts, while Bitwuzla computes them: each is asked with little effort first.
    """
    assumptions = list(dict.fromkeys(c for cs in formula.constraints for c in cs if not c.is_true))
    if not computes_with_floats(assumptions):
        return _by_facts(expansion, formula, assumptions, solvers(effort))
    with suppress(SolverUndecided):
        return _by_facts(expansion, formula, assumptions, solvers(_FIRST_EFFORT))
    by_bits: Sat | Unsat | None = None
    with suppress(SolverUndecided):
        by_bits = _by_bits(expansion, formula, assumptions, _FIRST_BITS_EFFORT)
    if isinstance(by_bits, Sat):
        return by_bits
    with suppress(SolverUndecided):
        return _by_facts(expansion, formula, assumptions, solvers(effort))  # which finds a small core
    return by_bits or _by_bits(expansion, formula, assumptions, _BITS_EFFORT)


def _by_facts(expansion: Expansion, formula: PathFormula, assumptions: Sequence[Term], solver: Solver) -> Sat | Unsat:
    solver.add(*formula.facts)
    answer = solver.check(assumptions)
    if isinstance(answer, Unsat):
        return answer
    return Sat(model_in_memory(expansion, formula.ssa, assumptions, solver) or answer.model)


def _by_bits(expansion: Expansion, formula: PathFormula, assumptions: Sequence[Term], effort: int) -> Sat | Unsat:
    from core.solver.bitwuzla_search import BitwuzlaSearch  # what only programs with such numbers need

    origin = formula.ssa.origin
    solver = BitwuzlaSearch(0, lambda s: expansion.range_of(origin.get(s, s)) or PLACES, effort, lambda: False)
    solver.add(*formula.facts, *assumptions)
    answer = solver.check()
    return answer if isinstance(answer, Sat) else Unsat(tuple(assumptions))


def _used(step: Step, constraints: Sequence[Term], core: Container[Term]) -> tuple[Term, ...]:
    """The conjuncts of a step's guard whose constraints are in the core (a false one always is)."""
    guard = literals(step.transition.guard)
    return tuple(g for g, c in zip(guard, constraints, strict=False) if c in core or c.is_false)


def execution(expansion: Expansion, steps: Sequence[Step], formula: PathFormula, model: Model) -> Unsafe:
    """The edges and the inputs of the execution that a model stands for."""
    values: list[InputValue] = []
    path: list[int] = []
    occurrences: dict[tuple[object, ...], int] = {}
    run = _PathExecution(expansion, model)
    choices = not all(is_path(step.edges) for step in steps)
    for step, renamed in zip(steps, formula.ssa.inputs, strict=True):
        supplied = _supplied(expansion, step, renamed, model)
        edges = run.step(step, supplied) if choices else step.edges
        path += [edge.id for edge in edges]
        for symbol in consumed_inputs(expansion, step, edges):
            known = expansion.program.inputs[symbol]
            key = (known.kind, known.name, known.span)
            occurrence = occurrences[key] = occurrences.get(key, -1) + 1
            values.append(InputValue(*key, occurrence, supplied[symbol]))
    return Unsafe(tuple(values), tuple(path))


def _supplied(expansion: Expansion, step: Step, renamed: Mapping[Term, Term], model: Model) -> dict[Term, Value]:
    """The value of every input of a step; any value of its range where the transition no longer mentions it."""
    supplied: dict[Term, Value] = {}
    for symbol in consumed_inputs(expansion, step, step.edges):
        value = model.value(renamed[symbol]) if symbol in renamed else None
        supplied[symbol] = value_in_range(symbol, value, expansion.program.inputs[symbol].range)
    return supplied


class _PathExecution:
    """A concrete execution of a path, which determines the path through each large block."""

    def __init__(self, expansion: Expansion, model: Model) -> None:
        self._expansion = expansion
        self._model = model
        self._state: dict[Term, Value] = {}

    def step(self, step: Step, supplied: Mapping[Term, Value]) -> tuple[Edge, ...]:
        """Execute a step; returns the edges that are taken."""

        def value(term: Term) -> Value:
            return evaluate(term, {s: supplied[s] if s in supplied else self._before(s) for s in term.symbols()})

        edges = self._expansion.route(step, lambda condition: value(condition) is True)
        self._state.update({x: value(new) for x, new in step.transition.updates.items()})
        return edges

    def _before(self, variable: Term) -> Value:
        if variable not in self._state:
            self._state[variable] = _clip(self._model.value(variable), self._expansion.range_of(variable))
        return self._state[variable]


def consumed_inputs(expansion: Expansion, step: Step, edges: Sequence[Edge]) -> list[Term]:
    """The inputs that `edges` of a step consume, in order, whether or not the transition still mentions them."""
    if len(step.target.stack) < len(step.source.stack):
        return []  # leaving a callee repeats the call's edge, but evaluates nothing
    return [s for edge in edges for s in expansion.inputs_of(edge)]


def value_in_range(symbol: Term, value: Value | None, bounds: Range | None) -> Value:
    """The value of a symbol, or 0 where it has none, moved into the range that every value has."""
    if value is None:
        value = ArrayValue() if isinstance(symbol.sort, ArraySort) else 0
    return _clip(value, bounds)


def _clip(value: Value, bounds: Range | None) -> Value:
    """An irrelevant value moved into the range that every value has."""
    if bounds is None or isinstance(value, bool):
        return value
    low, high = bounds.low, bounds.high
    if isinstance(value, ArrayValue):
        entries = {i: min(max(v, low), high) for i, v in value.entries.items()}
        return ArrayValue(min(max(value.default, low), high), entries)
    return min(max(value, low), high)
