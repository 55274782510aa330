/* SPDX-License-Identifier: BSD-3-Clause */
/* Long messages from rank to rank. A rank can't send one before the next rank receives it. Ranks
 * with odd numbers wait by polling. Without these waits, the first rank would run ahead of the
 * others.
 *
 *   convoy [MESSAGES [DOUBLES]]
 */
#include "app.h"

static void wait_by_polling(int from)
{
    int found = 0;
    while (!found)
        MPI_Iprobe(from, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const long messages = app_argument(argc, argv, 1, 200), doubles = app_argument(argc, argv, 2, 100000);
    double *load = calloc((size_t)doubles, sizeof *load), sum = 0;
    for (long i = 0; i < messages; i++) {
        load[i % doubles] += (double)(app.rank + 1);
        if (app.rank > 0) {
            if (app.rank % 2)
                wait_by_polling(app.rank - 1);
            MPI_Recv(load, (int)doubles, MPI_DOUBLE, app.rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            app_received();
        }
        sum += load[i % doubles];
        if (app.rank + 1 < app.n_ranks) {
            MPI_Send(load, (int)doubles, MPI_DOUBLE, app.rank + 1, 0, MPI_COMM_WORLD);
            app_sent((size_t)doubles * sizeof *load);
        }
    }
    free(load);
    app_report("convoy", app_sum(sum));
    MPI_Finalize();
    return 0;
}
