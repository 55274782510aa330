/* SPDX-License-Identifier: BSD-3-Clause */
/* See cpu_text.h. */
#include "verbs/machine/cpu_text.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"

static bool is_measured(const Interval *cost_s)
{
    return cost_s->low <= cost_s->high;
}

/* With two digits: an interval isn't more precise. */
static const char *nanoseconds(double seconds, Arena *arena)
{
    double value = 1e9 * seconds;
    return arena_printf(arena, "%.*f", value >= 10 || value <= 0 ? 0 : value >= 1 ? 1 : 2, value);
}

static const char *cell(const Interval *cost_s, Arena *arena)
{
    return is_measured(cost_s)
               ? arena_printf(arena, "%s – %s", nanoseconds(cost_s->low, arena), nanoseconds(cost_s->high, arena))
               : "";
}

static const char *costs_table(const CpuCosts *costs, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_column(table, "ns", TABLE_LEFT);
    for (size_t j = 0; j < CPU_TYPES; j++)
        table_column(table, cpu_type_names[j], TABLE_RIGHT);
    for (size_t i = 0; i < CPU_OPERATIONS; i++) {
        bool is_there = false;
        for (size_t j = 0; j < CPU_TYPES; j++)
            is_there = is_there || is_measured(&costs->cost_s[i][j]);
        if (!is_there)
            continue;
        table_cells(table, "%s", cpu_operation_names[i]);
        for (size_t j = 0; j < CPU_TYPES; j++)
            table_cells(table, "%s", cell(&costs->cost_s[i][j], arena));
    }
    return table_text(table, color);
}

const char *cpu_text(const CpuModel *cpu, bool color, Arena *arena)
{
    Text text = {0};
    text_add(&text, "%s: %u processor%s%s%s\n", text_as_line(cpu->name, arena), cpu->n_cores, text_plural(cpu->n_cores),
             *cpu->processor ? ", " : "", text_as_line(cpu->processor, arena));
    if (*cpu->command)
        text_add(&text, "measured %s by: %s\n", text_as_line(cpu->date, arena), text_as_line(cpu->command, arena));
    for (uint32_t i = 0; i < cpu->n_languages; i++) {
        const CpuCosts *costs = &cpu->languages[i];
        text_add(&text, "\n%s%s%s, set of benchmarks in %s\n%s", costs->language, *costs->compiler ? ", " : "",
                 text_as_line(costs->compiler, arena), format_seconds(arena, costs->benchmark_s),
                 costs_table(costs, color, arena));
    }
    return text_take(&text, arena);
}
