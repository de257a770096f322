/* A counter of three bits that goes from five back to zero: it is never six or seven.
 * predicate: high == 1
 * predicate: mid == 1
 * predicate: low == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool high, mid, low;

int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (high && !mid && low) {
                high = 0;
                low = 0;
            } else {
                if (low) {
                    if (mid)
                        high = !high;
                    mid = !mid;
                }
                low = !low;
            }
        }
        if (high && mid)
            reach_error();
    }
}
