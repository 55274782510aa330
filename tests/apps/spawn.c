/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that spawns more processes of itself, exchanges messages with them, and goes on alone.
 *
 *   spawn [CHILDREN]
 *
 * Each parent sends a number to the first child, which sends back the sum. Before and after, the
 * parents' ring has one message per rank. app.h counts only the parents' world. */
#include "app.h"

static void ring(void)
{
    int to = (app.rank + 1) % app.n_ranks, from = (app.rank + app.n_ranks - 1) % app.n_ranks, in;
    MPI_Sendrecv(&app.rank, 1, MPI_INT, to, 1, &in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    app_sent(sizeof in);
    app_received();
}

static int be_a_child(MPI_Comm parents)
{
    int rank, n_parents, sum = 0, number;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_remote_size(parents, &n_parents);
    for (int i = 0; rank == 0 && i < n_parents; i++) {
        MPI_Recv(&number, 1, MPI_INT, i, 1, parents, MPI_STATUS_IGNORE);
        sum += number;
    }
    for (int i = 0; rank == 0 && i < n_parents; i++)
        MPI_Send(&sum, 1, MPI_INT, i, 2, parents);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&parents);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Comm parents, children;
    MPI_Request request;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL)
        return be_a_child(parents);
    app_start();
    ring();
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, (int)app_argument(argc, argv, 1, 1), MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &children, MPI_ERRCODES_IGNORE);
    MPI_Irecv(&sum, 1, MPI_INT, 0, 2, children, &request);
    MPI_Send(&app.rank, 1, MPI_INT, 0, 1, children);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&children);
    for (int i = 0; i < 3; i++)
        ring();
    app_report("spawn", sum);
    MPI_Finalize();
    return 0;
}
