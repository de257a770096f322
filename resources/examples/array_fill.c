/* An array of fixed size is filled and read back: refinement picks the elements that matter, one by one.
 *
 * Engine: transition */
extern void reach_error(void);

int main(void)
{
    int slots[3] = {0};
    for (int i = 0; i < 3; i++)
        slots[i] = i + 1;
    for (int i = 0; i < 3; i++)
        if (slots[i] != i + 1)
            reach_error();
    return 0;
}
