/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat on a rod of CELLS cells a process, in two stages: first STEPS explicit steps (exchange of
 * the ends, update), then implicit steps, each solved by ITERATIONS of conjugate gradients
 * (exchange, two reductions). The two stages have nothing in common, so a signature of the run's
 * beginning misses the second stage.
 *
 *   twostage [CELLS [STEPS [IMPLICIT_STEPS [ITERATIONS]]]]
 */
#include "app.h"

static const double COURANT = 0.4, STIFFNESS = 40;

typedef struct Rod {
    long cells;
    int left, right; /* ranks */
} Rod;

/* Fills the two cells beside the own ones. The rod's ends stay at 0. */
static void exchange_ends(const Rod *rod, double *u)
{
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, rod->left, 0, &u[rod->cells + 1], 1, MPI_DOUBLE, rod->right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[rod->cells], 1, MPI_DOUBLE, rod->right, 1, &u[0], 1, MPI_DOUBLE, rod->left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int side = 0; side < 2; side++)
        if ((side ? rod->right : rod->left) != MPI_PROC_NULL)
            app_sent(sizeof(double)), app_received();
}

static void step_explicitly(const Rod *rod, double *u, double *v)
{
    exchange_ends(rod, u);
    for (long i = 1; i <= rod->cells; i++)
        v[i] = u[i] + COURANT * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (long i = 1; i <= rod->cells; i++)
        u[i] = v[i];
}

static double dot(const Rod *rod, const double *x, const double *y)
{
    double sum = 0;
    for (long i = 1; i <= rod->cells; i++)
        sum += x[i] * y[i];
    return app_sum(sum);
}

/* out = (1 + STIFFNESS · Laplacian) u */
static void apply(const Rod *rod, double *u, double *out)
{
    exchange_ends(rod, u);
    for (long i = 1; i <= rod->cells; i++)
        out[i] = u[i] + STIFFNESS * (2 * u[i] - u[i - 1] - u[i + 1]);
}

/* Solves for the next u, with a fixed number of iterations from the last u. r, p and q are
 * scratch. */
static void step_implicitly(const Rod *rod, double *u, double *r, double *p, double *q, long iterations)
{
    apply(rod, u, q);
    for (long i = 1; i <= rod->cells; i++)
        p[i] = r[i] = u[i] - q[i];
    double rho = dot(rod, r, r);
    for (long k = 0; k < iterations && rho > 1e-200; k++) {
        apply(rod, p, q);
        double alpha = rho / dot(rod, p, q);
        for (long i = 1; i <= rod->cells; i++) {
            u[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(rod, r, r);
        for (long i = 1; i <= rod->cells; i++)
            p[i] = r[i] + next / rho * p[i];
        rho = next;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const Rod rod = {app_argument(argc, argv, 1, 4000), app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL,
                     app.rank < app.n_ranks - 1 ? app.rank + 1 : MPI_PROC_NULL};
    long steps = app_argument(argc, argv, 2, 2000), implicit_steps = app_argument(argc, argv, 3, 50),
         iterations = app_argument(argc, argv, 4, 10);
    double *u = calloc((size_t)(rod.cells + 2), sizeof(double)), *v = calloc((size_t)(rod.cells + 2), sizeof(double)),
           *r = calloc((size_t)(rod.cells + 2), sizeof(double)), *q = calloc((size_t)(rod.cells + 2), sizeof(double));
    for (long i = 1; i <= rod.cells; i++)
        u[i] = (double)(app_hash((unsigned long)i, (unsigned long)app.rank) % 1000) / 1000;
    for (long step = 0; step < steps; step++)
        step_explicitly(&rod, u, v);
    for (long step = 0; step < implicit_steps; step++)
        step_implicitly(&rod, u, r, v, q, iterations);
    app_report("twostage", dot(&rod, u, u));
    free(u), free(v), free(r), free(q);
    MPI_Finalize();
    return 0;
}
