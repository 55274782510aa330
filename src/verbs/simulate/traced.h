/* SPDX-License-Identifier: BSD-3-Clause */
/* What firma simulate is given: a trace, or a signature, which stands for the trace that it was made from. */
#pragma once

#include "cli/cli.h"
#include "model/signature.h"

typedef struct Traced {
    const char *trace;
    const char *signature_path; /* NULL: the word names a trace */
    Signature *signature;       /* NULL: the same */
} Traced;

/* The trace of a signature is where the signature says, or beside it: app.trace of app.firma. In a folder of
 * `firma study`, which may be a copy, the trace beside the signature comes first. ERR_INPUT, naming both places: there
 * is none. ERR_USAGE: an option says how phases are found, but the signature knows. */
bool traced_find(Cli *cli, const char *word, Traced *traced, Err *err);

/* ERR_INPUT, naming both files: the trace isn't of the signature's run, as far as an open trace tells. */
bool traced_check(const Traced *traced, const Trace *trace, Arena *arena, Err *err);
