/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that come too late, each in its way, by PAUSE_MS in each of STEPS steps: process 1 sends late
 * to process 0, process 0 receives late from process 1, and process 2 comes late to a barrier. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void rest(long pause_ms)
{
    nanosleep(&(struct timespec){pause_ms / 1000, pause_ms % 1000 * 1000000}, NULL);
}

int main(int argc, char **argv)
{
    int rank, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long steps = argc > 1 ? atol(argv[1]) : 20, pause_ms = argc > 2 ? atol(argv[2]) : 10;
    for (long i = 0; i < steps; i++) {
        if (rank == 1) {
            rest(pause_ms);
            MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Ssend(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        } else if (rank == 0) {
            MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            rest(pause_ms);
            MPI_Recv(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 2) {
            rest(4 * pause_ms);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
