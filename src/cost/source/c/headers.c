/* SPDX-License-Identifier: BSD-3-Clause */
/* Where OpenMP's header is. It comes with the compiler, and libclang's own one is in a package of its own. */
#include "cost/source/c/tree.h"

#include "base/files.h"
#include "base/process.h"

enum { LONGEST_MS = 10000 };

static bool includes_openmp(const char *file, Arena *arena)
{
    const char *text;
    Err ignored;
    return files_load_text(file, arena, &text, &ignored) && strstr(text, "omp.h");
}

/* libclang's own headers come first, because those of the compiler don't suit it. In gcc's header of OpenMP, an
 * attribute has arguments that libclang doesn't know. */
const char *c_options(const SourceOptions *options, Arena *arena)
{
    static const char *const words[] = {"cc", "-print-file-name=include", NULL};
    const ProcessOptions how = {.words = words, .output = PROCESS_PIPE};
    const char *given = options->options ? options->options : "";
    char *text;
    int status;
    if ((!source_has_threads(given) && !includes_openmp(options->file, arena)) ||
        !process_capture(&how, LONGEST_MS, arena, &text, &status) || status != 0 || *text != '/')
        return given;
    return arena_printf(arena, "%s \"-D__malloc__(...)=__malloc__\" \"-idirafter%.*s\"", given,
                        (int)strcspn(text, "\n"), text);
}
