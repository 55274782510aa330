/* SPDX-License-Identifier: BSD-3-Clause */
/* See analysis.h. */
#include "cli/analysis.h"

#include "base/files.h"
#include "phases/phases.h"
#include <string.h>

static void report_reading(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    const ReadingProgress *reading = self;
    progress_report(reading->bar, what, shared_archive_records_read(reading->archive),
                    shared_archive_records_total(reading->archive));
}

Progress reading_progress(ReadingProgress *reading, const SharedArchive *archive, const Cli *cli)
{
    *reading = (ReadingProgress){archive, &cli->progress};
    return (Progress){reading, cli->progress.report ? report_reading : NULL};
}

bool analysis_check_output(const char *input, const char *output, Arena *arena, Err *err)
{
    if (!output)
        return true;
    bool overwrites = files_is_within(output, input);
    if (files_has_suffix(input, ".otf2")) {
        const char *stem = arena_strndup(arena, input, strlen(input) - strlen(".otf2"));
        overwrites |= files_is_within(output, stem) || files_is_within(output, arena_printf(arena, "%s.def", stem));
    }
    return !overwrites || err_set(err, ERR_USAGE, "%s: is part of %s", output, input) ||
           err_hint(err, "choose another file");
}

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err)
{
    enum { READING_SHARE = 4 }; /* of the memory that ordering may take, besides it */
    SharedArchive *archive;
    uint64_t reading_bytes = options ? options->memory_bytes / READING_SHARE : 0;
    if (!shared_archive_open(cli->team, trace, reading_bytes, &archive, err))
        return false;
    ReadingProgress reading;
    const Progress progress = reading_progress(&reading, archive, cli);
    bool found =
        phases_find(shared_archive_source(archive), parameters, options, &progress, cli->arena, signature, report, err);
    shared_archive_close(archive);
    cli_progress_end(cli);
    return found;
}
