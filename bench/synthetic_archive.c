/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an OTF2 archive of about as many records as asked for, with the structure of an iterative program, so that
 * readers and analyses can be measured on traces of any size:
 *
 *   stencil  halo exchange with the neighbours of a 2-d grid (Irecv, Isend, Waitall), every iteration an allreduce
 *   ring     Sendrecv around a ring, every 10 iterations a barrier
 *   sweep    a pipeline from the first rank to the last and back, every 5 iterations a bcast
 *
 * Every 50 iterations of a stencil the residual goes to rank 0 (a second kind of phase). Times advance plausibly, but
 * nothing waits for anything: the records' order in a process is right, their times across processes are not. */
#include <errno.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { INIT, FINALIZE, ISEND, IRECV, WAITALL, ALLREDUCE, SENDRECV, BARRIER, SEND, RECV, BCAST, REDUCE, N_REGIONS };

static const char *const region_names[N_REGIONS] = {"MPI_Init",    "MPI_Finalize",  "MPI_Isend",    "MPI_Irecv",
                                                    "MPI_Waitall", "MPI_Allreduce", "MPI_Sendrecv", "MPI_Barrier",
                                                    "MPI_Send",    "MPI_Recv",      "MPI_Bcast",    "MPI_Reduce"};

typedef struct Rank {
    OTF2_EvtWriter *writer;
    uint64_t time, request, random, n_records;
    uint32_t rank, n_ranks;
    bool failed;
} Rank;

typedef struct Pattern {
    const char *name;
    void (*iterate)(Rank *rank, uint64_t iteration);
} Pattern;

static void keep(Rank *rank, OTF2_ErrorCode status)
{
    rank->failed |= status != OTF2_SUCCESS;
    rank->n_records++;
}

/* About mean, up to a quarter more or less: times are never the same twice. */
static uint64_t jitter(Rank *rank, uint64_t mean)
{
    rank->random = rank->random * 6364136223846793005u + 1442695040888963407u;
    return mean - mean / 4 + (rank->random >> 40) * mean / 2 / (1u << 24);
}

static void enter(Rank *rank, uint32_t region, uint64_t computed_ns)
{
    rank->time += jitter(rank, computed_ns);
    keep(rank, OTF2_EvtWriter_Enter(rank->writer, NULL, rank->time, region));
}

static void leave(Rank *rank, uint32_t region, uint64_t took_ns)
{
    rank->time += jitter(rank, took_ns);
    keep(rank, OTF2_EvtWriter_Leave(rank->writer, NULL, rank->time, region));
}

static void collective(Rank *rank, uint32_t region, OTF2_CollectiveOp operation, uint32_t root, uint64_t sent,
                       uint64_t received)
{
    enter(rank, region, 2000);
    keep(rank, OTF2_EvtWriter_MpiCollectiveBegin(rank->writer, NULL, rank->time));
    rank->time += jitter(rank, 8000);
    keep(rank, OTF2_EvtWriter_MpiCollectiveEnd(rank->writer, NULL, rank->time, operation, 0, root, sent, received));
    leave(rank, region, 100);
}

static uint32_t grid_columns(uint32_t n_ranks)
{
    uint32_t columns = 1;
    for (uint32_t c = 1; c * c <= n_ranks; c++)
        if (n_ranks % c == 0)
            columns = c;
    return columns;
}

static uint32_t neighbours(const Rank *rank, uint32_t found[4])
{
    uint32_t columns = grid_columns(rank->n_ranks), n = 0;
    if (rank->rank >= columns)
        found[n++] = rank->rank - columns;
    if (rank->rank + columns < rank->n_ranks)
        found[n++] = rank->rank + columns;
    if (rank->rank % columns > 0)
        found[n++] = rank->rank - 1;
    if (rank->rank % columns + 1 < columns)
        found[n++] = rank->rank + 1;
    return n;
}

static void iterate_stencil(Rank *rank, uint64_t iteration)
{
    uint32_t peers[4], n = neighbours(rank, peers);
    uint64_t first = rank->request;
    for (uint32_t i = 0; i < n; i++) {
        enter(rank, IRECV, i ? 200 : 50000);
        keep(rank, OTF2_EvtWriter_MpiIrecvRequest(rank->writer, NULL, rank->time, rank->request++));
        leave(rank, IRECV, 150);
    }
    for (uint32_t i = 0; i < n; i++) {
        enter(rank, ISEND, 300);
        keep(rank, OTF2_EvtWriter_MpiIsend(rank->writer, NULL, rank->time, peers[i], 0, 7, 8192, rank->request++));
        leave(rank, ISEND, 400);
    }
    enter(rank, WAITALL, 100000);
    rank->time += jitter(rank, 5000);
    for (uint32_t i = 0; i < n; i++)
        keep(rank, OTF2_EvtWriter_MpiIrecv(rank->writer, NULL, rank->time, peers[i], 0, 7, 8192, first + i));
    for (uint32_t i = 0; i < n; i++)
        keep(rank, OTF2_EvtWriter_MpiIsendComplete(rank->writer, NULL, rank->time, first + n + i));
    leave(rank, WAITALL, 100);
    collective(rank, ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_UNDEFINED_UINT32, 8, 8);
    if (iteration % 50 == 49)
        collective(rank, REDUCE, OTF2_COLLECTIVE_OP_REDUCE, 0, 1024, rank->rank ? 0 : 1024);
}

static void iterate_ring(Rank *rank, uint64_t iteration)
{
    uint32_t next = (rank->rank + 1) % rank->n_ranks, previous = (rank->rank + rank->n_ranks - 1) % rank->n_ranks;
    enter(rank, SENDRECV, 30000);
    keep(rank, OTF2_EvtWriter_MpiSend(rank->writer, NULL, rank->time, next, 0, 1, 4096));
    rank->time += jitter(rank, 3000);
    keep(rank, OTF2_EvtWriter_MpiRecv(rank->writer, NULL, rank->time, previous, 0, 1, 4096));
    leave(rank, SENDRECV, 100);
    if (iteration % 10 == 9)
        collective(rank, BARRIER, OTF2_COLLECTIVE_OP_BARRIER, OTF2_UNDEFINED_UINT32, 0, 0);
}

static void send(Rank *rank, uint32_t to, uint32_t tag)
{
    enter(rank, SEND, 20000);
    keep(rank, OTF2_EvtWriter_MpiSend(rank->writer, NULL, rank->time, to, 0, tag, 1600));
    leave(rank, SEND, 900);
}

static void receive(Rank *rank, uint32_t from, uint32_t tag)
{
    enter(rank, RECV, 300);
    rank->time += jitter(rank, 4000);
    keep(rank, OTF2_EvtWriter_MpiRecv(rank->writer, NULL, rank->time, from, 0, tag, 1600));
    leave(rank, RECV, 100);
}

static void iterate_sweep(Rank *rank, uint64_t iteration)
{
    bool first = rank->rank == 0, last = rank->rank + 1 == rank->n_ranks;
    if (!first)
        receive(rank, rank->rank - 1, 1);
    if (!last) {
        send(rank, rank->rank + 1, 1);
        receive(rank, rank->rank + 1, 2);
    }
    if (!first)
        send(rank, rank->rank - 1, 2);
    if (iteration % 5 == 4)
        collective(rank, BCAST, OTF2_COLLECTIVE_OP_BCAST, 0, first ? 64 * (uint64_t)rank->n_ranks : 0, 64);
}

static const Pattern patterns[] = {{"stencil", iterate_stencil}, {"ring", iterate_ring}, {"sweep", iterate_sweep}};

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static Rank start_rank(OTF2_EvtWriter *writer, uint32_t rank, uint32_t n_ranks)
{
    Rank started = {.writer = writer, .rank = rank, .n_ranks = n_ranks, .time = 1000000, .random = rank, .request = 1};
    enter(&started, INIT, 1000);
    leave(&started, INIT, 100000);
    return started;
}

/* A rank of the middle, which has the most neighbours. */
static uint32_t busiest_rank(uint32_t n_ranks)
{
    uint32_t columns = grid_columns(n_ranks), rows = n_ranks / columns;
    return rows / 2 * columns + columns / 2;
}

typedef struct Written {
    uint64_t *n_events; /* [n_ranks] */
    uint64_t n_records, last_time;
    bool failed;
} Written;

/* As many iterations as the argument says, or as it takes for n_records; how many there were. */
static uint64_t write_rank(OTF2_Archive *archive, const Pattern *pattern, uint32_t r, uint32_t n_ranks,
                           uint64_t n_iterations, uint64_t n_records, Written *written)
{
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, r);
    Rank rank = start_rank(writer, r, n_ranks);
    uint64_t i = 0;
    while (i < n_iterations && rank.n_records < n_records)
        pattern->iterate(&rank, i++);
    enter(&rank, FINALIZE, 1000);
    leave(&rank, FINALIZE, 100000);
    written->n_events[r] = rank.n_records;
    written->n_records += rank.n_records;
    if (rank.time > written->last_time)
        written->last_time = rank.time;
    written->failed |= rank.failed || OTF2_Archive_CloseEvtWriter(archive, writer) != OTF2_SUCCESS;
    return i;
}

/* All ranks do the same number of iterations: as many as the busiest needs for its share of the records. */
static void write_ranks(OTF2_Archive *archive, const Pattern *pattern, uint32_t n_ranks, uint64_t n_records,
                        Written *written)
{
    uint32_t busiest = busiest_rank(n_ranks);
    uint64_t n_iterations = write_rank(archive, pattern, busiest, n_ranks, n_records, n_records / n_ranks, written);
    for (uint32_t r = 0; r < n_ranks && !written->failed; r++)
        if (r != busiest)
            write_rank(archive, pattern, r, n_ranks, n_iterations, UINT64_MAX, written);
}

static void write_definitions(OTF2_Archive *archive, uint32_t n_ranks, const uint64_t *n_events, uint64_t last_time)
{
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    uint32_t n_strings = 0;
    uint64_t *ranks = calloc(n_ranks, sizeof *ranks);
    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 1000000, last_time - 1000000 + 1,
                                              OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(writer, n_strings++, "");
    OTF2_GlobalDefWriter_WriteString(writer, n_strings++, "machine");
    OTF2_GlobalDefWriter_WriteString(writer, n_strings++, "Master thread");
    OTF2_GlobalDefWriter_WriteString(writer, n_strings++, "MPI_COMM_WORLD");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < N_REGIONS; i++) {
        OTF2_GlobalDefWriter_WriteString(writer, n_strings, region_names[i]);
        OTF2_GlobalDefWriter_WriteRegion(writer, i, n_strings, n_strings, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
        n_strings++;
    }
    for (uint32_t r = 0; r < n_ranks; r++) {
        char name[32];
        snprintf(name, sizeof name, "MPI Rank %u", r);
        OTF2_GlobalDefWriter_WriteString(writer, n_strings, name);
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, r, n_strings++, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, r, 2, OTF2_LOCATION_TYPE_CPU_THREAD, n_events[r], r);
        if (ranks)
            ranks[r] = r;
    }
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, n_ranks, ranks);
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    n_ranks, ranks);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 3, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    free(ranks);
}

static bool write_archive(const char *directory, const Pattern *pattern, uint32_t n_ranks, uint64_t n_records)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_always};
    Written written = {.n_events = calloc(n_ranks, sizeof(uint64_t))};
    OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, 256 * 1024, 4 * 1024 * 1024,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive || !written.n_events)
        return false;
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_SetCreator(archive, "firma synthetic_archive");
    OTF2_Archive_OpenEvtFiles(archive);
    write_ranks(archive, pattern, n_ranks, n_records, &written);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (uint32_t r = 0; r < n_ranks; r++)
        OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, r));
    OTF2_Archive_CloseDefFiles(archive);
    write_definitions(archive, n_ranks, written.n_events, written.last_time);
    written.failed |= OTF2_Archive_Close(archive) != OTF2_SUCCESS;
    free(written.n_events);
    if (!written.failed)
        printf("{\"ranks\": %u, \"records\": %lu, \"pattern\": \"%s\"}\n", n_ranks, (unsigned long)written.n_records,
               pattern->name);
    return !written.failed;
}

static int usage(void)
{
    fprintf(stderr, "usage: synthetic_archive DIR --ranks N --events M [--pattern stencil|ring|sweep]\n"
                    "Writes an OTF2 archive of about M records to DIR, which must not hold one yet.\n");
    return 2;
}

int main(int argc, char **argv)
{
    const char *directory = NULL;
    const Pattern *pattern = &patterns[0];
    unsigned long n_ranks = 0, n_records = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ranks") == 0 && i + 1 < argc) {
            n_ranks = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--events") == 0 && i + 1 < argc) {
            n_records = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--pattern") == 0 && i + 1 < argc) {
            const char *name = argv[++i];
            pattern = NULL;
            for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
                if (strcmp(name, patterns[k].name) == 0)
                    pattern = &patterns[k];
        } else if (argv[i][0] != '-' && !directory) {
            directory = argv[i];
        } else {
            return usage();
        }
    }
    if (!directory || !pattern || n_ranks < 1 || n_ranks > 1000000 || n_records < 1)
        return usage();
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "synthetic_archive: %s: %s\n", directory, strerror(errno));
        return 4;
    }
    if (!write_archive(directory, pattern, (uint32_t)n_ranks, n_records)) {
        fprintf(stderr, "synthetic_archive: %s: cannot write the archive\n", directory);
        return 4;
    }
    return 0;
}
