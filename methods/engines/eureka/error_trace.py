"""Error traces of the abstract program, as paths of the expansion."""

from __future__ import annotations

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Edge
from core.program.expansion import At, Expansion, Step
from core.program.modular import Enter, Summary
from methods.engines.eureka.tabulation import StateNode

LONGEST_TRACE = parameter("eureka.error-trace.longest-trace")


class TraceTooLong(Exception):
    """Raised for a trace that is too long to be told, as recursion makes them."""


@dataclass(frozen=True, slots=True)
class _Returns:
    """The end of a call."""


_Item = Step | _Returns


def trace_to(node: StateNode, expansion: Expansion) -> list[Step]:
    """The steps of the expansion that lead to an abstract state; calls are walked through. Raises `TraceTooLong`."""
    found: list[Step] = []
    at = expansion.start
    for item in reversed(_backwards(node)):
        step = _returning(expansion, at) if isinstance(item, _Returns) else _matching(expansion, at, item)
        found.append(step)
        at = step.target
    return found


def _backwards(node: StateNode) -> list[_Item]:
    """The steps of the modular view that lead to a state, the last first."""
    items: list[_Item] = []
    calls: list[tuple[StateNode, Summary]] = []  # those that are still to be entered, going backwards
    current: StateNode | None = node
    while current is not None and current.step is not None:
        if len(items) > LONGEST_TRACE:
            raise TraceTooLong
        step, parent = current.step, current.parent
        if isinstance(step, Summary):
            assert parent is not None
            items.append(_Returns())
            calls.append((parent, step))
            current = current.inner
        elif isinstance(step, Enter) and calls:  # the state was reached from another call, too
            current, call = calls.pop()
            items.append(Enter(current.at, step.target, call.edges, step.transition))
        else:
            if step.edges:  # taking snapshots has none
                items.append(step)
            current = parent
    return items


def _matching(expansion: Expansion, at: At, step: Step) -> Step:
    """The step of the expansion at `at` that a step of the view is."""
    deeper = isinstance(step, Enter) or len(step.target.stack) > len(step.source.stack)
    for candidate in expansion.steps(at):
        enters = len(candidate.target.stack) > len(at.stack)
        leads_there = enters == deeper and candidate.target.location == step.target.location
        if leads_there and _ids(candidate.edges) == _ids(step.edges):
            return candidate
    raise AssertionError("a step of the view is one of the expansion")


def _returning(expansion: Expansion, at: At) -> Step:
    return next(step for step in expansion.steps(at) if len(step.target.stack) < len(at.stack))


def _ids(edges: tuple[Edge, ...]) -> list[int]:
    return [edge.id for edge in edges]
