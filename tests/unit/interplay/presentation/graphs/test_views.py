"""Views of programs as documents: well-formed whatever the names are, and complete."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from core.program import Program
from frontend.api import parse_program
from frontend.lowering import lower
from frontend.typed.ctype import DataModel
from interplay.presentation.graphs.automaton import LocationKind, automata, to_json
from interplay.presentation.graphs.automaton_svg import to_svg
from interplay.presentation.graphs.dot import to_dot
from interplay.presentation.graphs.svg import rounded, text_width
from interplay.presentation.layout import Point
from interplay.presentation.programtext import to_text

TEXT = """extern void reach_error(void);
int f(int a) { return a & 1 ? a : a + 1; }
int main(void) {
  int n = 0;
  while (n < 9) { n = f(n) + 1; if (n == '"') { reach_error(); } }
  for (;;) { }
}
"""
HOSTILE = '</text><script>alert(1)</script>&"\\\n\x01\x7f\ud800.c'


@pytest.fixture(scope="module", params=["t.c", HOSTILE])
def program(request: pytest.FixtureRequest) -> Program:
    name: str = request.param
    return lower(parse_program(TEXT, name, DataModel.ILP32), None)


def test_automata_have_everything(program: Program) -> None:
    shown = automata(program)
    assert [one.function for one in shown] == ["<start>", "main", "f"]
    assert sorted(at.id for one in shown for at in one.locations) == [at.id for at in program.locations]
    assert sorted(edge.id for one in shown for edge in one.edges) == [edge.id for edge in program.edges]
    main = shown[1]
    kinds = [at.kind for at in main.locations]
    assert kinds[0] is LocationKind.ENTRY
    assert kinds.count(LocationKind.LOOP) == 2
    assert kinds.count(LocationKind.ERROR) == 1
    (error,) = (at for at in main.locations if at.kind is LocationKind.ERROR)
    assert error.check.startswith("unreach-call: call of reach_error")
    assert error.place is not None
    assert error.place.line == 5


def test_json_is_plain(program: Program) -> None:
    document = json.loads(to_json(program))
    assert (document["format"], document["version"]) == ("interplay-cfa", 1)
    main = document["functions"][1]
    assert main["function"] == "main"
    assert {at["kind"] for at in main["locations"]} == {"entry", "exit", "loop", "inner", "error"}
    calls = [edge for edge in main["edges"] if edge["kind"] == "call"]
    assert [edge["operation"] for edge in calls] == ["call f(n)"]
    ids = {at["id"] for at in main["locations"]}
    assert all({edge["source"], edge["target"]} <= ids for edge in main["edges"])


def test_svg_is_well_formed_and_inert(program: Program) -> None:
    root = ElementTree.fromstring(to_svg(program))
    names = {one.tag.rpartition("}")[2] for one in root.iter()}
    assert names == {"svg", "style", "rect", "g", "title", "text", "path", "polygon"}
    texts = [one.text for one in root.iter() if one.tag.endswith("text")]
    assert "n = f(n) + 1" in texts or "f(n)" in texts
    assert "call f(n)" in texts


def test_dot_quotes(program: Program) -> None:
    text = to_dot(program)
    for line in text.splitlines():
        bare = line.replace("\\\\", "").replace('\\"', "")
        assert bare.count('"') % 2 == 0, line
    assert text.count("peripheries=2") == 2


def test_text_has_every_edge(program: Program) -> None:
    text = to_text(program)
    assert sum(" -> " in line for line in text.splitlines()) == len(program.edges)
    assert "  n (main::n): int in -2147483648 … 2147483647" not in text.split("function")[0]
    assert "  local n (main::n): int in -2147483648 … 2147483647" in text


def test_operations_have_the_names_of_the_source() -> None:
    text = """struct point { int x, y; };
    enum mode { IDLE, BUSY };
    int m[3][4];
    enum mode mode;
    void move(struct point *p, int by) { p->x += by; p->y = 1; }
    int main(void) {
      struct point q = {0, 0};
      int i = 1;
      move(&q, i);
      mode = BUSY;
      for (int i = 0; i < 3; i++) m[i][2] = q.x;
      if (mode == BUSY) return m[1][2];
      return 0;
    }
    """
    shown = automata(lower(parse_program(text, "t.c", DataModel.ILP32), None))
    operations = [edge.operation for one in shown for edge in one.edges]
    assert {
        "call move(&q, i)",
        "p->y := 1",
        "i := 0",
        "m[i][2] := q.x",
        "mode := BUSY",
        "assume mode == BUSY",
        "\\result := m[1][2]",
    } <= set(operations)


def test_what_is_too_large_to_be_read_is_described() -> None:
    sums = " + ".join(f"n * (n + {number})" for number in range(300))
    text = f"int main(void) {{ int n = 3; int k = {sums}; return k; }}"
    shown = automata(lower(parse_program(text, "t.c", DataModel.ILP32), None))
    assert all(len(edge.operation) < 2_100 for one in shown for edge in one.edges)


def test_bends_are_rounded() -> None:
    assert rounded([Point(0, 0), Point(0, 20), Point(4, 20)]) == "M0 0L0 13Q0 20 2 20L4 20"
    assert text_width("漢", 10) == 2 * text_width("a", 10)
