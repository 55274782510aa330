/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls functions by both of their names: 2 barriers and 2 reductions by MPI_X, 3 barriers by
 * PMPI_X. With -DNO_PROFILING_NAMES, it makes no calls by PMPI_X. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int level, out = 0;
    const int in = 42;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    for (int i = 0; i < 2; i++) {
        const int failed = MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        printf("%d %d\n", failed, out);
    }
#ifndef NO_PROFILING_NAMES
    for (int i = 0; i < 2; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        PMPI_Barrier(MPI_COMM_WORLD);
#endif
    return MPI_Finalize();
}
