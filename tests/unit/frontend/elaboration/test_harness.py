"""Harnesses of other tools: assumptions, assertions, and what asks about memory."""

import pytest

from core.verdict import Safe, Unsafe
from frontend.api import parse_program, parse_sources
from frontend.interpreter import AssumptionViolated, ErrorReached, Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.options import SourceFile
from frontend.replay.confirm import confirm, interpret
from frontend.replay.policy import error_policy
from frontend.replay.results import NotAvailable, Reproduced
from frontend.typed.ctype import DataModel
from frontend.typed.tree import TranslationUnit
from methods.engines.bmc.engine import BmcEngine
from tests.support.contexts import RecordingContext


def outcome(text: str) -> type:
    unit = parse_program(text, "a.c", DataModel.LP64)
    lower(unit, None)
    return type(run(unit, error_policy(unit, None), Inputs.of([])))


@pytest.mark.parametrize("name", ["__CPROVER_assume", "klee_assume"])
def test_assumptions(name: str) -> None:
    assert outcome(f"int main(void) {{ int *p = 0; {name}(p); return 0; }}") is AssumptionViolated
    assert outcome(f"int main(void) {{ int x = 3; {name}(x > 2); return 0; }}") is Exited
    assert outcome(f"static void {name}(int x) {{ }} int main(void) {{ {name}(0); return 0; }}") is Exited


@pytest.mark.long
@pytest.mark.parametrize("header", ["", '#include "klee/klee.h"\n'])
@pytest.mark.parametrize(
    ("body", "can_fail"),
    [
        ('int x = 0; klee_make_symbolic(&x, sizeof x, "x"); assert(x != 77);', True),
        (
            'char t[4]; klee_make_symbolic(t, sizeof t, "t"); klee_assume(t[1] > 3); assert(t[1] != 5);',
            True,
        ),
        ('struct s { short a; int b[2]; } s; klee_make_symbolic(&s, sizeof s, "s"); assert(s.b[1] != -7);', True),
        ('int x[3] = {1, 2, 3}; klee_make_symbolic(x, 8, "x"); assert(x[2] == 3);', False),
        ('unsigned char x; klee_make_symbolic(&x, 1, "x"); assert(x < 256);', False),
    ],
)
def test_objects_that_klee_makes_symbolic(header: str, body: str, can_fail: bool) -> None:
    unit = parse_program(f"{header}int main(void) {{ {body} return 0; }}", "a.c", DataModel.LP64)
    program = lower(unit, None)
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(found, Unsafe if can_fail else Safe)
    if isinstance(found, Unsafe):
        confirmed = interpret(unit, error_policy(unit, None), program.checks[0], found.inputs)
        assert isinstance(confirmed, Reproduced)


@pytest.mark.parametrize("name", ["__CPROVER_assert", "__CPROVER_precondition"])
def test_assertions(name: str) -> None:
    assert outcome(f'int main(void) {{ {name}(1 == 2, "no"); return 0; }}') is ErrorReached
    assert outcome(f'int main(void) {{ {name}(1 == 1, "yes"); return 0; }}') is Exited
    unit = parse_program(f'int main(void) {{ {name}(sizeof(int), "yes"); return 0; }}', "a.c", DataModel.LP64)
    assert [check.property for check in lower(unit, None).checks] == ["assertion"]


QUANTIFIED = """typedef unsigned char byte; extern int __VERIFIER_nondet_int(void);
struct pair { char c; long x; };
struct node { struct node *next; struct { long n; int a[2]; } in; };
#define ZEROED(o) __CPROVER_forall { int i; (i >= 0 && i < sizeof(o)) ==> ((const byte *) &o)[i] == 0 }
struct wide { int a[40]; }; static struct wide wide;
#define SOME(type, lower) __CPROVER_forall { type i; (lower && i < sizeof(wide)) ==> ((const byte *) &wide)[i] == 0 }
static void clear(struct node *n) { n->next = 0; n->in.n = 0; n->in.a[0] = n->in.a[1] = 0; }
int a[4];
int main(void) { struct node n; struct pair p = {0}; clear(&n); a[3] = __VERIFIER_nondet_int();
  __CPROVER_assert(CLAIM, ""); return 0; }"""


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("ZEROED(n)", True),
        ("(n.in.a[1] = a[3], ZEROED(n) == (a[3] == 0))", True),
        ("(n.next = &n, !ZEROED(n))", True),
        ("(p.x = 1, !ZEROED(p))", True),
        ("ZEROED(p)", False),  # what the padding has is not said
        ("(wide.a[39] = 1, !SOME(int, i >= 0))", True),
        ("(wide.a[39] = 1, !SOME(signed char, i >= 0))", False),  # of 128 bytes it speaks
        ("SOME(int, (unsigned) i >= 0)", False),  # of what lies before, too
        ("a[3] < 0 || __CPROVER_forall { unsigned k; k < 4 ==> a[k] >= 0 }", True),
        ("!__CPROVER_exists { int k; k >= 0 && k < 3 && a[k] == 1 }", True),
        ("__CPROVER_forall { unsigned k; k < 4 ==> a[k] == 0 }", False),
        (
            "__CPROVER_exists { unsigned k; k < 4 && a[k] == 0 }",
            False,
        ),  # holds, but nothing follows from "for no value"
        ("__CPROVER_forall { int k; (k > 9 ==> k > 3) && k == k }", False),  # the same
    ],
)
def test_quantifiers(claim: str, holds: bool) -> None:
    program = lower(parse_program(QUANTIFIED.replace("CLAIM", claim), "a.c", DataModel.LP64), None)
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    assert isinstance(found, Safe) == holds


def test_uninterpreted_functions_have_any_value_and_no_effects() -> None:
    text = """unsigned long __CPROVER_uninterpreted_hash(const void *);
static unsigned long hash(const void *p) { return __CPROVER_uninterpreted_hash(p); }
int main(void) { struct { int x; unsigned long (*f)(const void *); } s = { 3, hash }; unsigned long h = s.f(&s);
__CPROVER_assert(s.x == 3 && s.f == hash, ""); __CPROVER_assert(h != 4, ""); return 0; }"""
    unit = parse_program(text, "a.c", DataModel.LP64)
    program = lower(unit, None)
    found = BmcEngine().run(program, [0, 1], RecordingContext())
    chosen = found[1]
    assert isinstance(found[0], Safe)
    assert isinstance(chosen, Unsafe)
    confirmed = confirm([SourceFile("a.c", text)], unit, error_policy(unit, None), program.checks[1], chosen.inputs)
    assert isinstance(confirmed, NotAvailable)


MEMORY = """extern void *malloc(unsigned long); extern void free(void *);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong(); __CPROVER_assume(n < 100);
  char *p = malloc(n), *gone = malloc(3); int a[3]; static int z; free(gone);
  __CPROVER_assert(CLAIM, ""); return 0; }"""


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("n == 0 || __CPROVER_r_ok(p, n)", True),
        ("__CPROVER_r_ok(p, n + 1)", False),
        ("__CPROVER_w_ok(&a[1], 8) && !__CPROVER_w_ok(&a[1], 9) && __CPROVER_rw_ok(a, 12)", True),
        ("__CPROVER_r_ok(&a[3], 0) && __CPROVER_r_ok(&z)", True),
        ('__CPROVER_r_ok("abc", 4) && !__CPROVER_w_ok("abc", 1)', True),
        ("__CPROVER_r_ok((int *) 0)", False),
        ("__CPROVER_r_ok((int *) 0, 0)", False),
        ("__CPROVER_r_ok(gone, 1)", False),
        ("__CPROVER_r_ok(gone, 0)", None),
        ("__CPROVER_same_object(&a[1], a) && !__CPROVER_same_object(&z, a)", True),
        ("__CPROVER_POINTER_OBJECT(p) != __CPROVER_POINTER_OBJECT(a)", True),
        ("__CPROVER_POINTER_OFFSET(&a[2]) == 8 && __CPROVER_OBJECT_SIZE(a) == 12", True),
        ("n == 0 || __CPROVER_OBJECT_SIZE(p) < 50", False),
    ],
)
def test_questions_about_memory(claim: str, holds: bool | None) -> None:
    unit = parse_program(MEMORY.replace("CLAIM", claim), "a.c", DataModel.LP64)
    program = lower(unit, None)
    (found,) = BmcEngine().run(program, [0], RecordingContext()).values()
    if holds:
        assert isinstance(found, Safe)
    else:
        assert isinstance(found, Unsafe)
        confirmed = interpret(unit, error_policy(unit, None), program.checks[0], found.inputs)
        assert isinstance(confirmed, Reproduced) or holds is None


def test_functions_without_their_bodies() -> None:
    """A static function goes by the name that harnesses give it, another one is that of another file."""
    one = """int __CPROVER_file_local_b_c_half(int x) { return x; } int twice(int x) { return 7; } int other(void);
int main(void) { return other() - 14; }"""
    two = """static int half(int x); int twice(int x) { return 2 * x; } static int half(int x) { return x / 2; }
int other(void) { return half(2 * twice(0)); }"""
    removed = frozenset(("__CPROVER_file_local_b_c_half", "twice"))
    files = [SourceFile("a.c", one), SourceFile("d/b.c", two, removed=removed)]
    unit = parse_sources(files, DataModel.LP64)
    assert run(unit, error_policy(unit, None), Inputs.of([])) == Exited(0)
    unit = parse_sources(files[1:], DataModel.LP64)
    assert unit.functions["twice"].body is None
    assert unit.functions["half"].body is None


def test_static_functions_of_other_files() -> None:
    one = "int __CPROVER_file_local_b_c_half(int x); int main(void) { return __CPROVER_file_local_b_c_half(8) - 4; }"
    two = "static int half(int x) { return x / 2; } int other(void) { return half(2); }"
    unit: TranslationUnit = parse_sources([SourceFile("a.c", one), SourceFile("d/b.c", two)], DataModel.LP64)
    assert unit.functions["__CPROVER_file_local_b_c_half"].body is not None
    assert isinstance(run(unit, error_policy(unit, None), Inputs.of([])), Exited)
