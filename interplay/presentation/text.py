"""A run as plain text, as `verify` prints it at the end and `show` prints it again. Read from the fold and the program.

The verdict comes first, then what it rests on. Nothing here decides anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from core.program import Call
from core.program.given import GivenInput
from core.program.own_steps import is_own
from core.program.properties import kind_of
from core.program.source import is_library_body
from core.verdict import Reachability, Status
from interplay.presentation.folding import LONGEST_TRACE, both_ends, folded, folded_inputs, repeated
from interplay.presentation.plurals import counted
from interplay.presentation.run_text import RunText, function_at, line_of, matters
from runs.events import CALLED, AttemptEnded, AttemptResult, CheckDecided, TraceShown

if TYPE_CHECKING:
    from interplay.presentation.slicing import PathSlice  # loaded where a counterexample is shown

_PLACES = 5  # of checks that are listed in a line


class TraceExtent(Enum):
    """The part of a counterexample that is shown."""

    RELEVANT = "relevant"  # what plays a part in it
    ALL = "all"


class TextReport:
    """The lines about a run on the command line."""

    def __init__(self, texts: RunText) -> None:
        self._texts = texts
        self._view = texts.view
        self._program = texts.program

    def lines(self, extent: TraceExtent) -> Iterator[str]:
        """The lines of the report, without the final `VERDICT:` line."""
        yield from self.headline()
        yield from self._checks()
        for trace in sorted(self._view.traces.values(), key=lambda one: one.check):
            yield from self._trace(trace, self._slice(trace) if extent is TraceExtent.RELEVANT else None)
        yield from self._invariants(extent)
        yield from self._rests_on()
        yield from self._portfolio()

    def headline(self) -> Iterator[str]:
        """The verdict, and for a violation which check fails and where."""
        verdict = self._view.verdict
        if verdict is None:
            yield "The run did not finish."
            return
        failing = [c for c in self._in_order() if c.status == Status.FALSE]
        if failing:
            for check in failing:
                yield f"FALSE: {_where(check)}: {check.description} {_occurs(check)}{self._reason(check)}"
        elif verdict.verdict == Status.TRUE:
            yield f"TRUE: {verdict.reason or self.proved()}"
        else:
            status = verdict.verdict.removesuffix(f" ({verdict.reason})").replace("unknown", "UNKNOWN")
            yield f"{status}: {verdict.reason}" if verdict.reason else status
        yield from (f"  {one}" for one in (*verdict.premises, *verdict.untested))
        if verdict.advice:
            yield f"  what to try: {verdict.advice}"

    def _reason(self, check: CheckDecided) -> str:
        """The reason for a memory error, where the trace tells it: `: #3 was released in line 32`."""
        trace = self._view.traces.get(check.check)
        fault = None if trace is None else self._texts.lifetimes(trace).fault
        return "" if fault is None else f": {fault.words}"

    def proved(self) -> str:
        """The statement of a proof: `2 checks can never fail`."""
        return f"{counted(len(self._view.checks), 'check')} can never fail"

    def _in_order(self) -> list[CheckDecided]:
        """The decisions in the order of the program, whichever came first."""
        return sorted(self._view.checks.values(), key=lambda one: one.check)

    def _checks(self) -> Iterator[str]:
        checks = self._in_order()
        if len({(c.status, c.confirmed_by, c.reason) for c in checks}) < 2:
            return  # the verdict says it for all
        above = ""
        for first, *others in self._grouped(checks):
            why = first.confirmed_by or first.reason
            told = "" if not why else " (the same)" if why == above else f" ({why})"
            above = why
            what = self._inside_call([first, *others]) if others else first.description
            yield f"  {first.status:8} {_where(first)}: {what}{told}"
        if {check.status for check in checks} > {Status.TRUE}:
            yield "  (true: of executions that have run into none of the others before)"

    def _grouped(self, checks: Sequence[CheckDecided]) -> Iterable[Sequence[CheckDecided]]:
        """The checks; those within one call of a library function, and with the same answer, together."""
        groups: dict[Hashable, list[CheckDecided]] = {}
        for check in checks:
            call = "" if check.status == Status.FALSE else self._library_call(check)
            key = (call, check.status, check.confirmed_by, check.reason, _where(check)) if call else check.check
            groups.setdefault(key, []).append(check)
        return groups.values()

    def _library_call(self, check: CheckDecided) -> str:
        """The text of the call of a library function that a check lies within; empty for other checks."""
        if self._program is None or not 0 <= check.check < len(self._program.checks):
            return ""
        function = self._program.locations[self._program.checks[check.check].location].function
        return self._library_calls.get(function.partition("!")[2], "") if is_library_body(function) else ""

    @cached_property
    def _library_calls(self) -> Mapping[str, str]:
        """The texts of the calls of library functions, by the numbers of the bodies that were made for them."""
        assert self._program is not None
        calls = [(edge, edge.operation.function) for edge in self._program.edges if isinstance(edge.operation, Call)]
        return {
            called.partition("!")[2]: edge.text
            for edge, called in calls
            if is_library_body(called) and is_own(self._program, function_at(self._program, edge))
        }

    def _inside_call(self, checks: Sequence[CheckDecided]) -> str:
        """The text for checks within a call: `strlen(s): 3 checks inside (null pointer, invalid access)`."""
        kinds = dict.fromkeys(kind.row.fault for check in checks if (kind := kind_of(check.property)) is not None)
        return f"{self._library_call(checks[0])}: {len(checks)} checks inside ({', '.join(kinds)})"

    def _slice(self, trace: TraceShown) -> PathSlice | None:
        """The dynamic slice of a trace; None where the path does not fit the program."""
        path = [number for number, _ in trace.steps]
        if self._program is None or not all(map(self._texts.edge_at, path)):
            return None
        from interplay.presentation.slicing import slice_of

        return slice_of(self._program, trace)

    def _trace(self, trace: TraceShown, part: PathSlice | None) -> Iterator[str]:
        check = self._view.checks.get(trace.check)
        yield ""
        is_confirmed = check is not None and check.status == Status.FALSE and check.confirmed_by
        notes = ["" if is_confirmed else "not confirmed", trace.note]
        note = f" ({'; '.join(filter(None, notes))})" if any(notes) else ""
        yield f"Trace to {_where(check)}{note}:" if check else f"Trace{note}:"
        steps = list(self._folded(trace, list(self._shown_steps(trace, part)), part))
        left_out = f"  … {len(steps) - LONGEST_TRACE} steps …"
        yield from (left_out if step is None else step for step in both_ends(steps))
        every = self._texts.given(trace)
        shown = [one for one in every if matters(trace, one, part)]
        if shown:
            yield "Inputs:"
        lines = list(map(_input_line, shown if part is None else folded_inputs(shown)))
        left_out = f"  … {len(lines) - LONGEST_TRACE} inputs …"
        yield from (left_out if line is None else line for line in both_ends(lines))
        if len(shown) < len(every):
            others = counted(len(every) - len(shown), "other input")
            yield f"  ({others} without influence; a run file has all: `--output RUN`, then `interplay show RUN`)"

    def _folded(self, trace: TraceShown, steps: Sequence[tuple[int, str]], part: PathSlice | None) -> Iterator[str]:
        """The lines of steps; without repetitions, unless all are wanted."""
        if part is None:
            yield from (line for _, line in steps)
            return
        for piece, times in folded([trace.steps[position][0] for position, _ in steps]):
            yield from (steps[place][1] for place in piece)
            if times:
                hidden = [position for position, _ in steps[piece.stop : piece.stop + times * len(piece)]]
                changes = (one for position in hidden for one in self._texts.changes(trace, position, part.has))
                yield f"  {repeated(len(piece), times, changes=changes)}"

    def _shown_steps(self, trace: TraceShown, part: PathSlice | None) -> Iterator[tuple[int, str]]:
        """The positions that change something, or count without that, each with its place and source text."""
        ends = {one.position: str(one) for one in self._texts.lifetimes(trace).steps if one.is_end}
        for position, (edge, _) in enumerate(trace.steps):
            changes = self._texts.changes(trace, position, None if part is None else part.has)
            ended = [ends[inner] for inner in self._texts.positions(trace, position) if inner in ends]
            span, source = self._texts.step(trace, position)
            source += self._violated_inside(trace, position)
            where = line_of(span) if self._texts.edge_at(edge) else f"edge {edge}"
            if changes:
                texts = (f"{name} = {value}" for name, value in changes)
                yield position, f"  {where}: {', '.join(texts)}{source and '    '}{source}"
            elif ended:
                yield position, f"  {where}: {', '.join(ended)}{source and '    '}{source}"
            elif source and part is not None and not part.steps.isdisjoint(self._texts.positions(trace, position)):
                yield position, f"  {where}: {source}"

    def _violated_inside(self, trace: TraceShown, position: int) -> str:
        """The check that is violated within the call of a library function, as a step has it."""
        told, check = self._texts.told(trace), self._view.checks.get(trace.check)
        step = None if told is None else told.own.at(position)
        return f": {check.description}" if step is not None and step.inside and check is not None else ""

    def _invariants(self, extent: TraceExtent) -> Iterator[str]:
        """The invariants at loops, a line for each conjunct; without abridgement where all is wanted."""
        found = [(attempt, one) for attempt in self._view.attempts for one in self._texts.invariants(attempt)]
        abridged = False
        title = ""
        for attempt, one in found:
            before, title = title, "Contracts" if one.place[0] == CALLED else "Loop invariants"
            if title != before:
                yield from ("", f"{title}:")
            yield f"  {self._texts.place(one.place)}:"
            shown, whole = (
                read(attempt, one.formula, one.place) for read in (self._texts.conjuncts, self._texts.whole)
            )
            abridged |= shown != whole and extent is not TraceExtent.ALL
            yield from (f"    {text}" for text in (whole if whole and extent is TraceExtent.ALL else shown))
        if abridged:
            yield "  (long conjuncts are cut; a run file has all of them: `--output RUN`, then `interplay show RUN`)"

    def _rests_on(self) -> Iterator[str]:
        verdict = self._view.verdict
        if verdict is None:
            return
        reached = self.executions()
        assumed = verdict.assumed
        if verdict.confirmed_by or assumed or reached:
            yield ""
        if verdict.confirmed_by:
            yield f"Confirmed by: {verdict.confirmed_by}"
        if assumed:
            yield f"Assumes: {'; '.join(assumed)}"
        if reached:
            yield f"Reached by: {reached}"

    def executions(self) -> str:
        """The executions that come to checks, and the checks to which none does, in words."""
        asked = [check for check in self._in_order() if check.reach and check.status != Status.FALSE]
        if len(asked) < 2:
            return "".join(map(reached_in_words, asked))
        groups = {one: [check for check in asked if check.reach == one] for one in Reachability}
        lines = Counter(line for checks in groups.values() for line in {_where(check) for check in checks})
        places = {
            one: list(dict.fromkeys(_where(c) if lines[_where(c)] == 1 else f"{_where(c)}:{c.column}" for c in checks))
            for one, checks in groups.items()
        }
        count = sum(check.reach == Reachability.REACHED for check in asked)
        parts = [f"executions ({'all' if count == len(asked) else f'{count} of'} {len(asked)} checks)"] if count else []
        for reach, words in ((Reachability.UNREACHED, "no execution"), (Reachability.NOT_KNOWN, "not known")):
            if places[reach]:
                parts.append(f"{words}: {_first(places[reach])}")
        return "; ".join(parts)

    def reached(self) -> Iterator[str]:
        """A line for each check about which it was asked whether an execution comes there."""
        asked = [check for check in self._in_order() if check.reach]
        if asked:
            yield from ("", "Executions that come to the checks:")
        for check in both_ends(asked):
            yield "  …" if check is None else f"  {_where(check)}: {check.description}: {reached_in_words(check)}"

    # Who decided

    def _portfolio(self) -> Iterator[str]:
        """The results of the engines: those that decided come first, those that were then stopped come last."""
        if self._view.plan is None:
            return
        ended = [
            (attempt.event.engine, attempt.ended) for attempt in self._view.attempts if attempt.event and attempt.ended
        ]
        by_themselves = [(engine, end) for engine, end in ended if end.result != AttemptResult.STOPPED]
        by_themselves.sort(key=lambda one: one[1].result != AttemptResult.DECIDED)
        parts = [_part(engine, end) for engine, end in by_themselves]
        stopped = [(engine, end) for engine, end in ended if end.result == AttemptResult.STOPPED]
        if stopped:
            after = ", ".join(f"{engine} after {_seconds(end)}" for engine, end in stopped)
            parts.append(f"stopped ({stopped[0][1].reason}): {after}")
        cut_off = [attempt.event.engine for attempt in self._view.attempts if attempt.event and not attempt.ended]
        if cut_off:
            parts.append(f"cut off: {', '.join(cut_off)}")
        yield f"Portfolio: {'; '.join(parts) or 'no engine was started'}"


def _part(engine: str, end: AttemptEnded) -> str:
    """The result of an attempt that was not stopped."""
    match end.result:
        case AttemptResult.DECIDED:
            return f"{engine} decided after {_seconds(end)}"
        case AttemptResult.FAILED:
            return f"{engine} failed after {_seconds(end)} ({end.reason})"
        case _:
            return f"{engine} ran {_seconds(end)} without an answer, because {end.reason}"


def _seconds(end: AttemptEnded) -> str:
    return f"{end.milliseconds / 1000:.1f} s"


def _input_line(one: GivenInput | str) -> str:
    return f"  {one}" if isinstance(one, str) else f"  {one.place[0]}:{one.place[1]}: {one}"


def _occurs(check: CheckDecided) -> str:
    """The verb for a violated check: `can fail`, `can be reached`."""
    kind = kind_of(check.property)
    return "can fail" if kind is None else kind.row.occurs


def _where(check: CheckDecided) -> str:
    return f"{check.file}:{check.line}"


def reached_in_words(check: CheckDecided) -> str:
    """The answer to the question whether an execution comes to a check; nothing where it was not asked."""
    match check.reach:
        case Reachability.REACHED:
            return check.reached_by
        case Reachability.UNREACHED:
            return f"no execution ({check.reached_by})"
        case _:
            return check.reach


def _first(places: Sequence[str]) -> str:
    """Some places, and how many more there are."""
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return f"{', '.join(places[:_PLACES])}{more}"
