"""Marks of the parts of a program that come from a witness and not from its text."""

from __future__ import annotations

PROGRESS = "witness.progress"
"""The variable that counts the waypoints of a witness that an execution has passed."""

CLAIM = "[claim]"
"""The text of the edge with which a claim of a witness begins, beside the path that goes on."""
