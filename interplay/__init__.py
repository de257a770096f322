"""Interplay, a symbolic model checker for C: the application and its public interface.

The sibling folders (core, frontend, bdd, sat, gui, resources) are top-level packages in the checkout. A wheel keeps
them below `interplay/_folders`, so that nothing with so common a name as "core" lands in site-packages. Importing
`interplay` makes them importable in both cases. It imports nothing else: start-up time is part of every run, so
`interplay.verify` is looked up when it is first used (PEP 562).
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interplay.api import verify as verify

__all__ = ["__version__", "verify"]
__version__ = "0.1.0"

_folders = Path(__file__).parent / "_folders"  # exists only in an installed wheel
sys.path.insert(0, str(_folders if _folders.is_dir() else Path(__file__).parent.parent))


def __getattr__(name: str) -> object:
    if name == "verify":
        from interplay.api import verify

        return verify
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
