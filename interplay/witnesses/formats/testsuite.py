"""Test suites of Test-Comp: `metadata.xml` and a file for each test, in a folder or a zip."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from interplay.witnesses.formats.graphml import ARCHITECTURES
from interplay.witnesses.formats.model import WitnessHeader
from interplay.witnesses.formats.xmltext import element

_DTD = "https://gitlab.com/sosy-lab/software/test-format/blob/master"


TestInputs = tuple[int | str, ...]
"""The inputs of one test, in the order in which the program asks for them."""


def to_test_suite(header: WitnessHeader, tests: Sequence[TestInputs]) -> Mapping[str, str]:
    """The files of the suite by name: one for each test."""
    return {
        "metadata.xml": _document("test-metadata", _metadata(header)),
        **{f"testcase-{number}.xml": _test_case(inputs) for number, inputs in enumerate(tests, 1)},
    }


def write_test_suite(header: WitnessHeader, tests: Sequence[TestInputs], target: Path) -> None:
    """Write a zip where the name ends so, else a folder, which may be there. Raises `OSError`."""
    files = to_test_suite(header, tests)
    if target.suffix == ".zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
        return
    target.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (target / name).write_text(text, "utf-8")


def _test_case(inputs: TestInputs) -> str:
    return _document("testcase", [element("input", {}, str(value)) for value in inputs])


def _metadata(header: WitnessHeader) -> list[str]:
    task = header.task
    file = task.input_files[0]
    facts = {
        "sourcecodelang": "C",
        "producer": f"{header.producer.name} {header.producer.version}",
        "specification": task.specification,
        "programfile": file,
        "programhash": task.hashes[file],
        "entryfunction": "main",
        "architecture": ARCHITECTURES[task.data_model],
        "creationtime": header.created,
    }
    return [element(name, {}, value) for name, value in facts.items()]


def _document(root: str, content: list[str]) -> str:
    opening = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    kind = f'<!DOCTYPE {root} SYSTEM "{_DTD}/{root}.dtd">'
    return f"{opening}\n{kind}\n{element(root, {}, content or '')}\n"
