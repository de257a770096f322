"""ACSL with quantifiers: what annotations claim of all elements is a check, and a candidate of the engine `acsar`."""

from pathlib import Path

import pytest

from core.terms import INT, INT_ARRAY, Arena
from methods.discovery.horn import Application, HornSystem, Rule
from methods.engines.acsar.templates import claims
from tests.support import prepared

BINARY_SEARCH = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[1000];
    /*@ loop invariant 0 <= i <= n;
        loop invariant \\forall integer j; 0 <= j < i ==> a[j] == 2 * j; */
    for (int i = 0; i < n; i++) a[i] = 2 * i;
    int lo = 0, hi = n - 1;
    /*@ loop invariant 0 <= lo && hi < n;
        loop invariant \\forall integer k; 0 <= k < lo ==> a[k] < v;
        loop invariant \\forall integer k; hi < k < n ==> a[k] > v; */
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == v) return mid;
        if (a[mid] < v) lo = mid + 1; else hi = mid - 1;
    }
    //@ assert \\forall integer k; 0 <= k < n ==> a[k] != v;
    return 0;
}
"""

FLAG = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[1000];
    /*@ loop invariant 0 <= i <= n;
        loop invariant \\forall integer k; 0 <= k < i ==> a[k] == 0 || a[k] == 1 || a[k] == 2; */
    for (int i = 0; i < n; i++) { int x = __VERIFIER_nondet_int(); a[i] = x < 0 ? 0 : x > 0 ? 2 : 1; }
    int b = 0, i = 0, r = n;
    /*@ loop invariant 0 <= b <= i <= r <= n;
        loop invariant \\forall integer k; 0 <= k < n ==> a[k] == 0 || a[k] == 1 || a[k] == 2;
        loop invariant \\forall integer k; 0 <= k < b ==> a[k] == 0;
        loop invariant \\forall integer k; b <= k < i ==> a[k] == 1;
        loop invariant \\forall integer k; r <= k < n ==> a[k] == 2; */
    while (i < r) {
        if (a[i] == 0) { int t = a[b]; a[b] = 0; a[i] = t; b++; i++; }
        else if (a[i] == 2) { r--; int t = a[r]; a[r] = 2; a[i] = t; }
        else i++;
    }
    //@ assert \\forall integer k; 0 <= k < b ==> a[k] == 0;
    //@ assert \\forall integer k; r <= k < n ==> a[k] == 2;
    return 0;
}
"""

SORTED = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[1000];
    /*@ loop invariant 0 <= i <= n;
        loop invariant \\forall integer k, l; 0 <= k < l < i ==> a[k] <= a[l]; */
    for (int i = 0; i < n; i++) a[i] = 3 * i;
    //@ assert \\forall integer k, l; 0 <= k < l < n ==> a[k] <= a[l];
    return 0;
}
"""

PROGRAMS = {"binary search": BINARY_SEARCH, "three parts": FLAG, "two indices": SORTED}
WRONG = {
    "binary search": ("hi = mid - 1;\n    }\n", "hi = mid - 2;\n    }\n"),
    "three parts": ("a[i] = t; b++; i++;", "a[i] = t; i++; b += 2;"),
    "two indices": ("a[i] = 3 * i;", "a[i] = 3 * i - 5 * (i % 2);"),
}

SOME = [pytest.param(name, marks=[] if name == "two indices" else [pytest.mark.slow]) for name in PROGRAMS]


def verdict_of(text: str, tmp_path: Path) -> str:
    file = tmp_path / "annotated.c"
    file.write_text(text)
    return prepared.verify(file, time_limit=120).status


@pytest.mark.long
@pytest.mark.parametrize("name", SOME)
def test_what_annotations_claim_is_proved(name: str, tmp_path: Path) -> None:
    assert verdict_of(PROGRAMS[name], tmp_path) == "true"


@pytest.mark.long
@pytest.mark.parametrize("name", SOME)
def test_wrong_twins_are_refuted(name: str, tmp_path: Path) -> None:
    right, wrong = WRONG[name]
    assert right in PROGRAMS[name]
    assert verdict_of(PROGRAMS[name].replace(right, wrong), tmp_path) == "false"


def test_a_claim_is_told_from_those_that_pass_before_it() -> None:
    arena = Arena()
    i, n = arena.symbol("i", INT), arena.symbol("n", INT)
    array = arena.symbol("a", INT_ARRAY)
    first, second, k = (arena.symbol(name, INT) for name in ("first", "second", "k"))
    passes = arena.implies(arena.le(first, i), arena.equals(arena.select(array, first), arena.zero))
    fails = arena.and_(arena.lt(second, i), arena.lt(arena.select(array, second), arena.one))
    rule = Rule((Application(0, (i, n, array)),), arena.and_(arena.le(n, i), passes, fails), None)
    system = HornSystem(((i, n, array),), (rule,))
    found = claims(arena, system, system.rules, lambda _: None)
    parts = arena.le(n, i), arena.lt(k, i), arena.lt(arena.select(array, k), arena.one)
    wanted = arena.or_(*map(arena.not_, parts))
    visible = frozenset((i, n, array))
    assert wanted in list(found.at(visible, (k,)))
    assert not list(found.at(visible, (k, n)))
    assert not list(found.at(visible - {n}, (k,)))
