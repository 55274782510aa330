/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradient on the five-point Poisson matrix of a SIZE x SIZE grid, with rows divided into
 * blocks. An iteration has a halo exchange and two reductions. Each of SOLVES systems gets
 * ITERATIONS iterations.
 *
 *   cg [SIZE [ITERATIONS [SOLVES]]]
 */
#include "app.h"
#include <math.h>

typedef struct Grid {
    long columns, rows; /* own rows; vectors have one halo row above and one below */
    int above, below;   /* neighbours */
} Grid;

static double *new_vector(const Grid *grid)
{
    return calloc((size_t)((grid->rows + 2) * grid->columns), sizeof(double));
}

static void exchange_halo(const Grid *grid, double *x)
{
    long n = grid->columns;
    size_t bytes = (size_t)n * sizeof(double);
    MPI_Request requests[4];
    MPI_Irecv(x, (int)n, MPI_DOUBLE, grid->above, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(x + (grid->rows + 1) * n, (int)n, MPI_DOUBLE, grid->below, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(x + n, (int)n, MPI_DOUBLE, grid->above, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(x + grid->rows * n, (int)n, MPI_DOUBLE, grid->below, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (grid->above != MPI_PROC_NULL)
        app_sent(bytes), app_received();
    if (grid->below != MPI_PROC_NULL)
        app_sent(bytes), app_received();
}

/* y = A x */
static void apply_matrix(const Grid *grid, double *x, double *y)
{
    long n = grid->columns;
    exchange_halo(grid, x);
    for (long i = 1; i <= grid->rows; i++) {
        const double *up = x + (i - 1) * n, *row = x + i * n, *down = x + (i + 1) * n;
        double *out = y + i * n;
        out[0] = 4 * row[0] - up[0] - down[0] - row[1];
        for (long j = 1; j < n - 1; j++)
            out[j] = 4 * row[j] - up[j] - down[j] - row[j - 1] - row[j + 1];
        out[n - 1] = 4 * row[n - 1] - up[n - 1] - down[n - 1] - row[n - 2];
    }
    app_computed(5 * n * grid->rows);
}

static double dot(const Grid *grid, const double *x, const double *y)
{
    double sum = 0;
    for (long i = grid->columns; i < (grid->rows + 1) * grid->columns; i++)
        sum += x[i] * y[i];
    app_computed(2 * grid->columns * grid->rows);
    return app_sum(sum);
}

/* The norm of the residual after some iterations on A x = b, where b depends on the number of the
 * system. */
static double solve(const Grid *grid, long iterations, long system, double *x, double *r, double *p, double *q)
{
    long begin = grid->columns, end = (grid->rows + 1) * grid->columns;
    for (long i = begin; i < end; i++) {
        x[i] = 0;
        p[i] = r[i] = 1 + 0.1 * (double)((i + system) % 7);
    }
    double rr = dot(grid, r, r);
    for (long k = 0; k < iterations; k++) {
        apply_matrix(grid, p, q);
        double alpha = rr / dot(grid, p, q);
        for (long i = begin; i < end; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double rr_before = rr;
        rr = dot(grid, r, r);
        for (long i = begin; i < end; i++)
            p[i] = r[i] + rr / rr_before * p[i];
        app_computed(6 * (end - begin));
    }
    return sqrt(rr);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long size = app_argument(argc, argv, 1, 256);
    long iterations = app_argument(argc, argv, 2, 25), solves = app_argument(argc, argv, 3, 40), first;
    Grid grid = {.columns = size};
    app_block(size, app.rank, app.n_ranks, &first, &grid.rows);
    grid.above = app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL;
    grid.below = app.rank < app.n_ranks - 1 ? app.rank + 1 : MPI_PROC_NULL;
    double *x = new_vector(&grid), *r = new_vector(&grid), *p = new_vector(&grid), *q = new_vector(&grid);
    double checksum = 0;
    for (long system = 0; system < solves; system++)
        checksum += solve(&grid, iterations, system, x, r, p, q);
    app_report("cg", checksum);
    free(x), free(r), free(p), free(q);
    MPI_Finalize();
    return 0;
}
