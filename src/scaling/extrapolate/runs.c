/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs.h. */
#include "scaling/extrapolate/runs.h"

enum { READ_EVENTS = 4096 };

/* ---- reading ---- */

static bool check_event(const Event *event, Err *err)
{
    if (event->kind == EVENT_ONE_SIDED || event->kind == EVENT_WINDOW_SYNC)
        return err_set(err, ERR_INPUT, "one-sided operations can't be extrapolated");
    bool is_neighborhood = event->kind == EVENT_COLLECTIVE && event->collective >= COLLECTIVE_NEIGHBOR_ALLGATHER &&
                           event->collective <= COLLECTIVE_NEIGHBOR_ALLTOALLW;
    return !is_neighborhood || err_set(err, ERR_INPUT, "collectives of neighbours can't be extrapolated");
}

static bool read_rank(EventSource *source, uint32_t process, RankRun *rank, Err *err)
{
    size_t count = 1;
    if (source->trace->n_sequences && source->trace->n_sequences[process] > 1)
        return err_set(err, ERR_INPUT, "threads of process %u communicate at the same time", process);
    while (count) {
        vec_reserve(&rank->events, READ_EVENTS);
        Event *events = rank->events.items + rank->events.count;
        if (!source->read(source, process, events, READ_EVENTS, &count, err))
            return false;
        for (size_t i = 0; i < count; i++)
            if (!check_event(&events[i], err))
                return false;
        rank->events.count += count;
    }
    return true;
}

/* Requests become the numbers of the events that start them. Posted receives and completions get the peers of their
 * messages; EVERY_PEER: they have none. */
static void follow_requests(RankRun *rank)
{
    Map starts = {0};
    for (size_t i = 0; i < rank->events.count; i++) {
        Event *event = &rank->events.items[i];
        bool completes =
            event->kind == EVENT_REQUEST_DONE || event->kind == EVENT_RECV_CANCEL || event->kind == EVENT_RECV;
        if (event->kind == EVENT_RECV_POST || event->kind == EVENT_REQUEST_DONE)
            event->peer = EVERY_PEER;
        if (event->request == NO_REQUEST)
            continue;
        if (!completes) {
            *map_put(&starts, (MapKey){event->request, 3}, NULL) = i;
            event->request = i;
            continue;
        }
        const uint64_t *start = map_get(&starts, (MapKey){event->request, 3});
        Event *started = start ? &rank->events.items[*start] : NULL;
        event->request = start ? *start : NO_REQUEST;
        if (started && event->kind == EVENT_RECV)
            started->peer = event->peer;
        else if (started && event->kind == EVENT_REQUEST_DONE && started->kind == EVENT_SEND)
            event->peer = started->peer;
    }
    map_free(&starts);
}

bool runs_read(const ExtrapolationRun *runs, uint32_t n, const Progress *progress, LoadedRun *loaded, Err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        EventSource *source = runs[i].source;
        uint32_t p = source->trace->application.n_processes;
        loaded[i] = (LoadedRun){
            .path = runs[i].path, .p = p, .trace = source->trace, .ranks = memory_zeroed(p, sizeof(RankRun))};
        for (uint32_t rank = 0; rank < p; rank++) {
            progress_report(progress, "reading events", rank, p);
            if (!read_rank(source, rank, &loaded[i].ranks[rank], err))
                return err_prefix(err, "%s", runs[i].path);
            follow_requests(&loaded[i].ranks[rank]);
        }
    }
    return true;
}

void runs_free(LoadedRun *loaded, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t rank = 0; loaded[i].ranks && rank < loaded[i].p; rank++) {
            vec_free(&loaded[i].ranks[rank].events);
            free(loaded[i].ranks[rank].kinds);
        }
        free(loaded[i].ranks);
    }
}

static bool is_message(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_RECV;
}

static bool has_peer(const Event *event)
{
    return event->kind == EVENT_RECV_POST || event->kind == EVENT_REQUEST_DONE;
}

bool runs_share_tags(const LoadedRun *runs, uint32_t n)
{
    Map tags = {0};
    bool shared = true;
    for (uint32_t run = 0; run < n; run++)
        for (uint32_t rank = 0; rank < runs[run].p; rank++)
            for (size_t i = 0; i < runs[run].ranks[rank].events.count; i++) {
                const Event *event = &runs[run].ranks[rank].events.items[i];
                if (is_message(event))
                    *map_put(&tags, (MapKey){event->tag, 1}, NULL) |= UINT64_C(1) << run;
            }
    for (uint32_t run = 0; run < n; run++)
        for (uint32_t rank = 0; rank < runs[run].p && shared; rank++)
            for (size_t i = 0; i < runs[run].ranks[rank].events.count && shared; i++) {
                const Event *event = &runs[run].ranks[rank].events.items[i];
                shared = !is_message(event) || *map_get(&tags, (MapKey){event->tag, 1}) == (UINT64_C(1) << n) - 1;
            }
    map_free(&tags);
    return shared;
}

/* ---- kinds ---- */

/* A communicator's members as the layout's sides, from the view of one process; found once. */
static uint32_t sides_of(const LoadedRun *run, uint32_t process, uint32_t comm, Map *known)
{
    bool is_new;
    uint64_t *sides = map_put(known, (MapKey){(uint64_t)comm << 32 | process, 2}, &is_new);
    if (is_new) {
        const Comm *of = &run->trace->comms[comm];
        *sides = of->group == 0 && of->n_members == run->p
                     ? shape_all_sides(&run->shape)
                     : shape_member_sides(&run->shape, process, of->members, of->n_members);
    }
    return (uint32_t)*sides;
}

static EventKindKey key_of(const LoadedRun *run, uint32_t process, const Event *event, bool has_tags, Map *known)
{
    EventKindKey key = {.kind = event->kind, .has_request = event->request != NO_REQUEST};
    if (event->kind == EVENT_COLLECTIVE) {
        key.collective = event->collective;
        key.sides = sides_of(run, process, event->comm, known);
    } else if (is_message(event) || (has_peer(event) && event->peer != EVERY_PEER)) {
        key.sides = shape_all_sides(&run->shape);
        key.tag = has_tags && is_message(event) ? event->tag : 0;
        key.direction = shape_direction(&run->shape, process, event->peer);
    }
    return key;
}

static MapKey hash_key(const EventKindKey *key)
{
    MapKey hash = hash_word((MapKey){1, 1}, (uint64_t)key->kind << 40 | (uint64_t)key->collective << 32 |
                                                (uint64_t)key->has_request << 31 | key->sides);
    return hash_word(hash_word(hash, key->tag), key->direction);
}

static bool name_events(LoadedRun *runs, uint32_t run, Kinds *kinds)
{
    Map known = {0};
    bool fits = true;
    for (uint32_t rank = 0; rank < runs[run].p; rank++) {
        RankRun *of = &runs[run].ranks[rank];
        free(of->kinds);
        of->kinds = memory_resize(NULL, (of->events.count + 1) * sizeof *of->kinds);
        for (size_t i = 0; i < of->events.count; i++) {
            EventKindKey key = key_of(&runs[run], rank, &of->events.items[i], kinds->has_tags, &known);
            size_t number = map_number(&kinds->numbers, hash_key(&key), kinds->items.count);
            fits = fits && key.sides != NO_SIDES;
            if (number == kinds->items.count) {
                *vec_push(&kinds->items) = key;
                *vec_push(&kinds->runs) = 0;
            }
            kinds->runs.items[number] |= 1u << run;
            of->kinds[i] = (uint32_t)number;
        }
    }
    map_free(&known);
    return fits;
}

static bool is_alone(const LoadedRun *runs, uint32_t n, const Kinds *kinds, size_t kind)
{
    uint32_t last = kinds->runs.items[kind] >> (n - 2) & 3;
    Direction direction = kinds->items.items[kind].direction;
    bool has_direction = direction && direction != DIRECTION_WORKER;
    const Shape *smaller = &runs[n - 2].shape;
    if (last == 1)
        return !has_direction || !shape_confuses(smaller, direction);
    return last == 2 && (!has_direction || shape_knows(smaller, direction));
}

/* Partners differ in one bit of their ranks. */
static bool is_cube(const Kinds *kinds)
{
    for (size_t i = 0; i < kinds->items.count; i++)
        if (kinds->items.items[i].direction & (kinds->items.items[i].direction - 1))
            return false;
    return true;
}

bool kinds_find(LoadedRun *runs, uint32_t n, const Layout *layout, bool has_tags, Kinds *kinds)
{
    *kinds = (Kinds){.layout = layout, .has_tags = has_tags};
    bool fits = true;
    for (uint32_t run = n; run-- > 0;) {
        runs[run].shape = shape_of(layout, runs[run].p);
        bool run_fits = name_events(runs, run, kinds);
        fits = fits && (run_fits || run + 1 < n);
    }
    for (size_t i = 0; i < kinds->items.count; i++)
        kinds->n_alone += is_alone(runs, n, kinds, i);
    return fits && (layout->kind != LAYOUT_CUBE || is_cube(kinds));
}

uint32_t kinds_number(const Kinds *kinds, const EventKindKey *key)
{
    const uint64_t *number = map_get(&kinds->numbers, hash_key(key));
    return number ? (uint32_t)*number : NO_KIND;
}

void kinds_free(Kinds *kinds)
{
    map_free(&kinds->numbers);
    vec_free(&kinds->items);
    vec_free(&kinds->runs);
}
