/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
typedef struct {
    int n, m, up, down, left, right;
    MPI_Comm comm;
    MPI_Datatype column;
} Grid;
static void setup(Grid *g, int n)
{
    int size, dims[2] = {0, 0}, periods[2] = {0, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &g->comm);
    MPI_Cart_shift(g->comm, 0, 1, &g->up, &g->down);
    MPI_Cart_shift(g->comm, 1, 1, &g->left, &g->right);
    g->n = n / dims[0];
    g->m = n / dims[1];
    MPI_Type_vector(g->n, 1, g->m + 2, MPI_DOUBLE, &g->column);
    MPI_Type_commit(&g->column);
}
static void exchange(const Grid *g, double *u)
{
    int w = g->m + 2;
    MPI_Sendrecv(u + w + 1, g->m, MPI_DOUBLE, g->up, 1, u + (g->n + 1) * w + 1, g->m, MPI_DOUBLE, g->down, 1, g->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + g->n * w + 1, g->m, MPI_DOUBLE, g->down, 2, u + 1, g->m, MPI_DOUBLE, g->up, 2, g->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + w + 1, 1, g->column, g->left, 3, u + w + g->m + 1, 1, g->column, g->right, 3, g->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + w + g->m, 1, g->column, g->right, 4, u + w, 1, g->column, g->left, 4, g->comm, MPI_STATUS_IGNORE);
}
static double step(const Grid *g, const double *u, double *v)
{
    int w = g->m + 2;
    double change = 0;
    for (int i = 1; i <= g->n; i++)
        for (int j = 1; j <= g->m; j++) {
            int k = i * w + j;
            v[k] = 0.25 * (u[k - 1] + u[k + 1] + u[k - w] + u[k + w]);
            change += fabs(v[k] - u[k]);
        }
    return change;
}
int main(int argc, char **argv)
{
    Grid g;
    MPI_Init(&argc, &argv);
    setup(&g, 240);
    double *u = calloc((g.n + 2) * (g.m + 2), sizeof *u), *v = calloc((g.n + 2) * (g.m + 2), sizeof *v);
    u[g.m + 4] = 1e6;
    for (int t = 0; t < 100; t++) {
        double change, all;
        exchange(&g, u);
        change = step(&g, u, v);
        if (t % 10 == 9) {
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, g.comm);
            if (all < 1e-9)
                break;
        }
        double *s = u;
        u = v;
        v = s;
    }
    MPI_Type_free(&g.column);
    MPI_Finalize();
    return 0;
}
