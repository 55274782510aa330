/* SPDX-License-Identifier: BSD-3-Clause */
/* See adjacent.h. */
#include "graph/adjacent.h"

#include "graph/steps.h"

typedef struct Record {
    uint32_t low, high;
    uint64_t order; /* of the lower task's, then of the higher's, each in its order */
    double bytes;
    PairMessage message;
} Record;

#define OF_HIGHER ((uint64_t)1 << 63)

typedef struct Records {
    VEC(Record) records;
} Records;

static int compare_records(const void *left, const void *right)
{
    const Record *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static void collect(const TaskGraph *folded, uint32_t task, Records *list)
{
    double compute_s = 0;
    for (uint32_t i = 0; i < folded->tasks[task].n_steps; i++) {
        const Step *step = &folded->tasks[task].steps[i];
        if (step->kind == STEP_COMPUTE) {
            compute_s += step->seconds;
        } else if (step->peer != task) {
            bool is_low = task < step->peer;
            *vec_push(&list->records) =
                (Record){.low = is_low ? task : step->peer,
                         .high = is_low ? step->peer : task,
                         .order = is_low ? i : i | OF_HIGHER,
                         .bytes = step->bytes,
                         .message = {compute_s, step->times, step->first, step->kind == STEP_SEND}};
        }
    }
}

static size_t count_pairs(const Records *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->records.count; i++) {
        const Record *record = &list->records.items[i];
        n += i == 0 || record[-1].low != record->low || record[-1].high != record->high;
    }
    return n;
}

/* Of the records from here on those of one pair; returns how many. */
static size_t make_pair(const Record *records, size_t n, const double *compute_s, PairMessage *messages,
                        AdjacentPair *pair)
{
    size_t i = 0;
    *pair = (AdjacentPair){.tasks = {records->low, records->high}};
    pair->sides[0] = (PairSide){messages, 0, compute_s[records->low]};
    pair->sides[1] = (PairSide){NULL, 0, compute_s[records->high]};
    for (; i < n && records[i].low == records->low && records[i].high == records->high; i++) {
        int side = records[i].order >= OF_HIGHER;
        messages[i] = records[i].message;
        pair->sides[side].n_messages++;
        if (messages[i].sends) {
            pair->sent[side].bytes += records[i].bytes * (double)messages[i].times;
            pair->sent[side].n_messages += messages[i].times;
        }
    }
    pair->sides[1].messages = messages + pair->sides[0].n_messages;
    return i;
}

AdjacentPairs adjacent_pairs(const TaskGraph *folded, Arena *arena)
{
    Records list = {0};
    double *compute_s = arena_new_array(arena, double, folded->n_tasks);
    for (uint32_t i = 0; i < folded->n_tasks; i++) {
        compute_s[i] = steps_compute_s(folded->tasks[i].steps, folded->tasks[i].n_steps);
        collect(folded, i, &list);
    }
    size_t n = list.records.count, n_pairs = 0;
    if (n)
        qsort(list.records.items, n, sizeof *list.records.items, compare_records);
    AdjacentPair *pairs = arena_new_array(arena, AdjacentPair, count_pairs(&list));
    PairMessage *messages = arena_new_array(arena, PairMessage, n);
    for (size_t at = 0; at < n;)
        at += make_pair(&list.records.items[at], n - at, compute_s, messages + at, &pairs[n_pairs++]);
    vec_free(&list.records);
    return (AdjacentPairs){n_pairs, pairs};
}
