/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles that migrate. In each step, a rank sends some particles to a few others, which depend
 * on the step. It takes incoming particles in any order, polling with MPI_Iprobe for any source.
 * Every twentieth step sums up the energy. The number of a rank's particles, and its computation,
 * change slowly.
 *
 *   migration [STEPS [OPERATIONS]]
 */
#include "app.h"

enum { MOST_TARGETS = 3, LARGEST_MESSAGE = 1 << 16, TAG_PARTICLES = 1 };

/* The ranks that get particles from `rank` in a step. Steps repeat after 8. */
static int choose_targets(int rank, long step, int targets[MOST_TARGETS])
{
    int n = 0, wanted = 1 + (int)(app_hash((unsigned long)rank, (unsigned long)(step % 8)) % MOST_TARGETS);
    for (int i = 0; i < wanted; i++) {
        int target = (rank + 1 + i * (1 + (int)(step % 4))) % app.n_ranks;
        if (target != rank)
            targets[n++] = target;
    }
    return n;
}

static int count_incoming(long step)
{
    int targets[MOST_TARGETS], incoming = 0;
    for (int rank = 0; rank < app.n_ranks; rank++)
        for (int n = choose_targets(rank, step, targets); n-- > 0;)
            incoming += targets[n] == app.rank;
    return incoming;
}

static void migrate(long step, long operations)
{
    static char outgoing[LARGEST_MESSAGE], incoming[LARGEST_MESSAGE];
    MPI_Request sends[MOST_TARGETS];
    int targets[MOST_TARGETS], n = choose_targets(app.rank, step, targets), left = count_incoming(step);
    for (int i = 0; i < n; i++) {
        int bytes = 8000 + (int)(app_hash((unsigned long)app.rank, (unsigned long)step) % 300);
        MPI_Isend(outgoing, bytes, MPI_BYTE, targets[i], TAG_PARTICLES, MPI_COMM_WORLD, &sends[i]);
        app_sent((size_t)bytes);
    }
    while (left) {
        MPI_Status status;
        int is_there;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_PARTICLES, MPI_COMM_WORLD, &is_there, &status);
        if (!is_there)
            continue;
        MPI_Recv(incoming, LARGEST_MESSAGE, MPI_BYTE, status.MPI_SOURCE, TAG_PARTICLES, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        app_received();
        app_work(operations / 16);
        left--;
    }
    MPI_Waitall(n, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long steps = app_argument(argc, argv, 1, 200), operations = app_argument(argc, argv, 2, 100000);
    double energy = 0;
    for (long step = 0; step < steps; step++) {
        long share = (long)(app_hash((unsigned long)app.rank, (unsigned long)(step / 20)) % (unsigned long)operations);
        app_work(operations + share / 5);
        migrate(step, operations);
        if (step % 20 == 19)
            energy = app_sum((double)app.rank) + energy / 2;
    }
    app_report("migration", energy);
    MPI_Finalize();
    return 0;
}
