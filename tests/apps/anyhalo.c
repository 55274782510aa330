/* SPDX-License-Identifier: BSD-3-Clause */
/* A solver on a ring of blocks with neighbours at distances 1 and 4. It receives halos from any
 * source, and works on each as soon as it arrives. Every tenth iteration also exchanges coarse
 * corrections, and ends with a sum over all ranks. The computation differs from rank to rank and
 * from step to step.
 *
 *   anyhalo [ITERATIONS [OPERATIONS]]
 */
#include "app.h"

enum { N_NEIGHBOURS = 4, HALO = 512, COARSE = 64, TAG_HALO = 1, TAG_COARSE = 2 };
static const int distances[N_NEIGHBOURS] = {1, -1, 4, -4};

static double exchange(int n_doubles, int tag, long operations)
{
    static double mine[HALO], theirs[N_NEIGHBOURS][HALO];
    MPI_Request sends[N_NEIGHBOURS], receives[N_NEIGHBOURS];
    double sum = 0;
    for (int i = 0; i < n_doubles; i++)
        mine[i] = app.rank + i;
    for (int i = 0; i < N_NEIGHBOURS; i++)
        MPI_Irecv(theirs[i], n_doubles, MPI_DOUBLE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < N_NEIGHBOURS; i++) {
        int peer = ((app.rank + distances[i]) % app.n_ranks + app.n_ranks) % app.n_ranks;
        MPI_Isend(mine, n_doubles, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &sends[i]);
        app_sent((size_t)n_doubles * sizeof *mine);
    }
    for (int i = 0; i < N_NEIGHBOURS; i++) {
        int which;
        MPI_Waitany(N_NEIGHBOURS, receives, &which, MPI_STATUS_IGNORE);
        app_received();
        app_work(operations / N_NEIGHBOURS);
        sum += theirs[which][0];
    }
    MPI_Waitall(N_NEIGHBOURS, sends, MPI_STATUSES_IGNORE);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long iterations = app_argument(argc, argv, 1, 200), operations = app_argument(argc, argv, 2, 100000);
    double sum = 0;
    for (long i = 0; i < iterations; i++) {
        long own =
            operations + (long)(app_hash((unsigned long)app.rank, (unsigned long)i) % (unsigned long)operations) / 4;
        app_work(own);
        sum += exchange(HALO, TAG_HALO, own / 4);
        if (i % 10 == 9) {
            sum += exchange(COARSE, TAG_COARSE, own / 8);
            sum = app_sum(sum) / app.n_ranks;
        }
    }
    app_report("anyhalo", sum);
    MPI_Finalize();
    return 0;
}
