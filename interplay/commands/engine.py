"""The command `interplay engine`: one engine on a program from standard input, its evidence on standard output.

`docs/evidence.md` describes both documents: an engine in another language takes part by reading the one and writing the
other. Nothing of the evidence is examined here: `interplay check` does that.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Mapping

from core.limits import Limits, NoAnswer
from core.parameters import choose
from core.program import Program
from core.program.span import Span
from core.terms import Arena, Term
from core.verdict import EXIT_CODES, Outcome, Status, Unknown
from frontend.source import FrontendError
from interplay.commands.inspection import guarded
from interplay.commands.options import applied
from interplay.session.context import RunContext, Steering, Watchdog
from interplay.session.default_services import DefaultServices
from interplay.session.endings import ExitCode
from interplay.session.request import Request, wrong_options
from interplay.session.scalar_outcomes import Translator
from methods.engine import NotSupported
from methods.registry import ENGINES
from runs.events import Level, Place
from runs.evidence_json import FORMAT, VERSION, encode_evidence
from runs.jsondata import Malformed, as_object, compact, parse
from runs.serialize import decode_program


def run_engine(options: Namespace) -> int:
    """Run the engine; 0 where it has evidence for every check that was asked for."""
    request = applied(Request("", engine=options.name), options)
    wrong = wrong_options(request.engine, dict(request.options))
    if wrong is not None:
        _print_error(wrong)
        return ExitCode.COMMAND_LINE
    choose(dict(request.parameters))
    output = os.dup(1)
    os.dup2(2, 1)  # what a native library prints must not get into the evidence

    def work() -> int:
        try:
            given = as_object(parse(sys.stdin.buffer.read()))
            program = decode_program(given, Arena())
        except Malformed as error:
            _print_error(f"standard input: {error}")
            return ExitCode.NOT_PARSED
        checks = tuple(options.asked or range(len(program.checks)))
        strange = [check for check in checks if not 0 <= check < len(program.checks)]
        if strange:
            _print_error(f"there is no check {strange[0]}")
            return ExitCode.COMMAND_LINE
        outcomes, status = _outcomes(request, program, checks)
        evidence = {check: one for check, one in outcomes.items() if not isinstance(one, Unknown)}
        about = {name: given[name] for name in ("options", "digest") if name in given}
        document = {"format": FORMAT, "version": VERSION, **about, **encode_evidence(evidence)}
        with open(output, "w", encoding="ascii") as stream:
            stream.write(f"{compact(document)}\n")
        return EXIT_CODES[Status.TRUE if len(evidence) == len(checks) else status]

    return guarded(work)


def _outcomes(request: Request, program: Program, checks: tuple[int, ...]) -> tuple[Mapping[int, Outcome], Status]:
    """The outcomes that the engine reports, and the status of checks that have none."""
    from core.analysis.scalars import ScalarView, scalar_view  # which takes parameters

    services = DefaultServices()
    engine = services.engine(request.engine)
    view = ScalarView(program, {}) if ENGINES[request.engine].reasons_about_arrays else scalar_view(program)
    supported = engine.supports(view.program)
    if isinstance(supported, NotSupported):
        _print_error(f"engine {engine.name}: {supported.text}")
        return {}, Status.UNKNOWN
    limits = Limits(request.time_limit)
    solver = services.solver(request, view.program)
    context = RunContext(
        lambda _: None, Level.SUMMARY, limits, request.seed, solver, dict(request.options), Steering(), _no_edits
    )
    reported: dict[int, Outcome] = {}

    def keep(outcomes: Mapping[int, Outcome]) -> bool:
        reported.update(outcomes)
        return not set(checks) <= reported.keys()

    context.report_to(keep)
    status = Status.UNKNOWN
    try:
        with Watchdog(limits, solver.interrupt):
            reported.update(engine.run(view.program, checks, context))
    except NoAnswer as error:
        _print_error(f"engine {engine.name}: {error}")
        status = Status.TIMEOUT if limits.remaining() <= 0 else status
    for check, outcome in reported.items():
        if isinstance(outcome, Unknown):
            _print_error(f"check {check}: {outcome.reason}")
    return Translator(program, view).outcomes(reported), status


def _no_edits(_: Place | None, text: str) -> Term:
    raise FrontendError(Span("", 1, 1, 1, 1), f"nobody edits {text}")


def _print_error(text: str) -> None:
    print(f"interplay: {text}", file=sys.stderr)
