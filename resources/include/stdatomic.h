#ifndef INTERPLAY_STDATOMIC_H
#define INTERPLAY_STDATOMIC_H
/* A program without threads: atomic objects are objects. */
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
typedef enum {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
    memory_order_seq_cst
} memory_order;
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
typedef _Bool atomic_bool;
typedef char atomic_char;
typedef signed char atomic_schar;
typedef unsigned char atomic_uchar;
typedef short atomic_short;
typedef unsigned short atomic_ushort;
typedef int atomic_int;
typedef unsigned int atomic_uint;
typedef long atomic_long;
typedef unsigned long atomic_ulong;
typedef long long atomic_llong;
typedef unsigned long long atomic_ullong;
typedef size_t atomic_size_t;
typedef ptrdiff_t atomic_ptrdiff_t;
typedef intptr_t atomic_intptr_t;
typedef uintptr_t atomic_uintptr_t;
typedef intmax_t atomic_intmax_t;
typedef uintmax_t atomic_uintmax_t;
typedef struct { _Bool set; } atomic_flag;
#define atomic_init(object, value) ((void) (*(object) = (value)))
#define atomic_is_lock_free(object) 1
#define atomic_thread_fence(order) ((void) 0)
#define atomic_signal_fence(order) ((void) 0)
#define atomic_load(object) (*(object))
#define atomic_load_explicit(object, order) (*(object))
#define atomic_store(object, value) ((void) (*(object) = (value)))
#define atomic_store_explicit(object, value, order) atomic_store(object, value)
#define interplay_atomic(object, operator, value) \
    (__extension__({ \
        __typeof__(object) interplay_at = (object); __typeof__(*interplay_at) interplay_before = *interplay_at; *interplay_at = interplay_before operator (value); interplay_before; }))
#define atomic_fetch_add(object, value) interplay_atomic(object, +, value)
#define atomic_fetch_sub(object, value) interplay_atomic(object, -, value)
#define atomic_fetch_or(object, value) interplay_atomic(object, |, value)
#define atomic_fetch_xor(object, value) interplay_atomic(object, ^, value)
#define atomic_fetch_and(object, value) interplay_atomic(object, &, value)
#define atomic_fetch_add_explicit(object, value, order) interplay_atomic(object, +, value)
#define atomic_fetch_sub_explicit(object, value, order) interplay_atomic(object, -, value)
#define atomic_fetch_or_explicit(object, value, order) interplay_atomic(object, |, value)
#define atomic_fetch_xor_explicit(object, value, order) interplay_atomic(object, ^, value)
#define atomic_fetch_and_explicit(object, value, order) interplay_atomic(object, &, value)
#define atomic_exchange(object, value) \
    (__extension__({ \
        __typeof__(object) interplay_at = (object); __typeof__(*interplay_at) interplay_before = *interplay_at; *interplay_at = (value); interplay_before; }))
#define atomic_exchange_explicit(object, value, order) atomic_exchange(object, value)
#define atomic_compare_exchange_strong(object, expected, value) \
    (__extension__({ \
        __typeof__(object) interplay_at = (object); __typeof__(*interplay_at) *interplay_seen = (expected); \
        _Bool interplay_same = *interplay_at == *interplay_seen; if (interplay_same) *interplay_at = (value); else *interplay_seen = *interplay_at; interplay_same; }))
#define atomic_compare_exchange_strong_explicit(object, expected, value, success, failure) \
    atomic_compare_exchange_strong(object, expected, value)
extern _Bool interplay_spurious(void);
#define atomic_compare_exchange_weak(object, expected, value) \
    (__extension__({ \
        __typeof__(object) interplay_at = (object); __typeof__(*interplay_at) *interplay_seen = (expected); \
        _Bool interplay_same = *interplay_at == *interplay_seen && !interplay_spurious(); if (interplay_same) *interplay_at = (value); else *interplay_seen = *interplay_at; interplay_same; }))
#define atomic_compare_exchange_weak_explicit(object, expected, value, success, failure) \
    atomic_compare_exchange_weak(object, expected, value)
#define atomic_flag_test_and_set(flag) \
    (__extension__({ \
        atomic_flag *interplay_at = (flag); _Bool interplay_before = interplay_at->set; interplay_at->set = 1; interplay_before; }))
#define atomic_flag_test_and_set_explicit(flag, order) atomic_flag_test_and_set(flag)
#define atomic_flag_clear(flag) ((void) ((flag)->set = 0))
#define atomic_flag_clear_explicit(flag, order) atomic_flag_clear(flag)
#endif
