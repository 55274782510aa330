/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes files in every step, as long-running programs do: a log that stays open, a result that is
 * written anew, and a file that is removed after the next one was created.
 *
 *   logging DIRECTORY [STEPS]
 */
#include "app.h"

static FILE *open_in(const char *directory, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, mode);
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

static void write_step(const char *directory, FILE *log, long step)
{
    char name[64], path[4096];
    fprintf(log, "step %ld\n", step);
    fflush(log);
    FILE *newest = open_in(directory, "newest", "w");
    fprintf(newest, "%ld\n", step);
    fclose(newest);
    snprintf(name, sizeof name, "step.%ld", step);
    fclose(open_in(directory, name, "w"));
    snprintf(path, sizeof path, "%s/step.%ld", directory, step - 1);
    remove(path);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const char *directory = argc > 1 ? argv[1] : ".";
    const long steps = app_argument(argc, argv, 2, 1000);
    FILE *log = app.rank == 0 ? open_in(directory, "log", "w") : NULL;
    double sum = 0;
    for (long step = 1; step <= steps; step++) {
        if (log)
            write_step(directory, log, step);
        sum += app_sum((double)step);
    }
    if (log)
        fclose(log);
    app_report("logging", sum);
    MPI_Finalize();
    return 0;
}
