/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r exchanges messages with rank r + n/2, and computes in between, if the run is simulated by
 * SMPI. Prints the time. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50, BYTES = 50000 };

static char sent[BYTES], received[BYTES];

int main(int argc, char **argv)
{
    int rank, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    double begin_s = MPI_Wtime();
    for (int i = 0; i < ROUNDS; i++) {
#ifdef SMPI_H
        smpi_execute_flops(1e5);
#endif
        MPI_Sendrecv(sent, BYTES, MPI_CHAR, (rank + n / 2) % n, 0, received, BYTES, MPI_CHAR, (rank + n / 2) % n, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("time_s %.9g\n", MPI_Wtime() - begin_s);
    MPI_Finalize();
    return 0;
}
