"""The page of results: what it is made of, what its plots say, and that its script does what it should."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interplay.batch.page import Heading, page
from interplay.batch.plots import COLOURS, quantile_plot, quantiles
from interplay.batch.rows import ResultRow

HERE = Path(__file__).parent
SCRIPT = HERE.parent.parent.parent.parent / "resources" / "batch" / "page.js"
VOID = ("meta", "input", "br", "link")


def row(number: int, expected: str, verdict: str, cpu: float, configuration: str) -> ResultRow:
    name = ("loops", "locks & <more>")[number % 2]
    run = f"runs/{configuration}/{name}/task {number}.yml.interplay"
    return ResultRow(f"{name}/task {number}.yml", name, "x.yml", "unreach-call", expected, configuration, verdict,
               "because of </script> & <b>", cpu=cpu, wall=cpu, memory=80.0, engine="transition", run=run)  # fmt: skip


ROWS = [
    row(0, "true", "true", 1.0, "one"),
    row(1, "false", "false(unreach-call)", 0.5, "one"),
    row(2, "true", "false(unreach-call)", 4.0, "one"),
    row(3, "true", "TIMEOUT", 10.0, "one"),
    row(0, "true", "unknown", 1.0, "two"),
    row(1, "false", "false(unreach-call)", 2.0, "two"),
    row(2, "true", "true", 3.0, "two"),
]
HEADING = Heading("Results", [("tasks", "4"), ("CPU time limit", "10 s")], ["1 of 8 runs is not done yet."])


class Outline(HTMLParser):
    """Checks that tags nest, and keeps the tree as indented lines: tag, id, classes, labels, text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.lines: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        shown = [f'{name}="{value}"' for name, value in attrs if name in ("id", "class", "scope", "type", "aria-label")]
        if "svg" not in self.open:
            self.lines.append("  " * len(self.open) + " ".join([tag, *shown]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        assert "svg" in self.open
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        tag = self.open[-1] if self.open else ""
        if tag in ("script", "style"):
            self.texts[f"{tag} {len([key for key in self.texts if key.startswith(tag)])}"] = data
        elif data.strip() and "svg" not in self.open:
            self.lines.append("  " * len(self.open) + "| " + " ".join(data.split()))


@pytest.fixture(scope="module")
def outline() -> Outline:
    found = Outline()
    found.feed(page(ROWS, HEADING))
    found.close()
    assert found.open == []
    return found


def test_the_structure_is_as_it_was(outline: Outline) -> None:
    golden = HERE / "page.txt"
    found = "\n".join(line for line in outline.lines) + "\n"
    if "INTERPLAY_UPDATE_GOLDEN" in os.environ:
        golden.write_text(found)
    assert found == golden.read_text()


def test_nothing_is_fetched_and_only_its_own_script_runs(outline: Outline) -> None:
    assert [entry for entry in outline.attributes if entry[1] in ("src", "action", "style", "onclick")] == []
    links = [value for tag, name, value in outline.attributes if name == "href" and not value.startswith("#")]
    assert links == ["runs/one/loops/task%202.yml.interplay"]
    (policy,) = [value for _, name, value in outline.attributes if name == "content" and "default-src" in value]
    for key in ("style 0", "script 1"):
        digest = base64.b64encode(hashlib.sha256(outline.texts[key].encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_identities_are_unique_and_controls_have_names(outline: Outline) -> None:
    identities = [value for _, name, value in outline.attributes if name == "id"]
    assert len(identities) == len(set(identities))
    named = {word for _, name, value in outline.attributes if name == "aria-labelledby" for word in value.split()}
    assert named <= set(identities)
    for number, line in enumerate(outline.lines):
        if line.split()[0] in ("select", "input"):
            before = outline.lines[number - 1 : number + 2]
            assert any(one.lstrip().startswith(("label", "|")) for one in before), line


def test_the_rows_are_in_the_page(outline: Outline) -> None:
    data = json.loads(outline.texts["script 0"])
    first = dict(zip(data["columns"], data["rows"][0], strict=True))
    assert len(data["rows"]) == len(ROWS)
    assert (first["task"], first["category"], first["score"]) == ("loops/task 0.yml", "correct true", 2)
    assert first["reason"] == "because of </script> & <b>"


def test_a_batch_without_scores_or_rows_has_a_page() -> None:
    for rows in ([], [row(0, "", "true", 1.0, "one")]):
        assert "there are no scores to plot" in page(rows, HEADING)


def test_quantiles_start_at_the_negative_points() -> None:
    one, two = quantiles(ROWS)
    assert (one.name, one.start, one.steps) == ("one", -16, [(-15, 0.5), (-13, 1.0)])
    assert (two.name, two.start, two.steps) == ("two", 0, [(1, 2.0), (3, 3.0)])


def test_the_quantile_plot_is_a_picture_of_its_own() -> None:
    root = ElementTree.fromstring(quantile_plot(ROWS))
    assert root.findtext("{http://www.w3.org/2000/svg}desc") == "one: score -13; two: score 3"
    lines = [e.get("d", "") for e in root.iter("{http://www.w3.org/2000/svg}path") if "line-0" in e.get("class", "")]
    # From -20 to 5 on 640 pixels, from 0.1 to 10 s on 360.
    assert lines[0] == "M102.4 234.2V234.2H128.0V180.0H179.2"


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_texts_and_lines_can_be_told_from_light_and_dark_paper() -> None:
    style = SCRIPT.with_suffix(".css").read_text()
    light, dark = style.split("@media", 1)[0], style.split("@media", 1)[1].split("\n}\n", 1)[0]
    for part, lines in ((light, COLOURS), (dark, re.findall(r"line-\d.*?stroke: (#\w{6})", dark))):
        named = dict(re.findall(r"--([\w-]+): (#\w{6})", part))
        for text in ("ink", "soft", "link", "good", "bad"):
            assert contrast(named[text], named["paper"]) >= 4.5, text
        for text, paper in (("bad", "bad-paper"), ("ink", "bad-paper"), ("note", "note-paper"), ("ink", "band")):
            assert contrast(named[text], named[paper]) >= 4.5, text
        assert len(lines) == len(COLOURS)
        for line in lines:
            assert contrast(line, named["paper"]) >= 3, line


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="no node")
def test_the_script_filters_sorts_and_draws() -> None:
    text = json.dumps(_data())
    program = (
        SCRIPT.read_text()
        + f"""
const rows = read({text});
for (const row of rows) row.words = row.task + " " + row.reason;
const wish = {{ set: "", category: "", configuration: "", text: "", tasks: null }};
const tasks = (wish) => filtered(rows, wish).map((row) => `${{row.configuration}} ${{row.task}}`);
const svg = scatter(pairs(rows, "one", "two", ""), "one", "two");
console.log(JSON.stringify({{
  all: tasks(wish).length,
  set: tasks({{ ...wish, set: "loops" }}),
  wrong: tasks({{ ...wish, category: "wrong false" }}),
  words: tasks({{ ...wish, text: "because 3.yml" }}),
  different: [...differing(rows)],
  slowest: sorted(rows, "cpu", true)[0].task,
  line: bodyLine(rows[0]),
  part: pairs(rows, "one", "two", "loops").length,
  svg,
}}));
"""
    )
    assert NODE is not None
    done = subprocess.run([NODE, "-"], input=program, capture_output=True, text=True, check=True, timeout=600)
    found = json.loads(done.stdout)
    assert found["all"] == 7
    assert found["set"] == [
        "one loops/task 0.yml",
        "one loops/task 2.yml",
        "two loops/task 0.yml",
        "two loops/task 2.yml",
    ]
    assert found["wrong"] == ["one loops/task 2.yml"]
    assert found["words"] == ["one locks & <more>/task 3.yml"]
    assert found["different"] == ["loops/task 0.yml", "loops/task 2.yml", "locks & <more>/task 3.yml"]
    assert found["slowest"] == "locks & <more>/task 3.yml"
    assert "</script>" not in found["line"]
    assert found["part"] == 2
    root = ElementTree.fromstring(found["svg"])
    assert root.get("aria-label") == "3 tasks, solved by both: 1, only one: 1, wrong: 1"


def _data() -> str:
    found = re.search(r'id="data">(.*?)</script>', page(ROWS, HEADING), re.DOTALL)
    assert found is not None
    return found[1]
