"""Input and output over pipes: reads chunks as whole lines, and writes all of a chunk."""

from __future__ import annotations

import os

GRACE = 0.3  # seconds between a request to stop and the end by force


def write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


class LineBuffer:
    """Splits a stream of chunks into lines. Linear in the size of the input, whatever the length of a line."""

    def __init__(self) -> None:
        self._unfinished = bytearray()

    @property
    def pending(self) -> int:
        """Bytes of a line whose end has not come."""
        return len(self._unfinished)

    def take(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without their ends."""
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = bytes(self._unfinished) + lines[0]
            self._unfinished.clear()
        self._unfinished += rest
        return lines
