/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a trace with a progress bar, and going from it to its signature: what verbs share. */
#pragma once

#include "cli/cli.h"
#include "model/signature.h"
#include "signature/order/order.h"
#include "trace/team/team.h"

bool analysis_run(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                  Signature **signature, OrderReport *report, Err *err);

/* A trace that is being read. Stages report events to `progress`; the bar shows the archive's records, which are known
 * in total. */
typedef struct Reading {
    SharedArchive *archive;
    EventSource *source;
    const Progress *bar;
    Progress progress; /* points to this struct: it stays where it was opened */
} Reading;

/* options: what ordering may take, of which reading takes a share besides; NULL: the default. */
bool reading_open(Cli *cli, const char *trace, const OrderOptions *options, Reading *reading, Err *err);
void reading_close(Cli *cli, Reading *reading);

/* Whether `output` is, or lies in, the trace or another file `input`: ERR_USAGE. NULL is nowhere. */
bool analysis_check_output(const char *input, const char *output, Arena *arena, Err *err);
