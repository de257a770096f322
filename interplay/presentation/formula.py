"""Terms in mathematical notation, as text of bounded length."""

from __future__ import annotations

from core.terms import Term, subterms, to_math

_LARGEST = 600  # nodes, as a tree
_LONGEST = 2_000  # characters


def formula(term: Term) -> str:
    """The term in mathematical notation; a term that is too large to be read is described instead."""
    if term.size > _LARGEST:
        symbols = sorted({one.name for one in term.symbols()})
        shown = ", ".join(symbols[:8]) + (", …" if len(symbols) > 8 else "")
        count = sum(1 for _ in subterms(term))
        return f"⟨{count} operators over {shown}⟩"
    text = to_math(term)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
