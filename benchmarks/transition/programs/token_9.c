/* A token goes round 9 stations; only the one whose turn it is has it.
 * predicate: token[0] == 1
 * predicate: token[1] == 1
 * predicate: token[2] == 1
 * predicate: token[3] == 1
 * predicate: token[4] == 1
 * predicate: token[5] == 1
 * predicate: token[6] == 1
 * predicate: token[7] == 1
 * predicate: token[8] == 1
 * predicate: turn == 0
 * predicate: turn == 1
 * predicate: turn == 2
 * predicate: turn == 3
 * predicate: turn == 4
 * predicate: turn == 5
 * predicate: turn == 6
 * predicate: turn == 7
 * predicate: turn == 8
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int token[9];

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
            token[3] = 1;
            turn = 3;
        } else if (turn == 3) {
            token[3] = 0;
            token[4] = 1;
            turn = 4;
        } else if (turn == 4) {
            token[4] = 0;
            token[5] = 1;
            turn = 5;
        } else if (turn == 5) {
            token[5] = 0;
            token[6] = 1;
            turn = 6;
        } else if (turn == 6) {
            token[6] = 0;
            token[7] = 1;
            turn = 7;
        } else if (turn == 7) {
            token[7] = 0;
            token[8] = 1;
            turn = 8;
        } else if (turn == 8) {
            token[8] = 0;
            token[0] = 1;
            turn = 0;
        }
        if (turn == 0 && token[8] == 1)
            reach_error();
        if (turn == 8 && token[0] == 1)
            reach_error();
    }
    return 0;
}
