"""Generators of recursive programs of any size, right and wrong ones: procedures that others unfold.

The programs are our own. Each right one is true for every execution; each wrong one has an execution that fails.
"""

from __future__ import annotations

from benchmarks.eureka.programs import HEAD, Contents, Family, Variant, quicksort


def ackermann(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """Ackermann's function up to (3, n) is not negative; the wrong one claims that it exceeds 2n + 3 from 2 on."""
    claim = "r >= 0" if variant is Variant.RIGHT else "m < 2 || r > 2 * n + 3"
    return f"""{HEAD}int ackermann(int m, int n) {{
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}}
int main(void) {{
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || m > 3 || n < 0 || n > {n}) return 0;
  int r = ackermann(m, n);
  __VERIFIER_assert({claim});
  return 0;
}}
"""


def hanoi(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """The Towers of Hanoi take 2^n - 1 moves, for all heights up to n; the wrong one forgets the move between."""
    move = "moves++;" if variant is Variant.RIGHT else "if (n < 2) moves++;"
    return f"""{HEAD}unsigned moves;
void hanoi(int n, int from, int to, int by) {{
  if (n == 0) return;
  hanoi(n - 1, from, by, to); {move} hanoi(n - 1, by, to, from);
}}
unsigned power(int n) {{ return n == 0 ? 1u : 2u * power(n - 1); }}
int main(void) {{
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > {n}) return 0;
  hanoi(n, 1, 3, 2);
  __VERIFIER_assert(moves + 1 == power(n));
  return 0;
}}
"""


def mutual(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """Two functions that call each other tell whether a number up to n is even; the wrong one is so of odd ones."""
    odd = 0 if variant is Variant.RIGHT else 1
    return f"""{HEAD}int odd(int n);
int even(int n) {{ return n == 0 ? 1 : odd(n - 1); }}
int odd(int n) {{ return n == 0 ? {odd} : even(n - 1); }}
int main(void) {{
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > {n}) return 0;
  __VERIFIER_assert(!(even(n) && odd(n)));
  return 0;
}}
"""


def binary_search(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """Binary search in any array stays inside of it; the wrong one looks behind the end."""
    last = n - 1 if variant is Variant.RIGHT else n
    return f"""{HEAD}int a[{n}];
int search(int low, int high, int x) {{
  int middle;
  if (low > high) return -1;
  middle = (low + high) / 2;
  __VERIFIER_assert(0 <= middle && middle < {n});
  if (a[middle] == x) return middle;
  return a[middle] < x ? search(middle + 1, high, x) : search(low, middle - 1, x);
}}
int main(void) {{
  for (int i = 0; i < {n}; i++) a[i] = __VERIFIER_nondet_int();
  search(0, {last}, __VERIFIER_nondet_int());
  return 0;
}}
"""


def merge_sort(n: int, variant: Variant, _: Contents = Contents.ANY) -> str:
    """Merge sort; the wrong one takes the larger of two heads first."""
    order = "<=" if variant is Variant.RIGHT else ">"
    return f"""{HEAD}int a[{n}], b[{n}];
void sort(int low, int high) {{
  int middle, i, j, k;
  if (low >= high) return;
  middle = (low + high) / 2;
  sort(low, middle); sort(middle + 1, high);
  i = low; j = middle + 1;
  for (k = low; k <= high; k++) {{
    if (j > high || (i <= middle && a[i] {order} a[j])) {{ b[k] = a[i]; i++; }} else {{ b[k] = a[j]; j++; }}
  }}
  for (k = low; k <= high; k++) a[k] = b[k];
}}
int main(void) {{
  int i;
  for (i = 0; i < {n}; i++) a[i] = __VERIFIER_nondet_int();
  sort(0, {n - 1});
  for (i = 0; i < {n - 1}; i++) __VERIFIER_assert(a[i] <= a[i+1]);
  return 0;
}}
"""


RECURSIVE = {
    "Ackermann": Family(ackermann, None, (4, 8, 16, 23)),
    "Towers of Hanoi": Family(hanoi, None, (4, 8, 16, 31)),
    "mutual recursion": Family(mutual, None, (5, 10, 20, 50)),
    "binary search": Family(binary_search, None, (4, 8, 16, 32)),
    "quicksort": Family(quicksort, None, (3, 4, 5)),
    "merge sort": Family(merge_sort, None, (2, 3, 4)),
}
