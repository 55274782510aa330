/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns of tasks that compute and exchange messages, for simulated runs (SMPI) and real ones. A
 * permutation assigns places in the pattern to ranks, so that consecutive ranks need not be
 * partners. SEED 0 doesn't permute.
 *
 *   mapping_patterns PATTERN ROUNDS OPERATIONS BYTES [SEED]        PATTERN: pairs, ring, grid, pipeline, tree, groups
 */
#include "app.h"
#include <string.h>

enum { RANKS_LIMIT = 1024, TAG = 0 };

typedef struct Pattern {
    int place, n;             /* this rank's place in the pattern, and the number of places */
    int rank_at[RANKS_LIMIT]; /* the rank at each place */
    long rounds;
    double operations;
    int bytes;
    char *out, *in;
} Pattern;

static unsigned long next_random(unsigned long *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void shuffle(Pattern *pattern, int rank, unsigned long seed)
{
    unsigned long state = seed;
    for (int i = 0; i < pattern->n; i++)
        pattern->rank_at[i] = i;
    for (int i = pattern->n - 1; seed && i > 0; i--) {
        int k = (int)(next_random(&state) % (unsigned long)(i + 1)), other = pattern->rank_at[k];
        pattern->rank_at[k] = pattern->rank_at[i];
        pattern->rank_at[i] = other;
    }
    for (int i = 0; i < pattern->n; i++)
        if (pattern->rank_at[i] == rank)
            pattern->place = i;
}

static void compute(const Pattern *pattern, double share)
{
    app_work((long)(pattern->operations * share));
}

static void send_to(const Pattern *pattern, int place, int bytes)
{
    MPI_Send(pattern->out, bytes, MPI_CHAR, pattern->rank_at[place], TAG, MPI_COMM_WORLD);
}

static void receive_from(const Pattern *pattern, int place, int bytes)
{
    MPI_Recv(pattern->in, bytes, MPI_CHAR, pattern->rank_at[place], TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Exchanges messages with each of the places, in both directions. Places below 0 don't exist. */
static void exchange(const Pattern *pattern, const int *places, int n, int bytes)
{
    MPI_Request requests[8];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (places[i] >= 0)
            MPI_Isend(pattern->out, bytes, MPI_CHAR, pattern->rank_at[places[i]], TAG, MPI_COMM_WORLD,
                      &requests[count++]);
    for (int i = 0; i < n; i++)
        if (places[i] >= 0)
            receive_from(pattern, places[i], bytes);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void run_pairs(const Pattern *pattern)
{
    int partner = pattern->place ^ 1;
    compute(pattern, 1 + 0.2 * (pattern->place % 3));
    if (partner < pattern->n)
        exchange(pattern, &partner, 1, pattern->bytes);
}

static void run_ring(const Pattern *pattern)
{
    int places[] = {(pattern->place + 1) % pattern->n, (pattern->place + pattern->n - 1) % pattern->n};
    compute(pattern, 1);
    exchange(pattern, places, pattern->n > 2 ? 2 : 1, pattern->bytes);
}

static void run_grid(const Pattern *pattern)
{
    int width = 1;
    while ((width + 1) * (width + 1) <= pattern->n)
        width++;
    while (pattern->n % width)
        width--;
    int x = pattern->place % width, places[4];
    places[0] = x > 0 ? pattern->place - 1 : -1;
    places[1] = x + 1 < width ? pattern->place + 1 : -1;
    places[2] = pattern->place - width;
    places[3] = pattern->place + width < pattern->n ? pattern->place + width : -1;
    compute(pattern, 1);
    exchange(pattern, places, 4, pattern->bytes);
}

/* A pipeline: stages of unequal work, with one item a round. */
static void run_pipeline(const Pattern *pattern)
{
    if (pattern->place > 0)
        receive_from(pattern, pattern->place - 1, pattern->bytes);
    compute(pattern, 0.5 + pattern->place % 4 * 0.3);
    if (pattern->place + 1 < pattern->n)
        send_to(pattern, pattern->place + 1, pattern->bytes);
}

/* A tree: work goes down a binary tree, and results come up. */
static void run_tree(const Pattern *pattern)
{
    int children[] = {2 * pattern->place + 1, 2 * pattern->place + 2};
    if (pattern->place)
        receive_from(pattern, (pattern->place - 1) / 2, pattern->bytes);
    for (int i = 0; i < 2; i++)
        if (children[i] < pattern->n)
            send_to(pattern, children[i], pattern->bytes);
    compute(pattern, 1);
    for (int i = 0; i < 2; i++)
        if (children[i] < pattern->n)
            receive_from(pattern, children[i], pattern->bytes / 4);
    if (pattern->place)
        send_to(pattern, (pattern->place - 1) / 2, pattern->bytes / 4);
}

/* Groups of four: the first of each group distributes work and collects results. The firsts
 * exchange a small message. */
static void run_groups(const Pattern *pattern)
{
    int first = pattern->place / 4 * 4, end = first + 4 < pattern->n ? first + 4 : pattern->n;
    if (pattern->place != first) {
        receive_from(pattern, first, pattern->bytes);
        compute(pattern, 1 + 0.3 * (pattern->place - first));
        send_to(pattern, first, pattern->bytes);
        return;
    }
    for (int i = first + 1; i < end; i++)
        send_to(pattern, i, pattern->bytes);
    compute(pattern, 0.5);
    for (int i = first + 1; i < end; i++)
        receive_from(pattern, i, pattern->bytes);
    if (first > 0)
        receive_from(pattern, first - 4, pattern->bytes / 64);
    if (end < pattern->n)
        send_to(pattern, first + 4, pattern->bytes / 64);
}

static const struct {
    const char *name;
    void (*run)(const Pattern *pattern);
} patterns[] = {{"pairs", run_pairs},       {"ring", run_ring}, {"grid", run_grid},
                {"pipeline", run_pipeline}, {"tree", run_tree}, {"groups", run_groups}};

static int run(const char *name, const Pattern *pattern)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (strcmp(name, patterns[i].name) != 0)
            continue;
        for (long round = 0; round < pattern->rounds; round++)
            patterns[i].run(pattern);
        return 0;
    }
    fprintf(stderr, "mapping_patterns: no pattern %s\n", name);
    return 2;
}

int main(int argc, char **argv)
{
    Pattern pattern = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &pattern.n);
    if (argc < 5 || pattern.n > RANKS_LIMIT)
        return 2;
    pattern.rounds = strtol(argv[2], NULL, 10);
    pattern.operations = strtod(argv[3], NULL);
    pattern.bytes = (int)strtol(argv[4], NULL, 10);
    pattern.out = calloc(1, (size_t)pattern.bytes);
    pattern.in = calloc(1, (size_t)pattern.bytes);
    shuffle(&pattern, rank, argc > 5 ? strtoul(argv[5], NULL, 10) : 1);
    double start_s = MPI_Wtime();
    int status = run(argv[1], &pattern);
    double own_s = MPI_Wtime() - start_s, longest_s;
    MPI_Reduce(&own_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time_s %.9f\n", longest_s);
    free(pattern.out);
    free(pattern.in);
    MPI_Finalize();
    return status;
}
