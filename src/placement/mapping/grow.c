/* SPDX-License-Identifier: BSD-3-Clause */
/* Greedy growing. The next task is the one of which the largest share of messages, by their cost, goes to placed tasks
 * and comes from them. It is put where this sum is least:
 *
 *    max( the processor's load, the load of the busiest link )   both with the task
 *    + the cost of messages between the processor's tasks and tasks elsewhere, at both ends
 *
 * Processes repeat their work. So what lasts longest in an iteration decides: a processor or a link. Where a message
 * isn't hidden by computation, its sender and its receiver wait. */
#include "placement/mapping/mappers.h"

#include "base/heap.h"
#include "base/vec.h"
#include "placement/mapping/neighbours.h"
#include "placement/mapping/room.h"
#include <math.h>

/* A task to be placed, as it was when it was added to the heap. */
typedef struct Candidate {
    double share; /* of its messages: those with placed tasks */
    double messages_s;
    uint32_t task;
} Candidate;

typedef struct Growing {
    const MappingProblem *problem;
    Neighbours neighbours;
    Room room;
    uint32_t *processors;
    double *messages_s, *placed_s; /* [n_tasks] cost of all messages; of those with placed tasks */
    double *elsewhere_s;           /* [n_processors] cost of messages between its tasks and tasks elsewhere */
    double *links_s, *more_s;      /* [n_links] of placed tasks' messages; of those of the task that is being placed */
    double busiest_s;              /* the largest of links_s */
    VEC(Candidate) candidates;     /* a heap; a task whose share has grown is added again */
} Growing;

typedef struct Place {
    uint32_t processor;
    double sum_s, load_s;
} Place;

/* Equal shares: the task with more messages first, then the first. */
static bool is_before(const void *left, const void *right)
{
    const Candidate *a = left, *b = right;
    if (a->share != b->share)
        return a->share > b->share;
    if (a->messages_s != b->messages_s)
        return a->messages_s > b->messages_s;
    return a->task < b->task;
}

static double share_of(const Growing *growing, uint32_t task)
{
    return growing->messages_s[task] > 0 ? growing->placed_s[task] / growing->messages_s[task] : 0;
}

static void add_candidate(Growing *growing, uint32_t task)
{
    const Candidate candidate = {share_of(growing, task), growing->messages_s[task], task};
    vec_push(&growing->candidates);
    heap_put(growing->candidates.items, growing->candidates.count - 1, sizeof candidate, &candidate, is_before);
}

/* The next task that isn't placed, by its current share. NOWHERE: all are placed. */
static uint32_t choose(Growing *growing)
{
    while (growing->candidates.count) {
        Candidate top;
        heap_take(growing->candidates.items, growing->candidates.count--, sizeof top, &top, is_before);
        if (growing->processors[top.task] == NOWHERE && top.share == share_of(growing, top.task))
            return top.task;
    }
    return NOWHERE;
}

/* The cost of messages between nodes. */
static double typical_s(const Growing *growing, const Neighbour *neighbour)
{
    const Platform *platform = growing->problem->platform;
    return neighbours_cost_s(platform, neighbour, 0, platform->n_processors - 1);
}

/* Adds the bytes to the links on their way, or takes them away. Returns the largest sum of a link. */
static double load_links(Growing *growing, uint32_t from, uint32_t to, double bytes)
{
    const Platform *platform = growing->problem->platform;
    const Route *route = platform_route(platform, from, to);
    double largest_s = 0;
    for (uint32_t i = 0; i < route->n_links; i++) {
        uint32_t link = route->links[i];
        growing->more_s[link] += bytes / platform->link_rates[link];
        largest_s = fmax(largest_s, growing->links_s[link] + growing->more_s[link]);
    }
    return largest_s;
}

/* The task's messages are on their links for good, or not at all. */
static void unload_links(Growing *growing, uint32_t from, uint32_t to, bool for_good)
{
    const Route *route = platform_route(growing->problem->platform, from, to);
    for (uint32_t i = 0; i < route->n_links; i++) {
        uint32_t link = route->links[i];
        growing->links_s[link] += for_good ? growing->more_s[link] : 0;
        growing->more_s[link] = 0;
    }
}

static bool is_elsewhere(const Growing *growing, const Neighbour *neighbour, uint32_t processor)
{
    uint32_t there = growing->processors[neighbour->task];
    return there != NOWHERE && there != processor;
}

/* What the sum is with the task on this processor. */
static Place try_on(Growing *growing, uint32_t task, uint32_t processor)
{
    const Neighbours *neighbours = &growing->neighbours;
    const Platform *platform = growing->problem->platform;
    double work_s = growing->problem->ttig->nodes[task].seconds / platform->processors[processor].speed;
    double links_s = growing->busiest_s, elsewhere_s = 0;
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++) {
        const Neighbour *neighbour = &neighbours->items[i];
        uint32_t there = growing->processors[neighbour->task];
        if (!is_elsewhere(growing, neighbour, processor))
            continue;
        double sent = neighbour->received_bytes, received = neighbour->bytes - sent;
        links_s = fmax(links_s, load_links(growing, processor, there, sent));
        links_s = fmax(links_s, load_links(growing, there, processor, received));
        elsewhere_s += neighbours_cost_s(platform, neighbour, there, processor);
    }
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++) {
        uint32_t there = growing->processors[neighbours->items[i].task];
        if (!is_elsewhere(growing, &neighbours->items[i], processor))
            continue;
        unload_links(growing, processor, there, false);
        unload_links(growing, there, processor, false);
    }
    double load_s = growing->room.load_s[processor] + work_s;
    return (Place){processor, fmax(load_s, links_s) + growing->elsewhere_s[processor] + 2 * elsewhere_s, load_s};
}

static void consider(Growing *growing, uint32_t task, uint32_t processor, Place *best)
{
    if (processor == NOWHERE || !room_is_on(&growing->room, processor))
        return;
    const Place place = try_on(growing, task, processor);
    if (best->processor == NOWHERE || place.sum_s < best->sum_s ||
        (place.sum_s == best->sum_s && place.load_s < best->load_s))
        *best = place;
}

static void note_placed(Growing *growing, uint32_t task)
{
    const Neighbours *neighbours = &growing->neighbours;
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++) {
        const Neighbour *neighbour = &neighbours->items[i];
        growing->placed_s[neighbour->task] += typical_s(growing, neighbour);
        if (growing->processors[neighbour->task] == NOWHERE)
            add_candidate(growing, neighbour->task);
    }
}

static void put(Growing *growing, uint32_t task, uint32_t processor)
{
    const Neighbours *neighbours = &growing->neighbours;
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++) {
        const Neighbour *neighbour = &neighbours->items[i];
        uint32_t there = growing->processors[neighbour->task];
        if (!is_elsewhere(growing, neighbour, processor))
            continue;
        double cost_s = neighbours_cost_s(growing->problem->platform, neighbour, there, processor);
        double sent_s = load_links(growing, processor, there, neighbour->received_bytes);
        double received_s = load_links(growing, there, processor, neighbour->bytes - neighbour->received_bytes);
        unload_links(growing, processor, there, true);
        unload_links(growing, there, processor, true);
        growing->busiest_s = fmax(growing->busiest_s, fmax(sent_s, received_s));
        growing->elsewhere_s[there] += cost_s;
        growing->elsewhere_s[processor] += cost_s;
    }
    growing->processors[task] = processor;
    room_take(&growing->room, processor, growing->problem->ttig->nodes[task].seconds);
    note_placed(growing, task);
}

/* Candidates are each cluster's best free processor, and the processors of placed neighbours. */
static void place(Growing *growing, uint32_t task)
{
    const Neighbours *neighbours = &growing->neighbours;
    Place best = {.processor = NOWHERE};
    for (uint32_t cluster = 0; cluster < growing->room.n_clusters; cluster++)
        consider(growing, task, room_in_cluster(&growing->room, cluster), &best);
    for (uint32_t i = neighbours->first[task]; i < neighbours->first[task + 1]; i++)
        consider(growing, task, growing->processors[neighbours->items[i].task], &best);
    put(growing, task, best.processor);
}

bool map_grow(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    uint32_t n = problem->ttig->n_nodes, task;
    const Platform *platform = problem->platform;
    Growing growing = {.problem = problem,
                       .neighbours = neighbours_new(problem->ttig, problem->tasks, arena),
                       .room = room_new(platform, problem->slots_per_processor, arena),
                       .processors = processors,
                       .messages_s = arena_new_array(arena, double, n),
                       .placed_s = arena_new_array(arena, double, n),
                       .elsewhere_s = arena_new_array(arena, double, platform->n_processors),
                       .links_s = arena_new_array(arena, double, platform->n_links),
                       .more_s = arena_new_array(arena, double, platform->n_links)};
    for (uint32_t i = 0; i < n; i++) {
        processors[i] = NOWHERE;
        for (uint32_t k = growing.neighbours.first[i]; k < growing.neighbours.first[i + 1]; k++)
            growing.messages_s[i] += typical_s(&growing, &growing.neighbours.items[k]);
        add_candidate(&growing, i);
    }
    while ((task = choose(&growing)) != NOWHERE)
        place(&growing, task);
    vec_free(&growing.candidates);
    arena_free(arena);
    return true;
}
