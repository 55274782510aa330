/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-cost-openmpi and firma-cost-mpich: the master and the workers of a run. See
 * cost/run/protocol.h. */
#include "cost/run/protocol.h"
#include "cost/run/worker/messages.h"
#include "cost/run/worker/roles.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static bool check_size(const Plan *plan, int size, const char *library, Err *err)
{
    if ((uint64_t)size == plan->n_workers + 1)
        return true;
    return err_set(err, ERR_ENVIRONMENT, "%s: the launcher started %d process%s; expected a master and %d worker%s",
                   library, size, size == 1 ? "" : "es", (int)plan->n_workers, plan->n_workers == 1 ? "" : "s");
}

static bool lead(const Plan *plan, Arena *arena, int size, const char *library, Err *err)
{
    bool ok = check_size(plan, size, library, err) && master_run(plan, library, arena, err);
    if (!ok)
        master_save_error(plan, err);
    printf("%s\n", RUN_IS_OVER);
    fflush(stdout);
    return ok;
}

static bool run(const char *path, Arena *arena, int rank, int size, const char *library, Err *err)
{
    Plan plan;
    if (!plan_load(path, arena, &plan, err)) {
        char host[HOST_NAME_MAX + 1] = "";
        gethostname(host, HOST_NAME_MAX);
        err_prefix(err, "%s", host);
        fprintf(stderr, "%s\n", err->message);
        return false;
    }
    if (rank == 0)
        return lead(&plan, arena, size, library, err);
    return check_size(&plan, size, library, err) && worker_run(&plan, (uint64_t)rank - 1, arena, err);
}

/* Reports an error to the master, and then sleeps: the master ends the job when it has told
 * firma. */
static _Noreturn void report_failure(const Err *err)
{
    messages_send(err, sizeof *err, 0, TAG_FAILURE);
    for (Backoff backoff = backoff_begin();;)
        backoff_sleep(&backoff);
}

/* The first line of the library's version, without the build's details. */
static const char *library_name(char text[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int length;
    MPI_Get_library_version(text, &length);
    for (char *c = text; *c; c++)
        if (*c == '\t')
            *c = ' ';
    text[strcspn(text, ",\n")] = '\0';
    return text;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "%s is a part of firma: see `firma cost --help`\n", argv[0]);
        return ERR_USAGE;
    }
    int rank, size;
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    Err err = {0};
    Arena *arena = arena_new();
    prctl(PR_SET_TIMERSLACK, 1UL); /* so that sleeps end on time */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool ok = run(argv[1], arena, rank, size, library_name(text), &err);
    if (rank > 0 && !ok)
        report_failure(&err);
    if (!ok)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    arena_free(arena);
    return 0;
}
