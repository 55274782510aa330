/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a task in C to a library: its source as it is, followed by a function that converts
 * numbers to the entry's parameters and calls the entry. */
#include "cost/run/compile.h"

#include "base/files.h"
#include "base/libraries.h"
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
    text_add(text, "#pragma GCC diagnostic error \"-Wincompatible-pointer-types\"\n"
                   "#pragma GCC diagnostic error \"-Wint-conversion\"\n"
                   "__attribute__((unused)) static void firma_check(const double *firma)\n{\n    (void)firma;\n");
    text_add(text, "#line %u \"%s\"\n    %s(", batch->line, file, batch->entry);
    for (size_t i = 0; i < batch->n_arguments; i++) {
        const PaslBinding *argument = &batch->arguments[i];
        text_add(text, "%s\n#line %u \"%s\"\n        ", i ? "," : "", argument->line, file);
        if (argument->element)
            text_add(text, "(%s *)0", argument->element);
        else
            text_add(text, "firma[%zu]", i);
    }
    text_add(text, ");\n}\n");
}

/* Functions that say how many bytes an array of a task has, and fill it. */
static void add_arrays(Text *text, const PaslApplication *application, const PaslBatch *batch, Arena *arena)
{
    static const char *const values[] = {
        [PASL_ZEROS] = "0", [PASL_RAMP] = "firma_i", [PASL_RANDOM] = "firma_draw(&firma_state) * firma_range"};
    const char *file = quoted(application->file, arena);
    Text bytes = {0};
    size_t slot = 0, n = 0;
    text_add(text, "void firma_fill(const double *firma, int firma_array, void *firma_to,\n"
                   "                double (*firma_draw)(unsigned long long *));\n"
                   "void firma_fill(const double *firma, int firma_array, void *firma_to,\n"
                   "                double (*firma_draw)(unsigned long long *))\n{\n"
                   "    unsigned long long firma_state;\n    unsigned long firma_i;\n    double firma_range;\n"
                   "    (void)firma; (void)firma_array; (void)firma_to; (void)firma_draw; (void)firma_state;\n"
                   "    (void)firma_i; (void)firma_range;\n");
    for (size_t i = 0; i < batch->n_arguments; slot += batch->arguments[i++].element ? 2 : 1) {
        const PaslBinding *argument = &batch->arguments[i];
        if (!argument->element)
            continue;
        text_add(&bytes, "    if (firma_array == %zu)\n        return (unsigned long)firma[%zu] * sizeof(%s);\n", n,
                 slot, argument->element);
        text_add(text, "#line %u \"%s\"\n    firma_state = (unsigned long long)(long long)firma[%zu];\n",
                 argument->line, file, slot + 1);
        text_add(text, "#line %u \"%s\"\n    firma_range = (%s)0.5 != 0 ? 1 : firma[%zu];\n", argument->line, file,
                 argument->element, slot);
        text_add(text, "    for (firma_i = 0; firma_array == %zu && firma_i < (unsigned long)firma[%zu]; firma_i++)\n",
                 n++, slot);
        text_add(text, "#line %u \"%s\"\n        ((%s *)firma_to)[firma_i] = (%s)(%s);\n", argument->line, file,
                 argument->element, argument->element, values[argument->fill]);
    }
    text_add(text,
             "}\n#line 1 \"<firma>\"\nextern const int firma_arrays;\nconst int firma_arrays = %zu;\n"
             "unsigned long firma_bytes(const double *firma, int firma_array);\n"
             "unsigned long firma_bytes(const double *firma, int firma_array)\n{\n"
             "    (void)firma; (void)firma_array;\n%s    return 0;\n}\n",
             n, text_take(&bytes, arena));
}

/* Counters, and where they are written. */
static void add_counters(Text *text, const RunCounting *counting, Arena *arena)
{
    text_add(text,
             "#line 1 \"<firma>\"\nextern const unsigned long firma_n_counts;\nextern const char firma_counts_file[];\n"
             "double firma_counts[%zu];\nconst unsigned long firma_n_counts = %zu;\n"
             "const char firma_counts_file[] = \"%s\";\n",
             counting->n_counters + 2, counting->n_counters, quoted(counting->results, arena));
}

/* Calls the entry through a volatile pointer, so that the compiler can't remove a call without
 * effects. GCC's classes 1 and 8 are integers and reals; other results aren't numbers, and void is
 * no result. Tasks of other batches run in the same process, so OpenMP's number of threads is restored. */
static void add_task(Text *text, const PaslBatch *batch, uint32_t threads)
{
    size_t slot = 0, n = 0;
    text_add(text, "#line 1 \"<firma>\"\n#define FIRMA_CALL firma_entry(");
    for (size_t i = 0; i < batch->n_arguments; slot += batch->arguments[i++].element ? 2 : 1)
        if (batch->arguments[i].element)
            text_add(text, "%sfirma_to[%zu]", i ? ", " : "", n++);
        else
            text_add(text, "%sfirma[%zu]", i ? ", " : "", slot);
    text_add(text, ")\n#define FIRMA_IS_VOID __builtin_types_compatible_p(__typeof__(FIRMA_CALL), void)\n"
                   "#define FIRMA_RESULT __builtin_choose_expr(FIRMA_IS_VOID, (void *)0, FIRMA_CALL)\n"
                   "#define FIRMA_CLASS __builtin_classify_type(FIRMA_RESULT)\n"
                   "double firma_task(const double *firma, void *const *firma_to);\n"
                   "double firma_task(const double *firma, void *const *firma_to)\n{\n"
                   "    (void)firma; (void)firma_to;\n");
    if (threads)
        text_add(text,
                 "    extern int omp_get_max_threads(void);\n    extern void omp_set_num_threads(int);\n"
                 "    const int firma_threads = omp_get_max_threads();\n    omp_set_num_threads(%u);\n",
                 threads);
    text_add(
        text,
        "    const double firma_value = __builtin_choose_expr(FIRMA_CLASS == 1 || FIRMA_CLASS == 8, FIRMA_RESULT,\n"
        "        ((void)FIRMA_CALL, __builtin_nan(\"\")));\n%s    return firma_value;\n}\n",
        threads ? "    omp_set_num_threads(firma_threads);\n" : "");
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
    if (argument->element)
        err_set(err, ERR_INPUT, "%s:%u:%u: argument `%s`: parameter %u of `%s` isn't an array of %s", application->file,
                argument->line, argument->column, argument->name, number, batch->entry, argument->element);
    else
        err_set(err, ERR_INPUT,
                "%s:%u:%u: argument `%s`: parameter %u of `%s` isn't a number; an array is written `argument double "
                "%s[LENGTH] = zeros`",
                application->file, argument->line, argument->column, argument->name, number, batch->entry,
                argument->name);
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

/* The source, or the copy that counts, which may have what the compiler warns of. */
static bool add_source(const char *const **words, size_t *n, const PaslBatch *batch, const RunCounting *counting,
                       Arena *arena, Err *err)
{
    const char *header = libraries_find("counters.h", "cost/run/worker", arena);
    if (!counting) {
        command_add(words, n, (const char *const[]){"-include", batch->source, NULL}, arena);
        return command_add_options(words, n, batch->options, arena, err);
    }
    if (!header)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks counters.h, with which tasks in C count") ||
               err_hint(err, "install firma again");
    command_add(words, n, (const char *const[]){"-include", header, "-include", counting->source, NULL}, arena);
    return command_add_options(words, n, counting->options, arena, err) &&
           command_add_options(words, n, batch->options, arena, err) && command_add_options(words, n, "-w", arena, err);
}

bool compile_c(const RunRequest *request, size_t index, uint32_t threads, const char *directory, Arena *arena,
               const char **library, Err *err)
{
    const PaslApplication *application = request->application;
    const PaslBatch *batch = &application->batches[index];
    const RunCounting *counting = request->counting ? &request->counting[index] : NULL;
    const char *wrapper = arena_printf(arena, "%s/task%zu.c", directory, index),
               *path = arena_printf(arena, "%s/task%zu.so", directory, index);
    const char *const first[] = {"cc", "-shared", "-fPIC", wrapper, "-o", path, "-Wl,-z,defs"};
    const char *const *words = first;
    size_t n = sizeof first / sizeof *first;
    Text text = {0};
    if (counting)
        add_counters(&text, counting, arena);
    add_check(&text, application, batch, arena);
    add_arrays(&text, application, batch, arena);
    add_task(&text, batch, threads);
    if (!files_save_text(wrapper, text_take(&text, arena), err) ||
        !add_source(&words, &n, batch, counting, arena, err) || !command_add_options(&words, &n, "-lm", arena, err))
        return false;
    if (!compile_by(words, "gcc", batch, arena, err))
        return explain(application, batch, arena, err);
    *library = path;
    return true;
}
