"""Widening stops at the constants of a variable, and at few of them where there are many."""

from core.analysis.intervals import IntervalAnalysis
from core.analysis.thresholds import pushed, thresholds_of
from core.program import Program
from core.terms import Term
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed.ctype import DataModel


def machine(states: int) -> Program:
    """A loop that goes from state to state, and counts up to 100 in each."""
    cases = "".join(
        f"case {i}: if (count < 100) count++; else {{ count = 0; state = {(i + 1) % states}; }} break;"
        for i in range(states)
    )
    body = f"int state = 0, count = 0; while (nondet()) switch (state) {{ {cases} }}"
    return lower(parse_program(f"int nondet(void); int main(void) {{ {body} }}", "a.c", DataModel.ILP32), None)


def named(program: Program, name: str) -> Term:
    return next(symbol for symbol, one in program.variables.items() if one.name == name)


def test_a_variable_stops_at_constants_that_it_depends_on() -> None:
    program = machine(5)
    thresholds = thresholds_of(program)
    assert {99, 100} <= set(thresholds[named(program, "main::count")])
    assert 3 not in thresholds[named(program, "main::count")]
    assert {3, 4} <= set(thresholds[named(program, "main::state")])


def test_after_many_moves_thresholds_are_passed_over() -> None:
    steps = range(1000)
    assert pushed(steps, (0, 3), (0, 4), 1) == (0, 4)
    assert pushed(steps, (0, 40), (0, 41), 36) == (0, 56)
    assert pushed(steps, (0, 900), (0, 901), 60) == (0, None)


class Counted(IntervalAnalysis):
    """An analysis that counts the locations that it visits."""

    visits = 0

    def _effects(self, location):  # type: ignore[no-untyped-def]
        self.visits += 1
        return super()._effects(location)


def visits(states: int) -> int:
    analysis = Counted(machine(states))
    found = analysis.run()
    count = named(analysis.program, "main::count")
    assert max(state[count][1] or 0 for state in found.values() if count in state) == 100
    return analysis.visits


def test_visits_grow_with_the_program() -> None:
    small, large = visits(50), visits(400)
    assert large <= 10 * small
