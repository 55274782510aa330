/* SPDX-License-Identifier: BSD-3-Clause */
/* See shortening.h. Only outermost loops are shortened. The k-th message that a task receives from another is the
 * k-th sent. So the loops of sender and receiver whose messages have the same numbers *match*: if an iteration of the
 * one sends s messages and an iteration of the other receives r, then r iterations of the one go with s of the other.
 * Loops that match directly or by way of others are a group. A *round* of a group is the least number of iterations
 * of each of its loops that keeps all messages matched. A group loses rounds:
 *
 *     task 0   (send 1, send 1)^50      1 iteration  ┐ a round: 2 messages from 0 to 1, 2 from 1 to 2
 *     task 1   (recv 0, send 2)^100     2 iterations │
 *     task 2   (recv 1)^100             2 iterations ┘
 *
 * A loop keeps all its iterations if its messages match those of several loops, or of none. */
#include "model/shortening.h"

#include "base/map.h"
#include "base/vec.h"
#include <assert.h>
#include <math.h>

/* Larger numbers of iterations a round aren't tried. */
#define ROUND_LIMIT ((uint64_t)1 << 20)

typedef struct Fraction {
    uint64_t over, under;
} Fraction;

typedef struct LongLoop {
    uint64_t times, per_round;
    double steps;         /* of an iteration */
    uint64_t n_matched;   /* iterations that match those of another loop */
    Fraction iterations;  /* for one of the group's first loop */
    uint32_t group, next; /* the group's first loop; its next one, or NONE */
    uint32_t size;        /* of the group, if this is its first loop */
    bool is_fixed;
} LongLoop;

/* A loop's messages from one task to another, on one side. */
typedef struct Use {
    uint32_t loop, n_matches;
    uint64_t first, per_iteration;
} Use;

typedef struct Side {
    VEC(Use) uses;
    uint64_t n_messages;
} Side;

typedef struct Channel {
    Side sends, receives;
} Channel;

typedef struct Match {
    uint32_t loops[2];
    uint64_t messages[2]; /* of an iteration */
} Match;

struct Shortening {
    const TaskGraph *graph;
    VEC(LongLoop) loops; /* in the order of tasks and steps */
    double steps_outside;
    uint64_t *rounds; /* [n_groups] that the group has */
};

typedef struct Analysis {
    Shortening *shortening;
    Map channel_of; /* from, to -> channel */
    VEC(Channel) channels;
    VEC(Match) matches;
} Analysis;

enum { NONE = UINT32_MAX };

/* ---- counting ---- */

static double count_steps(const Step *steps, uint32_t n_steps)
{
    double n = 0;
    for (uint32_t i = 0; i < n_steps; i++)
        n += steps[i].kind == STEP_LOOP ? (double)steps[i].times * count_steps(steps[i].body, steps[i].n_body) : 1;
    return n;
}

static Side *side_of(Analysis *analysis, uint32_t task, const Step *step)
{
    bool sends = step->kind == STEP_SEND;
    MapKey key = sends ? (MapKey){task, step->peer} : (MapKey){step->peer, task};
    size_t number = map_number(&analysis->channel_of, key, analysis->channels.count);
    if (number == analysis->channels.count)
        *vec_push(&analysis->channels) = (Channel){0};
    Channel *channel = &analysis->channels.items[number];
    return sends ? &channel->sends : &channel->receives;
}

/* Counts the messages of one iteration of a loop. */
static void count_uses(Analysis *analysis, uint32_t task, uint32_t loop, const Step *steps, uint32_t n_steps,
                       uint64_t runs)
{
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP)
            count_uses(analysis, task, loop, steps[i].body, steps[i].n_body, runs * steps[i].times);
        if (steps[i].kind != STEP_SEND && steps[i].kind != STEP_RECV)
            continue;
        Side *side = side_of(analysis, task, &steps[i]);
        size_t n = side->uses.count;
        uint64_t times = analysis->shortening->loops.items[loop].times;
        if (!n || side->uses.items[n - 1].loop != loop)
            *vec_push(&side->uses) = (Use){.loop = loop, .first = side->n_messages};
        side->uses.items[side->uses.count - 1].per_iteration += runs;
        side->n_messages += runs * times;
    }
}

static void take_task(Analysis *analysis, uint32_t task)
{
    const Task *from = &analysis->shortening->graph->tasks[task];
    for (uint32_t i = 0; i < from->n_steps; i++) {
        const Step *step = &from->steps[i];
        if (step->kind == STEP_LOOP) {
            uint32_t number = (uint32_t)analysis->shortening->loops.count;
            *vec_push(&analysis->shortening->loops) = (LongLoop){.times = step->times,
                                                                 .steps = count_steps(step->body, step->n_body),
                                                                 .n_matched = step->times,
                                                                 .iterations = {1, 1},
                                                                 .group = number,
                                                                 .next = NONE,
                                                                 .size = 1};
            count_uses(analysis, task, number, step->body, step->n_body, 1);
            continue;
        }
        analysis->shortening->steps_outside++;
        if (step->kind == STEP_SEND || step->kind == STEP_RECV)
            side_of(analysis, task, step)->n_messages++;
    }
}

/* ---- matching ---- */

static uint64_t end_of(const Analysis *analysis, const Use *use)
{
    return use->first + use->per_iteration * analysis->shortening->loops.items[use->loop].times;
}

/* The number of messages that both loops have. A few are their edges: one task is ahead of the other by an
 * iteration. They count as none. */
static uint64_t count_common(const Analysis *analysis, const Use *sends, const Use *receives)
{
    uint64_t from = sends->first > receives->first ? sends->first : receives->first;
    uint64_t ends[2] = {end_of(analysis, sends), end_of(analysis, receives)};
    uint64_t to = ends[0] < ends[1] ? ends[0] : ends[1];
    return to > from && to - from > 2 * (sends->per_iteration + receives->per_iteration) ? to - from : 0;
}

static void note_match(Analysis *analysis, Use *use, uint64_t n_common)
{
    LongLoop *loop = &analysis->shortening->loops.items[use->loop];
    if (n_common / use->per_iteration < loop->n_matched)
        loop->n_matched = n_common / use->per_iteration;
    use->n_matches++;
}

static void match_channel(Analysis *analysis, Channel *channel)
{
    size_t n = channel->sends.uses.count, m = channel->receives.uses.count;
    for (size_t i = 0, k = 0; i < n && k < m;) {
        Use *sends = &channel->sends.uses.items[i], *receives = &channel->receives.uses.items[k];
        uint64_t n_common = count_common(analysis, sends, receives);
        if (n_common) {
            note_match(analysis, sends, n_common);
            note_match(analysis, receives, n_common);
            *vec_push(&analysis->matches) = (Match){.loops = {sends->loop, receives->loop},
                                                    .messages = {sends->per_iteration, receives->per_iteration}};
        }
        if (end_of(analysis, sends) <= end_of(analysis, receives))
            i++;
        else
            k++;
    }
    for (int side = 0; side < 2; side++) {
        const Side *of = side ? &channel->receives : &channel->sends;
        for (size_t i = 0; i < of->uses.count; i++)
            if (of->uses.items[i].n_matches != 1)
                analysis->shortening->loops.items[of->uses.items[i].loop].is_fixed = true;
    }
}

/* ---- groups ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* a × over / under. Larger numbers than the limit become 0 / 1. */
static Fraction multiply(Fraction a, uint64_t over, uint64_t under)
{
    uint64_t divisor = common_divisor(over, under);
    over /= divisor;
    under /= divisor;
    uint64_t first = common_divisor(a.over, under), second = common_divisor(over, a.under);
    const Fraction product = {a.over / first * (over / second), a.under / second * (under / first)};
    bool is_large =
        over > ROUND_LIMIT || under > ROUND_LIMIT || product.over > ROUND_LIMIT || product.under > ROUND_LIMIT;
    return is_large ? (Fraction){0, 1} : product;
}

/* Adds the loops of the second group to the first. factor: iterations of the second group's first loop for one of the
 * first group's; 0/1: no such number fits. */
static void join_groups(LongLoop *loops, uint32_t group, uint32_t other, Fraction factor)
{
    uint32_t last = other;
    loops[group].size += loops[other].size;
    for (uint32_t i = other; i != NONE; i = loops[i].next) {
        const Fraction product = multiply(loops[i].iterations, factor.over, factor.under);
        loops[i].group = group;
        loops[i].iterations = product.over ? product : loops[i].iterations;
        loops[i].is_fixed |= !product.over;
        last = i;
    }
    loops[last].next = loops[group].next;
    loops[group].next = other;
}

static void join_loops(LongLoop *loops, const Match *match)
{
    bool swaps = loops[loops[match->loops[0]].group].size < loops[loops[match->loops[1]].group].size;
    LongLoop *a = &loops[match->loops[swaps]], *b = &loops[match->loops[!swaps]];
    const Fraction of_b = multiply(a->iterations, match->messages[swaps], match->messages[!swaps]);
    if (a->group == b->group)
        a->is_fixed |= of_b.over != b->iterations.over || of_b.under != b->iterations.under;
    else
        join_groups(loops, a->group, b->group, multiply(of_b, b->iterations.under, b->iterations.over));
}

/* The number of rounds of a group; 0: it isn't shortened. */
static uint64_t count_rounds(Shortening *shortening, uint32_t group)
{
    LongLoop *loops = shortening->loops.items;
    uint64_t multiple = 1, rounds = UINT64_MAX;
    for (uint32_t i = group; i != NONE; i = loops[i].next) {
        multiple = multiple / common_divisor(multiple, loops[i].iterations.under) * loops[i].iterations.under;
        if (loops[i].is_fixed || multiple > ROUND_LIMIT)
            return 0;
    }
    for (uint32_t i = group; i != NONE; i = loops[i].next) {
        loops[i].per_round = loops[i].iterations.over * (multiple / loops[i].iterations.under);
        if (loops[i].n_matched / loops[i].per_round < rounds)
            rounds = loops[i].n_matched / loops[i].per_round;
    }
    return rounds;
}

static void find_groups(Analysis *analysis, Arena *arena)
{
    Shortening *shortening = analysis->shortening;
    size_t n = shortening->loops.count;
    for (size_t i = 0; i < analysis->matches.count; i++)
        join_loops(shortening->loops.items, &analysis->matches.items[i]);
    shortening->rounds = arena_new_array(arena, uint64_t, n);
    for (uint32_t i = 0; i < n; i++)
        if (shortening->loops.items[i].group == i)
            shortening->rounds[i] = count_rounds(shortening, i);
}

static void free_analysis(Analysis *analysis)
{
    for (size_t i = 0; i < analysis->channels.count; i++) {
        vec_free(&analysis->channels.items[i].sends.uses);
        vec_free(&analysis->channels.items[i].receives.uses);
    }
    vec_free(&analysis->channels);
    vec_free(&analysis->matches);
    map_free(&analysis->channel_of);
}

static void free_loops(void *shortening)
{
    vec_free(&((Shortening *)shortening)->loops);
}

Shortening *shortening_new(const TaskGraph *graph, Arena *arena)
{
    assert(!graph->is_folded);
    Shortening *shortening = arena_new_array(arena, Shortening, 1);
    *shortening = (Shortening){.graph = graph};
    arena_at_end(arena, free_loops, shortening);
    Analysis analysis = {.shortening = shortening};
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        take_task(&analysis, i);
    for (size_t i = 0; i < analysis.channels.count; i++)
        match_channel(&analysis, &analysis.channels.items[i]);
    find_groups(&analysis, arena);
    free_analysis(&analysis);
    return shortening;
}

/* ---- shortening ---- */

static uint64_t shortened(const Shortening *shortening, const LongLoop *loop, double share, uint64_t least_iterations)
{
    uint64_t rounds = shortening->rounds[loop->group];
    uint64_t kept = (uint64_t)((double)rounds * share);
    return kept < least_iterations ? loop->times : loop->times - (rounds - kept) * loop->per_round;
}

double shortening_steps(const Shortening *shortening, double share, uint64_t least_iterations)
{
    double steps = shortening->steps_outside;
    for (size_t i = 0; i < shortening->loops.count; i++) {
        const LongLoop *loop = &shortening->loops.items[i];
        steps += loop->steps * (double)shortened(shortening, loop, share, least_iterations);
    }
    return steps;
}

/* A smaller share may leave more steps, because more loops are too short for it. */
double shortening_share(const Shortening *shortening, uint64_t least_iterations, double most_steps)
{
    enum { PER_OCTAVE = 8, OCTAVES = 40 };
    double best = 1, least_steps = shortening_steps(shortening, 1, least_iterations);
    for (int i = 1; i <= PER_OCTAVE * OCTAVES && least_steps > most_steps; i++) {
        double share = exp2(-i / (double)PER_OCTAVE), steps = shortening_steps(shortening, share, least_iterations);
        if (steps < least_steps) {
            least_steps = steps;
            best = share;
        }
    }
    return best;
}

const TaskGraph *shortening_make(const Shortening *shortening, double share, uint64_t least_iterations, Arena *arena)
{
    const TaskGraph *graph = shortening->graph;
    TaskGraph *made = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_new_array(arena, Task, graph->n_tasks);
    const LongLoop *loop = shortening->loops.items;
    *made = *graph;
    made->tasks = tasks;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        Step *steps = arena_copy_array(arena, graph->tasks[i].steps, graph->tasks[i].n_steps, sizeof *steps);
        for (uint32_t k = 0; k < graph->tasks[i].n_steps; k++)
            if (steps[k].kind == STEP_LOOP)
                steps[k].times = shortened(shortening, loop++, share, least_iterations);
        tasks[i] = graph->tasks[i];
        tasks[i].steps = steps;
    }
    return made;
}
