/* A ring buffer of CAPACITY numbers. */
#ifndef RING_H
#define RING_H

struct ring {
    int items[CAPACITY];
    unsigned first, count;
};

int ring_put(struct ring *ring, int item);
int ring_get(struct ring *ring, int *item);

#endif
