/* SPDX-License-Identifier: BSD-3-Clause */
/* See matrix.h. */
#include "verbs/show/matrix.h"

#include "report/format.h"
#include "report/table.h"
#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN_PAIRS = 10, SHOWN_COLLECTIVES = 12, COLUMN_WIDTH = 9, LARGEST_BLOCKS = 20 };

/* What is counted between a pair. */
static uint64_t amount(const PairProfile *pair, bool messages)
{
    return messages ? pair->n_messages + pair->n_one_sided : pair->bytes + pair->one_sided_bytes;
}

static const char *format_amount(uint64_t value, bool messages, Arena *arena)
{
    return messages ? format_count(arena, value) : format_bytes(arena, (double)value);
}

/* ---- the matrix, or blocks of it ---- */

/* Sums over blocks of `block` successive processes: [n_blocks][n_blocks]. */
static uint64_t *sum_blocks(const Profile *profile, bool messages, uint32_t block, uint32_t n_blocks, Arena *arena)
{
    uint64_t *sums = arena_new_array(arena, uint64_t, (size_t)n_blocks * n_blocks);
    for (size_t i = 0; i < profile->n_pairs; i++) {
        const PairProfile *pair = &profile->pairs[i];
        sums[(size_t)(pair->source / block) * n_blocks + pair->destination / block] += amount(pair, messages);
    }
    return sums;
}

static const char *block_name(uint32_t number, uint32_t block, uint32_t n_processes, Arena *arena)
{
    uint32_t first = number * block, last = first + block - 1 < n_processes ? first + block - 1 : n_processes - 1;
    return first == last ? arena_printf(arena, "%u", first) : arena_printf(arena, "%u-%u", first, last);
}

static const char *matrix_table(const Profile *profile, const MatrixView *view, Arena *arena)
{
    uint32_t n = profile->n_processes, limit = (uint32_t)(view->columns / (COLUMN_WIDTH + 2)), block = 1;
    limit = limit > LARGEST_BLOCKS ? LARGEST_BLOCKS : limit < 4 ? 4 : limit;
    while ((n + block - 1) / block > limit)
        block *= 2;
    uint32_t n_blocks = (n + block - 1) / block;
    const uint64_t *sums = sum_blocks(profile, view->messages, block, n_blocks, arena);
    Table *table = table_new(arena);
    table_column(table, "from \\ to", TABLE_LEFT);
    for (uint32_t i = 0; i < n_blocks; i++)
        table_column(table, block_name(i, block, n, arena), TABLE_RIGHT);
    for (uint32_t row = 0; row < n_blocks; row++) {
        table_cells(table, "%s", block_name(row, block, n, arena));
        for (uint32_t i = 0; i < n_blocks; i++) {
            uint64_t sum = sums[(size_t)row * n_blocks + i];
            table_cells(table, "%s", sum ? format_amount(sum, view->messages, arena) : ".");
        }
    }
    const char *what = view->messages ? "messages" : "bytes";
    const char *note = block == 1 ? arena_printf(arena, "%s from each process to each\n\n", what)
                                  : arena_printf(arena, "%s between blocks of %u processes\n\n", what, block);
    return arena_printf(arena, "%s%s", note, table_text(table, view->color));
}

/* ---- the heaviest pairs ---- */

static int by_bytes(const void *left, const void *right)
{
    const PairProfile *a = *(const PairProfile *const *)left, *b = *(const PairProfile *const *)right;
    uint64_t of_a = amount(a, false), of_b = amount(b, false);
    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return a < b ? -1 : a > b;
}

static const char *pair_table(const Profile *profile, const MatrixView *view, Arena *arena)
{
    const PairProfile **pairs = arena_new_array(arena, const PairProfile *, profile->n_pairs);
    for (size_t i = 0; i < profile->n_pairs; i++)
        pairs[i] = &profile->pairs[i];
    qsort(pairs, profile->n_pairs, sizeof *pairs, by_bytes);
    Table *table = table_new(arena);
    table_columns(table, "heaviest|>messages|>one-sided|>bytes");
    for (size_t i = 0; i < profile->n_pairs && i < SHOWN_PAIRS; i++) {
        table_cells(table, "%u to %u|%s|%s|%s", pairs[i]->source, pairs[i]->destination,
                    format_count(arena, pairs[i]->n_messages), format_count(arena, pairs[i]->n_one_sided),
                    format_bytes(arena, (double)amount(pairs[i], false)));
    }
    return table_text(table, view->color);
}

static const char *summary(const Profile *profile, Arena *arena)
{
    uint64_t messages = 0, bytes = 0, one_sided = 0, one_sided_bytes = 0;
    uint32_t *partners = arena_new_array(arena, uint32_t, profile->n_processes), fewest = UINT32_MAX, most = 0;
    for (size_t i = 0; i < profile->n_pairs; i++) {
        const PairProfile *pair = &profile->pairs[i];
        messages += pair->n_messages;
        bytes += pair->bytes;
        one_sided += pair->n_one_sided;
        one_sided_bytes += pair->one_sided_bytes;
        partners[pair->source]++;
    }
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        fewest = partners[i] < fewest ? partners[i] : fewest;
        most = partners[i] > most ? partners[i] : most;
    }
    const char *text = arena_printf(arena, "%-13s %s, %s\n", "messages", format_count(arena, messages),
                                    format_bytes(arena, (double)bytes));
    if (one_sided)
        text = arena_printf(arena, "%s%-13s %s, %s\n", text, "one-sided", format_count(arena, one_sided),
                            format_bytes(arena, (double)one_sided_bytes));
    return arena_printf(arena, "%s%-13s each process sends to %s others; %s of %s pairs talk\n", text, "partners",
                        most > fewest ? arena_printf(arena, "%u to %u", fewest, most) : arena_printf(arena, "%u", most),
                        format_count(arena, profile->n_pairs),
                        format_count(arena, (uint64_t)profile->n_processes * profile->n_processes));
}

/* ---- collectives ---- */

static bool is_collective(const CommProfile *comm)
{
    return comm->kind >= CALL_COLLECTIVE;
}

static const char *comm_name(const Trace *trace, uint32_t comm, Arena *arena)
{
    const char *name = trace->comms[comm].name;
    return name && *name ? name : arena_printf(arena, "communicator %u", comm);
}

static const char *collective_table(const Profile *profile, const Trace *trace, const MatrixView *view, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "collective|communicator|>members|>calls|>time|>contributed|>received");
    size_t shown = 0, left_out = 0;
    for (size_t i = 0; i < profile->n_comms; i++) {
        const CommProfile *comm = &profile->comms[i];
        if (!is_collective(comm))
            continue;
        if (shown == SHOWN_COLLECTIVES && !view->all) {
            left_out++;
            continue;
        }
        shown++;
        table_cells(table, "%s|%s|%u|%s|%s|%s|%s", call_kind_name(comm->kind), comm_name(trace, comm->comm, arena),
                    trace->comms[comm->comm].n_members, format_count(arena, comm->calls.n_calls),
                    format_seconds(arena, (double)comm->calls.time_ns / 1e9),
                    format_bytes(arena, (double)comm->calls.bytes_sent),
                    format_bytes(arena, (double)comm->calls.bytes_received));
    }
    if (!shown)
        return "no collectives\n";
    const char *others = left_out ? arena_printf(arena, "%zu others (--all)\n", left_out) : "";
    return arena_printf(arena, "%s%s", table_text(table, view->color), others);
}

const char *matrix_text(const Profile *profile, const Trace *trace, const MatrixView *view, Arena *arena)
{
    const char *collectives = collective_table(profile, trace, view, arena);
    if (!profile->n_pairs)
        return arena_printf(arena, "no process sends a message to another\n\n%s", collectives);
    return arena_printf(arena, "%s\n%s\n%s\n%s", matrix_table(profile, view, arena), pair_table(profile, view, arena),
                        collectives, summary(profile, arena));
}

/* ---- JSON ---- */

typedef struct CollectiveRow {
    const char *collective;
    uint32_t comm_number;
    const Comm *comm;
    const CallProfile *calls;
} CollectiveRow;

typedef struct MatrixDocument {
    const Profile *profile;
    const CollectiveRow *collectives;
    size_t n_collectives;
} MatrixDocument;

static const FieldList pair_fields =
    FIELDS(PairProfile, FIELD_AS(PairProfile, source, "from", "the process that sends"),
           FIELD_AS(PairProfile, destination, "to", "the process that receives"),
           FIELD_AS(PairProfile, n_messages, "messages", "how many"), FIELD(PairProfile, bytes, "of these messages"),
           FIELD_AS(PairProfile, n_one_sided, "one_sided", "one-sided operations: how many"),
           FIELD(PairProfile, one_sided_bytes, "of these operations"));

static const FieldList comm_fields =
    FIELDS(Comm, FIELD_AS(Comm, name, "communicator_name", "its name; `communicator N`: it has none"),
           FIELD_AS(Comm, n_members, "members", "how many processes belong to it"));

static const FieldList call_fields =
    FIELDS(CallProfile, FIELD_AS(CallProfile, n_calls, "calls", "how many, of all members"),
           FIELD_AS(CallProfile, time_ns, "time_s", "in these calls, from entry to return"),
           FIELD_AS(CallProfile, bytes_sent, "contributed_bytes", "what the members put in"),
           FIELD_AS(CallProfile, bytes_received, "received_bytes", "what the members got out"));

static const FieldList collective_fields = FIELDS(
    CollectiveRow, FIELD(CollectiveRow, collective, "`barrier`, `bcast`, `allreduce` …"),
    FIELD_AS(CollectiveRow, comm_number, "communicator",
             "its number, as firma counts; each process's MPI_COMM_SELF is one of its own"),
    FIELD_INLINE_POINTED(CollectiveRow, comm, comm_fields), FIELD_INLINE_POINTED(CollectiveRow, calls, call_fields));

static const FieldList profile_fields =
    FIELDS(Profile, FIELD_AS(Profile, n_processes, "processes", "how many"),
           FIELD_LIST(Profile, pairs, n_pairs, "pairs", "those that send: by `from`, then `to`", .of = &pair_fields));

const FieldList matrix_fields =
    FIELDS(MatrixDocument, FIELD_INLINE_POINTED(MatrixDocument, profile, profile_fields),
           FIELD_LIST(MatrixDocument, collectives, n_collectives, "collectives",
                      "each kind on each communicator, by time, longest first", .of = &collective_fields));

json_t *matrix_json(const Profile *profile, const Trace *trace, Arena *arena)
{
    CollectiveRow *rows = arena_new_array(arena, CollectiveRow, profile->n_comms);
    MatrixDocument document = {.profile = profile, .collectives = rows};
    for (size_t i = 0; i < profile->n_comms; i++) {
        const CommProfile *comm = &profile->comms[i];
        if (is_collective(comm))
            rows[document.n_collectives++] =
                (CollectiveRow){call_kind_name(comm->kind), comm->comm, &trace->comms[comm->comm], &comm->calls};
    }
    return fields_to_json(&matrix_fields, &document, 0);
}
