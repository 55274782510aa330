/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock that costs a few nanoseconds if no other thread holds it, which is the usual case. A
 * waiting thread sleeps in the kernel and lends its priority to the holder (a futex with priority
 * inheritance). So real-time threads of different priorities can share a processor.
 *
 * A thread can end inside the lock (asynchronous cancellation), or leave it by longjmp from a
 * signal handler. Then the data under the lock may be half changed, so the lock is lost: no thread
 * gets it any more. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Lock {
    uint32_t holder; /* 0, or the holder's thread id with the kernel's flags */
    bool lost;       /* no thread gets the lock any more; only a holder sets this */
} Lock;

extern __thread uint32_t lock_own_id; /* the thread's id; 0: not known yet */

/* Finds lock_own_id if it isn't known yet, and waits for the lock. */
bool lock_wait(Lock *lock);
void lock_hand_over(Lock *lock);

static inline void lock_release(Lock *lock)
{
    uint32_t found = lock_own_id;
    if (!__atomic_compare_exchange_n(&lock->holder, &found, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        lock_hand_over(lock);
}

/* False: the lock is lost for good, because its holder ended or left it. */
static inline bool lock_take(Lock *lock)
{
    const uint32_t own_id = lock_own_id;
    uint32_t found = 0;
    if (!own_id ||
        !__atomic_compare_exchange_n(&lock->holder, &found, own_id, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return lock_wait(lock);
    if (__builtin_expect(!lock->lost, 1))
        return true;
    lock_release(lock);
    return false;
}
