"""The witness of a stored run: its loop invariants, or the violation as a sequence of C-level steps.

Everything is read from the run file: the evidence that was confirmed, the program, and the sources, which are read
again for the places and scopes that a program does not have.
"""

from __future__ import annotations

import contextlib
import hashlib
import shlex
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path

from core.pattern import pattern
from core.program import InputKind, Program, Variable
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.float_values import float_text, float_type_within
from core.program.naming import Naming
from core.program.span import Span
from core.terms import Arena, Term
from core.terms.case_lists import without_case_lists
from core.verdict import ANSWERS, Certificate, InputValue, Status, Unsafe, stated_status
from frontend.api import read_source
from frontend.options import SourceFile
from frontend.source import FrontendError
from frontend.typed.ctype import CType, Float, Integer
from frontend.typed.leaves import leaves
from frontend.typed.tree import Object
from frontend.witness.places import LoopPlace, Places, TextPoint, places
from interplay import __version__
from interplay.presentation.sarif import Invocation, to_sarif
from interplay.session.options import Section
from interplay.session.reproduction import command_of
from interplay.session.request import Request, chosen_words, files_of, read_request
from interplay.session.verification_task import VerificationTask, read_verification_task, specification
from interplay.witnesses.formats.expression import conjuncts, constant, disjunction
from interplay.witnesses.formats.known import Known, Names
from interplay.witnesses.formats.model import (
    CorrectnessWitness,
    Invariant,
    InvariantKind,
    Producer,
    SourcePosition,
    TaskFacts,
    ViolationWitness,
    Waypoint,
    WaypointKind,
    Witness,
    WitnessHeader,
)
from interplay.witnesses.formats.testsuite import TestInputs
from runs.events import CheckDecided
from runs.evidence_json import Evidence, decode_evidence
from runs.jsondata import Malformed
from runs.runfile import StoredRun
from runs.runview import RunView
from runs.serialize import decode_program

LONGEST_INVARIANT = 60_000  # characters
_MEMBER = pattern(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[\d+\])*")
_INDEX = pattern(r"\[\d+\]")
_PLAIN_NAME = pattern(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class WaypointStyle(StrEnum):
    """The form in which a violation witness gives the value of an input."""

    ASSUMPTION = "assumption"  # on the variable that is set to it, where the next statement begins
    FUNCTION_RETURN = "function-return"  # where the call ends


def witness_of(run: StoredRun, style: WaypointStyle = WaypointStyle.ASSUMPTION) -> Witness:
    """The witness of a run that ended with true or false. Raises `Malformed` for others, and `FrontendError`."""
    view = run.view()
    request = read_request(run.options())
    task = read_verification_task(request, run.source)
    header = _header(request, task)
    evidence = run.document("evidence.json")
    if view.verdict is None or stated_status(view.verdict.verdict) not in ANSWERS:
        raise Malformed("the run has no verdict true or false, so it has no witness")
    found = places(task.inputs, task.data_model, task.acsl(), task.header)
    program = decode_program(run.document("program.json"), Arena())
    decoded = Evidence({}, {}) if evidence is None else decode_evidence(evidence, program.arena)
    if view.verdict.verdict == Status.TRUE:
        return CorrectnessWitness(header, tuple(_invariants(program, decoded, found)))
    return _violation(view, program, decoded, header, found, style)


def violating_inputs(run: StoredRun) -> tuple[WitnessHeader, list[TestInputs]]:
    """The inputs of each confirmed violation. Raises `Malformed` where a run has none, and `FrontendError`."""
    request = read_request(run.options())
    header = _header(request, read_verification_task(request, run.source))
    stored = run.document("evidence.json")
    claims = {} if stored is None else decode_evidence(stored, Arena()).counterexamples
    violated = [one.check for one in run.view().checks.values() if one.status == Status.FALSE and one.check in claims]
    asked = [_asked_for(claims[check]) for check in violated]
    stored = run.document("program.json")
    types = {} if stored is None else _float_types(decode_program(stored, Arena()))
    tests = [tuple(_written(one, one.value, types) for one in values if isinstance(one.value, int)) for values in asked]
    if not tests:
        raise Malformed(f"{run.path}: a test suite needs a violation, and the run found none")
    return header, list(dict.fromkeys(tests))


def _written(input_: InputValue, value: int, types: _FloatTypes) -> int | str:
    """The value of an input as a test has it: a floating-point number as its text."""
    type_ = types.get((input_.name, input_.span))
    return value if type_ is None else float_text(type_, value)


def sarif_of(run: StoredRun) -> str:
    """The SARIF log of a run with any verdict. Raises `Malformed`."""
    stored = run.document("program.json")
    program = None if stored is None else decode_program(stored, Arena())
    command = command_of(read_request(run.options()))
    return to_sarif(run.view(), program, Invocation(__version__, command, run.sources()))


def command_line(request: Request) -> str:
    """The command line of the run, as far as it affects the verdict."""
    words = chosen_words(request, (Section.QUESTION, Section.ENGINE, Section.SEARCH))
    return shlex.join(["interplay", "verify", *files_of(request), *words])


def _header(request: Request, task: VerificationTask) -> WitnessHeader:
    configuration = " ".join([request.engine, *(f"{name}={value}" for name, value in request.options)])
    producer = Producer("interplay", __version__, configuration, command_line(request))
    files = tuple(one.file for one in task.inputs)
    hashes = {one.file: file_hash(one) for one in task.inputs}
    facts = TaskFacts(files, hashes, specification(task), "LP64" if task.data_model.is_64 else "ILP32")
    return WitnessHeader(producer, facts, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def file_hash(source: SourceFile) -> str:
    """The SHA-256 of an input file: of its bytes, where it is there and still has the text that was read."""
    path = Path(source.file)
    with contextlib.suppress(OSError, FrontendError):
        if read_source(path) == source.text:
            return hashlib.sha256(path.read_bytes()).hexdigest()
    return hashlib.sha256(source.text.encode()).hexdigest()


# Loop invariants


def _invariants(program: Program, evidence: Evidence, places: Places) -> Iterator[Invariant]:
    """The non-trivial invariants of loops, one for each certificate: a disjunction over the call stacks."""
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    seen: dict[Invariant, None] = {}
    for certificate in {id(one): one for one in evidence.certificates.values()}.values():
        for location in program.locations:
            if location.loop and location.span is not None:
                loop = places.loops.get(TextPoint(location.span.file, location.span.line, location.span.column))
                value = None if loop is None else _at_loop(expansion, certificate, location.id, loop)
                one = None if loop is None or value is None else _placed(places, loop, value)
                if one is not None:
                    seen[one] = None
    yield from seen


def _at_loop(expansion: Expansion, certificate: Certificate, location: int, loop: LoopPlace) -> str | None:
    def is_loop(at: At) -> bool:
        return at.location == location and all(call >= 0 for call in at.stack)  # no entry of a modular view

    stacks = sorted((at.stack, formula) for at, formula in certificate.invariants.items() if is_loop(at))
    reached = [(At(stack, location), formula) for stack, formula in stacks if not formula.is_false]
    program, arena = expansion.program, expansion.arena
    everywhere = Naming(program)
    parts = [
        conjuncts(
            arena,
            without_case_lists(arena, formula),
            _names(expansion, at, loop),
            partial(_member, program, everywhere, loop),
        )
        for at, formula in reached
    ]
    text = disjunction(parts) if parts else None
    return None if text is None or len(text) > LONGEST_INVARIANT else text


def _placed(found: Places, loop: LoopPlace, value: str) -> Invariant | None:
    """An invariant at its loop; where the head is the start of the body, at the first statement of that."""
    if loop.checks_first:
        if not found.names_loop(loop):
            return None
        return Invariant(InvariantKind.LOOP, _position(loop.point, loop.function), value)
    if loop.body is None or not loop.body.column:
        return None
    return Invariant(InvariantKind.LOCATION, _position(loop.body, loop.function), value)


def _names(expansion: Expansion, at: At, loop: LoopPlace) -> Names:
    """The C names of the variables at a loop: those of the current activation, and globals."""
    program = expansion.program
    function = program.functions[expansion.function(at)]
    rename = expansion.in_frame(at)
    own = {rename(x): x for x in (*function.parameters, *function.locals)}
    others = program.locals()

    def known(symbol: Term) -> Known | None:
        if symbol not in own and symbol in others:
            return None
        variable = program.variables.get(own.get(symbol, symbol))
        if variable is None or variable.range is None:
            return None
        object_ = loop.names.get(variable.name) or loop.names.get(variable.name.partition(".")[0])
        return None if object_ is None else _part(object_, variable)

    return known


def _member(program: Program, naming: Naming, loop: LoopPlace, select: Term) -> Known | None:
    """The integer in memory that is part of an object with a name, if all values that it has there are of its type."""
    variable, found = program.variables.get(select.args[0]), naming.owner(select)
    if variable is None or variable.range is None or found is None:
        return None
    (declared, path), bounds = found, variable.range
    identity = (declared.name, declared.function, declared.span)
    names = (one for one in loop.names.values() if (one.source_name, one.function, one.span) == identity)
    object_ = next(names, None)
    text = f"{declared.name}{path}"
    if object_ is None or not _MEMBER.fullmatch(text):
        return None
    suffix = _INDEX.sub("", path)
    for leaf in leaves(object_.type):
        if leaf.suffix != suffix or leaf.is_union:
            continue
        if isinstance(leaf.type, Float) and naming.float_type(select) == str(leaf.type):
            return Known(text, bounds.low, bounds.high, floating=str(leaf.type))
        if isinstance(leaf.type, Integer):
            fits = leaf.type.holds(bounds.low) and leaf.type.holds(bounds.high)
            return Known(text, bounds.low, bounds.high) if fits else None
    return None


def _part(object_: Object, variable: Variable) -> Known | None:
    """The integer, or array of integers, that is the object or a member of it."""
    bounds = variable.range
    text = object_.source_name + variable.name.removeprefix(object_.name)
    if bounds is None or not _PLAIN_NAME.fullmatch(text):
        return None
    for leaf in leaves(object_.type):
        if object_.name + leaf.suffix != variable.name or leaf.is_union:
            continue
        floating = str(leaf.type) if isinstance(leaf.type, Float) else ""
        if isinstance(leaf.type, Integer) or (floating and variable.c_type.scalar == floating):
            match leaf.lengths:
                case ():
                    return Known(text, bounds.low, bounds.high, None, floating)
                case (int(length),) if length > 0 and not leaf.suffix:
                    return Known(text, bounds.low, bounds.high, length, floating)
    return None


# Violations


def _violation(
    view: RunView, program: Program, evidence: Evidence, header: WitnessHeader, places: Places, style: WaypointStyle
) -> ViolationWitness:
    check = next(one for one in view.checks.values() if one.status == Status.FALSE)
    claim = evidence.counterexamples.get(check.check)
    if claim is None:
        raise Malformed("the run file has no inputs of the violation")
    types = _float_types(program)
    found = (_waypoint(value, places, style, types) for value in _asked_for(claim))
    waypoints = [one for one in found if one is not None]
    function = program.locations[program.checks[check.check].location].function
    target = _target(check, places, function)
    return ViolationWitness(header, (*waypoints, target))


def _asked_for(claim: Unsafe) -> list[InputValue]:
    """The numbers that the program asks for in a counterexample, in order."""
    return [one for one in claim.inputs if one.kind is InputKind.NONDET and isinstance(one.value, int)]


_FloatTypes = Mapping[tuple[str, Span], str]


def _float_types(program: Program) -> _FloatTypes:
    """The floating types of inputs, by their names and places."""
    found = ((one.name, one.span, float_type_within(one.range)) for one in program.inputs.values())
    return {(name, span): type_ for name, span, type_ in found if type_ is not None}


def _waypoint(value: InputValue, places: Places, style: WaypointStyle, types: _FloatTypes) -> Waypoint | None:
    """The waypoint at which the value of an input is known; None where the source has no such call."""
    call = places.calls.get(TextPoint(value.span.file, value.span.line, value.span.column))
    if call is None or not isinstance(value.value, int):
        return None
    target, type_ = call.target, types.get((value.name, value.span))
    is_assumed = style is WaypointStyle.ASSUMPTION and target is not None and _keeps(target.type, type_, value.value)
    if is_assumed and target is not None and call.next is not None and call.next.column:
        constraint = _equation(target.source_name, type_, value.value)
        return Waypoint(WaypointKind.ASSUMPTION, _position(call.next, call.function), constraint)
    if not places.names_end(call):
        return None
    constraint = _equation("\\result", type_, value.value)
    return Waypoint(WaypointKind.FUNCTION_RETURN, _position(call.closing, call.function), constraint, call.name)


def _keeps(target: CType, floating: str | None, value: int) -> bool:
    """Whether a variable of a type has the value of an input that it is set to."""
    if floating is not None:
        return isinstance(target, Float) and str(target) == floating
    return isinstance(target, Integer) and target.holds(value)


def _equation(name: str, floating: str | None, value: int) -> str:
    if floating is None:
        return f"{name} == {constant(value)}"
    from interplay.witnesses.formats.float_expression import equation  # what only programs with such numbers need

    return equation(floating, name, value)


def _target(check: CheckDecided, found: Places, function: str) -> Waypoint:
    """The waypoint of the violating statement; its column is left out where no call locates it."""
    call = found.calls.get(TextPoint(check.file, check.line, check.column))
    if call is not None and call.statement is not None and call.statement.line == check.line:
        return Waypoint(WaypointKind.TARGET, _position(call.statement, function))
    return Waypoint(WaypointKind.TARGET, SourcePosition(check.file, check.line, None, function))


def _position(point: TextPoint, function: str) -> SourcePosition:
    return SourcePosition(point.file, point.line, point.column or None, function)
