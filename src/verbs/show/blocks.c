/* SPDX-License-Identifier: BSD-3-Clause */
/* See blocks.h. A block's computation in a process is what the process computed before the event at
 * the exit. */
#include "verbs/show/blocks.h"

#include "report/format.h"
#include "report/table.h"
#include <inttypes.h>

/* A process in a block. NULL: it has no event in the tick. */
typedef struct BlockRow {
    uint64_t block;
    uint32_t process;
    const LogicalEvent *entry, *exit;
} BlockRow;

typedef struct Blocks {
    const char *order;
    BlockRow *rows;
    uint32_t n_rows;
    bool more;
} Blocks;

/* Adds the processes that have an event in either tick; both ticks' events ascend by process. */
static void add_block(const Excerpt *excerpt, size_t tick, Blocks *blocks)
{
    const ExcerptTick *entry = &excerpt->ticks[tick], *exit = entry + 1;
    for (size_t i = 0, k = 0; i < entry->n_events || k < exit->n_events;) {
        const LogicalEvent *a = i < entry->n_events ? &excerpt->events[entry->first_event + i] : NULL,
                           *b = k < exit->n_events ? &excerpt->events[exit->first_event + k] : NULL;
        uint32_t process = !b || (a && a->process < b->process) ? a->process : b->process;
        BlockRow *row = &blocks->rows[blocks->n_rows++];
        *row = (BlockRow){.block = entry->number, .process = process};
        if (a && a->process == process) {
            row->entry = a;
            i++;
        }
        if (b && b->process == process) {
            row->exit = b;
            k++;
        }
    }
}

static Blocks make_blocks(const Excerpt *excerpt, Arena *arena)
{
    const ExcerptTick *last = &excerpt->ticks[excerpt->n_ticks - 1];
    Blocks blocks = {.order = excerpt->order,
                     .rows = arena_new_array(arena, BlockRow, 2 * (last->first_event + last->n_events)),
                     .more = excerpt->more};
    for (size_t i = 0; i + 1 < excerpt->n_ticks; i++)
        add_block(excerpt, i, &blocks);
    return blocks;
}

static const char *type_text(const LogicalEvent *event, Arena *arena)
{
    char text[64] = "";
    if (event)
        comm_type_format(event->type, text);
    return arena_strdup(arena, text);
}

static double compute_s(const BlockRow *row)
{
    return row->exit ? 1e-9 * (double)row->exit->compute_ns : 0;
}

const char *blocks_text(const Excerpt *excerpt, bool color, Arena *arena)
{
    const Blocks blocks = make_blocks(excerpt, arena);
    Table *table = table_new(arena);
    table_columns(table, ">block|>process|entry|>computation|exit|>bytes");
    for (uint32_t i = 0; i < blocks.n_rows; i++) {
        const BlockRow *row = &blocks.rows[i];
        bool is_first = !i || blocks.rows[i - 1].block != row->block;
        table_cells(table, "%s|%" PRIu32 "|%s|%s|%s|%s", is_first ? arena_printf(arena, "%" PRIu64, row->block) : "",
                    row->process, type_text(row->entry, arena), row->exit ? format_seconds(arena, compute_s(row)) : "",
                    type_text(row->exit, arena), row->exit ? format_count(arena, row->exit->bytes) : "");
    }
    return arena_printf(arena,
                        "%s\n%s order; block n lies between ticks n and n + 1; entry and exit: types of the events, "
                        "bytes: of the exit%s\n",
                        table_text(table, color), blocks.order, blocks.more ? "; more follows" : "");
}

/* ---- JSON ---- */

static json_t *entry_json(const FieldContext *context, const void *record)
{
    char text[64] = "";
    const LogicalEvent *event = ((const BlockRow *)record)->entry;
    (void)context;
    if (event)
        comm_type_format(event->type, text);
    return json_string(text);
}

static json_t *exit_json(const FieldContext *context, const void *record)
{
    char text[64] = "";
    const LogicalEvent *event = ((const BlockRow *)record)->exit;
    (void)context;
    if (event)
        comm_type_format(event->type, text);
    return json_string(text);
}

static json_t *compute_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_real(compute_s(record));
}

static json_t *bytes_json(const FieldContext *context, const void *record)
{
    const LogicalEvent *event = ((const BlockRow *)record)->exit;
    (void)context;
    return json_integer(event ? (json_int_t)event->bytes : 0);
}

static const FieldList row_fields = FIELDS(
    BlockRow, FIELD(BlockRow, block, "its number, from 0: it lies between the ticks of this number and the next"),
    FIELD(BlockRow, process, "rank in MPI_COMM_WORLD"),
    FIELD_OWN("entry", SHAPE_ONE, entry_json, NULL, "type of the process's event in the tick before; empty: none",
              .noun = "text"),
    FIELD_OWN("compute_s", SHAPE_ONE, compute_json, NULL, "computation before the event at the exit", .noun = "number"),
    FIELD_OWN("exit", SHAPE_ONE, exit_json, NULL, "type of its event in the tick behind; empty: none", .noun = "text"),
    FIELD_OWN("bytes", SHAPE_ONE, bytes_json, NULL, "volume of that event", .noun = "whole number"));

const FieldList blocks_fields =
    FIELDS(Blocks, FIELD(Blocks, order, "`pas2p` or `lamport`"), FIELD(Blocks, more, "whether blocks follow"),
           FIELD_LIST(Blocks, rows, n_rows, "blocks", "a row for each process of each block", .of = &row_fields));

json_t *blocks_json(const Excerpt *excerpt, Arena *arena)
{
    const Blocks blocks = make_blocks(excerpt, arena);
    return fields_to_json(&blocks_fields, &blocks, 0);
}
