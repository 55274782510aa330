/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 gives tasks of different length to whichever rank is free (receives from any source, with
 * any tag); the others integrate. The assignment differs from run to run. The total doesn't,
 * because rank 0 adds up the results in the order of the tasks.
 *
 *   masterworker [TASKS [LENGTH]]
 */
#include "app.h"

enum { TAG_TASK = 1, TAG_STOP = 2, TAG_READY = 3, TAG_RESULT = 4 };

typedef struct Result {
    long task;
    double value;
} Result;

/* The length of a task: 1 to 8 units, without pattern. */
static long task_length(long task, long unit)
{
    unsigned long hash = (unsigned long)(task + 1) * 2654435761u;
    return unit * (long)(1 + (hash >> 7) % 8);
}

static double integrate(long task, long points)
{
    double sum = 0, step = 1.0 / (double)points;
    for (long i = 0; i < points; i++) {
        double x = ((double)i + 0.5) * step;
        sum += step / (1 + x * x * (double)(1 + task % 3));
    }
#ifdef APP_SIMULATED
    app_work(10 * points);
#endif
    return sum;
}

static double run_master(long tasks)
{
    double *values = calloc((size_t)tasks, sizeof *values), total = 0;
    long next = 0;
    for (int working = app.n_ranks - 1; working > 0;) {
        Result result;
        MPI_Status status;
        MPI_Recv(&result, sizeof result, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        app_received();
        if (status.MPI_TAG == TAG_RESULT)
            values[result.task] = result.value;
        int tag = next < tasks ? TAG_TASK : TAG_STOP;
        MPI_Send(&next, 1, MPI_LONG, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
        app_sent(sizeof next);
        if (tag == TAG_TASK)
            next++;
        else
            working--;
    }
    for (long i = 0; i < tasks; i++)
        total += values[i];
    free(values);
    return total;
}

static void run_worker(long unit)
{
    Result result = {0};
    int tag = TAG_READY;
    for (;;) {
        MPI_Status status;
        MPI_Send(&result, sizeof result, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
        app_sent(sizeof result);
        MPI_Recv(&result.task, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        app_received();
        if (status.MPI_TAG == TAG_STOP)
            return;
        result.value = integrate(result.task, task_length(result.task, unit));
        tag = TAG_RESULT;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long tasks = app_argument(argc, argv, 1, 1000), unit = app_argument(argc, argv, 2, 20000);
    double total = 0;
    if (app.rank == 0)
        total = run_master(tasks);
    else
        run_worker(unit);
    MPI_Barrier(MPI_COMM_WORLD);
    app_collective();
    app_report("masterworker", total);
    MPI_Finalize();
    return 0;
}
