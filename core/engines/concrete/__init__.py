"""The engine `concrete`: executions on inputs that are tried."""

from core.engines.concrete.engine import ConcreteEngine

__all__ = ["ConcreteEngine"]
