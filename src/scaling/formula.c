/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and evaluates formulas, and takes their parameters from machine models (formula.h). */
#include "scaling/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINDINGS_LIMIT = 64 };

/* Length of the name, the text before a `=`; 0: there is no name. */
static size_t name_length(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ";
    size_t length = strspn(text, letters);
    return text[length] == '=' ? length : 0;
}

static const char *trimmed(const char *text, size_t length, Arena *arena)
{
    while (length && *text == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    return arena_strndup(arena, text, length);
}

bool formula_parse(ExprSpace *space, const char *option, const char *text, Arena *arena, Formula *formula, Err *err)
{
    size_t length = name_length(text), behind = length ? length + 1 : 0;
    const ExprPlace place = {option, 1, (unsigned)behind + 1};
    Formula result = {.name = trimmed(text, length, arena),
                      .text = trimmed(text + behind, strlen(text + behind), arena)};
    if (!expr_parse(space, text + behind, &place, &result.time, err)) {
        err->kind = ERR_USAGE;
        return false;
    }
    *formula = result;
    return true;
}

static const char *shown_name(const Formula *formula)
{
    return *formula->name ? formula->name : formula->text;
}

static bool is_bound(const FormulaParameters *parameters, const char *name)
{
    for (size_t i = 0; i < parameters->count; i++)
        if (strcmp(parameters->items[i].name, name) == 0)
            return true;
    return strcmp(name, "n") == 0 || strcmp(name, "p") == 0;
}

bool formula_check(ExprSpace *space, const Formula *formula, const FormulaParameters *parameters, Err *err)
{
    const char *const *names;
    size_t n = expr_symbols(space, formula->time, &names);
    char missing[256] = "";
    const char *first = NULL;
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(missing);
        if (is_bound(parameters, names[i]))
            continue;
        snprintf(missing + used, sizeof missing - used, "%s`%s`", first ? ", " : "", names[i]);
        first = first ? first : names[i];
    }
    return !first || err_set(err, ERR_USAGE, "`%.200s`: no value for %s", shown_name(formula), missing) ||
           err_hint(err, "give values with --set %s=NUMBER; --machine gives ts and tw", first);
}

static double end_of(const FormulaParameter *parameter, uint32_t corner, uint32_t *bit)
{
    const Estimated *value = &parameter->value;
    bool is_exact = value->low == value->high;
    if (is_exact || corner == FORMULA_MIDDLE)
        return value->value;
    return corner >> (*bit)++ & 1 ? value->high : value->low;
}

static size_t bind(const FormulaParameters *parameters, double n, double p, ExprBinding bindings[BINDINGS_LIMIT])
{
    size_t count = 0;
    bindings[count++] = (ExprBinding){"n", {n, n}};
    bindings[count++] = (ExprBinding){"p", {p, p}};
    for (size_t i = 0; i < parameters->count && count < BINDINGS_LIMIT; i++)
        bindings[count++] =
            (ExprBinding){parameters->items[i].name, {parameters->items[i].value.low, parameters->items[i].value.high}};
    return count;
}

/* NAN if the time isn't defined, infinite or negative. */
static double time_at(const Formula *formula, const FormulaParameters *parameters, uint32_t corner, double n, double p,
                      bool estimates)
{
    ExprBinding bindings[BINDINGS_LIMIT];
    size_t count = bind(parameters, n, p, bindings);
    uint32_t bit = 0;
    for (size_t i = 0; i + 2 < count; i++) {
        double value = end_of(&parameters->items[i], corner, &bit);
        bindings[i + 2].value = (Interval){value, value};
    }
    Interval time_s;
    Err err = {0};
    if (estimates ? !expr_estimate(formula->time, bindings, count, &time_s, &err)
                  : !expr_evaluate(formula->time, bindings, count, &time_s, NULL, &err))
        return NAN;
    double middle_s = time_s.low + (time_s.high - time_s.low) / 2;
    return isfinite(middle_s) && middle_s >= 0 ? middle_s : NAN;
}

double formula_time_at(const Formula *formula, const FormulaParameters *parameters, uint32_t corner, double n, double p)
{
    return time_at(formula, parameters, corner, n, p, true);
}

bool formula_time_s(const Formula *formula, const FormulaParameters *parameters, double n, double p, Estimated *time_s,
                    Err *err)
{
    ExprBinding bindings[BINDINGS_LIMIT];
    size_t count = bind(parameters, n, p, bindings);
    Interval all_s;
    if (!expr_evaluate(formula->time, bindings, count, &all_s, NULL, err))
        return err_prefix(err, "`%.200s` at n = %g, p = %g", shown_name(formula), n, p);
    double value_s = time_at(formula, parameters, FORMULA_MIDDLE, n, p, false);
    if (!isfinite(all_s.low) || !isfinite(all_s.high) || all_s.low < 0 || isnan(value_s))
        return err_set(err, ERR_INPUT, "`%.200s` at n = %g, p = %g: %s", shown_name(formula), n, p,
                       all_s.low < 0 ? "the time is negative" : "the time isn't a number");
    *time_s = (Estimated){value_s, fmin(all_s.low, value_s), fmax(all_s.high, value_s)};
    return true;
}

uint32_t formula_count_inexact(const FormulaParameters *parameters)
{
    uint32_t n = 0;
    for (size_t i = 0; i < parameters->count; i++)
        n += parameters->items[i].value.low != parameters->items[i].value.high;
    return n;
}

/* ---- Parameters of a machine ---- */

typedef struct Span {
    double sum, low, high;
    unsigned n;
} Span;

static void add_estimate(Span *span, const Estimated *value)
{
    span->low = span->n ? fmin(span->low, value->low) : value->low;
    span->high = span->n ? fmax(span->high, value->high) : value->high;
    span->sum += value->value;
    span->n++;
}

static bool is_of(const MachinePath *path, const char *configuration, Arena *arena)
{
    return path->n_segments && strcmp(comm_configuration_name(&path->configuration, arena), configuration) == 0;
}

/* Takes the named configuration, or the only one. */
static bool choose_configuration(const MachineModel *machine, const char **configuration, Arena *arena, Err *err)
{
    const char *named = *configuration;
    for (uint32_t i = 0; i < machine->n_paths && !named; i++) {
        const char *other = comm_configuration_name(&machine->paths[i].configuration, arena);
        if (*configuration && strcmp(*configuration, other) != 0)
            return err_set(err, ERR_USAGE, "the machine model has several configurations") ||
                   err_hint(err, "name one with --configuration: %s", machine_configuration_names(machine, arena));
        *configuration = other;
    }
    return *configuration || machine_refuse_configuration(machine, NULL, arena, err);
}

static Estimated estimate_of(const Span *span)
{
    return (Estimated){span->sum / span->n, span->low, span->high};
}

bool formula_machine_parameters(const MachineModel *machine, const char *configuration, Arena *arena,
                                FormulaParameter parameters[2], Err *err)
{
    if (!choose_configuration(machine, &configuration, arena, err))
        return false;
    for (int within = 0; within < 2; within++) {
        Span latency = {0}, byte = {0};
        for (uint32_t i = 0; i < machine->n_paths; i++) {
            const MachinePath *path = &machine->paths[i];
            if (!is_of(path, configuration, arena) || (path->from_host == path->to_host) != within)
                continue;
            add_estimate(&latency, &path->segments[0].latency_s);
            add_estimate(&byte, &path->segments[path->n_segments - 1].s_per_byte);
        }
        if (!latency.n)
            continue;
        const char *where = within ? "within a host" : "between hosts";
        parameters[0] = (FormulaParameter){"ts", estimate_of(&latency),
                                           arena_printf(arena, "%s, %s, short messages", configuration, where)};
        parameters[1] = (FormulaParameter){
            "tw", estimate_of(&byte), arena_printf(arena, "%s, %s, a byte of long messages", configuration, where)};
        return true;
    }
    return machine_refuse_configuration(machine, configuration, arena, err);
}
