/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report is made of: documents by name, in one JSON object. Files are recognised by what they hold. */
#pragma once

#include "base/fields.h"
#include "cli/cli.h"
#include "model/signature.h"
#include "model/times.h"

typedef struct Inputs {
    Cli *cli;
    const char *trace, *verifying_trace; /* NULL: none */
    Signature *signature;
    PhaseTimes *times;
    json_t *documents; /* the caller drops the reference */
} Inputs;

/* Adds a file or a folder that a verb of firma wrote, or a trace. ERR_INPUT: it is none of these. ERR_USAGE: a file
 * of its kind is there already. */
bool inputs_add(Inputs *inputs, const char *path, Err *err);

/* Computes the documents that follow from others: the prediction, and all that the traces tell. */
bool inputs_complete(Inputs *inputs, Err *err);
