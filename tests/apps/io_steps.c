/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that communicate alike, but take different times. The first WARMUP_STEPS take longer,
 * because tables are filled. Every OUTPUT_EVERY-th step writes its points, which costs many times a
 * step. All steps make the same MPI calls.
 *
 *   io_steps [POINTS_A_RANK [STEPS [OUTPUT_EVERY [WARMUP_STEPS]]]]
 */
#include "app.h"
#include <math.h>

enum { SWEEPS = 4, OUTPUT_COST = 40, WARMUP_COST = 24 };

typedef struct Line {
    long n; /* own points; the array has one more at each end */
    double *now, *after;
} Line;

static void exchange_ends(Line *line)
{
    double *u = line->now;
    int left = app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL;
    int right = app.rank < app.n_ranks - 1 ? app.rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[line->n + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[line->n], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < (left != MPI_PROC_NULL) + (right != MPI_PROC_NULL); i++)
        app_sent(sizeof(double)), app_received();
}

static void smooth(Line *line)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (long i = 1; i <= line->n; i++)
            line->after[i] = 0.25 * line->now[i - 1] + 0.5 * line->now[i] + 0.25 * line->now[i + 1];
        line->after[0] = line->now[0];
        line->after[line->n + 1] = line->now[line->n + 1];
        double *old = line->now;
        line->now = line->after;
        line->after = old;
    }
}

/* Stands for formatting and compressing the points: `cost` times the work of a step. */
static double encode(const Line *line, int cost)
{
    double code = 0;
    for (int round = 0; round < cost * SWEEPS; round++)
        for (long i = 1; i <= line->n; i++)
            code += line->now[i] * (double)(round + 1);
    return code;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    Line line = {.n = app_argument(argc, argv, 1, 20000)};
    long steps = app_argument(argc, argv, 2, 1000), every = app_argument(argc, argv, 3, 20),
         warmup = app_argument(argc, argv, 4, 5);
    line.now = calloc((size_t)line.n + 2, sizeof(double));
    line.after = calloc((size_t)line.n + 2, sizeof(double));
    for (long i = 1; i <= line.n; i++)
        line.now[i] = sin((double)(app.rank * line.n + i) * 1e-4);
    double code = 0, sum = 0;
    for (long step = 1; step <= steps; step++) {
        exchange_ends(&line);
        smooth(&line);
        if (step <= warmup)
            code += encode(&line, WARMUP_COST);
        if (step % every == 0)
            code += encode(&line, OUTPUT_COST);
        sum = app_sum(line.now[line.n / 2] + 1e-12 * code);
    }
    app_report("io_steps", sum);
    free(line.now), free(line.after);
    MPI_Finalize();
    return 0;
}
