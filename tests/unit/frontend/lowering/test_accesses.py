"""Accesses without an order: those whose types or members differ are to different objects; of others it is assumed."""

from __future__ import annotations

import pytest

from core.program import Program
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.lowering.accesses import UNORDERED
from frontend.lowering.context import UNSEQUENCED
from frontend.typed.ctype import DataModel

_TEXT = """
struct b { unsigned char *text; unsigned used, size; }; struct c { unsigned limit; union { int i; short h; } u; };
union w { struct b b; struct c c; unsigned char bytes[16]; int numbers[4]; };
extern void *calloc(unsigned, unsigned); extern unsigned __VERIFIER_nondet_uint(void);
unsigned char *text_of(struct b *x) { return x->text; } int first_of(unsigned char *x) { return *x; }
int used_of(struct b *x) { return x->used; }
int main(void) {
  union w *w = calloc(1, sizeof *w); struct b *b = &w->b; struct c *c = &w->c; unsigned char *t = w->bytes;
  int *p = w->numbers, *q = p + __VERIFIER_nondet_uint() % 4; b->text = t;
  BODY;
  return 0;
}
"""


def program(body: str) -> Program:
    return lower(parse_program(_TEXT.replace("BODY", body), "t.c", DataModel.ILP32), UnreachCall())


@pytest.mark.parametrize(
    "body",
    [
        "b->text[b->used++] = 1",  # a character and a number
        "t[b->used++] = 1",
        "if (++b->used > c->limit) return 1",  # members of two structs
        "b->size = b->used++",
        "*t += b->used++",
        "*(text_of(b) + c->limit++) = 1",  # a pointer that a call reads
    ],
)
def test_accesses_of_other_types_or_members_have_no_order(body: str) -> None:
    assert UNORDERED in program(body).assumptions


@pytest.mark.parametrize(
    "body",
    [
        "*p = (*q)++",  # maybe one object
        "p[*q] = p[0]++ + *q",
        "*p = b->used++",  # the member of a struct is a number, too
        "b->used = b->used++",
        "c->u.i = c->u.h++",  # members of a union
        "*t += t[1]++",
        "*p = first_of(t) + b->used++",  # a call may read what is changed as characters
        "*p = used_of(b) + b->used++",
    ],
)
def test_accesses_that_may_be_to_one_object_are_assumed_to_be_to_two(body: str) -> None:
    of = program(body)
    assert of.orders.conflicts
    assert UNSEQUENCED in of.assumptions


def test_nothing_is_assumed_where_the_order_is_that_of_variables() -> None:
    assert UNORDERED not in program("int i = 0, a[3]; a[i++] = 1").assumptions
