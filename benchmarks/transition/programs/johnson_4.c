/* A Johnson counter of four stages: no two ones are apart.
 * predicate: a == 1
 * predicate: b == 1
 * predicate: c == 1
 * predicate: d == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool a, b, c, d;

int main(void)
{
    while (1) {
        _Bool first = !d;
        d = c;
        c = b;
        b = a;
        a = first;
        if (a && !b && c)
            reach_error();
    }
}
