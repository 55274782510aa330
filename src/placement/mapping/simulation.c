/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a task graph on a mapping. mapping.h describes the model, docs/METHOD.md, section 14,
 * the reasons for it.
 *
 * Events are handled in the order of time. On the agenda are computations that end, and messages
 * that arrive while their receivers wait. When a message has no links to cross, its arrival is known
 * at once. Otherwise the network says when it has crossed them. */
#include "placement/mapping/mapping.h"

#include "placement/mapping/agenda.h"
#include "placement/mapping/network.h"
#include "placement/mapping/programs.h"
#include "placement/mapping/queue.h"
#include <assert.h>
#include <math.h>

#define NOBODY UINT32_MAX

/* Simulations in the search are shortened to about this many steps. */
#define BRIEF_STEPS 20000.0

/* A processor's tasks: the running one, and a queue of ready ones. */
typedef struct RunQueue {
    uint32_t running, first, last;
} RunQueue;

/* A task's puts and gets. */
typedef struct Accesses {
    uint32_t n_open;
    bool are_awaited; /* the task waits until none is open */
    double until_s;   /* when the others were complete */
} Accesses;

typedef struct Run {
    Programs programs;
    bool is_brief;                   /* numbers of sends and receives may differ, so a task that
                                        waits for no message is released */
    uint32_t *at, *next, *waits_for; /* [n_tasks] next operation; next task in its processor's
                                        queue; channel */
    Accesses *accesses;              /* [n_tasks] */
    uint64_t *remaining;             /* [n_operations] iterations that are left of a loop */
    Queue *queues;
    RunQueue *run_queues;
    const Route **routes; /* [n_channels] */
    Network *network;
    Agenda agenda;
    uint32_t n_ended;
} Run;

struct Simulation {
    const Platform *platform;
    double eager_bytes; /* longer messages wait for their receivers */
    Arena *arena;
    Run whole, brief;
    bool is_shortened; /* brief differs from whole */
};

/* One simulation of a mapping. */
typedef struct Course {
    Simulation *simulation;
    Run *run;
    const uint32_t *processors;
    double now_s;
    Outcome outcome;
    Schedule *schedule; /* NULL: not wanted */
} Course;

/* Ends the task's current activity at to_s. */
static void note(const Course *course, uint32_t task, Activity activity, double to_s)
{
    if (!course->schedule)
        return;
    schedule_note(course->schedule, task, activity, course->schedule->since_s[task], to_s);
    course->schedule->since_s[task] = to_s;
}

/* An empty message takes this long. */
static double latency_s(const Route *route)
{
    return route ? machine_path_segment(route->path, 0)->latency_s.value : 0;
}

/* A put or a get is complete when its message has arrived, and an empty message has gone the other
 * way: it asks for what a get fetches, or says that a put has arrived. */
static void end_access(Course *course, uint32_t channel, double arrival_s)
{
    Run *run = course->run;
    uint32_t task = run->programs.channels[channel].accessor;
    Accesses *accesses = &run->accesses[task];
    accesses->until_s = fmax(accesses->until_s, arrival_s + latency_s(run->queues[channel].route));
    if (--accesses->n_open || !accesses->are_awaited)
        return;
    accesses->are_awaited = false;
    note(course, task, ACTIVITY_TRANSFER, accesses->until_s);
    agenda_note(&run->agenda, accesses->until_s, task, false);
}

/* The message can be received from arrival_s on, but not before earlier ones of its channel. */
static void arrive(Course *course, uint32_t channel, double arrival_s)
{
    Run *run = course->run;
    Queue *queue = &run->queues[channel];
    arrival_s = fmax(arrival_s, queue->latest_s);
    queue->latest_s = arrival_s;
    if (run->programs.channels[channel].accessor != NO_ACCESSOR) {
        end_access(course, channel, arrival_s);
        return;
    }
    if (!queue->is_awaited) {
        ring_put(&queue->arrivals_s, arrival_s, course->simulation->arena);
        return;
    }
    uint32_t to = run->programs.channels[channel].to;
    queue->is_awaited = false;
    run->waits_for[to] = NOBODY;
    note(course, to, ACTIVITY_TRANSFER, arrival_s);
    agenda_note(&run->agenda, arrival_s, to, false);
}

/* The sender goes on at until_s, if it waited for its message to leave. */
static void release_sender(Course *course, uint32_t channel, double until_s)
{
    Queue *queue = &course->run->queues[channel];
    if (!queue->holds_sender || queue->waiting_bytes.count)
        return;
    queue->holds_sender = false;
    note(course, course->run->programs.channels[channel].from, ACTIVITY_TRANSFER, until_s);
    agenda_note(&course->run->agenda, until_s, course->run->programs.channels[channel].from, false);
}

/* The message crosses its links, or what is there instead. */
static void cross(Course *course, uint32_t channel, double bytes)
{
    Queue *queue = &course->run->queues[channel];
    if (!queue->route) {
        arrive(course, channel, course->now_s);
        return;
    }
    const CostSegment *cost = machine_path_segment(queue->route->path, bytes);
    double transfer_s = bytes * cost->s_per_byte.value;
    if (queue->route->n_links && transfer_s > 0) {
        queue->is_crossing = true;
        queue->latency_s = cost->latency_s.value;
        network_enter(course->run->network, channel, transfer_s, course->now_s);
        return;
    }
    queue->free_s = fmax(queue->free_s, course->now_s) + transfer_s;
    release_sender(course, channel, queue->free_s);
    arrive(course, channel, queue->free_s + cost->latency_s.value);
}

static bool is_long(const Course *course, const Queue *queue, double bytes)
{
    return queue->route && bytes > course->simulation->eager_bytes;
}

/* The message leaves its processor. A long one first waits for its receiver. */
static void depart(Course *course, uint32_t channel, double bytes)
{
    Queue *queue = &course->run->queues[channel];
    queue->n_departed++;
    if (is_long(course, queue, bytes) && !course->run->programs.channels[channel].is_posted &&
        queue->n_awaited < queue->n_departed) {
        queue->is_held = true;
        queue->held_bytes = bytes;
        return;
    }
    cross(course, channel, bytes);
}

static bool is_busy(const Queue *queue)
{
    return queue->is_crossing || queue->is_held;
}

static void depart_waiting(Course *course, uint32_t channel)
{
    Queue *queue = &course->run->queues[channel];
    while (queue->waiting_bytes.count && !is_busy(queue))
        depart(course, channel, ring_take(&queue->waiting_bytes));
}

static void let_go(Course *course, uint32_t channel)
{
    Queue *queue = &course->run->queues[channel];
    queue->is_held = false;
    cross(course, channel, queue->held_bytes);
    depart_waiting(course, channel);
}

/* The channel's message has crossed its links. The next ones depart. */
static void deliver(Course *course, uint32_t channel)
{
    Queue *queue = &course->run->queues[channel];
    queue->is_crossing = false;
    release_sender(course, channel, course->now_s);
    arrive(course, channel, course->now_s + queue->latency_s);
    depart_waiting(course, channel);
}

/* True: the task goes on at once. False: it waits until its message has left. */
static bool send_message(Course *course, uint32_t channel, double bytes, bool blocks)
{
    Queue *queue = &course->run->queues[channel];
    bool goes_on = !blocks || !is_long(course, queue, bytes);
    queue->holds_sender = !goes_on;
    if (queue->is_awaited && !is_busy(queue))
        note(course, course->run->programs.channels[channel].to, ACTIVITY_WAIT, course->now_s);
    if (queue->route)
        *(queue->is_remote ? &course->outcome.remote_bytes : &course->outcome.local_bytes) += bytes;
    if (is_busy(queue))
        ring_put(&queue->waiting_bytes, bytes, course->simulation->arena);
    else
        depart(course, channel, bytes);
    return goes_on;
}

/* True: the task goes on at once. False: it waits for the message, or is on the agenda for the
 * message's arrival. */
static bool receive(Course *course, uint32_t task, uint32_t channel)
{
    Run *run = course->run;
    Queue *queue = &run->queues[channel];
    queue->n_awaited++;
    if (!queue->arrivals_s.count) {
        queue->is_awaited = true;
        run->waits_for[task] = channel;
        if (queue->is_held)
            let_go(course, channel);
        return false;
    }
    double arrival_s = ring_take(&queue->arrivals_s);
    if (arrival_s > course->now_s) {
        note(course, task, ACTIVITY_TRANSFER, arrival_s);
        agenda_note(&run->agenda, arrival_s, task, false);
    }
    return arrival_s <= course->now_s;
}

/* True: the task goes on at once. False: it waits until its puts and gets are complete. */
static bool access_memory(Course *course, uint32_t task, const Operation *operation)
{
    Accesses *accesses = &course->run->accesses[task];
    accesses->n_open++;
    send_message(course, operation->target, operation->amount, false);
    if (!operation->blocks || (!accesses->n_open && accesses->until_s <= course->now_s))
        return true;
    accesses->are_awaited = accesses->n_open > 0;
    if (!accesses->n_open) {
        note(course, task, ACTIVITY_TRANSFER, accesses->until_s);
        agenda_note(&course->run->agenda, accesses->until_s, task, false);
    }
    return false;
}

/* Runs a task until it computes (true), waits or ends (false). */
static bool advance(Course *course, uint32_t task)
{
    Run *run = course->run;
    for (uint32_t at = run->at[task];; at++) {
        const Operation *operation = &run->programs.operations[at];
        run->at[task] = at + 1;
        switch (operation->kind) {
        case OPERATE_COMPUTE: {
            double seconds =
                operation->amount / course->simulation->platform->processors[course->processors[task]].speed;
            course->outcome.busy_s += seconds;
            note(course, task, ACTIVITY_COMPUTE, course->now_s + seconds);
            agenda_note(&run->agenda, course->now_s + seconds, task, true);
            return true;
        }
        case OPERATE_SEND:
            if (!send_message(course, operation->target, operation->amount, operation->blocks))
                return false;
            break;
        case OPERATE_RECV:
            if (!receive(course, task, operation->target))
                return false;
            break;
        case OPERATE_ACCESS:
            if (!access_memory(course, task, operation))
                return false;
            break;
        case OPERATE_LOOP:
            run->remaining[at] = operation->times;
            break;
        case OPERATE_AGAIN:
            if (--run->remaining[operation->target])
                at = operation->target;
            break;
        case OPERATE_END:
            run->n_ended++;
            course->outcome.completion_s = course->now_s;
            return false;
        }
    }
}

static void enqueue(Run *run, RunQueue *run_queue, uint32_t task)
{
    run->next[task] = NOBODY;
    if (run_queue->first == NOBODY)
        run_queue->first = task;
    else
        run->next[run_queue->last] = task;
    run_queue->last = task;
}

/* Runs the ready tasks one after another, until one computes. */
static void run_ready_tasks(Course *course, RunQueue *run_queue)
{
    Run *run = course->run;
    while (run_queue->running == NOBODY && run_queue->first != NOBODY) {
        uint32_t task = run_queue->first;
        run_queue->first = run->next[task];
        note(course, task, ACTIVITY_QUEUE, course->now_s);
        if (advance(course, task))
            run_queue->running = task;
    }
}

/* A task has computed, or what it waited for has arrived. */
static void go_on(Course *course, const Entry *entry)
{
    RunQueue *run_queue = &course->run->run_queues[course->processors[entry->task]];
    assert(entry->time_s >= course->now_s);
    course->now_s = entry->time_s;
    if (!entry->has_computed)
        enqueue(course->run, run_queue, entry->task);
    else if (!advance(course, entry->task))
        run_queue->running = NOBODY;
    run_ready_tasks(course, run_queue);
}

/* The next event. Messages share links anew only after all that tasks do at this moment. False:
 * nothing happens any more. */
static bool happen(Course *course)
{
    Run *run = course->run;
    double next_s = run->agenda.count ? run->agenda.entries[0].time_s : HUGE_VAL;
    double crossed_s = next_s > course->now_s ? network_next_s(run->network, course->now_s) : HUGE_VAL;
    if (crossed_s < HUGE_VAL && crossed_s <= next_s) {
        course->now_s = crossed_s;
        deliver(course, network_leave(run->network, crossed_s));
        return true;
    }
    if (!run->agenda.count)
        return false;
    Entry entry = agenda_take(&run->agenda);
    go_on(course, &entry);
    return true;
}

static void place_channels(Course *course)
{
    Run *run = course->run;
    const Platform *platform = course->simulation->platform;
    for (uint32_t i = 0; i < run->programs.n_channels; i++) {
        Queue *queue = &run->queues[i];
        uint32_t from = course->processors[run->programs.channels[i].from];
        uint32_t to = course->processors[run->programs.channels[i].to];
        queue_clear(queue);
        queue->route = run->routes[i] = platform_route(platform, from, to);
        queue->is_remote = platform->processors[from].node_index != platform->processors[to].node_index;
    }
    network_place(run->network, run->routes);
}

static void start(Course *course)
{
    Run *run = course->run;
    place_channels(course);
    run->n_ended = run->agenda.count = 0;
    for (uint32_t i = 0; i < course->simulation->platform->n_processors; i++)
        run->run_queues[i] = (RunQueue){NOBODY, NOBODY, NOBODY};
    for (uint32_t i = 0; i < run->programs.n_tasks; i++) {
        run->at[i] = run->programs.starts[i];
        run->waits_for[i] = NOBODY;
        run->accesses[i] = (Accesses){0};
        enqueue(run, &run->run_queues[course->processors[i]], i);
    }
    /* in the order of tasks, not of processors: so exchanging equal processors changes nothing */
    for (uint32_t i = 0; i < run->programs.n_tasks; i++)
        run_ready_tasks(course, &run->run_queues[course->processors[i]]);
}

/* When nothing happens any more: a program may rely on buffers of MPI, so that a long message leaves
 * without its receiver. Lets the first one go. In shortened loops, a receive may have lost its
 * message. Releases the first task that waits in vain. */
static bool release_one(Course *course)
{
    Run *run = course->run;
    for (uint32_t i = 0; i < run->programs.n_channels; i++) {
        if (run->queues[i].is_held) {
            let_go(course, i);
            return true;
        }
    }
    for (uint32_t i = 0; run->is_brief && i < run->programs.n_tasks; i++) {
        if (run->waits_for[i] != NOBODY) {
            run->queues[run->waits_for[i]].is_awaited = false;
            run->waits_for[i] = NOBODY;
            agenda_note(&run->agenda, course->now_s, i, false);
            return true;
        }
    }
    return false;
}

static uint32_t count_used(const Course *course)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < course->run->programs.n_tasks; i++) {
        RunQueue *run_queue = &course->run->run_queues[course->processors[i]];
        used += run_queue->last != NOBODY;
        run_queue->last = NOBODY;
    }
    return used;
}

static Outcome run_through(Simulation *simulation, Run *run, const uint32_t *processors, Schedule *schedule)
{
    Course course = {.simulation = simulation, .run = run, .processors = processors, .schedule = schedule};
    start(&course);
    do
        while (happen(&course))
            ;
    while (release_one(&course));
    double available_s = course.outcome.completion_s * count_used(&course);
    course.outcome.overlap = available_s > 0 ? course.outcome.busy_s / available_s : 0;
    return course.outcome;
}

Outcome simulate(Simulation *simulation, const uint32_t *processors)
{
    return run_through(simulation, &simulation->whole, processors, NULL);
}

Outcome simulate_watched(Simulation *simulation, const uint32_t *processors, Schedule *schedule)
{
    return run_through(simulation, &simulation->whole, processors, schedule);
}

Outcome simulate_briefly(Simulation *simulation, const uint32_t *processors)
{
    return run_through(simulation, simulation->is_shortened ? &simulation->brief : &simulation->whole, processors,
                       NULL);
}

void simulation_move(Simulation *simulation, const Platform *platform, double eager_bytes)
{
    simulation->platform = platform;
    simulation->eager_bytes = eager_bytes;
    network_move(simulation->whole.network, platform);
    if (simulation->is_shortened)
        network_move(simulation->brief.network, platform);
}

double simulation_steps(const Simulation *simulation)
{
    return simulation->whole.programs.n_steps;
}

double simulation_brief_steps(const Simulation *simulation)
{
    return simulation->is_shortened ? simulation->brief.programs.n_steps : simulation->whole.programs.n_steps;
}

static Run run_new(const TaskGraph *graph, double shortening, const Platform *platform, Arena *arena)
{
    Run run = {.programs = programs_make(graph, shortening, arena), .is_brief = shortening > 1};
    run.at = arena_new_array(arena, uint32_t, graph->n_tasks);
    run.next = arena_new_array(arena, uint32_t, graph->n_tasks);
    run.waits_for = arena_new_array(arena, uint32_t, graph->n_tasks);
    run.accesses = arena_new_array(arena, Accesses, graph->n_tasks);
    run.remaining = arena_new_array(arena, uint64_t, run.programs.n_operations);
    run.queues = arena_new_array(arena, Queue, run.programs.n_channels);
    run.run_queues = arena_new_array(arena, RunQueue, platform->n_processors);
    run.routes = arena_new_array(arena, const Route *, run.programs.n_channels);
    run.network = network_new(platform, run.programs.n_channels, arena);
    run.agenda.entries = arena_new_array(arena, Entry, graph->n_tasks);
    return run;
}

/* Returns a power of two that brings the number of steps down to BRIEF_STEPS, or as low as
 * possible: loops of few iterations aren't shortened. */
static double find_shortening(const TaskGraph *graph)
{
    double shortening = 1, steps = programs_count_steps(graph, 1);
    while (steps > BRIEF_STEPS) {
        double fewer = programs_count_steps(graph, 2 * shortening);
        if (fewer >= steps)
            break;
        shortening *= 2;
        steps = fewer;
    }
    return shortening;
}

/* Names the tasks that wait for each other, or a task that waits for a message that is never
 * sent. */
static bool name_waiting(const TaskGraph *graph, const Run *run, Arena *arena, Err *err)
{
    enum { NAMED = 12 };
    uint32_t *visited = arena_new_array(arena, uint32_t, graph->n_tasks), task = 0, before = 0;
    const char *names[NAMED];
    size_t n = 0;
    while (run->waits_for[task] == NOBODY)
        task++;
    for (uint32_t step = 1; run->waits_for[task] != NOBODY && !visited[task]; step++) {
        visited[task] = step;
        before = task;
        task = run->programs.channels[run->waits_for[task]].from;
    }
    if (run->waits_for[task] == NOBODY)
        return err_set(err, ERR_INPUT, "task %s waits for a message that task %s doesn't send",
                       graph->tasks[before].name, graph->tasks[task].name);
    uint32_t first = task;
    do {
        names[n++] = graph->tasks[task].name;
        task = run->programs.channels[run->waits_for[task]].from;
    } while (task != first && n < NAMED);
    err_set(err, ERR_INPUT, "deadlock: these tasks wait for each other in a circle: %s%s", arena_join(arena, names, n),
            task != first ? " …" : "");
    return err_hint(err,
                    "each of these tasks receives from the next one before it sends what the previous one waits for");
}

bool simulation_new(const TaskGraph *graph, const Platform *platform, Arena *arena, Simulation **simulation, Err *err)
{
    double steps = programs_count_steps(graph, 1);
    if (steps > SIMULATION_STEPS_LIMIT)
        return err_set(err, ERR_INPUT,
                       "the tasks have %.3g steps, with loops run through; the limit for simulation is %.3g", steps,
                       SIMULATION_STEPS_LIMIT);
    Simulation *made = arena_new_array(arena, Simulation, 1);
    made->platform = platform;
    made->eager_bytes = PLATFORM_EAGER_BYTES;
    made->arena = arena;
    made->whole = run_new(graph, 1, platform, arena);
    /* Whether tasks wait in a circle doesn't depend on the mapping: sends don't block, and receives
     * name their source. */
    simulate(made, arena_new_array(arena, uint32_t, graph->n_tasks));
    if (made->whole.n_ended < graph->n_tasks)
        return name_waiting(graph, &made->whole, arena, err);
    double shortening = find_shortening(graph);
    made->is_shortened = shortening > 1;
    if (made->is_shortened)
        made->brief = run_new(graph, shortening, platform, arena);
    *simulation = made;
    return true;
}
