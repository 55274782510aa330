/* SPDX-License-Identifier: BSD-3-Clause */
/* See analysis.h. */
#include "cli/analysis.h"

#include "signature/phases/phases.h"

static void report_reading(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    const Reading *reading = self;
    progress_report(reading->bar, what, shared_archive_records_read(reading->archive),
                    shared_archive_records_total(reading->archive));
}

bool reading_open(Cli *cli, const char *trace, const OrderOptions *options, Reading *reading, Err *err)
{
    enum { READING_SHARE = 4 }; /* reading takes 1/4 of ordering's memory in addition */
    uint64_t memory_bytes = options ? options->memory_bytes / READING_SHARE : 0;
    SharedArchive *archive;
    if (!shared_archive_open(cli->team, trace, memory_bytes, &archive, err))
        return false;
    *reading = (Reading){.archive = archive,
                         .source = shared_archive_source(archive),
                         .bar = &cli->progress,
                         .progress = {reading, cli->progress.report ? report_reading : NULL}};
    return true;
}

void reading_close(Cli *cli, Reading *reading)
{
    shared_archive_close(reading->archive);
    cli_progress_end(cli);
}

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, options, &reading, err))
        return false;
    bool found =
        phases_find(reading.source, parameters, options, &reading.progress, cli->arena, signature, report, err);
    reading_close(cli, &reading);
    return found;
}
