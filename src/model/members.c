/* SPDX-License-Identifier: BSD-3-Clause */
/* See members.h. */
#include "model/members.h"

#include "base/text.h"
#include <math.h>
#include <string.h>

void json_set_real(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

bool json_get_text(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **text,
                   Err *err)
{
    const char *value;
    if (!json_get_string(object, key, place, &value, err))
        return false;
    *text = arena_strdup(arena, value);
    return true;
}

static bool refuse(const char *key, const JsonPlace *place, const char *why, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: %s%s%s: %s", place->file, place->path, place->path[0] ? "." : "", key, why);
}

bool json_get_name(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **name,
                   Err *err)
{
    const char *read;
    if (!json_get_text(object, key, place, arena, &read, err))
        return false;
    if (!*read || !text_is_line(read))
        return refuse(key, place, *read ? "there is a control character in it" : "expected a name that isn't empty",
                      err);
    *name = read;
    return true;
}

bool json_check_members(const json_t *object, const char *const *known, const JsonPlace *place, Err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        const char *const *name = known;
        while (*name && strcmp(*name, key) != 0)
            name++;
        if (!*name)
            return err_set(err, ERR_INPUT, "%s: %s%s`%.80s` is nothing that can stand here", place->file, place->path,
                           place->path[0] ? ": " : "", key);
    }
    return true;
}

bool json_get_share(const json_t *object, const char *key, const JsonPlace *place, double *value, Err *err)
{
    double read;
    if (!json_get_real(object, key, place, &read, err))
        return false;
    if (read < 0)
        return refuse(key, place, "expected a number, not negative", err);
    *value = read;
    return true;
}

bool json_get_quantity(const json_t *object, const char *key, const JsonPlace *place, double limit, double *value,
                       Err *err)
{
    double read = 0;
    if (!json_get_share(object, key, place, &read, err))
        return false;
    if (read > limit)
        return err_set(err, ERR_INPUT, "%s: %s%s%s: more than %g", place->file, place->path, place->path[0] ? "." : "",
                       key, limit);
    *value = read;
    return true;
}

bool json_get_uint32(const json_t *object, const char *key, const JsonPlace *place, uint32_t limit, uint32_t *value,
                     Err *err)
{
    uint64_t read;
    if (!json_get_uint(object, key, place, limit, &read, err))
        return false;
    *value = (uint32_t)read;
    return true;
}

bool json_get_index(const json_t *object, const char *key, const JsonPlace *place, uint32_t count, uint32_t *value,
                    Err *err)
{
    if (!json_get_uint32(object, key, place, UINT32_MAX, value, err))
        return false;
    return *value < count || refuse(key, place, "there are not so many in this file", err);
}

bool save_readable_document(const json_t *root, const char *path, DocumentReader read, Err *err)
{
    Arena *arena = arena_new();
    void *result;
    bool ok = read(root, path, arena, &result, err);
    arena_free(arena);
    if (!ok) {
        err->kind = ERR_BUG;
        return err_prefix(err, "not written");
    }
    return json_save_document(root, path, err);
}

bool load_document(const char *path, const char *format, int version, DocumentReader read, Arena *arena, void *result,
                   Err *err)
{
    json_t *root;
    if (!json_load_document(path, format, version, &root, err))
        return false;
    bool ok = read(root, path, arena, result, err);
    json_decref(root);
    return ok;
}
