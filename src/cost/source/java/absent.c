/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for the Java front end where firma was built without tree-sitter or its grammar of Java. */
#include "cost/source/program.h"

bool source_read_java(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    (void)arena;
    (void)program;
    err_set(err, ERR_ENVIRONMENT,
            "%s: this firma was built without tree-sitter's grammar of Java, so it doesn't read "
            "Java sources",
            options->file);
    return err_hint(err, "install libtree-sitter-dev, run tools/tree_sitter_java.sh build/tree-sitter-java, configure "
                         "the build folder again (meson setup --reconfigure build), or write the model by hand "
                         "(docs/PAMELA.md)");
}
