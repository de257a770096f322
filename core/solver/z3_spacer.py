"""The Spacer process: reads Horn problems on standard input and answers with interpretations of their relations.

Run as `python -m core.solver.z3_spacer`. One line in, one line out, both JSON: `{"problem": SMT-LIB text, "relations":
[[name, [sort, …]], …], "depth": n, "steps": n}` (depth 0: the problem has loops) and `{"interpretations":
[SMT-LIB term over a0, a1, …]}` or `{"failure": text}`; an answer also has `"cpu_seconds"`, all that the process used.
It is a process of its own because a call can hang beyond its limits: the client kills it.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from core.solver.z3_solver import library

# Inlining would dissolve the relations whose interpretations are wanted; without mbqi and slicing Spacer was most
# stable.
_OPTIONS = {
    "fp.xform.inline_linear": False,
    "fp.xform.inline_eager": False,
    "fp.xform.slice": False,
    "fp.spacer.mbqi": False,
}


def solve(problem: str, relations: list[tuple[str, list[str]]], depth: int, steps: int) -> dict[str, object]:
    """Interpretations in the order of `relations`, each over `a0`, `a1`, … for its arguments."""
    z3 = library()
    for name, value in _OPTIONS.items():
        z3.set_param(name, value)
    z3.set_param("fp.spacer.min_level", depth)
    # Global guidance (Vediramana Krishnan et al., CAV 2020) generalises over loop iterations; chains have none.
    z3.set_param("fp.spacer.global", depth == 0)
    solver = z3.SolverFor("HORN")
    solver.set("rlimit", steps)
    solver.from_string(problem)
    answer = solver.check()
    if answer != z3.sat:
        return {"failure": str(answer)}
    model = solver.model()
    values: dict[str, Any] = {d.name(): model[d] for d in model.decls()}
    interpretations = []
    for name, sorts in relations:
        found: Any = values.get(name)
        body: Any = (
            z3.BoolVal(True) if found is None else found.else_value() if isinstance(found, z3.FuncInterp) else found
        )
        arguments = [z3.Const(f"a{i}", _sort(z3, sort)) for i, sort in enumerate(sorts)]
        interpretations.append(z3.simplify(z3.substitute_vars(body, *arguments)).sexpr())
    return {"interpretations": interpretations}


def _sort(z3: Any, text: str) -> Any:
    if text == "Int":
        return z3.IntSort()
    if text == "Bool":
        return z3.BoolSort()
    if text == "(Array Int Int)":
        return z3.ArraySort(z3.IntSort(), z3.IntSort())
    raise ValueError(f"sort {text}")


def main() -> None:
    """Answer until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = solve(request["problem"], request["relations"], request["depth"], request["steps"])
        except Exception as error:  # noqa: BLE001  any failure of z3 is an answer of this process, not its end
            answer = {"failure": f"{type(error).__name__}: {error}"}
        answer["cpu_seconds"] = time.process_time()
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
