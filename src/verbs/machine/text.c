/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "verbs/machine/text.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/machine/cpu_text.h"
#include "verbs/machine/noise_text.h"

static const char *hosts_table(const MachineModel *machine, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "host|>processors|processor|system");
    for (uint32_t i = 0; i < machine->n_hosts; i++) {
        table_cells(table, "%s|%u|%s|%s", machine->hosts[i].name, machine->hosts[i].n_cpus, machine->hosts[i].processor,
                    machine->hosts[i].system);
    }
    return table_text(table, color);
}

/* Half of the interval's width. */
static const char *uncertainty(const Estimated *estimated, Arena *arena)
{
    double half_width = (estimated->high - estimated->low) / 2;
    return estimated->value > 0 ? arena_printf(arena, "± %s", format_percent(arena, half_width / estimated->value))
                                : "";
}

static const char *bandwidth(const Estimated *s_per_byte, Arena *arena)
{
    return s_per_byte->value > 0 ? arena_printf(arena, "%s/s", format_bytes(arena, 1 / s_per_byte->value)) : "–";
}

static void add_costs(Table *table, const Estimated *latency_s, const Estimated *s_per_byte, double error, Arena *arena)
{
    table_cells(table, "%s|%s|%s|%s|%s", format_seconds(arena, latency_s->value), uncertainty(latency_s, arena),
                bandwidth(s_per_byte, arena), uncertainty(s_per_byte, arena), format_percent(arena, error));
}

static void add_cost_columns(Table *table)
{
    table_columns(table, ">α|>|>β|>|>typical error");
}

static const char *ends(const MachineModel *machine, const MachinePath *path, Arena *arena)
{
    const char *from = machine->hosts[path->from_host].name, *to = machine->hosts[path->to_host].name;
    if (path->level)
        return arena_printf(arena, "within %s, between %ss", from, path->level);
    return path->from_host == path->to_host ? arena_printf(arena, "within %s", from)
                                            : arena_printf(arena, "%s – %s", from, to);
}

static void add_path(const MachineModel *machine, Table *table, const MachinePath *path, Arena *arena)
{
    for (uint32_t i = 0; i < path->n_segments; i++) {
        const CostSegment *segment = &path->segments[i];
        table_cells(table, "%s|%s|%s", i ? "" : comm_configuration_name(&path->configuration, arena),
                    i ? "" : ends(machine, path, arena), format_count(arena, segment->from_bytes));
        add_costs(table, &segment->latency_s, &segment->s_per_byte, segment->error, arena);
        table_cells(table, "%s|%s", i ? "" : format_percent(arena, path->largest_error),
                    i || path->linear ? "" : "not linear");
        table_row_style(table, path->linear ? TABLE_PLAIN : TABLE_BAD);
    }
}

static const char *paths_table(const MachineModel *machine, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "messages|between|>from bytes");
    add_cost_columns(table);
    table_columns(table, ">largest|");
    for (uint32_t i = 0; i < machine->n_paths; i++)
        add_path(machine, table, &machine->paths[i], arena);
    return table_text(table, color);
}

static const char *collectives_table(const MachineModel *machine, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "collectives||>processes|most like");
    add_cost_columns(table);
    for (uint32_t i = 0; i < machine->n_collectives; i++) {
        const MachineCollective *collective = &machine->collectives[i];
        bool one = collective->least_ranks == collective->most_ranks;
        table_cells(table, "%s|%s|%u%s|%s", comm_configuration_name(&collective->configuration, arena),
                    collective->operation, collective->least_ranks,
                    one ? "" : arena_printf(arena, " to %u", collective->most_ranks), collective->model);
        add_costs(table, &collective->latency_s, &collective->s_per_byte, collective->error, arena);
    }
    return table_text(table, color);
}

const char *machine_text(const MachineModel *machine, bool color, Arena *arena)
{
    Text text = {0};
    if (machine->n_hosts)
        text_add(&text, "measured %s by: %s\n\n%s", text_as_line(machine->date, arena),
                 text_as_line(machine->command, arena), hosts_table(machine, color, arena));
    if (machine->n_paths)
        text_add(&text, "\n%s%s", paths_table(machine, color, arena),
                 machine->statistic == COMM_MINIMUM ? "of the shortest times of each size\n" : "");
    if (machine->n_collectives)
        text_add(&text, "\n%s", collectives_table(machine, color, arena));
    for (uint32_t i = 0; i < machine->n_processors; i++)
        text_add(&text, "%s%s", text.bytes.count ? "\n" : "", cpu_text(&machine->processors[i], color, arena));
    for (uint32_t i = 0; i < machine->n_noises; i++)
        text_add(&text, "%s%s", text.bytes.count ? "\n" : "", noise_text(&machine->noises[i], color, arena));
    return text_take(&text, arena);
}
