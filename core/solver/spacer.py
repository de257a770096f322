"""Sequence interpolants from Spacer, in a warm process with a limit (no solver is imported here).

A. Komuravelli, A. Gurfinkel, S. Chaki, "SMT-based model checking for recursive programs", CAV 2014: the interpretations
of the relations of an unsatisfiable chain of Horn clauses are sequence interpolants. They are candidates only.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys

from core.interpolation import HornChain
from core.terms import Arena, Substitution, Term, to_smtlib
from core.terms.printing import smt_symbol
from core.terms.smtlib import NotReadable, TermReader


class Spacer:
    """A client of the Spacer process, which starts at the first question."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """End the process; the next question starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def interpolants(self, arena: Arena, chain: HornChain) -> list[Term] | None:
        """One formula per relation over its arguments, or None where Spacer has no (readable) answer in time."""
        relations = [(f"R{i}", [str(a.sort) for a in arguments]) for i, arguments in enumerate(chain.arguments[:-1])]
        request = {
            "problem": horn_problem(chain),
            "relations": relations,
            "milliseconds": int(self._seconds * 1000),
        }
        answer = self._ask(json.dumps(request))
        texts = answer.get("interpretations")
        if not isinstance(texts, list):
            return None
        try:
            return [_read(arena, str(text), args) for text, args in zip(texts, chain.arguments, strict=False)]
        except NotReadable:
            return None

    def _ask(self, request: str) -> dict[str, object]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], self._seconds + 2)
            line = process.stdout.readline() if ready else ""
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            return {}
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

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


def _read(arena: Arena, text: str, arguments: tuple[Term, ...]) -> Term:
    placeholders = {f"a{i}": arena.symbol(f"spacer a{i}", a.sort) for i, a in enumerate(arguments)}
    formula = TermReader(arena, placeholders).read(text)
    return Substitution(arena, dict(zip(placeholders.values(), arguments, strict=True)))(formula)


def horn_problem(chain: HornChain) -> str:
    """The chain as SMT-LIB: `R0` holds everywhere, each rule leads to the next relation, the last one to false."""
    lines = ["(set-logic HORN)"]
    for i, arguments in enumerate(chain.arguments[:-1]):
        lines.append(f"(declare-fun R{i} ({' '.join(str(a.sort) for a in arguments)}) Bool)")
    lines.append(_clause(chain.arguments[0], "true", _apply(0, chain.arguments[0])))
    for i, (constraint, values) in enumerate(chain.rules):
        last = i + 1 == len(chain.rules)
        head = "false" if last else _apply(i + 1, values)
        body = f"(and {_apply(i, chain.arguments[i])} {to_smtlib(constraint)})"
        used = dict.fromkeys(chain.arguments[i])
        for t in (constraint, *(() if last else values)):
            used.update(dict.fromkeys(sorted(t.symbols(), key=lambda s: s.id)))
        lines.append(_clause(tuple(used), body, head))
    return "\n".join(lines)


def _apply(i: int, values: tuple[Term, ...]) -> str:
    return f"(R{i} {' '.join(map(to_smtlib, values))})" if values else f"R{i}"


def _clause(symbols: tuple[Term, ...], body: str, head: str) -> str:
    implication = f"(=> {body} {head})"
    if symbols:
        bound = " ".join(f"({smt_symbol(s.name)} {s.sort})" for s in symbols)
        implication = f"(forall ({bound}) {implication})"
    return f"(assert {implication})"
