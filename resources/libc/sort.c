/* What qsort and bsearch do, on elements of the type that lies there. Equal elements may end in any order, and any of
   them may be found; comparisons are made with elements of the array. */

void qsort(element *base, size_t count, int (*compare)(const void *, const void *))
{
    size_t i, k;
    int order, kept;
    element moved;
    for (i = 1; i < count; i++)
        for (k = i; k > 0; k--) {
            order = compare(base + (k - 1), base + k);
            kept = __VERIFIER_nondet_order();
            if (order < 0 || (order == 0 && kept != 0))
                break;
            moved = base[k];
            base[k] = base[k - 1];
            base[k - 1] = moved;
        }
}

element *bsearch(const void *key, const element *base, size_t count, int (*compare)(const void *, const void *))
{
    size_t i;
    int taken;
    element *found = 0;
    for (i = 0; i < count; i++)
        if (compare(key, base + i) == 0) {
            taken = __VERIFIER_nondet_order();
            if (found == 0 || taken != 0)
                found = (element *) base + i;
        }
    return found;
}
