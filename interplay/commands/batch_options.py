"""The command-line options of `interplay batch` and `interplay compare`."""

from __future__ import annotations

import argparse

from interplay.commands.options import add_option, word_of
from interplay.session.options import POSITIVE

MEMORY_LIMIT = 4096  # megabytes: a batch must not bring down the machine it runs on

_BATCH = """Verify many tasks, each in processes of its own, and write the results into a folder: results.jsonl,
results.csv, index.html (open it in a browser) and a run file for each run. A batch that was cut off goes on when it
is started again with the same command. INPUT is a task definition (.yml), a set of them (.set: a glob on each line),
a C file, a folder (its task definitions, else its C files), or a glob."""

_COMPARE = """Set two results side by side: whose verdicts differ, who solves what, how CPU times relate. A and B are
folders or results.jsonl files of `interplay batch`, with @CONFIGURATION where there are several, or run files."""

_COMPARE_CODES = "exit codes: 0 the same tasks and verdicts, 1 differences, 2 command line, 3 input cannot be read"

_BATCH_CODES = """exit codes: 0 all runs have ended, 1 so they have, but a verdict contradicts the expected one,
2 command line or input, 3 a property file or the journal cannot be read, 130 interrupted"""


def add_batch(parser: argparse.ArgumentParser) -> None:
    """Add the options of `interplay batch`."""
    parser.description, parser.epilog = _BATCH, _BATCH_CODES
    parser.add_argument("inputs", metavar="INPUT", nargs="+", help="what to verify")
    parser.add_argument("--output", metavar="DIR", required=True, help="the folder of the results")
    parser.add_argument(
        "--configuration",
        metavar="[NAME=]ENGINE[,OPTION=VALUE…]",
        action="append",
        default=[],
        help="an engine with options, under a name; repeatable: every task is run under each",
    )
    add_option(parser, "property", help="only this property: a file (.prp) or a name")
    add_option(parser, "checks")
    add_option(parser, "time_limit", help="CPU seconds of a run")
    add_option(parser, "memory_limit", help="megabytes of a run, all its processes together", default=MEMORY_LIMIT)
    add_option(parser, "replay")
    add_option(parser, "parameters")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs", type=word_of(POSITIVE), default=1, metavar="N", help="runs at once; default: %(default)s"
    )
    where.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="run on the Dask cluster of this scheduler instead"
    )


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Add the options of `interplay compare`."""
    parser.description, parser.epilog = _COMPARE, _COMPARE_CODES
    parser.add_argument("first", metavar="A", help="a result")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("--html", metavar="OUT", help="write a page with A and B as configurations")
