/* SPDX-License-Identifier: BSD-3-Clause */
/* See arrange.h. No order made here lets tasks wait in a circle, unless the program does: sends stand where they
 * were posted, or earlier, receives where they completed, or later. The traced run is then a possible execution.
 * A collective is neither: it lasts. So it is held back until its call has returned. If meanwhile another thread of
 * the process goes on, the collective is taken apart: its sends stand at its entry, its receives at its return. */
#include "placement/graph/arrange.h"

#include "placement/graph/collectives.h"
#include <stdlib.h>

typedef struct Completion {
    Step step;
    int64_t before_ns;
} Completion;

typedef struct Held {
    Step step;
    int64_t before_ns, until_ns;
} Held;

Arrangement arrangement_new(const Trace *trace, uint32_t process, StepSink *sink)
{
    bool has_threads = trace->n_sequences && trace->n_sequences[process] > 1;
    return (Arrangement){.sink = sink,
                         .has_threads = has_threads,
                         .leading = has_threads && trace->leading ? trace->leading[process] : has_threads};
}

void arrangement_free(Arrangement *arrangement)
{
    vec_free(&arrangement->group);
    vec_free(&arrangement->late);
    vec_free(&arrangement->held);
    map_free(&arrangement->fresh);
    map_free(&arrangement->late_kinds);
}

static bool add(Arrangement *arrangement, const Step *step, Err *err)
{
    int64_t before_ns = arrangement->compute_ns;
    arrangement->compute_ns = 0;
    return arrangement->sink->add(arrangement->sink, step, before_ns, err);
}

static int compare_steps(const void *left, const void *right)
{
    const Step *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->peer != b->peer)
        return a->peer < b->peer ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int compare_completions(const void *left, const void *right)
{
    return compare_steps(&((const Completion *)left)->step, &((const Completion *)right)->step);
}

/* Moves the computation from before each message to behind it. Computation behind the last message stays where it
 * is, because it may need all messages of the group. Returns the computation before the first message. */
static int64_t turn_round(Completion *group, size_t n)
{
    int64_t before_ns = group[0].before_ns;
    for (size_t i = 0; i + 1 < n; i++)
        group[i].before_ns = group[i + 1].before_ns;
    group[n - 1].before_ns = -1;
    return before_ns;
}

/* The message that is now the last one gives its computation to that which was the last. */
static void exchange_last(Completion *group, size_t n)
{
    size_t was_last = 0;
    while (group[was_last].before_ns >= 0)
        was_last++;
    group[was_last].before_ns = group[n - 1].before_ns;
    group[n - 1].before_ns = 0;
}

static bool finish_group(Arrangement *arrangement, Err *err)
{
    size_t n = arrangement->group.count;
    Completion *group = arrangement->group.items;
    if (!n)
        return true;
    int64_t after_ns = arrangement->compute_ns;
    arrangement->compute_ns = turn_round(group, n);
    qsort(group, n, sizeof *group, compare_completions);
    exchange_last(group, n);
    for (size_t i = 0; i < n; i++) {
        if (!add(arrangement, &group[i].step, err))
            return false;
        arrangement->compute_ns = group[i].before_ns;
    }
    arrangement->compute_ns = after_ns;
    arrangement->group.count = 0;
    map_free(&arrangement->fresh);
    return true;
}

/* Adds a held step, whatever was computed since. */
static bool add_held(Arrangement *arrangement, const Held *held, Err *err)
{
    int64_t after_ns = arrangement->compute_ns;
    arrangement->compute_ns = held->before_ns;
    bool ok = add(arrangement, &held->step, err);
    arrangement->compute_ns = after_ns;
    return ok;
}

/* Adds the sends of the held collectives, because another step comes before their receives. */
static bool take_apart_held(Arrangement *arrangement, Err *err)
{
    for (size_t i = 0; i < arrangement->held.count; i++) {
        Held *held = &arrangement->held.items[i];
        if (held->step.first != COLLECTIVE_WHOLE)
            continue;
        held->step.first = COLLECTIVE_SENDS;
        if (!add_held(arrangement, held, err))
            return false;
        held->step.first = COLLECTIVE_RECEIVES;
        held->before_ns = 0;
    }
    return true;
}

/* Adds the held collectives that have returned by this time, the first one first. */
static bool release_held(Arrangement *arrangement, int64_t time_ns, Err *err)
{
    while (arrangement->held.count) {
        Held *first = &arrangement->held.items[0];
        for (size_t i = 1; i < arrangement->held.count; i++)
            if (arrangement->held.items[i].until_ns < first->until_ns)
                first = &arrangement->held.items[i];
        if (first->until_ns > time_ns)
            return true;
        const Held released = *first;
        *first = arrangement->held.items[--arrangement->held.count];
        if ((arrangement->held.count && !take_apart_held(arrangement, err)) || !add_held(arrangement, &released, err))
            return false;
    }
    return true;
}

static void put_off(Arrangement *arrangement, const Step *step)
{
    MapKey key = hash_word((MapKey){step->kind, step->peer}, (uint64_t)step->bytes);
    size_t number = map_number(&arrangement->late_kinds, key, arrangement->late.count);
    if (number < arrangement->late.count)
        arrangement->late.items[number].times++;
    else
        *vec_push(&arrangement->late) = *step;
}

static bool join_threads(Arrangement *arrangement, Err *err)
{
    size_t n = arrangement->late.count;
    if (n)
        qsort(arrangement->late.items, n, sizeof(Step), compare_steps);
    for (size_t i = 0; i < n; i++) {
        Step step = arrangement->late.items[i];
        uint64_t times = step.times;
        for (step.times = 1; times; times--)
            if (!add(arrangement, &step, err))
                return false;
    }
    arrangement->late.count = 0;
    map_free(&arrangement->late_kinds);
    return true;
}

static bool leads(const Arrangement *arrangement, const Event *event)
{
    return event->sequence == 0 || event->sequence == arrangement->leading;
}

static void note_call(Arrangement *arrangement, const Event *event)
{
    if (event->enter_ns != arrangement->enter_ns && event->enter_ns < arrangement->busy_until_ns)
        arrangement->overlaps = true;
    if (event->leave_ns > arrangement->busy_until_ns)
        arrangement->busy_until_ns = event->leave_ns;
    arrangement->enter_ns = event->enter_ns;
}

bool arrangement_take_event(Arrangement *arrangement, const Event *event, Err *err)
{
    int64_t time_ns = event->kind == EVENT_RECV ? event->leave_ns : event->enter_ns;
    note_call(arrangement, event);
    if (!release_held(arrangement, time_ns, err))
        return false;
    arrangement->compute_ns += event->compute_ns;
    if (event->kind == EVENT_RECV_POST && arrangement->group.count)
        *map_put(&arrangement->fresh, (MapKey){1, event->request}, NULL) = 1;
    return true;
}

static bool take_completion(Arrangement *arrangement, const Event *event, const Step *step, Err *err)
{
    bool is_fresh = arrangement->fresh.count && map_get(&arrangement->fresh, (MapKey){1, event->request});
    if (is_fresh && !finish_group(arrangement, err))
        return false;
    *vec_push(&arrangement->group) = (Completion){*step, arrangement->compute_ns};
    arrangement->compute_ns = 0;
    return true;
}

/* A collective that a leading thread is in. */
static void hold(Arrangement *arrangement, const Event *event, const Step *step)
{
    *vec_push(&arrangement->held) = (Held){*step, arrangement->compute_ns, event->leave_ns};
    arrangement->compute_ns = 0;
}

static bool take_beside(Arrangement *arrangement, const Step *step, Err *err)
{
    Step half = *step;
    bool waits = step->kind == STEP_RECV || step->kind == STEP_COLLECTIVE;
    if (step->kind == STEP_COLLECTIVE)
        half.first = COLLECTIVE_SENDS;
    if (step->kind == STEP_PUT || step->kind == STEP_GET)
        half.blocks = false;
    if (step->kind != STEP_RECV && (!finish_group(arrangement, err) || !add(arrangement, &half, err)))
        return false;
    if (step->kind == STEP_COLLECTIVE)
        half.first = COLLECTIVE_RECEIVES;
    if (waits)
        put_off(arrangement, &half);
    return true;
}

bool arrangement_take_step(Arrangement *arrangement, const Event *event, const Step *step, Err *err)
{
    if (!take_apart_held(arrangement, err))
        return false;
    if (!leads(arrangement, event))
        return take_beside(arrangement, step, err);
    if (event->kind == EVENT_RECV && event->request != NO_REQUEST && event->sequence == arrangement->leading)
        return take_completion(arrangement, event, step, err);
    if (!finish_group(arrangement, err))
        return false;
    if (arrangement->has_threads && event->sequence == 0 && !join_threads(arrangement, err))
        return false;
    if (step->kind != STEP_COLLECTIVE)
        return add(arrangement, step, err);
    hold(arrangement, event, step);
    return true;
}

bool arrangement_finish(Arrangement *arrangement, Err *err)
{
    return release_held(arrangement, INT64_MAX, err) && finish_group(arrangement, err) &&
           join_threads(arrangement, err);
}
