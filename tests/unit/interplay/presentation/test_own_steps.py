"""Code that is not of the program is passed over in one step: bodies of library functions, the start of a function."""

from itertools import takewhile
from pathlib import Path

import pytest

from interplay.presentation.graphs.programgraph import functions
from interplay.presentation.record.paths import abstract_path
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.trace import TraceDetail, trace_rows
from interplay.presentation.run_text import RunText
from interplay.presentation.text import TextReport, TraceExtent
from runs.runfile import open_run
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

SORTED = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
static int order(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
int main(void)
{
    char b[8];
    int a[2] = {__VERIFIER_nondet_int(), 5};
    strcpy(b, "abc");
    qsort(a, 2, sizeof a[0], order);
    if (a[1] == 9)
        assert(b[1] != 'b');
    return 0;
}
"""
TOO_LONG = """#include <string.h>
int main(void)
{
    char b[3];
    strcpy(b, "abc");
    return b[0];
}
"""
STARTED = """#include <assert.h>
struct node { int key; struct node *next; };
int limit;
int last(struct node *p, int n)
{
    while (p && p->next)
        p = p->next;
    assert(!p || p->key != 3 || n != limit);
    return n;
}
"""


def record_of(text: str, folder: Path, *options: str) -> RunRecord:
    file, run = folder / "f.c", folder / "run"
    file.write_text(text)
    main(["verify", str(file), "--engine", "bmc", "--output", str(run), "--quiet", *options])
    return RunRecord.of(open_run(run))


def trace_of(record: RunRecord) -> list[str]:
    """The lines of the trace, as `verify` prints it, without the name of the file."""
    lines = list(TextReport(RunText(record.view, record.program)).lines(TraceExtent.RELEVANT))
    begin = next(number for number, line in enumerate(lines) if line.startswith("Trace to"))
    taken = takewhile(lambda line: "/f.c:" in line, lines[begin + 1 :])
    return [line.rpartition("/f.c:")[2] for line in taken]


def test_a_library_call_is_one_step_with_what_it_changes(tmp_path: Path) -> None:
    found = trace_of(record_of(SORTED, tmp_path))
    assert [line for line in found if line.startswith("14:")] == ["14: b[1] = 'b' (98)    strcpy(b, \"abc\")"]
    assert [line for line in found if "qsort" in line] == ["15: a[1] = 9    qsort(a, 2, order)"]
    assert any(line.startswith("7: x = 9") for line in found)  # what the library calls is the program's


def test_no_view_goes_into_a_body_of_the_library(tmp_path: Path) -> None:
    record = record_of(SORTED, tmp_path)
    for detail in TraceDetail:
        rows = trace_rows(record, 0, detail)
        assert not any(row.text.startswith(("to[i]", "i++", "moved")) for row in rows)
        assert sum(row.text.startswith("strcpy") for row in rows) == 1
        assert not any(row.note is not None and row.note.subject == "strcpy" for row in rows)
        assert any(row.note is not None and str(row.note) == "into order" for row in rows)


def test_the_call_in_which_a_check_is_violated_says_how(tmp_path: Path) -> None:
    found = trace_of(record_of(TOO_LONG, tmp_path, "--check", "dangling"))
    assert found[-1] == '5: to = &b, i = 3    strcpy(b, "abc"): invalid access in to[i] in strcpy'


def test_the_start_of_a_function_is_one_step(tmp_path: Path) -> None:
    record = record_of(STARTED, tmp_path, "--entry", "last")
    found = trace_of(record)
    assert found[0].startswith("4: ")
    assert found[0].endswith("last(p, n)")
    assert not any("<start" in line or "interplay" in line or "NONDET" in line.upper() for line in found)
    assert {row.depth for row in trace_rows(record, 0, TraceDetail.EVERYTHING) if row.line == 8} == {0}
    assert record.program is not None
    assert functions(record.program)[0] == "last"
    assert list(record.program_texts) == [str(tmp_path / "f.c")]


REFINED = """#include <assert.h>
#include <string.h>
int nondet(void);
int main(void)
{
    char a[4];
    int n = 0, k = nondet();
    strcpy(a, "ab");
    while (n < k && n < 3)
        n++;
    assert(n <= 3 && a[0] == 'a');
    return 0;
}
"""
ENTERED = """#include <assert.h>
int low(int n, const int *p)
{
    int half = n & 6, more = half;
    more += p ? 1 : 2;
    assert(more > 0);
    return half;
}
"""


@pytest.mark.parametrize(
    ("text", "options", "step", "line"),
    [
        pytest.param(REFINED, (), 'strcpy(a, "ab")', 8, id="library"),
        pytest.param(ENTERED, ("--entry", "low"), "low(n, p)", 2, id="start"),
    ],
)
def test_paths_of_refinements_have_no_code_but_that_of_the_program(
    text: str, options: tuple[str, ...], step: str, line: int, tmp_path: Path
) -> None:
    record = record_of(text, tmp_path, "--engine", "transition", *options)
    paths = [abstract_path(record, LATEST, one) for one in record.attempt().paths]
    assert paths
    for path in paths:
        said = [(one, text) for one in path.steps for text in one.text.split("; ")]
        assert [text for _, text in said].count(step) == 1
        assert all((str(tmp_path / "f.c"), line) in [at[:2] for at in one.lines] for one, text in said if text == step)
        assert all(one.span is None or one.span.file.endswith("/f.c") for one in path.steps)
        assert not any(text.startswith(("to[i]", "moved", "count_")) for _, text in said)


def test_what_the_first_lines_say_is_not_said_again(tmp_path: Path) -> None:
    record = record_of("int main(int argc, char **argv) { return argv[0][0] == 0; }\n", tmp_path, "--check", "null")
    lines = list(TextReport(RunText(record.view, record.program)).lines(TraceExtent.RELEVANT))
    assert sum("argc is at least 1" in line for line in lines) == 1
