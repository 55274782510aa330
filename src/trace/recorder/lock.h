/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock that costs a few nanoseconds if no other thread holds it, which is the usual case. */
#pragma once

#include <sched.h>
#include <stdint.h>

#define LOCK_SPINS 100

typedef uint32_t Lock;

static inline void lock_take(Lock *lock)
{
    for (int i = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); i++)
        if (i >= LOCK_SPINS)
            sched_yield();
}

static inline void lock_release(Lock *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}
