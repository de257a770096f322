"""A cache of answers about a run, valid until the run grows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar, cast

from runs.runview import RunView

_T = TypeVar("_T")
_NOTHING = object()


class Memo:
    """A cache of values computed from a fold; cleared when the fold has taken another event."""

    _MAX = 512  # answers; scrubbing through a long run would keep a state for each round

    def __init__(self, view: RunView) -> None:
        self._view = view
        self._position = view.position
        self._answers: dict[Hashable, object] = {}
        self._kept: dict[Hashable, object] = {}

    def keep(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """A cached value about the past of a run, which stays valid while the run grows."""
        found = self._kept.get(
            key, _NOTHING
        )  # looked up once: keys are long, and asked for thousands of times a moment
        if found is _NOTHING:
            found = self._kept[key] = make()
        return cast(_T, found)

    def grow(self) -> None:
        """Forget answers that depend on the time: it goes on without events, too."""
        self._answers.clear()

    def has(self, key: Hashable) -> bool:
        """Whether a value is cached."""
        return key in self._kept

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The cached value of `key`, a name with arguments; all values of a key have the same type."""
        if self._position != self._view.position:
            self._answers.clear()
            self._position = self._view.position
        if key not in self._answers:
            if len(self._answers) >= self._MAX:
                del self._answers[next(iter(self._answers))]
            self._answers[key] = make()
        return cast(_T, self._answers[key])


def drained(pieces: Iterable[_T | None]) -> _T:
    """The result of a computation in pieces: its last value; the values before are None."""
    result = None
    for result in pieces:  # noqa: B007 - the last one counts
        pass
    assert result is not None
    return result


def drained_into(memo: Memo, key: Hashable, pieces: Iterable[_T | None]) -> Iterator[None]:
    """Compute the pieces one by one, and cache the result."""
    for result in pieces:
        if result is None:
            yield
        else:
            memo.keep(key, lambda result=result: result)  # type: ignore[misc]
