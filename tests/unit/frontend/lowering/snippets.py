"""The C functions of snippets.c by name."""

from __future__ import annotations

from pathlib import Path


def snippets() -> dict[str, str]:
    """Each maps to C text that defines `long long F(int a, int b)`."""
    _, *sections = Path(__file__).with_name("snippets.c").read_text(encoding="utf-8").split("//! ")
    return {name: body for name, _, body in (section.partition("\n") for section in sections)}
