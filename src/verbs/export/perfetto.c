/* SPDX-License-Identifier: BSD-3-Clause */
/* A timeline for ui.perfetto.dev. */
#include "formats/perfetto.h"

#include "verbs/export/export.h"

static bool find_phases(ExportJob *job, Timeline **timeline, Err *err)
{
    Reading reading;
    if (!reading_open(job->cli, job->traces[0], &job->order, &reading, err))
        return false;
    const bool ok =
        timeline_find_phases(reading.source, &job->parameters, &job->order, &reading.progress, timeline, err);
    reading_close(job->cli, &reading);
    return ok;
}

static bool write_perfetto(ExportJob *job, Err *err)
{
    Timeline *timeline = NULL;
    TimelineSummary summary = {0};
    Reading reading;
    if (!find_phases(job, &timeline, err))
        return false;
    bool ok = reading_open(job->cli, job->traces[0], NULL, &reading, err);
    if (ok) {
        ok = timeline_write(timeline, reading.source, job->output.path, &reading.progress, &job->notes, &summary, err);
        reading_close(job->cli, &reading);
    }
    timeline_free(timeline);
    job->n_processes = summary.n_processes;
    job->n_records = summary.n_packets;
    job->records = "packets";
    return ok;
}

const ExportFormat export_perfetto = {
    .name = "perfetto",
    .what = "a timeline for ui.perfetto.dev",
    .takes = EXPORT_TAKES_PHASES,
    .write = write_perfetto,
};
