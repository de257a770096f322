"""Runs of nodes in a run file, which are counted at once and read only when somebody asks for them.

Most lines of a long run are nodes, one after the other. A run of lines that are all as `encode` writes them is found by
one pattern; so its lines cannot be malformed, and what a first look needs (which nodes there are, where they are) is
found in the text, without an object for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.pattern import pattern
from runs.events import NodeAdded, Place
from runs.events_json import decode_all
from runs.jsondata import as_int, as_ints, as_row, parse

_NUMBER = r"(?:0|[1-9]\d{0,17})"
_NUMBERS = rf"\[(?:{_NUMBER}(?:,{_NUMBER}){{0,999}})?\]"
_WHERE = rf'"place":\[{_NUMBERS},{_NUMBER}\],"edges":{_NUMBERS}'
_LINE = rf'\{{"kind":"node","node":{_NUMBER},"parent":(?:-1|{_NUMBER}),{_WHERE},"formula":(?:-1|{_NUMBER})\}}\n'
_RUN = pattern(rf"^(?:{_LINE})++".encode(), re.MULTILINE)
_NODE = pattern(rb'"node":(\d+)')
_PLACE = pattern(rb'("place":.*?),"formula"')
_FEWEST = 10_000  # bytes; shorter runs are read like other events


class PackedNodes:
    """`NodeAdded` events one after the other, as the text of their lines."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.numbers = tuple(map(int, _NODE.findall(text)))

    def __len__(self) -> int:
        return len(self.numbers)

    def events(self) -> Iterator[NodeAdded]:
        for event in decode_all(self._text.splitlines()):
            assert isinstance(event, NodeAdded)
            yield event

    def places(self) -> Iterator[tuple[Place, tuple[int, ...]]]:
        """The places of the nodes and the edges that led to them, each pair once, in the order of the first."""
        for text in dict.fromkeys(_PLACE.findall(self._text)):
            place, edges = as_row(parse(b"[" + text.replace(b'"place":', b"").replace(b'"edges":', b"") + b"]"), 2)
            stack, location = as_row(place, 2)
            yield (as_ints(stack), as_int(location)), as_ints(edges)


def packed(text: bytes) -> Iterator[bytes | PackedNodes]:
    """A text of lines, cut into runs of nodes and what stands between them."""
    begin = 0
    for match in _RUN.finditer(text):
        if match.end() - match.start() < _FEWEST:
            continue
        if match.start() > begin:
            yield text[begin : match.start()]
        yield PackedNodes(match[0])
        begin = match.end()
    if begin < len(text):
        yield text[begin:]
