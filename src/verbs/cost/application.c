/* SPDX-License-Identifier: BSD-3-Clause */
/* See application.h. */
#include "verbs/cost/application.h"

#include "base/files.h"
#include "cost/lang/pamela.h"
#include "cost/source/program/program.h"
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

/* Values that batches give for this name. */
static bool set_values(const PaslApplication *application, PaslBatch *batches, const CostValue *setting, Arena *arena)
{
    bool is_found = false;
    for (size_t i = 0; i < application->n_batches; i++)
        for (size_t k = 0; k < batches[i].n_values; k++)
            if (strcmp(batches[i].values[k].name, setting->name) == 0) {
                PaslBinding *values =
                    arena_copy_array(arena, batches[i].values, batches[i].n_values, sizeof(PaslBinding));
                values[k].value = setting->value;
                batches[i].values = values;
                is_found = true;
            }
    return is_found;
}

/* Whether the name is a place in a batch's source, such as "pi.c:12". */
static bool is_place(const PaslApplication *application, const char *name)
{
    const char *colon = strrchr(name, ':');
    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return false;
    for (size_t i = 0; i < application->n_batches; i++) {
        const char *source = files_base_name(application->batches[i].source);
        if (strlen(source) == (size_t)(colon - name) && memcmp(source, name, strlen(source)) == 0)
            return true;
    }
    return false;
}

/* Whether --set may say among how many threads tasks divide loops. */
static bool has_threads(const PaslApplication *application, const char *name)
{
    for (size_t i = 0; i < application->n_batches; i++)
        if (strcmp(application->batches[i].language, "c") == 0 && source_has_threads(application->batches[i].options))
            return strcmp(name, PAMELA_THREADS) == 0;
    return false;
}

const Expr *cost_find_setting(const CostSettings *settings, const char *name)
{
    const Expr *value = NULL;
    for (size_t i = 0; i < settings->count; i++)
        value = strcmp(settings->items[i].name, name) == 0 ? settings->items[i].value : value;
    return value;
}

static bool apply_settings(PaslApplication *application, Arena *arena, CostSettings *others, Err *err)
{
    CostSettings settings;
    if (!cost_read_settings(application->space, arena, &settings, err))
        return false;
    CostValue *rest = arena_new_array(arena, CostValue, settings.count);
    PaslBinding *parameters = arena_new_array(arena, PaslBinding, application->n_parameters);
    PaslBatch *batches = arena_copy_array(arena, application->batches, application->n_batches, sizeof(PaslBatch));
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
        if (!others && (set_values(application, batches, setting, arena) || is_place(application, setting->name) ||
                        has_threads(application, setting->name)))
            continue;
        if (!others)
            return err_set(err, ERR_USAGE, "--set: %s has no parameter `%s`", application->file, setting->name);
        rest[n_rest++] = *setting;
    }
    application->parameters = parameters;
    application->batches = batches;
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
