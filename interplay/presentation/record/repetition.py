"""The means to repeat a run: the command line with the version of the program, and the texts."""

from __future__ import annotations

import hashlib

from interplay.presentation.plurals import counted
from interplay.presentation.record.run import RunRecord
from interplay.session.reproduction import command_of
from interplay.session.request import WRITER


def again(record: RunRecord) -> str:
    """The command line that repeats the run, with the version of the program."""
    return f"To repeat it, with {record.writer or WRITER}: {command_of(record.request)}"


def about(record: RunRecord) -> str:
    """The files that the run is about, with digests, by which people see whether they have the same text."""
    texts = record.program_texts
    if not texts:
        return ""
    if len(texts) > _FILES:
        return f"It is about the texts of {counted(len(texts), 'file')}, as they are shown."
    named = (f"{name.rpartition('/')[2]} (SHA-256 {_digest(text)}…)" for name, text in texts.items())
    return f"It is about the text that is shown: {', '.join(named)}."


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


_FILES = 3  # that are named
