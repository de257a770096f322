"""Rounds of loops that an error does not need are left out of an execution."""

from core.limits import Limits
from core.program import InputKind, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.verdict import InputValue, Unsafe
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from methods.paths.fewer_rounds import with_fewer_rounds

COUNTER = """extern void reach_error(void);
extern int push(void), pop(void);
int main(void) {
  int n = 0;
  for (;;) {
    if (push())
      n++;
    for (int i = 0; i < 2; i++)
      if (pop() && n > 0)
        n--;
    if (n > 2)
      reach_error();
  }
}
"""


def program(text: str) -> Program:
    return lower(parse_program(text, "a.c", DataModel.ILP32), UnreachCall())


def inputs(lowered: Program, values: dict[str, list[int]]) -> Unsafe:
    """The claim that these values of functions lead to the error; only they are looked at."""
    spans = {one.name: one.span for one in lowered.inputs.values() if one.kind is InputKind.EXTERN}
    return Unsafe(
        tuple(
            InputValue(InputKind.EXTERN, name, spans[name], time, value)
            for name, given in values.items()
            for time, value in enumerate(given)
        ),
        (),
    )


def shorter(values: dict[str, list[int]]) -> dict[str, list[int]] | None:
    lowered = program(COUNTER)
    expansion = Expansion(lowered, BlockEncoding.STATEMENTS)
    found = with_fewer_rounds(expansion, 0, inputs(lowered, values), Limits())
    if found is None:
        return None
    steps, claim = found
    assert claim.path == tuple(edge.id for step in steps for edge in step.edges)
    by_name: dict[str, list[int]] = {}
    for one in claim.inputs:
        assert isinstance(one.value, int)
        assert one.occurrence == len(by_name.setdefault(one.name, []))
        by_name[one.name].append(one.value)
    return by_name


def test_what_the_error_does_not_need_is_left_out() -> None:
    """Of twelve rounds, those that push and pop, or do nothing, are not needed."""
    push = [1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1]
    pop = [0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    found = shorter({"push": push, "pop": pop})
    assert found is not None
    assert found["push"] == [1, 1, 1]
    assert found["pop"] == [0] * 6


def test_what_is_short_stays() -> None:
    values = {"push": [1, 1, 1], "pop": [0] * 6}
    assert shorter(values) == values


def test_what_does_not_lead_to_the_error_is_no_execution() -> None:
    assert shorter({"push": [0, 1], "pop": [0] * 4}) is None
