"""The truth about random programs: gcc runs each on all of its inputs.

Many programs are compiled into one executable. Each is run again and again in one process, by `setjmp`, with its
globals reset, until every sequence of inputs has been tried: an odometer counts the choices in the order in which they
are made, so that sequences of different lengths are no problem.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import ClassVar

from tests.random_programs.generator import TYPES, Draft, Generator, literal

UNREACH = "unreach-call"

_TYPE_OF = {t.nondet: t.name for t in TYPES}


@dataclass(frozen=True)
class Run:
    """One run: the inputs read, as (line, value), and how it ended: at the error of a line, or 0."""

    inputs: tuple[tuple[int, int], ...]
    error_line: int


@dataclass(frozen=True)
class RandomProgram:
    """A program with the truth about it. `reached` are the lines whose error is reached by some input."""

    name: str
    text: str
    error_lines: tuple[int, ...]
    reached: frozenset[int]
    valuations: int
    runs: tuple[Run, ...]  # a few of them

    kinds: ClassVar[tuple[str, ...]] = ()

    @property
    def safe(self) -> bool:
        return not self.reached

    @property
    def violations(self) -> frozenset[tuple[str, int]]:
        return frozenset((UNREACH, line) for line in self.reached)

    @property
    def certain(self) -> frozenset[frozenset[tuple[str, int]]]:
        return frozenset(frozenset({one}) for one in self.violations)

    @property
    def places(self) -> frozenset[tuple[str, int]]:
        return frozenset((UNREACH, line) for line in self.error_lines)


@dataclass(frozen=True)
class _Observed:
    """Observations of a draft on all of its inputs: by site, the values seen (some of them, and the extremes)."""

    values: tuple[tuple[int, ...], ...]


def random_programs(seed: int | str, first: int, count: int) -> list[RandomProgram]:
    """The programs number `first` to `first + count - 1` of the sequence of `seed`. Needs gcc."""
    randoms = [Random(f"{seed}/{number}") for number in range(first, first + count)]
    drafts = [Generator(random).draft() for random in randoms]
    observed = list(_observe(_execute([_as_observer(draft) for draft in drafts]), drafts))
    texts = [_filled(draft, seen, random) for draft, seen, random in zip(drafts, observed, randoms, strict=True)]
    results = _execute([_Part(draft, text) for draft, text in zip(drafts, texts, strict=True)])
    rows = [[line for line in results if line[1] == str(k)] for k in range(count)]
    return [
        _program(f"random-{seed}-{first + k}", draft, text, rows[k])
        for k, (draft, text) in enumerate(zip(drafts, texts, strict=True))
    ]


def gcc_is_there() -> bool:
    return shutil.which("gcc") is not None


# Conditions


def _filled(draft: Draft, observed: _Observed, random: Random) -> tuple[str, ...]:
    """The draft with a check in every hole."""
    lines = list(draft.lines)
    safe = random.random() < 0.55
    for number, (site, seen) in enumerate(zip(draft.sites, observed.values, strict=True)):
        impossible = safe or random.random() < 0.5
        condition = (condition_never_met if impossible else condition_met)(site.expression, sorted(seen), random)
        check = f"__VERIFIER_assert(!({condition}));" if site.asserted else f"if ({condition}) reach_error();"
        lines[site.line - 1] = lines[site.line - 1].replace(f"@{number}@", check)
    return tuple(lines)


def condition_never_met(e: str, seen: Sequence[int], random: Random) -> str:
    """Something that no run satisfies, but barely."""
    if not seen:
        return f"{e} == 0"
    low, high = seen[0], seen[-1]
    drawn = [f"{e} > {literal(high)}"]
    if abs(low) < 2**31 - 1 and low != 0:
        drawn.append(f"{e} < {literal(low)}")
    if low == high:
        drawn.append(f"{e} != {literal(low)}")
    elif len(seen) < 60:
        holes = [v for v in range(low, min(high, low + 300)) if v not in seen]
        drawn += [f"{e} == {literal(random.choice(holes))}"] * 2 if holes else []
    return random.choice(drawn)


def condition_met(e: str, seen: Sequence[int], random: Random) -> str:
    """Something that a run satisfies, if no check before it fails."""
    if not seen:
        return f"{e} == 0"
    low, high = seen[0], seen[-1]
    return random.choice(
        (f"{e} == {literal(random.choice(seen))}", f"{e} >= {literal(high)}", f"{e} <= {literal(low)}")
    )


# Execution


@dataclass(frozen=True)
class _Part:
    draft: Draft
    lines: tuple[str, ...]


def _as_observer(draft: Draft) -> _Part:
    lines = list(draft.lines)
    for number, site in enumerate(draft.sites):
        call = f"observe({number}, (long long)({site.expression}));"
        lines[site.line - 1] = lines[site.line - 1].replace(f"@{number}@", call)
    return _Part(draft, tuple(lines))


def _execute(parts: Sequence[_Part]) -> list[list[str]]:
    """Compile and run; the words of each line of output."""
    with tempfile.TemporaryDirectory(prefix="random-programs-") as folder:
        source, binary = Path(folder, "all.c"), Path(folder, "all")
        source.write_text("\n".join(_harness(parts)))
        command = ["gcc", "-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", str(source), "-o", str(binary)]
        subprocess.run(command, check=True, timeout=300)
        done = subprocess.run([str(binary)], check=True, timeout=300, capture_output=True, text=True)
    return [line.split() for line in done.stdout.splitlines()]


def _harness(parts: Sequence[_Part]) -> Iterator[str]:
    yield _HARNESS_HEAD
    for suffix, name in _TYPE_OF.items():
        yield f"#define __VERIFIER_nondet_{suffix}() (({name}) choose(__LINE__))"
    for k, part in enumerate(parts):
        yield from _one_program(k, part)
    yield "struct program programs[] = {"
    yield from (f"    {{run_{k}, save_{k}, load_{k}, bounds_{k}}}," for k in range(len(parts)))
    yield "};"
    yield _HARNESS_TAIL


def _one_program(k: int, part: _Part) -> Iterator[str]:
    """A program whose names no other program has, with functions that save and load its globals."""
    draft = part.draft
    names = (*draft.functions, *draft.globals, "pair")
    yield from (f"#define {name} program_{k}_{name}" for name in names)
    yield f'#line 1 "{k}.c"'
    yield from ("" if line.startswith("extern") else line for line in part.lines)
    for name in draft.globals:
        yield f"static char saved_{name}_{k}[sizeof {name}];"
    for verb, order in (("save", "saved_{0}_{1}, &{0}"), ("load", "&{0}, saved_{0}_{1}")):
        copies = " ".join(f"memcpy({order.format(name, k)}, sizeof {name});" for name in draft.globals)
        yield f"static void {verb}_{k}(void) {{ {copies} }}"
    yield f"static void run_{k}(void) {{ main(); }}"
    rows = ", ".join(f"{{{line}, {literal(low)}, {literal(high)}}}" for line, low, high in draft.inputs)
    yield f"static struct bounds bounds_{k}[] = {{{rows}{', ' if rows else ''}{{0, 0, 0}}}};"
    yield from (f"#undef {name}" for name in names)


_HARNESS_HEAD = r"""
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
struct bounds { int line; long long low, high; };
struct program { void (*run)(void), (*save)(void), (*load)(void); struct bounds *bounds; };
enum { LONGEST = 64, SITES = 8, KEPT = 400, LINES = 400 };
static jmp_buf leave;
static struct bounds *current;
static int length;              /* inputs read so far in this run */
static long long digits[LONGEST], sizes[LONGEST], lows[LONGEST];
static int lines[LONGEST];
static long long seen[SITES][KEPT], low[SITES], high[SITES];
static int seens[SITES];
static long long choose(int line)
{
    struct bounds *b = current;
    while (b->line != line) b++;
    if (length == LONGEST) { puts("too many inputs"); longjmp(leave, 1); }
    sizes[length] = b->high - b->low + 1;
    lows[length] = b->low;
    lines[length] = line;
    return b->low + digits[length++];
}
static int next(void)
{
    while (length > 0 && digits[length - 1] + 1 == sizes[length - 1]) digits[--length] = 0;
    if (length == 0) return 0;
    digits[length - 1]++;
    return 1;
}
static void observe(int site, long long value)
{
    if (!seens[site] || value < low[site]) low[site] = value;
    if (!seens[site] || value > high[site]) high[site] = value;
    for (int i = 0; i < seens[site]; i++) if (seen[site][i] == value) return;
    if (seens[site] < KEPT) seen[site][seens[site]++] = value;
}
#define abort() longjmp(leave, -1)
#define reach_error() longjmp(leave, __LINE__)
#define __VERIFIER_assume(c) do { if (!(c)) abort(); } while (0)
"""

_HARNESS_TAIL = r"""
#undef main
static void show_run(int k, int outcome)
{
    printf("run %d %d", k, outcome < 0 ? 0 : outcome);
    for (int i = 0; i < length; i++) printf(" %d %lld", lines[i], lows[i] + digits[i]);
    puts("");
}
int main(void)
{
    for (int k = 0; k < (int) (sizeof programs / sizeof *programs); k++) {
        static char reached[LINES];
        volatile long runs = 0;
        memset(reached, 0, sizeof reached);
        memset(digits, 0, sizeof digits);
        memset(seens, 0, sizeof seens);
        current = programs[k].bounds;
        programs[k].save();
        do {
            length = 0;
            programs[k].load();
            int outcome = setjmp(leave);
            if (outcome == 0) programs[k].run();
            int first = outcome > 0 && !reached[outcome];
            if (outcome > 0) reached[outcome] = 1;
            if (first || runs < 2 || (runs % 61 == 0 && runs < 600)) show_run(k, outcome);
            runs++;
        } while (next());
        printf("valuations %d %ld\n", k, runs);
        for (int i = 0; i < LINES; i++) if (reached[i]) printf("reached %d %d\n", k, i);
        for (int s = 0; s < SITES; s++) if (seens[s]) {
            printf("site %d %d %lld %lld", k, s, low[s], high[s]);
            for (int i = 0; i < seens[s]; i++) printf(" %lld", seen[s][i]);
            puts("");
        }
    }
    return 0;
}
"""


# Results


def _observe(rows: Sequence[Sequence[str]], drafts: Sequence[Draft]) -> Iterator[_Observed]:
    seen = {(int(row[1]), int(row[2])): tuple(set(map(int, row[3:]))) for row in rows if row[0] == "site"}
    for k, draft in enumerate(drafts):
        yield _Observed(tuple(seen.get((k, site), ()) for site in range(len(draft.sites))))


def _program(name: str, draft: Draft, lines: tuple[str, ...], rows: Sequence[Sequence[str]]) -> RandomProgram:
    errors = {site.line for site in draft.sites if not site.asserted}
    if any(site.asserted for site in draft.sites):
        errors.add(draft.assertion_line)
    return RandomProgram(
        name,
        "\n".join(lines) + "\n",
        tuple(sorted(errors)),
        frozenset(int(row[2]) for row in rows if row[0] == "reached"),
        next(int(row[2]) for row in rows if row[0] == "valuations"),
        tuple(_run(row) for row in rows if row[0] == "run"),
    )


def _run(row: Sequence[str]) -> Run:
    numbers = list(map(int, row[3:]))
    return Run(tuple(zip(numbers[::2], numbers[1::2], strict=True)), int(row[2]))
