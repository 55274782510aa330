/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that MPI 4 introduced, if the library has them: persistent collectives, partitioned
 * messages, a send and a receive in one request, large counts. With a library without them, it does
 * nothing, and prints so.
 *
 *   mpi4 [ROUNDS]
 */
#include "app.h"

#if defined OPEN_MPI && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if MPI_VERSION >= 4
#define ALLREDUCE_INIT MPI_Allreduce_init
#define BARRIER_INIT MPI_Barrier_init
#define NEIGHBOR_ALLTOALL_INIT MPI_Neighbor_alltoall_init
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define ALLREDUCE_INIT MPIX_Allreduce_init
#define BARRIER_INIT MPIX_Barrier_init
#define NEIGHBOR_ALLTOALL_INIT MPIX_Neighbor_alltoall_init
#endif

static int left, right;
static double out[8], in[8];

#ifdef ALLREDUCE_INIT
static void persistent_collectives(long rounds)
{
    MPI_Request requests[3];
    MPI_Comm ring;
    const int periods[1] = {1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &app.n_ranks, periods, 0, &ring);
    ALLREDUCE_INIT(out, in, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    NEIGHBOR_ALLTOALL_INIT(out, 1, MPI_DOUBLE, in + 2, 1, MPI_DOUBLE, ring, MPI_INFO_NULL, &requests[2]);
    for (long i = 0; i < rounds; i++) {
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Startall(2, requests + 1);
        MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 3; k++)
            app_collective();
    }
    for (int k = 0; k < 3; k++)
        MPI_Request_free(&requests[k]);
    MPI_Comm_free(&ring);
}
#else
static void persistent_collectives(long rounds)
{
    (void)rounds;
    puts("no persistent collectives here");
}
#endif

#if MPI_VERSION >= 4
static void partitioned_messages(long rounds)
{
    enum { PARTITIONS = 4 };
    MPI_Request requests[2];
    int arrived;
    MPI_Psend_init(out, PARTITIONS, 2, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, PARTITIONS, 2, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (long i = 0; i < rounds; i++) {
        MPI_Startall(2, requests);
        MPI_Pready(0, requests[0]);
        MPI_Pready_range(1, PARTITIONS - 1, requests[0]);
        MPI_Parrived(requests[1], 0, &arrived);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        app_sent(PARTITIONS * 2 * sizeof(double));
        app_received();
    }
    for (int k = 0; k < 2; k++)
        MPI_Request_free(&requests[k]);
}

static void sends_and_receives_in_one(void)
{
    MPI_Request request;
    MPI_Isendrecv(out, 1, MPI_DOUBLE, right, 2, in, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    app_sent(sizeof(double));
    app_received();
    MPI_Isendrecv_replace(out, 2, MPI_DOUBLE, right, 3, left, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    app_sent(2 * sizeof(double));
    app_received();
    /* Only to the right. */
    const int to = app.rank < app.n_ranks - 1 ? right : MPI_PROC_NULL, from = app.rank > 0 ? left : MPI_PROC_NULL;
    MPI_Isendrecv(out, 1, MPI_DOUBLE, to, 4, in, 1, MPI_DOUBLE, from, 4, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (to != MPI_PROC_NULL)
        app_sent(sizeof(double));
    if (from != MPI_PROC_NULL)
        app_received();
}

static void large_counts(void)
{
    const MPI_Count one = 1;
    MPI_Request request;
    MPI_Irecv_c(in, one, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, &request);
    MPI_Send_c(out, one, MPI_DOUBLE, right, 5, MPI_COMM_WORLD);
    app_sent(sizeof(double));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    app_received();
    MPI_Allreduce_c(out, in, one, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    app_collective();
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const long rounds = app_argument(argc, argv, 1, 10);
    right = (app.rank + 1) % app.n_ranks;
    left = (app.rank + app.n_ranks - 1) % app.n_ranks;
    persistent_collectives(rounds);
#if MPI_VERSION >= 4
    partitioned_messages(rounds);
    sends_and_receives_in_one();
    large_counts();
#else
    puts("no MPI 4 here");
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    app_collective();
    app_report("mpi4", in[0]);
    MPI_Finalize();
    return 0;
}
