"""The snippets, run by gcc: the oracle of the lowering."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

PRELUDE = """
extern void abort(void);
extern void exit(int);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
"""

_HARNESS = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static int seed, draws;
static int draw(void) { return (int) ((unsigned) seed + 7919u * (unsigned) draws++); }
int __VERIFIER_nondet_int(void) { return draw(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char) draw(); }
_Bool __VERIFIER_nondet_bool(void) { return draw() & 1; }
void __VERIFIER_assume(int c) { if (!c) _exit(9); }
void reach_error(void) { _exit(42); }
typedef long long function(int, int);
%(declarations)s
static function *const functions[] = {%(names)s};
static const int values[][2] = {%(values)s};
int main(void) {
  for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++)
    for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
      fflush(stdout);
      int pipe_[2], status; long long result = 0;
      if (pipe(pipe_)) return 1;
      if (!fork()) {
        seed = values[v][0] * 31 + values[v][1] * 17;
        result = functions[f](values[v][0], values[v][1]);
        if (write(pipe_[1], &result, sizeof result) < 0) _exit(1);
        _exit(0);
      }
      close(pipe_[1]);
      long got = read(pipe_[0], &result, sizeof result);
      close(pipe_[0]);
      wait(&status);
      if (got == sizeof result) printf("%%lld\\n", result);
      else puts(WIFEXITED(status) && WEXITSTATUS(status) == 42 ? "error" : "ended");
    }
}
"""


def run(snippets: Sequence[str], values: Iterable[tuple[int, int]], folder: Path) -> list[list[str]]:
    """For each snippet and each pair of arguments: the result, "error" or "ended"."""
    pairs = list(values)
    (folder / "snippets.c").write_text(PRELUDE + "\n".join(_unique(text, i) for i, text in enumerate(snippets)))
    names = [f"F_{i}" for i in range(len(snippets))]
    harness = folder / "harness.c"
    harness.write_text(
        _HARNESS
        % {
            "declarations": "\n".join(f"extern function {name};" for name in names),
            "names": ", ".join(names),
            "values": ", ".join(f"{{{_literal(a)}, {_literal(b)}}}" for a, b in pairs),
        }
    )
    options = ["-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-pipe"]
    command = ["gcc", *options, "-o", "all", harness.name, "snippets.c"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    output = subprocess.run([folder / "all"], capture_output=True, text=True, check=True).stdout.split()
    return [output[i * len(pairs) : (i + 1) * len(pairs)] for i in range(len(snippets))]


_WORD = re.compile(r'"[^"]*"|\b[A-Za-z_]\w*')
_SHARED = """
_Bool break case char const continue default do else enum for goto if int long return short signed sizeof static struct
switch unsigned void while abort exit printf reach_error __VERIFIER_assume __VERIFIER_nondet_int __VERIFIER_nondet_uchar
__VERIFIER_nondet_bool extern typedef union malloc calloc realloc free"""


def _unique(text: str, number: int) -> str:
    """The snippet with names of its own, so that one file holds all of them."""

    shared = frozenset(_SHARED.split())

    def rename(match: re.Match[str]) -> str:
        word = match[0]
        return word if word in shared or word.startswith('"') else f"{word}_{number}"

    return _WORD.sub(rename, text)


def _literal(value: int) -> str:
    return str(value) if value > -(2**31) else f"({value + 1} - 1)"
