/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress of the traced run: interpolates a signature's milestones, and finds loops in its
 * folded sequence. */
#include "model/signature.h"

#include "base/vec.h"
#include <assert.h>
#include <math.h>

/* Returns the last milestone at or before the occurrence, but never the very last one. *fraction,
 * 0..1, is the occurrence's place between this milestone and the next. */
static uint32_t locate(const Signature *signature, double occurrence, double *fraction)
{
    uint32_t end = 1;
    assert(signature->n_milestones >= 2);
    vec_bisect(end, signature->n_milestones - 1, (double)signature->milestones[end].occurrence <= occurrence);
    const Milestone *at = &signature->milestones[end - 1];
    double from = (double)at[0].occurrence, to = (double)at[1].occurrence;
    double part = to > from ? (occurrence - from) / (to - from) : 0;
    *fraction = part < 0 ? 0 : part > 1 ? 1 : part;
    return end - 1;
}

double signature_time_s(const Signature *signature, double occurrence)
{
    double fraction;
    const Milestone *at = &signature->milestones[locate(signature, occurrence, &fraction)];
    return at[0].time_s + fraction * (at[1].time_s - at[0].time_s);
}

double signature_run_time_s(const Signature *signature, uint32_t run, double occurrence)
{
    double fraction;
    assert(run <= signature->n_repeats);
    if (run == 0)
        return signature_time_s(signature, occurrence);
    const double *at = &signature->repeats[run - 1].time_s[locate(signature, occurrence, &fraction)];
    return at[0] + fraction * (at[1] - at[0]);
}

double signature_occurrence_at(const Signature *signature, double time_s)
{
    uint32_t end = 1;
    assert(signature->n_milestones >= 2);
    vec_bisect(end, signature->n_milestones - 1, signature->milestones[end].time_s <= time_s);
    const Milestone *at = &signature->milestones[end - 1];
    double step_s = at[1].time_s - at[0].time_s, part = step_s > 0 ? (time_s - at[0].time_s) / step_s : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return (double)at[0].occurrence + part * (double)(at[1].occurrence - at[0].occurrence);
}

double signature_events_per_s(const Signature *signature)
{
    return (double)signature->n_occurrences / signature->application_s;
}

double signature_phase_weight(const Signature *signature, uint32_t phase, double occurrence)
{
    double fraction;
    assert(phase < signature->n_phases);
    const Milestone *at = &signature->milestones[locate(signature, occurrence, &fraction)];
    return at[0].phase_weight[phase] + fraction * (at[1].phase_weight[phase] - at[0].phase_weight[phase]);
}

double signature_phase_time_s(const Signature *signature, uint32_t phase, double occurrence)
{
    double fraction;
    assert(phase < signature->n_phases);
    const Milestone *at = &signature->milestones[locate(signature, occurrence, &fraction)];
    return at[0].phase_time_s[phase] + fraction * (at[1].phase_time_s[phase] - at[0].phase_time_s[phase]);
}

double signature_phase_path_s(const Signature *signature, uint32_t phase, double occurrence)
{
    double fraction;
    assert(phase < signature->n_phases);
    const Milestone *at = &signature->milestones[locate(signature, occurrence, &fraction)];
    return at[0].phase_path_s[phase] + fraction * (at[1].phase_path_s[phase] - at[0].phase_path_s[phase]);
}

double signature_stratum_time_s(const Signature *signature, uint32_t phase, uint32_t stratum, double occurrence)
{
    double fraction;
    assert(phase < signature->n_phases && stratum < signature->phases[phase].n_strata);
    const Stratum *of = &signature->phases[phase].strata[stratum];
    if (of->n_milestones != signature->n_milestones)
        return 0;
    const double *at = &of->time_s[locate(signature, occurrence, &fraction)];
    return at[0] + fraction * (at[1] - at[0]);
}

double signature_path_s(const Signature *signature, double occurrence)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        sum_s += signature_phase_path_s(signature, i, occurrence);
    return sum_s;
}

double signature_phase_effort(const Signature *signature, uint32_t phase_index, double occurrence)
{
    const Phase *phase = &signature->phases[phase_index];
    double ordinal = signature_phase_weight(signature, phase_index, occurrence);
    if (!phase->n_strata || ordinal <= 0)
        return ordinal;
    uint64_t whole = ordinal < (double)phase->weight ? (uint64_t)ordinal : phase->weight;
    double effort = 0;
    for (uint32_t i = 0; i < phase->n_strata; i++)
        effort += strata_ratio(phase->strata, i) * (double)strata_count(phase->strata, phase->n_strata, i, whole);
    uint32_t next = strata_find(phase->strata, phase->n_strata, whole);
    return effort + (ordinal - (double)whole) * strata_ratio(phase->strata, next);
}

uint32_t signature_find_phase(const Signature *signature, uint64_t id)
{
    uint32_t at = 0;
    vec_bisect(at, signature->n_phases, signature->phases[at].id < id);
    return at < signature->n_phases && signature->phases[at].id == id ? at : signature->n_phases;
}

static uint64_t expand(const Loop *loop, uint64_t count, uint32_t *ids)
{
    uint64_t done = 0;
    for (uint64_t i = 0; i < loop->count && done < count; i++) {
        if (loop->phase)
            ids[done++] = loop->phase;
        uint64_t before = done;
        for (uint32_t part = 0; part < loop->n_body && done < count; part++)
            done += expand(&loop->body[part], count - done, ids + done);
        if (!loop->phase && done == before)
            break; /* skip the iterations of an empty body */
    }
    return done;
}

uint64_t signature_expand(const Signature *signature, uint64_t count, uint32_t *ids)
{
    return expand(&signature->sequence, count, ids);
}

uint64_t loop_length(const Loop *loop)
{
    uint64_t body = loop->phase != 0;
    for (uint32_t i = 0; i < loop->n_body; i++)
        body += loop_length(&loop->body[i]);
    return body * loop->count;
}

enum { LEAST_TIMES = 4 };
/* An inner loop stands for the iteration around it if it takes this share of the iteration's
 * time. */
static const double ALMOST_ALL = 0.95;

double signature_phase_mean_s(const Signature *signature, uint32_t phase)
{
    const Phase *of = &signature->phases[phase];
    return of->weight ? of->share * signature->application_s / (double)of->weight : 0;
}

/* The time of a loop, by the mean durations of its phases. */
static double loop_time_s(const Signature *signature, const Loop *loop)
{
    uint32_t phase = loop->phase ? signature_find_phase(signature, loop->phase) : signature->n_phases;
    double body_s = phase < signature->n_phases ? signature_phase_mean_s(signature, phase) : 0;
    for (uint32_t i = 0; i < loop->n_body; i++)
        body_s += loop_time_s(signature, &loop->body[i]);
    return body_s * (double)loop->count;
}

SequencePeriod signature_period(const Signature *signature)
{
    return signature_period_at(signature, signature->n_occurrences / 2);
}

static SequencePeriod period_of(const Signature *signature, const Loop *loop, uint64_t first)
{
    assert(loop->count);
    uint64_t length = loop_length(loop) / loop->count;
    double from_s = signature_time_s(signature, (double)first),
           to_s = signature_time_s(signature, (double)(first + length * loop->count));
    return (SequencePeriod){length, loop->count, first, (to_s - from_s) / (double)loop->count};
}

/* Moves *first from the loop's start to the start of the iteration that holds the place. */
static void enter_iteration(const Loop *loop, uint64_t place, uint64_t *first)
{
    assert(loop->count && loop_length(loop));
    uint64_t length = loop_length(loop) / loop->count;
    *first += place > *first ? (place - *first) / length * length : 0;
}

/* The outermost loop around the place that repeats. *first becomes its start. Returns NULL without
 * such a loop. */
static const Loop *repeating_loop(const Signature *signature, uint64_t place, uint64_t *first)
{
    const Loop *loop = &signature->sequence;
    *first = 0;
    while (loop && loop_length(loop) && loop->count < LEAST_TIMES) {
        const Loop *inner = NULL;
        enter_iteration(loop, place, first);
        for (uint32_t i = 0; i < loop->n_body && !inner; i++) {
            uint64_t part = loop_length(&loop->body[i]);
            if (place < *first + part)
                inner = &loop->body[i];
            else
                *first += part;
        }
        loop = inner;
    }
    return loop && loop_length(loop) ? loop : NULL;
}

static void add_weights(const Signature *signature, const Loop *loop, double times, double *weights)
{
    uint32_t phase = loop->phase ? signature_find_phase(signature, loop->phase) : signature->n_phases;
    if (phase < signature->n_phases)
        weights[phase] += times;
    for (uint32_t i = 0; i < loop->n_body; i++)
        add_weights(signature, &loop->body[i], times * (double)loop->body[i].count, weights);
}

/* ---- the loop of steps ---- */

/* The sequence's items, of which [from, to) is the loop of steps. The folding may have cut this loop into pieces:
 *
 *      setup (A B)^40  A C  (A B)^59  end        all from the first piece to the last one are steps
 */
typedef struct Steps {
    const Loop *items;
    uint32_t n_items, from, to, n_pieces;
    uint32_t leading;     /* the phase that takes most of the piece in the middle of the run */
    double *weights;      /* [n_phases] of the items from `from` to `to` */
    VEC(double) begins_s; /* [n_items + 1] the time of all items before each */
} Steps;

/* The outermost list of several items, or the item that repeats. */
static const Loop *without_wrapping(const Loop *loop)
{
    while (loop->count == 1 && loop->n_body == 1)
        loop = &loop->body[0];
    return loop;
}

static double weight_in(const Signature *signature, const Loop *loop, uint32_t phase)
{
    double sum = loop->phase && signature_find_phase(signature, loop->phase) == phase;
    for (uint32_t i = 0; i < loop->n_body; i++)
        sum += weight_in(signature, &loop->body[i], phase);
    return sum * (double)loop->count;
}

/* Clears `weights`, which it needs. */
static uint32_t leading_phase(const Signature *signature, const Loop *loop, double *weights)
{
    uint32_t leading = signature->n_phases;
    double most_s = 0;
    add_weights(signature, loop, (double)loop->count, weights);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double time_s = weights[i] * signature_phase_mean_s(signature, i);
        leading = time_s > most_s ? i : leading;
        most_s = fmax(most_s, time_s);
        weights[i] = 0;
    }
    return leading;
}

static double time_between_s(const Steps *steps, uint32_t from, uint32_t to)
{
    return steps->begins_s.items[to] - steps->begins_s.items[from];
}

/* The next item with the leading phase, in this direction; n_items: there is none. */
static uint32_t next_piece(const Signature *signature, const Steps *steps, uint32_t at, int direction)
{
    for (at += (uint32_t)direction; at < steps->n_items; at += (uint32_t)direction) /* below 0, it wraps around */
        if (weight_in(signature, &steps->items[at], steps->leading) > 0)
            return at;
    return steps->n_items;
}

/* Takes in the next piece, if what lies between takes no longer than either side: else it is a part of the program
 * of its own. */
static bool join_piece(const Signature *signature, Steps *steps, int direction)
{
    uint32_t at = next_piece(signature, steps, direction < 0 ? steps->from : steps->to - 1, direction);
    if (at == steps->n_items)
        return false;
    double between_s =
        direction < 0 ? time_between_s(steps, at + 1, steps->from) : time_between_s(steps, steps->to, at);
    if (between_s > fmin(time_between_s(steps, at, at + 1), time_between_s(steps, steps->from, steps->to)))
        return false;
    steps->from = direction < 0 ? at : steps->from;
    steps->to = direction < 0 ? steps->to : at + 1;
    steps->n_pieces++;
    return true;
}

/* Takes in an item at an end that the iterations lack: the first one begins before the leading phase, or the last one
 * ends behind it. `middle` tells what an iteration holds; of other phases there is one for each piece. */
static bool complete(const Signature *signature, Steps *steps, const Loop *middle, uint32_t at)
{
    if (at >= steps->n_items)
        return false;
    double grown = steps->weights[steps->leading] / weight_in(signature, middle, steps->leading);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        double more = weight_in(signature, &steps->items[at], i), usual = weight_in(signature, middle, i);
        if (more > 0 && (!(steps->weights[i] > 0) ||
                         steps->weights[i] + more >= (usual > 0 ? usual * grown : steps->n_pieces) + 0.5))
            return false;
    }
    add_weights(signature, &steps->items[at], (double)steps->items[at].count, steps->weights);
    steps->from -= at < steps->from;
    steps->to += at == steps->to;
    return true;
}

static uint32_t depth_of(const Loop *loop)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < loop->n_body; i++) {
        uint32_t depth = depth_of(&loop->body[i]) + 1;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

/* The iterations of the pieces. Less deep ones are iterations that weren't folded, or are parts of some. */
static uint64_t count_iterations(const Signature *signature, const Steps *steps)
{
    uint32_t deepest = 0;
    uint64_t n = 0;
    for (uint32_t i = steps->from; i < steps->to; i++) {
        const Loop *item = &steps->items[i];
        uint32_t depth = depth_of(item);
        if (!(weight_in(signature, item, steps->leading) > 0) || depth < deepest)
            continue;
        n = depth > deepest ? item->count : n + item->count;
        deepest = depth;
    }
    return n;
}

/* Finds the loop of steps around the middle of the run. False: nothing repeats there. */
static bool find_steps(const Signature *signature, Steps *steps)
{
    const Loop *whole = without_wrapping(&signature->sequence);
    uint64_t first = 0, place = signature->n_occurrences / 2;
    bool is_one = whole->count > 1 || whole->n_body == 0; /* it repeats as a whole */
    steps->items = is_one ? whole : whole->body;
    steps->n_items = is_one ? 1 : whole->n_body;
    *vec_push(&steps->begins_s) = 0;
    for (uint32_t i = 0; i < steps->n_items; i++) {
        double end_s = steps->begins_s.items[i] + loop_time_s(signature, &steps->items[i]);
        *vec_push(&steps->begins_s) = end_s;
    }
    for (steps->from = 0; steps->from < steps->n_items; first += loop_length(&steps->items[steps->from++]))
        if (place < first + loop_length(&steps->items[steps->from]))
            break;
    if (steps->from == steps->n_items)
        return false;
    const Loop *middle = &steps->items[steps->from];
    steps->to = steps->from + 1;
    steps->n_pieces = 1;
    steps->leading = leading_phase(signature, middle, steps->weights);
    if (steps->leading == signature->n_phases)
        return false;
    while (join_piece(signature, steps, 1) || join_piece(signature, steps, -1))
        ;
    for (uint32_t i = steps->from; i < steps->to; i++)
        add_weights(signature, &steps->items[i], (double)steps->items[i].count, steps->weights);
    while (complete(signature, steps, middle, steps->to) ||
           (steps->from && complete(signature, steps, middle, steps->from - 1)))
        ;
    return true;
}

SequencePeriod signature_steps(const Signature *signature, double *weights)
{
    Steps steps = {.weights = weights};
    uint64_t first = 0, length = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        weights[i] = 0;
    uint64_t n = find_steps(signature, &steps) ? count_iterations(signature, &steps) : 0;
    vec_free(&steps.begins_s);
    if (n < 2)
        return (SequencePeriod){0};
    for (uint32_t i = 0; i < steps.to; i++)
        *(i < steps.from ? &first : &length) += loop_length(&steps.items[i]);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        weights[i] /= (double)n;
    double time_s = signature_time_s(signature, (double)(first + length)) - signature_time_s(signature, (double)first);
    return (SequencePeriod){(length + n / 2) / n, n, first, time_s / (double)n};
}

SequencePeriod signature_period_at(const Signature *signature, uint64_t occurrence)
{
    return signature_short_period_at(signature, occurrence, INFINITY);
}

SequencePeriod signature_short_period_at(const Signature *signature, uint64_t occurrence, double longest_s)
{
    uint64_t first;
    const Loop *loop = repeating_loop(signature, occurrence, &first);
    while (loop && loop_time_s(signature, loop) > longest_s * (double)loop->count) {
        double iteration_s = loop_time_s(signature, loop) / (double)loop->count;
        const Loop *inner = NULL;
        uint64_t before = 0;
        for (uint32_t i = 0; i < loop->n_body && !inner; i++)
            if (loop_time_s(signature, &loop->body[i]) >= ALMOST_ALL * iteration_s)
                inner = &loop->body[i];
            else
                before += loop_length(&loop->body[i]);
        if (!inner || inner->count < LEAST_TIMES)
            break;
        enter_iteration(loop, occurrence, &first);
        first += before;
        loop = inner;
    }
    return loop ? period_of(signature, loop, first) : (SequencePeriod){0};
}

bool signature_is_whole_periods(const Signature *signature, const SequencePeriod *period, uint32_t from_milestone,
                                uint32_t to_milestone)
{
    assert(from_milestone < signature->n_milestones && to_milestone < signature->n_milestones);
    uint64_t from = signature->milestones[from_milestone].occurrence,
             to = signature->milestones[to_milestone].occurrence;
    return period->occurrences && from >= period->first_occurrence && to > from &&
           to <= period->first_occurrence + period->occurrences * period->times &&
           (to - from) % period->occurrences == 0;
}
