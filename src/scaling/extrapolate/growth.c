/* SPDX-License-Identifier: BSD-3-Clause */
/* See growth.h. */
#include "scaling/extrapolate/growth.h"

#include "model/loops.h"
#include <inttypes.h>
#include <math.h>

enum { RUNS_LIMIT = 64, MEASURES = 6 };

/* So many times as long as the median is long. */
static const double LONG = 1.5;

static bool push(EventPlaces *places, uint32_t process, size_t event, unsigned doublings, Err *err)
{
    if (places->count >= EVENTS_LIMIT)
        return err_set(err, ERR_INPUT, "a process would have more than %d events", EVENTS_LIMIT);
    *vec_push(places) = (EventPlace){event, process, doublings, 1};
    return true;
}

static bool push_all(const RankRun *rank, uint32_t process, EventPlaces *places, Err *err)
{
    for (size_t i = 0; i < rank->events.count; i++)
        if (!push(places, process, i, 0, err))
            return false;
    return true;
}

/* ---- hypercubes ---- */

static bool is_along(const RankRun *rank, const Kinds *kinds, const EventPlace *place, Direction mask)
{
    Direction direction = kinds->items.items[rank->kinds[place->event]].direction;
    return direction && direction << place->doublings == mask;
}

/* Behind each stretch of events along the largest mask, the same along twice that mask. */
static bool double_cube(const RankRun *rank, const Kinds *kinds, Direction mask, EventPlaces *places, Err *err)
{
    EventPlaces doubled = {0};
    bool ok = true;
    for (size_t i = 0, end; ok && i < places->count; i = end) {
        for (end = i; end < places->count && is_along(rank, kinds, &places->items[end], mask); end++)
            continue;
        for (size_t k = i; ok && k < end; k++)
            ok = push(&doubled, places->items[k].process, places->items[k].event, places->items[k].doublings, err);
        for (size_t k = i; ok && k < end; k++)
            ok = push(&doubled, places->items[k].process, places->items[k].event, places->items[k].doublings + 1, err);
        if (end == i) {
            ok = push(&doubled, places->items[i].process, places->items[i].event, places->items[i].doublings, err);
            end++;
        }
    }
    vec_free(places);
    *places = doubled;
    return ok;
}

static bool grow_cube(const LoadedRun *run, uint32_t process, const Kinds *kinds, uint32_t p, EventPlaces *places,
                      Err *err)
{
    const RankRun *rank = &run->ranks[process];
    bool ok = push_all(rank, process, places, err);
    uint32_t grown = run->p;
    for (; ok && grown < p; grown *= 2)
        ok = double_cube(rank, kinds, grown / 2, places, err);
    return ok &&
           (grown == p || err_set(err, ERR_INPUT, "a hypercube of %u processes isn't one of %u, doubled", p, run->p));
}

/* ---- loops ---- */

/* What numbers of iterations may grow with. */
static double measure(const Shape *shape, int which)
{
    switch (which) {
    case 0:
        return shape->p;
    case 1:
    case 2:
    case 3:
        return shape->sides[which - 1];
    case 4:
        return log2(shape->p);
    default:
        return 1.0 / shape->p;
    }
}

/* The loops of one process in each run, by ascending p. */
typedef struct Roles {
    const Shape *shapes[RUNS_LIMIT];
    Loop loops[RUNS_LIMIT];
    uint32_t n;
    const Shape *target;
    uint32_t process; /* of the last run */
} Roles;

static bool is_whole(double number)
{
    return fabs(number - round(number)) < 1e-6;
}

/* The count at the target: a + b measure. From two runs, only halves and wholes are believed. */
static bool count_at(const Roles *roles, const uint64_t *counts, uint64_t *count)
{
    uint32_t last = roles->n - 1;
    bool is_constant = true;
    for (uint32_t i = 0; i < last; i++)
        is_constant = is_constant && counts[i] == counts[last];
    *count = counts[last];
    for (int which = 0; which < MEASURES && !is_constant; which++) {
        double first_x = measure(roles->shapes[0], which), last_x = measure(roles->shapes[last], which),
               b = ((double)counts[last] - (double)counts[0]) / (last_x - first_x),
               a = (double)counts[last] - b * last_x, found = a + b * measure(roles->target, which);
        bool fits = isfinite(b) && found >= 0 && is_whole(found) && (roles->n > 2 || is_whole(2 * b));
        for (uint32_t i = 0; i < roles->n && fits; i++)
            fits = is_whole(a + b * measure(roles->shapes[i], which) - (double)counts[i]) &&
                   fabs(a + b * measure(roles->shapes[i], which) - (double)counts[i]) < 0.5;
        if (!fits)
            continue;
        *count = (uint64_t)llround(found);
        return true;
    }
    return is_constant;
}

static bool have_one_form(const Loop *const *loops, uint32_t n)
{
    const Loop *last = loops[n - 1];
    for (uint32_t i = 0; i + 1 < n; i++)
        if (loops[i]->phase != last->phase || loops[i]->n_body != last->n_body)
            return false;
    for (uint32_t k = 0; k < last->n_body; k++) {
        const Loop *parts[RUNS_LIMIT];
        for (uint32_t i = 0; i < n; i++)
            parts[i] = &loops[i]->body[k];
        if (!have_one_form(parts, n))
            return false;
    }
    return true;
}

/* The iteration of the last run that stands for one of the target: the first and the last one for themselves, and
 * those between evenly for those between. */
static uint64_t stand_in_iteration(uint64_t i, uint64_t count, uint64_t known)
{
    if (count == known || i == 0 || known == 1)
        return known == 1 ? 0 : i;
    if (i + 1 == count || known == 2)
        return known - 1;
    return 1 + (i - 1) * (known - 2) / (count - 2);
}

/* Expands the last run's loop, whose first event has the number `from`. */
static bool expand(const Roles *roles, const Loop *const *loops, size_t from, EventPlaces *places, Err *err)
{
    const Loop *last = loops[roles->n - 1];
    uint64_t counts[RUNS_LIMIT], count, length = loop_length(last) / last->count;
    for (uint32_t i = 0; i < roles->n; i++)
        counts[i] = loops[i]->count;
    if (!count_at(roles, counts, &count))
        return err_set(err, ERR_INPUT, "a loop of %" PRIu64 " and then %" PRIu64 " iterations follows no law",
                       counts[roles->n - 2], counts[roles->n - 1]);
    for (uint64_t i = 0; i < count; i++) {
        size_t at = from + (size_t)(stand_in_iteration(i, count, last->count) * length);
        if (last->phase && !push(places, roles->process, at, 0, err))
            return false;
        for (uint32_t k = 0; k < last->n_body; k++) {
            const Loop *parts[RUNS_LIMIT];
            for (uint32_t run = 0; run < roles->n; run++)
                parts[run] = &loops[run]->body[k];
            if (!expand(roles, parts, at, places, err))
                return false;
            at += (size_t)loop_length(&last->body[k]);
        }
    }
    return true;
}

static int by_value(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* Before which events the process computes much more than it mostly does between events of these two kinds: there, a
 * loop begins anew. */
static bool *find_long(const RankRun *rank, Arena *arena)
{
    typedef VEC(int64_t) Times;
    VEC(Times) times = {0};
    Map numbers = {0};
    bool *is_long = arena_new_array(arena, bool, rank->events.count);
    for (size_t i = 1; i < rank->events.count; i++) {
        size_t at = map_number(&numbers, (MapKey){rank->kinds[i - 1], rank->kinds[i]}, times.count);
        if (at == times.count)
            *vec_push(&times) = (Times){0};
        *vec_push(&times.items[at]) = rank->events.items[i].compute_ns;
    }
    for (size_t i = 0; i < times.count; i++)
        qsort(times.items[i].items, times.items[i].count, sizeof(int64_t), by_value);
    for (size_t i = 1; i < rank->events.count; i++) {
        const Times *of = &times.items[*map_get(&numbers, (MapKey){rank->kinds[i - 1], rank->kinds[i]})];
        is_long[i] = (double)rank->events.items[i].compute_ns > LONG * (double)of->items[of->count / 2];
    }
    for (size_t i = 0; i < times.count; i++)
        vec_free(&times.items[i]);
    vec_free(&times);
    map_free(&numbers);
    return is_long;
}

/* tells_long: events after long computation are kinds of their own. */
static Loop fold(const RankRun *rank, size_t n_kinds, bool tells_long, Arena *arena)
{
    Loops loops = {0};
    uint32_t *ids = arena_new_array(arena, uint32_t, 2 * n_kinds);
    const bool *is_long = tells_long ? find_long(rank, arena) : NULL;
    for (size_t i = 0; i < 2 * n_kinds; i++)
        ids[i] = (uint32_t)i + 1;
    for (size_t i = 0; i < rank->events.count; i++)
        loops_append(&loops, 2 * rank->kinds[i] + (is_long && is_long[i]));
    Loop folded = loops_finish(&loops, ids, arena);
    loops_free(&loops);
    return folded;
}

static bool grow_loops(const Roles *roles, EventPlaces *places, Err *err)
{
    for (uint32_t first = 0; first + 1 < roles->n; first++) {
        Roles later = {.n = roles->n - first, .target = roles->target, .process = roles->process};
        const Loop *loops[RUNS_LIMIT];
        for (uint32_t i = 0; i < later.n; i++) {
            later.shapes[i] = roles->shapes[first + i];
            later.loops[i] = roles->loops[first + i];
            loops[i] = &later.loops[i];
        }
        if (have_one_form(loops, later.n))
            return expand(&later, loops, 0, places, err);
    }
    return err_set(err, ERR_INPUT, "its loops have another form than in the run before");
}

bool growth_find(const LoadedRun *runs, uint32_t n, const Kinds *kinds, uint32_t process, const Shape *target,
                 EventPlaces *places, Err *err)
{
    const LoadedRun *last = &runs[n - 1];
    const RankRun *rank = &last->ranks[process], *ranks[RUNS_LIMIT];
    Roles roles = {.target = target, .process = process};
    bool grows = false;
    if (kinds->layout->kind == LAYOUT_CUBE)
        return grow_cube(last, process, kinds, target->p, places, err);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t between, role = shape_stand_in(&last->shape, process, &runs[i].shape, &between);
        if (role == NO_PROCESS || between)
            continue;
        roles.shapes[roles.n] = &runs[i].shape;
        ranks[roles.n++] = &runs[i].ranks[role];
        grows = grows || runs[i].ranks[role].events.count != rank->events.count;
    }
    if (!grows)
        return push_all(rank, process, places, err);
    Arena *arena = arena_new();
    bool ok = false;
    for (int tells_long = 1; tells_long >= 0 && !ok; tells_long--) {
        for (uint32_t i = 0; i < roles.n; i++)
            roles.loops[i] = fold(ranks[i], kinds->items.count, tells_long, arena);
        places->count = 0;
        ok = grow_loops(&roles, places, err);
    }
    ok = ok || err_prefix(err, "process %u of %s", process, last->path);
    arena_free(arena);
    return ok;
}

/* ---- both ends of a side ---- */

/* A process between both ends has computed, at each event, as much as the end that has computed more since the last
 * event that both have. */
typedef struct Merging {
    const LoadedRun *run;
    const EventPlaces *sides[2];
    bool *has[2]; /* [kinds] */
    size_t at[2];
    double side_ns[2], computed_ns; /* since then: by each of them; put together */
    EventPlaces *merged;
} Merging;

static uint32_t kind_at(const Merging *merging, int side)
{
    const EventPlace *place = &merging->sides[side]->items[merging->at[side]];
    return merging->run->ranks[place->process].kinds[place->event];
}

static double compute_ns_at(const Merging *merging, int side)
{
    const EventPlace *place = &merging->sides[side]->items[merging->at[side]];
    return place->computation * (double)merging->run->ranks[place->process].events.items[place->event].compute_ns;
}

/* Takes this side's event. */
static void take(Merging *merging, int side)
{
    EventPlace place = merging->sides[side]->items[merging->at[side]];
    double own_ns = compute_ns_at(merging, side), before_ns = merging->computed_ns;
    merging->side_ns[side] += own_ns;
    merging->computed_ns = fmax(before_ns, merging->side_ns[side]);
    if (own_ns > 0)
        place.computation *= fmin(1, (merging->computed_ns - before_ns) / own_ns);
    *vec_push(merging->merged) = place;
    merging->at[side]++;
}

/* Takes an event that both have: as the one that computes longer before it. */
static void take_both(Merging *merging)
{
    int side = merging->side_ns[1] + compute_ns_at(merging, 1) > merging->side_ns[0] + compute_ns_at(merging, 0);
    take(merging, side);
    merging->at[!side]++;
    merging->side_ns[0] = merging->side_ns[1] = merging->computed_ns = 0;
}

static bool is_of_one(const Merging *merging, int side)
{
    return merging->at[side] < merging->sides[side]->count && !merging->has[!side][kind_at(merging, side)];
}

bool growth_merge(const LoadedRun *run, const EventPlaces *first, const EventPlaces *other, size_t n_kinds,
                  EventPlaces *merged, Err *err)
{
    Merging merging = {.run = run, .sides = {first, other}, .merged = merged};
    bool ok = true;
    for (int side = 0; side < 2; side++) {
        merging.has[side] = memory_zeroed(n_kinds + 1, sizeof(bool));
        for (; merging.at[side] < merging.sides[side]->count; merging.at[side]++)
            merging.has[side][kind_at(&merging, side)] = true;
        merging.at[side] = 0;
    }
    while (ok && (merging.at[0] < first->count || merging.at[1] < other->count)) {
        bool both = merging.at[0] < first->count && merging.at[1] < other->count &&
                    kind_at(&merging, 0) == kind_at(&merging, 1);
        ok = both || is_of_one(&merging, 0) || is_of_one(&merging, 1);
        if (both)
            take_both(&merging);
        else if (ok)
            take(&merging, is_of_one(&merging, 1));
    }
    free(merging.has[0]);
    free(merging.has[1]);
    return ok || err_set(err, ERR_INPUT, "%s: processes at both ends of a side don't do the same in the same order",
                         run->path);
}
