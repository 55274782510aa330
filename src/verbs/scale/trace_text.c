/* SPDX-License-Identifier: BSD-3-Clause */
/* See balance.h. */
#include "verbs/scale/trace_text.h"

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "report/format.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>

enum { SHOWN_PROCESSES = 32, SHOWN_ENDS = 8 };

/* From here on the time that is neither computation nor communication is worth a word. */
#define NOTABLE_OTHER 0.05

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static const char *granularity_text(double granularity, Arena *arena)
{
    return isfinite(granularity) ? arena_printf(arena, "%.3g", granularity) : "∞";
}

/* ---- one trace ---- */

static void add_branch(Table *table, const char *name, double value, const char *meaning, Arena *arena)
{
    table_cells(table, "%s|%s|%s", name, format_percent(arena, value), meaning);
}

static const char *tree_table(const Efficiencies *tree, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "efficiency|>|lost by");
    add_branch(table, "parallel", tree->parallel, "all of the below", arena);
    add_branch(table, "  load balance", tree->load_balance, "processes that compute less than the busiest", arena);
    add_branch(table, "  communication", tree->communication, "the busiest process not computing", arena);
    add_branch(table, "    serialisation", tree->serialisation, "waiting for partners, even on an ideal network",
               arena);
    add_branch(table, "    transfer", tree->transfer, "the network, and MPI itself", arena);
    return table_text(table, color);
}

static void add_time(Table *table, double time_s, double whole_s, Arena *arena)
{
    table_cells(table, "%s|%s", format_seconds(arena, time_s), format_percent(arena, share(time_s, whole_s)));
}

static void add_process(Table *table, const char *name, const ProcessBalance *process, double n, Arena *arena)
{
    table_cells(table, "%s|%s", name, format_seconds(arena, process->whole_s / n));
    add_time(table, process->compute_s / n, process->whole_s / n, arena);
    add_time(table, process->idle_s / n, process->whole_s / n, arena);
    add_time(table, process->transfer_s / n, process->whole_s / n, arena);
    add_time(table, process->other_s / n, process->whole_s / n, arena);
}

enum { PROCESS_COLUMNS = 10 };

static Table *process_columns(Arena *arena)
{
    static const char *const names[PROCESS_COLUMNS] = {"process",  "time", "computation", "", "idle", "",
                                                       "transfer", "",     "other",       ""};
    Table *table = table_new(arena);
    for (int i = 0; i < PROCESS_COLUMNS; i++)
        table_column(table, names[i], i ? TABLE_RIGHT : TABLE_LEFT);
    return table;
}

static const char *process_table(const Efficiencies *tree, bool all, bool color, Arena *arena)
{
    uint32_t n = tree->n_processes;
    bool whole = all || n <= SHOWN_PROCESSES;
    Table *table = process_columns(arena);
    for (uint32_t i = 0; i < n; i++) {
        if (!whole && i == SHOWN_ENDS) {
            for (int k = 0; k < PROCESS_COLUMNS; k++)
                table_cells(table, "%s", k ? "" : "…");
            i = n - SHOWN_ENDS;
        }
        const char *name = arena_printf(arena, "%u%s", i, tree->processes[i].finished ? "" : ", unfinished");
        add_process(table, name, &tree->processes[i], 1, arena);
    }
    add_process(table, "mean", &tree->all, n, arena);
    return arena_printf(arena, "%s%s", table_text(table, color),
                        whole ? "" : arena_printf(arena, "the first and the last of %u processes (--all)\n", n));
}

static const char *one_text(const BalancePoint *point, bool all, bool color, Arena *arena)
{
    const Efficiencies *tree = &point->efficiencies;
    return arena_printf(arena,
                        "%-12s %s in the slowest process, from MPI_Init to MPI_Finalize\n"
                        "%-12s %s on an ideal network: no latency, no limit of bandwidth (replayed)\n"
                        "%-12s %s: computation over transfer\n\n%s\n%s",
                        "time", format_seconds(arena, tree->run_s), "ideal", format_seconds(arena, tree->ideal_s),
                        "granularity", granularity_text(tree->granularity, arena), tree_table(tree, color, arena),
                        process_table(tree, all, color, arena));
}

/* ---- several ---- */

static const char *several_text(const BalancePoint *points, uint32_t n, bool color, Arena *arena)
{
    static const char *const names[] = {"p",        "time",        "parallel",    "load balance", "serialisation",
                                        "transfer", "granularity", "computation", "redundant",    "scaling",
                                        "global",   "trace"};
    enum { COLUMNS = sizeof names / sizeof *names };
    Table *table = table_new(arena);
    for (int i = 0; i < COLUMNS; i++)
        table_column(table, names[i], i + 1 < COLUMNS ? TABLE_RIGHT : TABLE_LEFT);
    for (uint32_t i = 0; i < n; i++) {
        const Efficiencies *tree = &points[i].efficiencies;
        table_cells(table, "%u|%s|%s|%s|%s|%s|%s|%s|%s%s|%s|%s|%s", tree->n_processes,
                    format_seconds(arena, tree->run_s), format_percent(arena, tree->parallel),
                    format_percent(arena, tree->load_balance), format_percent(arena, tree->serialisation),
                    format_percent(arena, tree->transfer), granularity_text(tree->granularity, arena),
                    format_seconds(arena, tree->all.compute_s), points[i].redundant_s < 0 ? "-" : "",
                    format_seconds(arena, fabs(points[i].redundant_s)),
                    format_percent(arena, points[i].computation_scaling), format_percent(arena, points[i].global),
                    points[i].trace);
    }
    return arena_printf(arena,
                        "%s\nparallel = load balance × serialisation × transfer; global = parallel × scaling.\n"
                        "redundant: computation of all processes beyond that with p = %u; scaling: what that costs.\n"
                        "Both mean something for one problem of one size.\n",
                        table_text(table, color), points[0].efficiencies.n_processes);
}

const char *balance_text(const BalancePoint *points, uint32_t n, bool all, bool color, Arena *arena)
{
    return n == 1 ? one_text(points, all, color, arena) : several_text(points, n, color, arena);
}

/* ---- notes ---- */

const char *balance_notes(const BalancePoint *point, Arena *arena)
{
    const Efficiencies *tree = &point->efficiencies;
    Text text = {0};
    double other = share(tree->all.other_s, tree->all.whole_s);
    if (tree->n_unfinished)
        text_add(&text, "%u of %u processes never reached MPI_Finalize: their time ends with their last call\n",
                 tree->n_unfinished, tree->n_processes);
    if (tree->n_unmatched)
        text_add(&text, "%" PRIu64 " receives have no send in the trace: nobody was waited for\n", tree->n_unmatched);
    if (tree->n_incomplete)
        text_add(&text,
                 "%" PRIu64 " times a collective was left that others came to later or never (nonblocking, or cut "
                 "off): nobody else was waited for\n",
                 tree->n_incomplete);
    if (tree->n_neighborhood)
        text_add(&text,
                 "%" PRIu64 " calls of neighbourhood collectives: who the neighbours are isn't known, so waits in them "
                 "count as transfer\n",
                 tree->n_neighborhood);
    if (other > NOTABLE_OTHER)
        text_add(&text,
                 "%s of the time is neither computation nor calls that communicate: others on the processor, polls, "
                 "waits for sends; the tree counts it as transfer\n",
                 format_percent(arena, other));
    if (tree->ideal_s > tree->run_s)
        text_add(&text, "the ideal network takes longer than the real one: clocks of the processes differ\n");
    return text_take(&text, arena);
}

/* ---- JSON ---- */

static json_t *times_json(const ProcessBalance *process)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:b}", "time_s", process->whole_s, "compute_s", process->compute_s,
                     "idle_s", process->idle_s, "transfer_s", process->transfer_s, "other_s", process->other_s,
                     "finished", process->finished);
}

static json_t *tree_json(const Efficiencies *tree)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "parallel", tree->parallel, "load_balance", tree->load_balance,
                     "communication", tree->communication, "serialisation", tree->serialisation, "transfer",
                     tree->transfer);
}

static json_t *point_json(const BalancePoint *point)
{
    const Efficiencies *tree = &point->efficiencies;
    json_t *object = json_object(), *processes = json_array();
    for (uint32_t i = 0; i < tree->n_processes; i++)
        json_array_append_new(processes, times_json(&tree->processes[i]));
    json_object_set_new(object, "trace", json_from_text(point->trace));
    json_object_set_new(object, "processes", json_integer(tree->n_processes));
    json_object_set_new(object, "run_s", json_real(tree->run_s));
    json_object_set_new(object, "ideal_s", json_real(tree->ideal_s));
    json_object_set_new(object, "granularity",
                        isfinite(tree->granularity) ? json_real(tree->granularity) : json_null());
    json_object_set_new(object, "efficiency", tree_json(tree));
    json_object_set_new(object, "redundant_s", json_real(point->redundant_s));
    json_object_set_new(object, "computation_scaling", json_real(point->computation_scaling));
    json_object_set_new(object, "global_efficiency", json_real(point->global));
    json_object_set_new(object, "unmatched_receives", json_integer((json_int_t)tree->n_unmatched));
    json_object_set_new(object, "incomplete_collectives", json_integer((json_int_t)tree->n_incomplete));
    json_object_set_new(object, "neighborhood_collectives", json_integer((json_int_t)tree->n_neighborhood));
    json_object_set_new(object, "all", times_json(&tree->all));
    json_object_set_new(object, "per_process", processes);
    return object;
}

json_t *balance_json(const BalancePoint *points, uint32_t n)
{
    json_t *root = json_object(), *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list, point_json(&points[i]));
    json_object_set_new(root, "traces", list);
    return root;
}
