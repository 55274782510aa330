/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration.h. */
#include "cost/predict/calibration.h"

#include "model/members.h"
#include <string.h>

#define CALIBRATION_FORMAT "firma calibration"

typedef struct List {
    const Calibration *items;
    size_t count;
} List;

static bool read_list(const json_t *root, const char *file, Arena *arena, void *result, Err *err)
{
    const JsonPlace place = json_place(file, "%s", "");
    json_t *array;
    if (!json_get_array(root, "calibrations", &place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    Calibration *items = arena_new_array(arena, Calibration, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(file, "calibrations[%zu]", i);
        const json_t *object = json_array_get(array, i);
        double scale[2];
        if (!json_get_text(object, "batch", &at, arena, &items[i].batch, err) ||
            !json_get_text(object, "kind", &at, arena, &items[i].kind, err) ||
            !json_get_seconds_list(object, "scale", &at, 2, scale, err))
            return false;
        if (scale[0] > scale[1])
            return err_set(err, ERR_INPUT, "%s: %s.scale: the first number is larger than the second", file, at.path);
        items[i].scale = (Interval){scale[0], scale[1]};
    }
    List *list = arena_alloc(arena, sizeof *list);
    *list = (List){items, n};
    *(List **)result = list;
    return true;
}

bool calibration_save(const Calibration *calibrations, size_t n, const char *path, Err *err)
{
    json_t *root = json_object(), *array = json_array();
    json_object_set_new(root, "format", json_string(CALIBRATION_FORMAT));
    json_object_set_new(root, "version", json_integer(CALIBRATION_VERSION));
    for (size_t i = 0; i < n; i++) {
        const double scale[] = {calibrations[i].scale.low, calibrations[i].scale.high};
        json_t *object = json_object();
        json_object_set_new(object, "batch", json_from_text(calibrations[i].batch));
        json_object_set_new(object, "kind", json_from_text(calibrations[i].kind));
        json_object_set_new(object, "scale", json_from_reals(scale, 2));
        json_array_append_new(array, object);
    }
    json_object_set_new(root, "calibrations", array);
    bool saved = save_readable_document(root, path, read_list, err);
    json_decref(root);
    return saved;
}

bool calibration_load(const char *path, Arena *arena, const Calibration **calibrations, size_t *n, Err *err)
{
    List *list;
    if (!load_document(path, CALIBRATION_FORMAT, CALIBRATION_VERSION, read_list, arena, &list, err))
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
