/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration.h. Reads and writes calibrations as JSON. */
#include "cost/predict/calibration.h"

#include "base/fields.h"
#include <string.h>

typedef struct List {
    const Calibration *items;
    size_t count;
} List;

static bool check_calibration(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const Calibration *calibration = record;
    (void)context;
    return calibration->scale.low <= calibration->scale.high ||
           json_refuse(place, "scale", err, "its first number is larger than its second");
}

static const FieldList size_fields = FIELDS(CalibrationSize, FIELD(CalibrationSize, name, "of the parameter"),
                                            FIELD(CalibrationSize, value, "in the sample"));

static const FieldList calibration_fields = FIELDS_CHECKED(
    Calibration, check_calibration, FIELD(Calibration, batch, "its name"), FIELD(Calibration, kind, "of machine"),
    FIELD_REALS(Calibration, scale, "scale", "[least, most]: a task's measured time over the middle of its prediction",
                .flags = FIELD_NOT_NEGATIVE, .limit = SECONDS_LIMIT),
    FIELD(Calibration, model, "checksum of the task's model"),
    FIELD(Calibration, costs, "checksum of the operations' costs"), FIELD(Calibration, options, "of the compiler"),
    FIELD_LIST(Calibration, sizes, n_sizes, "sizes", "parameters of the application", .of = &size_fields));

static const FieldList list_fields =
    FIELDS(List, FIELD_LIST(List, items, count, "calibrations", "by batch and kind", .of = &calibration_fields));

const Document calibration_document = {"firma calibration", CALIBRATION_VERSION, &list_fields, .is_checked = true};

bool calibration_save(const Calibration *calibrations, size_t n, const char *path, Err *err)
{
    return document_save(&calibration_document, &(List){calibrations, n}, path, err);
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

const Calibration *calibration_find(const Calibration *calibrations, size_t n, const char *batch, const char *kind)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(calibrations[i].batch, batch) == 0 && strcmp(calibrations[i].kind, kind) == 0)
            return &calibrations[i];
    return NULL;
}
