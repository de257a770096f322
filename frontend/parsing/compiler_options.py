"""Options of compilers in a text: pragmas and attributes that turn some on for functions."""

from __future__ import annotations

import re

from core.pattern import pattern

CHANGES_FLOATS = pattern(
    r"-(?:ffast-math|Ofast|mfpmath=(?!sse$).*|ffp-contract=(?!off$).*|mfma4?|mno-sse2?|mno-80387|msoft-float|fexcess-precision=.*|fcx-.*"
    r"|f(?:unsafe-math-optimizations|finite-math-only|associative-math|reciprocal-math|single-precision-constant)"
    r"|fno-(?:signed-zeros|trapping-math|math-errno))"
)
"""Flags of gcc that change what floating-point arithmetic gives."""

_CHANGES_MORE = pattern(r"-(?:f(?:no-)?(?:trapv|wrapv)|march=.*|mavx512.*|mno-sse.*)")
"""Flags that, turned on in a text, change arithmetic or bring instructions by which gcc fuses products with sums."""
_LISTED = pattern(r'\s*\(?\s*(?:(?:"[^"\\]*"|[0-9]+)[\s,]*)*\)?\s*')
_PREFIXES = {"optimize": "-f", "target": "-m", "target_clones": "-m"}
LISTS = frozenset(_PREFIXES)
"""The pragmas and attributes that list options of gcc."""

_STATES = pattern(
    r"\s*(?:STDC\s+(?:FENV_ACCESS|FP_CONTRACT|FENV_ROUND|FLOAT_CONST_DECIMAL64)\b(?!\s+(?:OFF|DEFAULT|FE_TONEAREST)\b)"
    r"|clang\s+fp\b(?!\s*contract\s*\(\s*off\s*\)\s*$)|(?:float_control|fp_contract|fenv_access|fenv_round)\b).*",
    re.DOTALL,
)


def pragma_on_floats(text: str) -> bool:
    """Whether a pragma, given by its text, allows floating-point arithmetic other than that of IEEE 754."""
    return _STATES.fullmatch(text) is not None


def changed_by(kind: str, listed: str) -> str | None:
    """The first option by which arithmetic changes, of those that a pragma or attribute of `LISTS` lists; or None.

    What cannot be read counts as such an option.
    """
    text = listed.replace('\\"', '"')
    if not _LISTED.fullmatch(text):
        return listed.strip()
    prefix = _PREFIXES[kind]
    for part in re.sub(r'"\s*"', "", text).replace('"', "").strip(" ()\t\n").split(","):
        word = part.strip()
        is_level = prefix == "-f" and (word.isdigit() or word.startswith("O"))
        flag = word if word.startswith("-") else f"-O{word.removeprefix('O')}" if is_level else prefix + word
        if CHANGES_FLOATS.fullmatch(flag) or _CHANGES_MORE.fullmatch(flag):
            return word
    return None
