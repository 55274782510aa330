/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an OTF2 archive of about the given number of records, with the structure of an iterative
 * program. So readers and analyses can be measured on traces of any size:
 *
 *   stencil  halo exchange with the neighbours of a 2-d grid (Irecv, Isend, Waitall), every iteration an allreduce
 *   ring     Sendrecv around a ring, every 10 iterations a barrier
 *   sweep    a pipeline from the first rank to the last and back, every 5 iterations a bcast
 *   phases   an allreduce, then messages to phase_length other ranks; the ranks and their order differ from phase to
 *            phase, and n_phases phases take turns
 *
 * Every 50 iterations of a stencil, the residual goes to rank 0 (a second kind of phase). Times
 * increase plausibly, but no process waits: within a process, the order of records is right;
 * between processes, times are not consistent. */
#include "synthetic_patterns.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const region_names[N_REGIONS] = {"MPI_Init",    "MPI_Finalize",  "MPI_Isend",    "MPI_Irecv",
                                                    "MPI_Waitall", "MPI_Allreduce", "MPI_Sendrecv", "MPI_Barrier",
                                                    "MPI_Send",    "MPI_Recv",      "MPI_Bcast",    "MPI_Reduce"};

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* A rank in the middle, which has the most neighbours. */
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

/* Writes n_iterations iterations, or enough for n_records records. Returns the number of
 * iterations. */
static uint64_t write_rank(OTF2_Archive *archive, const Pattern *pattern, const Rank *model, uint32_t r,
                           uint64_t n_iterations, uint64_t n_records, Written *written)
{
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, r);
    Rank rank = *model;
    rank.writer = writer;
    rank.rank = r;
    rank.random = r;
    record_init(&rank);
    uint64_t i = 0;
    while (i < n_iterations && rank.n_records < n_records)
        pattern->iterate(&rank, i++);
    record_finalize(&rank);
    written->n_events[r] = rank.n_records;
    written->n_records += rank.n_records;
    if (rank.time > written->last_time)
        written->last_time = rank.time;
    written->failed |= rank.failed || OTF2_Archive_CloseEvtWriter(archive, writer) != OTF2_SUCCESS;
    return i;
}

/* All ranks do the same number of iterations, by which the busiest rank writes its share of the
 * records. */
static void write_ranks(OTF2_Archive *archive, const Pattern *pattern, const Rank *model, uint64_t n_records,
                        Written *written)
{
    uint32_t n_ranks = model->n_ranks, busiest = busiest_rank(n_ranks);
    uint64_t n_iterations = write_rank(archive, pattern, model, busiest, n_records, n_records / n_ranks, written);
    for (uint32_t r = 0; r < n_ranks && !written->failed; r++)
        if (r != busiest)
            write_rank(archive, pattern, model, r, n_iterations, UINT64_MAX, written);
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

static bool write_archive(const char *directory, const Pattern *pattern, const Rank *model, uint64_t n_records)
{
    uint32_t n_ranks = model->n_ranks;
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
    write_ranks(archive, pattern, model, n_records, &written);
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
                    "       synthetic_archive DIR --ranks N --events M --pattern phases [--length L] [--phases K]\n"
                    "Writes an OTF2 archive of about M records to DIR, which must not hold one yet.\n");
    return 2;
}

typedef struct Options {
    const char *directory;
    const Pattern *pattern;
    unsigned long n_ranks, n_records, phase_length, n_phases;
} Options;

static bool read_options(int argc, char **argv, Options *options)
{
    const struct {
        const char *name;
        unsigned long *number;
    } numbers[] = {{"--ranks", &options->n_ranks},
                   {"--events", &options->n_records},
                   {"--length", &options->phase_length},
                   {"--phases", &options->n_phases}};
    for (int i = 1; i < argc; i++) {
        size_t n = 0;
        while (n < sizeof numbers / sizeof *numbers && strcmp(argv[i], numbers[n].name) != 0)
            n++;
        if (n < sizeof numbers / sizeof *numbers && i + 1 < argc)
            *numbers[n].number = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--pattern") == 0 && i + 1 < argc)
            options->pattern = pattern_find(argv[++i]);
        else if (argv[i][0] != '-' && !options->directory)
            options->directory = argv[i];
        else
            return false;
    }
    return options->directory && options->pattern && options->n_ranks >= 1 && options->n_ranks <= MOST_PHASE_RANKS &&
           options->n_records >= 1 && options->n_phases >= 1 && options->n_phases <= UINT32_MAX &&
           (strcmp(options->pattern->name, "phases") != 0 || options->phase_length < options->n_ranks);
}

int main(int argc, char **argv)
{
    Options options = {.pattern = pattern_find("stencil"), .phase_length = 16, .n_phases = 4};
    if (!read_options(argc, argv, &options))
        return usage();
    if (mkdir(options.directory, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "synthetic_archive: %s: %s\n", options.directory, strerror(errno));
        return 4;
    }
    const Rank model = {.n_ranks = (uint32_t)options.n_ranks,
                        .phase_length = (uint32_t)options.phase_length,
                        .n_phases = (uint32_t)options.n_phases,
                        .time = 1000000,
                        .request = 1};
    if (!write_archive(options.directory, options.pattern, &model, options.n_records)) {
        fprintf(stderr, "synthetic_archive: %s: cannot write the archive\n", options.directory);
        return 4;
    }
    return 0;
}
