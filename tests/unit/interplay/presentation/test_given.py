"""Inputs of counterexamples have the words of the program, in text, window and reports alike."""

from pathlib import Path

import pytest

from core.program.own_steps import START_FILE
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.trace import input_rows, inputs_in_words
from interplay.presentation.report.assemble import report
from interplay.presentation.report.document import ReportLimits
from interplay.presentation.run_text import RunText
from interplay.presentation.text import TextReport, TraceExtent
from runs.runfile import open_run
from tests.support.people import internal_words, texts_of
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

ARGUMENTS = """#include <assert.h>
int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'x')
        assert(argc > 2);
    return 0;
}
"""
DIGITS = """#include <assert.h>
int main(int argc, char **argv)
{
    int n = 0;
    if (argc > 1)
        while (argv[1][n] == '0')
            n++;
    assert(n != 10);
    return 0;
}
"""
VARIABLE = """#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *home = getenv("HOME");
    if (home && home[0] == '/')
        assert(home[1] != 0);
    return 0;
}
"""
ENDS = """#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *port = getenv("PORT");
    if (port && port[0] == '6' && port[1] == (char) 200 && port[2] == 0)
        assert(0);
    return 0;
}
"""
SCANNED = """#include <assert.h>
#include <stdio.h>
int main(void)
{
    double d = 0;
    scanf("%lf", &d);
    assert(d != 2.5);
    return 0;
}
"""
CLASS = """#include <assert.h>
#include <ctype.h>
int main(int argc, char **argv)
{
    int c = isdigit('7');
    assert(!c || argc < 2);
    return 0;
}
"""
ROUNDS = """#include <assert.h>
int get(void);
int main(void)
{
    int i = 0;
    while (i < 20 && get() == 3)
        i++;
    assert(i < 20);
    return 0;
}
"""
LINE = """#include <assert.h>
#include <stdio.h>
int main(void)
{
    char line[8];
    if (fgets(line, 8, stdin) && line[0] == 'o' && line[1] == 'k')
        assert(line[2] != '\\n');
    return 0;
}
"""
RECORD = """#include <assert.h>
struct reading { int kind; int value; };
int receive(struct reading *to);
int main(void)
{
    struct reading r = {0, 0};
    int status = receive(&r);
    if (status == 3 && r.kind == 2)
        assert(r.value != 5);
    return 0;
}
"""
CONTENTS = """#include <assert.h>
#include <stdlib.h>
struct s { int a, b; };
int main(void)
{
    struct s *p = malloc(sizeof *p);
    int t[4], *q = &t[1];
    assert(p->b != 4 || *q != 3);
    return 0;
}
"""
SUM = """#include <assert.h>
int limit;
int sum(const int *p, int n)
{
    int s = limit;
    for (int i = 0; i < n; i++)
        s += p[i];
    assert(s != 7 || n != 2 || p[1] != 4 || limit != 1);
    return s;
}
"""
NODES = """#include <assert.h>
struct node { int key; struct node *next; };
void keys(struct node *p)
{
    assert(!p || p->key != 3 || !p->next || p->next->key != 5 || p->next->next);
}
"""
PLACES = ("verify", "trace", "inputs", "variables", "heap", "banner", "sarif")
FAILURE = """#include <assert.h>
#include <unistd.h>
int main(void)
{
    char t[4];
    assert(read(0, t, 4) >= 0);
    return 0;
}
"""
NUMBER = """#include <stdio.h>
int t[3];
int main(void)
{
    int i;
    if (scanf("%d", &i) == 1 && i > 2)
        t[i] = 1;
    return 0;
}
"""
LAST = "int last(const int *p) { return p ? p[0] : 0; }\n"
NULL = """int first(const int *p) { return *p; }
"""


def record_of(text: str, folder: Path, *options: str) -> RunRecord:
    file, run = folder / "f.c", folder / "run"
    file.write_text(text)
    main(["verify", str(file), "--engine", "bmc", "--output", str(run), "--quiet", *options])
    told = [line for where, line in texts_of(open_run(run), folder) if where in PLACES]
    assert [line for line in told if "__VERIFIER" in line or START_FILE in line or internal_words(line)] == []
    return RunRecord.of(open_run(run))


@pytest.mark.parametrize(
    ("text", "options", "wanted"),
    [
        pytest.param(ARGUMENTS, (), ['2: argv[1] = "-x"'], id="arguments"),
        pytest.param(DIGITS, (), ['2: argv[1] = "00000000…"'], id="more characters than are listed"),
        pytest.param(VARIABLE, (), ['5: getenv("HOME") returns "/"'], id="environment"),
        pytest.param(ENDS, (), ['5: getenv("PORT") returns "6\\xc8"'], id="up to the end"),
        pytest.param(CLASS, (), ["3: argc = 2", "5: isdigit('7') returns 1"], id="class of characters"),
        pytest.param(LINE, (), ['6: fgets(line, 8, stdin) reads "ok\\n"'], id="a line"),
        pytest.param(FAILURE, (), ["6: read(0, t, 4) fails"], id="a failure"),
        pytest.param(NUMBER, ("--check", "bounds"), ['6: scanf("%d", &i) gets 1'], id="a number in a text"),
        pytest.param(RECORD, (), ["7: receive(&r) writes r.kind = 2, r.value = 5"], id="out-parameter"),
        pytest.param(CONTENTS, (), ["7: t = {[1] = 3, others = 0}", "4: #1 = {.b = 4}"], id="contents"),
        pytest.param(NULL, ("--entry", "first", "--check", "null"), ["1: parameter p = null"], id="null"),
        pytest.param(
            LAST,
            ("--entry", "last", "--check", "dangling"),
            ["1: parameter p points to #1 of 0 int"],
            id="no element",
        ),
        pytest.param(
            SUM,
            ("--entry", "sum", "--aliasing", "separate"),
            [
                "3: parameter n = 2",
                "3: limit = 1",
                "3: parameter p points to #1 of 256 int: {2, 4, others = 0}",
            ],
            id="parameters",
        ),
        pytest.param(SCANNED, (), ['6: scanf("%lf", &d) gets 2.5'], id="scanned numbers"),
        pytest.param(
            NODES,
            ("--entry", "keys"),
            ["3: parameter p points to #2 of struct node: {.key = 3, .next = #1}"],
            id="lists",
        ),
    ],
)
def test_inputs_have_the_words_of_the_program(
    text: str, options: tuple[str, ...], wanted: list[str], tmp_path: Path
) -> None:
    record = record_of(text, tmp_path, *options)
    lines = list(TextReport(RunText(record.view, record.program)).lines(TraceExtent.RELEVANT))
    said = [line.partition("f.c:")[2] for line in lines[lines.index("Inputs:") :]]
    assert [line for line in wanted if line not in said] == [], "\n".join(lines)
    check = next(iter(record.view.traces))
    rows = [
        f"{row.place[1]}: {row.name} {row.relation} {row.value}".rstrip()
        for row in input_rows(record, check)
        if row.matters
    ]
    assert [line for line in wanted if line not in rows] == []
    (trace,) = report(record, ReportLimits()).traces
    listed = [f"{row.where}: {row.name}" for row in trace.inputs]
    assert [line for line in wanted if not any(line.startswith(one) for one in listed)] == []
    assert inputs_in_words(record, check).startswith("Fails with ")


def test_equal_inputs_in_a_loop_are_folded(tmp_path: Path) -> None:
    record = record_of(ROUNDS, tmp_path)
    lines = list(TextReport(RunText(record.view, record.program)).lines(TraceExtent.RELEVANT))
    assert "  … the same input, 18 more times …" in lines
    whole = list(TextReport(RunText(record.view, record.program)).lines(TraceExtent.ALL))
    assert sum("get (extern" in line for line in whole) == 20
    (trace,) = report(record, ReportLimits()).traces
    assert [(row.where, row.name) for row in trace.inputs][1] == ("", "… the same input, 18 more times …")
    assert len(trace.inputs) == 3
    assert trace.inputs_left_out == 0


def test_checks_inside_a_call_of_the_library_are_listed_once(tmp_path: Path) -> None:
    text = """#include <string.h>
        #include <stdlib.h>
        int main(int argc, char **argv)
        {
            char b[4], *home = getenv("HOME");
            strcpy(b, "abc");
            return 1 / (argc - 1) + (home != 0);
        }
        """
    record = record_of(text, tmp_path, "--check", "null,dangling,division", "--stop-at-first")
    lines = list(TextReport(RunText(record.view, record.program)).lines(TraceExtent.RELEVANT))
    listed = [line.partition("f.c:")[2] for line in lines if "checks inside" in line]
    assert any(one.startswith('5: getenv("HOME"): ') for one in listed)
    assert any(one.startswith('6: strcpy(b, "abc"): ') and "null pointer, invalid access" in one for one in listed)
    assert not any("interplay_" in check.description for check in record.view.checks.values())
