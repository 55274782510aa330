/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts batches by the flow: each comes after the batches for which it waits, and otherwise in the
 * order of the file. Names the batches of a cycle. */
#include "base/text.h"
#include "cost/lang/pasl_parser.h"

#include <string.h>

/* A step of the flow. Batches are numbered as in the file. */
typedef struct Wait {
    uint32_t from, to;
    Token where;
} Wait;

typedef struct Order {
    PaslParser *parser;
    Wait *waits;            /* sorted by `to` */
    size_t *first, *next;   /* [n_batches + 1], [n_batches] into waits */
    uint32_t *path, *place; /* place: the batch's index in the result */
    bool *is_done, *is_on_path;
    size_t depth;
    uint32_t n_done;
} Order;

static bool find_batch(PaslParser *parser, Token token, uint32_t *batch, Err *err)
{
    const char *name = lexer_name(&parser->lexer, token);
    const uint64_t *found = names_get(&parser->batch_names, name);
    if (!found)
        return lexer_error(&parser->lexer, token, err, "there is no batch `%s`",
                           lexer_shown(name, strlen(name), parser->arena));
    *batch = (uint32_t)*found;
    return true;
}

/* Sorts waits by `to`, and for each `to` in the order of the file. (A counting sort.) */
static bool sort_waits(Order *order, Arena *arena, Err *err)
{
    PaslParser *parser = order->parser;
    size_t n = parser->batches.count, n_steps = parser->steps.count;
    Wait *unsorted = arena_new_array(arena, Wait, n_steps);
    for (size_t i = 0; i < n_steps; i++) {
        const PaslStep *step = &parser->steps.items[i];
        unsorted[i].where = step->to;
        if (!find_batch(parser, step->from, &unsorted[i].from, err) ||
            !find_batch(parser, step->to, &unsorted[i].to, err))
            return false;
        order->first[unsorted[i].to + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        order->first[i + 1] += order->first[i];
        order->next[i] = order->first[i];
    }
    for (size_t i = 0; i < n_steps; i++)
        order->waits[order->next[unsorted[i].to]++] = unsorted[i];
    return true;
}

static void enter(Order *order, uint32_t batch)
{
    order->path[order->depth++] = batch;
    order->is_on_path[batch] = true;
    order->next[batch] = order->first[batch];
}

/* Reports a cycle. The path leads from each batch to one for which it waits, against the flow. */
static bool report_cycle(const Order *order, const Wait *wait, Err *err)
{
    Text chain = {0};
    const PaslBatch *batches = order->parser->batches.items;
    text_add(&chain, "%s", batches[wait->from].name);
    for (size_t i = order->depth; order->path[--i] != wait->from;)
        text_add(&chain, " -> %s", batches[order->path[i]].name);
    text_add(&chain, " -> %s", batches[wait->from].name);
    lexer_error(&order->parser->lexer, wait->where, err, "the flow is a cycle: %.*s", (int)chain.bytes.count,
                chain.bytes.items);
    vec_free(&chain.bytes);
    return false;
}

static bool step(Order *order, Err *err)
{
    uint32_t batch = order->path[order->depth - 1];
    if (order->next[batch] == order->first[batch + 1]) {
        order->is_done[batch] = true;
        order->is_on_path[batch] = false;
        order->place[batch] = order->n_done++;
        order->depth--;
        return true;
    }
    const Wait *wait = &order->waits[order->next[batch]++];
    if (order->is_on_path[wait->from])
        return report_cycle(order, wait, err);
    if (!order->is_done[wait->from])
        enter(order, wait->from);
    return true;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Sets the batches for which a batch waits, by index in the result, each once. */
static void set_before(const Order *order, uint32_t number, PaslBatch *batch)
{
    size_t first = order->first[number], count = order->first[number + 1] - first, n = 0;
    uint32_t *before = arena_new_array(order->parser->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++)
        before[i] = order->place[order->waits[first + i].from];
    if (count)
        qsort(before, count, sizeof *before, by_number);
    for (size_t i = 0; i < count; i++)
        if (n == 0 || before[n - 1] != before[i])
            before[n++] = before[i];
    batch->before = before;
    batch->n_before = n;
}

bool pasl_order_batches(PaslParser *parser, PaslBatch *ordered, Err *err)
{
    Arena *arena = arena_new();
    size_t n = parser->batches.count;
    Order order = {.parser = parser,
                   .waits = arena_new_array(arena, Wait, parser->steps.count),
                   .first = arena_new_array(arena, size_t, n + 1),
                   .next = arena_new_array(arena, size_t, n),
                   .path = arena_new_array(arena, uint32_t, n),
                   .place = arena_new_array(arena, uint32_t, n),
                   .is_done = arena_new_array(arena, bool, n),
                   .is_on_path = arena_new_array(arena, bool, n)};
    bool ok = sort_waits(&order, arena, err);
    for (uint32_t batch = 0; ok && batch < n; batch++) {
        if (!order.is_done[batch])
            enter(&order, batch);
        while (ok && order.depth)
            ok = step(&order, err);
    }
    for (uint32_t batch = 0; ok && batch < n; batch++) {
        PaslBatch *placed = &ordered[order.place[batch]];
        *placed = parser->batches.items[batch];
        set_before(&order, batch, placed);
    }
    arena_free(arena);
    return ok;
}
