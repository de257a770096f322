"""Layered drawings of directed graphs: sizes in, positions and polylines out. Knows no program and no toolkit."""

from core.layout.graph import Drawing, Link, Point, Route, Size, Spacing
from core.layout.layered import layered

__all__ = ["Drawing", "Link", "Point", "Route", "Size", "Spacing", "layered"]
