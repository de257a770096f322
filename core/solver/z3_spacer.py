"""The Spacer process: reads Horn problems on standard input and answers with interpretations or derivations.

Run as `python -m core.solver.z3_spacer`. One line in, one line out, both JSON. In: `{"problem": SMT-LIB text over
relations R0, R1, …, "relations": [[sort, …], …], "options": {name: value}, "steps": n}`. Out: `{"interpretations":
[SMT-LIB term over a0, a1, …, or null]}`, or `{"derivation": [[number of an assertion, [earlier row, …]], …]}` of false,
or `{"failure": text}`; an answer also has `"cpu_seconds"`, all that the process used. It is a process of its own, as
a call can hang beyond its limits: the client kills it.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import z3

_QUERY = "reached"


def solve(problem: str, relations: list[list[str]], options: dict[str, bool | int], steps: int) -> dict[str, object]:
    """Interpretations in the order of `relations`, each over `a0`, `a1`, … for its arguments; or a derivation."""
    engine = z3.Fixedpoint()
    engine.set(engine="spacer", rlimit=steps, **options)
    sorts = [[_sort(sort) for sort in arguments] for arguments in relations]
    declared = [z3.Function(f"R{i}", *arguments, z3.BoolSort()) for i, arguments in enumerate(sorts)]
    query = z3.Function(_QUERY, z3.BoolSort())
    for relation in (*declared, query):
        engine.register_relation(relation)
    for number, rule in enumerate(z3.parse_smt2_string(problem)):
        engine.add_rule(_with_head(rule, query()), name=f"r{number}")
    answer = engine.query(query())
    if answer == z3.unsat:
        return {"interpretations": _interpretations(engine.get_answer(), sorts)}
    if answer == z3.sat:
        return {"derivation": _derivation(engine)}
    return {"failure": engine.reason_unknown()}


def _with_head(rule: Any, query: Any) -> Any:
    """The rule with `query` instead of false."""
    if not z3.is_quantifier(rule):
        return z3.Implies(rule.arg(0), query) if z3.is_false(rule.arg(1)) else rule
    body = rule.body()
    if not z3.is_false(body.arg(1)):
        return rule
    bound = [z3.Const(rule.var_name(i), rule.var_sort(i)) for i in range(rule.num_vars())]
    return z3.ForAll(bound, z3.Implies(z3.substitute_vars(body.arg(0), *reversed(bound)), query))


def _interpretations(answer: Any, relations: list[list[Any]]) -> list[str | None]:
    """The definitions in `answer`, a conjunction of `∀ x. R(x) = formula`; None for a relation without one."""
    parts = answer.children() if z3.is_and(answer) else [answer]
    meanings: dict[str, str] = {}
    for part in parts:
        body = part.body() if z3.is_quantifier(part) else part
        if not z3.is_eq(body) or body.num_args() != 2:
            continue
        applied, formula = body.children()
        arguments: list[Any] = [None] * applied.num_args()
        for i, variable in enumerate(applied.children()):
            arguments[z3.get_var_index(variable)] = z3.Const(f"a{i}", variable.sort())
        meanings[applied.decl().name()] = z3.simplify(z3.substitute_vars(formula, *arguments)).sexpr()
    return [meanings.get(f"R{i}") for i in range(len(relations))]


def _derivation(engine: Any) -> list[list[object]]:
    """The inferences of the refutation, premises first."""
    names = engine.get_rule_names_along_trace()
    rules = engine.get_rules_along_trace()
    numbers = {rule.get_id(): str(name) for rule, name in zip(rules, names, strict=True)}
    rows: list[list[object]] = []
    positions: dict[int, int] = {}
    root = _first_resolution(engine.get_answer())
    stack = [root]
    while stack:
        step = stack[-1]
        if step.get_id() in positions:
            stack.pop()
            continue
        rule, *premises, _ = step.children()
        missing = [p for p in premises if p.get_id() not in positions]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        positions[step.get_id()] = len(rows)
        rows.append([int(numbers[rule.arg(0).get_id()][1:]), [positions[p.get_id()] for p in premises]])
    return rows


def _first_resolution(proof: Any) -> Any:
    """The inference that concludes the query: the outermost ones only connect it with the engine's own question."""
    while True:
        resolved = proof.decl().kind() == z3.Z3_OP_PR_HYPER_RESOLVE
        conclusion = proof.arg(proof.num_args() - 1)
        if resolved and conclusion.decl().name() == _QUERY:
            return proof
        proof = next(p for p in proof.children()[1 if resolved else 0 :] if p.num_args() > 1)


def _sort(text: str) -> Any:
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
            answer = solve(request["problem"], request["relations"], request["options"], request["steps"])
        except Exception as error:  # noqa: BLE001  any failure of z3 is an answer of this process, not its end
            answer = {"failure": f"{type(error).__name__}: {error}"}
        answer["cpu_seconds"] = time.process_time()
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
