"""The obligations of a certificate as files for other solvers: a script in SMT-LIB 2.6 for each, and an index.

`index.json` is a list with an object for each obligation of each step: the `file` with the script, whose answer must be
`unsat`, the `step` and its `edges` (number, function, place and text of each), the `tool` that decided it here, and the
`reading` of integers for which it was decided. Obligations that several steps share have one file.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from core.certificate.results import StatedObligation
from core.program import Program
from core.terms.smtlib_script import satisfiability_script

INDEX = "index.json"


class ObligationFiles:
    """Writes the obligations of certificates about `program` into `folder`. Raises `OSError`."""

    def __init__(self, folder: Path, program: Program) -> None:
        self._folder = folder
        self._program = program
        self._rows: list[dict[str, object]] = []
        self._files: dict[str, str] = {}  # by the hash of the script

    def write(self, obligation: StatedObligation) -> None:
        """Write the script of an obligation, unless it is there, and its row."""
        script = satisfiability_script(obligation.formulas, obligation.width)
        digest = hashlib.sha256(script.encode()).hexdigest()
        if digest not in self._files:
            self._files[digest] = f"{len(self._files):05}.smt2"
            (self._folder / self._files[digest]).write_text(script, "utf-8")
        self._rows.append(
            {
                "file": self._files[digest],
                "step": obligation.subject,
                "edges": [self._edge(number) for number in obligation.edges],
                "tool": obligation.tool,
                "reading": obligation.reading.value,
            }
        )

    def write_index(self) -> None:
        """Write the index of all obligations so far."""
        (self._folder / INDEX).write_text(json.dumps(self._rows, indent=1) + "\n", "utf-8")

    def _edge(self, number: int) -> dict[str, object]:
        edge = self._program.edges[number]
        place = "" if edge.span is None else f"{edge.span.file}:{edge.span.line}:{edge.span.column}"
        function = self._program.locations[edge.source].function
        return {"edge": number, "function": function, "place": place, "text": edge.text}
