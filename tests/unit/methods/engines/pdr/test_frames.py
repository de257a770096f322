"""The laws of frames (definition 4 of the paper), asked of solvers that the frames have not used, at each new frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from core.limits import Limits
from core.program import Program
from methods.engines.pdr.frames import Frames, InductiveClauses
from methods.engines.pdr.query import PathQuery
from methods.engines.pdr.universal_clauses import UniversalClause
from methods.engines.pdr.view import HeapView, KnownPointers
from tests.support.lists import list_program

WALK = "for (p = a; p; p = p->n) "
PROGRAMS = {
    "a number": WALK + "if (p->h != 1) reach_error();",
    "the last node": "p->h = 2; " + WALK + "if (p->h != 1 && p->n) reach_error();",
    "turned around": "struct node *r = 0, *t; while (a) { t = a->n; a->n = r; r = a; a = t; }"
    "for (p = r; p; p = p->n) if (p->h != 1) reach_error();",
    "some are left out": "struct node *q = 0, *t; for (p = a; p; p = t) { t = p->n;"
    "if (__VERIFIER_nondet_int()) { if (q) q->n = t; else a = t; } else q = p; }"
    + WALK
    + "if (p->h != 1) reach_error();",
    "wrong": "p->h = 2; " + WALK + "if (p->h != 1) reach_error();",
}


class Laws:
    """Frames of a program, and the laws that they are found to break."""

    def __init__(self, program: Program) -> None:
        assert program.memory is not None
        self.view = HeapView(program, program.memory, Limits())
        self.frames = Frames(self.view, KnownPointers.LIVE, lambda: None, self._on_frame, lambda _: None)
        self.broken: list[str] = []
        self.asked = 0
        self.is_inductive = False

    def run(self) -> Laws:
        with closing(self.frames) as frames:
            found = frames.check()
            self.is_inductive = isinstance(found, InductiveClauses)
            self.broken += self._followed()
            if isinstance(found, InductiveClauses):
                self.broken += self._safe(lambda at: [one for one in found.lemmas if one.at == at])
        return self

    def _on_frame(self, number: int) -> None:
        self.broken += self._followed()
        self.broken += self._safe(lambda at: self._frame(at, number - 1))

    def _frame(self, at: object, level: int) -> list[UniversalClause]:
        return [one for one in self.frames.lemmas.get(at, ()) if one.level >= level]  # type: ignore[call-overload]

    def _again(self, query: PathQuery) -> PathQuery:
        self.asked += 1
        return PathQuery(self.view, KnownPointers.LIVE, query.source, query.steps, query.target, query.failing)

    def _followed(self) -> Iterator[str]:
        """Each step from a frame leads into the next one; and so from the start into the first."""
        start = self.view.expansion.start
        for query in self.frames.queries:
            for one in self.frames.lemmas.get(query.target, ()) if query.target is not None else ():
                if query.source != start and one.level == 1:
                    continue  # the frame before has the start alone
                with closing(self._again(query)) as again:
                    if again.blocks(self._frame(query.source, one.level - 1), one.cube) is None:
                        yield f"clause {one.id} of frame {one.level} does not follow from the frame before"

    def _safe(self, frame: Callable[[object], list[UniversalClause]]) -> Iterator[str]:
        """No state of a frame leads to an error at once."""
        for query in self.frames.errors:
            with closing(self._again(query)) as again:
                if again.start(frame(query.source)) is not None:
                    yield "a state of a frame leads to an error"


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.long
def test_frames_keep_their_laws(name: str) -> None:
    laws = Laws(list_program(PROGRAMS[name])).run()
    assert not laws.broken
    assert laws.asked > 10
    assert laws.is_inductive == (name != "wrong")


def pushes_all(_: Frames, __: UniversalClause) -> bool:
    return True


def sees_one_path(self: Frames, *args: object) -> Iterator[PathQuery]:
    yield from list(ENTERING(self, *args))[:1]  # type: ignore[arg-type]


ENTERING = Frames._entering


@pytest.mark.parametrize(("name", "fault"), [("_is_inductive", pushes_all), ("_entering", sees_one_path)])
@pytest.mark.long
def test_a_fault_in_frames_breaks_a_law(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Callable[..., object]
) -> None:
    monkeypatch.setattr(Frames, name, fault)
    assert any(Laws(list_program(text)).run().broken for text in PROGRAMS.values())
