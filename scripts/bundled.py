"""The program of a bundle: the command line of Interplay, and the Python that its own processes are started with.

A bundle has no interpreter of its own: `sys.executable` is this program. Interplay starts its worker, Spacer and others
as `PYTHON [-P|-I|-S]… -m MODULE` or `-c CODE`; so this program takes these words, and nothing else that Python takes.
"""

from __future__ import annotations

import runpy
import sys

_FLAGS = ("-P", "-I", "-S")


def main() -> int:
    """Run a command of Interplay, or what Python would run, and return the exit code."""
    words = sys.argv[1:]
    while words[:1] and words[0] in _FLAGS:
        del words[0]
    if words[:1] == ["-m"] and len(words) > 1:
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return 0
    if words[:1] == ["-c"] and len(words) > 1:
        sys.argv = ["-c", *words[2:]]
        exec(compile(words[1], "<command>", "exec"), {"__name__": "__main__"})
        return 0
    from interplay.__main__ import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
