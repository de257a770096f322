"""`ARCHITECTURE.md` says what a `true` rests on, in lines, and the kernel stays small."""

import re

from scripts.trusted_lines import ROOT, ROUNDED, lines_by_part, rounded, unassigned

LARGEST_KERNEL = 400


def test_the_page_has_the_lines_of_each_part() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    page = text.partition("## What a `true` rests on")[2].partition("##")[0]
    stated = {part: int(lines.replace(",", "")) for part, lines in re.findall(r"^\| (.+?) \| ([\d,]+) \|", page, re.M)}
    counted = lines_by_part()
    assert stated.keys() == counted.keys()
    changed = {part: rounded(n) for part, n in counted.items() if abs(stated[part] - n) > max(ROUNDED, n // 20)}
    assert not changed, "run `python -m scripts.trusted_lines` and put its table into ARCHITECTURE.md"


def test_the_kernel_is_small() -> None:
    assert lines_by_part()["the kernel"] <= LARGEST_KERNEL


def test_each_file_of_the_check_is_in_a_part() -> None:
    assert unassigned() == set()
