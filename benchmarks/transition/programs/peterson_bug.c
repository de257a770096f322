/* Peterson's algorithm, but the first process gives the turn to itself.
 * predicate: first == 0
 * predicate: first == 1
 * predicate: first == 2
 * predicate: first == 3
 * predicate: second == 0
 * predicate: second == 1
 * predicate: second == 2
 * predicate: second == 3
 * predicate: wants_first == 1
 * predicate: wants_second == 1
 * predicate: turn == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool wants_first, wants_second, turn;
int first, second;

int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (first == 0) {
                wants_first = 1;
                first = 1;
            } else if (first == 1) {
                turn = 0;
                first = 2;
            } else if (first == 2) {
                if (!wants_second || turn == 0)
                    first = 3;
            } else {
                wants_first = 0;
                first = 0;
            }
        } else {
            if (second == 0) {
                wants_second = 1;
                second = 1;
            } else if (second == 1) {
                turn = 0;
                second = 2;
            } else if (second == 2) {
                if (!wants_first || turn == 1)
                    second = 3;
            } else {
                wants_second = 0;
                second = 0;
            }
        }
        if (first == 3 && second == 3)
            reach_error();
    }
}
