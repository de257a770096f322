"""The hand-written functions of `constructs.c` as cases."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.frontend.interpreter.against_gcc import Case

_HEADING = re.compile(r"^/\* (\w+) \*/\n", re.MULTILINE)


def constructs() -> list[Case]:
    parts = _HEADING.split((Path(__file__).parent / "constructs.c").read_text())[1:]
    return [
        Case(f"test_{name}", text.replace("\n", " ").strip())
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    ]
