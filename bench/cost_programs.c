/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication alone, ROUNDS times in one of the ways that KERNEL says. Prints the time of a round: the least,
 * and the first decile. For bench/cost_programs.py. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALO_SENDRECV, HALO_NONBLOCKING, PING_PONG, ALLREDUCE, BCAST, ALLTOALL, GATHER, ALLGATHER, BARRIER };

#ifndef KERNEL
#define KERNEL HALO_SENDRECV
#endif
#ifndef DOUBLES
#define DOUBLES 1000
#endif
#define ROUNDS 2000

static double out[64 * DOUBLES], in[64 * DOUBLES], times_s[ROUNDS];

static void communicate(int rank, int n_ranks)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < n_ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];
    switch (KERNEL) {
    case HALO_SENDRECV:
        MPI_Sendrecv(out, DOUBLES, MPI_DOUBLE, left, 0, in, DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(out, DOUBLES, MPI_DOUBLE, right, 1, in, DOUBLES, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        break;
    case HALO_NONBLOCKING:
        MPI_Irecv(in, DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + DOUBLES, DOUBLES, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(out, DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(out, DOUBLES, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        break;
    case PING_PONG:
        if (rank == 0) {
            MPI_Send(out, DOUBLES, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(in, DOUBLES, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(in, DOUBLES, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, DOUBLES, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
        break;
    case ALLREDUCE:
        MPI_Allreduce(out, in, DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        break;
    case BCAST:
        MPI_Bcast(out, DOUBLES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(out, DOUBLES, MPI_DOUBLE, 1, MPI_COMM_WORLD); /* so that the first root waits, too */
        break;
    case ALLTOALL:
        MPI_Alltoall(out, DOUBLES, MPI_DOUBLE, in, DOUBLES, MPI_DOUBLE, MPI_COMM_WORLD);
        break;
    case GATHER:
        MPI_Gather(out, DOUBLES, MPI_DOUBLE, in, DOUBLES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Gather(out, DOUBLES, MPI_DOUBLE, in, DOUBLES, MPI_DOUBLE, 1, MPI_COMM_WORLD);
        break;
    case ALLGATHER:
        MPI_Allgather(out, DOUBLES, MPI_DOUBLE, in, DOUBLES, MPI_DOUBLE, MPI_COMM_WORLD);
        break;
    default:
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    for (int i = 0; i < ROUNDS; i++) {
        double start_s = MPI_Wtime();
        communicate(rank, n_ranks);
        times_s[i] = MPI_Wtime() - start_s;
    }
    if (rank == 0) {
        qsort(times_s, ROUNDS, sizeof *times_s, by_value);
        printf("round_s %.9f %.9f\n", times_s[0], times_s[ROUNDS / 10]);
    }
    MPI_Finalize();
    return 0;
}
