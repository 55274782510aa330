/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, row_rank, row_size, provided;
    double mine[32], all[32 * 64], sum[32];
    MPI_Comm row, column;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &column);
    MPI_Comm_rank(row, &row_rank);
    MPI_Comm_size(row, &row_size);
    for (int i = 0; i < 10; i++) {
        MPI_Gather(mine, 32, MPI_DOUBLE, all, 32, MPI_DOUBLE, 0, row);
        MPI_Reduce(mine, sum, 32, MPI_DOUBLE, MPI_SUM, 0, column);
        MPI_Scatter(all, 32, MPI_DOUBLE, mine, 32, MPI_DOUBLE, 0, row);
        MPI_Allgather(mine, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, MPI_COMM_WORLD);
        if (row_rank == row_size - 1 && row_size > 1)
            MPI_Send(mine, 3, MPI_DOUBLE, 0, 5, row);
        else if (row_rank == 0 && row_size > 1)
            MPI_Recv(mine, 3, MPI_DOUBLE, row_size - 1, 5, row, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
