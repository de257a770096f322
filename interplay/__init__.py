"""Interplay, a symbolic model checker for C: the application and its public interface.

Importing it changes nothing in the process and loads nothing; `interplay.verify` is looked up when it is first used
(PEP 562), and works in a process of its own.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interplay.api import CheckVerdict as CheckVerdict
    from interplay.api import RunVerdict as RunVerdict
    from interplay.api import verify as verify

__all__ = ["CheckVerdict", "RunVerdict", "__version__", "verify"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name in ("CheckVerdict", "RunVerdict", "verify"):
        from interplay import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
