"""Conversion of a derivation of false to the path of the program that it stands for.

Every inference is an arc. Its first premise is about the source of the arc; the others are summaries, each with a
derivation of its own that begins where the callee is entered. There the derivation is cut: it may give another call
that enters the callee in the same state, but the path goes on from this one.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.parameters import parameter
from core.program import Edge
from core.program.expansion import At, Expansion, Step
from core.program.modular import Enter, ModularView, Summary
from methods.clauses.clause_graph import Arc
from methods.clauses.encoding import Encoding
from methods.discovery.horn import Application
from methods.discovery.spacer import Derivation, Inference


class NotAPath(ValueError):
    """Raised when a derivation does not have the form of an execution."""


def path_of(derivation: Derivation, encoding: Encoding, view: ModularView, expansion: Expansion) -> list[Step]:
    """The steps of `expansion`, which has the same blocks as that of `view`. Raises `NotAPath`."""
    return _Unfolding(derivation, encoding, view, expansion).steps()


LONGEST_PATH = parameter("chc.derivation.longest-path")

_Item = tuple[Step, int | None]  # a step of the view; of a summary step, the inference that concludes the summary


class _Unfolding:
    def __init__(self, derivation: Derivation, encoding: Encoding, view: ModularView, expansion: Expansion) -> None:
        self._inferences = derivation.inferences
        self._encoding = encoding
        self._view = view
        self._expansion = expansion

    def steps(self) -> list[Step]:
        path: list[Step] = []
        at = self._expansion.start
        waiting: list[_Item | None] = [*reversed(self._items(len(self._inferences) - 1, to_start=True))]  # None: return
        while waiting:
            item = waiting.pop()
            if item is None:
                step = self._returning(at)
            elif not item[0].edges:
                continue  # taking snapshots
            else:
                step = self._matching(at, item[0])
                if isinstance(item[0], Summary):
                    if item[1] is None:
                        raise NotAPath("a summary without a derivation")
                    waiting.append(None)
                    waiting += self._items(item[1], to_start=False)[::-1]
            path.append(step)
            if len(path) > LONGEST_PATH:
                raise NotAPath(f"the path has more than {LONGEST_PATH} steps")
            at = step.target
        return path

    def _items(self, last: int, to_start: bool) -> list[_Item]:
        """The steps to what inference `last` concludes, from the start or from where the callee is entered."""
        arcs: list[tuple[Arc, Inference]] = []
        number: int | None = last
        while number is not None:
            inference = self._inferences[number]
            arc = self._encoding.arcs[inference.rule]
            if arc is None or (not to_start and isinstance(arc.steps[-1], Enter)):
                break
            arcs.append((arc, inference))
            number = self._source(inference)
        return [item for arc, inference in reversed(arcs) for item in self._with_summaries(arc, inference)]

    def _with_summaries(self, arc: Arc, inference: Inference) -> list[_Item]:
        premises = self._premises(inference)
        summaries = premises[len(premises) - len(arc.uses) :]
        items: list[_Item] = []
        for step in arc.steps:
            items.append((step, summaries.pop(0) if isinstance(step, Summary) and summaries else None))
        return items

    def _source(self, inference: Inference) -> int | None:
        """The inference about the source of an arc; None where that is the start."""
        arc, premises = self._encoding.arcs[inference.rule], self._premises(inference)
        return premises[0] if arc is not None and len(premises) > len(arc.uses) else None

    def _premises(self, inference: Inference) -> list[int]:
        """The premises in the order of the rule."""
        rule = self._encoding.system.rules[inference.rule]
        waiting = list(inference.premises)
        return [self._take(waiting, application) for application in rule.premises]

    def _take(self, waiting: list[int], application: Application) -> int:
        for number in waiting:
            head = self._encoding.system.rules[self._inferences[number].rule].head
            if head is not None and head.relation == application.relation:
                waiting.remove(number)
                return number
        raise NotAPath("a premise is missing")

    def _matching(self, at: At, step: Step) -> Step:
        """The step of the expansion that a step of the view is; of a summary step, its entering."""
        for candidate in self._expansion.steps(at):
            enters = len(candidate.target.stack) > len(at.stack)
            there = enters or candidate.target.location == step.target.location
            if there and enters == self._enters(step) and _same(candidate.edges, step.edges):
                return candidate
        raise NotAPath("no step of the program matches")

    def _enters(self, step: Step) -> bool:
        return isinstance(step, Enter | Summary) or len(step.target.stack) > len(step.source.stack)

    def _returning(self, at: At) -> Step:
        for candidate in self._expansion.steps(at):
            if len(candidate.target.stack) < len(at.stack):
                return candidate
        raise NotAPath("a summary does not end where its function returns")


def _same(a: Sequence[Edge], b: Sequence[Edge]) -> bool:
    return [edge.id for edge in a] == [edge.id for edge in b]
