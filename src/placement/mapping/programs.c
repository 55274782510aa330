/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns task graphs into programs (programs.h). */
#include "placement/mapping/programs.h"

#include "base/map.h"
#include "base/vec.h"

typedef struct Maker {
    VEC(Operation) operations;
    VEC(Operation) receives; /* receive_operations */
    VEC(Channel) channels;
    Map numbers;                   /* (from, to, accessor) -> channel */
    uint32_t task, n_loops, depth; /* depth: number of loops around the current steps */
    double runs;                   /* number of times that these run */
    double n_steps, *work_s;
} Maker;

static uint32_t channel_of(Maker *maker, uint32_t from, uint32_t to, uint32_t accessor)
{
    MapKey key = hash_word((MapKey){1, accessor}, (uint64_t)from << 32 | to);
    size_t number = map_number(&maker->numbers, key, maker->channels.count);
    if (number == maker->channels.count)
        *vec_push(&maker->channels) =
            (Channel){.from = from, .to = to, .accessor = accessor, .has_posted = accessor != NO_ACCESSOR};
    return (uint32_t)number;
}

static void add_steps(Maker *maker, const Step *steps, uint32_t n);

static void add_loop(Maker *maker, const Step *step)
{
    uint32_t at = (uint32_t)maker->operations.count;
    Operation operation = {.kind = OPERATE_LOOP, .times = step->times};
    if (!maker->depth) {
        operation.is_outermost = true;
        operation.target = maker->n_loops++;
    }
    if (!step->times || !step->n_body)
        return;
    double runs = maker->runs;
    *vec_push(&maker->operations) = operation;
    maker->runs *= (double)step->times;
    maker->depth++;
    add_steps(maker, step->body, step->n_body);
    maker->depth--;
    maker->runs = runs;
    *vec_push(&maker->operations) = (Operation){.kind = OPERATE_AGAIN, .target = at};
}

static void add_message(Maker *maker, const Step *step)
{
    Operation operation = {.kind = OPERATE_RECV, .amount = step->bytes, .blocks = step->blocks};
    uint32_t task = maker->task, peer = step->peer;
    if (step->kind == STEP_SEND) {
        operation.kind = OPERATE_SEND;
        operation.target = channel_of(maker, task, peer, NO_ACCESSOR);
    } else if (step->kind == STEP_RECV) {
        operation.target = channel_of(maker, peer, task, NO_ACCESSOR);
        Channel *channel = &maker->channels.items[operation.target];
        *(step->blocks ? &channel->has_blocking : &channel->has_posted) = true;
    } else {
        bool puts = step->kind == STEP_PUT;
        operation.kind = OPERATE_ACCESS;
        operation.target = channel_of(maker, puts ? task : peer, puts ? peer : task, task);
    }
    if (operation.kind != OPERATE_RECV)
        maker->channels.items[operation.target].bytes += maker->runs * step->bytes;
    maker->n_steps += maker->runs;
    *vec_push(&maker->operations) = operation;
}

static void add_computation(Maker *maker, const Step *step)
{
    maker->n_steps += maker->runs;
    maker->work_s[maker->task] += maker->runs * step->seconds;
    if (step->seconds > 0)
        *vec_push(&maker->operations) = (Operation){.kind = OPERATE_COMPUTE, .amount = step->seconds};
}

static void add_steps(Maker *maker, const Step *steps, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const Step *step = &steps[i];
        if (step->kind == STEP_LOOP)
            add_loop(maker, step);
        else if (step->kind != STEP_COMPUTE)
            add_message(maker, step);
        else
            add_computation(maker, step);
    }
}

/* Adds the operations that receive a channel's messages, from the receiver's program. */
static void add_receives(Maker *maker, uint32_t channel, const Operation *program)
{
    VEC(uint32_t) loops = {0}; /* around the current operation */
    for (const Operation *operation = program; operation->kind != OPERATE_END; operation++) {
        uint32_t at = (uint32_t)maker->receives.count;
        if (operation->kind == OPERATE_RECV && operation->target == channel) {
            *vec_push(&maker->receives) = *operation;
        } else if (operation->kind == OPERATE_LOOP) {
            *vec_push(&loops) = at;
            *vec_push(&maker->receives) = *operation;
        } else if (operation->kind == OPERATE_AGAIN) {
            uint32_t loop = loops.items[--loops.count];
            if (loop + 1 == at)
                maker->receives.count--; /* nothing is received there */
            else
                *vec_push(&maker->receives) = (Operation){.kind = OPERATE_AGAIN, .target = loop};
        }
    }
    *vec_push(&maker->receives) = (Operation){.kind = OPERATE_END};
    vec_free(&loops);
}

static void find_receives(Maker *maker, const uint32_t *starts)
{
    for (uint32_t i = 0; i < maker->channels.count; i++) {
        Channel *channel = &maker->channels.items[i];
        channel->receives = maker->receives.count;
        if (channel->has_posted && channel->has_blocking)
            add_receives(maker, i, &maker->operations.items[starts[channel->to]]);
    }
}

Programs programs_make(const TaskGraph *graph, Arena *arena)
{
    Maker maker = {.runs = 1, .work_s = arena_new_array(arena, double, graph->n_tasks)};
    uint32_t *starts = arena_new_array(arena, uint32_t, graph->n_tasks);
    uint32_t *first_loops = arena_new_array(arena, uint32_t, graph->n_tasks + 1);
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        starts[i] = (uint32_t)maker.operations.count;
        maker.task = i;
        add_steps(&maker, graph->tasks[i].steps, graph->tasks[i].n_steps);
        *vec_push(&maker.operations) = (Operation){.kind = OPERATE_END};
        first_loops[i + 1] = maker.n_loops;
    }
    find_receives(&maker, starts);
    Programs programs = {
        .n_tasks = graph->n_tasks,
        .n_channels = (uint32_t)maker.channels.count,
        .n_operations = maker.operations.count,
        .n_steps = maker.n_steps,
        .starts = starts,
        .first_loops = first_loops,
        .work_s = maker.work_s,
        .operations = vec_copy(&maker.operations, arena),
        .n_receive_operations = maker.receives.count,
        .receive_operations = vec_copy(&maker.receives, arena),
        .channels = vec_copy(&maker.channels, arena),
    };
    vec_free(&maker.operations);
    vec_free(&maker.receives);
    vec_free(&maker.channels);
    map_free(&maker.numbers);
    return programs;
}
