"""The frames in which lemmas hold, in words."""

from __future__ import annotations

from runs.events import ALL_FRAMES


def frames_in_words(level: int | None) -> str:
    """The frames up to a level, as `1 to 4` or `all`; empty without frames."""
    if level is None or level == ALL_FRAMES:
        return "" if level is None else "all"
    return f"1 to {level}" if level > 1 else "1"
