"""The results as one HTML page with its styles, scripts and data inside, so that it works wherever it is copied to.

The template, styles and script are in `resources/batch`. Sums are written into the page; the script draws the table of
runs and the scatter plots from rows that the page contains.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from core.dataclass import dataclass
from interplay.batch.plots import quantile_plot
from interplay.batch.rows import ResultRow
from interplay.batch.scores import CORRECT, Category
from interplay.batch.totals import ALL, Totals, by_configuration, by_set, totals
from interplay.presentation.report.content_security import only
from resources import resource_text

COLUMNS = ("task", "set", "configuration", "expected", "verdict", "category", "score", "cpu", "wall", "memory")
DETAILS = ("rounds", "engine", "termination", "reason", "assumptions", "confirmed_by", "run")


@dataclass(frozen=True)
class Heading:
    """The head of the page: a title, facts by name, and warnings that the reader must see first."""

    title: str
    facts: Sequence[tuple[str, str]]
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class _SetLine:
    name: str
    tasks: int
    summaries: Sequence[Totals | None]


def page(rows: Sequence[ResultRow], heading: Heading) -> str:
    """The page of these rows. Links to run files are relative to where the page will lie."""
    from jinja2 import Environment, StrictUndefined  # the command line does not pay for it

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["link"] = _link
    environment.filters["class"] = _class
    style, script = _resource("page.css"), _resource("page.js")
    groups = by_configuration(rows)
    return environment.from_string(_resource("page.html")).render(
        heading=heading,
        policy=f"default-src 'none'; style-src {only(style)}; script-src {only(script)}",
        style=style,
        script=script,
        data=_data(rows),
        wrong=[row for row in rows if row.wrong],
        summaries=[(name, totals(group)) for name, group in groups.items()],
        sets=_set_lines(rows, list(groups)),
        categories=[one for one in Category if any(row.category is one for row in rows)],
        counted=[one for one in Category if one not in CORRECT and any(row.category is one for row in rows)],
        plot=quantile_plot(rows) if any(row.expected for row in rows) else "",
    )


def _resource(name: str) -> str:
    return resource_text("batch", name)


def _data(rows: Sequence[ResultRow]) -> str:
    """The rows as JSON that may stand in a page."""
    names = (*COLUMNS, *DETAILS)
    values = []
    for row in rows:
        fields = {**dataclasses.asdict(row), "category": row.category.value, "score": row.score, "run": _link(row.run)}
        fields["assumptions"] = "; ".join(row.assumptions)
        values.append([fields[name] for name in names])
    text = json.dumps({"columns": names, "rows": values}, separators=(",", ":"), ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _link(run: str) -> str:
    """A relative address; names of files may have any characters."""
    return "/".join(quote(part) for part in PurePosixPath(run).parts) if run else ""


def _class(category: Category) -> str:
    """The name of the style of a category."""
    return category.value.replace(" ", "-")


def _set_lines(rows: Sequence[ResultRow], configurations: Sequence[str]) -> list[_SetLine]:
    """A line per set, the last for all."""
    lines = []
    sets = by_set(rows)
    for name, members in {**sets, ALL: list(rows)}.items():
        groups = by_configuration(members)
        summaries = [totals(groups[one]) if one in groups else None for one in configurations]
        lines.append(_SetLine(name, len({row.task for row in members}), summaries))
    return lines
