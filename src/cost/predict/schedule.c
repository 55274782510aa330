/* SPDX-License-Identifier: BSD-3-Clause */
/* See schedule.h. There are two kinds of events: the master's link has done a message, or a task has been computed.
 * Tasks on a machine progress equally. So the machine counts the seconds of service that each of its tasks has got,
 * and a task ends at a known service. When a task begins or ends, the time of the machine's next end changes. Ends
 * that are no longer true stay in the heap, with an older number than the machine has. */
#include "cost/predict/schedule.h"

#include "base/heap.h"
#include "base/vec.h"
#include <math.h>

/* A task that is being computed. */
typedef struct Computing {
    double until_s; /* of the machine's service */
    uint64_t worker;
} Computing;

typedef struct Machine {
    double service_s, since_s; /* service that its tasks got until `since_s` */
    size_t group;
    VEC(Computing) tasks; /* a heap */
    uint64_t version;     /* how often its tasks changed */
} Machine;

/* When a machine's next task ends, if its tasks don't change. */
typedef struct NextEnd {
    double at_s;
    uint64_t machine, version;
} NextEnd;

typedef struct Worker {
    uint64_t machine, task;
    bool has_task;
} Worker;

typedef enum Link { LINK_IDLE, LINK_GIVES, LINK_TAKES } Link;

typedef struct Schedule {
    const CostPlatform *platform;
    const ScheduleTasks *tasks;
    uint64_t *worker_of;
    uint64_t next_task, n_workers;
    double now_s;
    Machine *machines;
    Worker *workers;
    VEC(NextEnd) ends; /* a heap */
    /* Workers that wait for the master, in a ring of n_workers; and what the master's link does. */
    uint64_t *waiting, first_waiting, n_waiting;
    Link link;
    double link_until_s;
    uint64_t link_worker;
} Schedule;

static bool ends_before(const void *left, const void *right)
{
    const Computing *a = left, *b = right;
    return a->until_s != b->until_s ? a->until_s < b->until_s : a->worker < b->worker;
}

static bool comes_before(const void *left, const void *right)
{
    const NextEnd *a = left, *b = right;
    return a->at_s != b->at_s ? a->at_s < b->at_s : a->machine < b->machine;
}

static const CostGroup *group_of(const Schedule *schedule, const Machine *machine)
{
    return &schedule->platform->groups[machine->group];
}

static ScheduleTask cost_of(const Schedule *schedule, uint64_t worker)
{
    const Worker *it = &schedule->workers[worker];
    return schedule->tasks->cost(schedule->tasks->self, it->task, schedule->machines[it->machine].group);
}

/* ---- machines -------------------------------------------------------------------------------------------------- */

/* Seconds of service in a second, for each task. */
static double rate_of(const Schedule *schedule, const Machine *machine)
{
    const uint32_t n_cores = group_of(schedule, machine)->n_cores;
    return machine->tasks.count <= n_cores ? 1 : (double)n_cores / (double)machine->tasks.count;
}

static void serve(const Schedule *schedule, Machine *machine)
{
    if (machine->tasks.count)
        machine->service_s += (schedule->now_s - machine->since_s) * rate_of(schedule, machine);
    else
        machine->service_s = 0; /* small numbers have more digits behind the point */
    machine->since_s = schedule->now_s;
}

static void note_next_end(Schedule *schedule, uint64_t index)
{
    Machine *machine = &schedule->machines[index];
    machine->version++;
    if (!machine->tasks.count)
        return;
    const double left_s = fmax(0, machine->tasks.items[0].until_s - machine->service_s);
    const NextEnd next = {schedule->now_s + left_s / rate_of(schedule, machine), index, machine->version};
    vec_reserve(&schedule->ends, 1);
    heap_put(schedule->ends.items, schedule->ends.count++, sizeof next, &next, comes_before);
}

static void begin_computing(Schedule *schedule, uint64_t worker)
{
    const uint64_t index = schedule->workers[worker].machine;
    Machine *machine = &schedule->machines[index];
    serve(schedule, machine);
    const Computing task = {machine->service_s + cost_of(schedule, worker).compute_s, worker};
    vec_reserve(&machine->tasks, 1);
    heap_put(machine->tasks.items, machine->tasks.count++, sizeof task, &task, ends_before);
    note_next_end(schedule, index);
}

static void wait_for_master(Schedule *schedule, uint64_t worker)
{
    schedule->waiting[(schedule->first_waiting + schedule->n_waiting++) % schedule->n_workers] = worker;
}

static void end_computing(Schedule *schedule, uint64_t index)
{
    Machine *machine = &schedule->machines[index];
    Computing task;
    serve(schedule, machine);
    heap_take(machine->tasks.items, machine->tasks.count--, sizeof task, &task, ends_before);
    machine->service_s = task.until_s;
    note_next_end(schedule, index);
    wait_for_master(schedule, task.worker);
}

/* ---- the master ------------------------------------------------------------------------------------------------ */

static void begin_message(Schedule *schedule, Link link, uint64_t worker)
{
    const ScheduleTask cost = cost_of(schedule, worker);
    schedule->link = link;
    schedule->link_worker = worker;
    schedule->link_until_s = schedule->now_s + (link == LINK_GIVES ? cost.give_s : cost.take_s);
}

/* A worker without a task gets the next one, if there is one. */
static void give(Schedule *schedule, uint64_t worker)
{
    Worker *it = &schedule->workers[worker];
    it->has_task = schedule->next_task < schedule->tasks->n_tasks;
    if (!it->has_task)
        return;
    it->task = schedule->next_task++;
    if (schedule->worker_of)
        schedule->worker_of[it->task] = worker;
    begin_message(schedule, LINK_GIVES, worker);
}

static void end_message(Schedule *schedule)
{
    const Link done = schedule->link;
    schedule->link = LINK_IDLE;
    if (done == LINK_GIVES)
        begin_computing(schedule, schedule->link_worker);
    else
        give(schedule, schedule->link_worker);
}

static void serve_waiting(Schedule *schedule)
{
    while (schedule->link == LINK_IDLE && schedule->n_waiting) {
        const uint64_t worker = schedule->waiting[schedule->first_waiting];
        schedule->first_waiting = (schedule->first_waiting + 1) % schedule->n_workers;
        schedule->n_waiting--;
        if (schedule->workers[worker].has_task)
            begin_message(schedule, LINK_TAKES, worker);
        else
            give(schedule, worker);
    }
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static void drop_old_ends(Schedule *schedule)
{
    NextEnd dropped;
    while (schedule->ends.count &&
           schedule->ends.items[0].version != schedule->machines[schedule->ends.items[0].machine].version)
        heap_take(schedule->ends.items, schedule->ends.count--, sizeof dropped, &dropped, comes_before);
}

/* Goes to the next event. False: there is none. */
static bool step(Schedule *schedule)
{
    serve_waiting(schedule);
    drop_old_ends(schedule);
    const bool is_link_busy = schedule->link != LINK_IDLE;
    if (!schedule->ends.count && !is_link_busy)
        return false;
    if (is_link_busy && (!schedule->ends.count || schedule->link_until_s <= schedule->ends.items[0].at_s)) {
        schedule->now_s = schedule->link_until_s;
        end_message(schedule);
    } else {
        schedule->now_s = schedule->ends.items[0].at_s;
        end_computing(schedule, schedule->ends.items[0].machine);
    }
    return true;
}

/* Workers beyond the number of tasks have nothing to do. */
static void place_workers(Schedule *schedule)
{
    const CostPlatform *platform = schedule->platform;
    uint64_t worker = 0, machine = 0;
    for (size_t i = 0; i < platform->n_groups && worker < schedule->n_workers; i++)
        for (uint32_t j = 0; j < platform->groups[i].n_machines && worker < schedule->n_workers; j++, machine++) {
            schedule->machines[machine].group = i;
            for (uint32_t k = 0; k < platform->groups[i].workers_each && worker < schedule->n_workers; k++, worker++) {
                schedule->workers[worker].machine = machine;
                wait_for_master(schedule, worker);
            }
        }
}

double schedule_time(const CostPlatform *platform, const ScheduleTasks *tasks, uint64_t *worker_of)
{
    const uint64_t n_workers = cost_workers(platform);
    Schedule schedule = {.platform = platform, .tasks = tasks, .worker_of = worker_of};
    schedule.n_workers = n_workers < tasks->n_tasks ? n_workers : tasks->n_tasks;
    if (!schedule.n_workers)
        return 0;
    schedule.machines = memory_zeroed(schedule.n_workers, sizeof *schedule.machines);
    schedule.workers = memory_zeroed(schedule.n_workers, sizeof *schedule.workers);
    schedule.waiting = memory_zeroed(schedule.n_workers, sizeof *schedule.waiting);
    place_workers(&schedule);
    while (step(&schedule))
        continue;
    for (uint64_t i = 0; i < schedule.n_workers; i++)
        vec_free(&schedule.machines[i].tasks);
    vec_free(&schedule.ends);
    free(schedule.machines);
    free(schedule.workers);
    free(schedule.waiting);
    return schedule.now_s;
}
