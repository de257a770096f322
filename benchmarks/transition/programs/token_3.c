/* A token goes round 3 stations; only the one whose turn it is has it.
 * predicate: token[0] == 1
 * predicate: token[1] == 1
 * predicate: token[2] == 1
 * predicate: turn == 0
 * predicate: turn == 1
 * predicate: turn == 2
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int token[3];

int main(void)
{
    int turn = 0;
    token[0] = 1;
    while (__VERIFIER_nondet_int()) {
        if (turn == 0) {
            token[0] = 0;
            token[1] = 1;
            turn = 1;
        } else if (turn == 1) {
            token[1] = 0;
            token[2] = 1;
            turn = 2;
        } else if (turn == 2) {
            token[2] = 0;
            token[0] = 1;
            turn = 0;
        }
        if (turn == 0 && token[2] == 1)
            reach_error();
        if (turn == 2 && token[0] == 1)
            reach_error();
    }
    return 0;
}
