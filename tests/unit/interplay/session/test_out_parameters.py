"""Calls of undefined functions that write through their arguments: what they write is an input, which a replay repeats.

Each wrong program has a twin that holds whatever the function writes.
"""

from pathlib import Path

import pytest

from interplay.api import RunVerdict
from tests.support import prepared

HEAD = """#include <assert.h>
#include <stdlib.h>
struct item { int key; short size; unsigned char tag[4]; };
struct node { int value; struct node *next; };
extern int get(int *out);
extern int fill(int *a, int n);
extern int receive(struct item *out);
extern void wide(double d, float f, short s, long long *out);
extern char *text(char *buffer, int n);
extern int look(const int *p);
extern int open_it(int **out);
extern void update(struct node *n);
struct transfer { const char *sent; char *received; int size; void (*done)(void); };
struct bus { int id; struct transfer *now; };
extern int run(const struct transfer *t);
extern int drive(struct bus *b);
int global = 3;
"""

WRONG = {
    "a number": "int v = 0; if (get(&v)) return 0; assert(v < 4096);",
    "a global object": "get(&global); assert(global == 3);",
    "an element, and one before it": "int a[4] = {1, 2, 3, 4}; fill(a + 2, 2); assert(a[0] != 41 || a[3] != 42);",
    "members": "struct item m = {0}; receive(&m); assert(!(m.key == 3 && m.size == -2 && m.tag[2] == 200));",
    "only a member": "struct item m = {1, 2}; get(&m.key); assert(m.key == 1);",
    "one of several arguments": "long long w = 0; wide(1.5, 2.5f, 3, &w); assert(w != 0x123456789abcLL);",
    "each call": "int v = 0, sum = 0; for (int i = 0; i < 3; i++) { get(&v); if (v < 0 || v > 10) return 0; sum += v; }"
    " assert(sum != 29);",
    "memory from malloc": "int *p = malloc(8); p[1] = 4; get(p); assert(p[1] == 4);",
    "what is returned leads to it": "char b[4] = {0}; char *r = text(b, 4); if (r != b) return 0; assert(b[1] != 'z');",
    "a pointer": "int v = 1, *p = &v; open_it(&p); if (p) assert(*p == 1);",
    "behind a pointer": "struct node b = {2}, a = {1, &b}; update(&a); if (a.next == &b) assert(b.value == 2);",
    "a pointer to what was given": "struct node b = {2}, a = {1, &b}; update(&a); assert(a.next != &a);",
    "behind a pointer of an initialiser": "char s[4] = {0}, r[4] = {0};"
    " struct transfer t = {s, r, 4}; run(&t); assert(r[1] != 7);",
    "behind a pointer that is assigned": "char r[4] = {0}; struct transfer t; t.sent = 0; t.done = 0; t.size = 4;"
    " t.received = r; run(&t); assert(r[1] != 7 || r[3] != -2);",
    "behind two pointers": "char r[4] = {0}; struct transfer t = {0, r, 4}; struct bus b = {1, &t}; drive(&b);"
    " assert(r[2] != 9);",
    "behind a pointer to an allocated object": "char *r = malloc(4); if (!r) return 0; r[1] = 0;"
    " struct transfer t = {0, r, 4}; run(&t); assert(r[1] != 7);",
    "through a pointer to the function": "int v = 0; int (*f)(int *) = get; f(&v); assert(v != 5);",
}
RIGHT = {
    "a number": "int v = 0; if (get(&v) || v >= 4096) return 0; assert(v < 4096);",
    "another global object": "int v; get(&v); assert(global == 3);",
    "members": "struct item m = {0}; receive(&m); assert(m.size >= -32768 && m.tag[1] <= 255);",
    "each call": "int v = 0, sum = 0; for (int i = 0; i < 3; i++) { get(&v); if (v < 0 || v > 10) return 0; sum += v; }"
    " assert(sum <= 30);",
    "behind the pointers of another": "char r[4] = {0}, s[4] = {0}; struct transfer t = {0, r, 4}, u = {0, s, 4};"
    " run(&t); assert(s[1] == 0); run(&u);",
    "a parameter to const": "int v = 1; look(&v); assert(v == 1);",
}


def verify(tmp_path: Path, body: str) -> RunVerdict:
    file = tmp_path / "t.c"
    file.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    return prepared.verify(str(file), time_limit=60)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_what_is_written_is_replayed(name: str, tmp_path: Path) -> None:
    result = verify(tmp_path, WRONG[name])
    assert result.status == "false", result.reason
    is_native = "native replay (gcc" in (result.confirmed_by or "")
    assert is_native or name == "through a pointer to the function"


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize("name", RIGHT)
def test_what_holds_whatever_is_written(name: str, tmp_path: Path) -> None:
    result = verify(tmp_path, RIGHT[name])
    assert result.status == "true", result.reason


@pytest.mark.long
def test_a_function_that_is_given_a_member_does_not_write_others_in_a_replay(tmp_path: Path) -> None:
    """Whether it may is no matter of C alone, so neither answer is given."""
    result = verify(tmp_path, "struct item m = {1, 2}; get(&m.key); assert(m.size == 2);")
    assert result.status == "unknown"


@pytest.mark.long
def test_what_the_library_writes_is_not_made_up(tmp_path: Path) -> None:
    body = "char b[8] = {0}; gcvt(1.0, 3, b); assert(b[0] != 'x');"
    assert verify(tmp_path, body).status == "unknown"


@pytest.mark.long
def test_const_is_named(tmp_path: Path) -> None:
    result = verify(tmp_path, RIGHT["a parameter to const"])
    assert any("do not write through parameters that lead to what is const" in one for one in result.assumptions)
