/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends a launch in three steps: every process waits at its next MPI call; the launcher gets
 * SIGTERM; firma kills what is left. */
#include "trace/launch/guard.h"

#include "trace/ownership.h"
#include <signal.h>
#include <time.h>

#define PARK_LIMIT_NS 300000000LL
#define PARK_QUIET_NS 30000000LL
#define GRACE_NS 5000000000LL
#define NAP_NS 5000000LL

static void nap(void)
{
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
}

/* Waits until no more events appear, because the processes have reached their next MPI call, or
 * until a time limit. */
static void wait_until_parked(Launch *launch)
{
    int64_t limit_ns = launch_now_ns() + PARK_LIMIT_NS, quiet_since_ns = launch_now_ns();
    uint64_t last_sum = UINT64_MAX;
    while (launch_now_ns() < limit_ns && launch_now_ns() - quiet_since_ns < PARK_QUIET_NS && !launch_wait(launch, 0)) {
        uint32_t count;
        uint64_t sum = 0;
        const uint64_t *events = launch_send_events(launch, &count);
        for (uint32_t i = 0; i < count; i++)
            sum += events[i];
        if (sum != last_sum)
            quiet_since_ns = launch_now_ns();
        last_sum = sum;
        nap();
    }
}

static bool wait_until_gone(const Launch *launch, int number, int64_t limit_ns)
{
    int64_t deadline_ns = launch_now_ns() + limit_ns;
    while (recording_signal_processes(launch->recording, number) > 0) {
        if (launch_now_ns() > deadline_ns)
            return false;
        nap();
    }
    return true;
}

void launch_stop(Launch *launch)
{
    launch->stopping = true;
    __atomic_store_n(&launch->control->stop, 1, __ATOMIC_RELEASE);
    if (launch_is_adopted(launch)) {
        wait_until_parked(launch);
        return;
    }
    if (!launch_wait(launch, 0)) {
        wait_until_parked(launch);
        if (!launch_wait(launch, 0))
            kill(launch_pid(launch), SIGTERM);
        if (!launch_wait(launch, GRACE_NS / 1000000)) {
            kill(launch_pid(launch), SIGKILL);
            launch_wait(launch, -1);
        }
    }
    /* Usually the processes end soon after the launcher. Kill those that remain. */
    if (!wait_until_gone(launch, 0, GRACE_NS / 5))
        wait_until_gone(launch, SIGKILL, GRACE_NS);
    guard_end(launch);
}

bool launch_settle(Launch *launch)
{
    return wait_until_gone(launch, 0, GRACE_NS);
}
