"""Preconditions of `bmc` behind loops that copy and fill: exact where their conditions hold, and proofs from them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import inf
from random import Random

import pytest

from core.analysis.liveness import Liveness
from core.limits import Interrupted
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.terms import INT, Term, Value, evaluate
from core.terms.evaluate import ArrayValue
from core.verdict import Outcome, Safe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.engine import Edit, EditAction
from methods.engines.bmc.engine import BmcEngine
from methods.engines.bmc.induction import cut_points
from methods.engines.bmc.map_loops import LoopPreconditions, MapLoop, map_loop
from tests.support.certified import is_certified
from tests.support.contexts import RecordingContext

DECLARATIONS = """
typedef unsigned long size_t;
void reach_error(void) {}
size_t u(void); int i(void);
void *malloc(size_t); void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
void *memmove(void *, const void *, size_t);
void claim(int c) { if (!c) { reach_error(); } }
"""

BEHIND = """int main() { size_t n = u(), cap = u(), off = u(); if (off > cap || n > cap - off) return 0;
  unsigned char *d = malloc(cap), *s = malloc(n); size_t j = u(); if (j >= off) return 0; unsigned char old = d[j];
  memcpy(d + off, s, n);
  size_t k = u(); if (k < n) claim(d[off + k] == s[k]); claim(d[j] == old); }"""
FILLED = """int main() { size_t n = u(); unsigned char *d = malloc(n); memset(d, 7, n);
  size_t k = u(); if (k < n) claim(d[k] == 7); }"""
TABLE = """int main() { size_t n = u(); unsigned char *d = malloc(n), *s = malloc(n); unsigned char t[256];
  for (size_t k = 0; k < n; k++) d[k] = t[s[k]];
  size_t k = u(); if (k < n) claim(d[k] == t[s[k]]); }"""
TWO_COPIES = """int main() { size_t n = u(), m = u(); unsigned char *a = malloc(n), *b = malloc(n), *c = malloc(n);
  if (m > n) return 0; memcpy(b, a, n); memcpy(c, b, m);
  size_t k = u(); if (k < m) claim(c[k] == a[k]); }"""
DOWNWARDS = """int main() { size_t n = u(); unsigned char *d = malloc(n), *s = malloc(n); size_t k = n;
  while (k > 0) { d[k - 1] = s[k - 1]; k--; }
  size_t j = u(); if (j < n) claim(d[j] == s[j]); }"""
MOVED = """int main() { size_t n = u(); if (n < 2) return 0; unsigned char *d = malloc(n);
  unsigned char last = d[n - 1];
  for (size_t k = 0; k < n - 1; k++) d[k] = d[k + 1];
  claim(d[n - 2] == last); }"""
INSIDE = """int main() { size_t n = u(); unsigned char *d = malloc(n), *s = malloc(n); size_t j = u();
  if (j >= n) return 0; unsigned char x = s[j];
  for (size_t k = 0; k < n; k++) { d[k] = s[k]; if (k == j && s[k] != x) reach_error(); }
  claim(d[j] == x); }"""

PROVED = [BEHIND, FILLED, TABLE, TWO_COPIES, DOWNWARDS, MOVED, INSIDE]


def program(text: str) -> Program:
    return lower(parse_program(DECLARATIONS + text, "a.c", DataModel.LP64), UnreachCall())


def is_proved(lowered: Program) -> bool:
    """Whether `bmc` proves all checks in its first round, and the proof holds."""
    checks = [check.id for check in lowered.checks]
    context = RecordingContext(seconds=inf, edits={2: [Edit(EditAction.STOP, None, None)]})
    outcomes: Mapping[int, Outcome] = {}
    with suppress(Interrupted):
        outcomes = BmcEngine().run(lowered, checks, context)
    return outcomes.keys() == set(checks) and all(
        isinstance(outcome, Safe) and is_certified(lowered, [check], outcome.certificate)
        for check, outcome in outcomes.items()
    )


@pytest.mark.parametrize("text", PROVED)
def test_blocks_of_any_length_are_copied_and_filled(text: str) -> None:
    assert is_proved(program(text))


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (BEHIND, "j >= off", "j > off"),
        (BEHIND, "d[off + k] == s[k]", "d[k] == s[k]"),
        (FILLED, "k < n", "k <= n"),
        (FILLED, "memset(d, 7, n)", "memset(d, 7, n - 1)"),
        (TABLE, "d[k] == t[s[k]]", "d[k] == t[k]"),
        (TWO_COPIES, "k < m", "k < n"),
        (TWO_COPIES, "memcpy(b, a, n); memcpy(c, b, m)", "memcpy(c, b, m); memcpy(b, a, n)"),
        (DOWNWARDS, "k > 0", "k > 1"),
        (MOVED, "d[k] = d[k + 1]", "d[k + 1] = d[k]"),
        (INSIDE, "s[k] != x", "d[0] != x"),
    ],
)
def test_what_does_not_hold_is_not_proved(text: str, right: str, wrong: str) -> None:
    assert right in text
    assert not is_proved(program(text.replace(right, wrong, 1)))


ROUNDS = [
    "for (k = a; k < n; k++) d[b + k] = s[c + k];",
    "for (k = n; k > 0; k--) d[b + k] = s[k + c];",
    "for (k = a; k < n; k++) { d[2*k] = k; d[2*k + 1] = s[k]; }",
    "for (k = a; k < n; k++) { d[b] = s[k]; }",
    "for (k = a; k < n; k++) { d[k] = d[k + c]; }",
    "for (k = a, l = n; k < n; k++, l -= 3) { d[l] = s[k] + l; s[k + c] = 5; }",
]


def _loop(body: str) -> tuple[Expansion, At, MapLoop]:
    text = f"int d[100], s[100]; int main() {{ int a = i(), b = i(), c = i(), n = i(), k, l = 0; {body} "
    lowered = program(text + "claim(d[a] + s[b] + d[c] + k + l > n); }")
    expansion = Expansion(lowered, BlockEncoding.LARGE)
    roots = cut_points(expansion)
    assert roots is not None
    (head,) = roots[1:]
    loop = map_loop(expansion, head, Liveness(expansion).at(head))
    assert loop is not None
    return expansion, head, loop


def _random_state(terms: list[Term], random: Random) -> dict[Term, Value]:
    def value(x: Term) -> Value:
        if x.sort is INT:
            return random.randrange(0, 9)
        return ArrayValue(0, {place: random.randrange(-3, 4) for place in range(-60, 100)})

    return {x: value(x) for x in sorted({x for t in terms for x in t.symbols()}, key=lambda x: x.id)}


@pytest.mark.parametrize("body", ROUNDS)
def test_what_holds_after_the_rounds_that_are_left_is_what_executions_say(body: str) -> None:
    """Whatever is read behind the loop, for random states in which its conditions hold."""
    expansion, head, loop = _loop(body)
    arena, random = expansion.arena, Random(0)
    (step,) = [step for step in expansion.steps(head) if step.target == head]
    change = step.transition
    scalars = sorted((x for x in change.reads if x.sort is INT), key=lambda x: x.id)
    arrays = list(dict.fromkeys(one.array for one in loop.writes))
    tried = 0
    for _ in range(400):
        index = arena.linear([(random.randrange(-1, 2), x) for x in scalars], random.randrange(0, 6))
        read = arena.select(random.choice(arrays), index)
        formula = arena.le(read, arena.add(random.choice(scalars), arena.integer(random.randrange(-2, 3))))
        before = loop.after(formula, loop.rounds)
        assert before is not None
        conditions = arena.and_(*loop.side_conditions())
        state = _random_state([before, conditions, change.guard, formula, *change.updates.values()], random)
        if evaluate(conditions, state) is not True:
            continue
        tried += 1
        later = dict(state)
        while evaluate(change.guard, later) is True:
            later.update([(x, evaluate(t, later)) for x, t in change.updates.items() if x in later])
        assert evaluate(before, state) == evaluate(formula, later)
    assert tried > 20


def test_other_loops_are_none_of_these() -> None:
    for body in (
        "for (k = a; k < n; k++) if (s[k] > 0) l++;",
        "for (k = 1; k < n; k = 2*k) d[k] = 0;",
        "for (k = a; s[n] != k; k += 2) d[k] = 0;",
        "for (k = a; k < n; k++) d[s[k]] = 0;",
    ):
        with pytest.raises(AssertionError):
            _loop(body)


def test_many_clauses_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    expansion, head, _ = _loop(ROUNDS[0])
    limits = RecordingContext(seconds=inf).limits
    monkeypatch.setattr("methods.engines.bmc.map_loops.MAX_CLAUSES", 0)
    found = LoopPreconditions(expansion, [check.id for check in expansion.program.checks], limits)
    found.before(head)
    assert found.is_large
