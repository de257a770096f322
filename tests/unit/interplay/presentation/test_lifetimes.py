"""Memory errors say what became of their object: where it was allocated or released, where its last pointer went."""

from pathlib import Path

import pytest

import interplay
from interplay.presentation.record.heaps import heap_at
from interplay.presentation.record.run import RunRecord
from runs.runfile import open_run

RELEASED = """#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  int *q = p;
  free(p);
  return *q;
}
"""
TWICE = RELEASED.replace("return *q", "free(q)")
OUTSIDE = """#include <stdlib.h>
int main(void) {
  char *p = malloc(3);
  p[3] = 1;
  free(p);
  return 0;
}
"""
ENDED = """int main(void) {
  int *p = 0;
  {
    int local = 1;
    p = &local;
  }
  return *p;
}
"""
LOST = """#include <stdlib.h>
static char *kept;
int main(void) {
  kept = malloc(1);
  char *p = malloc(2);
  p = 0;
  return 0;
}
"""
INDEX = """int main(void) {
  int a[2];
  for (int i = 0; i <= 2; i++)
    a[i] = i;
  return a[0];
}
"""
UNSET = """extern int input(void);
int main(void) {
  int sum, k = input();
  if (k > 0)
    sum = k;
  return sum;
}
"""
UNSET_MEMBER = """#include <stdlib.h>
struct pair { int first, second; };
int main(void) {
  struct pair *p = malloc(sizeof *p);
  p->first = 1;
  int sum = p->first + p->second;
  free(p);
  return sum;
}
"""
DEREF, FREE, CLEAN = "valid-deref", "valid-free", "valid-memcleanup"


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "property", "words"),
    [
        (RELEASED, DEREF, "#1 was released in line 5"),
        (TWICE, FREE, "#1 was released in line 5"),
        (OUTSIDE, DEREF, "byte 3 of #1, which has 3 bytes, allocated in line 3"),
        (INDEX, "def-behavior", "the index is 2, the last one is 1"),
        (ENDED, DEREF, "local is gone: its block, which begins in line 3, has ended"),
        (UNSET, "def-behavior", "nothing was written to it: this execution does not come to line 5"),
        (UNSET_MEMBER, "def-behavior", "byte 4 of #1, allocated in line 4, was never written"),
        (
            LOST,
            CLEAN,
            "#1, allocated in line 4, is not released: kept still points to it; "
            "#2, allocated in line 5, is not released: the last pointer to it went in line 6",
        ),
    ],
    ids=["released", "twice", "outside", "index", "ended", "unset", "unset-member", "lost"],
)
def test_the_reason_for_a_memory_error(tmp_path: Path, text: str, property: str, words: str) -> None:
    file, run = tmp_path / "a.c", tmp_path / "a.interplay"
    file.write_text(text)
    verdict = interplay.verify(str(file), property=property, output=str(run), engine="bmc")
    assert verdict.status == "false"
    record = RunRecord.of(open_run(run))
    (trace,) = record.view.traces.values()
    fault = record.text.lifetimes(trace).fault
    assert fault is not None
    assert fault.words == words


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "property", "name", "fate"),
    [(INDEX, "def-behavior", "a", "✗ [2]: the error"), (LOST, CLEAN, "#2", "✗ not released")],
    ids=["index", "lost"],
)
def test_the_object_of_the_error_is_drawn(tmp_path: Path, text: str, property: str, name: str, fate: str) -> None:
    file, run = tmp_path / "a.c", tmp_path / "a.interplay"
    file.write_text(text)
    interplay.verify(str(file), property=property, output=str(run), engine="bmc")
    record = RunRecord.of(open_run(run))
    heap = heap_at(record, next(iter(record.view.traces)), None)
    assert heap is not None
    assert (name, (fate,)) in [(one.name, one.fate) for one in heap.records]
