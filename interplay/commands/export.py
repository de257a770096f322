"""The command `interplay export`: the results of a run in the formats of other tools."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from core.run.jsondata import Malformed
from core.run.runfile import StoredRun, open_run
from core.witness.graphml import to_graphml
from core.witness.model import ViolationWitness
from core.witness.testsuite import write_test_suite
from core.witness.yamlfile import to_yaml
from frontend.source import FrontendError
from interplay.witnesses.writing import WaypointStyle, sarif_of, witness_of

RUN_FORMATS = ("witness", "graphml", "test_suite", "sarif", "html", "pdf")


def export_run(options: Namespace) -> None:
    """Write each requested format. Raises `Malformed`, `FrontendError` and `OSError`."""
    run = open_run(Path(options.input))
    style = WaypointStyle(options.style)
    if options.sarif:
        write(Path(options.sarif), sarif_of(run))
    if options.witness:
        write_witness(run, Path(options.witness), style)
    if options.graphml:
        write(Path(options.graphml), to_graphml(witness_of(run, style)))
    if options.test_suite:
        found = witness_of(run, style)
        if not isinstance(found, ViolationWitness):
            raise Malformed(f"{run.path}: only a violation makes a test")
        write_test_suite(found, Path(options.test_suite))
    if options.html or options.pdf:
        from interplay.commands.desktop import write_report

        write_report(run, options.html and Path(options.html), options.pdf and Path(options.pdf))


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
