"""Texts for people have no word that only the inside of the program knows, whichever engine ran."""

from pathlib import Path

import pytest

from methods.registry import ENGINES
from runs.runfile import open_run
from tests.support.people import internal_words, texts_of
from tests.support.prepared import command as main

ROOT = Path(__file__).parents[4]
HEAD = """#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
"""
POINTERS = """struct op { int (*run)(int); void *data; const char *name; };
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
int g[4];
static int rec(int n, int *out)
{
    int here = n;
    if (n > 0) {
        int r = rec(n - 1, &here);
        *out = here;
        return r;
    }
    *out = 7;
    return n;
}
int main(void)
{
    struct op o = {inc, 0, "abc"};
    int k = __VERIFIER_nondet_int(), v = 0, *q = &g[2], **pp = &q;
    if (k > 3) {
        o.run = dec;
        o.data = &g[1];
    }
    rec(2, &v);
    struct op *h = malloc(sizeof *h);
    h->data = g + 4;
    h->run = o.run;
    h->name = o.name;
    if (h->run(k) == 9 && *pp == q && v != 3)
        reach_error();
    return 0;
}
"""
LIST = """struct node { int v; struct node *next; };
int main(void)
{
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *one = malloc(sizeof *one);
        one->v = 1;
        one->next = head;
        head = one;
    }
    for (struct node *at = head; at; at = at->next)
        if (at->v != 1)
            reach_error();
    while (head) {
        struct node *rest = head->next;
        free(head);
        head = rest;
    }
    return 0;
}
"""
COPIES = """int main(void)
{
    char a[8] = "ab", *b = malloc(4);
    memcpy(b, a, 3);
    char *c = realloc(b, 16);
    if (strlen(c) == 2 && c[1] == 'b' && __VERIFIER_nondet_int() == 5)
        c[20] = 1;
    free(c);
    return 0;
}
"""
LIBRARY = """#include <stdio.h>
int main(void)
{
    char text[] = "a,b", line[8];
    int n = 0;
    for (char *p = strtok(text, ","); p; p = strtok(0, ","))
        n++;
    snprintf(line, sizeof line, "%d", n);
    if (fgets(line, sizeof line, stdin) && getenv("HOME") && line[0] == 'x')
        reach_error();
    return 0;
}
"""
STARTED = """struct node { int v; struct node *next; };
int sum(const struct node *list, int *count, const char *name)
{
    int s = 0;
    for (const struct node *at = list; at; at = at->next)
        s += at->v & 7;
    if (count && name && name[0] == 'x')
        *count = s;
    if (s < 0)
        reach_error();
    return s;
}
"""
PROGRAMS = {
    "pointers": (POINTERS, ("--property", "unreach-call")),
    "list": (LIST, ("--property", "unreach-call")),
    "list memory": (LIST, ("--property", "valid-deref,valid-free,valid-memcleanup")),
    "wrong list memory": (LIST.replace("struct node *rest = head->next;\n        free(head);", "free(head);").replace(
        "head = rest", "head = head->next"), ("--check", "null,dangling")),
    "copies": (COPIES, ("--check", "null,dangling,overlap")),
    "library": (LIBRARY, ("--property", "unreach-call")),
    "started": (STARTED, ("--property", "unreach-call", "--entry", "sum")),
}  # fmt: skip


def words_of(file: Path, *options: str) -> list[tuple[str, str, str]]:
    """The internal words in all texts of a run, with where they are shown and the texts."""
    run = file.with_suffix(".interplay")
    main(["verify", str(file), "--quiet", "--no-native-replay", *options, "--output", str(run)])
    found = texts_of(open_run(run), file.parent)
    return [(where, word, text[:300]) for where, text in found for word in internal_words(text)]


def check(name: str, engine: str, folder: Path) -> None:
    text, options = PROGRAMS[name]
    file = folder / "program.c"
    file.write_text(HEAD + text)
    assert words_of(file, *options, "--engine", engine, "--time-limit", "4") == []


FEW = [
    ("pointers", "concrete"),
    ("pointers", "transition"),
    ("list memory", "pdr"),
    ("wrong list memory", "bmc"),
    ("copies", "bmc"),
    ("library", "concrete"),
    ("started", "transition"),
]


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.parametrize(("name", "engine"), FEW)
def test_no_text_has_an_internal_word(name: str, engine: str, tmp_path: Path) -> None:
    check(name, engine, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [*ENGINES, "portfolio"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_text_of_any_engine_has_an_internal_word(name: str, engine: str, tmp_path: Path) -> None:
    check(name, engine, tmp_path)


def test_internal_words_are_seen() -> None:
    shown = (
        r"\symbol(memory.sizes)[x / 2⁸⁰] == 12 && \heap > 0 && \forall integer k; \reach(n, x, k) && x == 1099511627776"
    )
    assert internal_words(shown) == ["\\symbol", "memory.sizes", "2⁸⁰", "\\heap", "1099511627776"]
    assert not internal_words("p == null && q == &a[3] && f::x == \\old(x) && r == #3 + 4 && 18446744073709551615")
