"""The folders beside `interplay`, and processes that have them on their path.

In the checkout the folders (core, methods, runs, frontend, bdd, sat, gui, resources) are top-level packages; a wheel
keeps them below `interplay/_folders`, so that nothing with so common a name as "core" lands in site-packages. Only
processes of our own put them on their path: importing `interplay` changes nobody's.
"""

from __future__ import annotations

import sys
from pathlib import Path

_HERE = Path(__file__).parent
_INSTALLED = _HERE / "_folders"  # exists only in an installed wheel
_START = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "from interplay.folders import use_folders; use_folders(); "
    "from {program} import main; sys.exit(main(sys.argv[1:]))"
)


def use_folders() -> None:
    """Put the folders first on the path of this process."""
    folder = str(_INSTALLED if _INSTALLED.is_dir() else _HERE.parent)
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)


def own_command(*words: str, program: str = "interplay.__main__") -> list[str]:
    """The command that runs `main(words)` of one of our modules in a process of its own.

    Nothing is imported from the current directory, which is untrusted, nor from another Interplay that is installed.
    """
    return [sys.executable, "-P", "-c", _START.format(program=program), str(_HERE.parent), *words]
