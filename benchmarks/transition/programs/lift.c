/* A lift of three floors: it moves with closed doors only, and stops where it was called.
 * predicate: floor == 0
 * predicate: floor == 1
 * predicate: floor == 2
 * predicate: open == 1
 * predicate: moving == 1
 * predicate: up == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool open, moving, up;
int floor;

int main(void)
{
    while (1) {
        if (!moving) {
            open = __VERIFIER_nondet_bool();
            if (!open && __VERIFIER_nondet_bool()) {
                moving = 1;
                up = floor == 0 ? 1 : floor == 2 ? 0 : __VERIFIER_nondet_bool();
            }
        } else {
            if (up)
                floor = floor + 1;
            else
                floor = floor - 1;
            moving = 0;
        }
        if ((moving && open) || floor < 0 || floor > 2)
            reach_error();
    }
}
