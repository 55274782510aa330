/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration.h. Reads and writes calibrations as JSON. */
#include "cost/predict/calibration.h"

#include "base/fields.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

typedef struct List {
    Calibration *items;
    size_t count, n_cpus;
    const CpuModel *cpus;
} List;

static bool check_run(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CalibrationRun *run = record;
    (void)context;
    if (!(run->predicted.computation_s > 0) || !run->n_measured)
        return json_refuse(place, run->n_measured ? "computation_s" : "measured_s", err,
                           run->n_measured ? "expected a time above 0" : "expected at least one time");
    for (size_t i = 0; i < run->n_measured; i++)
        if (!(run->measured_s[i] > 0))
            return json_refuse(place, "measured_s", err, "expected times above 0");
    return true;
}

static bool check_calibration(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    (void)context;
    return ((const Calibration *)record)->n_runs > 0 || json_refuse(place, "runs", err, "expected at least one run");
}

static const FieldList run_fields = FIELDS_CHECKED(
    CalibrationRun, check_run,
    FIELD_AS(CalibrationRun, predicted.computation_s, "computation_s",
             "a task's mean prediction, in the middle of the costs' intervals, as if caches held its data"),
    FIELD_AS(CalibrationRun, predicted.ordered_s, "ordered_s", "what elements of large data add, visited in order"),
    FIELD_AS(CalibrationRun, predicted.scattered_s, "scattered_s", "what other loads and stores of large data add"),
    FIELD_AS(CalibrationRun, predicted.data_bytes, "data_bytes", "data that a task allocates; 0: not known",
             .flags = FIELD_NOT_NEGATIVE),
    FIELD(CalibrationRun, busy, "share of the machine's other processors that had a worker, too",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE),
    FIELD_LIST(CalibrationRun, measured_s, n_measured, "measured_s", "a task's mean time, in each run of the sample"),
    FIELD_LIST(CalibrationRun, sizes, n_sizes, "sizes", "parameters of the application", .of = &task_size_fields));

static const FieldList calibration_fields = FIELDS_CHECKED(
    Calibration, check_calibration, FIELD(Calibration, batch, "its name"), FIELD(Calibration, kind, "of machine"),
    FIELD(Calibration, model, "checksum of the task's model"),
    FIELD(Calibration, costs, "checksum of the operations' costs"), FIELD(Calibration, options, "of the compiler"),
    FIELD_LIST(Calibration, runs, n_runs, "runs", "of samples of the tasks, by size and number of workers",
               .of = &run_fields));

static const CpuModel *find_cpu(const CpuModel *cpus, size_t n, const char *kind)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(cpus[i].name, kind) == 0)
            return &cpus[i];
    return NULL;
}

static bool check_list(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const List *list = record;
    (void)context;
    for (size_t i = 0; i < list->count; i++) {
        const JsonPlace at = json_place_at(place, "calibrations", i);
        list->items[i].cpu = find_cpu(list->cpus, list->n_cpus, list->items[i].kind);
        if (!list->items[i].cpu)
            return json_refuse(&at, "kind", err, "`processors` has no kind `%s`", list->items[i].kind);
    }
    return true;
}

static const FieldList list_fields =
    FIELDS_CHECKED(List, check_list,
                   FIELD_LIST(List, cpus, n_cpus, "processors", "the calibrated kinds, as the machine model had them",
                              .of = &cpu_fields),
                   FIELD_LIST(List, items, count, "calibrations", "by batch and kind", .of = &calibration_fields));

const Document calibration_document = {"firma calibration", CALIBRATION_VERSION, &list_fields, .is_checked = true};

bool calibration_save(Calibration *calibrations, size_t n, const char *path, Err *err)
{
    CpuModel *cpus = memory_zeroed(n, sizeof *cpus);
    List list = {calibrations, n, 0, cpus};
    for (size_t i = 0; i < n; i++)
        if (!find_cpu(cpus, list.n_cpus, calibrations[i].kind))
            cpus[list.n_cpus++] = *calibrations[i].cpu;
    bool ok = document_save(&calibration_document, &list, path, err);
    free(cpus);
    return ok;
}

bool calibration_load(const char *path, Arena *arena, const Calibration **calibrations, size_t *n, Err *err)
{
    List *list;
    if (!document_load(&calibration_document, path, arena, &list, err))
        return false;
    *calibrations = list->items;
    *n = list->count;
    return true;
}

CalibrationSpread calibration_spread(const Calibration *calibrations, size_t n)
{
    CalibrationSpread most = {1, 1};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < calibrations[i].n_runs; k++) {
            const CalibrationRun *run = &calibrations[i].runs[k];
            double *times_s = memory_zeroed(run->n_measured, sizeof *times_s);
            memcpy(times_s, run->measured_s, run->n_measured * sizeof *times_s);
            gsl_sort(times_s, 1, run->n_measured);
            double middle = gsl_stats_median_from_sorted_data(times_s, 1, run->n_measured) / times_s[0];
            if (middle > most.middle)
                most = (CalibrationSpread){middle, times_s[run->n_measured - 1] / times_s[0]};
            free(times_s);
        }
    return most;
}

const Calibration *calibration_find(const Calibration *calibrations, size_t n, const char *batch, const char *kind)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(calibrations[i].batch, batch) == 0 && strcmp(calibrations[i].kind, kind) == 0)
            return &calibrations[i];
    return NULL;
}
