/* SPDX-License-Identifier: BSD-3-Clause */
/* A preloaded library that makes one rank of an MPI program late, for comm_links.py. Methods of
 * timing collectives must not take one rank's lateness for the operation's time. LATE_RANK sleeps
 * LATE_US before each barrier. It also sleeps, with a chance of one in LATE_LOOKS, when it looks
 * for messages, as a process does that waits for a common instant.
 *
 * Works under any MPI whose communicators fit into a pointer, because arguments are only passed
 * on. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int MPI_Barrier(void *communicator);
int MPI_Iprobe(int source, int tag, void *communicator, int *flag, void *status);

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : -1;
}

static int is_late(void)
{
    static int known = -1;
    if (known < 0) {
        long rank = number("OMPI_COMM_WORLD_RANK") >= 0 ? number("OMPI_COMM_WORLD_RANK") : number("PMI_RANK");
        known = rank >= 0 && rank == number("LATE_RANK");
    }
    return known;
}

static void be_late(void)
{
    nanosleep(&(struct timespec){.tv_nsec = number("LATE_US") * 1000}, NULL);
}

int MPI_Barrier(void *communicator)
{
    static int (*real)(void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "MPI_Barrier");
    if (is_late())
        be_late();
    return real(communicator);
}

int MPI_Iprobe(int source, int tag, void *communicator, int *flag, void *status)
{
    static int (*real)(int, int, void *, int *, void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "MPI_Iprobe");
    if (is_late() && number("LATE_LOOKS") > 0 && rand() % number("LATE_LOOKS") == 0)
        be_late();
    return real(source, tag, communicator, flag, status);
}
