/* SPDX-License-Identifier: BSD-3-Clause */
/* A time-independent trace, for SMPI's replay. */
#include "formats/ti.h"

#include "verbs/export/export.h"
#include <string.h>

/* Files are called as processes: 0.txt, 1.txt … */
static bool is_part(const char *name)
{
    const size_t digits = strspn(name, "0123456789");
    return strcmp(name, TI_INDEX) == 0 || (digits && strcmp(name + digits, ".txt") == 0);
}

static const DirectoryKind ti_directory = {.what = "a time-independent trace", .mark = TI_INDEX, .is_part = is_part};

static bool write_files(ExportJob *job, EventSource *source, const Progress *progress, Err *err)
{
    OutputDirectory directory;
    TiSummary summary = {0};
    const TiOptions options = {.flops_per_s = job->flops_per_s,
                               .library = graph_collective_library(source->trace, job->collectives),
                               .leaves_out_collectives = job->collectives == COLLECTIVES_LEFT_OUT};
    if (!output_directory_begin(&job->output, job->cli->arena, &directory, err))
        return false;
    const bool ok = ti_write(source, directory.filled, &options, progress, &job->notes, &summary, err) ||
                    (err->kind == ERR_ENVIRONMENT && err_prefix(err, "%s", job->output.path));
    job->n_processes = summary.n_processes;
    job->n_records = summary.n_actions;
    job->records = "actions";
    return output_directory_end(&directory, ok, job->cli->arena, err);
}

static bool write_ti(ExportJob *job, Err *err)
{
    Reading reading;
    if (!reading_open(job->cli, job->traces[0], NULL, &reading, err))
        return false;
    shared_archive_tell_completions(reading.archive);
    const bool ok = write_files(job, reading.source, &reading.progress, err);
    reading_close(job->cli, &reading);
    return ok;
}

const ExportFormat export_ti = {
    .name = "ti",
    .what = "a time-independent trace, for `smpirun -replay` of SimGrid",
    .directory = &ti_directory,
    .takes = EXPORT_TAKES_COLLECTIVES | EXPORT_TAKES_FLOP_RATE,
    .write = write_ti,
};
