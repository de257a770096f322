"""Pragmas: those that change what the text means are refused, all others are passed over."""

from __future__ import annotations

import re

from core.pattern import pattern
from frontend.source import Span, Unsupported

_CHANGING = pattern(
    r"\s*(?:GCC\s+|clang\s+)?"
    r"(?P<word>pack|redefine_extname|extern_prefix|weak|push_macro|pop_macro|scalar_storage_order|ms_struct"
    r"|init|fini)\b(?P<rest>.*)",
    re.DOTALL,
)
_HARMLESS_PACK = pattern(r"\s*\(\s*(?:push|pop)?\s*\)\s*")
"""Pragmas that restore the usual layout: no other one is accepted."""


def refuse_pragma(text: str, span: Span) -> None:
    """Refuse a pragma, given by its text, that changes layouts, names, macros or what is run: raises Unsupported."""
    match = _CHANGING.match(text)
    if match and not (match["word"] == "pack" and _HARMLESS_PACK.fullmatch(match["rest"])):
        raise Unsupported(span, f"pragma {match['word']!r} is not supported")
