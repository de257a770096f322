/* A counter of three bits whose carry only sets the highest one; after five it goes back to zero, but not always.
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
            if (high && !mid && low && __VERIFIER_nondet_bool()) {
                high = 0;
                low = 0;
            } else {
                if (low) {
                    if (mid)
                        high = 1;
                    mid = !mid;
                }
                low = !low;
            }
        }
        if (high && mid)
            reach_error();
    }
}
