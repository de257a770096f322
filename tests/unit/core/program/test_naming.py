"""Names of variables: what the source calls them, each another text, and read again as the same variable."""

import random
from functools import cache

import pytest

from core.program import Program
from core.program.naming import Naming
from core.program.source import source_function
from core.terms import INT, ArrayValue, Op, Term, Value, evaluate, to_readable_c
from frontend.conditions import read_shown
from interplay.presentation.run_text import bounds_in
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from runs.events import Place

TEXT = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum mode { IDLE, BUSY, DONE };
struct node { int v; struct node *next; };
struct ring { unsigned char buf[8]; unsigned head, count; };
struct point { int x, y; };
int count;
int m[3][4];
struct point grid[5];
static void add(struct ring *r, unsigned char b) { r->buf[r->head] = b; r->count++; }
int depth(int n) { int x = n; return n <= 0 ? 0 : 1 + depth(x - 1); }
int main(void)
{
    struct ring r = {{0}, 0, 0};
    enum mode mode = IDLE;
    struct node *list = malloc(sizeof *list);
    list->v = 1;
    list->next = list->v ? list : 0;
    int i = 2;
    for (int i = 0; i < 3; i++) {
        int count = m[i][1];
        add(&r, (unsigned char)count);
        grid[i].y = count;
    }
    while (i-- > 0 && mode != DONE)
        mode = BUSY;
    if (list->next || depth(3) != 3 || ::count)
        reach_error();
    return 0;
}
""".replace("::count", "count")


@cache
def program() -> Program:
    return DefaultServices().load(Request("names.c"), lambda _: TEXT, lambda _: None).program


def at(line: int, function: str = "main") -> Place:
    found = (one for one in program().locations if one.function == function and one.span is not None)
    return (), next(one.id for one in found if one.span is not None and one.span.line == line)


def shown(t: Term, place: Place | None) -> str:
    bounds = program()
    return to_readable_c(t, lambda symbol: bounds_in(bounds, symbol), names=Naming(bounds, place))


@pytest.mark.parametrize(
    ("line", "function", "text"),
    [
        (26, "main", "r.count == 3"),
        (26, "main", "r.buf[i + 1] > 7"),
        (26, "main", "m[i][2] <= m[2][i]"),
        (26, "main", "m[i][i + 1] == 0"),
        (26, "main", "grid[i].y != grid[0].x"),
        (26, "main", "mode == DONE"),
        (26, "main", "mode != IDLE"),
        (26, "main", "list->next->v == 4"),
        (26, "main", "i@21 == 1"),
        (22, "main", "0 <= i <= 2"),
        (22, "main", "i@20 > i"),
        (23, "main", "::count == count"),
        (26, "main", "count == 1"),
        (26, "main", "list == 2⁴⁰"),
        (11, "add", "r == &main::r"),
        (11, "add", "b == r->buf[r->head]"),
        (11, "add", "main::r.count == r[1].count"),
        (12, "depth", "n == depth#2::n + 1"),
        (12, "depth", "\\result >= 0"),
        (26, "main", "depth::\\result >= 0"),
        (26, "main", "((struct node *)(2⁴⁰ + 32))->next == null"),
        (26, "main", "list->next != null"),
    ],
)
def test_what_is_written_is_what_is_read(line: int, function: str, text: str) -> None:
    place = at(line, function)
    term = read_shown(program(), place, text)
    assert shown(term, place) == text
    assert read_shown(program(), place, shown(term, place)) is term


@pytest.mark.parametrize("place", [None, at(22), at(26), at(11, "add"), at(12, "depth")])
def test_no_two_variables_have_one_text(place: Place | None) -> None:
    naming = Naming(program(), place)
    texts = [naming.symbol(symbol) for symbol in program().variables]
    assert len(set(texts)) == len(texts)
    for symbol, text in zip(program().variables, texts, strict=True):
        if symbol.sort is INT:
            assert read_shown(program(), place, f"{text} == 1").symbols() == {symbol}


def test_quantified_conjuncts_are_written_as_acsl_does() -> None:
    a, place = program().arena, at(26)
    k, i = a.symbol("k", INT), next(x for x in program().variables if x.name == "main::i")
    m = next(x for x in program().variables if x.name == "m")
    inside = a.and_(a.le(a.zero, k), a.lt(k, i))
    term = a.forall((k,), a.implies(inside, a.equals(a.select(m, k), a.zero)))
    assert shown(term, at(26)).startswith("\\forall integer k; 0 <= k < i ==> m[0][k] == 0")
    assert read_shown(program(), place, shown(term, place)) is term
    both = a.and_(a.lt(a.zero, a.select(m, k)), a.lt(a.select(m, k), i))
    text = shown(a.forall((k,), a.not_(a.and_(*inside.args, *both.args))), place)
    assert text == "\\forall integer k; 0 <= k < i ==> !(0 < m[0][k] < i)"
    assert shown(read_shown(program(), place, text), place) == text
    some = a.not_(a.forall((k,), a.not_(a.and_(inside, a.equals(a.select(m, k), a.zero)))))
    assert shown(some, place) == "\\exists integer k; 0 <= k < i && m[0][k] == 0"
    assert shown(read_shown(program(), place, shown(some, place)), place) == shown(some, place)


def _random(draw: random.Random, depth: int, reads: list[Term]) -> Term:
    """An integer term over variables and elements of arrays."""
    a = program().arena
    if depth == 0 or draw.random() < 0.3:
        return draw.choice(reads) if draw.random() < 0.7 else a.integer(draw.choice((0, 1, 3, 255, 2**31, 2**32 + 1)))
    one, other = (_random(draw, depth - 1, reads) for _ in range(2))
    match draw.randrange(7):
        case 0:
            return a.add(one, other)
        case 1:
            return a.subtract(one, other)
        case 2:
            return a.multiply(a.integer(draw.randint(-4, 4)), one)
        case 3:
            return a.modulo(one, a.integer(draw.choice((2, 8, 2**32))))
        case 4:
            return a.divide(one, a.integer(draw.choice((2, 7))))
        case 5:
            return a.ite(a.le(one, other), one, a.add(other, a.one))
        case _:
            return one


def _formula(draw: random.Random, depth: int, reads: list[Term]) -> Term:
    a = program().arena
    if depth == 0:
        one, other = (_random(draw, 2, reads) for _ in range(2))
        return draw.choice((a.le, a.lt, a.equals))(one, other)
    parts = [_formula(draw, depth - 1, reads) for _ in range(draw.randint(2, 3))]
    match draw.randrange(4):
        case 0:
            return a.or_(*parts)
        case 1:
            return a.not_(parts[0])
        case 2:
            return a.ite(parts[0], parts[1], parts[-1])
        case _:
            return a.and_(*parts)


@pytest.mark.parametrize("seed", range(4))
def test_the_text_of_any_formula_is_read_as_an_equivalent_one(seed: int) -> None:
    draw, a = random.Random(seed), program().arena
    scalars = [x for x in program().variables if x.sort is INT]
    arrays = [x for x in program().variables if x.sort is not INT]
    place = draw.choice((at(22), at(26), at(11, "add")))
    for _ in range(12):
        addresses = [*scalars, *(a.add(x, a.integer(4)) for x in scalars), a.integer(1 << 20), a.integer(7)]
        reads = [*scalars, *(a.select(array, draw.choice(addresses)) for array in arrays)]
        term = _formula(draw, 2, reads)
        again = read_shown(program(), place, shown(term, place))
        for _ in range(4):
            state = {x: _some_value(draw, x) for x in program().variables}
            assert evaluate(term, state) == evaluate(again, state), shown(term, place)


def _some_value(draw: random.Random, symbol: Term) -> Value:
    low, high = bounds_in(program(), symbol) or (0, 1 << 41)
    value = draw.choice((low, high, max(low, min(high, draw.randint(-3, 9)))))
    return value if symbol.sort is INT else ArrayValue(value)


def test_arrays_as_a_whole_can_be_read_again() -> None:
    a, place = program().arena, at(26)
    m = next(x for x in program().variables if x.name == "m")
    i = next(x for x in program().variables if x.name == "main::i")
    changed = a.ite(a.le(i, a.zero), a.store(m, i, a.integer(4)), m)
    term = a.equals(a.select(changed, a.integer(2)), a.zero)
    assert any(t.op is Op.STORE for t in (changed.args[1],))
    assert read_shown(program(), place, shown(term, place)) is term


@pytest.mark.parametrize(("name", "shown"), [("strlen!1", "strlen"), ("print...2", "print"), ("main", "main")])
def test_copies_of_a_function_have_its_name(name: str, shown: str) -> None:
    assert source_function(name) == shown
