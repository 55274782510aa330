/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns task graphs into programs (programs.h). */
#include "placement/mapping/programs.h"

#include "base/map.h"
#include "base/vec.h"
#include <math.h>

/* A shortened loop still runs often enough for pipelines to fill. */
enum { LEAST_ITERATIONS = 8 };

static uint64_t shortened(uint64_t times, double shortening)
{
    double few = round((double)times / shortening);
    return times <= LEAST_ITERATIONS ? times
           : few < LEAST_ITERATIONS  ? LEAST_ITERATIONS
           : few >= (double)times    ? times
                                     : (uint64_t)few;
}

/* A message step of a folded graph stands for several messages. */
static uint64_t messages_of(const Step *step)
{
    return step->kind != STEP_COMPUTE && step->times > 1 ? step->times : 1;
}

static double count(const Step *steps, uint32_t n, double shortening)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += steps[i].kind == STEP_LOOP
                   ? (double)shortened(steps[i].times, shortening) * count(steps[i].body, steps[i].n_body, 1)
                   : (double)messages_of(&steps[i]);
    return sum;
}

double programs_count_steps(const TaskGraph *graph, double shortening)
{
    double sum = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        sum += count(graph->tasks[i].steps, graph->tasks[i].n_steps, shortening);
    return sum;
}

typedef struct Maker {
    VEC(Operation) operations;
    VEC(Channel) channels;
    Map numbers; /* (from, to, accessor) -> channel */
    uint32_t task;
} Maker;

static uint32_t channel_of(Maker *maker, uint32_t from, uint32_t to, uint32_t accessor)
{
    MapKey key = hash_word((MapKey){1, accessor}, (uint64_t)from << 32 | to);
    size_t number = map_number(&maker->numbers, key, maker->channels.count);
    if (number == maker->channels.count)
        *vec_push(&maker->channels) = (Channel){from, to, accessor, accessor != NO_ACCESSOR};
    return (uint32_t)number;
}

static void add_steps(Maker *maker, const Step *steps, uint32_t n, double shortening);

static void add_loop(Maker *maker, const Step *step, double shortening)
{
    uint64_t times = shortened(step->times, shortening);
    if (!times || !step->n_body)
        return;
    uint32_t at = (uint32_t)maker->operations.count;
    *vec_push(&maker->operations) = (Operation){.kind = OPERATE_LOOP, .times = times};
    add_steps(maker, step->body, step->n_body, 1);
    *vec_push(&maker->operations) = (Operation){.kind = OPERATE_AGAIN, .target = at};
}

static void add_messages(Maker *maker, const Step *step)
{
    uint64_t times = messages_of(step);
    uint32_t at = (uint32_t)maker->operations.count;
    Operation operation = {.kind = OPERATE_RECV, .blocks = step->blocks};
    if (step->kind == STEP_SEND) {
        operation.kind = OPERATE_SEND;
        operation.target = channel_of(maker, maker->task, step->peer, NO_ACCESSOR);
        operation.amount = step->bytes;
    } else if (step->kind == STEP_PUT || step->kind == STEP_GET) {
        bool puts = step->kind == STEP_PUT;
        operation.kind = OPERATE_ACCESS;
        operation.target =
            channel_of(maker, puts ? maker->task : step->peer, puts ? step->peer : maker->task, maker->task);
        operation.amount = step->bytes;
    } else {
        operation.target = channel_of(maker, step->peer, maker->task, NO_ACCESSOR);
        maker->channels.items[operation.target].is_posted |= !step->blocks;
    }
    if (times > 1)
        *vec_push(&maker->operations) = (Operation){.kind = OPERATE_LOOP, .times = times};
    *vec_push(&maker->operations) = operation;
    if (times > 1)
        *vec_push(&maker->operations) = (Operation){.kind = OPERATE_AGAIN, .target = at};
}

static void add_steps(Maker *maker, const Step *steps, uint32_t n, double shortening)
{
    for (uint32_t i = 0; i < n; i++) {
        const Step *step = &steps[i];
        if (step->kind == STEP_LOOP)
            add_loop(maker, step, shortening);
        else if (step->kind != STEP_COMPUTE)
            add_messages(maker, step);
        else if (step->seconds > 0)
            *vec_push(&maker->operations) = (Operation){.kind = OPERATE_COMPUTE, .amount = step->seconds};
    }
}

Programs programs_make(const TaskGraph *graph, double shortening, Arena *arena)
{
    Maker maker = {0};
    uint32_t *starts = arena_new_array(arena, uint32_t, graph->n_tasks);
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        starts[i] = (uint32_t)maker.operations.count;
        maker.task = i;
        add_steps(&maker, graph->tasks[i].steps, graph->tasks[i].n_steps, shortening);
        *vec_push(&maker.operations) = (Operation){.kind = OPERATE_END};
    }
    Programs programs = {
        .n_tasks = graph->n_tasks,
        .n_channels = (uint32_t)maker.channels.count,
        .n_operations = maker.operations.count,
        .n_steps = programs_count_steps(graph, shortening),
        .starts = starts,
        .operations = vec_copy(&maker.operations, arena),
        .channels = vec_copy(&maker.channels, arena),
    };
    vec_free(&maker.operations);
    vec_free(&maker.channels);
    map_free(&maker.numbers);
    return programs;
}
