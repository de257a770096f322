"""Content security policies of pages that we write."""

from __future__ import annotations

import base64
import hashlib


def only(text: str) -> str:
    """The source of a content security policy that allows only this style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
