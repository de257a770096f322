"""Scatter plots as SVG: both axes logarithmic, with the diagonal and a lighter one an order of magnitude below it.

The text is written without any library, so a plot is a function of its points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

SIDE = 320  # of the square plot, in pixels
LEFT, TOP, RIGHT, BOTTOM = 64, 40, 20, 56


@dataclass(frozen=True)
class Point:
    """A pair of positive measurements. `hollow`: at least one of them is a lower bound (a run that was cut off)."""

    label: str
    x: float
    y: float
    hollow: bool = False


@dataclass(frozen=True)
class Plot:
    title: str
    x_axis: str
    y_axis: str
    points: Sequence[Point]


def svg(plots: Sequence[Plot]) -> str:
    """The plots side by side as one picture. Each point has its label as a tooltip."""
    pitch = LEFT + SIDE + RIGHT
    width, height = pitch * len(plots), TOP + SIDE + BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, plot in enumerate(plots):
        lines += [f'<g transform="translate({number * pitch + LEFT},{TOP})">', *_plot(plot), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _plot(plot: Plot) -> Iterator[str]:
    scale = Scale.around([v for p in plot.points for v in (p.x, p.y)])
    yield f'<text x="{SIDE / 2}" y="-16" text-anchor="middle" font-size="14">{escape(plot.title)}</text>'
    yield from _grid(scale)
    yield _line(scale, 1.0, "#444", 2)
    yield _line(scale, 0.1, "#bbb", 1)
    yield f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="#444"/>'
    yield f'<text x="{SIDE / 2}" y="{SIDE + 42}" text-anchor="middle">{escape(plot.x_axis)}</text>'
    yield (f'<text transform="translate(-46,{SIDE / 2}) rotate(-90)" text-anchor="middle">{escape(plot.y_axis)}</text>')
    for p in plot.points:
        fill = "white" if p.hollow else "#1f6fb2"
        yield (
            f'<circle cx="{scale.at(p.x):.1f}" cy="{SIDE - scale.at(p.y):.1f}" r="4.5" fill="{fill}" '
            f'fill-opacity="0.75" stroke="#1f4f80"><title>{escape(p.label)}: {p.x:g}, {p.y:g}</title></circle>'
        )


@dataclass(frozen=True)
class Scale:
    """Powers of ten from `low` to `high`, both exponents, along one side."""

    low: int
    high: int

    @staticmethod
    def around(values: Sequence[float]) -> Scale:
        if not values:
            return Scale(0, 1)
        low = math.floor(math.log10(min(values)) + 1e-9)
        return Scale(low, max(math.ceil(math.log10(max(values)) - 1e-9), low + 1))

    def ticks(self) -> Iterator[float]:
        """Powers of ten, with 2 and 5 times them where there is room."""
        for exponent in range(self.low, self.high):
            yield from (factor * 10.0**exponent for factor in ((1, 2, 5) if self.high - self.low <= 3 else (1,)))
        yield 10.0**self.high

    def at(self, value: float) -> float:
        return (math.log10(value) - self.low) / (self.high - self.low) * SIDE


def _grid(scale: Scale) -> Iterator[str]:
    for value in scale.ticks():
        position, label = scale.at(value), f"{value:g}"
        up = SIDE - position
        yield f'<path d="M{position:.1f} 0V{SIDE}M0 {up:.1f}H{SIDE}" stroke="#e4e4e4"/>'
        yield f'<text x="{position:.1f}" y="{SIDE + 18}" text-anchor="middle">{label}</text>'
        yield f'<text x="-8" y="{up + 4:.1f}" text-anchor="end">{label}</text>'


def _line(scale: Scale, factor: float, colour: str, width: int) -> str:
    """The line y = factor · x, as far as the plot shows it."""
    shift = -math.log10(factor) / (scale.high - scale.low) * SIDE
    return f'<path d="M{shift:.1f} {SIDE}L{SIDE} {shift:.1f}" stroke="{colour}" stroke-width="{width}"/>'
