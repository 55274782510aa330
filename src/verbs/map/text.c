/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h. */
#include "verbs/map/views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

enum { NODES_SHOWN = 16, TASKS_SHOWN = 12, PAIRS_SHOWN = 3, NAME_ROOM = 40 };

static const char *change(double gain, Arena *arena)
{
    return arena_printf(arena, "%s %s", format_percent(arena, fabs(gain)), gain > 0 ? "less" : "more");
}

static const char *against(const Mapping *mapping, const Mapping *usual, Arena *arena)
{
    if (mapping == usual)
        return "the default";
    double gain = mapping->gain;
    if (fabs(gain) < MAPPING_LEAST_GAIN)
        return "about the same";
    return change(gain, arena);
}

/* How much less or more than the default it takes: "2 to 3 % more", "1 % more to 3 % less". */
static const char *range_of(const Mapping *mapping, Arena *arena)
{
    const char *low = format_percent(arena, fabs(mapping->gain_low)),
               *high = format_percent(arena, fabs(mapping->gain_high));
    if (mapping->gain_high <= 0)
        return arena_printf(arena, "%.*s to %s more", (int)strcspn(high, " "), high, low);
    if (mapping->gain_low < 0)
        return arena_printf(arena, "%s more to %s less", low, high);
    return arena_printf(arena, "%.*s to %s less", (int)strcspn(low, " "), low, high);
}

static const char *table(const Mapping *mappings, uint32_t n, const Mapping *usual, bool color, Arena *arena)
{
    Table *made = table_new(arena);
    table_columns(made, "mapping|>predicted|>|>interval|>between nodes|>within|>busy");
    for (uint32_t i = 0; i < n; i++) {
        const Outcome *outcome = &mappings[i].outcome;
        table_cells(made, "%s|%s|%s|%s|%s|%s|%s", mappings[i].mapper, format_seconds(arena, mappings[i].completion_s),
                    against(&mappings[i], usual, arena), &mappings[i] == usual ? "" : range_of(&mappings[i], arena),
                    format_bytes(arena, outcome->remote_bytes), format_bytes(arena, outcome->local_bytes),
                    format_percent(arena, outcome->overlap));
        table_row_style(made, i == 0 && mapping_sign(&mappings[i]) > 0 ? TABLE_GOOD : TABLE_PLAIN);
    }
    return table_text(made, color);
}

static uint32_t node_of(const MappingProblem *problem, const Mapping *mapping, uint32_t task)
{
    return problem->platform->processors[mapping->processors[task]].node_index;
}

static const char *name_of(const MappingProblem *problem, uint32_t task, Arena *arena)
{
    return format_name(arena, problem->ttig->nodes[task].name, NAME_ROOM);
}

/* The heaviest edges whose tasks are on one node now and weren't in the usual mapping, or the
 * reverse. */
static void add_pairs(const MappingProblem *problem, const Mapping *best, const Mapping *usual, bool together,
                      const char *what, Text *text, Arena *arena)
{
    const TtigEdge *shown[PAIRS_SHOWN];
    uint32_t n = 0;
    for (uint32_t i = 0; i < problem->ttig->n_edges; i++) {
        const TtigEdge *edge = &problem->ttig->edges[i];
        bool now = node_of(problem, best, edge->from) == node_of(problem, best, edge->to);
        bool before = node_of(problem, usual, edge->from) == node_of(problem, usual, edge->to);
        if (now != together || before == together || edge->bytes <= 0)
            continue;
        if (n == PAIRS_SHOWN && shown[n - 1]->bytes >= edge->bytes)
            continue;
        uint32_t at = n < PAIRS_SHOWN ? n++ : PAIRS_SHOWN - 1;
        for (; at && shown[at - 1]->bytes < edge->bytes; at--)
            shown[at] = shown[at - 1];
        shown[at] = edge;
    }
    for (uint32_t i = 0; i < n; i++)
        text_add(text, "%s%s → %s (%s, p %.2f)", i ? ", " : what, name_of(problem, shown[i]->from, arena),
                 name_of(problem, shown[i]->to, arena), format_bytes(arena, shown[i]->bytes), shown[i]->parallelism);
    if (n)
        text_add(text, "\n");
}

/* Which tasks are on each node; with a single node, on each of its processors. */
static void add_places(const MappingProblem *problem, const Mapping *best, Text *text, Arena *arena)
{
    const Platform *platform = problem->platform;
    bool by_processor = platform->n_nodes == 1 && platform->n_processors > 1;
    uint32_t n_places = by_processor ? platform->n_processors : platform->n_nodes;
    for (uint32_t place = 0; place < n_places && place < NODES_SHOWN; place++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < problem->ttig->n_nodes; i++) {
            if ((by_processor ? best->processors[i] : node_of(problem, best, i)) != place)
                continue;
            if (n == 0 && by_processor)
                text_add(text, "  %s, processor %u:", platform->nodes[0], place);
            else if (n == 0)
                text_add(text, "  %s:", platform->nodes[place]);
            if (n++ < TASKS_SHOWN)
                text_add(text, " %s", name_of(problem, i, arena));
        }
        if (n)
            text_add(text, "%s\n", n > TASKS_SHOWN ? " …" : "");
    }
    if (n_places > NODES_SHOWN)
        text_add(text, "  … %u further %s (--json shows all)\n", n_places - NODES_SHOWN,
                 by_processor ? "processors" : "nodes");
}

static void add_reasons(const MappingProblem *problem, const Mapping *best, const Mapping *usual, Text *text,
                        Arena *arena)
{
    text_add(text, "\n%s is expected to take %s less than %s (%s)\n", best->mapper, format_percent(arena, best->gain),
             usual->mapper, range_of(best, arena));
    if (!isnan(best->simgrid_s))
        text_add(text, "  SimGrid simulates %s instead of %s: %s\n", format_seconds(arena, best->simgrid_s),
                 format_seconds(arena, usual->simgrid_s), change(1 - best->simgrid_s / usual->simgrid_s, arena));
    if (best->outcome.remote_bytes != usual->outcome.remote_bytes)
        text_add(text, "  %s go between nodes instead of %s\n", format_bytes(arena, best->outcome.remote_bytes),
                 format_bytes(arena, usual->outcome.remote_bytes));
    text_add(text, "  processors compute %s of the time instead of %s\n", format_percent(arena, best->outcome.overlap),
             format_percent(arena, usual->outcome.overlap));
    add_pairs(problem, best, usual, true, "  now on one node: ", text, arena);
    add_pairs(problem, best, usual, false, "  now on two nodes: ", text, arena);
    text_add(text, "\n");
    add_places(problem, best, text, arena);
}

static void add_no_gain(const Mapping *best, const Mapping *usual, Text *text, Arena *arena)
{
    text_add(text, "\nno gain expected over %s, the default: ", usual->mapper);
    if (best->gain < MAPPING_LEAST_GAIN)
        text_add(text, "less than %s\n", format_percent(arena, MAPPING_LEAST_GAIN));
    else
        text_add(text, "%s may take %s\n", best->mapper, range_of(best, arena));
}

/* What the prediction leaves out. */
static void add_left_out(const TaskGraph *tasks, Text *text, Arena *arena)
{
    if (!tasks || !(tasks->n_collectives_left_out || tasks->n_one_sided_left_out))
        return;
    text_add(text, "\nleft out of these times, and of the choice of a mapping: %s",
             tasks->n_collectives_left_out
                 ? arena_printf(arena, "%s collective%s", format_count(arena, tasks->n_collectives_left_out),
                                text_plural(tasks->n_collectives_left_out))
                 : "");
    if (tasks->n_one_sided_left_out)
        text_add(text, "%s%s one-sided operation%s", tasks->n_collectives_left_out ? " and " : "",
                 format_count(arena, tasks->n_one_sided_left_out), text_plural(tasks->n_one_sided_left_out));
    text_add(text, ", %s of the processes' time in the trace\n", format_percent(arena, tasks->left_out_share));
}

static void add_guessed(const TaskGraph *tasks, Text *text, Arena *arena)
{
    if (tasks && tasks->guessed_share > 0)
        text_add(
            text,
            "\nguessed: who sends how much to whom in collectives such as alltoallv, %s of the processes' time in the "
            "trace\n",
            format_percent(arena, tasks->guessed_share));
}

const char *mapping_text(const MappingProblem *problem, const Mapping *mappings, uint32_t n, bool color, Arena *arena)
{
    Text text = {0};
    const Mapping *usual = mapping_find(mappings, n, MAPPING_DEFAULT), *best = &mappings[0];
    text_add(&text, "%u task%s on %u node%s, %u processor%s of %u slot%s\n%s\n\n", problem->ttig->n_nodes,
             text_plural(problem->ttig->n_nodes), problem->platform->n_nodes, text_plural(problem->platform->n_nodes),
             problem->platform->n_processors, text_plural(problem->platform->n_processors),
             problem->slots_per_processor, text_plural(problem->slots_per_processor), problem->platform->description);
    text_add(&text, "%s", table(mappings, n, usual, color, arena));
    if (mapping_sign(best) > 0)
        add_reasons(problem, best, usual, &text, arena);
    else
        add_no_gain(best, usual, &text, arena);
    add_left_out(problem->tasks, &text, arena);
    add_guessed(problem->tasks, &text, arena);
    return text_take(&text, arena);
}
