"""`interplay witness check` on witnesses of ours and of others, right and wrong ones."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import NoStorage
from interplay.session.request import Request
from interplay.session.session import Session
from interplay.witnesses.checking import check_witness
from runs.runview import RunView
from tests.support.prepared import command as main

LOOP = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 0, n = 10;
  while (i < n) {
    i = i + 1;
  }
  if (i != 10) reach_error();
  return 0;
}
"""

INPUTS = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int sum = 0;
  for (int k = 0; k < 3; k++) {
    int y = __VERIFIER_nondet_int();
    if (y > x)
      sum = sum + y;
  }
  if (x == 7 && sum == 60) reach_error();
  return 0;
}
"""


def proof(*invariants: tuple[str, str], extra: str = "") -> str:
    """A correctness witness; an invariant is its location and its value."""
    entries = "".join(
        f"""  - invariant:
      type: {"location" if "column: 5" in where else "loop"}_invariant
      location: {{{where}}}
      value: '{value}'
      format: c_expression
"""
        for where, value in invariants
    )
    content = f"\n{entries}" if entries else " []\n"
    return f"- entry_type: invariant_set\n  metadata: {{format_version: '2.0'{extra}}}\n  content:{content}"


def violation(*waypoints: str) -> str:
    lines = "".join(
        f"  - segment: [{', '.join(f'waypoint: {{{w}}}' for w in one.split(' ; '))}]\n" for one in waypoints
    )
    return f"- entry_type: violation_sequence\n  metadata: {{format_version: 2.0}}\n  content:\n{lines}"


def assume(line: int, value: str, column: int = 3) -> str:
    return f"type: assumption, constraint: {{value: '{value}'}}, location: {{line: {line}, column: {column}}}"


TARGET = "type: target, action: follow, location: {line: 11}"


def run_here(request: Request) -> RunView:
    """A run in this process; time is not limited, since that of all tests would count."""
    view = RunView()
    Session(
        replace(request, time_limit=None, shorten=0.0, vacuity=0.0),
        DefaultServices(),
        view.add,
        Steering(),
        NoStorage(),
    ).run()
    return view


def check(tmp_path: Path, program: str, witness: str, capfd: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """The word of the judgement, and everything printed."""
    source, file = tmp_path / "program.c", tmp_path / "w.yml"
    source.write_text(program)
    file.write_text(witness)
    code = check_witness(Request(str(source), "unreach-call", witness=str(file)), run_here)
    out = capfd.readouterr()
    word = out.out.splitlines()[-1].removeprefix("WITNESS: ")
    expected = {"confirmed": (0,), "trivial": (0,), "rejected": (10,), "unknown": (3, 4, 5)}
    assert code in expected[word]
    return word, out.out + out.err


AT_LOOP = "line: 5, column: 3"


@pytest.mark.long
@pytest.mark.parametrize(
    "value",
    [
        "0 <= i && i <= 10 && n == 10",  # inductive
        "i <= n",  # true, but no proof by itself
        "i % 1000 < 11 && (n - i) / 2 >= 0",
        "(long long) i * 3 <= 30LL ? 1 : 0",
    ],
)
def test_invariants_that_hold(value: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, LOOP, proof((AT_LOOP, value)), capfd)[0] == "confirmed"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("i < 10", "w.yml:7:14: the invariant does not hold: i < 10 in main"),
        ("i <= 10 && unknown == 3", "'unknown'"),
        ("i = 10", "effects"),
        ("i++ < 100", "effects"),
        ("__VERIFIER_nondet_int() || 1", "call functions"),
        ("1); reach_error(); (1", "no expression"),
        ("({ i = 3; 1; })", "no expression"),
        ("i <=", "syntax error"),
    ],
)
def test_invariants_that_do_not_hold(
    value: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    word, text = check(tmp_path, LOOP, proof((AT_LOOP, value)), capfd)
    assert word == "rejected"
    assert message in text


ELEMENTS = """extern void reach_error(void);
int a[3];
struct { int t[2], u; } s;
int main(void) {
  int i = 0;
  while (i < 3) {
    a[i] = 1;
    i++;
  }
  if (i != 3) reach_error();
  return 0;
}
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("0 <= i && i <= 3 && (i == 3 || a[i] == 0)", "confirmed"),
        ("0 <= i && (i > 2 || !(a[i] == 7)) && (i > 2 ? 1 : a[i] == 0) && i <= 3 && &a[3] != 0", "confirmed"),
        ("i <= 3 && a[3] == 0", "rejected"),
        ("i <= 3 && a[-1] == a[-1]", "rejected"),
        ("i <= 3 && a[i] == 0", "rejected"),
        ("i <= 3 && !(a[i] == 1)", "rejected"),
        ("i <= 3 && (a[i] == 0 || i == 3)", "rejected"),
        ("i <= 3 && s.t[2] == 0", "rejected"),
    ],
)
def test_invariants_hold_where_their_elements_exist(
    value: str, word: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What lies outside of an array is never written here: it would keep its first value in every proof."""
    assert check(tmp_path, ELEMENTS, proof(("line: 6, column: 3", value)), capfd)[0] == word


@pytest.mark.parametrize(
    ("about", "word", "message"),
    [
        ("specification: G ! call(reach_error()), data_model: LP64", "confirmed", "Property: G ! call(reach_error())"),
        ("data_model: LP64", "confirmed", ""),
        ("specification: G ! call(nothing())", "rejected", "w.yml:1:1: the witness is about another property"),
        ("specification: G ! overflow", "rejected", "w.yml:1:1: the witness is about another property"),
        ("data_model: ILP32", "rejected", "w.yml:1:1: the witness is about ILP32, the task about LP64"),
    ],
)
def test_a_witness_is_about_what_the_task_asks(
    about: str, word: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {
        "a.c": LOOP.replace("int i", "long i"),
        "p.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "t.yml": "format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: p.prp}]\n"
        "options: {data_model: LP64}\n",
        "w.yml": proof((AT_LOOP, "0 <= i && i <= 10 && n == 10"), extra=f", task: {{{about}}}"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    check_witness(Request(str(tmp_path / "t.yml"), witness=str(tmp_path / "w.yml")), run_here)
    out = capfd.readouterr().out
    assert out.endswith(f"WITNESS: {word}\n")
    assert message in out


def test_what_may_be_undefined_never_proves_anything(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A division by zero must not end the path that the program takes."""
    wrong = LOOP.replace("i != 10", "i == 10")
    for value in ("1 / (n - n) == 1", "1 / i == 1", "1 << n"):
        word, text = check(tmp_path, wrong, proof((AT_LOOP, value)), capfd)
        assert word == "unknown"
        assert "is not decided" in text
    word, text = check(tmp_path, wrong, proof((AT_LOOP, "i <= 10 && n == 10")), capfd)
    assert word == "rejected"
    assert "the program violates its property" in text


def test_places(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, LOOP, proof(("line: 5", "i <= 10")), capfd)[0] == "confirmed"
    assert check(tmp_path, LOOP, proof(("line: 6, column: 5", "i <= 9")), capfd)[0] == "confirmed"
    word, text = check(tmp_path, LOOP, proof(("line: 6", "i <= 9")), capfd)
    assert word == "rejected"
    assert "there is no loop at" in text
    word, _ = check(tmp_path, LOOP, proof((f"{AT_LOOP}, function: other", "i <= 10")), capfd)
    assert word == "rejected"


def test_the_invariant_of_a_do_loop_is_about_its_condition(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = LOOP.replace("  while (i < n) {", "  do {").replace("  }\n", "  } while (i < n);\n", 1)
    assert check(tmp_path, program, proof((AT_LOOP, "1 <= i && i <= 10 && n == 10")), capfd)[0] == "confirmed"
    assert check(tmp_path, program, proof((AT_LOOP, "i <= 9")), capfd)[0] == "rejected"


def test_an_empty_witness_is_never_confirmed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, LOOP, proof(), capfd)[0] == "trivial"
    assert check(tmp_path, LOOP, proof((AT_LOOP, "1")), capfd)[0] == "trivial"
    assert check(tmp_path, LOOP.replace("i != 10", "i == 10"), proof(), capfd)[0] == "rejected"


def test_the_witness_must_be_about_this_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def metadata(text: str) -> str:
        return f", task: {{input_file_hashes: {{program.c: {hashlib.sha256(text.encode()).hexdigest()}}}}}"

    word, text = check(tmp_path, LOOP, proof((AT_LOOP, "i <= 10"), extra=metadata("another")), capfd)
    assert word == "rejected"
    assert "SHA-256" in text
    assert check(tmp_path, LOOP, proof((AT_LOOP, "i <= 10"), extra=metadata(LOOP)), capfd)[0] == "confirmed"


@pytest.mark.long
@pytest.mark.parametrize(
    "waypoints",
    [
        # all inputs, as we write them
        (assume(5, "x == 7"), assume(8, "y == 20", 5), assume(8, "y == 20", 5), assume(8, "y == 20", 5), TARGET),
        # only some of them, and none
        (assume(5, "x == 7"), TARGET),
        (TARGET,),
        # other kinds
        (
            r"type: function_return, constraint: {value: '\return == 7'}, location: {line: 4, column: 33}",
            "type: branching, constraint: {value: true}, location: {line: 8, column: 5}",
            "type: branching, constraint: {value: false}, location: {line: 6, column: 3}",
            TARGET,
        ),
        (f"{assume(8, 'k == 0 && y > x', 5)}, action: avoid ; {assume(11, 'sum == 60')}", TARGET),
    ],
)  # fmt: skip
def test_violations_that_can_be_followed(
    waypoints: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    word, text = check(tmp_path, INPUTS, violation(*waypoints), capfd)
    assert word == "confirmed", text
    assert "program.c:11: call of reach_error() in main: reached" in text


@pytest.mark.parametrize(
    ("waypoints", "message"),
    [
        ((assume(5, "x == 8"), TARGET), "no execution that follows the witness"),
        ((assume(8, "y == 20 && k == 5", 5), TARGET), "no execution that follows the witness"),
        ((f"{assume(8, 'y > x', 5)}, action: avoid ; {assume(11, 'sum == 60')}", TARGET), "no execution"),
        ((TARGET.replace("11", "12"),), "nothing at line 12 can violate"),
        ((assume(14, "x == 8"), TARGET), "there is no statement at"),
        ((assume(5, "(x = 8)"), TARGET), "effects"),
    ],
)  # fmt: skip
def test_violations_that_cannot(
    waypoints: tuple[str, ...], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    word, text = check(tmp_path, INPUTS, violation(*waypoints), capfd)
    assert word == "rejected", text
    assert message in text


def test_what_is_not_decided_is_unknown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = proof((AT_LOOP, "1")).replace("loop_invariant", "loop_transition_invariant")
    assert check(tmp_path, LOOP, other, capfd)[0] == "unknown"
    switch = "type: branching, constraint: {value: default}, location: {line: 8, column: 5}"
    assert check(tmp_path, INPUTS, violation(switch, TARGET), capfd)[0] == "unknown"
    broken = tmp_path / "broken"
    broken.mkdir()
    assert check(broken, "int main(void) { return", proof(), capfd)[0] == "unknown"


@pytest.mark.long
def test_our_own_witnesses_are_confirmed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with_input = LOOP.replace("int i = 0,", "__VERIFIER_nondet_int(); int i = 0,")  # else its execution is the proof
    for program, code in ((with_input, 0), (INPUTS, 10)):
        source, file = tmp_path / "program.c", tmp_path / "w.yml"
        source.write_text(program)
        assert main(["verify", str(source), "--property", "unreach-call", "--witness", str(file), "--quiet"]) == code
        assert main(["witness", "check", str(file), *(() if code else (str(source),))]) == 0
        assert capfd.readouterr().out.splitlines()[-1] == "WITNESS: confirmed"


def test_a_witness_that_names_no_file_needs_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "w.yml"
    file.write_text(proof(extra=", task: {input_files: [none.c]}"))
    assert main(["witness", "check", str(file)]) == 4
    assert "add FILE" in capsys.readouterr().out
    assert main(["witness", "check", str(tmp_path / "none.yml")]) == 2
    file.write_text("- nothing")
    assert main(["witness", "check", str(file)]) == 3


@pytest.mark.parametrize("text", ["junk", "- entry_type: [", ""])
def test_a_file_that_is_no_witness_is_not_rejected_but_bad_input(
    text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    word, out = check(tmp_path, LOOP, text, capfd)
    assert word == "unknown"
    assert "w.yml:1:" in out


NUMBERS = """extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
double most = -1.0;
int main(void) {
  float y = 0.0f;
  while (1) {
    float u = __VERIFIER_nondet_float();
    if (!(u >= -1.0f && u <= 1.0f)) continue;
    y = 0.5f * y + 0.25f * u;
    if (u > most) most = u;
    if (!(y <= 1.0f) || most > 1.0) reach_error();
  }
}
"""
SPECIAL = """extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  double y;
  y = __VERIFIER_nondet_double();
  double z = __VERIFIER_nondet_float();
  if (x != x && y == 0 && 1 / y < 0 && z > 2 && z == z + z) reach_error();
  return 0;
}
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "verdict", "shown"),
    [
        (NUMBERS, 0, ("most <= 1.0", "y <= 0.99999994f")),
        (SPECIAL, 10, ("x != x", "y == 0.0 && 1.0 / y < 0.0", "\\result == 1e99999f")),
    ],
    ids=["proof", "violation"],
)
def test_floating_point_numbers_are_read_back(
    text: str, verdict: int, shown: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, witness = tmp_path / "p.c", tmp_path / "w.yml"
    program.write_text(text)
    words = ["verify", str(program), "--property", "unreach-call", "--witness", str(witness), "--time-limit", "20"]
    assert main(words) == verdict
    assert all(one in witness.read_text() for one in shown)
    capsys.readouterr()
    assert main(["witness", "check", str(witness), str(program)]) == 0
    assert "WITNESS: confirmed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "reason"),
    [("most / 2 <= 1", "WITNESS: confirmed"), ("(int) most == 1", "to an integer type is not decided")],
)
def test_divisions_of_floating_point_numbers_are_read(
    value: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, witness = tmp_path / "p.c", tmp_path / "w.yml"
    program.write_text(NUMBERS)
    witness.write_text(proof(("line: 7, function: main", value)))
    main(["witness", "check", str(witness), str(program), "--time-limit", "20"])
    assert reason in capsys.readouterr().out
