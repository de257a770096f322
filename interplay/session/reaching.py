"""The question which checks an execution comes to: a true about a check that none comes to says nothing.

It is asked once the verdict is there, in a process of its own that ends within some CPU seconds, so that no answer is
lost or late. What is cheap comes first: executions of typed C on a few inputs, then bounded model checking of the
program that asks of each place whether it is reached, then the certificates of the verdict, which may exclude a place.
An execution counts once the interpreter came to the place, for all that it passes; the first are the counterexamples of
the verdict. That there is none rests on evidence that is examined like that of a verdict. Everything else is not known.

Heuristic: the inputs that are tried, and the shares of the time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

from core.analysis.scalars import ScalarView, scalar_view
from core.dataclass import dataclass
from core.limits import Limits, NoAnswer
from core.parameters import parameter, real_parameter
from core.program import Input, InputKind, Program
from core.program.float_values import float_text, input_types
from core.program.orders import ORDER
from core.program.reach import functions_of_spans, places_of, probed, spans_at, stands_for_calls
from core.program.source import is_library_body
from core.program.span import Span
from core.terms import Term
from core.verdict import Certificate, Confirmer, InputValue, Reachability, Status, Unsafe
from frontend.properties.errors import VOLATILE_READ
from frontend.typed.casts import LAYOUT, PLACE
from interplay.session.apart import Apart
from interplay.session.attempt import AttemptRunner
from interplay.session.context import Emit, Steering
from interplay.session.member_storage import NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.services import (
    EvidenceAccepted,
    EvidenceRejected,
    EvidenceVerdict,
    KnownReach,
    ReadEvidence,
    Services,
    Shortening,
)
from interplay.session.shortening import AsFound
from runs.events import Event
from runs.jsondata import as_int, as_list, as_row, as_str, parse

if TYPE_CHECKING:
    from frontend.interpreter import Budget, Choose
    from frontend.properties.errors import ErrorPolicy
    from frontend.typed.tree import TranslationUnit

_RUNS = parameter("session.reaching.runs")
_FRUITLESS = parameter("session.reaching.fruitless")
_BLOCKS = parameter("session.reaching.blocks")
_TRYING = real_parameter("session.reaching.trying")
_SEARCH = real_parameter("session.reaching.search")
_TOLD = 3  # inputs of an execution that are told
_ADDRESS = 1 << 64  # the numbers from here on are addresses


class InterpretedTask(Protocol):
    """A task as the interpreter of typed C runs it."""

    @property
    def program(self) -> Program: ...

    @property
    def seed(self) -> int: ...

    def replayed(self) -> tuple[TranslationUnit, ErrorPolicy]:
        """The program that is run, and its errors."""
        ...


@dataclass(frozen=True)
class _Watched:
    """The pieces of the source that tell of a check, and those that tell of a place."""

    checks: Mapping[Span, int]
    places: Mapping[Span, int]

    @property
    def spans(self) -> frozenset[Span]:
        return frozenset((*self.checks, *self.places))


class ReachingApart:
    """The question which of `checks` are reached, asked in a process of its own. A context manager (`Reaching`)."""

    def __init__(
        self,
        task: InterpretedTask,
        services: Services,
        checks: Sequence[int],
        evidence: ReadEvidence,
        seconds: float,
    ) -> None:
        def answers(limits: Limits) -> Iterator[bytes]:
            return _ReachSearch(task, services, checks, evidence).answers(seconds, limits)

        self._apart = Apart(answers, seconds)

    def __enter__(self) -> ReachingApart:
        return self

    def __exit__(self, *details: object) -> None:
        self._apart.__exit__(*details)

    def result(self, limits: Limits) -> Mapping[int, KnownReach]:
        found = self._apart.result(limits)
        rows = [as_row(row, 3) for row in as_list(parse((found or b"[]").decode()))]
        return {as_int(check): KnownReach(Reachability(as_str(reach)), as_str(by)) for check, reach, by in rows}


class _ReachSearch:
    """The search: what is known of places, and of the checks for which they matter."""

    def __init__(
        self, task: InterpretedTask, services: Services, checks: Sequence[int], evidence: ReadEvidence
    ) -> None:
        self._task = task
        self._services = services
        self._program = task.program
        self._evidence = evidence
        self._violated = len(checks) < len(task.program.checks)
        places = places_of(task.program, _conditions(task.replayed()[0]))
        inner = stands_for_calls(task.program)  # of them, it is not known: nobody sees these places
        self._places = {check: places[check] for check in checks if check not in inner}
        nowhere = KnownReach(Reachability.UNREACHED, "no path leads there")
        self._known = dict.fromkeys([check for check in self._places if not places[check]], nowhere)
        self._at: dict[int, KnownReach] = {}  # by place

    def answers(self, seconds: float, limits: Limits) -> Iterator[bytes]:
        """The answers so far, after each step."""
        yield self._written()
        if self._left():
            self._try(seconds)
            yield self._written()
        if self._left():
            self._ask(seconds)
            yield self._written()
        for certificate in {id(one): one for one in self._certificates()}.values():
            self._exclude(certificate, limits)
            yield self._written()

    def _certificates(self) -> Iterable[Certificate]:
        evidence = self._evidence() if self._left() else None
        return () if evidence is None else evidence.certificates.values()

    def _left(self) -> list[int]:
        """The places that matter, and about which nothing is known."""
        open_ = [places for check, places in self._places.items() if check not in self._known]
        return sorted(frozenset[int]().union(*open_) - self._at.keys())

    def _note(self, place: int, reach: Reachability, by: str) -> None:
        """Note what is known of a place, and of the checks for which that decides it."""
        self._at[place] = KnownReach(reach, by)
        for check, places in self._places.items():
            if place in places and (reach is Reachability.REACHED or places <= self._at.keys()):
                self._known.setdefault(check, self._at[place])

    def _written(self) -> bytes:
        return json.dumps([[check, one.reach.value, one.by] for check, one in self._known.items()]).encode()

    # Executions on a few inputs

    def _try(self, seconds: float) -> None:
        from frontend.interpreter import Budget
        from frontend.replay.reaching_executions import tried

        watched = self._watched()
        limits, fruitless = Limits(_TRYING * seconds), 0
        budget = Budget(_BLOCKS, _TRYING * seconds / 2)
        for told, seen in self._violations(watched, budget):
            self._credit(watched, seen, told)
        for run in tried(*self._task.replayed(), watched.spans, budget, _choices(self._task)):
            if not self._left() or fruitless == _FRUITLESS or limits.remaining() <= 0:
                return
            known = len(self._known)
            self._credit(watched, run.seen, _told(self._program, run.chosen))
            fruitless = 0 if len(self._known) > known else fruitless + 1

    def _violations(self, watched: _Watched, budget: Budget) -> Iterator[tuple[str, frozenset[Span]]]:
        """Yield the counterexamples of the verdict, each in words, with the pieces that they pass."""
        from frontend.replay.contents import replayable
        from frontend.replay.reaching_executions import passed

        evidence = self._evidence() if self._violated else None
        unit, policy = self._task.replayed()
        for check, claim in evidence.counterexamples.items() if evidence is not None else ():
            inputs = replayable(self._program, unit.data_model, claim)
            told = f"the counterexample of line {self._program.checks[check].span.line}"
            yield told, passed(unit, policy, watched.spans, inputs, budget)

    def _credit(self, watched: _Watched, seen: frozenset[Span], told: str) -> None:
        """Note an execution for all that it passes."""
        for span in seen & watched.places.keys():
            self._note(watched.places[span], Reachability.REACHED, told)
        for span in seen & watched.checks.keys():
            self._known.setdefault(watched.checks[span], KnownReach(Reachability.REACHED, told))

    def _watched(self) -> _Watched:
        """The pieces of the source that belong to one check, and those that belong to one place, with these.

        Text that several functions have in common, as that of a header, belongs to none of them.
        """
        owners, checks, places = functions_of_spans(self._program), dict[Span, list[int]](), dict[Span, list[int]]()
        for one in self._program.checks:
            checks.setdefault(one.span, []).append(one.id)
        for place in self._left():
            for span in spans_at(self._program, place):
                places.setdefault(span, []).append(place)
        return _Watched(
            {span: ids[0] for span, ids in checks.items() if len(ids) == 1 and ids[0] in self._places},
            {span: ids[0] for span, ids in places.items() if len(ids) == 1 and len(owners[span]) == 1},
        )

    # Bounded model checking

    def _ask(self, seconds: float) -> None:
        places, watched = self._left(), self._watched()
        question = _Question(self._task, places, watched.spans, passed={})
        request = Request("", engine="bmc", seed=self._task.seed, time_limit=_SEARCH * seconds)
        search = AttemptRunner(request, self._services, _ignore, Steering(), NoStorage())
        for result in search.run(question, question.program.checks):
            if result.status is Status.FALSE:
                inputs, seen = question.passed[result.check]
                told = _told(self._program, inputs)
                self._note(places[result.check], Reachability.REACHED, told)
                self._credit(watched, seen, told)
            elif result.status is Status.TRUE:
                self._note(places[result.check], Reachability.UNREACHED, result.confirmed_by)

    # Certificates

    def _exclude(self, certificate: Certificate, limits: Limits) -> None:
        """Ask of each place alone whether a certificate excludes it."""
        for place in self._left():
            try:
                question = _Question(self._task, [place], frozenset(), passed={})
                examined = question.certify(certificate, [0], limits, _ignore)
            except NoAnswer:
                limits.check()
                continue
            if isinstance(examined, EvidenceAccepted):
                self._note(place, Reachability.UNREACHED, examined.by)


@dataclass(frozen=True)
class _Question:
    """The task whose checks are places (`ExaminedTask`). A violation is an execution that comes there.

    `passed` gets its inputs, which nobody makes shorter, and which of the `watched` pieces it passes.
    """

    task: InterpretedTask
    places: Sequence[int]
    watched: frozenset[Span]
    passed: dict[int, tuple[tuple[InputValue, ...], frozenset[Span]]]

    @cached_property
    def program(self) -> Program:
        return probed(self.task.program, self.places)

    @cached_property
    def scalars(self) -> ScalarView:
        return scalar_view(self.program)

    def certify(self, certificate: Certificate, checks: Sequence[int], limits: Limits, emit: Emit) -> EvidenceVerdict:
        from interplay.session.examiners import certify

        return certify(self.program, certificate, checks, self.task.seed, limits, emit)

    def repeat(self, checks: Sequence[int], limits: Limits) -> EvidenceVerdict:
        return EvidenceRejected("no execution is a proof that there is none")

    def simplified(self, formulas: Sequence[Term], limits: Limits) -> Mapping[Term, Term]:
        return {}

    def shortening(self, check: int, claim: Unsafe, seconds: float) -> AbstractContextManager[Shortening]:
        return nullcontext(AsFound(claim, is_minimal=True))

    def replay(self, check: int, claim: Unsafe, how: ReplayMode, limits: Limits, emit: Emit) -> EvidenceVerdict:
        from frontend.interpreter import Budget
        from frontend.replay.contents import replayable
        from frontend.replay.reaching_executions import passed

        unit, policy = self.task.replayed()
        inputs = replayable(self.program, unit.data_model, claim)
        wanted = spans_at(self.task.program, self.places[check])
        seen = passed(unit, policy, wanted | self.watched, inputs, Budget(seconds=limits.remaining()))
        if not seen & wanted:
            return EvidenceRejected("the interpreter does not come there")
        self.passed[check] = claim.inputs, seen
        return EvidenceAccepted(Confirmer.INTERPRETER, Confirmer.INTERPRETER)


def _conditions(unit: TranslationUnit) -> Iterator[Span]:
    """The expressions of which a part decides whether others are evaluated."""
    from frontend.typed import tree
    from frontend.typed.traversal import nodes, unit_roots

    return (one.span for one in nodes(*unit_roots(unit)) if isinstance(one, tree.Logical | tree.Conditional))


def _choices(task: InterpretedTask) -> Iterator[Choose]:
    """Choices of inputs: the numbers next to 0, then such as the program compares with."""
    inputs = _Inputs(task.program)
    yield partial(inputs.value, lambda _: 0)
    from methods.engines.concrete.inputs import InputGenerator  # often the first execution says all

    generator = InputGenerator(task.program, task.seed)
    for style in range(_RUNS - 1):
        generator.begin(style)
        yield partial(inputs.value, generator.draw)


class _Inputs:
    """The inputs of a program by their places, as the interpreter asks for them."""

    def __init__(self, program: Program) -> None:
        self._by_place: dict[tuple[InputKind, int, int], list[Input]] = {}
        for one in program.inputs.values():
            self._by_place.setdefault((one.kind, one.span.line, one.span.column), []).append(one)

    def value(self, draw: Callable[[Term], object], kind: InputKind, span: Span, name: str) -> int | None:
        """A value within the range of the input, where it is a number; 0 for a pointer, and where it plays no part."""
        found = self._by_place.get((kind, span.line, span.column), [])
        one = next((one for one in found if one.name == name), found[0] if len(found) == 1 else None)
        if one is None or not _is_number(one):
            return None if kind is InputKind.INDETERMINATE else 0
        value = draw(one.symbol)
        return min(max(value, one.range.low), one.range.high) if one.range and isinstance(value, int) else None


def _is_number(one: Input) -> bool:
    """Whether an input is no pointer."""
    return one.range is not None and one.range.high < _ADDRESS


def _told(program: Program, inputs: Sequence[InputValue]) -> str:
    """An execution, by the first of its inputs that are numbers of the source."""
    types = {_key(program.inputs[symbol]): type_ for symbol, type_ in input_types(program).items()}
    every = [one for one in program.inputs.values() if _is_number(one) or _key(one) in types]
    known = {_key(one) for one in every if _is_told(one)}
    values = [(one, types.get(_key(one))) for one in inputs if _key(one) in known and isinstance(one.value, int)]
    counts = Counter(f"{_name(one)} = {_number(one.value, type_)} ({_place(one.span)})" for one, type_ in values)
    told = [words if count == 1 else f"{words} {count} times" for words, count in counts.items()]
    first = ", ".join(told[:_TOLD])
    more = f" and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
    return f"an execution with {first}{more}" if first else "an execution"


def _key(one: Input | InputValue) -> tuple[InputKind, str, Span]:
    return one.kind, one.name, one.span


def _number(value: object, float_type: str | None) -> str:
    return float_text(float_type, value) if float_type and isinstance(value, int) else str(value)


def _is_told(one: Input) -> bool:
    """Whether people know an input: no place of an object, no order, and no storage of what others have written."""
    is_of_others = _is_start(one.span) or is_library_body(one.name)
    return one.name not in (PLACE, LAYOUT, ORDER) and not (is_of_others and one.kind is InputKind.INDETERMINATE)


def _name(value: InputValue) -> str:
    """An input as the source names it: a function that returns it, or the variable that has it."""
    if _is_start(value.span):
        return value.name.removeprefix("__VERIFIER_nondet_")
    is_result = value.kind is not InputKind.INDETERMINATE and value.name.isidentifier()
    return f"{value.name}()" if is_result else value.name.removeprefix(VOLATILE_READ).rpartition("::")[2]


def _place(span: Span) -> str:
    return span.file.strip("<>") if _is_start(span) else f"line {span.line}"


def _is_start(span: Span) -> bool:
    """Whether a place is in the text that starts a function."""
    return span.file.startswith("<start ")


def _ignore(_: Event) -> None:
    """Events about a task beside that of the run belong to no run."""
