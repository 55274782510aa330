/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a task in C to a library: its source as it is, followed by a function that converts
 * numbers to the entry's parameters and calls the entry. */
#include "cost/run/compile.h"

#include "base/files.h"
#include "base/text.h"
#include "cost/run/command.h"
#include <stdio.h>
#include <string.h>

/* A path in quotes, as in C. */
static const char *quoted(const char *path, Arena *arena)
{
    Text text = {0};
    for (; *path; path++)
        text_add(&text, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
    return text_take(&text, arena);
}

/* Puts each argument on its line of the flow file, so that the compiler's errors name that line. */
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

/* Calls the entry through a volatile pointer, so that the compiler can't remove a call without
 * effects. GCC's classes 1 and 8 are integers and reals; other results aren't numbers, and void is
 * no result. */
static void add_task(Text *text, const PaslBatch *batch)
{
    text_add(text, "#line 1 \"<firma>\"\n#define FIRMA_CALL firma_entry(");
    for (size_t i = 0; i < batch->n_arguments; i++)
        text_add(text, "%sfirma[%zu]", i ? ", " : "", i);
    text_add(text, ")\n#define FIRMA_IS_VOID __builtin_types_compatible_p(__typeof__(FIRMA_CALL), void)\n"
                   "#define FIRMA_RESULT __builtin_choose_expr(FIRMA_IS_VOID, (void *)0, FIRMA_CALL)\n"
                   "#define FIRMA_CLASS __builtin_classify_type(FIRMA_RESULT)\n"
                   "double firma_task(const double *firma);\n"
                   "double firma_task(const double *firma)\n{\n    (void)firma;\n"
                   "    return __builtin_choose_expr(FIRMA_CLASS == 1 || FIRMA_CLASS == 8, FIRMA_RESULT,\n"
                   "                                 ((void)FIRMA_CALL, __builtin_nan(\"\")));\n}\n");
}

/* Compiles the source alone. Errors in the added function are often errors of the source, such as a
 * missing brace. */
static bool check_source(const PaslBatch *batch, Arena *arena, Err *err)
{
    const char *const first[] = {"cc", "-fsyntax-only", batch->source};
    const char *const *words = first;
    size_t n = sizeof first / sizeof *first;
    Err own = {0};
    if (!command_add_options(&words, &n, batch->options, arena, &own) || compile_by(words, "gcc", batch, arena, &own))
        return true;
    *err = own;
    return false;
}

/* Replaces GCC's message about a parameter that isn't a number, which is hard to understand. */
static void explain_pointer(const PaslApplication *application, const PaslBatch *batch, Err *err)
{
    const char *words = strstr(err->message, "incompatible type for argument ");
    unsigned number;
    if (!words || sscanf(words, "incompatible type for argument %u", &number) != 1 || number < 1 ||
        number > batch->n_arguments)
        return;
    const PaslBinding *argument = &batch->arguments[number - 1];
    err_set(
        err, ERR_INPUT,
        "%s:%u:%u: argument `%s`: parameter %u of `%s` isn't a number, and tasks can only have numbers as arguments",
        application->file, argument->line, argument->column, argument->name, number, batch->entry);
}

static bool explain(const PaslApplication *application, const PaslBatch *batch, Arena *arena, Err *err)
{
    char hint[sizeof err->hint];
    memcpy(hint, err->hint, sizeof hint);
    if (err->kind != ERR_INPUT || !check_source(batch, arena, err))
        return false;
    explain_pointer(application, batch, err);
    return err_hint(err, "%s", hint);
}

bool compile_c(const PaslApplication *application, size_t index, const char *directory, Arena *arena,
               const char **library, Err *err)
{
    const PaslBatch *batch = &application->batches[index];
    const char *wrapper = arena_printf(arena, "%s/task%zu.c", directory, index),
               *path = arena_printf(arena, "%s/task%zu.so", directory, index);
    const char *const first[] = {"cc",    "-shared", "-fPIC", "-include",   batch->source,
                                 wrapper, "-o",      path,    "-Wl,-z,defs"};
    const char *const *words = first;
    size_t n = sizeof first / sizeof *first;
    Text text = {0};
    add_check(&text, application, batch, arena);
    add_task(&text, batch);
    if (!files_save_text(wrapper, text_take(&text, arena), err) ||
        !command_add_options(&words, &n, batch->options, arena, err) ||
        !command_add_options(&words, &n, "-lm", arena, err))
        return false;
    if (!compile_by(words, "gcc", batch, arena, err))
        return explain(application, batch, arena, err);
    *library = path;
    return true;
}
