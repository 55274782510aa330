/* SPDX-License-Identifier: BSD-3-Clause */
/* The prediction as text, below the answer to the question that buyers of machines have. */
#include "report/format.h"
#include "report/table.h"
#include "verbs/show/waits.h"
#include "verbs/simulate/views.h"

#include <math.h>

/* ---- the answer ---- */

double simulate_change(double elasticity)
{
    return pow(1.1, elasticity) - 1;
}

static double saved(double elasticity)
{
    return -simulate_change(elasticity);
}

const char *simulate_answer(const Simulated *simulated, Arena *arena)
{
    if (!simulated->has_sensitivity)
        return NULL;
    const Sensitivity *sensitivity = &simulated->sensitivity;
    double faster = saved(-sensitivity->compute), network = saved(sensitivity->bandwidth - sensitivity->latency);
    const char *both = arena_printf(arena, "10 %% faster processors save %s of the time, a 10 %% better network %s",
                                    format_percent(arena, fmax(0, faster)), format_percent(arena, fmax(0, network)));
    if (faster > 1.25 * network)
        return arena_printf(arena, "Faster processors help more than a better network: %s.", both);
    if (network > 1.25 * faster)
        return arena_printf(arena, "A better network helps more than faster processors: %s.", both);
    return arena_printf(arena, "Faster processors and a better network help alike: %s.", both);
}

/* ---- tables ---- */

const char *const eager_sources[] = {[EAGER_DEFAULT] = "SMPI's default",
                                     [EAGER_GIVEN] = "--eager",
                                     [EAGER_MEASURED] = "by the costs of the machine model",
                                     NULL};

static const char *summary(const SimulateView *view, Arena *arena)
{
    const Simulated *simulated = view->simulated;
    Table *table = table_new(arena);
    table_columns(table, "|>|");
    table_cells(table, "  predicted run time|%s|(95 %% interval %s to %s)",
                format_seconds(arena, simulated->application_s), format_seconds(arena, simulated->low_s),
                format_seconds(arena, simulated->high_s));
    table_cells(table, "  traced run time|%s|", format_seconds(arena, simulated->traced_s));
    table_cells(table, "  computation|%s|of the time; %s", format_percent(arena, simulated->compute_share),
                view->computation.text);
    table_cells(table, "  transfer|%s|of messages and collectives",
                format_percent(arena, fmax(0, 1 - simulated->compute_share - simulated->waiting_share)));
    table_cells(table, "  waiting|%s|for other processes", format_percent(arena, simulated->waiting_share));
    table_cells(table, "  long messages|%s|or more; they wait for their receivers (%s)",
                format_bytes(arena, (double)simulated->eager_bytes), eager_sources[simulated->eager_source]);
    table_cells(table, "  simulated|%s|of %s occurrences of phases; %s events, simulated %u time%s",
                format_count(arena, simulated->n_sampled), format_count(arena, simulated->n_occurrences),
                format_count(arena, simulated->n_events), simulated->n_simulations,
                simulated->n_simulations == 1 ? "" : "s");
    return table_text(table, view->color);
}

static const char *tolerated_text(double factor, double latency_s, Arena *arena)
{
    if (!isfinite(factor))
        return arena_printf(arena, "over %g times as long", TOLERATED_MOST);
    return arena_printf(arena, "%.3g times as long (%s)", factor, format_seconds(arena, factor * latency_s));
}

static const char *sensitivity_text(const Simulated *simulated, bool color, Arena *arena)
{
    const Sensitivity *sensitivity = &simulated->sensitivity;
    Table *table = table_new(arena), *tolerance = table_new(arena);
    table_columns(table, "10 % more|>changes the time by");
    table_cells(table, "latency|%+.2f %%", 100 * simulate_change(sensitivity->latency));
    table_cells(table, "bandwidth|%+.2f %%", 100 * simulate_change(sensitivity->bandwidth));
    table_cells(table, "processors' speed|%+.2f %%", 100 * simulate_change(-sensitivity->compute));
    table_columns(tolerance, ">slower by|if latencies are");
    for (int i = 0; i < TOLERANCES; i++)
        table_cells(tolerance, "%s|%s", format_percent(arena, simulation_tolerances[i]),
                    tolerated_text(sensitivity->tolerated[i], simulated->latency_s, arena));
    return arena_printf(arena, "%s\n%s\n", table_text(table, color), table_text(tolerance, color));
}

static const char *sweep_text(const Sweep *sweep, const Simulated *simulated, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    for (int i = 0; i < SWEEP_PARAMETERS; i++)
        if (sweep->n_values[i])
            table_column(table, sweep_names[i], TABLE_RIGHT);
    table_columns(table, ">time|>change");
    for (uint32_t k = 0; k < sweep->n_points; k++) {
        const SweepPoint *point = &sweep->points[k];
        for (int i = 0; i < SWEEP_PARAMETERS; i++)
            if (sweep->n_values[i])
                table_cells(table, "× %g", point->factors[i]);
        table_cells(table, "%s|%+.1f %%", format_seconds(arena, point->application_s),
                    100 * (point->application_s / simulated->application_s - 1));
    }
    return arena_printf(arena, "%s\n", table_text(table, color));
}

const char *simulate_text(const SimulateView *view, Arena *arena)
{
    const Simulated *simulated = view->simulated;
    const WaitsView waits = {.all = view->all, .color = view->color};
    return arena_printf(arena, "%s\n%s%s%s", summary(view, arena),
                        simulated->has_sensitivity ? sensitivity_text(simulated, view->color, arena) : "",
                        view->sweep->n_points ? sweep_text(view->sweep, simulated, view->color, arena) : "",
                        waits_text(&simulated->waits, &waits, arena));
}
