/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives on communicators with each kind of topology.
 *
 *   neighbours [ROUNDS]
 *
 * At its end every rank prints, besides the lines of app.h, for each rank that it sends to
 *   neighbour rank R to S bytes N
 */
#include "app.h"

enum { MOST = 64, NEIGHBOURS_MOST = 4 };
static long long sent[MOST];

static void gives(int to, size_t bytes)
{
    if (to != MPI_PROC_NULL && to != app.rank)
        sent[to] += (long long)bytes;
}

/* A grid that is closed in one dimension and open in the other, so that some neighbours are missing. */
static void on_a_grid(long rounds)
{
    double out[4 * NEIGHBOURS_MOST] = {0}, in[4 * NEIGHBOURS_MOST];
    int dimensions[2] = {0, 0}, neighbours[4];
    const int periods[2] = {1, 0};
    MPI_Comm grid, copy;
    MPI_Dims_create(app.n_ranks, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Comm_dup(grid, &copy);
    for (int i = 0; i < 2; i++)
        MPI_Cart_shift(grid, i, 1, &neighbours[2 * i], &neighbours[2 * i + 1]);
    for (long round = 0; round < rounds; round++) {
        app_work(1000);
        MPI_Neighbor_alltoall(out, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, grid);
        MPI_Neighbor_allgather(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, copy);
        for (int i = 0; i < 4; i++)
            gives(neighbours[i], 7 * sizeof(double));
    }
    MPI_Comm_free(&copy);
    MPI_Comm_free(&grid);
}

/* Each rank sends to the first and to the third one behind it. */
static void on_a_distributed_graph(long rounds)
{
    double out[2 * NEIGHBOURS_MOST] = {0}, in[2 * NEIGHBOURS_MOST];
    const int counts[2] = {2, 2}, places[2] = {0, 2}, weights[2] = {1, 1}, n = app.n_ranks;
    const int to[2] = {(app.rank + 1) % n, (app.rank + 3) % n};
    const int from[2] = {(app.rank + n - 1) % n, (app.rank + 3 * n - 3) % n};
    MPI_Comm graph;
    MPI_Request request;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights, MPI_INFO_NULL, 0, &graph);
    for (long round = 0; round < rounds; round++) {
        MPI_Ineighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, graph, &request);
        app_work(1000);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, graph);
        for (int i = 0; i < 2; i++)
            gives(to[i], 3 * sizeof(double));
    }
    MPI_Comm_free(&graph);
}

/* A ring. */
static void on_a_graph(long rounds)
{
    double out = 0, in[2];
    int ends[MOST], edges[2 * MOST];
    const int counts[2] = {1, 1}, places[2] = {0, 1}, n = app.n_ranks;
    MPI_Comm ring;
    for (int i = 0; i < n; i++) {
        ends[i] = 2 * (i + 1);
        edges[2 * i] = (i + 1) % n;
        edges[2 * i + 1] = (i + n - 1) % n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, n, ends, edges, 0, &ring);
    for (long round = 0; round < rounds; round++) {
        MPI_Neighbor_allgatherv(&out, 1, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, ring);
        gives((app.rank + 1) % n, sizeof(double));
        gives((app.rank + n - 1) % n, sizeof(double));
    }
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const long rounds = app_argument(argc, argv, 1, 10);
    if (app.n_ranks > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    on_a_grid(rounds);
    on_a_distributed_graph(rounds);
    on_a_graph(rounds);
    for (int i = 0; i < app.n_ranks; i++)
        if (sent[i])
            printf("neighbour rank %d to %d bytes %lld\n", app.rank, i, sent[i]);
    app_report("neighbours", 0);
    MPI_Finalize();
    return 0;
}
