/* SPDX-License-Identifier: BSD-3-Clause */
/* Disables cancellation of the thread while the recorder works with files. So the program has the
 * same cancellation points as without the recorder, and the recorder always releases its locks.
 *
 *     ASIDE;    in a function: pthread_cancel() of this thread waits until the function ends
 */
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
