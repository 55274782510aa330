/* SPDX-License-Identifier: BSD-3-Clause */
/* Equal steps whose messages complete in any order.
 *
 *   anyorder [STEPS [WORK [HOW]]]
 *
 * Every rank exchanges messages with its neighbours 1 and 2 places on and back, and completes the receives by HOW:
 * waitany, waitsome, testany or testsome. Each step ends with an allreduce. */
#include "app.h"
#include <string.h>

enum { NEIGHBOURS = 4, COUNT = 128 };

/* Completes some receives. Returns how many. */
static int complete(const char *how, MPI_Request *receives)
{
    int n = 0, index, flag = 0, indices[NEIGHBOURS];
    if (strcmp(how, "waitany") == 0) {
        MPI_Waitany(NEIGHBOURS, receives, &index, MPI_STATUS_IGNORE);
        n = 1;
    } else if (strcmp(how, "testany") == 0) {
        MPI_Testany(NEIGHBOURS, receives, &index, &flag, MPI_STATUS_IGNORE);
        n = flag;
    } else if (strcmp(how, "testsome") == 0) {
        MPI_Testsome(NEIGHBOURS, receives, &n, indices, MPI_STATUSES_IGNORE);
    } else {
        MPI_Waitsome(NEIGHBOURS, receives, &n, indices, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < n; i++)
        app_received();
    return n;
}

static int neighbour(int i)
{
    static const int distances[NEIGHBOURS] = {-2, -1, 1, 2};
    return (app.rank + distances[i] + 2 * app.n_ranks) % app.n_ranks;
}

static double step(long number, const char *how)
{
    double out[COUNT], in[NEIGHBOURS][COUNT], sum = 0, all;
    MPI_Request receives[NEIGHBOURS], sends[NEIGHBOURS];
    for (int i = 0; i < NEIGHBOURS; i++)
        MPI_Irecv(in[i], COUNT, MPI_DOUBLE, neighbour(i), 1, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < COUNT; i++)
        out[i] = (double)(number + i);
    for (int i = 0; i < NEIGHBOURS; i++) {
        MPI_Isend(out, COUNT, MPI_DOUBLE, neighbour(i), 1, MPI_COMM_WORLD, &sends[i]);
        app_sent(sizeof out);
    }
    for (int done = 0; done < NEIGHBOURS;)
        done += complete(how, receives);
    MPI_Waitall(NEIGHBOURS, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < NEIGHBOURS; i++)
        sum += in[i][COUNT - 1];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    app_collective();
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long steps = app_argument(argc, argv, 1, 100), work = app_argument(argc, argv, 2, 100000);
    double sum = 0;
    for (long i = 0; i < steps; i++) {
        app_work(work * (1 + (app.rank + i) % 3)); /* who is first changes */
        sum += step(i, argc > 3 ? argv[3] : "waitany");
    }
    app_report("anyorder", sum);
    MPI_Finalize();
    return 0;
}
