/* An array of fixed size is filled and read back: the proof follows single elements through the loops. */
extern void reach_error(void);

int main(void)
{
    int squares[4];
    for (int i = 0; i < 4; i++)
        squares[i] = i * i;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += squares[i];
    if (sum != 14)
        reach_error();
    return 0;
}
