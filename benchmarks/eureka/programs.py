"""Generators of the five families, and of quicksort with recursion.

A. Armando, M. Benerecetti, J. Mantovani, "Abstraction refinement of linear programs with arrays", TACAS 2007, section 7
names the algorithms; the programs are our own. Each has a wrong variant, which violates its property.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

HEAD = """extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void __VERIFIER_assert(int c) { if (!c) reach_error(); }
"""
_SWAP = "{ t = a[%s]; a[%s] = a[%s]; a[%s] = t; }"


class Variant(StrEnum):
    """The variants of a program."""

    RIGHT = "right"
    WRONG = "wrong"


class Contents(StrEnum):
    """The contents of the array that is sorted."""

    ANY = "any"
    DESCENDING = "descending"
    LAST = "last"  # all alike but the last, which is smaller


_ELEMENTS = {
    Contents.ANY: "__VERIFIER_nondet_int()",
    Contents.DESCENDING: "{n} - i",
    Contents.LAST: "i == {n} - 1 ? 0 : 1",
}


def _main(n: int, before: str, body: str, contents: Contents, variables: str) -> str:
    fill = f"for (i = 0; i < {n}; i++) a[i] = {_ELEMENTS[contents].format(n=n)};"
    check = f"for (i = 0; i < {n - 1}; i++) __VERIFIER_assert(a[i] <= a[i+1]);"
    return f"{HEAD}{before}int main(void) {{\n  int {variables};\n  {fill}\n  {body}\n  {check}\n  return 0;\n}}\n"


def _swapped(x: str, y: str) -> str:
    return _SWAP % (x, x, y, y)


def string_copy(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """Copies a string that ends with the array; the wrong one need not end there."""
    ends = f"src[{n - 1}] = 0; " if variant is Variant.RIGHT else ""
    return f"""{HEAD}int main(void) {{
  char src[{n}], dst[{n}]; int i = 0;
  {ends}while (src[i] != 0) {{ dst[i] = src[i]; i++; __VERIFIER_assert(i < {n}); }}
  dst[i] = 0;
  return 0;
}}
"""


def partition(n: int, variant: Variant, contents: Contents = Contents.ANY) -> str:
    """The partitioning of quicksort: scans that the pivot at the end stops; the wrong one leaves the array below."""
    fill, last = _ELEMENTS[contents].format(n=n), n - 1
    left = "i" if variant is Variant.RIGHT else f"i - {n + 1}"
    return f"""{HEAD}int main(void) {{
  int a[{n}], i, j = {last}, v, t;
  for (i = 0; i < {n}; i++) a[i] = {fill};
  v = a[{last}]; i = 0;
  for (;;) {{
    __VERIFIER_assert(i <= {last});
    while (a[i] < v) {{ i++; __VERIFIER_assert(i <= {last}); }}
    j--;
    while (j > {left} && a[j] > v) {{ j--; __VERIFIER_assert(j >= 0); }}
    if (i >= j) break;
    {_swapped("i", "j")} i++;
  }}
  return 0;
}}
"""


def gray_code(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """The first `n` steps of the Gray code of six digits in base 3; the wrong one claims that digits only grow."""
    close = "-1 <= d && d <= 1 && d != 0" if variant is Variant.RIGHT else "d == 1"
    return f"""{HEAD}int main(void) {{
  int g[7], u[7], n[7], o[7], i, j, c, d;
  for (i = 0; i <= 6; i++) {{ g[i] = 0; u[i] = 1; n[i] = 3; }}
  for (c = 0; c < {n}; c++) {{
    for (i = 0; i <= 6; i++) o[i] = g[i];
    i = 0; j = g[0] + u[0];
    while (j >= n[i] || j < 0) {{ u[i] = -u[i]; i++; __VERIFIER_assert(i <= 6); j = g[i] + u[i]; }}
    g[i] = j; d = g[i] - o[i];
    __VERIFIER_assert({close});
  }}
  return 0;
}}
"""


def bubble_sort(n: int, variant: Variant, contents: Contents = Contents.ANY) -> str:
    """Bubble sort; the wrong one leaves out the last comparison of each round."""
    end = "i" if variant is Variant.RIGHT else "i - 1"
    inner = f"for (j = 0; j < {end}; j++) if (a[j] > a[j+1]) {_swapped('j', 'j+1')}"
    return _main(n, "", f"for (i = {n - 1}; i > 0; i--) {inner}", contents, f"a[{n}], i, j, t")


def selection_sort(n: int, variant: Variant, contents: Contents = Contents.ANY) -> str:
    """Selection sort; the wrong one does not search the last element."""
    end = n if variant is Variant.RIGHT else n - 1
    search = f"m = i; for (j = i + 1; j < {end}; j++) if (a[j] < a[m]) m = j;"
    body = f"for (i = 0; i < {n - 1}; i++) {{ {search} {_swapped('i', 'm')} }}"
    return _main(n, "", body, contents, f"a[{n}], i, j, m, t")


def quicksort(n: int, variant: Variant, contents: Contents = Contents.ANY) -> str:
    """Quicksort with recursion; the wrong one partitions without the element before the pivot."""
    end = "hi" if variant is Variant.RIGHT else "hi - 1"
    procedure = f"""int a[{n}];
void quicksort(int lo, int hi) {{
  int i, j, v, t;
  if (lo >= hi) return;
  v = a[hi]; i = lo;
  for (j = lo; j < {end}; j++) if (a[j] < v) {{ {_swapped("i", "j")} i++; }}
  {_swapped("i", "hi")}
  quicksort(lo, i - 1); quicksort(i + 1, hi);
}}
"""
    return _main(n, procedure, f"quicksort(0, {n - 1});", contents, "i")


def procedures(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """A chain of `n` procedures, each of which calls the next one twice; the last counts to n, the wrong one beyond."""
    compare = "<" if variant is Variant.RIGHT else "<="
    chain = "\n".join(f"void f{k}(int i) {{ f{k - 1}(i); f{k - 1}(i); }}" for k in range(1, n))
    return f"""{HEAD}int a[4];
void f0(int i) {{ if (a[i] {compare} {n}) a[i]++; }}
{chain}
int main(void) {{
  f{n - 1}(1); f{n - 1}(2); f{n - 1}(1); f{n - 1}(2);
  __VERIFIER_assert(a[1] <= {n} && a[2] >= 0);
  return 0;
}}
"""


@dataclass(frozen=True)
class Family:
    """Programs by size: the paper's size with its time in seconds, and the sizes of the curve."""

    text: Callable[[int, Variant, Contents], str]
    paper: tuple[int, float] | None
    sizes: tuple[int, ...]


FAMILIES: Mapping[str, Family] = {
    "string copy": Family(string_copy, (1000, 153.78), (1000, 2000, 4000, 7000, 10_000)),
    "partition": Family(partition, (40, 178.02), (40, 80, 160, 280, 400)),
    "Gray code": Family(gray_code, (25, 230.26), (25, 50, 100, 175, 250)),
    "bubble sort": Family(bubble_sort, (8, 91.92), (8, 12, 16, 24, 32)),
    "selection sort": Family(selection_sort, (6, 104.42), (6, 12, 16, 24, 32)),
    "procedures": Family(procedures, None, (4, 8, 16, 32, 64)),
    "quicksort": Family(quicksort, None, (3, 4, 5)),
}
