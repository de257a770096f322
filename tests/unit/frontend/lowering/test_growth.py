"""The work of lowering grows as the program does."""

import pytest

from core.program import Assume
from frontend.api import parse_program
from frontend.lowering.unit import lower
from frontend.typed import traversal, tree
from frontend.typed.ctype import DataModel


def devices(number: int) -> str:
    """Objects in memory, each with a function that changes it, and global variables that one function counts up."""
    each = range(number)
    lines = [f"struct s{i} {{ int mode; int held[4]; }}; struct s{i} o{i};" for i in each]
    lines += [
        f"void set{i}(struct s{i} *p, int mode) {{ p->mode = mode & 7; p->held[mode & 3] = mode; }}" for i in each
    ]
    lines += [f"int counter{i} = {i};" for i in each]
    lines += ["void tick(void) {", *(f"if (counter{i} < 9) counter{i}++;" for i in each), "}"]
    lines += ["int main(void) {", "tick();", *(f"int x{i} = {i}; set{i}(&o{i}, x{i});" for i in each), "}"]
    return "\n".join(lines)


def visited(monkeypatch: pytest.MonkeyPatch, number: int) -> int:
    """The number of nodes that are visited in the lowering of so many devices."""
    unit, original, count = parse_program(devices(number), "a.c", DataModel.ILP32), traversal.children, 0

    def children(node: tree.Node) -> list[tree.Node]:
        nonlocal count
        count += 1
        return original(node)

    with monkeypatch.context() as patch:
        patch.setattr(traversal, "children", children)
        lower(unit, None)
    return count


def test_nodes_are_visited_a_constant_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    small = visited(monkeypatch, 8)
    assert small > 0
    assert visited(monkeypatch, 32) <= 4.1 * small


def test_a_switch_has_one_term_with_all_its_cases() -> None:
    cases = " ".join(f"case {i}: x = {i + 1}; break;" for i in range(100))
    text = f"int main(void) {{ int x = 0; switch (x) {{ {cases} }} return x; }}"
    program = lower(parse_program(text, "a.c", DataModel.ILP32), None)
    conditions = [edge.operation.condition for edge in program.edges if isinstance(edge.operation, Assume)]
    assert sorted(len(one.args) for one in conditions)[-2:] == [1, 100]
    assert max(one.id for one in conditions) < 450  # no term for each number of cases
