/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes between three collectives, each of another kind, so that nothing repeats; or without any
 * collective, so that ranks exchange nothing.
 *
 *   once [operations [silent]]     operations: of each of four computations
 */
#include "app.h"

int main(int argc, char **argv)
{
    double own = 1, all = 0;
    MPI_Init(&argc, &argv);
    app_start();
    const long operations = app_argument(argc, argv, 1, 100000000);
    const int is_silent = argc > 2;
    app_work(operations);
    if (!is_silent)
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    app_work(operations);
    if (!is_silent)
        MPI_Bcast(&all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    app_work(operations);
    if (!is_silent)
        MPI_Barrier(MPI_COMM_WORLD);
    app_work(operations);
    MPI_Finalize();
    return 0;
}
