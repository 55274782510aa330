/* SPDX-License-Identifier: BSD-3-Clause */
/* See analysis.h. */
#include "cli/analysis.h"

#include "phases/phases.h"
#include "trace/archive.h"

static void report_reading(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    const ReadingProgress *reading = self;
    progress_report(reading->bar, what, archive_records_read(reading->archive),
                    archive_records_total(reading->archive));
}

void reading_progress_start(ReadingProgress *reading, const Archive *archive, const Progress *bar)
{
    *reading = (ReadingProgress){archive, bar, {reading, bar->report ? report_reading : NULL}};
}

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err)
{
    Archive *archive;
    if (!archive_open(trace, &archive, err))
        return false;
    ReadingProgress reading;
    reading_progress_start(&reading, archive, &cli->progress);
    bool found = phases_find(archive_source(archive), parameters, options, &reading.progress, cli->arena, signature,
                             report, err);
    archive_close(archive);
    cli_progress_end(cli);
    return found;
}
