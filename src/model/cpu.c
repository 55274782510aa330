/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of operations, and the JSON form of their costs on a kind of processor
 * (docs/FORMATS.md). People write this form by hand, so members that prediction doesn't need have
 * defaults. */
#include "model/cpu.h"

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

static json_t *operations_to_json(const FieldContext *context, const void *record)
{
    const CpuCosts *costs = record;
    json_t *operations = json_object();
    (void)context;
    for (size_t i = 0; i < CPU_OPERATIONS; i++)
        for (size_t j = 0; j < CPU_TYPES; j++) {
            const Interval *cost = &costs->cost_s[i][j];
            char name[64];
            snprintf(name, sizeof name, "%s_%s", cpu_operation_names[i], cpu_type_names[j]);
            if (cost->low <= cost->high)
                json_object_set_new(operations, name, json_from_reals(&(double[]){cost->low, cost->high}[0], 2));
        }
    return operations;
}

static bool operations_from_json(const FieldContext *context, json_t *operations, const JsonPlace *place, void *record,
                                 Err *err)
{
    CpuCosts *costs = record;
    json_t *value;
    const char *name;
    (void)context;
    for (size_t i = 0; i < CPU_OPERATIONS; i++)
        for (size_t j = 0; j < CPU_TYPES; j++)
            costs->cost_s[i][j] = (Interval){0, -1};
    json_object_foreach(operations, name, value)
    {
        CpuOperation operation;
        CpuType type;
        if (!cpu_find(name, &operation, &type))
            return json_refuse(place, name, err, "unknown operation") ||
                   err_hint(err, "give an operation and a type, such as sum_double or access_reference");
        double ends[2];
        if (!json_get_seconds_list(operations, name, place, 2, ends, err))
            return false;
        if (ends[0] > ends[1])
            return json_refuse(place, name, err, "expected [least, most] in seconds, but the first number is larger");
        costs->cost_s[operation][type] = (Interval){ends[0], ends[1]};
    }
    return true;
}

static bool check_costs(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    (void)context;
    return ((const CpuCosts *)record)->benchmark_s > 0 || json_refuse(place, "", err, "benchmark_s must be above 0");
}

static const FieldList costs_fields = FIELDS_CHECKED(
    CpuCosts, check_costs, FIELD(CpuCosts, language, "`c`, `java`"),
    FIELD(CpuCosts, compiler, "compiler with its options, or the JVM; by default \"\"", .flags = FIELD_OPTIONAL),
    FIELD(
        CpuCosts, benchmark_s,
        "run time of the set of benchmarks; a kind's relative performance is the least `benchmark_s` of all kinds over its own"),
    FIELD_OWN("operations", SHAPE_ONE, operations_to_json, operations_from_json,
              "[least, most] seconds for each operation and type that was measured: "
              "`\"sum_double\": [2.5e-10, 1e-9]`",
              .noun = "object"));

static bool check_cpu(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CpuModel *cpu = record;
    (void)context;
    for (uint32_t i = 0; i < cpu->n_languages; i++)
        if (cpu_costs(cpu, cpu->languages[i].language) != &cpu->languages[i]) {
            const JsonPlace at = json_place_at(place, "languages", i);
            return json_refuse(&at, "", err, "a second entry for the same language");
        }
    return (*cpu->name && cpu->n_cores) ||
           json_refuse(place, "", err, *cpu->name ? "cores must be above 0" : "name must not be empty");
}

const FieldList cpu_fields = FIELDS_CHECKED(
    CpuModel, check_cpu, FIELD(CpuModel, name, "name of the kind, for use in `firma cost predict --kinds`"),
    FIELD(CpuModel, processor, "the processor model's name; by default \"\", not known", .flags = FIELD_OPTIONAL),
    FIELD(CpuModel, date, "time of the measurement; by default \"\"", .flags = FIELD_OPTIONAL),
    FIELD(CpuModel, command, "the command line that measured; by default \"\"", .flags = FIELD_OPTIONAL),
    FIELD_AS(CpuModel, n_cores, "cores", "processors of one machine of this kind, each of which can serve one worker"),
    FIELD_LIST(CpuModel, hosts, n_hosts, "hosts",
               "names of the hosts of this kind; by default the host that has the kind's name",
               .flags = FIELD_OPTIONAL),
    FIELD_LIST(CpuModel, languages, n_languages, "languages", "costs of operations, by language", .of = &costs_fields));
