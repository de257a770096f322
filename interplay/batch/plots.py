"""The quantile plot of SV-COMP as SVG: for each configuration, its score against its CPU time.

The line of a configuration starts at the sum of its negative points; each correct verdict, the fastest first, adds its
points to the right, at the height of its CPU time. So right is better and low is fast (D. Beyer, "Competition on
software verification", TACAS 2012, section 5). Colours are attributes, so that the picture stands alone; on a page,
classes give others for a dark background. Lines differ in dashes and marks too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from core.dataclass import dataclass
from interplay.batch.rows import ResultRow
from interplay.batch.totals import by_configuration, totals

WIDTH, HEIGHT = 640, 360  # of the area of the plot, in pixels
LEFT, TOP, BOTTOM, LEGEND = 64, 24, 52, 200
FLOOR = 0.1  # seconds; what is faster is drawn here
COLOURS = ("#0072b2", "#c84e00", "#00795a", "#a8467f", "#8a6100", "#444444", "#4a56c8", "#6b6b00")
DASHES = ("", "8 4", "2 3", "10 3 2 3")
MARKS = (  # around the origin
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-4-4h8v8h-8z",
    "M0-5L5 4H-5z",
    "M0-5L5 0L0 5L-5 0z",
    "M-4-4L4 4M-4 4L4-4",
    "M0-5V5M-5 0H5",
    "M0 5L5-4H-5z",
)


@dataclass(frozen=True)
class Quantile:
    """The line of one configuration: `steps` are (score after it, CPU seconds) of correct verdicts; `start` is the sum
    of negative points.
    """

    name: str
    start: int
    steps: Sequence[tuple[int, float]]


def quantiles(rows: Sequence[ResultRow]) -> list[Quantile]:
    """The lines of all configurations, in the order of their first row."""
    quantile_list = []
    for name, group in by_configuration(rows).items():
        score = start = sum(row.score for row in group if row.score < 0)
        steps = []
        for row in sorted((row for row in group if row.correct), key=lambda row: (row.cpu, row.task)):
            score += row.score
            steps.append((score, row.cpu))
        quantile_list.append(Quantile(name, start, steps))
    return quantile_list


def quantile_plot(rows: Sequence[ResultRow]) -> str:
    """The plot as SVG; its description has the numbers."""
    lines = quantiles(rows)
    across = _Across.around([s for line in lines for s in (line.start, *(score for score, _ in line.steps))])
    up = _Up.around([cpu for line in lines for _, cpu in line.steps])
    described = "; ".join(f"{name}: score {totals(g).score}" for name, g in by_configuration(rows).items())
    body = [*_axes(across, up)]
    for number, line in enumerate(lines):
        body += [*_line(line, number, across, up), *_legend(line.name, number)]
    width, height = LEFT + WIDTH + LEGEND, TOP + HEIGHT + BOTTOM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'role="img" aria-labelledby="quantile-title quantile-text" font-family="sans-serif" font-size="13">',
            '<title id="quantile-title">Quantile plot: score against CPU time</title>',
            f'<desc id="quantile-text">{escape(described)}</desc>',
            f'<rect class="paper" width="{width}" height="{height}" fill="#ffffff"/>',
            f'<g transform="translate({LEFT},{TOP})">',
            *body,
            "</g>",
            "</svg>",
        ]
    )


@dataclass(frozen=True)
class _Across:
    """The axis of scores, with a round distance of ticks."""

    low: int
    high: int
    step: int

    @staticmethod
    def around(values: Sequence[int]) -> _Across:
        low, high = min(values, default=0), max(values, default=0)
        rough = max((high - low) / 8, 1)
        power = 10 ** math.floor(math.log10(rough))
        step = next(int(f * power) for f in (1, 2, 5, 10) if f * power >= rough)
        return _Across(
            step * math.floor(low / step), step * max(math.ceil(high / step), math.floor(low / step) + 1), step
        )

    def at(self, score: float) -> float:
        return (score - self.low) / (self.high - self.low) * WIDTH


@dataclass(frozen=True)
class _Up:
    """The axis of seconds, logarithmic from `FLOOR` to a power of ten."""

    decades: int

    @staticmethod
    def around(values: Sequence[float]) -> _Up:
        highest = max((*values, 10 * FLOOR))
        return _Up(max(1, math.ceil(math.log10(highest / FLOOR) - 1e-9)))

    def at(self, seconds: float) -> float:
        return HEIGHT - math.log10(max(seconds, FLOOR) / FLOOR) / self.decades * HEIGHT

    def ticks(self) -> Iterator[float]:
        return (FLOOR * 10**n for n in range(self.decades + 1))


def _axes(across: _Across, up: _Up) -> Iterator[str]:
    for score in range(across.low, across.high + 1, across.step):
        x = across.at(score)
        strong = ' class="zero" stroke="#888888"' if score == 0 else ' class="grid" stroke="#dddddd"'
        yield f'<path d="M{x:.1f} 0V{HEIGHT}"{strong}/>'
        yield f'<text class="ink" x="{x:.1f}" y="{HEIGHT + 18}" text-anchor="middle" fill="#222222">{score}</text>'
    for seconds in up.ticks():
        y = up.at(seconds)
        yield f'<path class="grid" d="M0 {y:.1f}H{WIDTH}" stroke="#dddddd"/>'
        yield f'<text class="ink" x="-8" y="{y + 4:.1f}" text-anchor="end" fill="#222222">{seconds:g}</text>'
    yield f'<rect class="frame" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#666666"/>'
    middle = f'x="{WIDTH / 2:g}" y="{HEIGHT + 42}" text-anchor="middle"'
    yield f'<text class="ink" {middle} fill="#222222">accumulated score</text>'
    turned = f'transform="translate(-44,{HEIGHT / 2:g}) rotate(-90)" text-anchor="middle"'
    yield f'<text class="ink" {turned} fill="#222222">CPU time in s</text>'


def _line(line: Quantile, number: int, across: _Across, up: _Up) -> Iterator[str]:
    if not line.steps:
        return
    places = [(across.at(score), up.at(cpu)) for score, cpu in line.steps]
    path = f"M{across.at(line.start):.1f} {places[0][1]:.1f}"
    path += "".join(f"V{y:.1f}H{x:.1f}" for x, y in places)
    yield f'<path d="{path}" fill="none" {_stroke(number)}/>'
    every = max(1, len(places) // 10)
    for x, y in (*places[every - 1 :: every], places[-1]):
        yield _mark(number, x, y)


def _legend(name: str, number: int) -> Iterator[str]:
    x, y = WIDTH + 16, 12 + 22 * number
    shown = name if len(name) <= 22 else name[:21] + "…"
    yield f'<path d="M{x} {y}h28" fill="none" {_stroke(number)}/>'
    yield _mark(number, x + 14, y)
    title = f"<title>{escape(name)}</title>"
    yield f'<text class="ink" x="{x + 36}" y="{y + 4}" fill="#222222">{title}{escape(shown)}</text>'


def _stroke(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'class="line line-{number % len(COLOURS)}" stroke="{_colour(number)}" stroke-width="2"{dashes}'


def _mark(number: int, x: float, y: float) -> str:
    colour, shape = _colour(number), MARKS[number % len(MARKS)]
    attributes = f'class="mark mark-{number % len(COLOURS)}" stroke="{colour}" fill="{colour}" stroke-width="1.5"'
    return f'<path d="{shape}" transform="translate({x:.1f},{y:.1f})" {attributes}/>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
