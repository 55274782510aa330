/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-openmpi and firma-comm-mpich: MPI as a transport. The launcher starts one process for
 * each rank. */
#include "comm/worker/harness.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define UNUSED __attribute__((unused))

enum { TAG = 1, LOOKS_BEFORE_SLEEP = 20000, SLEEP_NS = 50 * 1000 };

/* Turns a failed call into an error, if the library returns from it. */
static bool checked(int status, const char *call, Err *err)
{
    if (status == MPI_SUCCESS)
        return true;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(status, text, &length);
    return err_set(err, ERR_ENVIRONMENT, "%s: %s", call, text);
}

/* Shortens "Open MPI v4.1.4, package: …" and "MPICH Version:\t4.0.2\n…" to "Open MPI 4.1.4" and
 * "MPICH 4.0.2". */
static const char *short_version(const char *text, Arena *arena)
{
    char name[32] = "", version[32] = "";
    if (sscanf(text, "Open MPI v%31[^, \n]", version) == 1)
        return arena_printf(arena, "Open MPI %s", version);
    if (sscanf(text, "%31s Version: %31s", name, version) == 2)
        return arena_printf(arena, "%s %s", name, version);
    return arena_strndup(arena, text, strcspn(text, "\n,"));
}

static const char *library_version(Arena *arena)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(text, &length);
    return short_version(text, arena);
}

static const TransportKind mpi_transport;

static bool mpi_open(UNUSED const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    Transport *opened = arena_new_array(arena, Transport, 1);
    if (!checked(MPI_Init(NULL, NULL), "MPI_Init", err))
        return false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    *opened = (Transport){.kind = &mpi_transport, .library = library_version(arena)};
    MPI_Comm_rank(MPI_COMM_WORLD, &opened->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &opened->n_ranks);
    if (opened->n_ranks < 2) {
        MPI_Finalize();
        err_set(err, ERR_ENVIRONMENT, "%s: only one process was started", opened->library);
        return err_hint(err, "the launcher belongs to another MPI, or was told to start one process");
    }
    *transport = opened;
    return true;
}

static bool mpi_send(UNUSED Transport *transport, int to, const void *buffer, size_t bytes, Err *err)
{
    return checked(MPI_Send(buffer, (int)bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD), "MPI_Send", err);
}

static bool mpi_receive(UNUSED Transport *transport, int from, void *buffer, size_t bytes, Err *err)
{
    return checked(MPI_Recv(buffer, (int)bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv",
                   err);
}

/* MPI_Recv polls without a pause: an idle rank would take a processor from measuring ranks. So this
 * polls, and then sleeps between looks. */
static bool mpi_await(UNUSED Transport *transport, int from, Err *err)
{
    for (int look = 0;; look++) {
        int is_there = 0;
        if (!checked(MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE), "MPI_Iprobe", err))
            return false;
        if (is_there)
            return true;
        if (look > LOOKS_BEFORE_SLEEP)
            nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    }
}

static void mpi_progress(UNUSED Transport *transport)
{
    int is_there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

static void mpi_close(UNUSED Transport *transport)
{
    MPI_Finalize();
}

static void mpi_abandon(UNUSED Transport *transport)
{
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- collectives ----------------------------------------------------------------------------- */

/* Defines one MPI call on all ranks. In its arguments, `block` is call->block, and `doubles` is the
 * number of doubles in a block. */
#define EXECUTE(name, function, ...)                                                                                   \
    static bool execute_##name(UNUSED Transport *transport, UNUSED const CollectiveCall *call, Err *err)               \
    {                                                                                                                  \
        UNUSED const int block = (int)call->block, doubles = (int)(call->block / sizeof(double));                      \
        return checked(function(__VA_ARGS__), #function, err);                                                         \
    }

EXECUTE(barrier, MPI_Barrier, MPI_COMM_WORLD)
EXECUTE(broadcast, MPI_Bcast, call->receive, block, MPI_BYTE, 0, MPI_COMM_WORLD)
EXECUTE(gather, MPI_Gather, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, 0, MPI_COMM_WORLD)
EXECUTE(scatter, MPI_Scatter, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, 0, MPI_COMM_WORLD)
EXECUTE(allgather, MPI_Allgather, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, MPI_COMM_WORLD)
EXECUTE(alltoall, MPI_Alltoall, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, MPI_COMM_WORLD)
EXECUTE(reduce, MPI_Reduce, call->send, call->receive, doubles, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)
EXECUTE(allreduce, MPI_Allreduce, call->send, call->receive, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)

static const Collective mpi_collectives[] = {
    {"barrier", execute_barrier},     {"broadcast", execute_broadcast}, {"gather", execute_gather},
    {"scatter", execute_scatter},     {"allgather", execute_allgather}, {"reduce", execute_reduce},
    {"allreduce", execute_allreduce}, {"alltoall", execute_alltoall},   {NULL, NULL},
};

static const TransportKind mpi_transport = {
    .name = "mpi",
    .open = mpi_open,
    .send = mpi_send,
    .receive = mpi_receive,
    .await = mpi_await,
    .progress = mpi_progress,
    .collectives = mpi_collectives,
    .abandon = mpi_abandon,
    .close = mpi_close,
};

int main(int argc, char **argv)
{
    return harness_main(argc, argv, (const TransportKind *const[]){&mpi_transport, NULL});
}
