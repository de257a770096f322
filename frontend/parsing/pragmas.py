"""Pragmas: those that change what the text means are refused, all others are passed over."""

from __future__ import annotations

import re

from core.pattern import pattern
from frontend.parsing.compiler_options import LISTS, changed_by, pragma_on_floats
from frontend.source import Span, Unsupported

_CHANGING = pattern(
    r"\s*(?:GCC\s+|clang\s+)?"
    r"(?P<word>pack|redefine_extname|extern_prefix|weak|push_macro|pop_macro|scalar_storage_order|ms_struct"
    r"|init|fini)\b(?P<rest>.*)",
    re.DOTALL,
)
_OPTIONS = pattern(rf"\s*GCC\s+(?P<kind>{'|'.join(sorted(LISTS))})\b(?P<listed>.*)", re.DOTALL)
_HARMLESS_PACK = pattern(r"\s*\(\s*(?:push|pop)?\s*\)\s*")
"""Pragmas that restore the usual layout: no other one is accepted."""


def refuse_pragma(text: str, span: Span) -> None:
    """Refuse a pragma, given by its text, that changes layouts, names, macros, arithmetic or what is run.

    Raises Unsupported.
    """
    match = _CHANGING.match(text)
    if match and not (match["word"] == "pack" and _HARMLESS_PACK.fullmatch(match["rest"])):
        raise Unsupported(span, f"pragma {match['word']!r} is not supported")
    if pragma_on_floats(text):
        raise Unsupported(span, f"pragma {' '.join(text.split())!r}, about floating-point arithmetic, is not supported")
    if options := _OPTIONS.match(text):
        refuse_options(options["kind"], options["listed"], span)


def refuse_options(kind: str, listed: str, span: Span) -> None:
    """Refuse options of gcc that a pragma or attribute lists, if they change arithmetic: raises Unsupported."""
    option = changed_by(kind, listed)
    if option is not None:
        raise Unsupported(span, f"{kind} with {option!r}, which may change arithmetic, is not supported")
