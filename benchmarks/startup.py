"""The CPU time of a whole `interplay verify` on a ten-line program: what every run pays.

    python -m benchmarks.startup [--runs 7] [FILE.c]

Prints the least and the median of the runs against the bar. The exit code is 1 if the median is above it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.process import interplay

BAR = 0.3  # CPU seconds

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 5 && x < 3)
        reach_error();
    return 0;
}
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", metavar="FILE.c", help="another program")
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(options.file or Path(folder, "ten_lines.c"))
        if options.file is None:
            file.write_text(PROGRAM)
        runs = [interplay(["verify", str(file), "--quiet"], 60) for _ in range(options.runs)]
    times = [run.cpu for run in runs]
    middle = statistics.median(times)
    print(f"{runs[0].output.decode().strip()}; exit code {runs[0].exit_code}")
    print(f"CPU seconds of {len(runs)} runs: least {min(times):.2f}, median {middle:.2f}; the bar is {BAR}")
    return 0 if middle < BAR else 1


if __name__ == "__main__":
    sys.exit(main())
