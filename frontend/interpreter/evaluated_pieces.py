"""Runs that note which pieces of the source they evaluate, on recorded inputs or on such as are chosen on the way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from core.dataclass import dataclass
from core.program import InputKind
from core.program.span import Span
from core.terms import ArrayValue
from core.verdict import InputValue
from frontend.interpreter.image import Image
from frontend.interpreter.machine import Machine
from frontend.interpreter.outcome import Budget, Inputs
from frontend.properties.errors import ErrorPolicy
from frontend.source import Unsupported
from frontend.typed import tree

Choose = Callable[[InputKind, Span, str], int | None]
"""Chooses the value of an input; None where it is not for it to choose."""


@dataclass(frozen=True)
class WatchedRun:
    """A run of a program: the pieces of the source that were evaluated to their end, and the chosen inputs."""

    seen: frozenset[Span]
    chosen: tuple[InputValue, ...]


class _WatchedMachine(Machine):
    """A machine with an image whose watched pieces it notes."""

    def __init__(
        self,
        unit: tree.TranslationUnit,
        policy: ErrorPolicy,
        inputs: Inputs,
        budget: Budget,
        watched: frozenset[Span],
        choose: Choose | None,
    ) -> None:
        image = Image(unit)
        image.watched = watched
        self.noted: set[Span] = set()
        self.chosen: list[InputValue] = []
        self._choose = choose
        super().__init__(unit, policy, inputs, budget, image)

    def _vocabulary(self) -> dict[str, object]:
        return {**super()._vocabulary(), "seen": self._seen}

    def _seen(self, value: object, span: int) -> object:
        self.noted.add(self._image.spans[span])
        return value

    def _main_arguments(self) -> tuple[object, ...]:
        """The recorded arguments, else those of a program that is called without any: others are not chosen."""
        choose, self._choose = self._choose, None
        found = super()._main_arguments()
        self._choose = choose
        return found

    def _next(self, kind: InputKind, span: Span, name: str) -> int | ArrayValue | None:
        if self._choose is None:
            return super()._next(kind, span, name)
        value = self._choose(kind, span, name)
        if value is not None:
            key = (kind, span, name)
            occurrence = self._occurrences.get(key, 0)
            self._occurrences[key] = occurrence + 1
            self.chosen.append(InputValue(kind, name, span, occurrence, value))
        return value


def watched_run(
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    watched: frozenset[Span],
    inputs: Inputs,
    budget: Budget,
    choose: Choose | None = None,
) -> WatchedRun:
    """Run `main` of a complete unit as far as it is defined and within the budget, and note what it evaluates."""
    machine = _WatchedMachine(unit, policy, inputs, budget, watched, choose)
    with suppress(Unsupported):  # what was evaluated until then, was
        machine.run()
    return WatchedRun(frozenset(machine.noted), tuple(machine.chosen))
