"""Data that ships with Interplay, and how it is read. What must be a path: `importlib.resources.files("resources")`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_FOLDER = Path(__file__).parent  # `importlib.resources` loads a library for archives


def resource_text(*path: str) -> str:
    """The text of a file of the folder."""
    return _FOLDER.joinpath(*path).read_text(encoding="utf-8")


def rows(text: str) -> Iterator[str]:
    """The rows of a table: its lines, but for empty ones and comments, which begin with `#`."""
    return (line for line in text.splitlines() if line and not line.startswith("#"))
