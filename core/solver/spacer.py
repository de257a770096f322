"""Interpretations of Horn systems from Spacer, in a warm process with a limit (no solver is imported here).

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

from core.horn import HornSystem, Rule
from core.limits import Limits
from core.terms import BIT_OPERATORS, Arena, Substitution, Term, subterms, to_smtlib
from core.terms.printing import smt_symbol
from core.terms.smtlib import NotReadable, TermReader

STEPS = 4_000_000  # z3's own count for one question, some three seconds: the same on every machine
HANGS_AFTER = 60.0  # seconds; a process that is still silent is taken to hang and is killed


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

    def interpretations(self, arena: Arena, system: HornSystem) -> list[Term] | None:
        """One formula per relation over its arguments, or None where Spacer has no (readable) answer in its steps.

        Spacer is asked about integers only: over bit-vectors it rarely has an answer.
        """
        if _has_bits(system):
            return None
        problem = horn_problem(system)
        if problem in self._failed:
            return None
        relations = [(f"R{i}", [str(a.sort) for a in arguments]) for i, arguments in enumerate(system.arguments)]
        request = {
            "problem": problem,
            "relations": relations,
            "depth": system.depth,
            "steps": STEPS,
        }
        answer = self._ask(json.dumps(request))
        texts = answer.get("interpretations")
        if not isinstance(texts, list):
            self._failed.add(problem)
            return None
        try:
            return [_read(arena, str(text), args) for text, args in zip(texts, system.arguments, strict=True)]
        except NotReadable:
            return None

    def _ask(self, request: str) -> dict[str, object]:
        self._limits.check()
        process = self._process or self._start()
        self._bound(process.pid)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], HANGS_AFTER)
            line = process.stdout.readline() if ready else ""
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            self._limits.check()
            return {}
        answer = json.loads(line)
        assert isinstance(answer, dict)
        self._limits.running = float(answer["cpu_seconds"])
        return answer

    def _bound(self, process: int) -> None:
        """Have the system end the process once it has used all that is left of the limits."""
        left = self._limits.remaining()
        if left != math.inf:
            _, hard = resource.prlimit(process, resource.RLIMIT_CPU)
            seconds = math.ceil(max(0.0, self._limits.running + left))
            soft = seconds if hard == resource.RLIM_INFINITY else min(seconds, hard)
            resource.prlimit(process, resource.RLIMIT_CPU, (soft, hard))

    def _start(self) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "core.solver.z3_spacer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        return self._process


def _has_bits(system: HornSystem) -> bool:
    terms = (t for rule in system.rules for t in (rule.constraint, *rule.values))
    return any(t.op in BIT_OPERATORS for t in subterms(*terms))


def _read(arena: Arena, text: str, arguments: tuple[Term, ...]) -> Term:
    placeholders = {f"a{i}": arena.symbol(f"spacer a{i}", a.sort) for i, a in enumerate(arguments)}
    formula = TermReader(arena, placeholders).read(text)
    return Substitution(arena, dict(zip(placeholders.values(), arguments, strict=True)))(formula)


def horn_problem(system: HornSystem) -> str:
    """The system in SMT-LIB, over relations `R0`, `R1`, …"""
    lines = ["(set-logic HORN)"]
    for i, arguments in enumerate(system.arguments):
        lines.append(f"(declare-fun R{i} ({' '.join(str(a.sort) for a in arguments)}) Bool)")
    lines += [_clause(rule, () if rule.source is None else system.arguments[rule.source]) for rule in system.rules]
    return "\n".join(lines)


def _apply(i: int, values: tuple[Term, ...]) -> str:
    return f"(R{i} {' '.join(map(to_smtlib, values))})" if values else f"R{i}"


def _clause(rule: Rule, arguments: tuple[Term, ...]) -> str:
    premise = to_smtlib(rule.constraint)
    if rule.source is not None:
        premise = f"(and {_apply(rule.source, arguments)} {premise})"
    head = "false" if rule.target is None else _apply(rule.target, rule.values)
    implication = f"(=> {premise} {head})"
    symbols = dict.fromkeys(arguments)
    for t in (rule.constraint, *rule.values):
        symbols.update(dict.fromkeys(sorted(t.symbols(), key=lambda s: s.id)))
    if symbols:
        bound = " ".join(f"({smt_symbol(s.name)} {s.sort})" for s in symbols)
        implication = f"(forall ({bound}) {implication})"
    return f"(assert {implication})"
