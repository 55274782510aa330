/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a task graph on a mapping. mapping.h describes the model, docs/METHOD.md, section 14,
 * the reasons for it.
 *
 * Events are handled in the order of time. On the agenda are computations that end, and messages
 * that arrive while their receivers wait. When a message has no links to cross, its arrival is known
 * at once. Otherwise the network says when it has crossed them. */
#include "placement/mapping/mapping.h"

#include "model/shortening.h"
#include "placement/mapping/agenda.h"
#include "placement/mapping/network.h"
#include "placement/mapping/programs.h"
#include "placement/mapping/queue.h"
#include <assert.h>
#include <math.h>

#define NOBODY UINT32_MAX

/* Simulations in the search are shortened to about this many steps, and those from which times are extrapolated to
 * this share of the limit. */
#define BRIEF_STEPS 20000.0
#define EXCERPT_SHARE 0.1

/* A shortened loop still runs often enough for pipelines to fill. */
enum { LEAST_ITERATIONS = 8 };

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
    uint32_t *at, *next, *waits_for; /* [n_tasks] next operation; next task in its processor's
                                        queue; channel */
    Accesses *accesses;              /* [n_tasks] */
    uint64_t *remaining;             /* [n_operations] iterations that are left of a loop */
    uint64_t *receives_remaining;    /* [n_receive_operations] the same */
    double *ends_s;                  /* [n_tasks] */
    double *loops_s;                 /* [number of outermost loops] how long each takes */
    Queue *queues;
    RunQueue *run_queues;
    const Route **routes; /* [n_channels] in the simulated mapping; NULL: within a processor */
    Network *network;
    Agenda agenda;
    uint32_t n_ended;
} Run;

struct Simulation {
    const Platform *platform;
    World world;
    Arena *arena;
    Programs whole;
    Run run; /* of the whole graph, or the longer of two shortened ones */
    Run shorter, brief;
    /* What `run` lacks of the whole graph, over what `shorter` lacks of `run`: of most loops, and of each outermost
     * loop. NULL: `run` is whole. */
    double factor, *factors;
    bool is_shortened; /* brief differs from run */
};

/* One simulation of a mapping. */
typedef struct Course {
    const Simulation *simulation;
    Run *run;
    const uint32_t *processors;
    double now_s;
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

static double latency_s(const Course *course, const CostSegment *cost)
{
    return cost->latency_s.value * course->simulation->world.latency;
}

/* An empty message takes this long. */
static double empty_s(const Course *course, const Route *route)
{
    return route ? latency_s(course, machine_path_segment(route->path, 0)) : 0;
}

/* A put or a get is complete when its message has arrived, and an empty message has gone the other
 * way: it asks for what a get fetches, or says that a put has arrived. */
static void end_access(Course *course, uint32_t channel, double arrival_s)
{
    Run *run = course->run;
    uint32_t task = run->programs.channels[channel].accessor;
    Accesses *accesses = &run->accesses[task];
    accesses->until_s = fmax(accesses->until_s, arrival_s + empty_s(course, run->routes[channel]));
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
    const Route *route = course->run->routes[channel];
    if (!route) {
        arrive(course, channel, course->now_s);
        return;
    }
    const CostSegment *cost = machine_path_segment(route->path, bytes);
    double transfer_s = bytes * cost->s_per_byte.value * course->simulation->world.s_per_byte;
    if (route->n_links && transfer_s > 0) {
        queue->is_crossing = true;
        queue->latency_s = latency_s(course, cost);
        network_enter(course->run->network, channel, transfer_s, course->now_s);
        return;
    }
    queue->free_s = fmax(queue->free_s, course->now_s) + transfer_s;
    release_sender(course, channel, queue->free_s);
    arrive(course, channel, queue->free_s + latency_s(course, cost));
}

static bool is_long(const Course *course, uint32_t channel, double bytes)
{
    return course->run->routes[channel] && bytes > course->simulation->world.eager_bytes;
}

/* Whether the receive of the channel's next message is posted before. Called once for each message. */
static bool takes_posted(Run *run, uint32_t channel)
{
    const Channel *found = &run->programs.channels[channel];
    size_t *at = &run->queues[channel].receive_at;
    if (!found->has_posted || !found->has_blocking)
        return found->has_posted;
    for (;; ++*at) {
        const Operation *operation = &run->programs.receive_operations[*at];
        if (operation->kind == OPERATE_END)
            return false;
        if (operation->kind == OPERATE_RECV) {
            ++*at;
            return !operation->blocks;
        }
        if (operation->kind == OPERATE_LOOP)
            run->receives_remaining[*at] = operation->times;
        else if (--run->receives_remaining[operation->target])
            *at = operation->target;
    }
}

/* The message leaves its processor. A long one first waits for its receiver. */
static void depart(Course *course, uint32_t channel, double bytes)
{
    Queue *queue = &course->run->queues[channel];
    bool is_posted = takes_posted(course->run, channel);
    queue->n_departed++;
    if (is_long(course, channel, bytes) && !is_posted && queue->n_awaited < queue->n_departed) {
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
    bool goes_on = !blocks || !is_long(course, channel, bytes);
    queue->holds_sender = !goes_on;
    if (queue->is_awaited && !is_busy(queue))
        note(course, course->run->programs.channels[channel].to, ACTIVITY_WAIT, course->now_s);
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
            const World *world = &course->simulation->world;
            double seconds = operation->amount * (world->paces ? world->paces[task] : 1) /
                             course->simulation->platform->processors[course->processors[task]].speed;
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
            if (operation->is_outermost)
                run->loops_s[operation->target] = -course->now_s;
            break;
        case OPERATE_AGAIN:
            if (--run->remaining[operation->target])
                at = operation->target;
            else if (run->programs.operations[operation->target].is_outermost)
                run->loops_s[run->programs.operations[operation->target].target] += course->now_s;
            break;
        case OPERATE_END:
            run->n_ended++;
            run->ends_s[task] = course->now_s;
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
        uint32_t from = course->processors[run->programs.channels[i].from];
        uint32_t to = course->processors[run->programs.channels[i].to];
        queue_clear(&run->queues[i], run->programs.channels[i].receives);
        run->routes[i] = platform_route(platform, from, to);
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
 * without its receiver. Lets the first one go. */
static bool release_one(Course *course)
{
    for (uint32_t i = 0; i < course->run->programs.n_channels; i++) {
        if (course->run->queues[i].is_held) {
            let_go(course, i);
            return true;
        }
    }
    return false;
}

static void run_through(const Simulation *simulation, Run *run, const uint32_t *processors, Schedule *schedule)
{
    Course course = {.simulation = simulation, .run = run, .processors = processors, .schedule = schedule};
    start(&course);
    do
        while (happen(&course))
            ;
    while (release_one(&course));
}

/* ---- outcomes ---- */

static uint32_t count_used(const Run *run, const uint32_t *processors)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < run->programs.n_tasks; i++) {
        RunQueue *run_queue = &run->run_queues[processors[i]];
        used += run_queue->last != NOBODY;
        run_queue->last = NOBODY;
    }
    return used;
}

static uint32_t last_of(const Run *run)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < run->programs.n_tasks; i++)
        if (run->ends_s[i] > run->ends_s[last])
            last = i;
    return last;
}

static double completion_of(const Run *run)
{
    return run->ends_s[last_of(run)];
}

/* The completion of the whole graph. The difference between both runs stands for what lacks. Iterations are whole, so
 * some loops are shortened a little more or less than most. In the task that ends last, each loop counts by its own
 * factor. */
static double extrapolate(const Simulation *simulation)
{
    const Run *run = &simulation->run, *shorter = &simulation->shorter;
    double run_s = completion_of(run), completion_s = run_s + simulation->factor * (run_s - completion_of(shorter));
    uint32_t last = last_of(run);
    for (uint32_t i = run->programs.first_loops[last]; i < run->programs.first_loops[last + 1]; i++)
        completion_s += (simulation->factors[i] - simulation->factor) * (run->loops_s[i] - shorter->loops_s[i]);
    return fmax(completion_s, run_s);
}

/* Adds what needs no simulation. */
static Outcome complete(const Simulation *simulation, const Run *run, const uint32_t *processors, double completion_s)
{
    Outcome outcome = {.completion_s = completion_s};
    const Platform *platform = simulation->platform;
    const Programs *whole = &simulation->whole;
    for (uint32_t i = 0; i < whole->n_tasks; i++)
        outcome.busy_s += whole->work_s[i] / platform->processors[processors[i]].speed;
    for (uint32_t i = 0; i < whole->n_channels; i++) {
        uint32_t from = processors[whole->channels[i].from], to = processors[whole->channels[i].to];
        bool is_remote = platform->processors[from].node_index != platform->processors[to].node_index;
        if (from != to)
            *(is_remote ? &outcome.remote_bytes : &outcome.local_bytes) += whole->channels[i].bytes;
    }
    double available_s = completion_s * count_used(run, processors);
    outcome.overlap = available_s > 0 ? outcome.busy_s / available_s : 0;
    return outcome;
}

Outcome simulate(Simulation *simulation, const uint32_t *processors)
{
    return simulate_watched(simulation, processors, NULL);
}

Outcome simulate_watched(Simulation *simulation, const uint32_t *processors, Schedule *schedule)
{
    Run *run = &simulation->run;
    run_through(simulation, run, processors, schedule);
    if (!simulation->factors)
        return complete(simulation, run, processors, completion_of(run));
    run_through(simulation, &simulation->shorter, processors, NULL);
    return complete(simulation, run, processors, extrapolate(simulation));
}

Outcome simulate_briefly(Simulation *simulation, const uint32_t *processors)
{
    Run *brief = &simulation->brief;
    if (!simulation->is_shortened)
        return simulate(simulation, processors);
    run_through(simulation, brief, processors, NULL);
    return complete(simulation, brief, processors, completion_of(brief));
}

void simulation_move(Simulation *simulation, const World *world)
{
    simulation->world = *world;
}

double simulation_steps(const Simulation *simulation)
{
    return simulation->whole.n_steps;
}

double simulation_run_steps(const Simulation *simulation)
{
    return simulation->run.programs.n_steps + (simulation->factors ? simulation->shorter.programs.n_steps : 0);
}

double simulation_brief_steps(const Simulation *simulation)
{
    return simulation->is_shortened ? simulation->brief.programs.n_steps : simulation_run_steps(simulation);
}

/* ---- setting up ---- */

static Run run_new(const Programs *programs, const Platform *platform, Arena *arena)
{
    uint32_t n = programs->n_tasks;
    Run run = {.programs = *programs};
    run.at = arena_new_array(arena, uint32_t, n);
    run.next = arena_new_array(arena, uint32_t, n);
    run.waits_for = arena_new_array(arena, uint32_t, n);
    run.accesses = arena_new_array(arena, Accesses, n);
    run.ends_s = arena_new_array(arena, double, n);
    run.loops_s = arena_new_array(arena, double, programs->first_loops[n]);
    run.remaining = arena_new_array(arena, uint64_t, programs->n_operations);
    run.receives_remaining = arena_new_array(arena, uint64_t, programs->n_receive_operations);
    run.queues = arena_new_array(arena, Queue, programs->n_channels);
    run.run_queues = arena_new_array(arena, RunQueue, platform->n_processors);
    run.routes = arena_new_array(arena, const Route *, programs->n_channels);
    run.network = network_new(platform, programs->n_channels, arena);
    run.agenda.entries = arena_new_array(arena, Entry, n);
    return run;
}

static Run run_of(const TaskGraph *graph, const Platform *platform, Arena *arena)
{
    const Programs programs = programs_make(graph, arena);
    return run_new(&programs, platform, arena);
}

static double *find_factors(const TaskGraph *whole, const TaskGraph *longer, const TaskGraph *shorter, double usual,
                            uint32_t n_loops, Arena *arena)
{
    double *factors = arena_new_array(arena, double, n_loops), *factor = factors;
    for (uint32_t i = 0; i < whole->n_tasks; i++) {
        for (uint32_t k = 0; k < whole->tasks[i].n_steps; k++) {
            if (whole->tasks[i].steps[k].kind != STEP_LOOP)
                continue;
            double times = (double)longer->tasks[i].steps[k].times;
            double left_out = (double)whole->tasks[i].steps[k].times - times;
            *factor++ = left_out > 0 ? left_out / (times - (double)shorter->tasks[i].steps[k].times) : usual;
        }
    }
    return factors;
}

/* Makes two shortened graphs of one that is too long. */
static bool make_excerpts(Simulation *made, const TaskGraph *graph, const Shortening *shortening, double limit,
                          Err *err)
{
    double share = shortening_share(shortening, 2 * LEAST_ITERATIONS, EXCERPT_SHARE * limit);
    double steps = shortening_steps(shortening, share, 2 * LEAST_ITERATIONS);
    if (steps > limit)
        return err_set(
            err, ERR_INPUT,
            "the tasks have %.3g steps, with loops run through, and %.3g where loops that match are shortened; "
            "the limit for simulation is %.3g",
            made->whole.n_steps, steps, limit);
    const TaskGraph *longer = shortening_make(shortening, share, 2 * LEAST_ITERATIONS, made->arena);
    const TaskGraph *shorter = shortening_make(shortening, share / 2, LEAST_ITERATIONS, made->arena);
    made->run = run_of(longer, made->platform, made->arena);
    made->shorter = run_of(shorter, made->platform, made->arena);
    made->factor = (1 - share) / (share / 2);
    made->factors =
        find_factors(graph, longer, shorter, made->factor, made->whole.first_loops[graph->n_tasks], made->arena);
    return true;
}

static void make_brief(Simulation *made, const Shortening *shortening)
{
    double share = shortening_share(shortening, LEAST_ITERATIONS, BRIEF_STEPS);
    made->is_shortened = shortening_steps(shortening, share, LEAST_ITERATIONS) < made->run.programs.n_steps;
    if (made->is_shortened)
        made->brief =
            run_of(shortening_make(shortening, share, LEAST_ITERATIONS, made->arena), made->platform, made->arena);
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

bool simulation_new_within(const TaskGraph *graph, const Platform *platform, double limit, Arena *arena,
                           Simulation **simulation, Err *err)
{
    Simulation *made = arena_new_array(arena, Simulation, 1);
    const Shortening *shortening = NULL;
    made->platform = platform;
    made->world = WORLD_AS_IT_IS;
    made->arena = arena;
    made->whole = programs_make(graph, arena);
    if (made->whole.n_steps > fmin(BRIEF_STEPS, limit))
        shortening = shortening_new(graph, arena);
    if (made->whole.n_steps <= limit)
        made->run = run_new(&made->whole, platform, arena);
    else if (!make_excerpts(made, graph, shortening, limit, err))
        return false;
    /* Whether tasks wait in a circle doesn't depend on the mapping: sends don't block, and receives
     * name their source. */
    simulate(made, arena_new_array(arena, uint32_t, graph->n_tasks));
    if (made->run.n_ended < graph->n_tasks)
        return name_waiting(graph, &made->run, arena, err);
    if (shortening)
        make_brief(made, shortening);
    *simulation = made;
    return true;
}

bool simulation_new(const TaskGraph *graph, const Platform *platform, Arena *arena, Simulation **simulation, Err *err)
{
    return simulation_new_within(graph, platform, SIMULATION_STEPS_LIMIT, arena, simulation, err);
}
