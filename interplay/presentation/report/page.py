"""The report as one self-contained HTML file: no address, nothing that a browser fetches, one script of our own.

Every text is escaped, and invisible or reordering characters are replaced, since run files are untrusted. A content
security policy enforces the same once more: it names style and script by their hashes. Without the script everything
can be read; it steps, searches and zooms. Templates, style and script are in `resources/report`.
"""

from __future__ import annotations

import unicodedata

from interplay.presentation.graphs.picturesvg import inline
from interplay.presentation.report.content_security import only
from interplay.presentation.report.document import CHECK_SIGNS, SIGNS, Report, ReportGraph
from resources import resource_text


def page(report: Report) -> str:
    """The report as HTML."""
    style, script = _resource("report.css"), _resource("report.js")
    sources = f"style-src {only(style)}; script-src {only(script)}"
    policy = f"default-src 'none'; {sources}; form-action 'none'; base-uri 'none'"
    return render("report.html", report, style=style, script=script, policy=policy)


def render(template: str, report: Report, **texts: str) -> str:
    """A template of `resources/report` filled with a report."""
    from jinja2 import Environment, StrictUndefined  # the command line does not pay for it
    from markupsafe import Markup

    def picture(graph: ReportGraph) -> Markup:
        return Markup(inline(graph.sheet, graph.title)) if graph.sheet is not None else Markup()

    def finish(value: object) -> object:
        return value if isinstance(value, Markup) else visible(str(value))

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=finish, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["picture"] = picture
    names = {"report": report, "signs": SIGNS, "check_signs": CHECK_SIGNS}
    safe = {name: Markup(text) for name, text in texts.items() if name in ("style", "script")}
    return environment.from_string(_resource(template)).render(**{**texts, **safe, **names})


def visible(text: str) -> str:
    """The text with � for control characters, except line ends and tabs, and for those that change the direction."""
    return text if text.isprintable() else "".join("�" if _hides(sign) else sign for sign in text)


def _hides(sign: str) -> bool:
    return sign not in "\n\t" and not sign.isprintable() and unicodedata.category(sign) != "Zs"


def _resource(name: str) -> str:
    return resource_text("report", name)
