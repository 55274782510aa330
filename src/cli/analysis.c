/* SPDX-License-Identifier: BSD-3-Clause */
/* See analysis.h. */
#include "cli/analysis.h"

#include "phases/phases.h"
#include "trace/archive.h"

/* Progress: the order stage reports events; what is known in total is the archive's records. */
typedef struct ReadingProgress {
    const Archive *archive;
    const Progress *bar;
} ReadingProgress;

static void report_reading(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    const ReadingProgress *reading = self;
    progress_report(reading->bar, what, archive_records_read(reading->archive),
                    archive_records_total(reading->archive));
}

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err)
{
    Archive *archive;
    if (!archive_open(trace, &archive, err))
        return false;
    ReadingProgress reading = {archive, &cli->progress};
    const Progress progress = {&reading, cli->progress.report ? report_reading : NULL};
    bool found =
        phases_find(archive_source(archive), parameters, options, &progress, cli->arena, signature, report, err);
    archive_close(archive);
    cli_progress_end(cli);
    return found;
}
