/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of test programs under MPICH: processes that wait yield their processor, as those of Open MPI do with
 * mpi_yield_when_idle. MPICH has no such option. Its processes wait busily, so that others get the processor only
 * when the time slice is over: with more processes than processors, each message takes milliseconds of CPU time.
 *
 * MPICH over UCX calls this function in place of UCX's. Other MPICHs never call it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    if (!progress)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned n_events = progress(worker);
    if (n_events == 0)
        sched_yield();
    return n_events;
}
