"""Layout of directed graphs and of trees: sizes in, positions and polylines out. Knows no program and no toolkit."""

from interplay.presentation.layout.layered import layered
from interplay.presentation.layout.layout_data import (
    CancelCheck,
    Drawing,
    Link,
    Point,
    Route,
    Size,
    Spacing,
    checked,
    unchecked,
)
from interplay.presentation.layout.tree_layout import tidy

__all__ = [
    "CancelCheck",
    "Drawing",
    "Link",
    "Point",
    "Route",
    "Size",
    "Spacing",
    "checked",
    "layered",
    "tidy",
    "unchecked",
]
