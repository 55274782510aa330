/* SPDX-License-Identifier: BSD-3-Clause */
/* print_source FILE [OPTIONS] prints the output of a source's front end, for golden files and for
 * inspection. */
#include "base/files.h"
#include "source/program_text.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    Arena *arena = arena_new();
    SourceOptions options = {.file = argc > 1 ? argv[1] : "", .options = argc > 2 ? argv[2] : ""};
    SourceProgram *program;
    Err err = {0};
    bool is_java = files_has_suffix(options.file, ".java");
    bool is_read = (is_java ? source_read_java : source_read_c)(&options, arena, &program, &err);
    if (is_read)
        fputs(program_text(program, arena), stdout);
    else
        fprintf(stderr, "%s\n%s%s", err.message, err.hint, *err.hint ? "\n" : "");
    arena_free(arena);
    return is_read ? 0 : (int)err.kind;
}
