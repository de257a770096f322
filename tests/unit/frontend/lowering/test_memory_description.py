"""The description of memory in a program: `Program.memory`, filled by the lowering and kept in run files."""

from core.program import Cell, Program
from core.program.properties import NO_KINDS, SELECTABLE, Kinds, selected
from core.terms import Arena
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.options import ArithmeticChoice
from frontend.typed.ctype import DataModel
from runs.jsondata import compact, parse
from runs.serialize import decode_program, encode_program

LIST = """
extern void *malloc(unsigned long);
struct node { int h; struct node *n; struct in { short a[2]; } in; };
int main(void) {
  struct node *p = malloc(sizeof(struct node)), **where = &p;
  int other = 7;
  p->h = 1; p->in.a[1] = 2; (*where)->n = p;
  return p->h + p->in.a[0] + (p->n == 0) + other;
}
"""


def program(text: str, kinds: Kinds = NO_KINDS) -> Program:
    return lower(parse_program(text, "t.c", DataModel.LP64), UnreachCall(), ArithmeticChoice.AUTO, kinds)


def test_cells_are_named_by_record_field_and_offset() -> None:
    memory = program(LIST).memory
    assert memory is not None
    cells = {cell for found in memory.cells.values() for cell in found}
    scalars = {Cell("node", "h", 0), Cell("in", "a", 0), Cell("in", "a", 2)}
    assert cells == {Cell("node", "n", 8), Cell("", "", 0)} | scalars
    pointers = {cell for array, found in memory.cells.items() if array in memory.pointers for cell in found}
    assert pointers == {Cell("node", "n", 8), Cell("", "", 0)}


def test_pointers_are_variables_whose_values_are_addresses() -> None:
    memory = program(LIST).memory
    assert memory is not None
    names = {x.name for x in memory.pointers if x not in memory.cells}
    assert "main::where" in names
    assert "main::other" not in names
    assert memory.counter not in memory.pointers
    assert memory.fresh is memory.counter


def test_with_lifetimes_addresses_are_blocks() -> None:
    memory = program(LIST, selected(tuple(SELECTABLE))).memory
    assert memory is not None
    assert memory.lifetimes is not None
    assert memory.fresh.symbols() == {memory.counter}
    assert memory.fresh.coefficients == (memory.lifetimes.block,)


def test_marks_of_values_lie_where_the_scalars_lie() -> None:
    memory = program(LIST, selected(tuple(SELECTABLE))).memory
    assert memory is not None
    marks = {array.name.removesuffix("!set"): cells for array, cells in memory.cells.items() if "!set" in array.name}
    assert marks
    assert marks.items() <= {array.name: cells for array, cells in memory.cells.items()}.items()


def test_programs_without_memory_have_no_description() -> None:
    assert program("int main(void) { int x = 1; return x; }").memory is None


def test_run_files_keep_it() -> None:
    for kinds in (NO_KINDS, selected(tuple(SELECTABLE))):
        of = program(LIST, kinds)
        again = decode_program(parse(compact(encode_program(of))), Arena())
        assert shown(again) == shown(of)


def test_programs_with_constant_objects_are_kept() -> None:
    text = "int f(const char *p) { return *p; } int main(void) { const char a[1] = {65}; return f(a); }"
    of = program(text, selected(tuple(SELECTABLE)))
    again = decode_program(parse(compact(encode_program(of))), Arena())
    assert shown(again) == shown(of)


def shown(of: Program) -> tuple[object, ...]:
    memory = of.memory
    assert memory is not None
    cells = {array.name: found for array, found in memory.cells.items()}
    lives = memory.lifetimes
    named = None if lives is None else (lives.block, lives.sizes.name, lives.releasable.name, lives.count.name)
    return cells, {x.name for x in memory.pointers}, memory.counter.name, repr(memory.fresh), named
