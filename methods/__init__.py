"""Engines, and the code that several of them use: how verdicts are found."""
