"""Scalar replacement against the program of which the view is made: executions, bounds, and formulas there and back."""

from __future__ import annotations

import pytest

from core.analysis.scalars import scalar_view
from core.certificate.check import check_certificate
from core.certificate.results import Certified
from core.limits import Limits
from core.program import Edge, Input, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.modular import ModularView
from core.program.simulate import simulate
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import ArraySort, ArrayValue, Term, Value
from core.verdict import Certificate
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel
from tests.support.program_builder import ProgramBuilder

POINTERS = """
static void inc(int *p) { *p = *p + 1; }
static void twice(int *p) { inc(p); inc(p); }
int main(void) { int r = 0, s = 5; twice(&r); int *q = &s; *q = r; if (s != 2) reach_error(); return 0; }
"""
MEMBERS = """
struct dev { int state, count; };
static struct dev d;
static void tick(struct dev *p) { if (p->count < 9) { p->count++; p->state = -p->state; } }
int main(void) { d.state = 1; while (__VERIFIER_nondet_int()) tick(&d); if (d.count > 9) reach_error(); return 0; }
"""
THROUGH_MEMORY = """
struct s { int v; int *p; };
int main(void) {
  int x = 3, y = __VERIFIER_nondet_int();
  struct s t; struct s *u = &t; struct s **w = &u;
  t.p = &x; t.v = 0;
  if (y > 10 && y < 20) *(*w)->p = y;
  if (x == 15) reach_error();
  return 0;
}
"""
ELEMENTS = """
int main(void) {
  int a[3]; a[0] = 0; a[1] = 0; a[2] = __VERIFIER_nondet_int();
  while (a[0] < 5) { a[0]++; a[1] += a[2]; }
  if (a[0] != 5) reach_error();
  return 0;
}
"""
BOTH = """
int buf[8]; int len;
static void put(int *b, int i, int v) { b[i] = v; }
int main(void) {
  int *h = &buf[0], *k = &len;
  for (int i = 1; i < 8; i++) put(h, i, i);
  *k = 3; h[0] = 4;
  if (buf[0] + buf[1] + len != 8) reach_error();
  return 0;
}
"""
RECURSIVE = """
static void add(int n, int *sum) { int a[2]; a[0] = n; a[1] = 1; if (n > 0) { *sum += a[1]; add(a[0] - 1, sum); } }
int main(void) { int s = 0; add(4, &s); if (s != 4) reach_error(); return 0; }
"""
DEAD = """
static int flag, g; static int *p;
static void set(int *q) { *q = 1; }
int main(void) { int r = 0; p = &r; if (flag) { set(p); set(&g); } *p = 2; if (r != 2) reach_error(); return 0; }
"""
TWO = """
static void inc(int *p) { (*p)++; }
int main(void) { int a = 0, b = 0; inc(&a); inc(&b); if (a != b) reach_error(); return 0; }
"""
MOVING = """
static int down(int n, int *up) { int own = n; if (n > 0) down(n - 1, &own); *up = own; return own; }
int main(void) { int r; down(3, &r); if (r != 0) reach_error(); return 0; }
"""
REPLACED = {
    "pointers": POINTERS,
    "members": MEMBERS,
    "through memory": THROUGH_MEMORY,
    "elements": ELEMENTS,
    "both": BOTH,
    "recursive": RECURSIVE,
    "dead code": DEAD,
}
DECLARATIONS = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"


def lowered(text: str) -> Program:
    return lower(parse_program(DECLARATIONS + text, "test.c", DataModel.ILP32), UnreachCall("reach_error"))


def arrays(program: Program) -> set[str]:
    return {x.name for x in program.variables if isinstance(x.sort, ArraySort)}


@pytest.mark.parametrize("name", sorted(REPLACED.keys() - {"both"}))
def test_no_array_is_left_where_all_indices_are_constant(name: str) -> None:
    program = lowered(REPLACED[name])
    view = scalar_view(program)
    assert arrays(program)
    assert not arrays(view.program)
    assert len(view.elements) == len(view.program.variables.keys() - program.variables.keys())


def test_an_element_apart_from_indices_that_vary_is_a_variable_beside_its_array() -> None:
    view = scalar_view(lowered(BOTH))
    names = [x.name.partition("[")[0] for x in view.elements]
    assert names == ["memory1.int32", "memory2.int32"]
    assert arrays(view.program) == {"memory2.int32"}


@pytest.mark.parametrize("text", [TWO, MOVING])
def test_nothing_is_replaced_where_an_address_varies(text: str) -> None:
    assert not scalar_view(lowered(text)).elements


def test_only_pointers_in_memory_ask_for_another_round() -> None:
    assert len(scalar_view(lowered(MEMBERS)).rounds) == 1
    assert len(scalar_view(lowered(THROUGH_MEMORY)).rounds) == 3


def test_an_array_that_is_copied_stays_as_it_is() -> None:
    b = ProgramBuilder()
    a, m, copy = b.arena, b.array("m"), b.array("copy")
    entry, middle, done = (b.location() for _ in range(3))
    b.assign(entry, middle, (m, a.store(m, a.zero, a.one)))
    b.assign(middle, done, (copy, m))
    b.function("main", entry, done)
    program = b.program()
    assert scalar_view(program).program is program


def test_an_array_that_is_passed_by_value_stays_as_it_is() -> None:
    b = ProgramBuilder()
    a, m, given, x = b.arena, b.array("m"), b.array("given"), b.variable("x")
    entry, middle, done, inside, end = (b.location() for _ in range(5))
    b.assign(entry, middle, (m, a.store(m, a.zero, a.one)))
    assert isinstance(m.sort, ArraySort)
    b.call(middle, done, "read", a.store(a.const_array(m.sort, a.zero), a.zero, a.select(m, a.zero)))
    b.function("main", entry, done)
    b.assign(inside, end, (x, a.select(given, a.zero)))
    b.function("read", inside, end, parameters=(given,))
    view = scalar_view(b.program())
    assert [element.args[0] for element in view.elements.values()] == [m]


def test_an_array_that_is_chosen_among_several_stays_as_it_is() -> None:
    b = ProgramBuilder()
    a, m, x = b.arena, b.array("m"), b.variable("x")
    entry, done = b.location(), b.location()
    b.assign(entry, done, (m, a.ite(a.le(x, a.zero), a.store(m, a.zero, a.one), m)))
    b.function("main", entry, done)
    assert not scalar_view(b.program()).elements


def test_an_edge_consumes_the_inputs_that_it_consumed() -> None:
    """The first store is overwritten; without it, a path would have an input less than its edges."""
    b = ProgramBuilder()
    a, m, value = b.arena, b.array("m"), b.input("value")
    entry, done = b.location(), b.location()
    whole = a.store(a.store(a.store(m, a.zero, value), a.one, a.zero), a.zero, a.one)
    b.assign(entry, done, (m, whole))
    b.function("main", entry, done)
    assert not scalar_view(b.program()).elements


@pytest.mark.parametrize("text", REPLACED.values(), ids=REPLACED)
@pytest.mark.parametrize("seed", range(4))
def test_executions_are_the_same_and_variables_are_the_elements(text: str, seed: int) -> None:
    program = lowered(text)
    view = scalar_view(program)
    original = list(view.elements.values())
    variables = list(view.elements)
    assert trace(program, original, seed) == trace(view.program, variables, seed)


def trace(program: Program, terms: list[Term], seed: int) -> list[tuple[int, list[Value | None]]]:
    """The edges of an execution, each with the values of terms before it."""
    found: list[tuple[int, list[Value | None]]] = []
    count = 0

    def supply(one: Input) -> Value:
        nonlocal count
        count += 1
        number = (seed * 7919 + count * 31) % 23
        return ArrayValue(number, {}) if isinstance(one.symbol.sort, ArraySort) else number * (count < 9)

    def watch(edge: Edge, value: object) -> None:
        assert callable(value)
        found.append((edge.id, [_value(value, t) for t in terms] if found else []))

    simulate(program, supply, 400, watch)
    return found


def _value(value: object, t: Term) -> Value | None:
    """The value of a term; of a local where its function does not run, none."""
    assert callable(value)
    try:
        result = value(t)
    except KeyError:
        return None
    assert isinstance(result, int)
    return result


@pytest.mark.parametrize("text", REPLACED.values(), ids=REPLACED)
def test_bounds_are_inductive(text: str) -> None:
    """The bounds on which indices rest are a certificate of the program, for no check at all."""
    program = lowered(text)
    view = scalar_view(program)
    modular = ModularView(Expansion(view.program, BlockEncoding.STATEMENTS), ())
    expansion = Expansion(program, BlockEncoding.STATEMENTS)
    invariants: dict[At, Term] = {}
    work = [expansion.start]
    while work:
        at = work.pop()
        if at not in invariants and len(at.stack) < 6:
            invariants[at] = view.bounds(modular, at)
            work += [step.target for step in expansion.steps(at)]
    result = check_certificate(program, (), Certificate(invariants), Cvc5Factory(), Limits(), lambda _: None)
    assert isinstance(result, Certified) or "recursion" in getattr(result, "why", ""), result


@pytest.mark.parametrize("text", REPLACED.values(), ids=REPLACED)
def test_what_is_replaced_comes_back(text: str) -> None:
    view = scalar_view(lowered(text))
    for x, element in view.elements.items():
        assert view.original(x) is element
        assert view.replaced(element) is x


def test_copies_of_a_variable_are_elements_of_copies_of_its_array() -> None:
    view = scalar_view(lowered(ELEMENTS))
    arena = view.program.arena
    x, element = next(iter(view.elements.items()))
    array, index = element.args
    copy = arena.copy(x, f"{x.name}#1")
    assert view.original(copy) is arena.select(arena.copy(array, f"{array.name}#1"), index)
    assert view.replaced(view.original(copy)) is copy


def test_a_formula_with_an_index_that_varies_chooses_among_the_variables() -> None:
    view = scalar_view(lowered(ELEMENTS))
    arena = view.program.arena
    array = next(iter(view.elements.values())).args[0]
    i = arena.symbol("i", next(iter(view.elements)).sort)
    chosen = view.replaced(arena.select(array, i))
    assert set(view.elements) < chosen.symbols()
