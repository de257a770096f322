"""Decisions about formulas, below engines and check: how an obligation is shown to hold."""
