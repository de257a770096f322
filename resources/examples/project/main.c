/* Two files, a header and a project: what is put into the ring comes out in its order. */
#include <assert.h>
#include "ring.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct ring ring = {{0}, 0, 0};
    int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int(), found = 0;
    assert(ring_put(&ring, first));
    assert(ring_put(&ring, second));
    assert(ring_get(&ring, &found));
    assert(found == first);
    assert(ring_get(&ring, &found));
    assert(found == second);
    assert(!ring_get(&ring, &found));
    return 0;
}
