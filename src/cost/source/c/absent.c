/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the C front end if firma is built without libclang. */
#include "cost/source/program/program.h"

bool source_read_c(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    (void)arena;
    (void)program;
    err_set(err, ERR_ENVIRONMENT, "%s: this firma was built without libclang, so it doesn't read C sources",
            options->file);
    return err_hint(err, "install libclang-dev and build firma again, or write the model by hand");
}

bool source_find_clang(Arena *arena, const char **version, Err *err)
{
    (void)arena;
    (void)version;
    err_set(err, ERR_ENVIRONMENT, "this firma was built without libclang");
    return err_hint(err, "install it (on Debian: apt-get install libclang-19-dev), and build firma again");
}
