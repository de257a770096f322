"""The base of all pieces of random programs.

A piece adds a function `long long f(int a, long long b)` around some constructs and returns its name. All indices are
masked, all pointers point to living objects, and no expression has two effects on one object.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.three_way.expressions import Source

Piece = Callable[[Source], str]
ARGUMENTS = ("a", "b")


def function(s: Source, body: str) -> str:
    """The function of a piece, with these statements as its body."""
    name = s.name("f")
    s.declare(f"static long long {name}(int a, long long b)\n{{\n  {body}\n}}")
    return name
