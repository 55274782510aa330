/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibrated.h. Models and costs are compared by checksums. */
#include "cost/predict/calibrated.h"

#include "base/text.h"
#include <math.h>
#include <string.h>
#include <xxhash.h>

static const char *checksum(const void *bytes, size_t n, Arena *arena)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, n);
    return arena_printf(arena, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

static const char *costs_checksum(const CalibratedUse *use, const PaslBatch *batch, const char *kind, Arena *arena)
{
    const CpuModel *cpu = machine_find_processor(use->machine, kind);
    const char *language = strcmp(batch->language, "pamela") == 0 ? "c" : batch->language;
    const CpuCosts *in_context = cpu ? cpu_costs_at(cpu, language, batch->options) : NULL;
    const CpuCosts *costs = in_context ? in_context : cpu ? cpu_costs(cpu, language) : NULL;
    return costs ? checksum(costs->cost_s, sizeof costs->cost_s, arena) : "";
}

/* The parameter's value, if it is a number. */
static bool number_of(const CalibratedUse *use, const PaslBinding *parameter, double *value)
{
    const Expr *found = parameter->value;
    for (size_t i = 0; i < use->n_set; i++)
        if (strcmp(use->set[i].name, parameter->name) == 0)
            found = use->set[i].value;
    return found && expr_is_number(found, value);
}

void calibrated_describe(const CalibratedUse *use, size_t batch, Calibration *calibration, Arena *arena)
{
    const PaslApplication *application = use->application;
    const char *model = pamela_text(use->models[batch], arena);
    CalibrationSize *sizes = arena_new_array(arena, CalibrationSize, application->n_parameters);
    calibration->model = checksum(model, strlen(model), arena);
    calibration->options = application->batches[batch].options;
    calibration->costs = costs_checksum(use, &application->batches[batch], calibration->kind, arena);
    calibration->sizes = sizes;
    calibration->n_sizes = 0;
    for (size_t i = 0; i < application->n_parameters; i++) {
        CalibrationSize *size = &sizes[calibration->n_sizes];
        size->name = application->parameters[i].name;
        calibration->n_sizes += number_of(use, &application->parameters[i], &size->value);
    }
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

static void add_far(const Calibration *given, const Calibration *now, Text *far)
{
    for (size_t i = 0; i < given->n_sizes; i++)
        for (size_t k = 0; k < now->n_sizes; k++) {
            double before = given->sizes[i].value, after = now->sizes[k].value;
            if (strcmp(given->sizes[i].name, now->sizes[k].name) == 0 && before > 0 && after > 0 &&
                fabs(log(after / before)) > log(CALIBRATED_FAR) * (1 + 1e-9))
                text_add(far, "%s%s = %.6g instead of %.6g", far->bytes.count ? ", " : "", now->sizes[k].name, after,
                         before);
        }
}

bool calibrated_check(const CalibratedUse *use, const char *file, const Calibration *calibrations, size_t n,
                      const char **far, Arena *arena, Err *err)
{
    Text text = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t batch = 0; batch < use->application->n_batches; batch++) {
            Calibration now = {.batch = calibrations[i].batch, .kind = calibrations[i].kind};
            if (strcmp(use->application->batches[batch].name, now.batch) != 0 ||
                !machine_find_processor(use->machine, now.kind))
                continue;
            calibrated_describe(use, batch, &now, arena);
            if (!check_one(file, &calibrations[i], &now, arena, err))
                return false;
            if (!text.bytes.count) /* the same for each batch and kind */
                add_far(&calibrations[i], &now, &text);
        }
    *far = text_take(&text, arena);
    return true;
}
