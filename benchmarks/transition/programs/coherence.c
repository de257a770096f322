/* Two caches hold a line as invalid (0), shared (1) or modified (2): who writes invalidates the other.
 * predicate: left == 0
 * predicate: left == 1
 * predicate: left == 2
 * predicate: right == 0
 * predicate: right == 1
 * predicate: right == 2
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int left, right;

int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (__VERIFIER_nondet_bool()) {
                left = 2;
                right = 0;
            } else if (left == 0) {
                if (right == 2)
                    right = 1;
                left = 1;
            }
        } else {
            if (__VERIFIER_nondet_bool()) {
                right = 2;
                left = 0;
            } else if (right == 0) {
                if (left == 2)
                    left = 1;
                right = 1;
            }
        }
        if (left == 2 && right != 0 || right == 2 && left != 0)
            reach_error();
    }
}
