/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends MESSAGES messages at once. Rank 1 computes for OPERATIONS after the first, then takes the others.
 *
 *   ahead [MESSAGES [BYTES [OPERATIONS]]]
 */
#include "app.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long n = app_argument(argc, argv, 1, 20), bytes = app_argument(argc, argv, 2, 20000),
         operations = app_argument(argc, argv, 3, 100000000);
    char *message = calloc((size_t)bytes, 1);
    for (long i = 0; i < n; i++) {
        if (app.rank == 0) {
            MPI_Send(message, (int)bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            app_sent((size_t)bytes);
        } else if (app.rank == 1) {
            MPI_Recv(message, (int)bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            app_received();
            if (i == 0)
                app_work(operations);
        }
    }
    app_report("ahead", (double)n);
    free(message);
    MPI_Finalize();
    return 0;
}
