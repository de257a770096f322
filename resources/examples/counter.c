/* Two counters that move together: the loop invariant `up + down == 1000` is found by refinement, not by unrolling.
 *
 * An abstraction that follows the loop round by round would need a thousand refinements. */
extern void reach_error(void);

int main(void)
{
    int up = 0, down = 1000;
    while (down > 0) {
        up++;
        down--;
    }
    if (up != 1000)
        reach_error();
    return 0;
}
