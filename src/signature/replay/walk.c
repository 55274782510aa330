/* SPDX-License-Identifier: BSD-3-Clause */
/* Wakes processes, and lets them wait (walk.h). */
#include "signature/replay/walk.h"

void replay_wake(Replay *replay, uint32_t process)
{
    uint32_t slot = replay->run_head + replay->n_runnable++;
    replay->walkers[process].waits = false;
    replay->run_queue[slot < replay->n_processes ? slot : slot - replay->n_processes] = process;
}

void replay_wait_until(Walker *walker, int64_t ideal_ns)
{
    if (ideal_ns <= walker->clock_ns)
        return;
    walker->idle_ns += ideal_ns - walker->clock_ns;
    walker->clock_ns = ideal_ns;
}
