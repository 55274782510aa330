/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace again as an OTF2 archive, with its phases and logical times. */
#include "verbs/export/export.h"

static bool analyse(ExportJob *job, Export **exported, Err *err)
{
    Reading reading;
    if (!reading_open(job->cli, job->traces[0], &job->order, &reading, err))
        return false;
    bool ok = export_analyse(reading.source, &job->parameters, &job->order, &reading.progress, exported, err);
    reading_close(job->cli, &reading);
    return ok;
}

static bool write_archive(ExportJob *job, Export *exported, Err *err)
{
    Reading reading;
    OutputDirectory directory;
    if (!reading_open(job->cli, job->traces[0], NULL, &reading, err))
        return false;
    if (!output_directory_begin(&job->output, job->cli->arena, &directory, err)) {
        reading_close(job->cli, &reading);
        return false;
    }
    job->phases = arena_new_array(job->cli->arena, ExportSummary, 1);
    job->n_processes = reading.source->trace->application.n_processes;
    bool ok = export_write(exported, reading.source, directory.filled, &reading.progress, job->phases, err);
    reading_close(job->cli, &reading);
    return output_directory_end(&directory, ok, job->cli->arena, err);
}

static void add_notes(ExportJob *job)
{
    if (job->phases->n_unplaced)
        notes_add(&job->notes, "%llu receives have no logical time, since their sends aren't in the trace",
                  (unsigned long long)job->phases->n_unplaced);
    if (job->phases->n_markers_more)
        notes_add(&job->notes, "%llu further markers are left out", (unsigned long long)job->phases->n_markers_more);
}

static bool write_otf2(ExportJob *job, Err *err)
{
    Export *exported = NULL;
    if (!analyse(job, &exported, err))
        return false;
    bool ok = write_archive(job, exported, err);
    export_free(exported);
    if (!ok)
        return false;
    job->n_records = job->phases->n_events;
    job->records = "sends, receives and collectives";
    add_notes(job);
    return true;
}

const ExportFormat export_otf2 = {
    .name = "otf2",
    .what = "an OTF2 archive with phases and logical times, for Vampir and other tools that show timelines",
    .directory = &archive_directory,
    .takes = EXPORT_TAKES_PHASES,
    .write = write_otf2,
};
