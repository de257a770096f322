"""The entry points of the commands `interplay` and `interplay-gui`."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence

from interplay.folders import use_folders

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # where `python -m` puts the current directory, which is untrusted
# What is imported, and terms, live as long as the process; to look at them for garbage takes a tenth of a short run.
gc.set_threshold(50_000, 20, 100)
use_folders()

__all__ = ["gui", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that `arguments` (by default those of the process) name, and return its exit code."""
    from interplay.commands.cli import main as run_command

    code = run_command(arguments)
    if arguments is None:
        _end(code)
    return code


def _end(code: int) -> None:
    """End this process without cleanup, which takes a twentieth of a short run; does nothing where output is lost."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    atexit._run_exitfuncs()
    os._exit(code)


def gui() -> int:
    """Run `interplay gui`; the entry point of `interplay-gui`."""
    return main(["gui", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
