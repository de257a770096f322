"""Generated programs three ways; gcc compiles many of them in one call and runs each in a forked child."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.program import Input, InputKind
from core.program.span import Span
from core.terms import ArraySort, ArrayValue, NotEvaluable, Value
from frontend.api import parse_program
from frontend.interpreter import Budget, Inputs
from frontend.interpreter.library import is_interpreted
from frontend.libc.arguments import with_arguments
from frontend.libc.expansion import with_library
from frontend.lowering import UnreachCall, lower
from frontend.replay.native import machine, sse
from frontend.replay.policy import error_policy
from frontend.source import FrontendError, Unsupported
from frontend.typed.ctype import DataModel
from tests.support.compiled import Compiled
from tests.three_way.generator import Generated
from tests.three_way.inputs import FORMULA, FREE, Vector, within
from tests.three_way.interpreted import interpret, simulate
from tests.three_way.run import End, Run, difference

VECTORS = (Vector(2, 1), Vector(3, 2))
_STEPS = 200_000
_BUDGET = Budget(steps=500_000, seconds=20.0, frames=2_000)
_FLAGS = ("-O0", "-w", "-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin", "-ffp-contract=off", "-pipe")

_HARNESS = """#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
%(formula)s
static unsigned interplay_draws;
static unsigned long long *interplay_checksum;
static long long draw(void) { return interplay_given(0, 0, interplay_draws++); }
static void interplay_end(const char *how)
{
    char text[64];
    int length = sprintf(text, "%%s %%llu\\n", how, *interplay_checksum);
    write(3, text, length);
    _exit(0);
}
int __VERIFIER_nondet_int(void) { return draw(); }
unsigned char __VERIFIER_nondet_uchar(void) { return draw(); }
short __VERIFIER_nondet_short(void) { return draw(); }
unsigned __VERIFIER_nondet_uint(void) { return draw(); }
long long __VERIFIER_nondet_longlong(void) { return draw(); }
_Bool __VERIFIER_nondet_bool(void) { return draw(); }
void __VERIFIER_assume(int holds) { if (!holds) interplay_end("stopped"); }
void interplay_exit(int code) { interplay_end("stopped"); }
void reach_error(void) { interplay_end("error"); }
%(declared)s
static int (*const mains[])(void) = {%(mains)s};
static unsigned long long *const checksums[] = {%(checksums)s};
static const unsigned vectors[][2] = {%(vectors)s};
int main(void)
{
    for (unsigned p = 0; p < sizeof mains / sizeof *mains; p++)
        for (unsigned v = 0; v < sizeof vectors / sizeof *vectors; v++) {
            int status;
            if (!fork()) {
                alarm(10);
                interplay_kind = vectors[v][0], interplay_seed = vectors[v][1];
                interplay_checksum = checksums[p];
                mains[p]();
                interplay_end("returned");
            }
            wait(&status);
            if (!WIFEXITED(status)) { char t[32]; write(3, t, sprintf(t, "killed %%d\\n", WTERMSIG(status))); }
        }
    return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome for a program: `refused` says why the front end does not take it, `different` who disagrees."""

    refused: str = ""
    ends: tuple[str, ...] = ()
    different: tuple[str, ...] = ()


def native_runs(programs: Sequence[Generated], model: DataModel, folder: Path) -> list[list[Run]]:
    """For each program the runs on all vectors."""
    texts = "\n".join(_own_main(one) for one in programs)
    (folder / "programs.c").write_text(texts)
    harness = _HARNESS % {
        "formula": FORMULA,
        "declared": "\n".join(
            f"extern int main_{one.number}(void); extern unsigned long long {one.checksum};" for one in programs
        ),
        "mains": ", ".join(f"main_{one.number}" for one in programs),
        "checksums": ", ".join(f"&{one.checksum}" for one in programs),
        "vectors": ", ".join(f"{{{one.kind}, {one.seed}}}" for one in VECTORS),
    }
    (folder / "harness.c").write_text(harness)
    command = ["gcc", *machine(model), *sse(model), *_FLAGS, "-o", "batch", "programs.c", "harness.c", "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    ended = subprocess.run(
        ["/bin/sh", "-c", "exec ./batch 3>&1 >/dev/null"], cwd=folder, check=True, capture_output=True, text=True
    )
    runs = [_run(line) for line in ended.stdout.splitlines()]
    count = len(VECTORS)
    found = [runs[i * count : (i + 1) * count] for i in range(len(programs))]
    return [[_named(run, program) for run in of_program] for program, of_program in zip(programs, found, strict=True)]


def _own_main(program: Generated) -> str:
    text = program.text.replace("int main(void)", f"int main_{program.number}(void)")
    return re.sub(r"\bexit\(", "interplay_exit(", text)


def _run(line: str) -> Run:
    how, _, value = line.partition(" ")
    if how == "killed":
        return Run(End.KILLED, detail=f"signal {value}")
    return Run(End(how), globals={"": int(value)})


def _named(run: Run, program: Generated) -> Run:
    return Run(run.end, globals={program.checksum: run.globals[""]} if run.globals else {}, detail=run.detail)


def compared(program: Generated, model: DataModel, native: Sequence[Run]) -> Answer:
    """The program in the interpreter and as a Program, against gcc."""
    try:
        unit = parse_program(program.text, f"generated_{program.number}.c", model)
        compiled = Compiled(lower(unit, UnreachCall()))
    except FrontendError as error:
        return Answer(refused=str(error))
    policy = error_policy(unit, UnreachCall())
    complete = with_arguments(with_library(unit, is_interpreted))
    ends, different = list[str](), list[str]()
    for vector, expected in zip(VECTORS, native, strict=True):
        runs = {"gcc": expected}
        try:
            runs["interpreter"] = interpret(complete, policy, _Sequence(drawn={"": _Next(vector)}), _BUDGET)
            runs["program"] = simulate(compiled, unit, _Supply(vector), _STEPS)
        except (Unsupported, NotEvaluable) as error:
            different.append(f"{vector.kind}.{vector.seed}: {error}")
        ends.append("/".join(one.end.value for one in runs.values()))
        different += [f"{vector.kind}.{vector.seed}: {text}" for text in _differences(runs, program.checksum)]
    return Answer("", tuple(ends), tuple(different))


def _differences(runs: Mapping[str, Run], checksum: str) -> list[str]:
    found: list[str] = []
    for one, other in (("gcc", "interpreter"), ("gcc", "program"), ("interpreter", "program")):
        if one in runs and other in runs:
            left, right = _plain(runs[one], checksum), _plain(runs[other], checksum)
            if left.end in (End.UNDEFINED, End.KILLED, End.CUT):
                found.append(f"{one}: {left.end.value} ({left.detail})")
            text = difference(left, right)
            if text is not None:
                found.append(f"{one}, {other}: {text}")
    return found


def _plain(run: Run, checksum: str) -> Run:
    values = {name: value for name, value in run.globals.items() if name == checksum}
    return Run(run.end, 0, (), values, run.detail)


class _Next(Mapping[int, Value]):
    """The next value of the sequence, whoever asks."""

    def __init__(self, vector: Vector) -> None:
        self._vector, self._count = vector, 0

    def next(self) -> int:
        self._count += 1
        return self._vector.value(0, 0, self._count - 1)

    def __getitem__(self, occurrence: int) -> Value:
        return self.next()

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 1


@dataclass(frozen=True)
class _Sequence(Inputs):
    """Draws in the order of the calls, wherever they stand."""

    drawn: Mapping[str, Mapping[int, Value]] = field(default_factory=dict)

    def at(self, kind: InputKind, span: Span) -> Mapping[str, Mapping[int, Value]]:
        return self.drawn if kind is InputKind.NONDET else {}


class _Supply:
    def __init__(self, vector: Vector) -> None:
        self._next = _Next(vector)

    def __call__(self, asked: Input) -> Value:
        if asked.name in FREE:
            return FREE[asked.name]
        if asked.kind is not InputKind.NONDET or asked.range is None:
            return ArrayValue() if isinstance(asked.symbol.sort, ArraySort) else 0
        return within(self._next.next(), asked.range.low, asked.range.high)
