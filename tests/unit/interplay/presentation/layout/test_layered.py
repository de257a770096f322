"""The laws of a drawing: nothing overlaps, routes meet their nodes, links without a cycle go down."""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interplay.presentation.layout import Drawing, Link, Point, Size, layered
from tests.support.effort import effort

Box = tuple[float, float, float, float]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Size], list[Link]]:
    count = draw(st.integers(1, 12))
    sizes = st.builds(Size, st.integers(10, 90), st.integers(10, 40))
    node = st.integers(0, count - 1)
    links = st.lists(st.builds(Link, node, node, st.none() | sizes), max_size=24)
    return draw(st.lists(sizes, min_size=count, max_size=count)), draw(links)


def boxes(nodes: list[Size], links: list[Link], drawing: Drawing) -> list[Box]:
    found = [
        (x - size.width / 2, y - size.height / 2, x + size.width / 2, y + size.height / 2)
        for size, (x, y) in zip(nodes, drawing.centres, strict=True)
    ]
    for link, route in zip(links, drawing.routes, strict=True):
        assert (link.label is None) == (route.label is None)
        if link.label and route.label:
            x, y = route.label
            found.append((x, y, x + link.label.width, y + link.label.height))
    return found


def touches(point: Point, size: Size, centre: Point) -> bool:
    """Whether the point lies on the border of a node."""
    dx, dy = abs(point.x - centre.x), abs(point.y - centre.y)
    half = Size(size.width / 2, size.height / 2)
    inside = dx <= half.width + 1e-6 and dy <= half.height + 1e-6
    return inside and (abs(dx - half.width) < 1e-6 or abs(dy - half.height) < 1e-6)


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_drawing_is_lawful(graph: tuple[list[Size], list[Link]]) -> None:
    nodes, links = graph
    drawing = layered(nodes, links)
    found = boxes(nodes, links, drawing)
    for one, other in combinations(found, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)
    for left, top, right, bottom in found:
        assert left >= 0
        assert top >= 0
        assert right <= drawing.size.width
        assert bottom <= drawing.size.height
    for link, route in zip(links, drawing.routes, strict=True):
        assert touches(route.points[0], nodes[link.source], drawing.centres[link.source])
        assert touches(route.points[-1], nodes[link.target], drawing.centres[link.target])
        assert len(route.points) > 1
        assert all(0 <= x <= drawing.size.width and 0 <= y <= drawing.size.height for x, y in route.points)
    assert layered(nodes, links) == drawing


def test_links_go_down_and_loops_go_up() -> None:
    links = [Link(0, 1), Link(1, 2), Link(2, 1), Link(1, 3), Link(3, 3)]
    drawing = layered([Size(20, 10)] * 4, links)
    ys = [centre.y for centre in drawing.centres]
    assert ys[0] < ys[1] < ys[2]
    assert ys[1] < ys[3]
    assert drawing.routes[2].points[0].y > drawing.routes[2].points[-1].y
    assert len({point.y for point in drawing.routes[4].points}) == 2


def test_nothing_is_drawn_of_nothing() -> None:
    assert layered([], []).centres == ()


def test_chain_is_straight() -> None:
    drawing = layered([Size(30, 10)] * 6, [Link(i, i + 1, Size(60, 12)) for i in range(5)])
    assert len({round(centre.x, 6) for centre in drawing.centres}) == 1


@pytest.mark.long
@pytest.mark.parametrize("far", [0, 600])
def test_two_thousand_nodes(far: int) -> None:
    """Chains with many long links: these run in lanes, so that the time stays within seconds."""
    rnd = random.Random(1)
    links = [Link(max(0, i - rnd.randrange(1, 4)), i, Size(60, 12)) for i in range(1, 2000)]
    links += [Link(rnd.randrange(2000), rnd.randrange(2000), Size(80, 12)) for _ in range(far)]
    with effort() as found:
        drawing = layered([Size(60, 24)] * 2000, links)
    assert found.calls < 3_000_000  # about a second
    assert len(drawing.routes) == len(links)


@pytest.mark.long
def test_a_drawing_ends_when_nobody_wants_it() -> None:
    """Whatever part of the layout is under way, the check comes soon."""

    class Enough(Exception):
        pass

    nodes = [Size(60, 24)] * 400
    links = [Link(i, i + 1) for i in range(399)] + [Link(i, (i * 7) % 400) for i in range(400)]
    calls: list[int] = []
    layered(nodes, links, check=lambda: calls.append(len(calls)))
    assert len(calls) > 1000
    for last in (1, len(calls) // 2, len(calls)):
        left = iter(range(1, last))

        def check(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Enough

        with pytest.raises(Enough):
            layered(nodes, links, check=check)
