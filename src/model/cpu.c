/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of operations, and the JSON form of what they cost on a kind of processor (docs/FORMATS.md). A person may
 * write it: what isn't needed for a prediction has a default. */
#include "model/cpu.h"

#include "model/members.h"
#include <math.h>
#include <string.h>

const char *const cpu_type_names[CPU_TYPES] = {
    [CPU_INT8] = "int8",   [CPU_INT16] = "int16",   [CPU_INT32] = "int32",         [CPU_INT64] = "int64",
    [CPU_FLOAT] = "float", [CPU_DOUBLE] = "double", [CPU_REFERENCE] = "reference",
};

const char *const cpu_operation_names[CPU_OPERATIONS] = {
    [CPU_ASSIGN] = "assign",   [CPU_ACCESS] = "access",     [CPU_ELEMENT] = "element", [CPU_FIELD] = "field",
    [CPU_SUM] = "sum",         [CPU_SUB] = "sub",           [CPU_MUL] = "mul",         [CPU_DIV] = "div",
    [CPU_MOD] = "mod",         [CPU_NEGATE] = "negate",     [CPU_COMPARE] = "compare", [CPU_LOGICAL] = "logical",
    [CPU_BITWISE] = "bitwise", [CPU_SHIFT] = "shift",       [CPU_CAST] = "cast",       [CPU_CALL] = "call",
    [CPU_RETURN] = "return",   [CPU_BRANCH] = "branch",     [CPU_SQRT] = "sqrt",       [CPU_SIN] = "sin",
    [CPU_COS] = "cos",         [CPU_TAN] = "tan",           [CPU_EXP] = "exp",         [CPU_LOG] = "log",
    [CPU_POW] = "pow",         [CPU_ABS] = "abs",           [CPU_FLOOR] = "floor",     [CPU_MATH] = "math",
    [CPU_RANDOM] = "random",   [CPU_ALLOCATE] = "allocate",
};

static bool find_name(const char *const *names, size_t n, const char *text, size_t length, size_t *index)
{
    for (*index = 0; *index < n; ++*index)
        if (strlen(names[*index]) == length && memcmp(names[*index], text, length) == 0)
            return true;
    return false;
}

bool cpu_find(const char *name, CpuOperation *operation, CpuType *type)
{
    const char *last = strrchr(name, '_');
    size_t o, t;
    if (!last || !find_name(cpu_operation_names, CPU_OPERATIONS, name, (size_t)(last - name), &o) ||
        !find_name(cpu_type_names, CPU_TYPES, last + 1, strlen(last + 1), &t))
        return false;
    *operation = (CpuOperation)o;
    *type = (CpuType)t;
    return true;
}

const char *cpu_name(CpuOperation operation, CpuType type, Arena *arena)
{
    return arena_printf(arena, "%s_%s", cpu_operation_names[operation], cpu_type_names[type]);
}

const CpuCosts *cpu_costs(const CpuModel *cpu, const char *language)
{
    for (uint32_t i = 0; i < cpu->n_languages; i++)
        if (strcmp(cpu->languages[i].language, language) == 0)
            return &cpu->languages[i];
    return NULL;
}

static json_t *costs_to_json(const CpuCosts *costs)
{
    json_t *object = json_object(), *operations = json_object();
    json_object_set_new(object, "language", json_from_text(costs->language));
    json_object_set_new(object, "compiler", json_from_text(costs->compiler));
    json_set_real(object, "benchmark_s", costs->benchmark_s);
    for (size_t i = 0; i < CPU_OPERATIONS; i++)
        for (size_t j = 0; j < CPU_TYPES; j++) {
            const Interval *cost = &costs->cost_s[i][j];
            char name[64];
            snprintf(name, sizeof name, "%s_%s", cpu_operation_names[i], cpu_type_names[j]);
            if (cost->low <= cost->high)
                json_object_set_new(operations, name, json_from_reals(&(double[]){cost->low, cost->high}[0], 2));
        }
    json_object_set_new(object, "operations", operations);
    return object;
}

json_t *cpu_to_json(const CpuModel *cpu)
{
    json_t *object = json_object(), *hosts = json_array(), *languages = json_array();
    json_object_set_new(object, "name", json_from_text(cpu->name));
    json_object_set_new(object, "processor", json_from_text(cpu->processor));
    json_object_set_new(object, "date", json_from_text(cpu->date));
    json_object_set_new(object, "command", json_from_text(cpu->command));
    json_object_set_new(object, "cores", json_integer(cpu->n_cores));
    for (uint32_t i = 0; i < cpu->n_hosts; i++)
        json_array_append_new(hosts, json_from_text(cpu->hosts[i]));
    for (uint32_t i = 0; i < cpu->n_languages; i++)
        json_array_append_new(languages, costs_to_json(&cpu->languages[i]));
    json_object_set_new(object, "hosts", hosts);
    json_object_set_new(object, "languages", languages);
    return object;
}

static bool refuse(const JsonPlace *place, const char *what, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: %s: %s", place->file, place->path, what);
}

static bool text_or_none(const json_t *object, const char *key, const JsonPlace *place, Arena *arena, const char **text,
                         Err *err)
{
    *text = "";
    return !json_object_get(object, key) || json_get_text(object, key, place, arena, text, err);
}

static bool operations_from_json(const json_t *object, const JsonPlace *place, CpuCosts *costs, Err *err)
{
    json_t *operations, *value;
    const char *name;
    for (size_t i = 0; i < CPU_OPERATIONS; i++)
        for (size_t j = 0; j < CPU_TYPES; j++)
            costs->cost_s[i][j] = (Interval){0, -1};
    if (!json_get_object(object, "operations", place, &operations, err))
        return false;
    json_object_foreach(operations, name, value)
    {
        const JsonPlace at = json_place(place->file, "%s.operations.%s", place->path, name);
        CpuOperation operation;
        CpuType type;
        if (!cpu_find(name, &operation, &type))
            return refuse(&at, "no operation has this name", err) ||
                   err_hint(err, "expected is an operation and a type, as sum_double or access_reference");
        const JsonPlace in = json_place(place->file, "%s.operations", place->path);
        double ends[2];
        if (!json_get_seconds_list(operations, name, &in, 2, ends, err))
            return false;
        if (ends[0] > ends[1])
            return refuse(&at, "expected is [least, most] in seconds: the first is larger", err);
        costs->cost_s[operation][type] = (Interval){ends[0], ends[1]};
    }
    return true;
}

static bool costs_from_json(const json_t *object, const JsonPlace *place, Arena *arena, CpuCosts *costs, Err *err)
{
    if (!json_get_text(object, "language", place, arena, &costs->language, err) ||
        !text_or_none(object, "compiler", place, arena, &costs->compiler, err) ||
        !json_get_seconds(object, "benchmark_s", place, &costs->benchmark_s, err))
        return false;
    if (costs->benchmark_s <= 0)
        return refuse(place, "benchmark_s is not larger than 0", err);
    return operations_from_json(object, place, costs, err);
}

static bool languages_from_json(const json_t *object, const JsonPlace *place, Arena *arena, CpuModel *cpu, Err *err)
{
    json_t *array;
    if (!json_get_array(object, "languages", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    CpuCosts *languages = arena_new_array(arena, CpuCosts, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "%s.languages[%zu]", place->path, i);
        if (!costs_from_json(json_array_get(array, i), &at, arena, &languages[i], err))
            return false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(languages[i].language, languages[j].language) == 0)
                return refuse(&at, "the language is there twice", err);
    }
    cpu->languages = languages;
    cpu->n_languages = (uint32_t)n;
    return true;
}

static bool hosts_of_kind_from_json(const json_t *object, const JsonPlace *place, Arena *arena, CpuModel *cpu, Err *err)
{
    json_t *array;
    if (!json_object_get(object, "hosts"))
        return true;
    if (!json_get_array(object, "hosts", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    const char **hosts = arena_new_array(arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *name = json_array_get(array, i);
        const JsonPlace at = json_place(place->file, "%s.hosts[%zu]", place->path, i);
        if (!json_is_string(name))
            return refuse(&at, "expected the name of a host", err);
        hosts[i] = arena_strdup(arena, json_string_value(name));
    }
    cpu->hosts = hosts;
    cpu->n_hosts = (uint32_t)n;
    return true;
}

bool cpu_from_json(const json_t *object, const char *file, uint32_t index, Arena *arena, CpuModel *cpu, Err *err)
{
    const JsonPlace place = json_place(file, "processors[%u]", index);
    CpuModel read = {0};
    if (!json_get_text(object, "name", &place, arena, &read.name, err) ||
        !text_or_none(object, "processor", &place, arena, &read.processor, err) ||
        !text_or_none(object, "date", &place, arena, &read.date, err) ||
        !text_or_none(object, "command", &place, arena, &read.command, err) ||
        !json_get_uint32(object, "cores", &place, UINT32_MAX, &read.n_cores, err) ||
        !hosts_of_kind_from_json(object, &place, arena, &read, err) ||
        !languages_from_json(object, &place, arena, &read, err))
        return false;
    if (!*read.name || read.n_cores == 0)
        return refuse(&place, *read.name ? "cores is not larger than 0" : "the name is empty", err);
    *cpu = read;
    return true;
}
