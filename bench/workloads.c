/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose cost changes along the run, to test predictions, for simulated runs (SMPI) and
 * real ones. A kind of communication is combined with a profile, which says how much each rank
 * computes in each step.
 *
 *   workloads COMMUNICATION PROFILE STEPS OPERATIONS BYTES
 */
#define _DEFAULT_SOURCE
#include "app.h"
#include <string.h>
#include <unistd.h>

enum { TAG = 0, IO_EVERY = 10, PERIOD = 40, RARE_EVERY = 150 };

typedef struct Work {
    long steps, step;
    double operations;
    int bytes;
    char *out, *in; /* a message from or to each rank */
    double (*share)(const struct Work *work);
} Work;

/* ---- profiles: the share of OPERATIONS that this rank computes in this step ---- */

static double progress(const Work *work)
{
    return (double)work->step / (double)work->steps;
}

static double constant(const Work *work)
{
    (void)work;
    return 1;
}

/* Rank 0's steps grow to four times the cost; the others wait for rank 0. */
static double growing(const Work *work)
{
    return app.rank == 0 ? 1 + 3 * progress(work) : 1;
}

static double shrinking(const Work *work)
{
    return 2 - 1.5 * progress(work);
}

static double refined(const Work *work)
{
    return 2 * work->step > work->steps ? 3 : 1;
}

static double sawtooth(const Work *work)
{
    return 0.5 + (double)(work->step % PERIOD) / PERIOD;
}

/* The expensive part of the work wanders from the first rank to the last. */
static double wandering(const Work *work)
{
    return (long)(progress(work) * app.n_ranks) == app.rank ? 3 : 1;
}

static double irregular(const Work *work)
{
    return 0.5 + (double)(app_hash((unsigned long)work->step, (unsigned long)app.rank) >> 40 & 0xffff) / 0x10000;
}

static double rarely_long(const Work *work)
{
    return work->step % RARE_EVERY == RARE_EVERY / 2 ? 40 : 1;
}

static double cold_start(const Work *work)
{
    return progress(work) < 0.04 ? 2.5 : 1;
}

/* Rank 0 writes to a device that gets slower and slower, without computing. */
static double filling_disk(const Work *work)
{
    if (app.rank == 0 && work->step % IO_EVERY == 0)
        usleep((useconds_t)(1000 + 20000 * progress(work)));
    return 1;
}

static double unbalanced(const Work *work)
{
    (void)work;
    return 1 + (double)app.rank / app.n_ranks;
}

/* ---- communication: one step each ---- */

static void compute(const Work *work, double part)
{
    app_work((long)(work->operations * part * work->share(work)));
}

static void halo(const Work *work)
{
    int left = (app.rank + app.n_ranks - 1) % app.n_ranks, right = (app.rank + 1) % app.n_ranks;
    MPI_Sendrecv(work->out, work->bytes, MPI_CHAR, left, TAG, work->in, work->bytes, MPI_CHAR, right, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(work->out, work->bytes, MPI_CHAR, right, TAG, work->in, work->bytes, MPI_CHAR, left, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(work, 1);
}

static void reduce(const Work *work)
{
    compute(work, 1);
    app_sum(1);
}

/* Halo exchange, with a sum every fifth step. */
static void solve(const Work *work)
{
    halo(work);
    if (work->step % 5 == 4)
        app_sum(1);
}

/* A pipeline from the first rank to the last, in both directions one after the other. */
static void sweep(const Work *work)
{
    int step = work->step % 2 ? -1 : 1, before = app.rank - step, behind = app.rank + step;
    if (before >= 0 && before < app.n_ranks)
        MPI_Recv(work->in, work->bytes, MPI_CHAR, before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(work, 1.0 / app.n_ranks);
    if (behind >= 0 && behind < app.n_ranks)
        MPI_Send(work->out, work->bytes, MPI_CHAR, behind, TAG, MPI_COMM_WORLD);
}

static void transpose(const Work *work)
{
    int block = work->bytes / app.n_ranks;
    compute(work, 1);
    MPI_Alltoall(work->out, block, MPI_CHAR, work->in, block, MPI_CHAR, MPI_COMM_WORLD);
}

/* Rank 0 hands out one piece of work to each of the others, and collects the results. */
static void farm(const Work *work)
{
    if (app.rank != 0) {
        MPI_Recv(work->in, work->bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute(work, 1);
        MPI_Send(work->out, work->bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
        return;
    }
    for (int worker = 1; worker < app.n_ranks; worker++)
        MPI_Send(work->out, work->bytes, MPI_CHAR, worker, TAG, MPI_COMM_WORLD);
    compute(work, 0.2);
    for (int worker = 1; worker < app.n_ranks; worker++)
        MPI_Recv(work->in, work->bytes, MPI_CHAR, worker, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Computation overlaps with messages. */
static void overlapped(const Work *work)
{
    int left = (app.rank + app.n_ranks - 1) % app.n_ranks, right = (app.rank + 1) % app.n_ranks;
    MPI_Request requests[2];
    MPI_Irecv(work->in, work->bytes, MPI_CHAR, left, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(work->out, work->bytes, MPI_CHAR, right, TAG, MPI_COMM_WORLD, &requests[1]);
    compute(work, 0.8);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    compute(work, 0.2);
}

static const struct {
    const char *name;
    void (*step)(const Work *work);
} communications[] = {{"halo", halo},           {"reduce", reduce}, {"solve", solve},          {"sweep", sweep},
                      {"transpose", transpose}, {"farm", farm},     {"overlapped", overlapped}};

static const struct {
    const char *name;
    double (*share)(const Work *work);
} profiles[] = {{"constant", constant},         {"growing", growing},         {"shrinking", shrinking},
                {"refined", refined},           {"sawtooth", sawtooth},       {"wandering", wandering},
                {"irregular", irregular},       {"rarely_long", rarely_long}, {"cold_start", cold_start},
                {"filling_disk", filling_disk}, {"unbalanced", unbalanced}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    void (*step)(const Work *work) = NULL;
    Work work = {.steps = app_argument(argc, argv, 3, 1000),
                 .operations = (double)app_argument(argc, argv, 4, 1000000),
                 .bytes = (int)app_argument(argc, argv, 5, 10000)};
    for (size_t i = 0; argc > 2 && i < sizeof communications / sizeof *communications; i++)
        if (!strcmp(argv[1], communications[i].name))
            step = communications[i].step;
    for (size_t i = 0; argc > 2 && i < sizeof profiles / sizeof *profiles; i++)
        if (!strcmp(argv[2], profiles[i].name))
            work.share = profiles[i].share;
    if (!step || !work.share) {
        if (app.rank == 0)
            fprintf(stderr, "usage: %s COMMUNICATION PROFILE [STEPS [OPERATIONS [BYTES]]]\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    work.out = calloc((size_t)work.bytes + 1, 1);
    work.in = calloc((size_t)work.bytes + 1, 1);
    for (work.step = 0; work.step < work.steps; work.step++)
        step(&work);
    app_report("workloads", 0);
    free(work.out);
    free(work.in);
    MPI_Finalize();
    return 0;
}
