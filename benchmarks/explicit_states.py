"""States per second of the engine `explicit`, where every value is tracked and nothing is refined.

    python -m benchmarks.explicit_states [FILE.c …]

Without files: a loop that counts, and one that fills an array. Prints for each program the abstract states that were
reached, CPU seconds of exploration, and states per second; the exploration ends after `--seconds`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core.analysis.intervals import simplify
from core.limits import LimitReached, Limits, cpu_used
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.program.exploration_order import ExplorationStrategy
from core.solver.contract import SolverFactory
from core.solver.z3_solver import Z3Factory
from core.terms import Term
from core.verdict import Outcome
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from methods.domains.explicit import ExplicitDomain, Precision
from methods.engine import Edit
from methods.refinement.reachability_graph import ReachabilityGraph
from runs.events import Event, Level

COUNTING = """
int main(void) { int i = 0, s = 0; while (i < 1000000) { i++; s += 2; if (s < i) return 1; } return 0; }
"""
FILLING = """
int a[200];
int main(void) { int i = 0, k = 0; while (k < 1000000) { a[i] = k; i = i == 199 ? 0 : i + 1; k++; } return 0; }
"""


class Silent:
    """Implements `methods.engine.Context` for an exploration that nobody watches."""

    def __init__(self, seconds: float) -> None:
        self.limits = Limits(cpu_used() + seconds)
        self.seed = 0
        self.solver: SolverFactory = Z3Factory(0)
        self.options: Mapping[str, str] = {}

    def wants(self, level: Level) -> bool:
        return False

    def emit(self, event: Event) -> None: ...

    def term(self, term: Term) -> int:
        return -1

    def decided(self, outcomes: Mapping[int, Outcome]) -> None:
        pass

    def between_rounds(self, round: int) -> Sequence[Edit]:
        return ()


def explored(program: Program, seconds: float) -> tuple[int, float]:
    """Abstract states, and CPU seconds."""
    expansion = Expansion(simplify(program).program, BlockEncoding.BASIC)
    precision = Precision(expansion, None)
    graph = ReachabilityGraph(
        expansion, ExplicitDomain(expansion), precision, Silent(seconds), ExplorationStrategy.NEWEST_FIRST
    )
    started = time.process_time()
    with suppress(LimitReached):
        graph.explore(())
    spent = time.process_time() - started
    return sum(map(len, graph.states().values())), spent


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explicit_states", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE.c")
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="default: %(default)s")
    options = parser.parse_args(arguments)
    for name, text in _programs(options.files):
        task = DefaultServices().load(Request(name), lambda _, text=text: text, lambda _: None)  # type: ignore[misc]
        states, spent = explored(task.program, options.seconds)
        print(f"{name}: {states} states, {spent:.1f} s, {states / spent:.0f} states/s")
    return 0


def _programs(files: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not files:
        yield "counting.c", COUNTING
        yield "filling.c", FILLING
    for file in files:
        yield file, Path(file).read_text()


if __name__ == "__main__":
    sys.exit(main())
