/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>
static int rank, size;
int main(int argc, char **argv)
{
    int n, blocks = 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        n = 400;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double *u = calloc(n, sizeof *u);
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int b = 0; b < blocks; b++) {
        MPI_Recv(u, n / blocks, MPI_DOUBLE, before, b, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < 1000; k++)
            for (int i = 1; i < n / blocks; i++)
                u[i] += 0.5 * u[i - 1];
        MPI_Send(u, n / blocks, MPI_DOUBLE, after, b, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
