/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibrated.h. Models and costs are compared by checksums. */
#include "cost/predict/calibrated.h"

#include "base/text.h"
#include "cost/predict/carry.h"
#include "cost/predict/scale.h"
#include "cost/predict/sizes.h"
#include "cost/predict/task_parts.h"
#include <math.h>
#include <string.h>
#include <xxhash.h>

static const char *checksum(const void *bytes, size_t n, Arena *arena)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, n);
    return arena_printf(arena, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

const CpuCosts *calibrated_costs(const CpuModel *cpu, const PaslBatch *batch)
{
    const char *language = strcmp(batch->language, "pamela") == 0 ? "c" : batch->language;
    const CpuCosts *in_context = cpu_costs_at(cpu, language, batch->options);
    return in_context ? in_context : cpu_costs(cpu, language);
}

static const char *costs_checksum(const CpuModel *cpu, const PaslBatch *batch, Arena *arena)
{
    const CpuCosts *costs = calibrated_costs(cpu, batch);
    if (!costs)
        return "";
    const char *own = checksum(costs->cost_s, sizeof costs->cost_s, arena);
    VEC(double) far = {0};
    for (uint32_t i = 0; i < costs->n_far; i++) {
        *vec_push(&far) = costs->far[i].near_bytes;
        *vec_push(&far) = costs->far[i].cost_s.low;
        *vec_push(&far) = costs->far[i].cost_s.high;
        for (uint32_t k = 0; k < costs->far[i].n_shape; k++)
            *vec_push(&far) = costs->far[i].shape[k];
    }
    const char *all =
        far.count ? arena_printf(arena, "%s-%s", own, checksum(far.items, far.count * sizeof(double), arena)) : own;
    vec_free(&far);
    return all;
}

void calibrated_describe(const CalibratedUse *use, size_t batch, Calibration *calibration, Arena *arena)
{
    const char *model = pamela_text(use->models[batch], arena);
    calibration->model = checksum(model, strlen(model), arena);
    calibration->options = use->application->batches[batch].options;
    calibration->costs = costs_checksum(calibration->cpu, &use->application->batches[batch], arena);
}

static bool refuse(const char *file, const Calibration *calibration, const char *what, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: batch `%s` on %s was calibrated with %s", file, calibration->batch,
                   calibration->kind, what) ||
           err_hint(err, "calibrate again with `firma cost run --calibrate`, or predict without a calibration");
}

static bool check_one(const char *file, const Calibration *given, const Calibration *now, Arena *arena, Err *err)
{
    if (strcmp(given->model, now->model) != 0)
        return refuse(file, given, "another model of its task: its source, or what firma reads from it, has changed",
                      err);
    if (strcmp(given->options, now->options) != 0)
        return refuse(file, given,
                      arena_printf(arena, "the compiler's options `%s` instead of `%s`", given->options, now->options),
                      err);
    return strcmp(given->costs, now->costs) == 0 ||
           refuse(file, given, "other costs of operations than the machine model has", err);
}

/* The batch of a calibration. n_batches: none. */
static size_t batch_of(const CalibratedUse *use, const Calibration *calibration)
{
    size_t batch = 0;
    while (batch < use->application->n_batches &&
           strcmp(use->application->batches[batch].name, calibration->batch) != 0)
        batch++;
    return batch;
}

bool calibrated_check(const CalibratedUse *use, const char *file, Arena *arena, Err *err)
{
    for (size_t i = 0; i < use->how->n_calibrations; i++) {
        const Calibration *given = &use->how->calibrations[i];
        const CpuModel *cpu = machine_find_processor(use->how->machine, given->kind);
        Calibration now = {.batch = given->batch, .kind = given->kind, .cpu = cpu ? cpu : given->cpu};
        size_t batch = batch_of(use, given);
        if (batch == use->application->n_batches)
            continue;
        calibrated_describe(use, batch, &now, arena);
        if (!check_one(file, given, &now, arena, err))
            return false;
    }
    return true;
}

/* The value of the parameter that is nearest to this one, by their ratio; 0: none is above 0. */
static double nearest_value(const Calibration *calibration, const char *name, double value)
{
    double nearest = 0;
    for (size_t i = 0; i < calibration->n_runs; i++)
        for (size_t k = 0; k < calibration->runs[i].n_sizes; k++) {
            const TaskSize *size = &calibration->runs[i].sizes[k];
            if (strcmp(size->name, name) == 0 && size->value > 0 &&
                (nearest == 0 || fabs(log(size->value / value)) < fabs(log(nearest / value))))
                nearest = size->value;
        }
    return nearest;
}

static const char *find_far(const CalibratedUse *use, const Calibration *calibration, Arena *arena)
{
    Text far = {0};
    size_t n;
    const TaskSize *sizes = predict_sizes(use->application, use->how, &n, arena);
    for (size_t i = 0; i < n; i++) {
        double nearest = sizes[i].value > 0 ? nearest_value(calibration, sizes[i].name, sizes[i].value) : 0;
        if (nearest > 0 && fabs(log(sizes[i].value / nearest)) > log(CALIBRATED_FAR) * (1 + 1e-9))
            text_add(&far, "%s%s = %.6g instead of %.6g", far.bytes.count ? ", " : "", sizes[i].name, sizes[i].value,
                     nearest);
    }
    return text_take(&far, arena);
}

/* The largest of the caches, and of what malloc() reuses, that held the data of all runs and don't hold the task's. */
static void find_left(Calibration *made, const CpuCosts *costs, double task_bytes)
{
    made->task_bytes = task_bytes;
    for (size_t i = 0; i < made->n_runs; i++)
        made->most_bytes = fmax(made->most_bytes, made->runs[i].predicted.data_bytes);
    for (uint32_t i = 0; costs && made->most_bytes > 0 && i <= costs->n_far; i++) {
        bool is_curve = i < costs->n_far && costs->far[i].n_shape; /* begins at no cache's size */
        double held_bytes = i < costs->n_far ? costs->far[i].near_bytes : SCALE_REUSED_BYTES;
        if (!is_curve && made->most_bytes <= held_bytes && held_bytes < task_bytes)
            made->left_bytes = fmax(made->left_bytes, held_bytes);
    }
}

/* The narrowest that other kinds' calibrations give for this one. False: none of them can be carried. */
static bool carry_from_others(const CalibratedUse *use, size_t batch, const char *kind, Calibration *made, Arena *arena)
{
    const PredictOptions *how = use->how;
    bool is_found = false;
    for (size_t i = 0; i < how->n_calibrations; i++) {
        const Calibration *from = &how->calibrations[i];
        Calibration carried = *from;
        Err err = {0};
        if (batch_of(use, from) != batch || !carry_scale(use, batch, kind, arena, &carried, &err) ||
            (is_found && carried.scale.high / carried.scale.low >= made->scale.high / made->scale.low))
            continue;
        *made = carried;
        is_found = true;
    }
    return is_found;
}

/* False without an error: there is nothing of which this batch's scale could be made. */
static bool scale_of(const CalibratedUse *use, size_t batch, const char *kind, Calibration *made, Arena *arena,
                     Err *err)
{
    TaskParts task;
    const Calibration *given =
        calibration_find(use->how->calibrations, use->how->n_calibrations, use->application->batches[batch].name, kind);
    if (!given)
        return carry_from_others(use, batch, kind, made, arena);
    *made = *given;
    if (!task_parts(use->application, use->models, use->how, batch, kind, 0, arena, &task, err))
        return false;
    made->scale = scale_at(given, task, 0);
    made->busy_scale = scale_at(given, task, 1);
    find_left(made, calibrated_costs(given->cpu, &use->application->batches[batch]), task.data_bytes);
    return true;
}

bool calibrated_scale(const CalibratedUse *use, size_t *n, const Calibration **scaled, const char **far, Arena *arena,
                      Err *err)
{
    const MachineModel *machine = use->how->machine;
    const size_t n_batches = use->application->n_batches;
    Calibration *made = arena_new_array(arena, Calibration, n_batches * machine->n_processors);
    size_t n_made = 0;
    *far = "";
    for (size_t batch = 0; batch < n_batches; batch++)
        for (uint32_t i = 0; i < machine->n_processors; i++) {
            if (!scale_of(use, batch, machine->processors[i].name, &made[n_made], arena, err)) {
                if (err->kind)
                    return false;
                continue;
            }
            if (!**far) /* the same for each batch and kind */
                *far = find_far(use, &made[n_made], arena);
            n_made++;
        }
    *n = n_made;
    *scaled = made;
    return true;
}
