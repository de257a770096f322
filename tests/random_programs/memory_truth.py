"""The truth about programs with memory: gcc runs each on all of its inputs, in a process of its own for every run.

A build with checks of our own (`instrument`) says which executions have undefined behaviour, and which values the holes
of a draft see. Where there is none, the program is asked for `unreach-call`, and a plain build (nothing optimised) says
which errors are reached. Else it is asked for the kinds of `--check`, and the checks say which faults come first in
each execution, in some order of evaluation. Signed overflow is not asked for and wraps around.
`tests/unit/frontend/lowering/test_checks.py` compares single operations.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from random import Random
from typing import ClassVar

from core.program.properties import CheckKind
from tests.random_programs import instrument
from tests.random_programs.enumeration import UNREACH, condition_met, condition_never_met
from tests.random_programs.generator import literal
from tests.random_programs.memory_generator import MemoryDraft, MemoryGenerator, with_checks
from tests.random_programs.memory_scope import MAY_FAIL, Feature

MAX_RUNS = 400
"""Executions of one program; a draft with more is not used."""
MAX_NAMED = 4
"""Values of a hole that a check names one by one."""
KINDS = tuple(
    kind.value
    for kind in (
        *(CheckKind.BOUNDS, CheckKind.DIVISION, CheckKind.SHIFT),
        *(CheckKind.NULL, CheckKind.DANGLING, CheckKind.BOOLEAN),
    )
)

_COMMON = ("gcc", "-std=gnu11", "-w", "-g", "-O0", "-fwrapv", "-fno-strict-aliasing")


class Build(Enum):
    """A way to compile the programs: as they are, or with checks."""

    PLAIN = ()
    CHECKED = ("-fsanitize=address",)


Violation = tuple[str, int]
"""A property and a line."""


@dataclass(frozen=True)
class Execution:
    """`inputs` as they were read. `error` is the line of `reach_error`, or 0.

    Of the `faults` each comes first in some order of evaluation; `arguable` are behaviours that may be called faults.
    """

    inputs: tuple[int, ...]
    error: int
    faults: frozenset[Violation] = frozenset()
    arguable: frozenset[Violation] = frozenset()

    @property
    def violations(self) -> frozenset[Violation]:
        """At least one of them is a violation; none where the execution has none."""
        sure = self.faults | ({(UNREACH, self.error)} if self.error else frozenset())
        return sure | self.arguable if sure else sure


@dataclass(frozen=True)
class Truth:
    """All executions of a program. `seen` has, for each hole, the values."""

    executions: tuple[Execution, ...]
    seen: dict[int, tuple[int, ...]]

    @property
    def is_defined(self) -> bool:
        """Whether no execution has undefined behaviour, but for what `-fwrapv` defines."""
        return not any(one.faults | one.arguable for one in self.executions)


@dataclass(frozen=True)
class MemoryProgram:
    """A program with what is asked of it, and the truth: which properties are violated on which lines.

    `kinds` are the checks that are asked for beside `unreach-call`. `violations` may be reported. Of each of `certain`,
    which belongs to an execution, at least one occurs.
    """

    name: str
    text: str
    kinds: tuple[str, ...]
    violations: frozenset[Violation]
    certain: frozenset[frozenset[Violation]]
    valuations: int
    features: frozenset[Feature] = frozenset()
    places: ClassVar[frozenset[Violation] | None] = None

    @property
    def safe(self) -> bool:
        return not self.certain


class NoTruth(Exception):
    """Nothing is known that could be compared with an answer; the text says why."""


def memory_programs(
    seed: str,
    first: int,
    count: int,
    features: frozenset[Feature] | None = None,
    more: frozenset[Feature] = frozenset(),
) -> list[MemoryProgram]:
    """The programs number `first` to `first + count - 1` of the sequence of `seed`. Needs gcc with AddressSanitizer.

    A number whose draft has too many executions, or an undefined behaviour without a kind, has no program.
    """
    randoms = [Random(f"{seed}/{number}") for number in range(first, first + count)]
    drafts = [MemoryGenerator(random, features, more).draft() for random in randoms]
    observed = executed([_observer(draft) for draft in drafts], Build.CHECKED)
    texts: dict[int, str] = {}
    asked: dict[int, bool] = {}
    for k, (draft, random, truth) in enumerate(zip(drafts, randoms, observed, strict=True)):
        if truth is None:
            continue
        asked[k] = not truth.is_defined or random.random() < (0.5 if draft.is_risky else 0.1)
        holes = tuple(";" for _ in draft.sites) if asked[k] else _conditions(draft, truth, random)
        texts[k] = with_checks(draft, holes)
    found: dict[int, MemoryProgram] = {}
    for wants_kinds in (False, True):
        numbers = [k for k in texts if asked[k] is wants_kinds]
        names = {k: f"memory-{seed}-{first + k}" for k in numbers}
        judged = judge([(names[k], texts[k]) for k in numbers], KINDS if wants_kinds else ())
        for k, program in zip(numbers, judged, strict=True):
            if program is not None:
                features_of = drafts[k].features
                found[k] = MemoryProgram(**{**vars(program), "features": features_of})
    return [found[k] for k in sorted(found)]


def judge(named: Sequence[tuple[str, str]], kinds: tuple[str, ...]) -> list[MemoryProgram | None]:
    """The programs with their truth; None for one that has none.

    Without kinds, undefined behaviour has no truth, nor what depends on addresses: then the two builds differ.
    """
    texts = [text for _, text in named]
    truths = executed(texts, Build.CHECKED)
    if not kinds:
        plain = executed(texts, Build.PLAIN)
        truths = [a if a is not None and a.is_defined and a == b else None for a, b in zip(truths, plain, strict=True)]
    return [
        None if truth is None else _judged(name, text, kinds, truth)
        for (name, text), truth in zip(named, truths, strict=True)
    ]


def _judged(name: str, text: str, kinds: tuple[str, ...], truth: Truth) -> MemoryProgram:
    certain = frozenset(one.violations for one in truth.executions if one.violations)
    every = frozenset().union(*certain, *(one.arguable for one in truth.executions))
    return MemoryProgram(name, text, kinds, every, certain, len(truth.executions))


def is_defined(text: str) -> bool:
    """Whether the program ends on all inputs without undefined behaviour."""
    (truth,) = executed([text], Build.CHECKED)
    return truth is not None and truth.is_defined


# What is put into the holes


def _observer(draft: MemoryDraft) -> str:
    return with_checks(draft, tuple(f"OBSERVE({k}, {site});" for k, site in enumerate(draft.sites)))


def _conditions(draft: MemoryDraft, truth: Truth, random: Random) -> tuple[str, ...]:
    is_safe = random.random() < 0.4
    found: list[str] = []
    for k, site in enumerate(draft.sites):
        seen = sorted(truth.seen.get(k, ()))
        if not is_safe and random.random() < 0.7:
            condition = condition_met(site, seen, random)
        elif 0 < len(seen) <= MAX_NAMED and random.random() < 0.7:
            condition = " && ".join(f"{site} != {literal(one)}" for one in seen)
        else:
            condition = condition_never_met(site, seen, random)
        found.append(f"if ({condition}) reach_error();")
    return tuple(found)


# Execution

_INPUT = re.compile(r"\b(\w+) = __VERIFIER_nondet_int\(\); __VERIFIER_assume\(\1 >= (-?\d+) && \1 <= (-?\d+)\);")
_TRUTH = re.compile(r"\b\w+ = __VERIFIER_nondet_bool\(\);")
_ALLOCATES = re.compile(r"\b(malloc|calloc|realloc)\(")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_KEPT = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool
    malloc calloc realloc free memcpy memset abort reach_error OBSERVE
    __VERIFIER_assume __VERIFIER_nondet_int __VERIFIER_nondet_bool""".split()  # noqa: SIM905 - words read better so
)


def input_bounds(text: str) -> dict[int, tuple[int, int]]:
    """The bounds of the input that each line reads. Raises `NoTruth` for an input without bounds on its line."""
    found: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if MAY_FAIL in text and _ALLOCATES.search(line) and not line.startswith("extern"):
            found[number] = (0, 1)
            continue
        if "__VERIFIER_nondet" not in line or line.startswith("extern"):
            continue
        match = _INPUT.search(line)
        if match is None and _TRUTH.search(line) is None:
            raise NoTruth("an input has no bounds")
        found[number] = (0, 1) if match is None else (int(match[2]), int(match[3]))
    return found


def executed(texts: Sequence[str], build: Build) -> list[Truth | None]:
    """The executions of the programs on all their inputs; None for one with too many, or that does not end."""
    if not texts:
        return []
    with tempfile.TemporaryDirectory(prefix="random-programs-") as folder:
        source, binary = Path(folder, "all.c"), Path(folder, "all")
        source.write_text("\n".join(_harness(texts, build)))
        subprocess.run([*_COMMON, *build.value, str(source), "-o", str(binary)], check=True, timeout=300)
        environment = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=0:exitcode=9"}
        done = subprocess.run([str(binary)], check=True, timeout=600, capture_output=True, text=True, env=environment)
    return [_truth(lines) for lines in _by_program(done.stdout.splitlines(), len(texts))]


def _harness(texts: Iterable[str], build: Build) -> Iterator[str]:
    yield _HEAD
    yield instrument.HEAD if build is Build.CHECKED else _CALLS
    rows: list[str] = []
    for k, text in enumerate(texts):
        words = sorted({*_WORD.findall(text), "begin"} - _KEPT)
        yield from (f"#define {word} p{k}_{word}" for word in words)
        yield from _FAILING if MAY_FAIL in text and build is Build.PLAIN else ()
        yield f'#line 1 "p{k}.c"'
        yield from _code(text, build)
        yield from ("#undef malloc", "#undef calloc", "#undef realloc")
        yield from (f"#undef {word}" for word in words)
        bounds = "".join(f"{{{line}, {low}, {high}}}, " for line, (low, high) in input_bounds(text).items())
        yield f"static struct bounds bounds_{k}[] = {{{bounds}{{0, 0, 0}}}};"
        rows.append(f"{{(int (*)(void)) p{k}_main, p{k}_begin, bounds_{k}}}")
    yield f"static struct program programs[] = {{{', '.join(rows)}}};"
    yield f"enum {{ MAX_RUNS = {MAX_RUNS} }};"
    yield _TAIL
    if build is Build.CHECKED:
        yield instrument.TAIL


def _code(text: str, build: Build) -> list[str]:
    if build is Build.PLAIN:
        plain = ("" if line.startswith(("extern", "#")) else line for line in text.splitlines())
        return [*plain, "static void begin(void) { }"]
    try:
        return instrument.instrumented(text).splitlines()
    except instrument.NotInstrumented as error:
        raise NoTruth(f"not instrumented: {error}") from None


_HEAD = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
struct bounds { int line; long long low, high; };
struct program { int (*run)(void); void (*begin)(void); struct bounds *bounds; };
enum { LONGEST = 32, SITES = 8, KEPT = 200, FAULTS = 50 };
enum { END_IS_OUTSIDE, END_IS_MEANT, END_MAY_BE_MEANT };
struct shared {
    int length, error, ended, seens[SITES], faults;
    struct { char kind[16]; int line, surely; } fault[FAULTS];
    long long digits[LONGEST], sizes[LONGEST], lows[LONGEST], seen[SITES][KEPT];
};
static struct shared *now;
static struct bounds *current;
static void finish(int error) { now->error = error; now->ended = 1; _exit(0); }
static long long choose_input(int line)
{
    struct bounds *b = current;
    while (b->line != line) b++;
    if (now->length == LONGEST) _exit(3);
    now->sizes[now->length] = b->high - b->low + 1;
    now->lows[now->length] = b->low;
    return b->low + now->digits[now->length++];
}
static void observe_value(int site, long long value)
{
    for (int i = 0; i < now->seens[site]; i++) if (now->seen[site][i] == value) return;
    if (now->seens[site] < KEPT) now->seen[site][now->seens[site]++] = value;
}
"""

_CALLS = r"""
#define OBSERVE observe_value
#define abort() finish(0)
#define reach_error() finish(__LINE__)
#define __VERIFIER_assume(c) do { if (!(c)) finish(0); } while (0)
#define __VERIFIER_nondet_int() ((int) choose_input(__LINE__))
#define __VERIFIER_nondet_bool() ((_Bool) choose_input(__LINE__))
"""

_FAILING = (
    "#define malloc(n) (choose_input(__LINE__) ? (void *) 0 : malloc(n))",
    "#define calloc(n, m) (choose_input(__LINE__) ? (void *) 0 : calloc(n, m))",
    "#define realloc(p, n) (choose_input(__LINE__) ? (void *) 0 : realloc(p, n))",
)

_TAIL = r"""
static int next_inputs(void)
{
    while (now->length > 0 && now->digits[now->length - 1] + 1 == now->sizes[now->length - 1])
        now->digits[--now->length] = 0;
    if (now->length == 0) return 0;
    now->digits[now->length - 1]++;
    return 1;
}
int main(void)
{
    now = mmap(0, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int k = 0; k < (int) (sizeof programs / sizeof *programs); k++) {
        long runs = 0;
        memset(now, 0, sizeof *now);
        current = programs[k].bounds;
        printf("program %d\n", k);
        do {
            int status;
            now->length = now->error = now->ended = now->faults = 0;
            fflush(stdout);
            if (fork() == 0) {
                alarm(5);
                fclose(stderr);
                close(2);
                programs[k].begin();
                programs[k].run();
                finish(0);
            }
            wait(&status);
            printf("run %d", now->ended ? now->error : -1);
            for (int i = 0; i < now->length; i++) printf(" %lld", now->lows[i] + now->digits[i]);
            puts("");
            for (int i = 0; i < now->faults; i++)
                printf("%s %s %d\n", now->fault[i].surely ? "fault" : "arguable",
                       now->fault[i].kind, now->fault[i].line);
        } while (++runs < MAX_RUNS && next_inputs());
        if (runs == MAX_RUNS) puts("many");
        for (int s = 0; s < SITES; s++) if (now->seens[s]) {
            printf("site %d", s);
            for (int i = 0; i < now->seens[s]; i++) printf(" %lld", now->seen[s][i]);
            puts("");
        }
    }
    return 0;
}
"""


# What a run said


def _by_program(lines: Iterable[str], count: int) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(count)]
    number = 0
    for line in lines:
        if line.startswith("program "):
            number = int(line.split()[1])
        else:
            found[number].append(line)
    return found


def _truth(lines: Sequence[str]) -> Truth | None:
    executions: list[Execution] = []
    seen: dict[int, tuple[int, ...]] = {}
    for line in lines:
        words = line.split()
        match words[0]:
            case "many":
                return None
            case "site":
                seen[int(words[1])] = tuple(map(int, words[2:]))
            case "run":
                inputs, error = tuple(map(int, words[2:])), int(words[1])
                if error < 0:
                    return None
                executions.append(Execution(inputs, error))
            case _:
                last, violation = executions[-1], frozenset({(words[1], int(words[2]))})
                is_sure = words[0] == "fault"
                executions[-1] = (
                    replace(last, faults=last.faults | violation)
                    if is_sure
                    else replace(last, arguable=last.arguable | violation)
                )
    return Truth(tuple(executions), seen)
