"""Tasks with witnesses, loaded in this process: mutated witnesses are read or refused with a place, never more."""

from random import Random

import pytest

from core.program.properties import CheckKind
from core.terms.printing import to_math
from frontend.source import FrontendError
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from methods.engines.claims import claimed
from runs.jsondata import Malformed

PROGRAM = """extern int __VERIFIER_nondet_int(void);
typedef unsigned int size;
struct pair { int first; int second[3]; };
int table[4];
int main(void) {
  struct pair p = {1, {2, 3, 4}};
  size n = 3;
  int i = 0;
  while (i < 3) {
    int x = __VERIFIER_nondet_int();
    if (x > 2)
      table[i] = x;
    i++;
  }
  if (table[1] == 7 && p.first == 1) { ERROR: return 1; }
  return 0;
}
"""

PROOF = """- entry_type: invariant_set
  metadata: {format_version: '2.0', task: {data_model: ILP32, specification: G ! call(reach_error())}}
  content:
  - invariant: {type: loop_invariant, location: {line: 9, column: 3}, value: 'VALUE', format: c_expression}
  - invariant: {type: location_invariant, location: {line: 13, column: 5}, value: (size) i <= n}
"""

VIOLATION = r"""- entry_type: violation_sequence
  content:
  - segment:
    - waypoint: {type: branching, action: avoid, constraint: {value: false}, location: {line: 9, column: 3}}
    - waypoint: {type: function_return, constraint: {value: '\result == 7'}, location: {line: 10, column: 35}}
  - segment:
    - waypoint: {type: assumption, constraint: {value: 'x > 0 && i == 1'}, location: {line: 11, column: 5}}
  - segment: [waypoint: {type: target, location: {line: 15}}]
"""


def load(witness: str) -> object:
    texts = {"program.c": PROGRAM, "w.yml": witness}
    return DefaultServices().load(Request("program.c", witness="w.yml"), texts.__getitem__, lambda _: None)


def claims_of(value: str) -> list[str]:
    texts = {"program.c": PROGRAM, "w.yml": PROOF.replace("VALUE", value)}
    task = DefaultServices().load(Request("program.c", witness="w.yml"), texts.__getitem__, lambda _: None)
    assert {check.property for check in task.program.checks} == {CheckKind.WITNESS, CheckKind.UNREACH_CALL}
    return [to_math(formula) for formula in claimed(task.program).values()]


@pytest.mark.parametrize(
    ("value", "formula"),
    [
        ("i <= 3 && 0 <= i", "main::i ≤ 3 ∧ main::i ≥ 0"),
        ("p.first == 1 || p.second[1] > 0", "main::p.first = 1 ∨ main::p.second[1] > 0"),
        ("p.second[i] > 0", "main::i ≥ 0 ∧ main::i ≤ 2 ∧ main::p.second[main::i] > 0"),
        ("sizeof(struct pair) == 16 && i == (int) n", None),
        ("table[2] >= 0", "table[2] ≥ 0"),
        ("i / 2 * 2 == i", None),
        ("!!i ? i > 0 : 1", None),
    ],
)
def test_claims_are_read_in_scope(value: str, formula: str | None) -> None:
    first, *_ = claims_of(value)
    assert formula is None or first == formula


@pytest.mark.parametrize("text", [PROOF.replace("VALUE", "i <= 3 && n == 3u"), VIOLATION])
def test_mutated_witnesses(text: str) -> None:
    load(text)
    draw = Random(5)
    pieces = [
        "'",
        '"',
        "{",
        "}",
        "[",
        "]",
        ":",
        "-",
        "\n",
        " ",
        "i",
        "(",
        ")",
        "\\",
        "9",
        "#",
        "*",
        "&",
        "!",
        "\0",
        "§",
    ]
    accepted = 0
    for _ in range(150):
        characters = list(text)
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(characters))
            match draw.randrange(3):
                case 0:
                    del characters[at]
                case 1:
                    characters[at] = draw.choice(pieces)
                case _:
                    characters.insert(at, draw.choice(pieces))
        refusal = refused("".join(characters))
        accepted += refusal is None
        if isinstance(refusal, FrontendError):
            assert refusal.span.file in ("w.yml", "program.c")
        assert refusal is None or str(refusal)
    assert accepted < 150


def refused(witness: str) -> FrontendError | Malformed | None:
    try:
        load(witness)
    except (FrontendError, Malformed) as error:
        return error
    return None
