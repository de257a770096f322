"""Lines that `show` adds to the report of a run: the plan, rounds, lemmas and last paths of attempts, times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interplay.presentation.folding import both_ends
from interplay.presentation.frames import frames_in_words
from interplay.presentation.plurals import counted
from interplay.presentation.run_text import RunText
from interplay.presentation.text import TextReport
from runs.events import PlanMade
from runs.runfile import StoredRun
from runs.runview import AttemptView, RecordedPath, RunView


def details(run: StoredRun, view: RunView, texts: RunText) -> Iterator[str]:
    """The details that `show` adds: the plan; rounds, predicates and last path of each attempt; phases with times."""
    if view.plan is not None:
        yield from _plan(view.plan)
    yield from TextReport(texts).reached()
    for attempt in view.attempts[1:]:
        assert attempt.event is not None
        yield ""
        yield f"Engine {attempt.event.engine}, {counted(len(attempt.event.checks), 'check')}"
        yield from _rounds(attempt)
        yield from _lemmas(attempt, texts)
        if attempt.paths:
            yield from _last_path(attempt.paths[-1], texts)
        if attempt.counters:
            yield "Counters: " + ", ".join(f"{name} {value}" for name, value in attempt.counters.items())
        if known := attempt.progress.known():
            yield "Progress: " + ", ".join(f"{name} {value}" for name, value in known)
    if view.phases:
        yield "Phases: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in _phase_times(view).items())
    yield f"Run file: {run.path}, written by {run.writer}"


def _plan(plan: PlanMade) -> Iterator[str]:
    yield ""
    yield "Program: " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in plan.features if count)
    for engine, reason in plan.engines:
        yield f"  {engine}: {reason}"
    for engine, reason in plan.left_out:
        yield f"  not {engine}: {reason}"


def _rounds(attempt: AttemptView) -> Iterator[str]:
    """A table of rounds: the numbers of states and predicates in each, and the reason why it began."""
    if attempt.rounds:
        yield f"  {'round':>5}  {'states':>6}  {'lemmas':>6}  reason"
    for one in both_ends(attempt.rounds):
        if one is None:
            yield "      …"
            continue
        nodes, lemmas = attempt.nodes_at_event(one.shown_at), len(attempt.lemmas_at_event(one.shown_at))
        yield f"  {one.number:>5}  {nodes:>6}  {lemmas:>6}  {one.reason}"


def _lemmas(attempt: AttemptView, texts: RunText) -> Iterator[str]:
    """The lemmas with their roles, origins and places, without trivial ones."""
    known = (lemma for lemma in attempt.lemmas if lemma.event.formula >= 0)
    lemmas = [lemma for lemma in known if texts.formula(attempt, lemma.event.formula) != "true"]
    shown = [one for one in lemmas if texts.is_told(attempt, one.event.formula, one.event.place)]
    if lemmas:
        yield "Lemmas:"
    for lemma in both_ends(shown):
        if lemma is None:
            yield "  …"
            continue
        event, frames = lemma.event, frames_in_words(lemma.levels[-1][1] if lemma.levels else None)
        where = "everywhere" if event.place is None else texts.place(event.place)
        what = f"frames {frames}" if frames else event.role
        yield f"  {what} ({event.origin}), {where}: {texts.formula(attempt, event.formula, event.place)}"
    if len(shown) < len(lemmas):
        yield f"  ({counted(len(lemmas) - len(shown), 'lemma')} about memory not shown)"


def _last_path(path: RecordedPath, texts: RunText) -> Iterator[str]:
    """The edges of the last abstract path; those of its core are marked."""
    yield f"Last path, to check {path.event.check} ({path.event.result}):"
    edges = path.event.edges
    for position in both_ends(texts.own(edges)):
        if position is None:
            yield "  …"
            continue
        yield f"  {'*' if position in path.event.core else ' '} {texts.edge(edges[position])}"


def _phase_times(view: RunView) -> Mapping[str, float]:
    times: dict[str, float] = {}
    for phase in view.phases:
        end = view.seconds if phase.end is None else phase.end
        times[phase.name] = times.get(phase.name, 0.0) + end - phase.start
    return times
