"""A client of Spacer: Horn systems are decided in a warm process with a limit (no solver is imported here).

A. Komuravelli, A. Gurfinkel, S. Chaki, "SMT-based model checking for recursive programs", CAV 2014.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from core.limits import Limits
from core.parameters import parameter, real_parameter
from core.terms import BIT_OPERATORS, Arena, Substitution, Term, is_uninterpreted, subterms
from core.terms.smtlib import NotReadable, SmtlibReader
from methods.discovery.horn import HornSystem, PathSystem, horn_problem

STEPS = parameter("discovery.spacer.steps")
HANGS_AFTER = real_parameter("discovery.spacer.hangs-after")
_POLL = real_parameter("discovery.spacer.poll")

# Inlining would dissolve the relations whose interpretations are wanted; without mbqi and slicing Spacer was most
# stable. The check of subsumption removes relations that hold everywhere, and with them parts of derivations.
_OPTIONS: Mapping[str, bool | int] = {
    "xform.inline_linear": False,
    "xform.inline_eager": False,
    "xform.slice": False,
    "spacer.mbqi": False,
    "xform.subsumption_checker": False,
}


@dataclass(frozen=True)
class Interpreted:
    """An interpretation, so that false cannot be derived: relation i means `formulas[i]`, over its arguments."""

    formulas: tuple[Term, ...]


@dataclass(frozen=True)
class Inference:
    """One inference: a rule, by its number, applied to the conclusions of `premises` (numbers, in any order)."""

    rule: int
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Derivation:
    """A derivation of false. Premises come before what they are used for; the last inference concludes false."""

    inferences: tuple[Inference, ...]


@dataclass(frozen=True)
class SpacerUndecided:
    """Spacer has no readable answer within its steps, for the `reason` given."""

    reason: str


SpacerAnswer = Interpreted | Derivation | SpacerUndecided


class Spacer:
    """A client of the Spacer process, which starts at the first question and counts against the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[str] | None = None
        self._failed: set[str] = set()  # the same loops unrolled further have the same path program

    def close(self) -> None:
        """End the process; the next question starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
            self._limits.running = 0.0

    def interpretations(self, arena: Arena, system: PathSystem) -> list[Term] | None:
        """One formula per relation over its arguments, or None where Spacer has no (readable) answer in its steps.

        Spacer is asked about integers only: over bit-vectors it rarely has an answer.
        """
        problem = horn_problem(system)
        if has_bits(system) or problem in self._failed:
            return None
        # Global guidance (Vediramana Krishnan et al., CAV 2020) generalises over loop iterations; chains have none.
        options = {"spacer.min_level": system.depth, "spacer.global": system.depth == 0}
        answer = self.solve(arena, system, options, STEPS)
        if isinstance(answer, Interpreted):
            return list(answer.formulas)
        self._failed.add(problem)
        return None

    def solve(self, arena: Arena, system: HornSystem, options: Mapping[str, bool | int], steps: int) -> SpacerAnswer:
        """Decide a system without bit operators; `options` are parameters of z3's fixed-point engine."""
        relations = [[str(a.sort) for a in arguments] for arguments in system.arguments]
        request = {
            "problem": horn_problem(system),
            "relations": relations,
            "options": {**_OPTIONS, **options},
            "steps": steps,
        }
        answer = self._ask(json.dumps(request), HANGS_AFTER * max(1.0, steps / STEPS))
        if "interpretations" in answer:
            return _interpreted(arena, system, answer["interpretations"])
        if "derivation" in answer:
            return _derived(answer["derivation"])
        return SpacerUndecided(str(answer.get("failure", "the process ended")))

    def _ask(self, request: str, patience: float) -> dict[str, object]:
        self._limits.check()
        process = self._process or self._start()
        self._bound(process.pid, patience)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            self._wait(process)
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            self._limits.check_again()
            return {}
        answer = json.loads(line)
        assert isinstance(answer, dict)
        self._limits.running = float(answer["cpu_seconds"])
        self._limits.check_again()
        return answer

    def _wait(self, process: subprocess.Popen[str]) -> None:
        """Wait for the answer (or the end) of the process. Raises where the run has to end."""
        assert process.stdout is not None
        while not select.select([process.stdout], [], [], _POLL)[0]:
            self._limits.check()

    def _bound(self, process: int, patience: float) -> None:
        """Have the operating system end the process when it has used its CPU time for one question, or all that is
        left.

        The clock is no measure: the machine may be busy, and the portfolio stops an attempt with its Spacer for long.
        """
        _, hard = resource.prlimit(process, resource.RLIMIT_CPU)
        seconds = math.ceil(self._limits.running + max(0.0, min(patience, self._limits.remaining())))
        soft = seconds if hard == resource.RLIM_INFINITY else min(seconds, hard)
        resource.prlimit(process, resource.RLIMIT_CPU, (soft, hard))

    def _start(self) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.solver.z3_spacer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        return self._process


def has_bits(system: HornSystem) -> bool:
    """Whether a rule has a bit operator, or a function that Spacer does not know."""
    applied = [a for rule in system.rules for a in (*rule.premises, *([rule.head] if rule.head else []))]
    terms = (*(rule.constraint for rule in system.rules), *(value for a in applied for value in a.values))
    return any(t.op in BIT_OPERATORS or is_uninterpreted(t) for t in subterms(*terms))


def _interpreted(arena: Arena, system: HornSystem, texts: object) -> SpacerAnswer:
    assert isinstance(texts, list)
    concluded = {rule.head.relation for rule in system.rules if rule.head is not None}
    # Of a relation that is not in the answer, nothing is needed; if no rule concludes it, nothing is in it.
    texts = [("true" if i in concluded else "false") if t is None else str(t) for i, t in enumerate(texts)]
    try:
        return Interpreted(tuple(_read(arena, t, args) for t, args in zip(texts, system.arguments, strict=True)))
    except NotReadable as unreadable:
        return SpacerUndecided(f"an interpretation is not readable: {unreadable}")


def _read(arena: Arena, text: str, arguments: tuple[Term, ...]) -> Term:
    placeholders = {f"a{i}": arena.symbol(f"spacer a{i}", a.sort) for i, a in enumerate(arguments)}
    formula = SmtlibReader(arena, placeholders).read(text)
    return Substitution(arena, dict(zip(placeholders.values(), arguments, strict=True)))(formula)


def _derived(rows: object) -> Derivation:
    assert isinstance(rows, Sequence)
    return Derivation(tuple(Inference(int(rule), tuple(map(int, premises))) for rule, premises in rows))
