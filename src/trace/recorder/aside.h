/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder does aside from recording, with files, must not be a place where the program's thread is cancelled:
 * the program has its cancellation points where it had them without us, and our locks are released.
 *
 *     ASIDE;    in a function: until its end, pthread_cancel of this thread waits */
#pragma once

#include <pthread.h>

static inline int aside_begin(void)
{
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    return state;
}

static inline void aside_end(const int *state)
{
    pthread_setcancelstate(*state, NULL);
}

#define ASIDE __attribute__((cleanup(aside_end), unused)) const int aside_state = aside_begin()
