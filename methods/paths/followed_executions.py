"""Executions that a solver found, followed through an unrolling while it grows: what they reach is not asked about.

Heuristic throughout: inputs that are read after the execution was found get values of no account, which need not lie
in their ranges. What follows from an execution is only that the unrolling goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from core.limits import SolverUndecided
from core.parameters import parameter
from core.solver.contract import Model
from core.terms import NotEvaluable, Term, Value, evaluate

MAX = parameter("paths.followed-executions.max")


class _Execution(dict[Term, Value]):
    """The values of symbols in one execution: those that came after the model with which it began, and the model's."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    def __missing__(self, symbol: Term) -> Value:
        value = self[symbol] = self._model.value(symbol)
        return value

    def evaluated(self, term: Term) -> Value | None:
        """The value of a term, if there is one."""
        with suppress(NotEvaluable, SolverUndecided):
            return evaluate(term, self)
        return None


class Witnesses:
    """The places of executions: at instances of an unrolling, or at steps that were taken from these."""

    def __init__(self) -> None:
        self._at: dict[object, list[_Execution]] = {}

    def add(self, instance: object, model: Model) -> None:
        """Follow the execution of a model, which reaches `instance`."""
        self._at.setdefault(instance, []).append(_Execution(model))

    def reach(self, instance: object) -> bool:
        """Whether an execution is at `instance`."""
        return instance in self._at

    def take(self, source: object, step: object, guard: Term, taken: Term) -> None:
        """Move the executions on that take a step, which they do where `guard` holds; `taken` is its literal."""
        moving: list[_Execution] = []
        staying: list[_Execution] = []
        for execution in self._at.pop(source, ()):
            (moving if execution.evaluated(guard) is True else staying).append(execution)
        if staying:
            self._at[source] = staying
        self._put(step, moving, taken)

    def define(self, symbol: Term, steps: Sequence[object], values: Sequence[Term]) -> None:
        """Note the value of a symbol after steps: each of `values` after the step at its position."""
        for step, value in zip(steps, values, strict=True):
            for execution in self._at.get(step, ()):
                found = execution.evaluated(value)
                if found is not None:
                    execution[symbol] = found

    def arrive(self, steps: Sequence[object], instance: object, guard: Term) -> None:
        """Move the executions on that arrive at an instance over `steps`; `guard` is its literal."""
        arriving = [execution for step in steps for execution in self._at.pop(step, ())]
        self._put(instance, arriving[:MAX], guard)

    def leave(self, source: object) -> None:
        """Forget the executions that took no step from an instance."""
        self._at.pop(source, None)

    def _put(self, place: object, executions: list[_Execution], literal: Term) -> None:
        if executions:
            self._at[place] = executions
        if literal.is_symbol:
            for execution in executions:
                execution[literal] = True
