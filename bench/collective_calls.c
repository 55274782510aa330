/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls one collective several times (collective_graphs.py).
 *
 *   collective_calls OPERATION BYTES TIMES [ROOT]
 *
 * BYTES is the message of a bcast, reduce, allreduce or scan, and a member's part in the others.
 * Doubles, so a multiple of 8. Prints `time_s T`, from the first call to the last. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Call {
    double *in, *out;
    int count, n, root;
    int *counts, *places;
} Call;

static void call(const char *operation, const Call *c)
{
    MPI_Comm world = MPI_COMM_WORLD;
    if (!strcmp(operation, "barrier"))
        MPI_Barrier(world);
    else if (!strcmp(operation, "bcast"))
        MPI_Bcast(c->in, c->count, MPI_DOUBLE, c->root, world);
    else if (!strcmp(operation, "reduce"))
        MPI_Reduce(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, c->root, world);
    else if (!strcmp(operation, "allreduce"))
        MPI_Allreduce(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, world);
    else if (!strcmp(operation, "gather"))
        MPI_Gather(c->in, c->count, MPI_DOUBLE, c->out, c->count, MPI_DOUBLE, c->root, world);
    else if (!strcmp(operation, "gatherv"))
        MPI_Gatherv(c->in, c->count, MPI_DOUBLE, c->out, c->counts, c->places, MPI_DOUBLE, c->root, world);
    else if (!strcmp(operation, "scatter"))
        MPI_Scatter(c->in, c->count, MPI_DOUBLE, c->out, c->count, MPI_DOUBLE, c->root, world);
    else if (!strcmp(operation, "scatterv"))
        MPI_Scatterv(c->in, c->counts, c->places, MPI_DOUBLE, c->out, c->count, MPI_DOUBLE, c->root, world);
    else if (!strcmp(operation, "allgather"))
        MPI_Allgather(c->in, c->count, MPI_DOUBLE, c->out, c->count, MPI_DOUBLE, world);
    else if (!strcmp(operation, "allgatherv"))
        MPI_Allgatherv(c->in, c->count, MPI_DOUBLE, c->out, c->counts, c->places, MPI_DOUBLE, world);
    else if (!strcmp(operation, "alltoall"))
        MPI_Alltoall(c->in, c->count, MPI_DOUBLE, c->out, c->count, MPI_DOUBLE, world);
    else if (!strcmp(operation, "alltoallv"))
        MPI_Alltoallv(c->in, c->counts, c->places, MPI_DOUBLE, c->out, c->counts, c->places, MPI_DOUBLE, world);
    else if (!strcmp(operation, "reduce_scatter"))
        MPI_Reduce_scatter(c->in, c->out, c->counts, MPI_DOUBLE, MPI_SUM, world);
    else if (!strcmp(operation, "reduce_scatter_block"))
        MPI_Reduce_scatter_block(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, world);
    else if (!strcmp(operation, "scan"))
        MPI_Scan(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, world);
    else if (!strcmp(operation, "exscan"))
        MPI_Exscan(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, world);
    else
        MPI_Abort(world, 2);
}

int main(int argc, char **argv)
{
    Call c = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.n);
    if (argc < 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    c.count = atoi(argv[2]) / (int)sizeof(double);
    c.root = argc > 4 ? atoi(argv[4]) : 0;
    c.in = calloc((size_t)c.n * (size_t)c.count + 1, sizeof *c.in);
    c.out = calloc((size_t)c.n * (size_t)c.count + 1, sizeof *c.out);
    c.counts = calloc((size_t)c.n, sizeof *c.counts);
    c.places = calloc((size_t)c.n, sizeof *c.places);
    if (!c.in || !c.out || !c.counts || !c.places)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < c.n; i++) {
        c.counts[i] = c.count;
        c.places[i] = i * c.count;
    }
    double start = MPI_Wtime();
    for (int i = 0; i < atoi(argv[3]); i++)
        call(argv[1], &c);
    double took_s = MPI_Wtime() - start;
    if (!rank)
        printf("time_s %.9f\n", took_s);
    free(c.in);
    free(c.out);
    free(c.counts);
    free(c.places);
    MPI_Finalize();
    return 0;
}
