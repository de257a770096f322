/* An arbiter of two requests remembers whom it has served last: never are both served.
 * predicate: first == 1
 * predicate: second == 1
 * predicate: last == 1
 * predicate: asked_first == 1
 * predicate: asked_second == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool first, second, last, asked_first, asked_second;

int main(void)
{
    while (1) {
        asked_first = __VERIFIER_nondet_bool();
        asked_second = __VERIFIER_nondet_bool();
        if (first && !asked_first)
            first = 0;
        if (second && !asked_second)
            second = 0;
        if (!first && !second) {
            if (asked_first && (!asked_second || last)) {
                first = 1;
                last = 0;
            } else if (asked_second) {
                second = 1;
                last = 1;
            }
        }
        if ((first && second) || (first && last))
            reach_error();
    }
}
