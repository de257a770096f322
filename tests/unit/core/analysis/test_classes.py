"""Classes of equivalent elements: what is joined is found together, and the side that was asked for stands for both."""

from hypothesis import given
from hypothesis import strategies as st

from core.analysis.classes import Classes

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)))


@given(PAIRS)
def test_it_is_the_least_equivalence(pairs: list[tuple[int, int]]) -> None:
    classes, expected = Classes[int](), [{x} for x in range(13)]
    for x, y in pairs:
        top = classes.find(y)
        classes.join(x, y)
        assert classes.find(x) == classes.find(y) == top
        joined = {each for one in expected if {x, y} & one for each in one}
        expected = [one for one in expected if not {x, y} & one] + [joined]
    found = [{y for y in range(13) if classes.find(y) == classes.find(x)} for x in range(13)]
    assert all(one in expected for one in found)


def test_a_long_chain_needs_no_recursion() -> None:
    classes = Classes[int]()
    for x in range(50_000):
        classes.join(x, x + 1)
    assert classes.find(0) == classes.find(49_999) == 50_000
