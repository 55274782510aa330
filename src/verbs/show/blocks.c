/* SPDX-License-Identifier: BSD-3-Clause */
/* See blocks.h. A block's computation in a process is what the process computed before the event at
 * the exit. */
#include "verbs/show/blocks.h"

#include "report/format.h"
#include "report/table.h"
#include <inttypes.h>

/* A process in a block. */
typedef struct BlockRow {
    uint64_t block;
    uint32_t process;
    const char *entry, *exit; /* types of its events; "": it has none in the tick */
    double compute_s;
    uint64_t bytes;
} BlockRow;

typedef struct Blocks {
    const char *order;
    BlockRow *rows;
    uint32_t n_rows;
    bool more;
} Blocks;

static const char *type_text(const LogicalEvent *event, Arena *arena)
{
    char text[64] = "";
    comm_type_format(event->type, text);
    return arena_strdup(arena, text);
}

/* Adds the processes that have an event in either tick; both ticks' events ascend by process. */
static void add_block(const Excerpt *excerpt, size_t tick, Arena *arena, Blocks *blocks)
{
    const ExcerptTick *entry = &excerpt->ticks[tick], *exit = entry + 1;
    for (size_t i = 0, k = 0; i < entry->n_events || k < exit->n_events;) {
        const LogicalEvent *a = i < entry->n_events ? &excerpt->events[entry->first_event + i] : NULL,
                           *b = k < exit->n_events ? &excerpt->events[exit->first_event + k] : NULL;
        uint32_t process = !b || (a && a->process < b->process) ? a->process : b->process;
        BlockRow *row = &blocks->rows[blocks->n_rows++];
        *row = (BlockRow){.block = entry->number, .process = process, .entry = "", .exit = ""};
        if (a && a->process == process) {
            row->entry = type_text(a, arena);
            i++;
        }
        if (b && b->process == process) {
            row->exit = type_text(b, arena);
            row->compute_s = 1e-9 * (double)b->compute_ns;
            row->bytes = b->bytes;
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
        add_block(excerpt, i, arena, &blocks);
    return blocks;
}

/* rows_limit: of each block; 0: none. */
const char *blocks_text(const Excerpt *excerpt, uint32_t rows_limit, bool color, Arena *arena)
{
    const Blocks blocks = make_blocks(excerpt, arena);
    Table *table = table_new(arena);
    table_columns(table, ">block|>process|entry|>computation|exit|>bytes");
    uint32_t n_of_block = 0, n_others = 0;
    for (uint32_t i = 0; i < blocks.n_rows; i++) {
        const BlockRow *row = &blocks.rows[i];
        bool is_first = !i || blocks.rows[i - 1].block != row->block;
        n_of_block = is_first ? 1 : n_of_block + 1;
        if (rows_limit && n_of_block > rows_limit) {
            n_others++;
            continue;
        }
        table_cells(table, "%s|%" PRIu32 "|%s|%s|%s|%s", is_first ? arena_printf(arena, "%" PRIu64, row->block) : "",
                    row->process, row->entry, *row->exit ? format_seconds(arena, row->compute_s) : "", row->exit,
                    *row->exit ? format_count(arena, row->bytes) : "");
    }
    const char *others = n_others ? arena_printf(arena, "%" PRIu32 " other rows (--ranks)\n", n_others) : "";
    return arena_printf(arena,
                        "%s%s\n%s order; block n lies between ticks n and n + 1; entry and exit: types of the events, "
                        "bytes: of the exit%s\n",
                        table_text(table, color), others, blocks.order, blocks.more ? "; more follows" : "");
}

static const FieldList row_fields = FIELDS(
    BlockRow, FIELD(BlockRow, block, "its number, from 0: it lies between the ticks of this number and the next"),
    FIELD(BlockRow, process, "rank in MPI_COMM_WORLD"),
    FIELD(BlockRow, entry, "type of the process's event in the tick before; empty: none"),
    FIELD(BlockRow, compute_s, "computation before the event at the exit"),
    FIELD(BlockRow, exit, "type of its event in the tick behind; empty: none"),
    FIELD(BlockRow, bytes, "volume of that event"));

const FieldList blocks_fields =
    FIELDS(Blocks, FIELD(Blocks, order, "`pas2p` or `lamport`"), FIELD(Blocks, more, "whether blocks follow"),
           FIELD_LIST(Blocks, rows, n_rows, "blocks", "a row for each process of each block", .of = &row_fields));

json_t *blocks_json(const Excerpt *excerpt, Arena *arena)
{
    const Blocks blocks = make_blocks(excerpt, arena);
    return fields_to_json(&blocks_fields, &blocks, 0);
}
