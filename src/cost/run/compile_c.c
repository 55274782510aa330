/* SPDX-License-Identifier: BSD-3-Clause */
/* A task in C to a library: its source as it is, and behind it a function of ours that calls the entry with numbers,
 * which become what its parameters are. */
#include "cost/run/compile.h"

#include "base/files.h"
#include "base/text.h"
#include "cost/run/command.h"
#include <string.h>

/* A path within quotes of C. */
static const char *quoted(const char *path, Arena *arena)
{
    Text text = {0};
    for (; *path; path++)
        text_add(&text, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
    return text_take(&text, arena);
}

/* Each argument stands on its line of the flow file, so that errors do. */
static void add_check(Text *text, const PaslApplication *application, const PaslBatch *batch, Arena *arena)
{
    const char *file = quoted(application->file, arena);
    text_add(text, "#line %u \"%s\"\n", batch->line, file);
    text_add(text, "static __typeof__(%s) *volatile firma_entry = %s;\n", batch->entry, batch->entry);
    text_add(text, "__attribute__((unused)) static void firma_check(const double *firma)\n{\n    (void)firma;\n");
    text_add(text, "#line %u \"%s\"\n    %s(", batch->line, file, batch->entry);
    for (size_t i = 0; i < batch->n_arguments; i++)
        text_add(text, "%s\n#line %u \"%s\"\n        firma[%zu]", i ? "," : "", batch->arguments[i].line, file, i);
    text_add(text, ");\n}\n");
}

/* The call goes through a pointer that the compiler knows nothing about, lest it leave out what has no effect. 1 and 8
 * are what GCC calls integers and reals; other results are no numbers. */
static void add_task(Text *text, const PaslBatch *batch)
{
    text_add(text, "#line 1 \"<firma>\"\n#define FIRMA_CALL firma_entry(");
    for (size_t i = 0; i < batch->n_arguments; i++)
        text_add(text, "%sfirma[%zu]", i ? ", " : "", i);
    text_add(text, ")\ndouble firma_task(const double *firma);\n"
                   "double firma_task(const double *firma)\n{\n    (void)firma;\n"
                   "    return __builtin_choose_expr(__builtin_classify_type(FIRMA_CALL) == 1 ||\n"
                   "                                 __builtin_classify_type(FIRMA_CALL) == 8,\n"
                   "                                 FIRMA_CALL, ((void)FIRMA_CALL, __builtin_nan(\"\")));\n}\n");
}

bool compile_c(const PaslApplication *application, size_t index, const char *directory, Arena *arena,
               const char **library, Err *err)
{
    const PaslBatch *batch = &application->batches[index];
    const char *wrapper = arena_printf(arena, "%s/task%zu.c", directory, index),
               *path = arena_printf(arena, "%s/task%zu.so", directory, index);
    const char *const first[] = {"env",         "LC_ALL=C", "cc", "-shared", "-fPIC",      "-include",
                                 batch->source, wrapper,    "-o", path,      "-Wl,-z,defs"};
    const char *const *words = first;
    size_t n = sizeof first / sizeof *first;
    Text text = {0};
    add_check(&text, application, batch, arena);
    add_task(&text, batch);
    if (!files_save_text(wrapper, text_take(&text, arena), err) ||
        !command_add_options(&words, &n, batch->options, arena, err) ||
        !command_add_options(&words, &n, "-lm", arena, err) || !compile_by(words, "gcc libc6-dev", batch, arena, err))
        return false;
    *library = path;
    return true;
}
