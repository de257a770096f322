/* A Gray code of three bits: each step changes one of them.
 * predicate: a == 1
 * predicate: b == 1
 * predicate: c == 1
 * predicate: p == 1
 * predicate: q == 1
 * predicate: r == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool a, b, c, p, q, r;

int main(void)
{
    while (1) {
        p = a;
        q = b;
        r = c;
        if (!p && !q && !r) a = 1;
        else if (p && !q && !r) b = 1;
        else if (p && q && !r) a = 0;
        else if (!p && q && !r) c = 1;
        else if (!p && q && r) a = 1;
        else if (p && q && r) b = 0;
        else if (p && !q && r) a = 0;
        else c = 0;
        if ((a != p) + (b != q) + (c != r) != 1)
            reach_error();
    }
}
