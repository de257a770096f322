/* A shift register of four bits with feedback: what begins with a one is never zero.
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
        _Bool first = c != d;
        d = c;
        c = b;
        b = a;
        a = first;
        if (!a && !b && !c && !d)
            reach_error();
    }
}
