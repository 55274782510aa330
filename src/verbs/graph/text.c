/* SPDX-License-Identifier: BSD-3-Clause */
/* A task graph as text and as JSON (docs/FORMATS.md). */
#include "verbs/graph/views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <inttypes.h>

enum { PAIRS_SHOWN = 10, NAME_ROOM = 40 };

static void add_line(Text *text, const char *label, const char *value)
{
    text_add(text, "%-13s %s\n", label, value);
}

static void add_steps(Text *text, const TaskGraph *tasks, Arena *arena)
{
    GraphSize size = graph_size(tasks);
    add_line(text, "steps",
             arena_printf(arena, "%s, folded to %s", format_count(arena, size.n_steps_open),
                          format_count(arena, size.n_steps)));
    if (tasks->n_collectives)
        add_line(text, "among them",
                 arena_printf(arena, "%s collective%s, as %s message%s of %s",
                              format_count(arena, tasks->n_collectives), text_plural(tasks->n_collectives),
                              format_count(arena, tasks->n_collective_messages),
                              text_plural(tasks->n_collective_messages), format_bytes(arena, tasks->collective_bytes)));
    if (tasks->n_collectives_left_out)
        add_line(text, "left out",
                 arena_printf(arena, "%s collective%s%s", format_count(arena, tasks->n_collectives_left_out),
                              text_plural(tasks->n_collectives_left_out),
                              tasks->has_collectives ? ": their messages are unknown, or too many" : ""));
    if (tasks->n_one_sided_left_out)
        add_line(text, "left out",
                 arena_printf(arena, "%s one-sided operation%s%s", format_count(arena, tasks->n_one_sided_left_out),
                              text_plural(tasks->n_one_sided_left_out),
                              tasks->has_collectives ? ": the trace doesn't complete them" : ""));
    if (tasks->n_collectives_left_out || tasks->n_one_sided_left_out)
        add_line(text, "",
                 arena_printf(arena, "which take %s of the processes' time in the trace",
                              format_percent(arena, tasks->left_out_share)));
    if (tasks->n_unmatched)
        add_line(text, "left out",
                 arena_printf(arena, "%s receive%s without a send in the trace",
                              format_count(arena, tasks->n_unmatched), text_plural(tasks->n_unmatched)));
}

static const char *pairs_line(const GraphSummary *summary, Arena *arena)
{
    const char *n = format_count(arena, summary->n_pairs);
    if (!(summary->compute_s > 0))
        return arena_printf(arena, "%s communicate", n);
    return arena_printf(arena, "%s communicate: %s can't overlap, %s always can, %s in part", n,
                        format_count(arena, summary->n_of[PAIR_SEQUENTIAL]),
                        format_count(arena, summary->n_of[PAIR_CONCURRENT]),
                        format_count(arena, summary->n_of[PAIR_PARTIAL]));
}

static void add_head(Text *text, const Ttig *ttig, const GraphSummary *summary, Arena *arena)
{
    if (ttig->source[0])
        add_line(text, "source", text_as_line(ttig->source, arena));
    static const char *const models[] = {
        [MODEL_TIG] = "all tasks always overlap", [MODEL_TPG] = "tasks precede each other, none overlap"};
    if (ttig->model != MODEL_TTIG)
        add_line(text, "model", arena_printf(arena, "%s: %s", ttig_model_names[ttig->model], models[ttig->model]));
    add_line(text, "tasks",
             arena_printf(arena, "%s, which together compute for %s", format_count(arena, ttig->n_nodes),
                          format_seconds(arena, summary->compute_s)));
    double messages =
        summary->messages < 1e18 ? summary->messages : 1e18; /* a graph written by hand may hold any number */
    add_line(text, "messages",
             arena_printf(arena, "%s with %s, on %s edge%s", format_count(arena, (uint64_t)messages),
                          format_bytes(arena, summary->bytes), format_count(arena, ttig->n_edges),
                          text_plural(ttig->n_edges)));
    if (ttig->tasks)
        add_steps(text, ttig->tasks, arena);
    add_line(text, "pairs", pairs_line(summary, arena));
    if (ttig->n_inexact)
        add_line(text, "estimated",
                 arena_printf(arena, "%s pair%s: their loops are too long to expand, so p is that of folded loops",
                              format_count(arena, ttig->n_inexact), text_plural(ttig->n_inexact)));
}

static void add_pair(Table *table, const Ttig *ttig, const TaskPair *pair, Arena *arena)
{
    for (int i = 0; i < 2; i++)
        table_cells(table, "%s", format_name(arena, ttig->nodes[pair->tasks[i]].name, NAME_ROOM));
    for (int i = 0; i < 2; i++)
        table_cells(table, "%s", pair->messages[i] > 0 ? format_bytes(arena, pair->bytes[i]) : "");
    for (int i = 0; i < 2; i++)
        table_cells(table, "%.3f", pair->parallelism[i]);
    table_cells(table, "%s", format_seconds(arena, pair->overlap_s));
}

typedef struct PairList {
    const char *title;
    int kind; /* PairKind, or -1: any */
} PairList;

static uint32_t count_of(const GraphSummary *summary, const PairList *list)
{
    return list->kind < 0 ? summary->n_pairs : summary->n_of[list->kind];
}

static void add_pairs(Text *text, const Ttig *ttig, const GraphSummary *summary, const PairList *list, bool all,
                      bool color, Arena *arena)
{
    uint32_t n = count_of(summary, list), n_shown = 0;
    if (!n)
        return;
    Table *table = table_new(arena);
    table_columns(table, "A|B|>A to B|>B to A|>p(A,B)|>p(B,A)|>overlap");
    for (uint32_t i = 0; i < summary->n_pairs && (all || n_shown < PAIRS_SHOWN); i++) {
        if (list->kind >= 0 && summary->pairs[i].kind != (PairKind)list->kind)
            continue;
        add_pair(table, ttig, &summary->pairs[i], arena);
        n_shown++;
    }
    text_add(text, "\n%s:\n%s", list->title, table_text(table, color));
    if (n_shown < n)
        text_add(text, "… and %s more (--all shows them)\n", format_count(arena, n - n_shown));
}

const char *graph_text(const Ttig *ttig, const GraphSummary *summary, bool all, bool color, Arena *arena)
{
    static const PairList lists[] = {{"largest volumes", -1},
                                     {"can't overlap: candidates for one processor", PAIR_SEQUENTIAL},
                                     {"always can overlap: candidates for different processors", PAIR_CONCURRENT}};
    Text text = {0};
    add_head(&text, ttig, summary, arena);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (i == 0 || (!all && summary->compute_s > 0))
            add_pairs(&text, ttig, summary, &lists[i], all, color, arena);
    return text_take(&text, arena);
}

/* ---- JSON ---- */

typedef struct GraphView {
    const Ttig *ttig;
    const GraphSummary *summary;
    const TaskGraph *tasks; /* NULL: the graph has none, and no size */
    const GraphSize *size;
} GraphView;

static json_t *pair_tasks_json(const FieldContext *context, const void *record)
{
    const TtigNode *nodes = ((const GraphView *)context->root)->ttig->nodes;
    const TaskPair *pair = record;
    return json_pack("[o, o]", json_from_text(nodes[pair->tasks[0]].name), json_from_text(nodes[pair->tasks[1]].name));
}

static const FieldList pair_fields =
    FIELDS(TaskPair, FIELD_OWN("tasks", SHAPE_LIST, pair_tasks_json, NULL, "A and B, by name"),
           FIELD_FIXED(TaskPair, bytes, "bytes", "sent by A, by B"),
           FIELD_FIXED(TaskPair, messages, "messages", "sent by A, by B"),
           FIELD_FIXED(TaskPair, parallelism, "parallelism", "p(A,B), p(B,A)"),
           FIELD(TaskPair, overlap_s, "how long both can compute at once"),
           FIELD(TaskPair, kind,
                 "`sequential`: at most 1 % of the shorter task is overlapped; `concurrent`: at least 99 %; `partial`",
                 .choices = pair_kind_names));

static const FieldList head_fields =
    FIELDS(Ttig, FIELD(Ttig, source, "the trace that the graph was made from; empty: none"),
           FIELD(Ttig, model, "`TTIG`, `TIG`, `TPG`", .choices = ttig_model_names),
           FIELD_AS(Ttig, n_nodes, "tasks", "how many"), FIELD_AS(Ttig, n_edges, "edges", "how many"));

static const FieldList volume_fields =
    FIELDS(GraphSummary, FIELD(GraphSummary, messages, "of all edges"), FIELD(GraphSummary, bytes, "of all edges"),
           FIELD_AS(GraphSummary, compute_s, "computation_s", "of all tasks"));

static const FieldList size_fields =
    FIELDS(GraphSize,
           FIELD_AS(GraphSize, n_steps, "steps", "with loops folded; this field and the nine below: only with tasks"),
           FIELD_AS(GraphSize, n_steps_open, "steps_open", "with loops expanded"));

static const FieldList inexact_fields =
    FIELDS(Ttig, FIELD_AS(Ttig, n_inexact, "inexact_pairs", "pairs whose loops are too long to expand"));

#define OF_KIND(kind, key) FIELD_AS(GraphSummary, n_of[kind], key, "how many")
static const FieldList pairs_fields =
    FIELDS(GraphSummary, OF_KIND(PAIR_SEQUENTIAL, "sequential_pairs"), OF_KIND(PAIR_PARTIAL, "partial_pairs"),
           OF_KIND(PAIR_CONCURRENT, "concurrent_pairs"),
           FIELD_LIST(GraphSummary, pairs, n_pairs, "pairs", "by volume, largest first", .of = &pair_fields));

const FieldList graph_fields = FIELDS(
    GraphView, FIELD_INLINE_POINTED(GraphView, ttig, head_fields),
    FIELD_INLINE_POINTED(GraphView, summary, volume_fields), FIELD_INLINE_POINTED(GraphView, size, size_fields),
    FIELD_INLINE_POINTED(GraphView, tasks, tfg_counts_fields), FIELD_INLINE_POINTED(GraphView, ttig, inexact_fields),
    FIELD_INLINE_POINTED(GraphView, summary, pairs_fields));

json_t *graph_json(const Ttig *ttig, const GraphSummary *summary)
{
    const GraphSize size = ttig->tasks ? graph_size(ttig->tasks) : (GraphSize){0};
    const GraphView view = {ttig, summary, ttig->tasks, ttig->tasks ? &size : NULL};
    return fields_to_json(&graph_fields, &view, 0);
}
