#include "ring.h"

static unsigned wrapped(unsigned index)
{
    return index < CAPACITY ? index : index - CAPACITY;
}

int ring_put(struct ring *ring, int item)
{
    if (ring->count == CAPACITY)
        return 0;
    ring->items[wrapped(ring->first + ring->count)] = item;
    ring->count++;
    return 1;
}

int ring_get(struct ring *ring, int *item)
{
    if (ring->count == 0)
        return 0;
    *item = ring->items[ring->first];
    ring->first = wrapped(ring->first + 1);
    ring->count--;
    return 1;
}
