"""Verification witnesses: writing them for other tools, and checking those of other tools."""
