"""Automata as blocks: chains are joined, conditions end a block, loops fold into their heads; pictures as SVG."""

import xml.etree.ElementTree as ElementTree

from interplay.presentation.graphs.automaton import Automaton, LocationKind, ShownEdge, ShownLocation, automata
from interplay.presentation.graphs.block_graph import BlockDetail, BlockGraph, blocks_of, drawn, folded, lines_of, loops
from interplay.presentation.graphs.picture import BoxLine, Look, Role, Sheet, TextStyle, WireKind
from interplay.presentation.graphs.picturesvg import to_svg
from tests.support.small_programs import counting_loop


def main_of(detail: BlockDetail = BlockDetail.BLOCKS) -> BlockGraph:
    return blocks_of(next(one for one in automata(counting_loop(10)) if one.function == "main"), detail)


def test_chains_are_blocks_and_conditions_their_last_rows() -> None:
    graph = main_of()
    assert [block.locations for block in graph.blocks] == [(2, 3), (4,), (5,), (6,), (7,), (8,)]
    entry, loop, body, assertion, error, exit_ = graph.blocks
    assert [row.text for row in entry.rows] == ["x = __VERIFIER_nondet_int()", "i = 0"]
    assert [(row.edges, row.condition) for row in loop.rows] == [((3, 5), True)]
    assert (entry.role, loop.role, error.role, exit_.role) == (Role.ENTRY, Role.LOOP, Role.ERROR, Role.EXIT)
    assert lines_of(body) == ["line 5", "i++"]
    assert lines_of(error) == ["✗ error, line 6", "assertion i == 10"]
    assert assertion.rows[0].condition


def test_a_value_that_is_kept_to_be_asked_for_is_one_row() -> None:
    locations = tuple(
        ShownLocation(n, kind, False, None, "")
        for n, kind in enumerate((LocationKind.ENTRY, *[LocationKind.INNER] * 3))
    )
    edges = (
        ShownEdge(0, 0, 1, "assign", "f() > 0", "t := f", None),
        ShownEdge(1, 1, 2, "assume", "[f() > 0]", "assume t", None),
        ShownEdge(2, 1, 3, "assume", "[!(f() > 0)]", "assume ¬t", None),
    )
    entry = blocks_of(Automaton("main", 0, 3, locations, edges), BlockDetail.BLOCKS).blocks[0]
    assert [(row.text, row.edges, row.condition) for row in entry.rows] == [("f() > 0 ?", (0, 1, 2), True)]


def test_every_location_can_stand_on_its_own() -> None:
    graph = main_of(BlockDetail.LOCATIONS)
    assert len(graph.blocks) == 7
    assert sorted(graph.block_of.values()) == list(range(7))


def test_a_loop_folds_into_its_head() -> None:
    graph = main_of()
    assert loops(graph) == {1: frozenset({2})}
    small = folded(graph, [4])
    assert len(small.blocks) == 5
    head = small.blocks[small.block_of[4]]
    assert (head.folded, head.locations) == (1, (4, 5))
    assert small.block_of[5] == small.block_of[4]
    assert all(flow.source != flow.target for flow in small.flows)
    assert folded(graph, []) is graph


def test_what_goes_back_is_told_from_what_goes_on() -> None:
    graph = main_of()
    picture = drawn(graph)
    kinds = {(wire.source, wire.target): wire.kind for wire in picture.wires}
    assert kinds[2, 1] is WireKind.BACK
    assert kinds[0, 1] is WireKind.PLAIN
    for one in picture.boxes:
        for other in picture.boxes:
            beside = one.left >= other.left + other.width or other.left >= one.left + one.width
            assert one is other or beside or one.top >= other.top + other.height or other.top >= one.top + one.height


def test_pictures_are_drawn_as_svg() -> None:
    picture = drawn(main_of())
    looks = [Look.PATH, Look.HIDDEN, Look.NEW, Look.GONE, Look.ABSENT, Look.NONE]
    lines = [BoxLine("line <1>", TextStyle.HEAD), BoxLine("i & 1", marked=True)]
    sheet = Sheet(picture, looks, lambda _: lines, lambda box: f"about {box}", lambda _: "⊂1", frozenset({0}))
    root = ElementTree.fromstring(to_svg(sheet))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("line <1>") == 5
    assert "+⊂1" in texts
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == [f"about {box}" for box in (0, 2, 3, 4, 5)]
