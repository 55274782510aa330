/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements for Extra-P, of several traces. */
#include "formats/extrap.h"

#include "verbs/export/export.h"

static bool read_profile(ExportJob *job, const char *trace, Profile *profile, Err *err)
{
    Reading reading;
    if (!reading_open(job->cli, trace, &job->order, &reading, err))
        return false;
    const bool ok = profile_read(reading.source, &reading.progress, job->cli->arena, profile, err);
    reading_close(job->cli, &reading);
    return ok;
}

static bool read_run(ExportJob *job, const char *trace, ExtrapRun *run, Err *err)
{
    Signature *signature;
    OrderReport report;
    if (!read_profile(job, trace, &run->profile, err) ||
        !analysis_run(job->cli, trace, &job->parameters, &job->order, &signature, &report, err))
        return false;
    run->signature = signature;
    return true;
}

static bool write_extrap(ExportJob *job, Err *err)
{
    ExtrapRun *runs = arena_new_array(job->cli->arena, ExtrapRun, job->n_traces);
    ExtrapSummary summary;
    for (size_t i = 0; i < job->n_traces; i++) {
        if (!read_run(job, job->traces[i], &runs[i], err))
            return false;
        if (runs[i].profile.n_processes > job->n_processes)
            job->n_processes = runs[i].profile.n_processes;
    }
    if (!extrap_write(runs, job->n_traces, job->output.path, &job->notes, &summary, err))
        return false;
    job->n_records = summary.n_measurements;
    job->records = "measurements";
    return true;
}

const ExportFormat export_extrap = {
    .name = "extrap",
    .what = "measurements for Extra-P, of several traces",
    .takes = EXPORT_TAKES_PHASES,
    .takes_several = true,
    .write = write_extrap,
};
