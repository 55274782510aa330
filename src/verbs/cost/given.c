/* SPDX-License-Identifier: BSD-3-Clause */
/* See given.h. */
#include "verbs/cost/given.h"

#include "verbs/cost/application.h"

bool given_values_read(Arena *arena, size_t *n, GivenValue **given, Err *err)
{
    CostSettings settings;
    if (!cost_read_settings(expr_space_new(arena), arena, &settings, err))
        return false;
    GivenValue *values = arena_new_array(arena, GivenValue, settings.count);
    for (size_t i = 0; i < settings.count; i++) {
        Interval value;
        if (!expr_evaluate(settings.items[i].value, NULL, 0, &value, NULL, err)) {
            err->kind = ERR_USAGE;
            return err_prefix(err, "--set: `%s`", settings.items[i].name);
        }
        values[i] = (GivenValue){settings.items[i].name, value.low, arena_alloc(arena, sizeof(bool))};
    }
    *n = settings.count;
    *given = values;
    return true;
}

bool given_values_check(const GivenValue *given, size_t n, const char *path, Err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!*given[i].is_used)
            return err_set(err, ERR_USAGE, "--set: %s has no unknown value called `%s`", path, given[i].name) ||
                   err_hint(err, "--set is for variables whose values the source doesn't tell, and for the names "
                                 "that firma prints");
    return true;
}
