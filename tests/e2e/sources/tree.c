/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
static double local(int rank)
{
    double s = 0;
    for (int i = 0; i < 100000; i++)
        s += 1.0 / (i + rank + 1);
    return s;
}
int main(int argc, char **argv)
{
    int rank, size, mask = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double sum = local(rank), other;
    while (mask < size) {
        if (rank & mask) {
            MPI_Send(&sum, 1, MPI_DOUBLE, rank ^ mask, 0, MPI_COMM_WORLD);
            break;
        }
        int partner = rank | mask;
        if (partner < size) {
            MPI_Recv(&other, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += other;
        }
        mask <<= 1;
    }
    MPI_Finalize();
    return 0;
}
