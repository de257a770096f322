"""The Python text of one C function: basic blocks as Python functions over a frame.

A block takes the frame, a list, and returns the index of the next block, or what `call` and `give` return. Slot 0 of
the frame lists the addresses that the activation owns; the other slots hold values, or addresses of objects.
"""

from __future__ import annotations

from collections.abc import Callable

Frame = list[object]
BlockFunction = Callable[[Frame], int]


class CodeBuilder:
    """Builder of the Python text of a function.

    The current block is where `emit` adds; blocks are numbered from 0, the entry.
    """

    def __init__(self, slots: int) -> None:
        self._bodies: list[list[str]] = []
        self._current: list[str] = []
        self._open = False
        self._slots = self._temporary = slots
        self.tables: dict[str, dict[int, int]] = {}
        self.start(self.new())

    def new(self) -> int:
        """The index of a block to be started later."""
        self._bodies.append([])
        return len(self._bodies) - 1

    def start(self, block: int) -> None:
        """Continue in `block`; control falls into it from the current one."""
        if self._open:
            self._current.append(f"return {block}")
        self._current = self._bodies[block]
        self._open = True

    def emit(self, line: str) -> None:
        if not self._open:
            self.start(self.new())  # unreachable text, but labels may follow
        self._current.append(line)

    def leave(self, line: str) -> None:
        """End the current block by a return statement."""
        self.emit(line)
        self._open = False

    def jump(self, block: int) -> None:
        self.leave(f"return {block}")

    def branch(self, condition: str, then: int, otherwise: int) -> None:
        self.leave(f"return {then} if {condition} else {otherwise}")

    def table(self) -> tuple[str, dict[int, int]]:
        """A fresh table from values to blocks, and its name in the text."""
        name = f"switch{len(self.tables)}"
        self.tables[name] = {}
        return name, self.tables[name]

    def temporary(self) -> str:
        """A slot that is free until the mark before it is restored."""
        self._temporary += 1
        self._slots = max(self._slots, self._temporary)
        return f"f[{self._temporary - 1}]"

    def mark(self) -> int:
        return self._temporary

    def restore(self, mark: int) -> None:
        self._temporary = mark

    @property
    def slots(self) -> int:
        """The length of a frame."""
        return self._slots

    def text(self) -> str:
        """Definitions of `b0`, `b1`, …"""
        return "\n".join(
            f"def b{index}(f):\n " + "\n ".join(body or ["return -3"]) for index, body in enumerate(self._bodies)
        )

    def __len__(self) -> int:
        return len(self._bodies)
