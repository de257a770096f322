"""`interplay engine`: a program in, evidence out, which `interplay check` examines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.terms import Arena
from methods.registry import ENGINES
from runs.evidence_json import FORMAT, VERSION, decode_evidence
from runs.jsondata import as_list, as_object
from runs.serialize import decode_program, encode_program
from tests.support import prepared
from tests.support.small_programs import counting_loop

ROOT = Path(__file__).parent.parent.parent.parent.parent
PROGRAMS = ROOT / "tests" / "golden" / "programs"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

PROGRAM = json.dumps(encode_program(counting_loop(3)))


def run(*words: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interplay", *map(str, words)],
        cwd=PROGRAMS, env=ENVIRONMENT, input=given, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


TWO_STATES = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mode;
void flip(void) { mode = mode == 1 ? 0 : 1; }
int main(void) {
    int other = 0;
    while (__VERIFIER_nondet_int() > 3) {
        flip();
        other = !other;
    }
    if (mode != other) reach_error();
    return 0;
}
"""
ARRAY = """extern void reach_error(void);
int a[50];
int main(void) {
    for (int i = 0; i < 50; i++) a[i] = 7;
    for (int i = 0; i < 50; i++) if (a[i] != 7) reach_error();
    return 0;
}
"""
SUM = """extern void reach_error(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += i;
    if (sum != 6) reach_error();
    return 0;
}
"""
LIST = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct node { int value; struct node *next; };
int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        new->value = 1;
        new->next = list;
        list = new;
    }
    if (list && list->value != 1) reach_error();
    return 0;
}
"""
UNTRIED = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int u = __VERIFIER_nondet_int(), w = __VERIFIER_nondet_int();
    if (u < 0 || u > 10 || w < 2 || w > 10) return 0;
    if (u == w + 7) reach_error();
    return 0;
}
"""
TEXTS = {"acsar": ARRAY, "eureka": ARRAY, "concrete": SUM, "pdr": LIST}
"""Programs of engines that have nothing to say about one with two states."""


def lowered(folder: Path, text: str) -> str:
    """The document of a program whose text lies in a folder."""
    (folder / "a.c").write_text(text)
    made = prepared.run("lower", folder / "a.c", "--property", "unreach-call", "--format", "json")
    assert (made.returncode, made.stderr) == (0, "")
    return made.stdout


def examined(folder: Path, evidence: object) -> tuple[int, str]:
    """The exit code of `interplay check`, and what it prints."""
    (folder / "evidence.json").write_text(json.dumps(evidence))
    done = prepared.run("check", folder / "evidence.json")
    return done.returncode, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", list(ENGINES))
def test_evidence_of_each_engine_is_examined_by_check(name: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, TEXTS.get(name, TWO_STATES))
    assert decode_program(json.loads(program), Arena()).checks
    found = run("engine", name, "--time-limit", "300", given=program)
    assert (found.returncode, found.stderr) == (0, "")
    evidence = as_object(json.loads(found.stdout))
    code, said = examined(tmp_path, evidence)
    assert (code, said.splitlines()[-1]) == (0, "VERDICT: true")
    if evidence["certificates"]:
        wrong = [{**as_object(one), "invariants": []} for one in as_list(evidence["certificates"])]
        wrong = [{name: one[name] for name in ("checks", "invariants")} for one in wrong]
        code, said = examined(tmp_path, {**evidence, "certificates": wrong})
        assert (code, said.splitlines()[-1]) == (5, "VERDICT: unknown")


@pytest.mark.long
def test_a_violation_is_examined_by_check(tmp_path: Path) -> None:
    program = lowered(tmp_path, TWO_STATES.replace("other = !other", "other = 1"))
    evidence = as_object(json.loads(run("engine", "bmc", given=program).stdout))
    assert examined(tmp_path, evidence)[0] == 10
    [claim] = map(as_object, as_list(evidence["counterexamples"]))
    code, said = examined(tmp_path, {**evidence, "counterexamples": [{**claim, "inputs": []}]})
    assert (code, said.splitlines()[-1]) == (5, "VERDICT: unknown")


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "code"),
    [(TWO_STATES, 0), (TWO_STATES.replace("other = !other", "other = 1"), 10), (UNTRIED, 5)],
    ids=["true", "false", "wrong guess"],
)
def test_the_engine_of_the_documentation_takes_part(text: str, code: int, tmp_path: Path) -> None:
    page = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "evidence.md").read_text("utf-8"), re.DOTALL)
    assert page is not None
    (tmp_path / "engine.py").write_text(page[1])
    program = lowered(tmp_path, text)
    words = [sys.executable, "-I", str(tmp_path / "engine.py")]
    found = subprocess.run(words, input=program, capture_output=True, text=True, check=False, timeout=600)
    assert (found.returncode, found.stderr) == (0, "")
    assert examined(tmp_path, json.loads(found.stdout))[0] == code


@pytest.mark.long
def test_evidence_with_names_that_proofs_had_once_is_refused(tmp_path: Path) -> None:
    about = json.loads(lowered(tmp_path, TWO_STATES))
    fold = [[], 2, [1], [0, 1, 2, 3, 3, 4]]
    terms = [
        ["symbol", [], "folded", "(Array Int Int)"],
        *(["symbol", [], name, "Int"] for name in ("\\result", "\\index")),
        ["constant", [], "0", "Int"],
        ["constant", [], "true", "Bool"],
    ]
    certificate = {"checks": [0], "invariants": [[[], 2, 4]], "lemmas": [], "folds": [fold]}
    head = {"format": FORMAT, "version": VERSION, "options": about["options"]}
    code, said = examined(tmp_path, {**head, "certificates": [certificate], "counterexamples": [], "terms": terms})
    assert code == 4
    assert "the proof brings along folded, which a program could have" in said


def test_an_engine_decides_a_program_that_was_made_by_hand() -> None:
    found = run("engine", "bmc", given=PROGRAM)
    assert found.returncode == 0
    assert list(decode_evidence(json.loads(found.stdout), Arena()).outcomes()) == [0]


@pytest.mark.parametrize(
    ("words", "given", "code", "message"),
    [
        ((), "", 3, "standard input: not JSON"),
        ((), "[" * 100_000, 3, "standard input: not JSON"),
        ((), "{}", 3, "standard input: 'terms' is missing"),
        ((), PROGRAM.replace('"assume"', '"assure"'), 3, "standard input: edges[3]: unknown operation"),
        (("--check", "7"), PROGRAM, 2, "there is no check 7"),
        (("--option", "depth=no"), PROGRAM, 2, "engine bmc: there is no option depth"),
    ],
)
def test_wrong_input_gets_a_message(words: tuple[str, ...], given: str, code: int, message: str) -> None:
    done = run("engine", "bmc", *words, given=given)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"interplay: {message}")
    assert "Traceback" not in done.stderr


def test_a_check_without_evidence_is_named() -> None:
    done = run("engine", "pdr", given=PROGRAM)
    assert done.returncode == 5
    assert done.stderr.startswith("interplay: engine pdr: ")
    assert not decode_evidence(json.loads(done.stdout), Arena()).outcomes()
