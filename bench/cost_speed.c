/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the CPU time of predictions from source, which other load on the machine changes little.
 * Measured are reading a flow file with the models of its tasks, and then each prediction, on a
 * growing number of machines.
 *
 *     cost_speed APP.pasl machine.json KIND
 */
#include "cost/predict/predict.h"
#include "cost/source/analyse.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 21 };

static double processor_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ms(double *times_s)
{
    qsort(times_s, REPEATS, sizeof *times_s, by_time);
    return times_s[REPEATS / 2] * 1e3;
}

static bool load(const char *path, const MachineModel *machine, Arena *arena, Predictor **predictor, Err *err)
{
    PaslApplication *application;
    const AnalysisOptions how = {0};
    const PredictOptions options = {.machine = machine, .without_messages = true};
    if (!pasl_load(path, arena, &application, err))
        return false;
    const PamelaModel **models = arena_new_array(arena, const PamelaModel *, application->n_batches);
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry, NULL};
        Analysis *analysis;
        if (!analyse_source(&source, &how, application->space, arena, &analysis, err))
            return false;
        models[i] = analysis->model;
    }
    return predictor_new(application, models, &options, arena, predictor, err);
}

/* Each round does everything anew, so nothing is cached from one round to the next. */
static bool measure(const char *path, const MachineModel *machine, const char *kind, uint32_t n_machines, Err *err)
{
    double build_s[REPEATS], first_s[REPEATS], next_s[REPEATS];
    for (size_t i = 0; i < REPEATS; i++) {
        Arena *arena = arena_new();
        Predictor *predictor = NULL;
        CostPrediction *prediction;
        const MachineChoice choice = {kind, n_machines, 1}, other = {kind, n_machines + 1, 1};
        double start = processor_s();
        bool ok = load(path, machine, arena, &predictor, err);
        double loaded = processor_s();
        ok = ok && predictor_predict(predictor, &choice, 1, &prediction, err);
        double first = processor_s();
        ok = ok && predictor_predict(predictor, &other, 1, &prediction, err);
        build_s[i] = loaded - start;
        first_s[i] = first - loaded;
        next_s[i] = processor_s() - first;
        predictor_end(predictor);
        arena_free(arena);
        if (!ok)
            return false;
    }
    printf("%8u %12.2f %12.3f %12.3f\n", n_machines, median_ms(build_s), median_ms(first_s), median_ms(next_s));
    return true;
}

int main(int n, char **words)
{
    static const uint32_t machines[] = {1, 4, 32, 1000, 10000};
    Arena *arena = arena_new();
    MachineModel *machine;
    Err err = {0};
    bool ok = n == 4 || err_set(&err, ERR_USAGE, "usage: cost_speed APP.pasl machine.json KIND");
    ok = ok && machine_load(words[2], arena, &machine, &err);
    if (ok)
        printf("machines   models (ms)   first (ms)    next (ms)\n");
    for (size_t i = 0; ok && i < sizeof machines / sizeof *machines; i++)
        ok = measure(words[1], machine, words[3], machines[i], &err);
    if (!ok)
        fprintf(stderr, "cost_speed: %s\n", err.message);
    arena_free(arena);
    return ok ? 0 : err.kind;
}
