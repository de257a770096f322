"""The commands `interplay` and `interplay-gui`."""

import gc
import sys

# What is imported, and terms, live as long as the process; to look at them for garbage takes a tenth of a short run.
gc.set_threshold(50_000, 20, 100)

from interplay.cli import main  # noqa: E402

__all__ = ["gui", "main"]


def gui() -> int:
    """`interplay-gui`: the same as `interplay gui`."""
    return main(["gui", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
