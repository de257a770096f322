"""The engine `eureka` alone on one file, without evidence: prints the verdict and its CPU seconds as JSON.

What makes a certificate of its states is evidence, too.

python -m benchmarks.eureka.alone FILE SECONDS
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.explicit_states import Silent
from core.limits import NoAnswer, cpu_used
from core.verdict import Safe, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engines.eureka.engine import EurekaEngine
from runs.events import Event, Level, PhaseStarted


class _Timed(Silent):
    """A context without a reader of events, which knows when the proof is begun."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.proving: float | None = None

    def wants(self, level: Level) -> bool:
        return level is Level.SUMMARY

    def emit(self, event: Event) -> None:
        if isinstance(event, PhaseStarted) and event.name == "prove":
            self.proving = cpu_used()


def main() -> int:
    path, seconds = Path(sys.argv[1]), float(sys.argv[2])
    program = lower(parse_program(path.read_text(encoding="utf-8"), path.name, DataModel.ILP32), UnreachCall())
    begun, context = cpu_used(), _Timed(seconds)
    try:
        outcomes = EurekaEngine().run(program, [check.id for check in program.checks], context).values()
    except NoAnswer:
        outcomes = {}.values()
    safe, unsafe = (any(isinstance(one, kind) for one in outcomes) for kind in (Safe, Unsafe))
    verdict = "false" if unsafe else "true" if safe else "unknown"
    print(json.dumps({"verdict": verdict, "cpu": round((context.proving or cpu_used()) - begun, 3)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
