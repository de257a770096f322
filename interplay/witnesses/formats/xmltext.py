"""Writing of XML: elements with attributes, in the order in which they are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr


def element(name: str, attributes: Mapping[str, str], content: str | Iterable[str]) -> str:
    """An element; `content` is text, which is escaped, or elements, which get a line each."""
    opening = f"<{name}{''.join(f' {key}={quoteattr(value)}' for key, value in attributes.items())}>"
    if isinstance(content, str):
        return f"{opening}{escape(_printable(content))}</{name}>"
    inner = "\n".join(content)
    return f"{opening}\n{inner}\n</{name}>"


def _printable(text: str) -> str:
    """The text without the characters that XML does not have."""
    return "".join(c if c in "\t\n" or c >= " " else "�" for c in text)
