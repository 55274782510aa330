/* SPDX-License-Identifier: BSD-3-Clause */
/* See items.h. */
#include "comm/worker/harness/items.h"

#include "base/json.h"
#include "comm/protocol.h"
#include "comm/worker/harness/exchanges.h"
#include "comm/worker/harness/geometry.h"
#include "comm/worker/harness/records.h"
#include "comm/worker/harness/stopping.h"
#include <assert.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* ---- plan ------------------------------------------------------------------------------------ */

typedef struct Planning {
    Worker *worker;
    VEC(Item) items;
} Planning;

static void print_unsupported(const char *operation, json_t *bytes, const char *message)
{
    json_t *members = json_pack("{s:s, s:o}", "operation", operation, "message", json_from_text(message));
    if (bytes)
        json_object_set_new(members, "bytes", bytes);
    record_print("unsupported", members);
}

static void plan_size(Planning *planning, const Item *model, size_t bytes)
{
    const Transport *transport = planning->worker->transport;
    const TransportKind *kind = transport->kind;
    int n_ranks = model->is_exchange ? 2 : transport->n_ranks;
    Item item = *model;
    item.bytes = bytes;
    size_t least_bytes = model->is_exchange ? kind->least_bytes : kind->least_vector_bytes;
    item.moved_bytes = geometry_of(model->operation, bytes, least_bytes, 0, n_ranks).moved_bytes;
    if (kind->most_bytes == 0 || item.moved_bytes <= kind->most_bytes)
        *vec_push(&planning->items) = item;
    else if (model->to == 1 || !model->is_exchange) /* report it once, not for each pair */
        print_unsupported(model->operation, json_integer((json_int_t)bytes), "larger than this transport's messages");
}

static void plan_pairs(Planning *planning, Item *model, size_t bytes)
{
    const Transport *transport = planning->worker->transport;
    const Request *request = planning->worker->request;
    int n_ranks = transport->kind->echo ? (int)request->n_peers + 1 : transport->n_ranks;
    for (model->from = 0; model->from < (request->all_pairs && !transport->kind->echo ? n_ranks : 1); model->from++)
        for (model->to = model->from + 1; model->to < n_ranks; model->to++)
            plan_size(planning, model, bytes);
}

static bool find_collective(const TransportKind *kind, const char *operation, uint32_t *number)
{
    for (uint32_t i = 0; kind->collectives && kind->collectives[i].name; i++) {
        *number = i;
        if (strcmp(kind->collectives[i].name, operation) == 0)
            return true;
    }
    return false;
}

static void plan_operation(Planning *planning, uint32_t number, size_t bytes)
{
    const Transport *transport = planning->worker->transport;
    Item model = {.operation = planning->worker->request->operations[number], .batch = 1, .messages = 1};
    model.is_exchange = exchanges_find(transport, model.operation, &model.exchange);
    /* Without an answer, an exchange of nothing does nothing. */
    if (model.is_exchange && bytes == 0 && !exchanges_at(transport, model.exchange)->answer)
        return;
    if (model.is_exchange) {
        plan_pairs(planning, &model, bytes);
    } else if (find_collective(transport->kind, model.operation, &model.collective)) {
        model.to = transport->n_ranks - 1;
        if (strcmp(model.operation, "pairs") == 0)
            model.messages = (uint32_t)(transport->n_ranks / 2) * COMM_WINDOW;
        plan_size(planning, &model, bytes);
        model.computes = true;
        if (transport->kind->collectives[model.collective].is_nonblocking)
            plan_size(planning, &model, bytes);
    }
}

/* Sets `smaller` and `alone` of each item; an item that computes stands behind the one that doesn't. Searches backwards, because the next smaller size is at most one
 * item per pair and operation away. */
static void link_sizes(Items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        Item *item = &items->items[i];
        item->alone = item->computes ? item - 1 : NULL;
        for (size_t k = i; k > 0 && !item->smaller; k--) {
            const Item *other = &items->items[k - 1];
            if (other->operation == item->operation && other->from == item->from && other->to == item->to &&
                other->computes == item->computes)
                item->smaller = other;
        }
    }
}

static bool is_barrier(const char *operation)
{
    return strcmp(operation, "barrier") == 0 || strcmp(operation, "ibarrier") == 0;
}

Items items_plan(Worker *worker)
{
    const Request *request = worker->request;
    Planning planning = {.worker = worker};
    for (uint32_t k = 0; k < request->n_operations; k++) {
        uint32_t number;
        const char *operation = request->operations[k];
        if (!exchanges_find(worker->transport, operation, &number) &&
            !find_collective(worker->transport->kind, operation, &number))
            print_unsupported(operation, NULL, "the transport has no such operation");
        else if (is_barrier(operation))
            plan_operation(&planning, k, 0);
    }
    for (size_t i = 0; i < request->n_sizes; i++)
        for (uint32_t k = 0; k < request->n_operations; k++)
            if (!is_barrier(request->operations[k]))
                plan_operation(&planning, k, request->sizes[i]);
    Items items = {planning.items.items, planning.items.count};
    link_sizes(&items);
    return items;
}

void items_free(Items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        vec_free(&items->items[i].samples);
        vec_free(&items->items[i].skews);
        vec_free(&items->items[i].computed_s);
    }
    free(items->items);
    *items = (Items){0};
}

/* ---- progress -------------------------------------------------------------------------------- */

/* Large messages cost less per byte, so each smaller size gives an upper bound of this item's time.
 * The smallest such bound belongs to the least disturbed exchange. Messages below 1 KiB count as 1
 * KiB. */
double item_estimate(const Item *item)
{
    double least_s = 0;
    if (item->cost_s > 0)
        return item->cost_s;
    for (const Item *smaller = item->smaller; smaller; smaller = smaller->smaller) {
        double most_s = smaller->least_s * fmax(1, (double)item->bytes / fmax(1024, (double)smaller->bytes));
        if (most_s > 0 && (least_s <= 0 || most_s < least_s))
            least_s = most_s;
    }
    return least_s;
}

double item_compute_s(const Item *item)
{
    const Item *alone = item->alone;
    if (!alone || !alone->samples.count)
        return alone ? alone->typical_s : 0;
    double *copy = memory_resize(NULL, alone->samples.count * sizeof *copy);
    memcpy(copy, alone->samples.items, alone->samples.count * sizeof *copy);
    double median_s = gsl_stats_median(copy, 1, alone->samples.count);
    free(copy);
    return median_s;
}

void item_judge(Item *item, const Request *request)
{
    size_t n = item->samples.count;
    bool is_due = n >= item->judged + item->judged / 10 + 1 || n >= request->most;
    if (item->is_finished || n < request->least || !is_due)
        return;
    item->judged = n;
    item->has_reached = stopping_has_reached(item->samples.items, n, request->target);
    item->is_finished = item->has_reached || n >= request->most;
}

void item_print(Item *item, const Worker *worker)
{
    if (item->printed == item->samples.count && item->late_printed == item->late)
        return;
    assert(item->printed <= item->samples.count && item->late_printed <= item->late);
    size_t n = item->samples.count - item->printed;
    json_t *members = json_pack("{s:s, s:I, s:i, s:i, s:i, s:i}", "operation", item->operation, "bytes",
                                (json_int_t)item->bytes, "ranks", item->is_exchange ? 2 : worker->transport->n_ranks,
                                "from", item->from, "to", item->to, "batch", (int)item->batch);
    if (item->moved_bytes != item->bytes)
        json_object_set_new(members, "moved_bytes", json_integer((json_int_t)item->moved_bytes));
    json_object_set_new(members, "samples_s", json_from_reals(item->samples.items + item->printed, n));
    if (!item->is_exchange) {
        const char *method = worker->request->by_windows ? COMM_METHOD_WINDOW : COMM_METHOD_BARRIER;
        json_object_set_new(members, "method", json_string(method));
        json_object_set_new(members, "skew_s", json_from_reals(item->skews.items + item->printed, n));
        json_object_set_new(members, "late", json_integer((json_int_t)(item->late - item->late_printed)));
    }
    if (item->alone)
        json_object_set_new(members, "compute_s", json_from_reals(item->computed_s.items + item->printed, n));
    item->printed = item->samples.count;
    item->late_printed = item->late;
    record_print("samples", members);
}
