/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi's method for the heat equation on a ring of strips, with OpenMP in each rank: threads share a rank's
 * rows.
 *
 *   hybrid [ROWS [STEPS [multiple]]]
 *
 * The main thread exchanges the rows at the edges. With `multiple`, every thread exchanges its part of these
 * rows itself, by tags of its own (MPI_THREAD_MULTIPLE). In either case the main thread sums the change of each
 * step. */
#include "app.h"
#include <math.h>
#include <string.h>

enum { COLUMNS = 1024 };

/* Declared here, because the header belongs to one compiler, and readers of this source may use another. */
int omp_get_thread_num(void), omp_get_num_threads(void);

static double *rows, *next_rows;
static long n_rows;

static double *row(double *base, long i)
{
    return base + i * COLUMNS;
}

/* Exchanges columns [from, to) of the first and last row with the neighbours. */
static void exchange(int tag, long from, long to)
{
    int up = (app.rank + app.n_ranks - 1) % app.n_ranks, down = (app.rank + 1) % app.n_ranks, n = (int)(to - from);
    MPI_Request requests[4];
    MPI_Irecv(row(rows, 0) + from, n, MPI_DOUBLE, up, 2 * tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row(rows, n_rows + 1) + from, n, MPI_DOUBLE, down, 2 * tag + 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(row(rows, n_rows) + from, n, MPI_DOUBLE, down, 2 * tag, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(row(rows, 1) + from, n, MPI_DOUBLE, up, 2 * tag + 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double relax(long i)
{
    double change = 0, *to = row(next_rows, i);
    const double *above = row(rows, i - 1), *here = row(rows, i), *below = row(rows, i + 1);
    for (long j = 1; j < COLUMNS - 1; j++) {
        to[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
        change += fabs(to[j] - here[j]);
    }
    return change;
}

int main(int argc, char **argv)
{
    int provided;
    n_rows = app_argument(argc, argv, 1, 256);
    long steps = app_argument(argc, argv, 2, 200);
    int multiple = argc > 3 && strcmp(argv[3], "multiple") == 0;
    MPI_Init_thread(&argc, &argv, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
    app_start();
    if (multiple && provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "hybrid: this MPI does not give MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    size_t size = (size_t)(n_rows + 2) * COLUMNS;
    rows = calloc(size, sizeof *rows);
    next_rows = calloc(size, sizeof *next_rows);
    for (long i = 0; i < n_rows + 2; i++)
        row(rows, i)[0] = row(next_rows, i)[0] = 1 + app.rank;
    double sum = 0;
    int n_threads = 1;
    for (long step = 0; step < steps; step++) {
        double change = 0, all;
        if (!multiple)
            exchange(0, 0, COLUMNS);
#pragma omp parallel reduction(+ : change)
        {
            int thread = omp_get_thread_num(), n = omp_get_num_threads();
            if (multiple)
                exchange(thread, COLUMNS * thread / n, COLUMNS * (thread + 1) / n);
            if (thread == 0)
                n_threads = n;
#pragma omp barrier
#pragma omp for
            for (long i = 1; i <= n_rows; i++)
                change += relax(i);
        }
        double *old = rows;
        rows = next_rows;
        next_rows = old;
        MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        app_collective();
        sum += all;
    }
    app.sends = app.receives = 2 * steps * (multiple ? n_threads : 1);
    app.send_bytes = 2 * steps * COLUMNS * (long long)sizeof(double);
    app_report("hybrid", sum);
    free(rows);
    free(next_rows);
    MPI_Finalize();
    return 0;
}
