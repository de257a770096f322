"""The execution of a path whose inputs are smallest: the first one is as near to 0 as it can be, then the second, …

Where -n and n can be, it is n. Of an array, each element that the path reads counts, and all others are 0. So the
result is determined by the path alone, whichever solver finds it.

Of paths with floating-point numbers inputs are simple instead (`methods.paths.simple_inputs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import Expansion, Step
from core.program.float_values import float_type_within
from core.solver.contract import Model, Sat, Solver, SolverFactory, Unsat
from core.terms import INT, Arena, ArraySort, ArrayValue, Term, Value, computes_with_floats, subterms
from core.verdict import Unsafe
from methods.paths.memory_models import in_memory
from methods.paths.pathformula import ChangedModel, PathFormula, execution, path_formula

EFFORT = parameter("paths.smallest.effort")
QUESTIONS = parameter("paths.smallest.questions")


def smallest_execution(
    expansion: Expansion, steps: Sequence[Step], solvers: SolverFactory, known: Unsafe | None = None
) -> tuple[Unsafe, bool]:
    """The smallest execution of `steps`, of which maybe one is known, and whether effort was enough to tell.

    Raises `SolverUndecided`.
    """
    formula = path_formula(expansion, steps)
    if _has_floats(expansion, formula):
        from methods.paths.simple_inputs import simple_execution  # what only programs with such numbers need

        return simple_execution(expansion, steps, formula, solvers, known)
    solver = solvers(EFFORT)
    constraints = [c for cs in formula.constraints for c in cs]
    solver.add(*formula.facts, *constraints)
    answer = solver.check()
    if isinstance(answer, Unsat):
        raise SolverUndecided("the path is infeasible")
    search = _ModelSearch(expansion.arena, solver, answer.model)
    search.prefer(in_memory(expansion, formula.ssa, constraints))
    reads = _Reads(formula)
    is_smallest = True
    try:
        for renamed in formula.ssa.inputs:
            for symbol in sorted(renamed, key=lambda s: s.id):
                for value in reads.of(renamed[symbol]):
                    search.minimise(value)
    except SolverUndecided:
        is_smallest = False
    return execution(expansion, steps, formula, reads.model(search.model)), is_smallest


def _has_floats(expansion: Expansion, formula: PathFormula) -> bool:
    """Whether a path reads floating-point numbers, or computes with them."""
    inputs = (symbol for renamed in formula.ssa.inputs for symbol in renamed)
    is_read = any(float_type_within(expansion.range_of(symbol)) for symbol in inputs)
    return is_read or computes_with_floats(c for cs in formula.constraints for c in cs)


@dataclass
class _ModelSearch:
    """A solver that is told what is decided, and the model of its last positive answer."""

    arena: Arena
    solver: Solver
    model: Model
    questions: int = 0

    def prefer(self, wishes: Sequence[Sequence[Term]]) -> None:
        """Assert the first of the wishes that can be."""
        for wish in wishes:
            try:
                if self._can_be(self.arena.and_(*wish)):
                    self.solver.add(*wish)
                    return
            except SolverUndecided:
                return

    def minimise(self, t: Term) -> None:
        """Fix the value of a term, as near to 0 as it can be."""
        arena = self.arena
        if t.sort is not INT:
            wanted = arena.not_(t)
            self.solver.add(wanted if self._can_be(wanted) else t)
            return
        distance = self._distance(t)
        value = arena.integer(distance)
        self.solver.add(arena.equals(t, value if self._can_be(arena.equals(t, value)) else arena.integer(-distance)))

    def _distance(self, t: Term) -> int:
        """The least distance of its values from 0."""
        arena, low, high = self.arena, 0, self._known(t)
        limit = 0
        while low < high:
            within = arena.and_(arena.le(arena.integer(-limit), t), arena.le(t, arena.integer(limit)))
            if self._can_be(within):
                high = self._known(t)
                limit = (low + high) // 2
            else:
                low = limit + 1
                limit = min(2 * limit + 1, (low + high) // 2)
        return low

    def _known(self, t: Term) -> int:
        value = self.model.value(t)
        assert isinstance(value, int)
        return abs(value)

    def _can_be(self, formula: Term) -> bool:
        """Whether the formula can hold; the model shows how. Raises `SolverUndecided`."""
        if self.model.value(formula) is True:
            return True
        self.questions += 1
        if self.questions > QUESTIONS:
            raise SolverUndecided("the effort is used up")
        answer = self.solver.check([formula])
        if isinstance(answer, Sat):
            self.model = answer.model
        return isinstance(answer, Sat)


@dataclass
class _Reads:
    """The elements of arrays that a path reads."""

    formula: PathFormula
    elements: dict[Term, dict[Term, None]] = field(init=False)

    def __post_init__(self) -> None:
        self.elements = {}
        values = self.formula.ssa.values.values()
        for t in subterms(*(c for cs in self.formula.constraints for c in cs), *values):
            if t.is_select:
                for array in t.args[0].symbols():
                    if isinstance(array.sort, ArraySort):
                        self.elements.setdefault(array, {})[t.args[1]] = None

    def of(self, symbol: Term) -> Iterator[Term]:
        """The terms that stand for what the path reads of an input."""
        if not isinstance(symbol.sort, ArraySort):
            yield symbol
            return
        for index in self.elements.get(symbol, ()):
            yield self.formula.ssa.arena.select(symbol, index)

    def model(self, model: Model) -> Model:
        """The model, in which elements that are not read are 0."""
        arrays: dict[Term, Value] = {}
        for renamed in self.formula.ssa.inputs:
            for symbol in renamed.values():
                if isinstance(symbol.sort, ArraySort):
                    arrays[symbol] = ArrayValue(0, dict(self._elements(symbol, model)))
        return ChangedModel(model, arrays)

    def _elements(self, symbol: Term, model: Model) -> Iterator[tuple[int, int]]:
        for index in self.elements.get(symbol, ()):
            at, value = model.value(index), model.value(self.formula.ssa.arena.select(symbol, index))
            if isinstance(at, int) and isinstance(value, int) and value:
                yield at, value
