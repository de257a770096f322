"""The command `interplay export`: the results of a run in the formats of other tools."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from frontend.source import FrontendError
from interplay.witnesses.formats.graphml import to_graphml
from interplay.witnesses.formats.testsuite import write_test_suite
from interplay.witnesses.formats.yamlfile import to_yaml
from interplay.witnesses.writing import WaypointStyle, sarif_of, violating_inputs, witness_of
from runs.jsondata import Malformed
from runs.runfile import StoredRun, open_run

RUN_FORMATS = ("sarif", "witness", "graphml", "test_suite", "html", "markdown", "pdf")


def export_run(options: Namespace) -> tuple[str, ...]:
    """Write each requested format that the run has; returns why the others are missing: none is lost by another one.
    Raises `Malformed` and `OSError` where the run cannot be opened.
    """
    run = open_run(Path(options.input))
    missing: list[str] = []
    for write_format, target in _requested(run, options):
        try:
            write_format(Path(target))
        except (Malformed, FrontendError) as error:
            missing.append(str(error))
        except OSError as error:
            missing.append(f"{target}: {error.strerror or error}")
    return tuple(missing)


def _requested(run: StoredRun, options: Namespace) -> Iterator[tuple[Callable[[Path], None], str]]:
    """The writers of the requested formats, each with its target."""
    from interplay.commands.desktop import write_html, write_markdown, write_pdf

    style = WaypointStyle(options.style)
    writers: dict[str, Callable[[Path], None]] = {
        "sarif": lambda target: write(target, sarif_of(run)),
        "witness": lambda target: write_witness(run, target, style),
        "graphml": lambda target: write(target, to_graphml(witness_of(run, style))),
        "test_suite": lambda target: write_test_suite(*violating_inputs(run), target),
        "html": lambda target: write_html(run, target),
        "markdown": lambda target: write_markdown(run, target),
        "pdf": lambda target: write_pdf(run, target),
    }
    for name in RUN_FORMATS:
        target = getattr(options, name)
        if target:
            yield writers[name], target


def write_witness(run: StoredRun, target: Path, style: WaypointStyle = WaypointStyle.ASSUMPTION) -> None:
    """Write the witness in YAML. Raises as `witness_of` does, and `OSError`."""
    write(target, to_yaml(witness_of(run, style)))


def leave_witness(journal: Path, target: Path) -> None:
    """Write the witness of a run that has just ended; where there is none, print the reason. The verdict stays."""
    try:
        write_witness(open_run(journal), target)
    except (OSError, Malformed, FrontendError) as error:
        print(f"interplay: no witness is written: {error}", file=sys.stderr)


def write(target: Path, text: str) -> None:
    target.write_text(text, "utf-8", "backslashreplace")
