"""The table of the paper of `pdr`: time, frames, solver calls and clauses for each example about lists.

    python -m benchmarks.lists [FILE.c …]

Without files: those of `resources/examples/lists`. A comment `Property: NAMES` in a file says what is asked. Prints for
each program the outcomes of its checks, CPU seconds of the engine, the last frame, calls of SAT solvers, clauses of the
invariants and how many of them are quantified, the statements of the longest counterexample, and CPU seconds of the
check of the certificates.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from benchmarks.explicit_states import Silent
from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.limits import Limits, NoAnswer
from core.program import Program
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import literals
from core.verdict import Certificate, Outcome, Safe, Unsafe
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from methods.engines.pdr.engine import PdrEngine
from runs.events import Counter, Event, RoundStarted

FOLDER = Path(__file__).parent.parent / "resources" / "examples" / "lists"


class Recorder(Silent):
    """A context that keeps events."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)


def program_of(path: Path) -> Program:
    asked = re.search(r"^ \* Property: (\S+)$", path.read_text("utf-8"), re.MULTILINE)
    request = Request(task=str(path), property=asked and asked[1])
    return DefaultServices().load(request, lambda name: Path(name).read_text("utf-8"), lambda _: None).program


def measured(program: Program, seconds: float) -> Iterator[str]:
    """The columns of the table for one program."""
    checks = [check.id for check in program.checks]
    context, started = Recorder(seconds), time.process_time()
    try:
        outcomes = PdrEngine().run(program, checks, context)
    except NoAnswer as reason:
        yield str(reason)
        return
    spent = time.process_time() - started
    yield ", ".join(dict.fromkeys(type(one).__name__.lower() for one in outcomes.values()))
    yield f"{spent:.2f}"
    frames = [event.reason for event in context.events if isinstance(event, RoundStarted)]
    yield frames[-1].partition(",")[0].removeprefix("frame ")
    yield str(sum(event.value for event in context.events if isinstance(event, Counter)))
    certificates = {id(one.certificate): one.certificate for one in outcomes.values() if isinstance(one, Safe)}
    clauses = [c for one in certificates.values() for f in one.invariants.values() for c in literals(f)]
    yield f"{len(clauses)} ({sum(c.is_quantified for c in clauses)})" if clauses else "–"
    yield str(max((len(one.path) for one in outcomes.values() if isinstance(one, Unsafe)), default="–"))
    yield evidence(program, certificates.values(), outcomes.items()) if certificates else "–"


def evidence(program: Program, certificates: Collection[Certificate], outcomes: Collection[tuple[int, Outcome]]) -> str:
    """CPU seconds of the check of certificates, and whether one is not accepted."""
    started, accepted = time.process_time(), True
    for certificate in certificates:
        checks = [n for n, one in outcomes if isinstance(one, Safe) and one.certificate is certificate]
        result = check_certificate(program, checks, certificate, Cvc5Factory(), Limits(), lambda _: None)
        accepted &= isinstance(result, Certified)
    return f"{time.process_time() - started:.2f}" + ("" if accepted else " (not accepted)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    print("| program | outcome | s | N | solver calls | clauses (∀) | counterexample | evidence s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in arguments.files or sorted(FOLDER.glob("*.c")):
        print("|", " | ".join([path.stem, *measured(program_of(path), arguments.seconds)]), "|", flush=True)


if __name__ == "__main__":
    main()
