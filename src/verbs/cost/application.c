/* SPDX-License-Identifier: BSD-3-Clause */
/* See application.h. */
#include "verbs/cost/application.h"

#include "base/files.h"
#include "verbs/cost/cost.h"

#include <string.h>

static bool read_setting(ExprSpace *space, const char *text, Arena *arena, CostValue *setting, Err *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return err_set(err, ERR_USAGE, "--set: `%s` isn't NAME=VALUE", text);
    const ExprPlace place = {"--set", 1, (unsigned)(equals - text) + 2};
    setting->name = arena_strndup(arena, text, (size_t)(equals - text));
    if (expr_parse(space, equals + 1, &place, &setting->value, err))
        return true;
    err->kind = ERR_USAGE;
    return false;
}

bool cost_check_setting(const char *text, Arena *arena, Err *err)
{
    CostValue setting;
    return read_setting(expr_space_new(arena), text, arena, &setting, err);
}

bool cost_read_settings(ExprSpace *space, Arena *arena, CostSettings *settings, Err *err)
{
    size_t n = 0;
    while (cost_options.set.given && cost_options.set.given[n])
        n++;
    CostValue *items = arena_new_array(arena, CostValue, n);
    for (size_t i = 0; i < n; i++)
        if (!read_setting(space, cost_options.set.given[i], arena, &items[i], err))
            return false;
    *settings = (CostSettings){n, items};
    return true;
}

static bool set_parameter(const PaslApplication *application, PaslBinding *parameters, const CostValue *setting)
{
    for (size_t i = 0; i < application->n_parameters; i++)
        if (strcmp(parameters[i].name, setting->name) == 0) {
            parameters[i].value = setting->value;
            return true;
        }
    return false;
}

static bool apply_settings(PaslApplication *application, Arena *arena, CostSettings *others, Err *err)
{
    CostSettings settings;
    if (!cost_read_settings(application->space, arena, &settings, err))
        return false;
    CostValue *rest = arena_new_array(arena, CostValue, settings.count);
    PaslBinding *parameters = arena_new_array(arena, PaslBinding, application->n_parameters);
    size_t n_rest = 0;
    for (size_t i = 0; i < application->n_parameters; i++)
        parameters[i] = application->parameters[i];
    for (size_t i = 0; i < settings.count; i++) {
        const CostValue *setting = &settings.items[i];
        double value;
        if (!expr_is_number(setting->value, &value))
            return err_set(err, ERR_USAGE, "--set: expected a number after `%s=`, found `%s`", setting->name,
                           strchr(cost_options.set.given[i], '=') + 1);
        if (set_parameter(application, parameters, setting))
            continue;
        if (!others)
            return err_set(err, ERR_USAGE, "--set: %s has no parameter `%s`", application->file, setting->name);
        rest[n_rest++] = *setting;
    }
    application->parameters = parameters;
    if (others)
        *others = (CostSettings){n_rest, rest};
    return true;
}

static bool check_sources(const PaslApplication *application, Err *err)
{
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        bool is_there = files_exist(batch->source);
        if (!is_there || files_is_directory(batch->source))
            return err_set(err, ERR_INPUT, "%s:%u:%u: batch `%s`: source %s %s", application->file, batch->source_line,
                           batch->source_column, batch->name, batch->source,
                           is_there ? "is a directory" : "isn't there");
    }
    return true;
}

bool cost_load_flow(const char *path, Arena *arena, PaslApplication **application, Err *err)
{
    return pasl_load(path, arena, application, err) && check_sources(*application, err);
}

bool cost_load_application(const char *path, Arena *arena, PaslApplication **application, CostSettings *others,
                           Err *err)
{
    return pasl_load(path, arena, application, err) && apply_settings(*application, arena, others, err) &&
           check_sources(*application, err);
}
