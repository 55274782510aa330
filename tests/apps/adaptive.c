/* SPDX-License-Identifier: BSD-3-Clause */
/* A wave on a string; each rank has a piece of it. After half of the steps, the string is refined:
 * from then on, each step costs more. Every OUTPUT_EVERY steps, rank 0 gathers the string and
 * prints its energy.
 *
 *   adaptive [POINTS_A_RANK [STEPS [OUTPUT_EVERY]]]
 */
#include "app.h"

static const double courant_squared = 0.25;
static const int refined_substeps = 3;

typedef struct String {
    long n; /* own points; arrays have one more at each end */
    double *before, *now, *after;
} String;

static void exchange_ends(String *string)
{
    double *u = string->now;
    int left = app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL;
    int right = app.rank < app.n_ranks - 1 ? app.rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[string->n + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[string->n], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < (left != MPI_PROC_NULL) + (right != MPI_PROC_NULL); i++)
        app_sent(sizeof(double)), app_received();
}

/* One step of time, divided into `substeps` shorter ones between two exchanges. */
static void advance(String *string, int substeps)
{
    double factor = courant_squared / (substeps * substeps);
    exchange_ends(string);
    for (int s = 0; s < substeps; s++) {
        const double *u = string->now;
        for (long i = 1; i <= string->n; i++)
            string->after[i] = 2 * u[i] - string->before[i] + factor * (u[i - 1] - 2 * u[i] + u[i + 1]);
        string->after[0] = u[0];
        string->after[string->n + 1] = u[string->n + 1];
        double *oldest = string->before;
        string->before = string->now;
        string->now = string->after;
        string->after = oldest;
    }
}

static double write_output(const String *string, long step, double *whole)
{
    double energy = 0;
    MPI_Gather(string->now + 1, (int)string->n, MPI_DOUBLE, whole, (int)string->n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    app_collective();
    if (app.rank != 0)
        return 0;
    for (long i = 0; i < string->n * app.n_ranks; i++)
        energy += whole[i] * whole[i];
    printf("step %ld energy %.8e\n", step, energy);
    return energy;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    String string = {.n = app_argument(argc, argv, 1, 20000)};
    long steps = app_argument(argc, argv, 2, 1000), every = app_argument(argc, argv, 3, 100);
    size_t length = (size_t)string.n + 2;
    string.before = calloc(length, sizeof(double));
    string.now = calloc(length, sizeof(double));
    string.after = calloc(length, sizeof(double));
    double *whole = calloc((size_t)string.n * (size_t)app.n_ranks, sizeof(double)), energy = 0;
    for (long i = 1; i <= string.n; i++) {
        double x = (double)(app.rank * string.n + i) / (double)(string.n * app.n_ranks + 1);
        string.before[i] = string.now[i] = 4 * x * (1 - x);
    }
    for (long step = 1; step <= steps; step++) {
        advance(&string, step > steps / 2 ? refined_substeps : 1);
        if (step % every == 0)
            energy = write_output(&string, step, whole);
    }
    app_report("adaptive", energy);
    free(string.before), free(string.now), free(string.after), free(whole);
    MPI_Finalize();
    return 0;
}
