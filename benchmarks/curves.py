"""Curves as SVG, both axes logarithmic, each with its own scale: a power is a line and its exponent the slope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.transition.scatter import BOTTOM, LEFT, SIDE, TOP, Scale

LEGEND = 170  # pixels beside the plot
COLOURS = ("#1f6fb2", "#c4572f", "#3c8c4a", "#7b4fa3", "#8a6d1f", "#555555")


@dataclass(frozen=True)
class Curve:
    """A curve: positive points in the order of their first coordinate."""

    label: str
    points: Sequence[tuple[float, float]]


def svg(title: str, x_axis: str, y_axis: str, curves: Sequence[Curve]) -> str:
    """One plot with a legend, and a dashed line of slope 2 to compare with."""
    width, height = LEFT + SIDE + LEGEND, TOP + SIDE + BOTTOM
    across = Scale.around([x for curve in curves for x, _ in curve.points])
    up = Scale.around([y for curve in curves for _, y in curve.points])
    body = [*_axes(title, x_axis, y_axis, across, up), _quadratic(across, up)]
    for number, curve in enumerate(curves):
        body += _curve(curve, COLOURS[number % len(COLOURS)], number, across, up)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            f'<g transform="translate({LEFT},{TOP})">',
            *body,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _axes(title: str, x_axis: str, y_axis: str, across: Scale, up: Scale) -> Iterator[str]:
    yield f'<text x="{SIDE / 2}" y="-16" text-anchor="middle" font-size="14">{escape(title)}</text>'
    for value in across.ticks():
        x = across.at(value)
        yield f'<path d="M{x:.1f} 0V{SIDE}" stroke="#e4e4e4"/>'
        yield f'<text x="{x:.1f}" y="{SIDE + 18}" text-anchor="middle">{value:g}</text>'
    for value in up.ticks():
        y = SIDE - up.at(value)
        yield f'<path d="M0 {y:.1f}H{SIDE}" stroke="#e4e4e4"/>'
        yield f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    yield f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="#444"/>'
    yield f'<text x="{SIDE / 2}" y="{SIDE + 42}" text-anchor="middle">{escape(x_axis)}</text>'
    yield f'<text transform="translate(-46,{SIDE / 2}) rotate(-90)" text-anchor="middle">{escape(y_axis)}</text>'


def _quadratic(across: Scale, up: Scale) -> str:
    """From the lower left corner, as far as it stays inside."""
    decades = min(across.high - across.low, (up.high - up.low) / 2)
    x, y = decades / (across.high - across.low) * SIDE, 2 * decades / (up.high - up.low) * SIDE
    return f'<path d="M0 {SIDE}L{x:.1f} {SIDE - y:.1f}" stroke="#999" stroke-dasharray="5 4"/>'


def _curve(curve: Curve, colour: str, number: int, across: Scale, up: Scale) -> Iterator[str]:
    places = [(across.at(x), SIDE - up.at(y)) for x, y in curve.points]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    if places:
        yield f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    for (x, y), point in zip(places, curve.points, strict=True):
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}">'
            f"<title>{escape(curve.label)}: {point[0]:g}, {point[1]:g}</title></circle>"
        )
    level = 10 + 20 * number
    yield f'<path d="M{SIDE + 14} {level}h18" stroke="{colour}" stroke-width="2"/>'
    yield f'<text x="{SIDE + 38}" y="{level + 4}">{escape(curve.label)}</text>'
