"""The engine `bmc`: bounded model checking with k-induction."""

from core.engines.bmc.engine import BmcEngine

__all__ = ["BmcEngine"]
