/* SPDX-License-Identifier: BSD-3-Clause */
/* A GOAL schedule, for LogGOPSim and ATLAHS. */
#include "formats/goal.h"

#include "verbs/export/export.h"

static bool write_goal(ExportJob *job, Err *err)
{
    Reading reading;
    GoalSummary summary = {0};
    if (!reading_open(job->cli, job->traces[0], NULL, &reading, err))
        return false;
    shared_archive_tell_completions(reading.archive);
    const GoalOptions options = {.library = graph_collective_library(reading.source->trace, job->collectives),
                                 .leaves_out_collectives = job->collectives == COLLECTIVES_LEFT_OUT};
    const bool ok =
        goal_write(reading.source, job->output.path, &options, &reading.progress, &job->notes, &summary, err);
    reading_close(job->cli, &reading);
    job->n_processes = summary.n_processes;
    job->n_records = summary.n_operations;
    job->records = "operations";
    return ok;
}

const ExportFormat export_goal = {
    .name = "goal",
    .what = "a GOAL schedule, for LogGOPSim and ATLAHS",
    .takes = EXPORT_TAKES_COLLECTIVES,
    .write = write_goal,
};
