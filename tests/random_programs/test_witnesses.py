"""Random invariants and waypoints on random programs, against all executions: no judgement contradicts the truth."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from core.verdict import EXIT_CODES, Status
from interplay.process.control import Control, Observer, journal_for
from interplay.session.request import Request
from interplay.witnesses.checking import WitnessExit, check_witness
from runs.runview import RunView

pytestmark = pytest.mark.long

TIMEOUT = EXIT_CODES[Status.TIMEOUT]

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = %d;
  if (x < 0 || x > 3) return 0;
  int k = 0;
  while (k < x + %d) {
    y = y + %d;
    if (y > %d)
      y = y - %d;
    k++;
  }
  if (y == %d) reach_error();
  return 0;
}
"""


@dataclass(frozen=True)
class Drawn:
    """A program by its constants, and what its executions show."""

    constants: tuple[int, int, int, int, int, int]

    @property
    def text(self) -> str:
        return PROGRAM % self.constants

    def heads(self, x: int) -> list[dict[str, int]]:
        """The states before each evaluation of the loop condition, for one input; the last one leaves the loop."""
        y, more, step, limit, back, _ = self.constants
        k, states = 0, []
        while True:
            states.append({"x": x, "y": y, "k": k})
            if k >= x + more:
                return states
            y += step
            y -= back if y > limit else 0
            k += 1

    def fails(self, x: int) -> bool:
        return self.heads(x)[-1]["y"] == self.constants[-1]

    def is_safe(self) -> bool:
        return not any(map(self.fails, range(4)))


def drawn(draw: Random) -> Drawn:
    return Drawn(
        (draw.randint(-2, 2), draw.randint(1, 3), draw.randint(-3, 3), draw.randint(0, 4), draw.randint(1, 5), 0)
    )


def aimed(draw: Random, one: Drawn) -> Drawn:
    """The same program with an error that few or no executions reach."""
    ends = [one.heads(x)[-1]["y"] for x in range(4)]
    return Drawn((*one.constants[:5], draw.choice([*ends, *range(-12, 12)])))


def expression(draw: Random) -> str:
    a, b = draw.sample(["x", "y", "k"], 2)
    n = draw.randint(-3, 6)
    simple = [f"{a} <= {n}", f"{a} >= {n}", f"{a} != {n}", f"{a} <= {b} + {n}", f"({a} + 40) % 3 == {n % 3}"]
    return draw.choice([*simple, f"{draw.choice(simple)} || {draw.choice(simple)}"])


def run_apart(request: Request) -> RunView:
    """In a process of its own, with little time: some of these proofs have no end."""
    with journal_for(None) as journal:
        return Control(request, journal, Observer()).run()


def judged(tmp_path: Path, program: str, entry: str, content: str) -> int:
    (tmp_path / "a.c").write_text(program)
    (tmp_path / "w.yml").write_text(f"- entry_type: {entry}\n  content:\n{content}")
    request = Request(str(tmp_path / "a.c"), "unreach-call", time_limit=6, witness=str(tmp_path / "w.yml"))
    return check_witness(request, run_apart)


def invariants_are_judged_right(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    one = aimed(draw, drawn(draw))
    texts = [expression(draw) for _ in range(draw.randint(1, 2))]
    python = [text.replace("||", "or") for text in texts]
    holds = all(eval(text, {}, state) for x in range(4) for state in one.heads(x) for text in python)
    content = "".join(
        f"  - invariant: {{type: loop_invariant, location: {{line: 8, column: 3}}, value: '{text}'}}\n"
        for text in texts
    )
    code = judged(tmp_path, one.text, "invariant_set", content)
    truth = WitnessExit.ACCEPTED if holds and one.is_safe() else WitnessExit.REJECTED
    assert code in (truth, WitnessExit.UNKNOWN, TIMEOUT), (seed, texts, one)


def waypoints_are_judged_right(tmp_path: Path, seed: int) -> None:
    """The constraints are on the input and on how often the body was entered: all executions tell what is right."""
    draw = Random(seed)
    one = aimed(draw, drawn(draw))
    text, rounds = expression(draw).replace("y", "x").replace("k", "x"), draw.randint(0, 3)
    chosen = [x for x in range(4) if eval(text.replace("||", "or"), {}, {"x": x})]
    right = any(one.fails(x) and len(one.heads(x)) - 1 >= rounds for x in chosen)
    entered = "  - segment: [waypoint: {type: branching, constraint: {value: true}, location: {line: 8, column: 3}}]\n"
    held = f"{{type: assumption, constraint: {{value: '{text}'}}, location: {{line: 7, column: 3}}}}"
    target = "  - segment: [waypoint: {type: target, location: {line: 14}}]\n"
    content = f"  - segment: [waypoint: {held}]\n{entered * rounds}{target}"
    code = judged(tmp_path, one.text, "violation_sequence", content)
    truth = WitnessExit.ACCEPTED if right else WitnessExit.REJECTED
    assert code in (truth, WitnessExit.UNKNOWN, TIMEOUT), (seed, text, rounds, one)


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_invariants(seed: int, tmp_path: Path) -> None:
    invariants_are_judged_right(tmp_path, seed)


@pytest.mark.parametrize("seed", range(2))
def test_waypoints(seed: int, tmp_path: Path) -> None:
    waypoints_are_judged_right(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more(seed: int, tmp_path: Path) -> None:
    invariants_are_judged_right(tmp_path, seed)
    waypoints_are_judged_right(tmp_path, seed)
