/* SPDX-License-Identifier: BSD-3-Clause */
/* See trace_text.h. */
#include "verbs/scale/trace_text.h"

#include "base/files.h"
#include "base/text.h"
#include "report/format.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>

enum { SHOWN_PROCESSES = 32, SHOWN_ENDS = 8 };

/* A larger share of time that is neither computation nor communication gets a note. */
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
    add_branch(table, "  communication", tree->communication, "time in which the busiest process doesn't compute",
               arena);
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
    return arena_printf(
        arena,
        "%s\n"
        "parallel = load balance × serialisation × transfer; global = parallel × scaling.\n"
        "redundant: computation beyond that of the run with p = %u; scaling: that run's computation over this one's.\n"
        "Compare only runs of the same problem with the same size.\n",
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
        text_add(&text,
                 "the records of %u of %u processes end before MPI_Finalize: their time ends with their last call\n",
                 tree->n_unfinished, tree->n_processes);
    if (tree->n_unmatched)
        text_add(&text, "%" PRIu64 " receives have no send in the trace: they count as not waiting\n",
                 tree->n_unmatched);
    if (tree->n_incomplete)
        text_add(&text,
                 "%" PRIu64
                 " times a process left a collective that others entered later or never (without data for it, or "
                 "cut off): it counts as not waiting there\n",
                 tree->n_incomplete);
    if (tree->n_neighborhood)
        text_add(
            &text,
            "%" PRIu64
            " calls of neighbourhood collectives: their neighbours aren't known, so waits in them count as transfer\n",
            tree->n_neighborhood);
    if (other > NOTABLE_OTHER)
        text_add(&text,
                 "%s of the time is neither computation nor calls that communicate, but polls that found nothing, "
                 "or other programs on the processor; the tree counts it as transfer\n",
                 format_percent(arena, other));
    if (tree->ideal_s > tree->run_s)
        text_add(&text,
                 "the ideal network takes longer than the real one, because the clocks of the processes differ\n");
    return text_take(&text, arena);
}

/* ---- JSON ---- */

static const FieldList process_fields =
    FIELDS(ProcessBalance, FIELD_AS(ProcessBalance, whole_s, "time_s", "from MPI_Init to MPI_Finalize"),
           FIELD(ProcessBalance, compute_s, "CPU time outside MPI"),
           FIELD(ProcessBalance, idle_s, "waiting for a partner, by the replay"),
           FIELD(ProcessBalance, transfer_s, "the rest of its time in calls that communicate"),
           FIELD(ProcessBalance, other_s, "other calls, and time in which other programs had the processor"),
           FIELD(ProcessBalance, finished, "whether it reached MPI_Finalize"));

static const FieldList tree_fields =
    FIELDS(Efficiencies, FIELD(Efficiencies, parallel, "= `load_balance` × `communication`"),
           FIELD(Efficiencies, load_balance, "mean computation over the largest"),
           FIELD(Efficiencies, communication, "= `serialisation` × `transfer`"),
           FIELD(Efficiencies, serialisation, "largest computation over `ideal_s`"),
           FIELD(Efficiencies, transfer, "`ideal_s` over `run_s`"));

const FieldList balance_fields = FIELDS(
    BalancePoint, FIELD(BalancePoint, trace, "as it was named"),
    FIELD_AS(BalancePoint, efficiencies.n_processes, "processes", "how many"),
    FIELD_AS(BalancePoint, efficiencies.run_s, "run_s", "the slowest process's, from MPI_Init to MPI_Finalize"),
    FIELD_AS(BalancePoint, efficiencies.ideal_s, "ideal_s", "the same on an ideal network, replayed"),
    FIELD_AS(BalancePoint, efficiencies.granularity, "granularity",
             "computation over transfer; null: there is no transfer", .flags = FIELD_NULL),
    FIELD_AS(BalancePoint, efficiencies, "efficiency", "the tree of efficiencies", .of = &tree_fields),
    FIELD(BalancePoint, redundant_s, "computation beyond that of the trace with the fewest processes"),
    FIELD(BalancePoint, computation_scaling, "computation of the trace with the fewest processes over this one's"),
    FIELD_AS(BalancePoint, global, "global_efficiency", "= `parallel` × `computation_scaling`"),
    FIELD_AS(BalancePoint, efficiencies.n_unmatched, "unmatched_receives", "receives without a send in the trace"),
    FIELD_AS(BalancePoint, efficiencies.n_incomplete, "incomplete_collectives",
             "times that a process left a collective that others entered later, or never"),
    FIELD_AS(BalancePoint, efficiencies.n_neighborhood, "neighborhood_collectives",
             "calls of neighbourhood collectives, whose neighbours aren't known"),
    FIELD_AS(BalancePoint, efficiencies.all, "all", "sums over the processes", .of = &process_fields),
    FIELD_LIST(BalancePoint, efficiencies.processes, efficiencies.n_processes, "per_process", "one by one",
               .of = &process_fields));

json_t *balance_json(const BalancePoint *points, uint32_t n)
{
    json_t *root = json_object();
    json_object_set_new(root, "traces", fields_to_json_array(&balance_fields, points, n, 0));
    return root;
}
