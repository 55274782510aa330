/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles kernels and times them. A program of its own runs them (cost/cpu/worker/kernels.c), so that
 * code which the options break ends that program alone. */
#include "cost/context/kernels.h"

#include "base/files.h"
#include "base/interrupts.h"
#include "base/libraries.h"
#include "base/owner.h"
#include "base/process.h"
#include "base/text.h"
#include "base/words.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKER_FOLDER "cost/cpu/worker"
#define ROUNDS "3"
#define NEW_RUNS "3"
enum { LOOK_MS = 100 };

static void take_line(KernelsOutput *output, const char *line, Arena *arena)
{
    char kind[4];
    size_t index;
    double time_s;
    if (output->runs && sscanf(line, "%3s %zu %lf", kind, &index, &time_s) == 3 && index < output->n_runs) {
        ContextRun *run = &output->runs[index];
        double *least_s = strcmp(kind, "new") == 0 ? &run->new_s : &run->time_s;
        *least_s = *least_s > 0 ? fmin(*least_s, time_s) : time_s;
        return;
    }
    if (!*output->first && strncmp(line, "Picked up ", strlen("Picked up ")) != 0) /* the JVM: of its environment */
        output->first = arena_strdup(arena, line);
    if (!*output->error && strstr(line, "error: "))
        output->error = arena_strdup(arena, line);
}

bool kernels_follow(const char *const *words, KernelsOutput *output, int *status, Arena *arena, Err *err)
{
    const ProcessOptions how = {.words = words,
                                .environment = process_in_english,
                                .output = PROCESS_PIPE,
                                .dies_with_us = SIGTERM,
                                .sweeps = true};
    Process *process;
    const char *line;
    ProcessNews news = PROCESS_QUIET;
    int number = 0;
    if (!process_start(&how, arena, &process, err))
        return false;
    while (news != PROCESS_ENDED && !number) {
        news = process_read(process, LOOK_MS, &line);
        if (news == PROCESS_LINE)
            take_line(output, line, arena);
        number = interrupts_take();
    }
    *status = process_stop(process);
    return !number || err_set(err, ERR_NEGATIVE, "interrupted (%s); nothing was written", strsignal(number));
}

static bool compile(const char *source, const char *options, const char *library, Arena *arena, Err *err)
{
    static const char *const compiler[] = {"cc", NULL};
    const char *const rest[] = {"-shared", "-fPIC", source, "-o", library, "-lm", NULL}, *const * given;
    KernelsOutput output = {"", "", NULL, 0};
    int status = 0;
    const char *wrong = words_split(options, arena, &given, NULL);
    if (wrong)
        return err_set(err, ERR_USAGE, "--compiler-options: \"%s\": %s", options, wrong);
    bool ran = kernels_follow(words_join((const char *const *const[]){compiler, given, rest, NULL}, arena), &output,
                              &status, arena, err);
    if (!ran && err->kind == ERR_ENVIRONMENT)
        return err_hint(err, "install a C compiler (on Debian: apt-get install gcc)");
    return ran && (status == 0 || err_set(err, ERR_USAGE, "--compiler-options: \"%s\": %s", options,
                                          *output.error ? output.error : output.first));
}

static const char *number_text(const Expr *value, Arena *arena)
{
    double number = 0;
    expr_is_number(value, &number);
    return arena_printf(arena, "%.0f", number);
}

/* Compiles kernels in C into the directory, and adds the words that run them, without the runs. */
static bool prepare_c(const char *source, const char *options, const char *directory, double seconds, Arena *arena,
                      KernelsWords *words, Err *err)
{
    const char *program = libraries_find_program("firma-cpu-kernels", WORKER_FOLDER, arena);
    const char *library = arena_printf(arena, "%s/kernels.so", directory);
    if (!program)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks firma-cpu-kernels, which runs kernels") ||
               err_hint(err, "install firma again");
    *vec_push(words) = program;
    *vec_push(words) = ROUNDS;
    *vec_push(words) = NEW_RUNS;
    *vec_push(words) = arena_printf(arena, "%.6g", seconds);
    *vec_push(words) = library;
    return compile(source, options, library, arena, err);
}

/* `words`: of the program that runs them. */
static bool run_all(const PaslApplication *application, KernelsWords *words, Arena *arena, ContextRun *runs, Err *err)
{
    KernelsOutput output = {"", "", runs, application->n_batches};
    int status = 0;
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        *vec_push(words) = batch->entry;
        *vec_push(words) = number_text(batch->arguments[0].value, arena);
        *vec_push(words) = number_text(batch->arguments[1].value, arena);
    }
    *vec_push(words) = NULL;
    bool ran = kernels_follow(words->items, &output, &status, arena, err);
    return ran && (status == 0 || err_set(err, ERR_ENVIRONMENT, "the kernels ended with status %s: %s",
                                          process_status_text(status, arena), output.first));
}

static const char *version_of_compiler(Arena *arena)
{
    static const char *const words[] = {"cc", "--version", NULL};
    const ProcessOptions how = {.words = words, .environment = process_in_english, .output = PROCESS_PIPE};
    char *text;
    int status;
    if (!process_capture(&how, 10000, arena, &text, &status) || status != 0)
        return "cc";
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

bool kernels_time(const PaslApplication *application, const char *options, double seconds, Arena *arena,
                  ContextRun *runs, const char **compiler, Err *err)
{
    const PaslBatch *first = &application->batches[0];
    bool is_java = strcmp(first->language, "java") == 0;
    char *directory = owner_make_temporary(NULL, "firma-cpu", NULL, arena);
    KernelsWords words = {0};
    sigset_t before;
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a temporary directory (TMPDIR): %s", strerror(errno)) ||
               err_hint(err, "set TMPDIR to a writable directory");
    interrupts_hold(&before);
    bool fine = (is_java ? kernels_prepare_java(first->source, directory, seconds, arena, &words, err)
                         : prepare_c(first->source, options, directory, seconds, arena, &words, err)) &&
                run_all(application, &words, arena, runs, err);
    files_remove_tree(directory);
    interrupts_release(&before);
    vec_free(&words);
    *compiler = is_java ? "" : version_of_compiler(arena);
    return fine;
}
