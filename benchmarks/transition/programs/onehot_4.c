/* A station hands on its token, or keeps it: there is always one.
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
    a = 1;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            _Bool last = d;
            d = c;
            c = b;
            b = a;
            a = last;
        }
        if (a + b + c + d != 1)
            reach_error();
    }
}
