/* What gcc has built in as atomic, on an element that is an integer or a pointer. Nothing runs at the same time, and
   arithmetic wraps around. */

extern _Bool interplay_spurious(void);

element __atomic_load_n(element *p, int order)
{
    return *p;
}

void __atomic_load(element *p, element *result, int order)
{
    *result = *p;
}

void __atomic_store_n(element *p, element value, int order)
{
    *p = value;
}

void __atomic_store(element *p, element *value, int order)
{
    *p = *value;
}

element __atomic_exchange_n(element *p, element value, int order)
{
    element before = *p;
    *p = value;
    return before;
}

void __atomic_exchange(element *p, element *value, element *result, int order)
{
    element before = *p;
    *p = *value;
    *result = before;
}

/* A weak one may fail for no reason. */
_Bool __atomic_compare_exchange_n(element *p, element *expected, element value, int weak, int success, int failure)
{
    element before = *p;
    if (before != *expected || (weak && interplay_spurious())) {
        *expected = before;
        return 0;
    }
    *p = value;
    return 1;
}

_Bool __atomic_compare_exchange(element *p, element *expected, element *value, int weak, int success, int failure)
{
    return __atomic_compare_exchange_n(p, expected, *value, weak, success, failure);
}

_Bool __atomic_test_and_set(element *p, int order)
{
    element before = *p;
    *p = 1;
    return before != 0;
}

void __atomic_clear(element *p, int order)
{
    *p = 0;
}

void __atomic_thread_fence(int order)
{
}

void __atomic_signal_fence(int order)
{
}

void __sync_synchronize(void)
{
}

element __sync_lock_test_and_set(element *p, element value)
{
    return __atomic_exchange_n(p, value, 0);
}

void __sync_lock_release(element *p)
{
    *p = 0;
}

element __sync_val_compare_and_swap(element *p, element expected, element value)
{
    element before = *p;
    if (before == expected)
        *p = value;
    return before;
}

_Bool __sync_bool_compare_and_swap(element *p, element expected, element value)
{
    element before = *p;
    if (before == expected)
        *p = value;
    return before == expected;
}

element __atomic_fetch_add(element *p, element value, int order)
{
    element before = *p;
    *p = (element) ((unsigned long long) before + (unsigned long long) value);
    return before;
}

element __atomic_add_fetch(element *p, element value, int order)
{
    __atomic_fetch_add(p, value, order);
    return *p;
}

element __sync_fetch_and_add(element *p, element value)
{
    return __atomic_fetch_add(p, value, 0);
}

element __sync_add_and_fetch(element *p, element value)
{
    return __atomic_add_fetch(p, value, 0);
}

element __atomic_fetch_sub(element *p, element value, int order)
{
    element before = *p;
    *p = (element) ((unsigned long long) before - (unsigned long long) value);
    return before;
}

element __atomic_sub_fetch(element *p, element value, int order)
{
    __atomic_fetch_sub(p, value, order);
    return *p;
}

element __sync_fetch_and_sub(element *p, element value)
{
    return __atomic_fetch_sub(p, value, 0);
}

element __sync_sub_and_fetch(element *p, element value)
{
    return __atomic_sub_fetch(p, value, 0);
}

element __atomic_fetch_and(element *p, element value, int order)
{
    element before = *p;
    *p = (element) ((unsigned long long) before & (unsigned long long) value);
    return before;
}

element __atomic_and_fetch(element *p, element value, int order)
{
    __atomic_fetch_and(p, value, order);
    return *p;
}

element __sync_fetch_and_and(element *p, element value)
{
    return __atomic_fetch_and(p, value, 0);
}

element __sync_and_and_fetch(element *p, element value)
{
    return __atomic_and_fetch(p, value, 0);
}

element __atomic_fetch_or(element *p, element value, int order)
{
    element before = *p;
    *p = (element) ((unsigned long long) before | (unsigned long long) value);
    return before;
}

element __atomic_or_fetch(element *p, element value, int order)
{
    __atomic_fetch_or(p, value, order);
    return *p;
}

element __sync_fetch_and_or(element *p, element value)
{
    return __atomic_fetch_or(p, value, 0);
}

element __sync_or_and_fetch(element *p, element value)
{
    return __atomic_or_fetch(p, value, 0);
}

element __atomic_fetch_xor(element *p, element value, int order)
{
    element before = *p;
    *p = (element) ((unsigned long long) before ^ (unsigned long long) value);
    return before;
}

element __atomic_xor_fetch(element *p, element value, int order)
{
    __atomic_fetch_xor(p, value, order);
    return *p;
}

element __sync_fetch_and_xor(element *p, element value)
{
    return __atomic_fetch_xor(p, value, 0);
}

element __sync_xor_and_fetch(element *p, element value)
{
    return __atomic_xor_fetch(p, value, 0);
}

element __atomic_fetch_nand(element *p, element value, int order)
{
    element before = *p;
    *p = (element) (~((unsigned long long) before & (unsigned long long) value));
    return before;
}

element __atomic_nand_fetch(element *p, element value, int order)
{
    __atomic_fetch_nand(p, value, order);
    return *p;
}

element __sync_fetch_and_nand(element *p, element value)
{
    return __atomic_fetch_nand(p, value, 0);
}

element __sync_nand_and_fetch(element *p, element value)
{
    return __atomic_nand_fetch(p, value, 0);
}
