/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats that `firma export` writes. A format is an ExportFormat in a file of its own, and a row in the table of
 * export.c. */
#pragma once

#include "base/fields.h"
#include "cli/analysis.h"
#include "cli/outputs.h"
#include "formats/notes.h"
#include "placement/graph/graph.h"
#include "signature/export/export.h"

/* What is to be written, and what came of it. */
typedef struct ExportJob {
    Cli *cli;
    const char *const *traces; /* [n_traces] */
    size_t n_traces;
    Output output;
    PhaseParameters parameters;
    OrderOptions order;
    GraphCollectives collectives;
    double flops_per_s;
    /* the result: */
    uint32_t n_processes;
    uint64_t n_records;    /* the format's own units */
    const char *records;   /* what they are: "actions" */
    ExportSummary *phases; /* of an archive with phases; NULL for other formats */
    Notes notes;           /* what the format can't express */
} ExportJob;

/* Options that not every format takes. */
enum { EXPORT_TAKES_PHASES = 1, EXPORT_TAKES_COLLECTIVES = 2, EXPORT_TAKES_FLOP_RATE = 4 };

typedef struct ExportFormat {
    const char *name, *what;        /* "goal", "a GOAL schedule …" */
    const DirectoryKind *directory; /* what -o names; NULL: a file */
    unsigned takes;                 /* EXPORT_TAKES_… */
    bool takes_several;             /* traces */
    bool (*write)(ExportJob *job, Err *err);
} ExportFormat;

extern const ExportFormat export_otf2, export_ti, export_goal, export_perfetto, export_extrap;

/* What `firma export --json` prints (docs/FORMATS.md). */
extern const FieldList export_fields;
