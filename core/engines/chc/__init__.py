"""The program as constrained Horn clauses, solved by Spacer."""

from core.engines.chc.engine import ChcEngine

__all__ = ["ChcEngine"]
