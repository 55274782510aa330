/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a trace with a progress bar, and going from it to its signature: what verbs share. */
#ifndef FIRMA_CLI_ANALYSIS_H
#define FIRMA_CLI_ANALYSIS_H

#include "cli/cli.h"
#include "model/signature.h"
#include "order/order.h"
#include "team/team.h"

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err);

/* The progress of reading an archive. Stages report events; what is known in total is the archive's records. */
typedef struct ReadingProgress {
    const SharedArchive *archive;
    const Progress *bar;
} ReadingProgress;

/* Valid as long as *reading, the archive and *cli. */
Progress reading_progress(ReadingProgress *reading, const SharedArchive *archive, const Cli *cli);

/* Whether `output` is, or lies in, the trace or another file `input`: ERR_USAGE. NULL is nowhere. */
bool analysis_check_output(const char *input, const char *output, Arena *arena, Err *err);

#endif
