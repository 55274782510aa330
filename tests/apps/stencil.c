/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi iteration with the five-point stencil on a SIZE x SIZE grid in two-dimensional blocks. A
 * step has four small messages each way, nonblocking. Every hundred steps, a reduction computes the
 * change.
 *
 *   stencil [SIZE [STEPS]]
 */
#include "app.h"

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct Block {
    long rows, columns; /* own rows and columns; arrays have a halo of one all around */
    int neighbour[SIDES];
    double *edge_out[SIDES], *edge_in[SIDES];
} Block;

static double *cell(const Block *block, double *u, long i, long j)
{
    return u + i * (block->columns + 2) + j;
}

static long edge_length(const Block *block, int side)
{
    return side == NORTH || side == SOUTH ? block->columns : block->rows;
}

/* Own cells along a side (depth 1), or its halo (depth 0). */
static double *edge_cell(const Block *block, double *u, int side, long k, int depth)
{
    switch (side) {
    case NORTH:
        return cell(block, u, depth, k + 1);
    case SOUTH:
        return cell(block, u, block->rows + 1 - depth, k + 1);
    case WEST:
        return cell(block, u, k + 1, depth);
    default:
        return cell(block, u, k + 1, block->columns + 1 - depth);
    }
}

static void exchange_edges(const Block *block, double *u)
{
    static const int opposite[SIDES] = {SOUTH, NORTH, EAST, WEST};
    MPI_Request requests[2 * SIDES];
    int n = 0;
    for (int side = 0; side < SIDES; side++)
        if (block->neighbour[side] != MPI_PROC_NULL)
            MPI_Irecv(block->edge_in[side], (int)edge_length(block, side), MPI_DOUBLE, block->neighbour[side], side,
                      MPI_COMM_WORLD, &requests[n++]);
    for (int side = 0; side < SIDES; side++) {
        if (block->neighbour[side] == MPI_PROC_NULL)
            continue;
        long length = edge_length(block, side);
        for (long k = 0; k < length; k++)
            block->edge_out[side][k] = *edge_cell(block, u, side, k, 1);
        MPI_Isend(block->edge_out[side], (int)length, MPI_DOUBLE, block->neighbour[side], opposite[side],
                  MPI_COMM_WORLD, &requests[n++]);
        app_sent((size_t)length * sizeof(double));
        app_received();
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; side < SIDES; side++)
        for (long k = 0; block->neighbour[side] != MPI_PROC_NULL && k < edge_length(block, side); k++)
            *edge_cell(block, u, side, k, 0) = block->edge_in[side][k];
}

/* One step from u to v. Returns the sum of the squared changes. */
static double relax(const Block *block, double *u, double *v)
{
    long stride = block->columns + 2;
    double change = 0;
    for (long i = 1; i <= block->rows; i++) {
        const double *row = u + i * stride;
        double *out = v + i * stride;
        for (long j = 1; j <= block->columns; j++) {
            out[j] = 0.25 * (row[j - stride] + row[j + stride] + row[j - 1] + row[j + 1]);
            change += (out[j] - row[j]) * (out[j] - row[j]);
        }
    }
    return change;
}

static void set_up(Block *block, long size)
{
    int dims[2] = {0, 0};
    long first;
    MPI_Dims_create(app.n_ranks, 2, dims);
    int row = app.rank / dims[1], column = app.rank % dims[1];
    app_block(size, row, dims[0], &first, &block->rows);
    app_block(size, column, dims[1], &first, &block->columns);
    block->neighbour[NORTH] = row > 0 ? app.rank - dims[1] : MPI_PROC_NULL;
    block->neighbour[SOUTH] = row < dims[0] - 1 ? app.rank + dims[1] : MPI_PROC_NULL;
    block->neighbour[WEST] = column > 0 ? app.rank - 1 : MPI_PROC_NULL;
    block->neighbour[EAST] = column < dims[1] - 1 ? app.rank + 1 : MPI_PROC_NULL;
    for (int side = 0; side < SIDES; side++) {
        block->edge_out[side] = calloc((size_t)edge_length(block, side), sizeof(double));
        block->edge_in[side] = calloc((size_t)edge_length(block, side), sizeof(double));
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long size = app_argument(argc, argv, 1, 64), steps = app_argument(argc, argv, 2, 5000);
    Block block;
    set_up(&block, size);
    size_t cells = (size_t)((block.rows + 2) * (block.columns + 2));
    double *u = calloc(cells, sizeof(double)), *v = calloc(cells, sizeof(double));
    if (block.neighbour[NORTH] == MPI_PROC_NULL) /* the north side is kept at 1 */
        for (long j = 0; j < block.columns + 2; j++)
            u[j] = v[j] = 1;
    double change = 0, sum = 0;
    for (long step = 1; step <= steps; step++) {
        exchange_edges(&block, u);
        double own_change = relax(&block, u, v);
        double *swap = u;
        u = v;
        v = swap;
        if (step % 100 == 0)
            change = app_sum(own_change);
    }
    for (long i = 1; i <= block.rows; i++)
        for (long j = 1; j <= block.columns; j++)
            sum += *cell(&block, u, i, j);
    app_report("stencil", app_sum(sum) + change);
    free(u), free(v);
    for (int side = 0; side < SIDES; side++)
        free(block.edge_in[side]), free(block.edge_out[side]);
    MPI_Finalize();
    return 0;
}
