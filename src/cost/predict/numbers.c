/* SPDX-License-Identifier: BSD-3-Clause */
/* See numbers.h. Values of --set come first, then values in the files. A probability without a
 * value is 1/2, the mean of best and worst case (the paper, section 4.3). A probability is what an
 * `if` of the model has as its own. */
#include "cost/predict/numbers.h"

#include "base/text.h"
#include "cost/lang/names.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const number_origin_names[] = {[NUMBER_MEASURED] = "measured",
                                           [NUMBER_CALIBRATED] = "calibrated",
                                           [NUMBER_GIVEN] = "given",
                                           [NUMBER_FILE] = "file",
                                           [NUMBER_COUNTED] = "counted",
                                           [NUMBER_ASSUMED] = "assumed",
                                           NULL};

const char *predict_kind_index(const char *kind, Arena *arena)
{
    char *index = arena_strdup(arena, kind);
    for (char *c = index; *c; c++)
        if (!(*c >= '0' && *c <= '9') && !(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z'))
            *c = '_';
    return index;
}

bool numbers_have(const Numbers *numbers, const char *name)
{
    for (size_t i = 0; i < numbers->bindings.count; i++)
        if (strcmp(numbers->bindings.items[i].name, name) == 0)
            return true;
    return false;
}

static void add(Numbers *numbers, const char *name, Interval value, NumberOrigin origin, const char *note)
{
    *vec_push(&numbers->bindings) = (ExprBinding){name, value};
    *vec_push(&numbers->found) = (PredictionNumber){name, value, origin, note ? note : ""};
}

const PamelaParameter *numbers_parameter(const PamelaModel *model, const char *name)
{
    for (size_t i = 0; i < model->n_parameters; i++)
        if (pamela_is_named(&model->parameters[i], name))
            return &model->parameters[i];
    return NULL;
}

/* The last --set value for the name. */
static const Expr *find_set(const Numbers *numbers, const char *name, const PamelaParameter *parameter)
{
    const Expr *value = NULL;
    for (size_t i = 0; i < numbers->options->n_set; i++) {
        const CostValue *set = &numbers->options->set[i];
        if (strcmp(set->name, name) == 0 || (parameter && pamela_is_named(parameter, set->name)))
            value = set->value;
    }
    return value;
}

static const CpuModel *kind_of_index(const Numbers *numbers, const char *index)
{
    for (size_t i = 0; i < numbers->platform->n_groups; i++)
        if (strcmp(numbers->platform->groups[i].kind, index) == 0)
            return machine_find_processor(numbers->options->machine, numbers->kinds[i]);
    return NULL;
}

/* An interval of two neighbouring doubles, not a point. Sums of points with long fractions would be
 * added up exactly, which takes long. */
static Interval middle(Interval interval)
{
    double value = interval.low + (interval.high - interval.low) / 2;
    return (Interval){value, nextafter(value, INFINITY)};
}

/* Adds an operation once, although groups and expressions may share it. */
static void add_unmeasured(Numbers *numbers, const char *operation)
{
    for (size_t i = 0; i < numbers->unmeasured.count; i++)
        if (strcmp(numbers->unmeasured.items[i], operation) == 0)
            return;
    *vec_push(&numbers->unmeasured) = operation;
}

/* The costs in the context of code that was compiled with the batch's options; if there are none, of
 * operations that were measured one by one. */
static const CpuCosts *costs_of(Numbers *numbers, const CpuModel *cpu, const char *index)
{
    const char *language = index;
    for (size_t i = 0; i < numbers->n_codes; i++)
        if (strcmp(numbers->codes[i].index, index) == 0) {
            const CpuCosts *costs = cpu_costs_at(cpu, numbers->codes[i].language, numbers->codes[i].options);
            if (costs)
                return costs;
            language = numbers->codes[i].language;
        }
    return cpu_costs(cpu, language);
}

/* An operation's symbol, t_sum_double[fast] or t_sum_double[fast,java]. */
typedef struct OperationSymbol {
    char name[64], kind[128], language[128];
    CpuOperation operation;
    CpuType type;
    const CpuModel *cpu;
    const CpuCosts *costs; /* NULL: none */
} OperationSymbol;

/* False for other symbols. */
static bool read_operation(Numbers *numbers, const char *symbol, OperationSymbol *read)
{
    *read = (OperationSymbol){.cpu = NULL};
    if (sscanf(symbol, "t_%63[a-z0-9_][%127[^],],%127[^]]]", read->name, read->kind, read->language) < 2 ||
        !cpu_find(read->name, &read->operation, &read->type))
        return false;
    read->cpu = kind_of_index(numbers, read->kind);
    if (read->cpu)
        read->costs = costs_of(numbers, read->cpu, *read->language ? read->language : numbers->language);
    return true;
}

static bool is_guess(Numbers *numbers, const PamelaParameter *parameter);

/* Whether a probability is assumed, also one that only counts in compiled code. */
static bool find_assumed(Numbers *numbers)
{
    const PredictOptions *options = numbers->options;
    for (size_t i = 0; i < options->n_counted; i++)
        if (options->counted[i].origin == NUMBER_ASSUMED)
            return true;
    for (size_t i = 0; i < numbers->model->n_parameters; i++) {
        const PamelaParameter *parameter = &numbers->model->parameters[i];
        if (is_guess(numbers, parameter) && !find_set(numbers, parameter->name, parameter))
            return true;
    }
    return false;
}

static bool has_assumed(Numbers *numbers)
{
    if (numbers->assumes == ASSUMES_UNKNOWN)
        numbers->assumes = find_assumed(numbers) ? ASSUMES : ASSUMES_NOT;
    return numbers->assumes == ASSUMES;
}

/* A process's first task gets new memory, and so does the first of several blocks; further ones may get what was given
 * back. Arrays of a fixed size stay, and may be used in part. Of calibrated tasks, the sample had such, too. */
static Interval memory_cost(const Numbers *numbers, CpuType type, Interval each, Interval cost)
{
    const PredictOptions *options = numbers->options;
    bool is_known = numbers->n_tasks > 0 && !options->is_part && !options->is_dynamic && !numbers->is_calibrated;
    if (!is_known)
        return (Interval){0, cost.high};
    return type == CPU_FIXED      ? (Interval){0, cost.high / numbers->n_tasks}
           : type == CPU_RECYCLED ? (Interval){each.low / fmax(1, numbers->n_recycled), cost.high}
                                  : (Interval){each.low / numbers->n_tasks, cost.high};
}

static Interval cost_of(Numbers *numbers, const OperationSymbol *symbol, double bytes)
{
    Interval cost = cpu_cost(symbol->costs, symbol->operation, symbol->type, bytes);
    bool is_memory =
        symbol->operation == CPU_ALLOCATE && symbol->type != CPU_REFERENCE && symbol->type != CPU_RECYCLING &&
        symbol->type != CPU_LIVE;
    if (is_memory && strcmp(symbol->costs->language, "c") == 0)
        cost = memory_cost(numbers, symbol->type, cpu_cost(symbol->costs, CPU_ALLOCATE, CPU_INT8, bytes), cost);
    return cost.low <= cost.high && has_assumed(numbers) ? cpu_guessed(symbol->costs, cost) : cost;
}

/* Adds an operation's value. False for other symbols. */
static bool add_operation(Numbers *numbers, const char *symbol)
{
    OperationSymbol read;
    if (!read_operation(numbers, symbol, &read))
        return false;
    const CpuCosts *costs = read.costs;
    Interval cost = costs ? cost_of(numbers, &read, 0) : (Interval){0, -1};
    if (cost.high < cost.low) {
        add_unmeasured(numbers,
                       arena_printf(numbers->arena, "%s on %s", read.name, read.cpu ? read.cpu->name : read.kind));
        return true;
    }
    bool is_in_context = *costs->options != '\0';
    numbers->has_context = numbers->has_context || is_in_context;
    numbers->has_single = numbers->has_single || !is_in_context;
    add(numbers, symbol, numbers->is_calibrated ? middle(cost) : cost, NUMBER_MEASURED,
        !is_in_context ? ""
        : strcmp(costs->options, CPU_WARM) == 0
            ? "in code that the JVM has compiled"
            : arena_printf(numbers->arena, "in code compiled with %s", costs->options));
    return true;
}

/* The task's bytes, for an operation that costs more on large data. */
static double bytes_for(const Numbers *numbers, const OperationSymbol *symbol)
{
    const char *far = cpu_far_name(symbol->operation, symbol->type);
    PredictFar which = numbers->options->far;
    bool is_near = which == FAR_NONE || (which == FAR_SCATTERED && far && strcmp(far, "element") == 0);
    return is_near ? 0 : numbers->task_bytes;
}

/* The cost of an operation with the task's bytes, unless --set gives it. */
static void refresh_operation(Numbers *numbers, size_t i)
{
    OperationSymbol read;
    const char *symbol = numbers->bindings.items[i].name;
    if (numbers->found.items[i].origin != NUMBER_MEASURED || !read_operation(numbers, symbol, &read) || !read.costs)
        return;
    Interval cost = cost_of(numbers, &read, bytes_for(numbers, &read));
    Interval value = numbers->is_calibrated ? middle(cost) : cost;
    numbers->bindings.items[i].value = numbers->found.items[i].value = value;
}

static bool add_message(Numbers *numbers, const char *symbol, bool *is_one, Err *err)
{
    char first[128], second[128];
    MessageCost cost;
    *is_one = sscanf(symbol, "alpha[%127[^],],%127[^]]]", first, second) == 2 ||
              sscanf(symbol, "beta[%127[^],],%127[^]]]", first, second) == 2;
    if (!*is_one || !numbers->sizes_are_known)
        return true;
    if (!messages_find(numbers, first, second, &cost, err))
        return false;
    const char *note = cost.assumed && cost.chosen ? arena_printf(numbers->arena, "%s; %s", cost.chosen, cost.assumed)
                       : cost.chosen               ? cost.chosen
                                                   : cost.assumed;
    add(numbers, symbol, *symbol == 'a' ? cost.alpha_s : cost.beta_s, cost.assumed ? NUMBER_ASSUMED : NUMBER_MEASURED,
        note);
    return true;
}

/* Adds the value of ts or tw, of messages in a task: as between any two hosts, or within the only one. */
static bool add_own_message(Numbers *numbers, const char *symbol, const char *note)
{
    MessageCost cost;
    bool is_startup = strcmp(symbol, "ts") == 0;
    if ((!is_startup && strcmp(symbol, "tw") != 0) || !note)
        return false;
    if (numbers->options->without_messages)
        add(numbers, symbol, (Interval){0, 0}, NUMBER_GIVEN, "--no-messages");
    else if (messages_own(numbers, &cost))
        add(numbers, symbol, is_startup ? cost.alpha_s : cost.beta_s, NUMBER_MEASURED, cost.chosen);
    else
        return false;
    return true;
}

static bool add_scale(Numbers *numbers, const char *symbol)
{
    for (size_t i = 0; i < numbers->n_scales; i++)
        if (strcmp(numbers->scales[i].symbol, symbol) == 0) {
            const Calibration *calibration = numbers->scales[i].calibration;
            add(numbers, symbol, numbers->scales[i].value, NUMBER_CALIBRATED,
                calibration->is_of_model
                    ? arena_printf(numbers->arena, "the costs' own interval: what %s says is wider",
                                   calibration->carried)
                : calibration->carried
                    ? arena_printf(numbers->arena, "carried from %s by the costs of operations", calibration->carried)
                    : "");
            return true;
        }
    return false;
}

/* Begins a formula. If formulas form a cycle, reports the cycle. */
static bool open_formula(Numbers *numbers, const char *name, Err *err)
{
    Text chain = {0};
    size_t first = 0;
    while (first < numbers->open.count && strcmp(numbers->open.items[first], name) != 0)
        first++;
    if (first == numbers->open.count) {
        *vec_push(&numbers->open) = name;
        return true;
    }
    for (size_t i = first; i < numbers->open.count; i++)
        text_add(&chain, "%s -> ", numbers->open.items[i]);
    return err_set(err, ERR_INPUT, "the values of parameters form a cycle: %s%s", text_take(&chain, numbers->arena),
                   name);
}

/* Of `if (…, often)`: often. Of `if (…, Q_3/(1 - Q_2))`: the names that firma gives to probabilities.
 * The share of a loop that may end early has no value by itself. */
static void add_probabilities_of(Numbers *numbers, const Expr *amount)
{
    const char *const *names;
    size_t n = expr_symbols(numbers->space, amount, &names);
    for (size_t i = 0; i < n; i++)
        if (strncmp(names[i], "share_", 6) != 0 &&
            (strncmp(names[i], "Q_", 2) == 0 || amount == expr_symbol(numbers->space, names[i])))
            names_add(&numbers->probabilities, names[i], 0);
}

static void add_probabilities(Numbers *numbers, const PamelaNode *node)
{
    if (node->kind == PAMELA_IF)
        add_probabilities_of(numbers, node->amount);
    for (size_t i = 0; i < node->n_children; i++)
        if (node->children[i])
            add_probabilities(numbers, node->children[i]);
}

static bool is_probability(Numbers *numbers, const char *name)
{
    for (size_t i = 0; !numbers->has_probabilities && i < numbers->model->n_subs; i++)
        add_probabilities(numbers, numbers->model->subs[i].body);
    numbers->has_probabilities = true;
    return numbers_parameter(numbers->model, name) && names_get(&numbers->probabilities, name);
}

/* Whether the parameter is what the analysis of sources asks for OpenMP's regions. */
static bool is_number_of_threads(const Numbers *numbers, const char *name)
{
    const PamelaParameter *parameter =
        strcmp(name, PAMELA_THREADS) == 0 ? numbers_parameter(numbers->model, name) : NULL;
    return parameter && parameter->place;
}

/* counted: its factors say between which ends the value is; NULL: it is what the formula says. */
static bool add_formula(Numbers *numbers, const char *name, const Expr *formula, const PamelaCounted *counted,
                        NumberOrigin origin, const char *note, Err *err)
{
    Interval value;
    if (!open_formula(numbers, name, err) || !numbers_find(numbers, formula, err))
        return false;
    numbers->open.count--;
    if (numbers->missing.count || numbers->unmeasured.count)
        return true; /* the error names the formula's own parameters */
    if (!numbers_evaluate(numbers, formula, &value, NULL, err))
        return err_prefix(err, "%s", name);
    if (counted)
        value = (Interval){value.low * counted->low, value.high * counted->high};
    if (value.low < value.high && counted)
        *vec_push(&numbers->uncertain) = numbers->bindings.count;
    if (is_probability(numbers, name) && !(value.low >= 0 && value.high <= 1))
        return err_set(err, origin == NUMBER_GIVEN ? ERR_USAGE : ERR_INPUT,
                       "%s`%s` is a probability; expected a value from 0 to 1", origin == NUMBER_GIVEN ? "--set: " : "",
                       name);
    if (is_number_of_threads(numbers, name) &&
        !(value.low == value.high && value.low >= 1 && value.low == floor(value.low)))
        return err_set(err, ERR_INPUT, "%s: `%s` is a number of threads; expected a whole number from 1 on, not %g",
                       numbers_parameter(numbers->model, name)->place, name, value.low);
    add(numbers, name, value, origin, note);
    return true;
}

/* The analysis of sources writes 1/2 for an unknown probability. */
static bool is_guess(Numbers *numbers, const PamelaParameter *parameter)
{
    double number;
    return !parameter->counted && is_probability(numbers, parameter->name) && parameter->value &&
           expr_is_number(parameter->value, &number) && number == 0.5;
}

static const char *list(const char *const *items, size_t n, const char *between, Arena *arena)
{
    Text text = {0};
    for (size_t i = 0; i < n; i++)
        text_add(&text, "%s%s", i ? between : "", items[i]);
    return text_take(&text, arena);
}

/* A formula of --set may only use names that have values. */
static bool add_set(Numbers *numbers, const char *name, const Expr *set, const char *note, Err *err)
{
    size_t n_missing = numbers->missing.count;
    if (!add_formula(numbers, name, set, NULL, NUMBER_GIVEN, note, err))
        return false;
    if (numbers->missing.count == n_missing)
        return true;
    return err_set(err, ERR_USAGE, "--set: the formula of `%s` uses names without a value: %s", name,
                   list(numbers->missing.items + n_missing, numbers->missing.count - n_missing, "; ", numbers->arena));
}

static NumberOrigin origin_of(Numbers *numbers, const PamelaParameter *parameter)
{
    if (parameter->counted)
        return parameter->counted->is_assumed ? NUMBER_ASSUMED : NUMBER_COUNTED;
    return is_guess(numbers, parameter) ? NUMBER_ASSUMED : NUMBER_FILE;
}

static const char *note_of(const Numbers *numbers, const PamelaParameter *parameter, const char *note)
{
    if (!parameter->counted)
        return note;
    return note ? arena_printf(numbers->arena, "%s; %s", parameter->counted->note, note) : parameter->counted->note;
}

static bool add_symbol(Numbers *numbers, const char *name, Err *err)
{
    const PamelaParameter *parameter = numbers_parameter(numbers->model, name);
    const char *note = parameter ? pamela_note(parameter, numbers->arena) : NULL;
    const Expr *set = find_set(numbers, name, parameter);
    bool is_message;
    if (set)
        return add_set(numbers, name, set, note, err);
    if (parameter && parameter->value)
        return add_formula(numbers, name, parameter->value, parameter->counted, origin_of(numbers, parameter),
                           note_of(numbers, parameter, note), err);
    if (strcmp(name, "P") == 0)
        return add(numbers, name, (Interval){(double)numbers->n_workers, (double)numbers->n_workers}, NUMBER_GIVEN,
                   "workers"),
               true;
    if (add_operation(numbers, name) || add_scale(numbers, name) || add_own_message(numbers, name, note))
        return true;
    if (!add_message(numbers, name, &is_message, err))
        return false;
    if (is_message)
        return true;
    if (is_probability(numbers, name)) {
        add(numbers, name, (Interval){0.5, 0.5}, NUMBER_ASSUMED, note);
        return true;
    }
    if (!parameter && strcmp(name, "p") == 0)
        return err_set(err, ERR_INPUT,
                       "`p` is the processor on which a sub-model is called, and nothing calls the last sub-model") ||
               err_hint(err, "name a processor there: 0 is the master, and the workers are 1 to P");
    *vec_push(&numbers->missing) =
        note ? arena_printf(numbers->arena, "%s (%s)", name, note) : arena_strdup(numbers->arena, name);
    /* So that the error names it once. */
    *vec_push(&numbers->bindings) = (ExprBinding){name, {0, 0}};
    return true;
}

bool numbers_find(Numbers *numbers, const Expr *expr, Err *err)
{
    const char *const *names;
    size_t n = expr_symbols(numbers->space, expr, &names);
    for (size_t i = 0; i < n; i++)
        if (!numbers_have(numbers, names[i]) && !add_symbol(numbers, names[i], err))
            return false;
    return true;
}

/* Whether the symbol is the cost of a byte of memory, or of a block of memory, of this type. */
static bool is_of_memory(Numbers *numbers, const char *symbol, CpuType type)
{
    OperationSymbol read;
    return read_operation(numbers, symbol, &read) && read.operation == CPU_ALLOCATE && read.type == type;
}

/* The time without contention where each byte, or block, of memory of this type costs a second, and all else nothing. */
static bool count_memory(Numbers *numbers, const Expr *without_contention, CpuType type, double *count, Err *err)
{
    const char *const *symbols;
    const size_t n = expr_symbols(numbers->space, without_contention, &symbols);
    const char **names = arena_new_array(numbers->arena, const char *, n);
    const Expr **values = arena_new_array(numbers->arena, const Expr *, n);
    size_t n_replaced = 0;
    bool is_there = false;
    Interval found = {0, 0};
    for (size_t i = 0; i < n; i++) {
        bool is_it = is_of_memory(numbers, symbols[i], type), is_scale = strncmp(symbols[i], "scale_", 6) == 0;
        is_there = is_there || is_it;
        if (!is_it && !is_scale && !strchr(symbols[i], '[') && strncmp(symbols[i], "cost_", 5) != 0)
            continue;
        names[n_replaced] = symbols[i];
        values[n_replaced++] = expr_integer(numbers->space, is_it || is_scale);
    }
    const Expr *all = is_there ? expr_substitute(numbers->space, without_contention, names, values, n_replaced) : NULL;
    if (all && !numbers_evaluate(numbers, all, &found, NULL, err))
        return false;
    *count = found.high;
    return true;
}

/* How many places of the model allocate memory that may have been used before. */
static size_t count_recycled(const PamelaNode *node)
{
    CpuOperation operation;
    CpuType type;
    size_t n = node->kind == PAMELA_OPERATION && cpu_find(node->name, &operation, &type) && operation == CPU_ALLOCATE &&
               type == CPU_RECYCLED;
    for (size_t i = 0; i < node->n_children; i++)
        n += node->children[i] ? count_recycled(node->children[i]) : 0;
    return n;
}

/* Of blocks that may be used again, as many live at a time as the compiled code tells, or else as there are places that
 * allocate them. */
bool numbers_find_bytes(Numbers *numbers, const Expr *without_contention, uint64_t n_tasks, Err *err)
{
    double bytes, recycled, n_recycled, live, n_places = 0;
    if (!n_tasks)
        return true;
    if (!count_memory(numbers, without_contention, CPU_INT8, &bytes, err) ||
        !count_memory(numbers, without_contention, CPU_RECYCLED, &recycled, err) ||
        !count_memory(numbers, without_contention, CPU_RECYCLING, &n_recycled, err) ||
        !count_memory(numbers, without_contention, CPU_LIVE, &live, err))
        return false;
    for (size_t i = 0; i < numbers->model->n_subs; i++)
        n_places += (double)count_recycled(numbers->model->subs[i].body);
    numbers->task_bytes = bytes / (double)n_tasks;
    if (live > 0)
        numbers->task_bytes += live / (double)n_tasks;
    else if (n_recycled > 0)
        numbers->task_bytes += recycled * fmin(1 / (double)n_tasks, n_places / n_recycled);
    numbers->n_tasks = (double)n_tasks;
    numbers->n_recycled = n_recycled;
    for (size_t i = 0; i < numbers->bindings.count; i++)
        refresh_operation(numbers, i);
    return true;
}

bool numbers_complete(const Numbers *numbers, Err *err)
{
    if (numbers->missing.count)
        return err_set(err, ERR_INPUT, "%s no value: %s",
                       numbers->missing.count == 1 ? "this parameter has" : "these parameters have",
                       list(numbers->missing.items, numbers->missing.count, "; ", numbers->arena)) ||
               err_hint(
                   err,
                   "give each with --set NAME=VALUE; `firma cost run --count` counts what sources in C don't tell");
    if (numbers->unmeasured.count)
        return err_set(err, ERR_INPUT, "the machine model lacks the costs of these operations: %s",
                       list(numbers->unmeasured.items, numbers->unmeasured.count, ", ", numbers->arena)) ||
               err_hint(err,
                        "measure them with `firma machine cpu`, write them into the machine model, or give each as "
                        "--set 't_mod_int64[KIND]=1e-9'");
    return true;
}

/* Costs of operations and messages, and scales: no cost of a task becomes less if one of them grows. */
static bool is_cost(const char *symbol)
{
    return strchr(symbol, '[') || strncmp(symbol, "scale_", 6) == 0;
}

/* Two neighbouring doubles instead of one, because sums of points would be added up exactly, which takes long. */
static void move_to_end(Interval *value, End end)
{
    if (value->low < value->high)
        *value = end == END_LOW ? (Interval){value->low, nextafter(value->low, INFINITY)}
                                : (Interval){nextafter(value->high, 0), value->high};
}

ExprBinding *numbers_at(const Numbers *numbers, bool with_costs, End end, Arena *arena)
{
    ExprBinding *bindings = arena_new_array(arena, ExprBinding, numbers->bindings.count + 1);
    for (size_t i = 0; i < numbers->bindings.count; i++) {
        bindings[i] = numbers->bindings.items[i];
        if (with_costs && is_cost(bindings[i].name))
            move_to_end(&bindings[i].value, end);
    }
    for (size_t i = 0; i < numbers->uncertain.count; i++)
        move_to_end(&bindings[numbers->uncertain.items[i]].value, end);
    return bindings;
}

void numbers_end(Numbers *numbers)
{
    vec_free(&numbers->uncertain);
    vec_free(&numbers->found);
    vec_free(&numbers->bindings);
    vec_free(&numbers->missing);
    vec_free(&numbers->unmeasured);
    vec_free(&numbers->open);
    map_free(&numbers->probabilities);
}
