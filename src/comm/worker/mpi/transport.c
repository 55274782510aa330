/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-openmpi and firma-comm-mpich: MPI as a transport. The launcher starts one process for
 * each rank. */
#include "base/text.h"
#include "comm/protocol.h"
#include "comm/worker/harness/harness.h"
#include "comm/worker/harness/interfaces.h"
#include "comm/worker/mpi/checked.h"
#include "comm/worker/mpi/nonblocking.h"
#include "comm/worker/mpi/one_sided.h"
#include "comm/worker/mpi/streams.h"
#include "comm/worker/mpi/uneven.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define UNUSED __attribute__((unused))

/* A rank that hangs ends by SIGALRM, also on a host where nobody stops it: MPICH 4.0 sometimes hangs in MPI_Finalize
 * over UCX's TCP. */
enum { STARTING_LIMIT_S = 60, ENDING_LIMIT_S = 5 };
enum { TAG = 1, LOOKS_BEFORE_SLEEP = 20000, SLEEP_NS = 50 * 1000 };

bool mpi_checked(int status, const char *call, Err *err)
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

/* Adds "vader" for a mapped file …/mca_btl_vader.so; each name once. */
static void add_part(Text *parts, const char *line, const char *prefix)
{
    char name[32] = "";
    const char *at = strstr(line, prefix);
    if (!at || sscanf(at + strlen(prefix), "%31[a-z0-9]", name) != 1 || strcmp(name, "self") == 0)
        return;
    *vec_push(&parts->bytes) = '\0';
    parts->bytes.count--;
    if (!strstr(parts->bytes.items, name))
        text_add(parts, "%s%s", parts->bytes.count ? " " : "", name);
}

/* Open MPI unloads the components that it doesn't choose, so the others may carry messages. MPICH names its device. */
static const char *loaded_parts(Arena *arena)
{
    static const char *const prefixes[] = {"mca_pml_", "mca_mtl_", "mca_btl_"};
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "", device[32], *line = NULL;
    size_t capacity = 0;
    int length;
    MPI_Get_library_version(version, &length);
    const char *named = strstr(version, "MPICH Device:");
    if (named && sscanf(named, "MPICH Device: %31s", device) == 1)
        return arena_strdup(arena, device);
    Text parts = {0};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        FILE *maps = fopen("/proc/self/maps", "r");
        while (maps && getline(&line, &capacity, maps) > 0)
            add_part(&parts, line, prefixes[i]);
        if (maps)
            fclose(maps);
    }
    free(line);
    return text_take(&parts, arena);
}

static const TransportKind mpi_transport;

/* Libraries read these variables in MPI_Init. Each knows its own, and ignores the others. */
static void bind_to_network(const json_t *request)
{
    static const char *const names[] = {"OMPI_MCA_btl_tcp_if_include", "UCX_NET_DEVICES", "FI_TCP_IFACE",
                                        "FI_SOCKETS_IFACE"};
    Network network;
    if (!json_is_true(json_object_get(request, "bind")) || !interfaces_find(request, &network))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], network.interface, 1);
}

static bool mpi_open(const json_t *request, Arena *arena, Transport **transport, Err *err)
{
    Transport *opened = arena_new_array(arena, Transport, 1);
    bind_to_network(request);
    alarm(STARTING_LIMIT_S + (unsigned)json_number_value(json_object_get(request, "seconds")));
    if (!mpi_checked(MPI_Init(NULL, NULL), "MPI_Init", err))
        return false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    *opened = (Transport){.kind = &mpi_transport, .library = library_version(arena), .parts = loaded_parts(arena)};
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
    return mpi_checked(MPI_Send(buffer, (int)bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD), "MPI_Send", err);
}

static bool mpi_receive(UNUSED Transport *transport, int from, void *buffer, size_t bytes, Err *err)
{
    return mpi_checked(MPI_Recv(buffer, (int)bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv",
                       err);
}

/* MPI_Recv polls without a pause: an idle rank would take a processor from measuring ranks. So this
 * polls, and then sleeps between looks. */
static bool mpi_await(UNUSED Transport *transport, int from, Err *err)
{
    for (int look = 0;; look++) {
        int is_there = 0;
        if (!mpi_checked(MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE), "MPI_Iprobe", err))
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

static void mpi_close(Transport *transport)
{
    alarm(ENDING_LIMIT_S);
    mpi_one_sided_end(transport);
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
        return mpi_checked(function(__VA_ARGS__), #function, err);                                                     \
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
    {"pairs", mpi_pairs, false},
    {"barrier", execute_barrier, false},
    {"broadcast", execute_broadcast, false},
    {"gather", execute_gather, false},
    {"scatter", execute_scatter, false},
    {"allgather", execute_allgather, false},
    {"reduce", execute_reduce, false},
    {"allreduce", execute_allreduce, false},
    {"alltoall", execute_alltoall, false},
    {"gatherv", mpi_gatherv, false},
    {"scatterv", mpi_scatterv, false},
    {"allgatherv", mpi_allgatherv, false},
    {"alltoallv", mpi_alltoallv, false},

    {"ibarrier", mpi_ibarrier, true},
    {"ibroadcast", mpi_ibroadcast, true},
    {"igather", mpi_igather, true},
    {"iscatter", mpi_iscatter, true},
    {"iallgather", mpi_iallgather, true},
    {"ireduce", mpi_ireduce, true},
    {"iallreduce", mpi_iallreduce, true},
    {"ialltoall", mpi_ialltoall, true},
    {NULL, NULL, false},
};

static const Exchange mpi_exchanges[] = {
    {"stream", COMM_WINDOW, mpi_stream_send, mpi_stream_receive, NULL, NULL},
    {"bidirectional", 4 * COMM_WINDOW, mpi_bidirectional, mpi_bidirectional, NULL, NULL},
    {"put", 1, mpi_put, NULL, mpi_one_sided_open, mpi_one_sided_close},
    {"get", 1, mpi_get, NULL, mpi_one_sided_open, mpi_one_sided_close},
    {NULL, 0, NULL, NULL, NULL, NULL},
};

static const TransportKind mpi_transport = {
    .name = "mpi",
    .open = mpi_open,
    .send = mpi_send,
    .receive = mpi_receive,
    .await = mpi_await,
    .progress = mpi_progress,
    .exchanges = mpi_exchanges,
    .collectives = mpi_collectives,
    .abandon = mpi_abandon,
    .close = mpi_close,
};

int main(int argc, char **argv)
{
    return harness_main(argc, argv, (const TransportKind *const[]){&mpi_transport, NULL});
}
