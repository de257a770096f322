/* Two elements are exchanged, also where they are the same.
 * predicate: a[x] == p
 * predicate: a[x] == q
 * predicate: a[y] == p
 * predicate: a[y] == q
 * predicate: t == p
 * predicate: x == y
 * predicate: p == q
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), p, q, t;
    if (x < 0 || x >= 100 || y < 0 || y >= 100)
        return 0;
    p = a[x];
    q = a[y];
    t = a[x];
    a[x] = a[y];
    a[y] = t;
    if (a[x] != q || a[y] != p)
        reach_error();
    return 0;
}
