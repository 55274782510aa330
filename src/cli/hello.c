/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that `firma doctor` traces: two messages and a collective on any number of processes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n_processes, token = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
    int next = (rank + 1) % n_processes, previous = (rank + n_processes - 1) % n_processes;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &token, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == n_processes * (n_processes - 1) / 2 ? 0 : 1;
}
