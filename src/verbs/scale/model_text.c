/* SPDX-License-Identifier: BSD-3-Clause */
/* See model_views.h: text. */
#include "verbs/scale/model_views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"

#include <math.h>

/* Smaller half widths of intervals aren't mentioned. */
#define NOTABLE_WIDTH 0.001

static const char *name_of(const Formula *formula)
{
    return *formula->name ? formula->name : formula->text;
}

/* 64, 1000000, 1.05e+12 */
static const char *number(double value, Arena *arena)
{
    if (isinf(value))
        return "∞";
    return value < 1e9 && value == floor(value) ? arena_printf(arena, "%.0f", value)
                                                : arena_printf(arena, "%.4g", value);
}

static const char *interval(const Estimated *value, Arena *arena)
{
    if (value->low == value->high)
        return "";
    return arena_printf(arena, " [%.3g, %s]", value->low,
                        isinf(value->high) ? "∞" : arena_printf(arena, "%.3g", value->high));
}

static void add_parameters(Text *text, const ModelQuestion *question, Arena *arena)
{
    for (size_t i = 0; i < question->parameters.count; i++) {
        const FormulaParameter *parameter = &question->parameters.items[i];
        text_add(text, "%s = %.6g%s, %s\n", parameter->name, parameter->value.value, interval(&parameter->value, arena),
                 parameter->source);
    }
    if (question->parameters.count)
        text_add(text, "\n");
}

typedef enum Shown { SHOWN_TIME, SHOWN_SPEEDUP, SHOWN_EFFICIENCY, N_SHOWN } Shown;

static const char *cell_text(const ModelCell *cell, Shown shown, Arena *arena)
{
    if (shown == SHOWN_TIME)
        return format_seconds(arena, cell->time_s.value);
    return shown == SHOWN_SPEEDUP ? arena_printf(arena, "%.3g", cell->speedup.value)
                                  : arena_printf(arena, "%.2f", cell->efficiency.value);
}

static const char *matrix(const ModelQuestion *question, const ModelTable *table, Shown shown, bool color, Arena *arena)
{
    static const char *const titles[N_SHOWN] = {"time", "speedup", "efficiency"};
    Table *cells = table_new(arena);
    table_column(cells, arena_printf(arena, "%s, n", titles[shown]), TABLE_LEFT);
    for (uint32_t k = 0; k < question->n_processes; k++)
        table_column(cells, arena_printf(arena, "p = %s", number(question->processes[k], arena)), TABLE_RIGHT);
    for (uint32_t i = 0; i < question->n_sizes; i++) {
        table_cells(cells, "%s", number(question->sizes[i], arena));
        for (uint32_t k = 0; k < question->n_processes; k++)
            table_cells(cells, "%s", cell_text(&table->cells[(size_t)i * question->n_processes + k], shown, arena));
    }
    return table_text(cells, color);
}

static double half_width(const Estimated *value)
{
    return value->value > 0 ? fmax(value->high - value->value, value->value - value->low) / value->value : 0;
}

/* How far the tables' numbers may be off, since parameters are intervals. */
static const char *uncertainty(const ModelQuestion *question, const ModelTable *table, Arena *arena)
{
    double time = 0, speedup = 0;
    for (size_t i = 0; i < (size_t)question->n_sizes * question->n_processes; i++) {
        time = fmax(time, half_width(&table->cells[i].time_s));
        speedup = fmax(speedup, half_width(&table->cells[i].speedup));
    }
    if (time < NOTABLE_WIDTH && speedup < NOTABLE_WIDTH)
        return "";
    return arena_printf(arena, "since parameters are intervals, times may be off by up to %s, speedups by up to %s\n",
                        format_percent(arena, time), format_percent(arena, speedup));
}

static void add_isoefficiency(Text *text, const ModelQuestion *question, const ModelTable *table, Arena *arena)
{
    text_add(text, "efficiency %g is kept with n =", question->efficiency);
    for (uint32_t k = 0; k < question->n_processes; k++) {
        const ModelIso *iso = &table->iso[k];
        const char *n = iso->kind == ISO_ANY    ? "any"
                        : iso->kind == ISO_NONE ? "none"
                                                : arena_printf(arena, "%.4g%s", iso->n.value, interval(&iso->n, arena));
        text_add(text, "%s %s (p = %s)", k ? "," : "", n, number(question->processes[k], arena));
    }
    if (!table->is_scalable)
        text_add(text, "\nnot scalable: from some p up to 2^%d on, no size keeps it\n", MODEL_SCALES_EXPONENT);
    else if (isnan(table->growth))
        text_add(text, "\nscalable\n");
    else
        text_add(text, "\nscalable: n has to grow as p^%.3g (at p = 2^%d)\n", table->growth, MODEL_SCALES_EXPONENT);
}

static const char *most_text(const ModelQuestion *question, const ModelLimit *limit, Arena *arena)
{
    if (isnan(limit->most_processes))
        return arena_printf(arena, "efficiency never reaches %g", question->efficiency);
    if (isinf(limit->most_processes))
        return arena_printf(arena, "efficiency stays at least %g", question->efficiency);
    return arena_printf(arena, "efficiency is at least %g up to p = %.4g", question->efficiency, limit->most_processes);
}

static void add_limits(Text *text, const ModelQuestion *question, const ModelTable *table, Arena *arena)
{
    for (uint32_t i = 0; i < question->n_sizes; i++) {
        const ModelLimit *limit = &table->limits[i];
        text_add(text, "n = %s: ", number(question->sizes[i], arena));
        if (limit->kind == LIMIT_PEAK)
            text_add(text, "fastest on p = %.4g, speedup %.3g; ", limit->best_p, limit->speedup);
        else if (limit->kind == LIMIT_BOUND)
            text_add(text, "speedup stays below %.4g; ", limit->speedup);
        else
            text_add(text, "speedup grows with p without bound; ");
        text_add(text, "%s\n", most_text(question, limit, arena));
    }
}

static void add_crossovers(Text *text, const ModelQuestion *question, const ModelAnswer *answer, Arena *arena)
{
    if (question->n_formulas > 1)
        text_add(text, answer->n_crossovers ? "\n" : "\nwithin these ranges no model overtakes another\n");
    for (uint32_t i = 0; i < answer->n_crossovers; i++) {
        const Crossover *crossover = &answer->crossovers[i];
        const char *fixed = crossover->over_processes ? "n" : "p", *over = crossover->over_processes ? "p" : "n";
        text_add(text, "%s = %s: `%s` is faster than `%s` from %s = %.4g on\n", fixed, number(crossover->fixed, arena),
                 name_of(&question->formulas[crossover->second]), name_of(&question->formulas[crossover->first]), over,
                 crossover->at);
    }
}

const char *scaling_model_text(const ModelQuestion *question, const ModelAnswer *answer, bool color, Arena *arena)
{
    Text text = {0};
    add_parameters(&text, question, arena);
    for (uint32_t i = 0; i < question->n_formulas; i++) {
        const ModelTable *table = &answer->tables[i];
        const Formula *formula = table->formula;
        text_add(&text, "%s%s%sT = %s\n", i ? "\n" : "", formula->name, *formula->name ? ": " : "", formula->text);
        if (question->sequential)
            text_add(&text, "speedup over T* = %s\n", question->sequential->text);
        for (Shown shown = SHOWN_TIME; shown < N_SHOWN; shown++)
            text_add(&text, "\n%s", matrix(question, table, shown, color, arena));
        text_add(&text, "%s\n", uncertainty(question, table, arena));
        add_isoefficiency(&text, question, table, arena);
        add_limits(&text, question, table, arena);
    }
    add_crossovers(&text, question, answer, arena);
    return text_take(&text, arena);
}
