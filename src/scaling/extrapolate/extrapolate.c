/* SPDX-License-Identifier: BSD-3-Clause */
/* See extrapolate.h. Each process of the target does what a process of the largest run does that stands in the same
 * place of the layout; partners are in the same directions, and volumes and computation follow their laws. */
#include "scaling/extrapolate/extrapolate.h"

#include "scaling/extrapolate/growth.h"
#include "scaling/extrapolate/values.h"
#include <inttypes.h>
#include <math.h>

enum { LAYOUTS_LIMIT = 32 };

typedef struct Target {
    const LoadedRun *runs;
    uint32_t n_runs;
    Kinds *kinds;
    Values values;
    Shape shape;
    Map place_numbers; /* by a process of the largest run, and the sides between whose ends it stands */
    VEC(EventPlaces) places;
    Map comm_numbers;
    VEC(Comm) comms;
    Arena *arena;
} Target;

static const LoadedRun *largest(const Target *target)
{
    return &target->runs[target->n_runs - 1];
}

static bool refuse_two(const Target *target, Err *err)
{
    return err_set(err, ERR_INPUT,
                   "%s has two processes along a side of %s, which may be closed or open: take a larger run",
                   largest(target)->path, target->kinds->layout->name);
}

/* ---- communicators ---- */

static uint32_t find_comm(Target *target, uint32_t process, uint32_t sides)
{
    if (sides == shape_all_sides(&target->shape))
        return 0;
    uint32_t n = shape_n_members(&target->shape, sides), first = shape_member(&target->shape, process, sides, 0);
    size_t number = map_number(&target->comm_numbers, (MapKey){(uint64_t)sides << 32 | first, 5}, target->comms.count);
    if (number < target->comms.count)
        return (uint32_t)number;
    uint32_t *members = arena_new_array(target->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        members[i] = shape_member(&target->shape, process, sides, i);
    *vec_push(&target->comms) = (Comm){.name = "", .n_members = n, .members = members, .group = (uint32_t)number};
    return (uint32_t)number;
}

static void add_world(Target *target)
{
    uint32_t *members = arena_new_array(target->arena, uint32_t, target->shape.p);
    for (uint32_t i = 0; i < target->shape.p; i++)
        members[i] = i;
    *vec_push(&target->comms) = (Comm){.name = "MPI_COMM_WORLD", .n_members = target->shape.p, .members = members};
}

/* ---- roots ---- */

/* How the roots of one kind of collective change: always the same place among the members, or one after the other. */
typedef struct Roots {
    bool is_cyclic;
    uint64_t n; /* so far */
} Roots;

static uint32_t root_place(const LoadedRun *run, const Event *event, uint32_t *n_members)
{
    const Comm *comm = &run->trace->comms[event->comm];
    *n_members = comm->n_members;
    return comm_place(comm, event->peer);
}

static Roots *find_roots(const LoadedRun *run, uint32_t process, size_t n_kinds)
{
    Roots *roots = memory_zeroed(n_kinds + 1, sizeof *roots);
    const RankRun *rank = &run->ranks[process];
    for (size_t i = 0; i < n_kinds; i++)
        roots[i].is_cyclic = true;
    for (size_t i = 0; i < rank->events.count; i++) {
        const Event *event = &rank->events.items[i];
        Roots *of = &roots[rank->kinds[i]];
        uint32_t n_members;
        if (event->kind == EVENT_COLLECTIVE && event->peer != NO_ROOT)
            of->is_cyclic = root_place(run, event, &n_members) == of->n % n_members && of->is_cyclic;
        else if (event->kind == EVENT_SEND || event->kind == EVENT_RECV)
            of->is_cyclic = event->peer == 1 + of->n % (run->p - 1) && of->is_cyclic;
        of->n++;
    }
    for (size_t i = 0; i < n_kinds; i++)
        roots[i].n = 0;
    return roots;
}

static uint32_t find_root(const Target *target, const Event *event, const Comm *comm, const Roots *roots)
{
    uint32_t n_members, place = root_place(largest(target), event, &n_members);
    if (roots->is_cyclic && n_members > 1 && roots->n >= 1)
        place = (uint32_t)(roots->n % comm->n_members);
    else if (place && place + 1 == n_members)
        place = comm->n_members - 1;
    return comm->members[place < comm->n_members ? place : comm->n_members - 1];
}

/* ---- the events of one process ---- */

typedef struct Writer {
    Target *target;
    uint32_t process, stand_in;
    Roots *roots;
    Map requests; /* by the event that started it and its process */
    uint64_t n_requests;
    int64_t now_ns;
    EventPlace before;
    Event *events;
    uint64_t n;
} Writer;

static bool find_partner(Writer *writer, const EventKindKey *kind, const EventPlace *place, Roots *roots, Event *event,
                         Err *err)
{
    const Target *target = writer->target;
    if (event->kind != EVENT_SEND && event->kind != EVENT_RECV)
        return true;
    if (kind->direction == DIRECTION_WORKER && target->kinds->layout->kind == LAYOUT_STAR && target->shape.p > 1) {
        event->peer = 1 + (uint32_t)(roots->n % (target->shape.p - 1));
        return roots->is_cyclic ||
               err_set(err, ERR_INPUT, "process 0 doesn't exchange messages with the others in their order");
    }
    Direction direction = kind->direction << place->doublings;
    event->peer = shape_partner(&target->shape, writer->process, direction);
    if (event->peer == writer->process && shape_confuses(&largest(target)->shape, direction))
        return refuse_two(target, err);
    return event->peer != NO_PROCESS || err_set(err, ERR_INPUT, "process %u would have a partner beyond the end of %s",
                                                writer->process, target->kinds->layout->name);
}

static void renumber_request(Writer *writer, const EventPlace *place, const Event *from, Event *event)
{
    bool completes = event->kind == EVENT_RECV || event->kind == EVENT_REQUEST_DONE || event->kind == EVENT_RECV_CANCEL;
    if (from->request == NO_REQUEST)
        return;
    if (!completes) {
        *map_put(&writer->requests, (MapKey){place->event, place->process}, NULL) = event->request =
            ++writer->n_requests;
        return;
    }
    const uint64_t *request = map_get(&writer->requests, (MapKey){from->request, place->process});
    event->request = request ? *request : NO_REQUEST;
}

/* Whether an event is of the call of the event before, in the stand-in as in the target: iterations of other events may
 * have come between. */
static bool continues_call(const Writer *writer, const RankRun *rank, const EventPlace *place)
{
    if (!writer->n || !place->event || place->process != writer->before.process)
        return false;
    return event_is_of_call(&rank->events.items[place->event], &rank->events.items[place->event - 1]) &&
           rank->kinds[writer->before.event] == rank->kinds[place->event - 1];
}

/* Times only tell calls apart, and how long phases take about. */
static void set_times(Writer *writer, const RankRun *rank, const EventPlace *place, const Event *from, Event *event)
{
    if (continues_call(writer, rank, place)) {
        event->enter_ns = writer->events[writer->n - 1].enter_ns;
        event->leave_ns = writer->events[writer->n - 1].leave_ns;
        event->compute_ns = 0;
        return;
    }
    if (place->event) {
        double factor = place->computation * values_computation(&writer->target->values, rank->kinds[place->event - 1],
                                                                rank->kinds[place->event]);
        event->compute_ns = (int64_t)llround((double)from->compute_ns * factor);
    }
    event->enter_ns = writer->now_ns + event->compute_ns;
    event->leave_ns = event->enter_ns + (from->leave_ns > from->enter_ns ? from->leave_ns - from->enter_ns : 0);
    writer->now_ns = event->leave_ns;
}

static bool write_event(Writer *writer, const EventPlace *place, Err *err)
{
    Target *target = writer->target;
    const RankRun *rank = &largest(target)->ranks[place->process];
    const Event *from = &rank->events.items[place->event];
    uint32_t number = rank->kinds[place->event];
    const EventKindKey *kind = &target->kinds->items.items[number];
    Roots *roots = &writer->roots[number];
    Event event = *from;
    event.sequence = 0;
    event_set_lost_ns(&event, 0);
    set_times(writer, rank, place, from, &event);
    event.tag = kind->tag;
    event.comm = event.kind == EVENT_COLLECTIVE ? find_comm(target, writer->process, kind->sides) : 0;
    if (event.kind == EVENT_COLLECTIVE && from->peer != NO_ROOT)
        event.peer = find_root(target, from, &target->comms.items[event.comm], roots);
    renumber_request(writer, place, from, &event);
    double growth = place->doublings ? pow(target->values.growth[number], place->doublings) : 1;
    event.bytes = (uint64_t)llround((double)from->bytes * target->values.sent[number] * growth);
    event.bytes_received = (uint64_t)llround((double)from->bytes_received * target->values.received[number]);
    if (!find_partner(writer, kind, place, roots, &event, err))
        return false;
    roots->n++;
    writer->before = *place;
    writer->events[writer->n++] = event;
    return true;
}

/* The messages that a process sends in one direction along a side; 0: none, or different numbers in both. */
static uint64_t count_along(const Target *target, uint32_t process, uint32_t side)
{
    const LoadedRun *run = largest(target);
    const RankRun *rank = &run->ranks[process];
    uint64_t counts[2] = {0};
    Direction first = 0;
    for (size_t i = 0; i < rank->events.count; i++) {
        Direction direction = target->kinds->items.items[rank->kinds[i]].direction;
        if (rank->events.items[i].kind != EVENT_SEND || shape_side(&run->shape, direction) != side)
            continue;
        first = first ? first : direction;
        counts[direction != first]++;
    }
    return counts[1] && counts[1] != counts[0] ? 0 : counts[0];
}

/* If a closed side has two processes, both directions lead to the same one. Then a process sends twice as much there as
 * along longer sides. */
static bool check_is_open(const Target *target, uint32_t process, uint32_t side, Err *err)
{
    const Shape *shape = &largest(target)->shape;
    uint64_t along = count_along(target, process, side);
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++) {
        uint64_t other = shape->sides[i] > 2 ? count_along(target, process, i) : 0;
        if (other && along == 2 * other)
            return refuse_two(target, err);
    }
    return true;
}

static bool find_places(Target *target, uint32_t stand_in, uint32_t between, EventPlaces *places, Err *err)
{
    const LoadedRun *run = largest(target);
    EventPlaces ends[2] = {{0}};
    uint32_t side = 0;
    if (!between)
        return growth_find(target->runs, target->n_runs, target->kinds, stand_in, &target->shape, places, err);
    while (!(between >> side & 1))
        side++;
    uint32_t others = between & ~(1u << side), opposite = shape_other_end(&run->shape, stand_in, side);
    bool ok = check_is_open(target, stand_in, side, err) && find_places(target, stand_in, others, &ends[0], err) &&
              find_places(target, opposite, others, &ends[1], err) &&
              growth_merge(run, &ends[0], &ends[1], target->kinds->items.count, places, err);
    vec_free(&ends[0]);
    vec_free(&ends[1]);
    return ok;
}

/* The same for each process of the target that stands in the same place. */
static bool find_known_places(Target *target, uint32_t process, uint32_t *stand_in, size_t *number, Err *err)
{
    const LoadedRun *run = largest(target);
    uint32_t between;
    *stand_in = shape_stand_in(&target->shape, process, &run->shape, &between);
    if (*stand_in == NO_PROCESS)
        return err_set(err, ERR_INPUT, "no process of %s stands in %s as process %u of %u would", run->path,
                       target->kinds->layout->name, process, target->shape.p);
    *number = map_number(&target->place_numbers, (MapKey){*stand_in, between}, target->places.count);
    if (*number < target->places.count)
        return true;
    EventPlaces places = {0};
    bool ok = find_places(target, *stand_in, between, &places, err);
    *vec_push(&target->places) = places;
    return ok;
}

static bool write_process(Target *target, uint32_t process, const Event **events, uint64_t *count, Err *err)
{
    Writer writer = {.target = target, .process = process};
    size_t number = 0;
    if (!find_known_places(target, process, &writer.stand_in, &number, err))
        return false;
    const EventPlaces *places = &target->places.items[number];
    bool ok = true;
    writer.roots = find_roots(largest(target), writer.stand_in, target->kinds->items.count);
    writer.events = arena_new_array(target->arena, Event, places->count);
    for (size_t i = 0; ok && i < places->count; i++)
        ok = write_event(&writer, &places->items[i], err);
    *events = writer.events;
    *count = writer.n;
    free(writer.roots);
    map_free(&writer.requests);
    return ok;
}

/* ---- whether all fits together ---- */

/* Messages sent minus messages received, of each pair of processes and tag. */
static void count_messages(const Extrapolated *extrapolated, Map *open)
{
    for (uint32_t i = 0; i < extrapolated->trace.application.n_processes; i++)
        for (uint64_t k = 0; k < extrapolated->counts[i]; k++) {
            const Event *event = &extrapolated->events[i][k];
            uint64_t pair =
                event->kind == EVENT_SEND ? (uint64_t)i << 32 | event->peer : (uint64_t)event->peer << 32 | i;
            if (event->kind == EVENT_SEND)
                ++*map_put(open, (MapKey){pair, event->tag}, NULL);
            else if (event->kind == EVENT_RECV)
                --*map_put(open, (MapKey){pair, event->tag}, NULL);
        }
}

static bool check_messages(const Extrapolated *extrapolated, Err *err)
{
    Map open = {0};
    bool ok = true;
    count_messages(extrapolated, &open);
    for (uint32_t i = 0; i < extrapolated->trace.application.n_processes && ok; i++)
        for (uint64_t k = 0; k < extrapolated->counts[i] && ok; k++) {
            const Event *event = &extrapolated->events[i][k];
            if (event->kind != EVENT_SEND && event->kind != EVENT_RECV)
                continue;
            uint32_t from = event->kind == EVENT_SEND ? i : event->peer,
                     to = event->kind == EVENT_SEND ? event->peer : i;
            int64_t left = (int64_t)*map_get(&open, (MapKey){(uint64_t)from << 32 | to, event->tag});
            ok = left == 0 || err_set(err, ERR_INPUT,
                                      "process %u would send %" PRId64 " messages %s to process %u than that receives",
                                      from, left < 0 ? -left : left, left < 0 ? "fewer" : "more", to);
        }
    map_free(&open);
    return ok;
}

static bool check_collectives(const Extrapolated *extrapolated, Err *err)
{
    const Trace *trace = &extrapolated->trace;
    Map counts = {0};
    bool ok = true;
    for (uint32_t i = 0; i < trace->application.n_processes; i++)
        for (uint64_t k = 0; k < extrapolated->counts[i]; k++)
            if (extrapolated->events[i][k].kind == EVENT_COLLECTIVE)
                ++*map_put(&counts, (MapKey){(uint64_t)extrapolated->events[i][k].comm << 32 | i, 7}, NULL);
    for (uint32_t comm = 0; comm < trace->n_comms; comm++)
        for (uint32_t i = 0; i < trace->comms[comm].n_members && ok; i++) {
            const uint32_t *members = trace->comms[comm].members;
            const uint64_t *first = map_get(&counts, (MapKey){(uint64_t)comm << 32 | members[0], 7}),
                           *own = map_get(&counts, (MapKey){(uint64_t)comm << 32 | members[i], 7});
            ok = (first ? *first : 0) == (own ? *own : 0) ||
                 err_set(err, ERR_INPUT, "processes %u and %u would call different numbers of collectives", members[0],
                         members[i]);
        }
    map_free(&counts);
    return ok;
}

/* ---- the source ---- */

static bool read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    Extrapolated *self = (Extrapolated *)source;
    (void)err;
    *count = 0;
    for (; self->read[process] < self->counts[process] && *count < capacity; self->read[process]++) {
        const Event *event = &self->events[process][self->read[process]];
        if (self->tells_completions || event->kind != EVENT_REQUEST_DONE)
            events[(*count)++] = *event;
    }
    return true;
}

void extrapolated_rewind(Extrapolated *extrapolated, bool tells_completions)
{
    memset(extrapolated->read, 0, extrapolated->trace.application.n_processes * sizeof *extrapolated->read);
    extrapolated->tells_completions = tells_completions;
}

static void finish(Target *target, Extrapolated *extrapolated)
{
    Trace trace = {.application = largest(target)->trace->application};
    trace.application.n_processes = target->shape.p;
    trace.n_comms = (uint32_t)target->comms.count;
    trace.comms = vec_copy(&target->comms, target->arena);
    trace.host = "";
    trace.ranks_per_processor = largest(target)->trace->ranks_per_processor;
    trace.slowdown = largest(target)->trace->slowdown;
    extrapolated->trace = trace;
    extrapolated->layout = target->kinds->layout->name;
    extrapolated->width = target->values.width;
    extrapolated->n_kept_volumes = target->values.n_kept;
    extrapolated->read = arena_new_array(target->arena, uint64_t, target->shape.p);
}

static bool build(LoadedRun *runs, uint32_t n_runs, Kinds *kinds, uint32_t p, const Progress *progress, Arena *arena,
                  Extrapolated *extrapolated, Err *err)
{
    Target target = {
        .runs = runs, .n_runs = n_runs, .kinds = kinds, .shape = shape_of(kinds->layout, p), .arena = arena};
    const Event **events = arena_new_array(arena, const Event *, p);
    uint64_t *counts = arena_new_array(arena, uint64_t, p);
    bool ok = true;
    values_find(runs, n_runs, kinds, p, &target.values);
    add_world(&target);
    *extrapolated = (Extrapolated){.events = events, .counts = counts};
    for (uint32_t i = 0; i < p && ok; i++) {
        progress_report(progress, "extrapolating", i, p);
        ok = write_process(&target, i, &events[i], &counts[i], err);
        extrapolated->n_events += counts[i];
    }
    finish(&target, extrapolated);
    ok = ok && check_messages(extrapolated, err) && check_collectives(extrapolated, err);
    for (size_t i = 0; i < target.places.count; i++)
        vec_free(&target.places.items[i]);
    vec_free(&target.places);
    map_free(&target.place_numbers);
    values_free(&target.values);
    map_free(&target.comm_numbers);
    vec_free(&target.comms);
    return ok;
}

/* ---- the layout ---- */

typedef struct Trial {
    const Layout *layout;
    size_t n_kinds;
} Trial;

static int by_kinds(const void *left, const void *right)
{
    const Trial *a = left, *b = right;
    if (a->n_kinds != b->n_kinds)
        return a->n_kinds < b->n_kinds ? -1 : 1;
    return a->layout < b->layout ? -1 : a->layout > b->layout;
}

/* Whether the run's messages go around each closed side. Both ends of a side of two are neighbours anyway. */
static bool goes_around(const LoadedRun *run)
{
    uint32_t around = 0, closed = 0;
    for (uint32_t i = 0; i < LAYOUT_SIDES; i++)
        closed |= (uint32_t)(run->shape.layout->closed[i] && run->shape.sides[i] > 2) << i;
    for (uint32_t process = 0; process < run->p; process++)
        for (size_t i = 0; i < run->ranks[process].events.count; i++) {
            const Event *event = &run->ranks[process].events.items[i];
            around |= event->kind == EVENT_SEND ? shape_around(&run->shape, process, event->peer) : 0;
        }
    return (closed & ~around) == 0;
}

/* The layouts in which both largest runs have the same kinds of events, from the one with the fewest kinds on. */
static uint32_t order_layouts(LoadedRun *runs, uint32_t n_runs, bool has_tags, Trial trials[LAYOUTS_LIMIT])
{
    uint32_t n = 0;
    for (const Layout *layout = layouts; layout->name; layout++) {
        Kinds kinds;
        if (kinds_find(runs, n_runs, layout, has_tags, &kinds) && !kinds.n_alone && goes_around(&runs[n_runs - 1]))
            trials[n++] = (Trial){layout, kinds.items.count};
        kinds_free(&kinds);
    }
    qsort(trials, n, sizeof *trials, by_kinds);
    return n;
}

static bool try_layouts(LoadedRun *runs, uint32_t n_runs, uint32_t p, const Progress *progress, Arena *arena,
                        Extrapolated *extrapolated, Err *err)
{
    Trial trials[LAYOUTS_LIMIT];
    bool has_tags = runs_share_tags(runs, n_runs), ok = false;
    uint32_t n = order_layouts(runs, n_runs, has_tags, trials);
    Err first = {0};
    for (uint32_t i = 0; i < n && !ok; i++) {
        Kinds kinds;
        kinds_find(runs, n_runs, trials[i].layout, has_tags, &kinds);
        ok = build(runs, n_runs, &kinds, p, progress, arena, extrapolated, i ? err : &first);
        kinds_free(&kinds);
    }
    if (!ok && n)
        *err = first;
    return ok || (n ? false
                    : err_set(err, ERR_INPUT, "no layout of the processes explains their partners and communicators"));
}

bool extrapolate(const ExtrapolationRun *runs, uint32_t n_runs, uint32_t p, const Progress *progress, Arena *arena,
                 Extrapolated *extrapolated, Err *err)
{
    LoadedRun *loaded = arena_new_array(arena, LoadedRun, n_runs);
    bool ok = runs_read(runs, n_runs, progress, loaded, err) &&
              try_layouts(loaded, n_runs, p, progress, arena, extrapolated, err);
    runs_free(loaded, n_runs);
    if (ok) {
        extrapolated->source = (EventSource){&extrapolated->trace, read_events};
        extrapolated_rewind(extrapolated, false);
    }
    return ok;
}
