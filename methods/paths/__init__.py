"""Paths of a program: their formulas, their contradictions, and merged unrollings."""
