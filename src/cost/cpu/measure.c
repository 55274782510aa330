/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the measuring programs, one language after the other, and collects the records that they
 * print. */
#include "cost/cpu/machine.h"

#include "base/files.h"
#include "base/interrupts.h"
#include "base/monotonic.h"
#include "base/owner.h"
#include "base/process.h"
#include "base/processor.h"
#include "base/text.h"
#include "cost/cpu/records.h"
#include "cost/cpu/tools.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compiling and warming up the JVM takes some seconds, or many on a loaded machine. */
enum { LOOK_MS = 100, GRACE_S = 120 };

typedef struct Measuring {
    const CpuRequest *request;
    const Progress *progress;
    Arena *arena;
    const char *directory; /* for compiled classes */
    double started_s;
    int interrupted;
} Measuring;

static void report(const Measuring *measuring, const char *language)
{
    char what[64];
    snprintf(what, sizeof what, "measuring operations of %s", language);
    progress_report_time(measuring->progress, what, "", monotonic_s() - measuring->started_s,
                         measuring->request->budget_s);
}

/* Reads a program's lines until its end. False: interrupted, or past the deadline. */
static bool follow(Measuring *measuring, const char *language, Process *process, double deadline_s, CpuRecords *records)
{
    for (;;) {
        const char *line;
        switch (process_read(process, LOOK_MS, &line)) {
        case PROCESS_ENDED:
            return true;
        case PROCESS_LINE:
            cpu_records_take(records, line);
            if (strncmp(line, "sample ", 7) == 0)
                continue;
            break;
        case PROCESS_QUIET:
            break;
        }
        report(measuring, language);
        if ((measuring->interrupted = interrupts_take()) || monotonic_s() > deadline_s)
            return false;
    }
}

static bool run(Measuring *measuring, const char *language, const char *const *command, double seconds,
                CpuRecords *records, Err *err)
{
    Process *process;
    ProcessOptions how = {.words = command, .output = PROCESS_PIPE, .dies_with_us = SIGTERM, .sweeps = true};
    if (!process_start(&how, measuring->arena, &process, err))
        return false;
    bool has_ended = follow(measuring, language, process, monotonic_s() + seconds + GRACE_S, records);
    int status = process_stop(process);
    if (measuring->interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); nothing was written", strsignal(measuring->interrupted));
    if (!has_ended)
        return err_set(err, ERR_ENVIRONMENT, "%s was stopped, because it ran much longer than its share of the time",
                       command[0]);
    return status == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s ended with status %d: %s", command[0], status, cpu_records_other(records));
}

static bool measure_language(Measuring *measuring, const char *language, double seconds, CpuCosts *costs, Err *err)
{
    const char *const *prepare, *const *command;
    CpuRecords *records = cpu_records_new(measuring->arena);
    double started_s = monotonic_s();
    bool fine = cpu_command(language, seconds, measuring->directory, measuring->arena, &prepare, &command, err);
    if (fine && prepare) {
        fine = run(measuring, language, prepare, seconds, records, err);
        double left_s = fmax(seconds / 4, seconds - (monotonic_s() - started_s));
        fine = fine && cpu_command(language, left_s, measuring->directory, measuring->arena, &prepare, &command, err);
    }
    fine = fine && run(measuring, language, command, seconds, records, err);
    if (fine && !cpu_records_are_done(records))
        fine = err_set(err, ERR_ENVIRONMENT, "%s ended before its record `done`: %s", command[0],
                       cpu_records_other(records));
    fine = fine && cpu_records_finish(records, language, measuring->arena, costs, err);
    cpu_records_free(records);
    return fine;
}

/* Divides the remaining time. Java gets twice the share of C, because the JVM must warm up. */
static double share_s(const Measuring *measuring, size_t i)
{
    const CpuRequest *request = measuring->request;
    double weight = 0, weights = 0;
    for (size_t k = i; k < request->n_languages; k++) {
        double one = strcmp(request->languages[k], "java") == 0 ? 2 : 1;
        weight = k == i ? one : weight;
        weights += one;
    }
    return fmax(0.1, request->budget_s - (monotonic_s() - measuring->started_s)) * weight / weights;
}

static bool measure_all(Measuring *measuring, CpuModel *cpu, CpuLeftOut *left_out, Err *err)
{
    const CpuRequest *request = measuring->request;
    CpuCosts *languages = arena_new_array(measuring->arena, CpuCosts, request->n_languages);
    for (size_t i = 0; i < request->n_languages; i++) {
        const char *language = request->languages[i];
        Err failure = {0};
        if (measure_language(measuring, language, share_s(measuring, i), &languages[cpu->n_languages], &failure)) {
            cpu->n_languages++;
            continue;
        }
        if (request->must_have_all || failure.kind != ERR_ENVIRONMENT ||
            i + 1 - cpu->n_languages == request->n_languages) {
            *err = failure;
            return false;
        }
        *left_out = (CpuLeftOut){language, arena_strdup(measuring->arena, failure.message)};
    }
    cpu->languages = languages;
    return true;
}

bool cpu_measure(const CpuRequest *request, const Progress *progress, Arena *arena, CpuModel *cpu, CpuLeftOut *left_out,
                 Err *err)
{
    char *directory = owner_make_temporary(NULL, "firma-cpu", NULL, arena);
    Measuring measuring = {request, progress, arena, directory, monotonic_s(), 0};
    CpuModel measured = {.name = request->name,
                         .processor = processor_model(arena),
                         .date = text_of_now(arena),
                         .command = request->command,
                         .n_cores = processor_count()};
    CpuLeftOut none = {0};
    sigset_t before;
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a temporary directory (TMPDIR): %s", strerror(errno)) ||
               err_hint(err, "set TMPDIR to a writable directory");
    interrupts_hold(&before);
    bool fine = measure_all(&measuring, &measured, &none, err);
    files_remove_tree(directory);
    interrupts_release(&before);
    if (fine) {
        *cpu = measured;
        *left_out = none;
    }
    return fine;
}
