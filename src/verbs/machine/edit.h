/* SPDX-License-Identifier: BSD-3-Clause */
/* What the words that measure a machine do alike: they add what they measured to a machine model. */
#pragma once

#include "cli/cli.h"
#include <jansson.h>

typedef struct ModelEdit {
    const char *output; /* -o: where to write the model; NULL: to `into` */
    const char *into;   /* --into: the model that is added to; NULL: an empty one */
    json_t *root;       /* the document */
} ModelEdit;

/* Checks paths before anything is measured, and takes the turn to measure. */
bool model_edit_begin(Cli *cli, const ModelEdit *edit, Err *err);

/* Reads the document. To be called when the turn has come, because the firma that was waited for may
 * have written the same file. */
bool model_edit_open(Cli *cli, ModelEdit *edit, Err *err);

/* Writes the document, if a path was given, and releases it. Prints what was measured even if it
 * can't be saved: the measurement must not be lost. `what` is the entry as JSON, and is released;
 * `name` is its name. */
bool model_edit_finish(Cli *cli, ModelEdit *edit, json_t *what, const char *text, const char *name, Err *err);
