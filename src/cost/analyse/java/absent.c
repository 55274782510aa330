/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for the Java front end where firma was built without it. */
#include "cost/analyse/program.h"

bool source_read_java(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    (void)arena;
    (void)program;
    err_set(err, ERR_ENVIRONMENT, "%s: this firma was built without a front end for Java", options->file);
    return err_hint(err, "write the model by hand (docs/PAMELA.md)");
}
