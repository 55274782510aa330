/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of operations, and the JSON form of their costs on a kind of processor
 * (docs/FORMATS.md). People write this form by hand, so members that prediction doesn't need have
 * defaults. */
#include "model/cpu.h"

#include <math.h>
#include <string.h>

const char *const cpu_type_names[CPU_TYPES] = {
    [CPU_INT8] = "int8",   [CPU_INT16] = "int16",   [CPU_INT32] = "int32",         [CPU_INT64] = "int64",
    [CPU_FLOAT] = "float", [CPU_DOUBLE] = "double", [CPU_REFERENCE] = "reference",
};

const char *const cpu_operation_names[CPU_OPERATIONS] = {
    [CPU_STRAY] = "stray",   [CPU_SURPRISE] = "surprise", [CPU_WAIT] = "wait",       [CPU_ASSIGN] = "assign",
    [CPU_ACCESS] = "access", [CPU_ELEMENT] = "element",   [CPU_FIELD] = "field",     [CPU_SUM] = "sum",
    [CPU_SUB] = "sub",       [CPU_MUL] = "mul",           [CPU_DIV] = "div",         [CPU_MOD] = "mod",
    [CPU_NEGATE] = "negate", [CPU_COMPARE] = "compare",   [CPU_LOGICAL] = "logical", [CPU_BITWISE] = "bitwise",
    [CPU_SHIFT] = "shift",   [CPU_CAST] = "cast",         [CPU_CALL] = "call",       [CPU_RETURN] = "return",
    [CPU_BRANCH] = "branch", [CPU_SQRT] = "sqrt",         [CPU_SIN] = "sin",         [CPU_COS] = "cos",
    [CPU_TAN] = "tan",       [CPU_EXP] = "exp",           [CPU_LOG] = "log",         [CPU_POW] = "pow",
    [CPU_ABS] = "abs",       [CPU_FLOOR] = "floor",       [CPU_MATH] = "math",       [CPU_RANDOM] = "random",
    [CPU_PARSE] = "parse",   [CPU_FORMAT] = "format",     [CPU_BLOCK] = "block",     [CPU_ALLOCATE] = "allocate",
    [CPU_CYCLE] = "cycle",   [CPU_STREAM] = "stream",     [CPU_LEAP] = "leap",       [CPU_ROAM] = "roam",
    [CPU_FOLLOW] = "follow", [CPU_DESCEND] = "descend",
};

unsigned cpu_type_bytes(CpuType type, unsigned reference_bytes)
{
    static const unsigned bytes[CPU_TYPES] = {
        [CPU_INT8] = 1, [CPU_INT16] = 2, [CPU_INT32] = 4, [CPU_INT64] = 8, [CPU_FLOAT] = 4, [CPU_DOUBLE] = 8};
    return type == CPU_REFERENCE ? reference_bytes : bytes[type];
}

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
    const CpuCosts *found = NULL;
    for (uint32_t i = 0; i < cpu->n_languages; i++) {
        const CpuCosts *costs = &cpu->languages[i];
        if (strcmp(costs->language, language) == 0 && (!found || (*found->options && !*costs->options)))
            found = costs;
    }
    return found;
}

typedef struct Word {
    const char *text;
    size_t length;
} Word;

static bool is_same(Word a, Word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* The next word that changes the code, other than -O…; an empty one at the end. OpenMP's directives decide who executes
 * code, and leave the code as it is. */
static Word next_word(const char **text)
{
    static const Word openmp = {"-fopenmp", 8};
    for (;;) {
        *text += strspn(*text, " \t\n");
        Word word = {*text, strcspn(*text, " \t\n")};
        *text += word.length;
        bool changes = word.length > 2 && word.text[0] == '-' && strchr("fms", word.text[1]) && !is_same(word, openmp);
        if (!word.length || changes)
            return word;
    }
}

/* The last -O…; -O0 if there is none. */
static Word level_of(const char *text)
{
    Word level = {"-O0", 3};
    while (*(text += strspn(text, " \t\n"))) {
        size_t length = strcspn(text, " \t\n");
        if (length >= 2 && text[0] == '-' && text[1] == 'O')
            level = (Word){text, length};
        text += length;
    }
    return level.length == 2 ? (Word){"-O1", 3} : level;
}

static bool are_same_options(const char *a, const char *b)
{
    if (!is_same(level_of(a), level_of(b)))
        return false;
    for (;;) {
        Word of_a = next_word(&a), of_b = next_word(&b);
        if (!is_same(of_a, of_b))
            return false;
        if (!of_a.length)
            return true;
    }
}

/* A JVM compiles code while it runs; what its compiler of sources is told changes nothing in that. */
static bool is_same_code(const char *language, const char *a, const char *b)
{
    return strcmp(language, "java") == 0 || are_same_options(a, b);
}

const CpuCosts *cpu_costs_at(const CpuModel *cpu, const char *language, const char *options)
{
    for (uint32_t i = 0; i < cpu->n_languages; i++) {
        const CpuCosts *costs = &cpu->languages[i];
        if (*costs->options && strcmp(costs->language, language) == 0 &&
            is_same_code(language, costs->options, options))
            return costs;
    }
    return NULL;
}

const char *cpu_far_name(CpuOperation operation, CpuType type)
{
    switch (operation) {
    case CPU_ELEMENT:
        return "element";
    case CPU_STRAY:
        return "stray";
    case CPU_FIELD:
        return type == CPU_REFERENCE ? "reference" : "element";
    case CPU_STREAM:
    case CPU_LEAP:
    case CPU_SURPRISE:
    case CPU_ROAM:
    case CPU_FOLLOW:
    case CPU_DESCEND:
        return cpu_operation_names[operation];
    default:
        return NULL;
    }
}

static Interval near_cost(const CpuCosts *costs, CpuOperation operation, CpuType type)
{
    Interval cost = costs->cost_s[operation][type];
    if (operation == CPU_ALLOCATE && (type == CPU_RECYCLING || type == CPU_LIVE))
        return (Interval){0, 0};
    if (cost.low <= cost.high)
        return cost;
    if (operation == CPU_STRAY)
        return costs->cost_s[CPU_ELEMENT][type];
    if (operation == CPU_BLOCK && type != CPU_DOUBLE)
        return costs->cost_s[CPU_ELEMENT][CPU_INT64];
    if (operation == CPU_ALLOCATE && (type == CPU_RECYCLED || type == CPU_FIXED))
        return (Interval){0, near_cost(costs, operation, CPU_INT8).high};
    bool is_optional = operation == CPU_SURPRISE || operation == CPU_WAIT || operation == CPU_FORMAT ||
                       operation >= CPU_STREAM || (operation == CPU_ALLOCATE && type == CPU_INT8);
    return is_optional ? (Interval){0, 0} : cost;
}

/* What a far operation costs more on so many bytes, in parts of its cost_s. */
static double far_share(const CpuFar *far, double bytes)
{
    double doublings = bytes > far->near_bytes ? log2(bytes / far->near_bytes) : 0;
    if (!far->n_shape)
        return doublings;
    uint32_t last = (uint32_t)fmin(floor(doublings), far->n_shape - 1);
    double before = last ? far->shape[last - 1] : 0;
    return before + (far->shape[last] - before) * (doublings - last);
}

Interval cpu_cost(const CpuCosts *costs, CpuOperation operation, CpuType type, double bytes)
{
    Interval cost = near_cost(costs, operation, type);
    const char *name = cpu_far_name(operation, type);
    for (uint32_t i = 0; name && i < costs->n_far; i++) {
        const CpuFar *far = &costs->far[i];
        if (strcmp(far->operation, name) == 0) {
            double share = far_share(far, bytes);
            cost.low += share * far->cost_s.low;
            cost.high += share * far->cost_s.high;
        }
    }
    return cost;
}

Interval cpu_guessed(const CpuCosts *costs, Interval cost)
{
    bool is_known = costs->guess.high > 0;
    return is_known ? (Interval){cost.low * costs->guess.low, cost.high * costs->guess.high} : cost;
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
    json_object_foreach(operations, name, value) {
        CpuOperation operation;
        CpuType type;
        if (!cpu_find(name, &operation, &type))
            return json_refuse(place, name, err, "unknown operation") ||
                   err_hint(
                       err,
                       "if another version of firma wrote the file, measure anew: firma machine cpu; in a file written by hand, "
                       "give an operation and a type, such as sum_double");
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
    const CpuCosts *costs = record;
    if (costs->guess.low > costs->guess.high)
        return json_refuse(place, "guess", err, "expected [least, most], but the first number is larger");
    return costs->benchmark_s > 0 || json_refuse(place, "", err, "benchmark_s must be above 0");
}

static bool check_far(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CpuFar *far = record;
    (void)context;
    if (!(far->near_bytes > 0))
        return json_refuse(place, "", err, "near_bytes must be above 0");
    return far->cost_s.low <= far->cost_s.high ||
           json_refuse(place, "cost_s", err, "expected [least, most] in seconds, but the first number is larger");
}

static const FieldList far_fields = FIELDS_CHECKED(
    CpuFar, check_far,
    FIELD(
        CpuFar, operation,
        "`element`, `stray`; `reference`: loads of references from fields; in compiled code: `stream`, `leap`, `roam`, "
        "`follow`, `descend`; in Java: `surprise`"),
    FIELD(CpuFar, near_bytes, "bytes of data up to which the operations' own costs hold"),
    FIELD_REALS(CpuFar, cost_s, "cost_s", "[least, most] seconds more, each time that the data double from there",
                .flags = FIELD_NOT_NEGATIVE, .limit = SECONDS_LIMIT),
    FIELD_LIST(CpuFar, shape, n_shape, "shape",
               "instead of once more for each doubling: how many times `cost_s` it is after 1, 2, 3 … doublings",
               .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE));

static const FieldList costs_fields = FIELDS_CHECKED(
    CpuCosts, check_costs, FIELD(CpuCosts, language, "`c`, `java`"),
    FIELD(CpuCosts, options,
          "the compiler's options at which operations were measured in context, or `warm` for code that a JVM has "
          "compiled; by default \"\", one by one",
          .flags = FIELD_OPTIONAL),
    FIELD(CpuCosts, compiler, "compiler with its options, or the JVM; by default \"\"", .flags = FIELD_OPTIONAL),
    FIELD(CpuCosts, scheduler,
          "the processor for which llvm-mca counts cycles of compiled code; by default \"\", none are counted",
          .flags = FIELD_OPTIONAL),
    FIELD(
        CpuCosts, benchmark_s,
        "run time of the set of benchmarks; a kind's relative performance is the least `benchmark_s` of all kinds over its own"),
    FIELD_OWN("operations", SHAPE_ONE, operations_to_json, operations_from_json,
              "[least, most] seconds for each operation and type that was measured: "
              "`\"sum_double\": [2.5e-10, 1e-9]`",
              .noun = "object"),
    FIELD_LIST(CpuCosts, far, n_far, "far", "what loads and stores cost on large data; by default none",
               .of = &far_fields, .flags = FIELD_OPTIONAL),
    FIELD_REALS(CpuCosts, guess, "guess",
                "[at most 1, at least 1] by which the ends of intervals are multiplied where times depend on "
                "probabilities that nobody gave; by default 1",
                .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE),
    FIELD(CpuCosts, learnt_branches,
          "in compiled code: of how many branches that go the same ways again and again the processor learns half; by "
          "default 0: it learns none",
          .flags = FIELD_OPTIONAL | FIELD_NOT_NEGATIVE));

static bool check_cpu(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const CpuModel *cpu = record;
    (void)context;
    for (uint32_t i = 0; i < cpu->n_languages; i++) {
        const CpuCosts *costs = &cpu->languages[i];
        if ((*costs->options ? cpu_costs_at(cpu, costs->language, costs->options) : cpu_costs(cpu, costs->language)) !=
            costs) {
            const JsonPlace at = json_place_at(place, "languages", i);
            return json_refuse(&at, "", err, "a second entry for the same language and options");
        }
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
