"""The commands `interplay` and `interplay-gui`."""

import sys

from interplay.cli import main

__all__ = ["gui", "main"]


def gui() -> int:
    """Open the workbench."""
    print("interplay-gui: this version has no workbench; use `interplay verify`", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
