/* SPDX-License-Identifier: BSD-3-Clause */
/* See counts.h. */
#include "scaling/counts/counts.h"

#include "scaling/counts/rows.h"
#include "scaling/counts/structure.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const count_part_names[COUNT_PARTS] = {
    [COUNT_COMPUTATION] = "computation", [COUNT_TRANSFER] = "transfer", [COUNT_WAITING] = "waiting"};

const char *const count_scaling_names[COUNT_SCALINGS] = {
    [COUNT_UNKNOWN] = "unknown", [COUNT_STRONG] = "strong", [COUNT_WEAK] = "weak", [COUNT_SIZES] = "sizes"};

/* Computation of a process that falls more slowly than this power of p doesn't fall. */
static const double WEAK_EXPONENT = -0.5;
/* Below this share of the time, with the fewest processes, computation doesn't tell how the run scales. */
static const double MOST_OF_TIME = 0.5;
/* Without a partner, a phase's time may be this share longer or shorter than its law says. */
static const double UNMATCHED_WIDTH = 0.5;

/* ---- the phases of a run ---- */

typedef struct RunPhase {
    const char *structure;
    const Phase *phase;
    uint32_t run, number; /* among the run's phases of this structure, from 0 */
    double volume_bytes;
    double parts_s[COUNT_PARTS]; /* mean over processes */
} RunPhase;

static double bytes_sent(const Phase *phase)
{
    double sum = 0;
    for (uint32_t i = 0; i < phase->n_events; i++)
        sum += (double)phase->events[i].bytes;
    return sum;
}

static void add_time(RunPhase *found, const PhaseTime *time, double whole_s, double n_processes)
{
    double compute_s = 1e-9 * (double)time->compute_ns, waiting_s = 0;
    for (int i = 0; i < N_WAITS; i++)
        waiting_s += 1e-9 * (double)time->waits_ns[i];
    found->parts_s[COUNT_COMPUTATION] += compute_s / n_processes;
    found->parts_s[COUNT_WAITING] += waiting_s / n_processes;
    found->parts_s[COUNT_TRANSFER] += fmax(0, whole_s - compute_s - waiting_s) / n_processes;
}

static RunPhase run_phase(const CountRun *runs, uint32_t run, uint32_t index, Arena *arena)
{
    const Phase *phase = &runs[run].waits.signature->phases[index];
    uint32_t n = runs[run].p;
    RunPhase found = {.structure = structure_text(phase, n, arena),
                      .phase = phase,
                      .run = run,
                      .volume_bytes = bytes_sent(phase) / n};
    for (uint32_t i = 0; i < n; i++)
        add_time(&found, &runs[run].waits.times[(size_t)index * n + i], phase->processes[i].total_s, n);
    return found;
}

/* ---- what belongs together ---- */

/* Phases of one structure: in each run as many, or they count as one. */
typedef struct Group {
    const char *structure;
    uint32_t *counts; /* [n_runs] */
    bool is_apart;    /* as many in each run */
} Group;

typedef VEC(Group) Groups;
typedef VEC(RunPhase) RunPhases;

static Group *find_group(Groups *groups, const char *structure, uint32_t n_runs, Arena *arena)
{
    for (size_t i = 0; i < groups->count; i++)
        if (strcmp(groups->items[i].structure, structure) == 0)
            return &groups->items[i];
    *vec_push(groups) = (Group){.structure = structure, .counts = arena_new_array(arena, uint32_t, n_runs)};
    return &groups->items[groups->count - 1];
}

static void find_groups(const CountRun *runs, uint32_t n_runs, RunPhases *phases, Groups *groups, Arena *arena)
{
    for (uint32_t run = 0; run < n_runs; run++)
        for (uint32_t i = 0; i < runs[run].waits.signature->n_phases; i++) {
            RunPhase found = run_phase(runs, run, i, arena);
            found.number = find_group(groups, found.structure, n_runs, arena)->counts[run]++;
            *vec_push(phases) = found;
        }
    for (size_t i = 0; i < groups->count; i++) {
        groups->items[i].is_apart = true;
        for (uint32_t run = 1; run < n_runs; run++)
            groups->items[i].is_apart &= groups->items[i].counts[run] == groups->items[i].counts[0];
    }
}

static bool is_matched(const Group *group, uint32_t n_runs)
{
    uint32_t n = 0;
    while (n < n_runs && group->counts[n])
        n++;
    return n == n_runs;
}

/* ---- sums ---- */

static void sums_add(Sums *sums, const RunPhase *phase)
{
    uint32_t run = phase->run;
    double weight = (double)phase->phase->weight;
    sums->ids[run] = sums->ids[run] ? sums->ids[run] : phase->phase->id;
    sums->n_ids[run]++;
    sums->volumes[run] =
        (sums->volumes[run] * sums->weights[run] + phase->volume_bytes * weight) / fmax(1, sums->weights[run] + weight);
    sums->weights[run] += weight;
    for (int part = 0; part < COUNT_PARTS; part++)
        sums->parts[part][run] += phase->parts_s[part];
}

/* The time before the first phase and behind the last one, and what the slowest process takes longer than the mean
 * one. */
static void add_outside(const CountRun *runs, uint32_t n_runs, const RunPhases *phases, Sums *rest)
{
    double *left_s = rest->parts[COUNT_WAITING];
    for (uint32_t run = 0; run < n_runs; run++) {
        RunPhase outside = {.run = run};
        double in_phases_s = 0;
        for (uint32_t i = 0; i < runs[run].p; i++)
            add_time(&outside, &runs[run].waits.outside[i], 0, runs[run].p);
        for (size_t i = 0; i < phases->count; i++)
            for (int part = 0; part < COUNT_PARTS && phases->items[i].run == run; part++)
                in_phases_s += phases->items[i].parts_s[part];
        rest->parts[COUNT_COMPUTATION][run] += outside.parts_s[COUNT_COMPUTATION];
        left_s[run] += fmax(0, runs[run].time_s - in_phases_s - outside.parts_s[COUNT_COMPUTATION]);
    }
}

static int by_stop(const void *left, const void *right)
{
    const CountPhase *a = left, *b = right;
    if (a->stops_p != b->stops_p)
        return a->stops_p < b->stops_p ? -1 : 1;
    return a->share > b->share ? -1 : a->share < b->share;
}

/* ---- all phases ---- */

static void list_unmatched(const Groups *groups, const RunPhases *phases, Counts *counts, Arena *arena)
{
    VEC(const char *) lines = {0};
    for (size_t i = 0; i < phases->count; i++) {
        const RunPhase *phase = &phases->items[i];
        const Group *group = groups->items;
        double time_s = 0;
        while (strcmp(group->structure, phase->structure) != 0)
            group++;
        if (is_matched(group, counts->n_runs))
            continue;
        for (int part = 0; part < COUNT_PARTS; part++)
            time_s += phase->parts_s[part];
        *vec_push(&lines) = arena_printf(arena, "phase %u of %s (%s), %.3g %% of its time", phase->phase->id,
                                         counts->runs[phase->run].path, phase->structure,
                                         100 * time_s / counts->runs[phase->run].time_s);
    }
    counts->n_unmatched = (uint32_t)lines.count;
    counts->unmatched = vec_copy(&lines, arena);
    vec_free(&lines);
}

static Sums sums_of(const RunPhases *phases, const Group *group, uint32_t number, uint32_t n_runs, Arena *arena)
{
    Sums sums = sums_new(n_runs, arena);
    for (size_t i = 0; i < phases->count; i++)
        if (strcmp(phases->items[i].structure, group->structure) == 0 &&
            (!group->is_apart || phases->items[i].number == number))
            sums_add(&sums, &phases->items[i]);
    return sums;
}

static void find_phases(Counts *counts, Arena *arena)
{
    Groups groups = {0};
    RunPhases phases = {0};
    VEC(CountPhase) found = {0};
    Sums rest = sums_new(counts->n_runs, arena);
    find_groups(counts->runs, counts->n_runs, &phases, &groups, arena);
    for (size_t i = 0; i < groups.count; i++) {
        const Group *group = &groups.items[i];
        for (uint32_t k = 0; is_matched(group, counts->n_runs) && k < (group->is_apart ? group->counts[0] : 1); k++) {
            const Sums sums = sums_of(&phases, group, k, counts->n_runs, arena);
            *vec_push(&found) = row_make(group->structure, &sums, counts, arena);
        }
        for (size_t k = 0; !is_matched(group, counts->n_runs) && k < phases.count; k++)
            if (strcmp(phases.items[k].structure, group->structure) == 0)
                sums_add(&rest, &phases.items[k]);
    }
    list_unmatched(&groups, &phases, counts, arena);
    add_outside(counts->runs, counts->n_runs, &phases, &rest);
    counts->rest = row_make("", &rest, counts, arena);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, by_stop);
    counts->n_phases = (uint32_t)found.count;
    counts->phases = vec_copy(&found, arena);
    vec_free(&found);
    vec_free(&groups);
    vec_free(&phases);
}

/* ---- predictions ---- */

/* A sum of times by different laws, whose errors are independent of each other. */
typedef struct Total {
    double parts_s[COUNT_PARTS], value, below, above; /* below, above: squares of its interval's half widths */
} Total;

/* Returns the time, at least 0. */
static double add_series(Total *total, const CountSeries *series, double p, double width)
{
    Estimated time_s = count_series_at(series, p);
    double value = fmax(0, time_s.value), low = fmax(0, fmin(value * (1 - width), time_s.low)),
           high = fmax(value * (1 + width), time_s.high);
    total->value += value;
    total->below += (value - low) * (value - low);
    total->above += (high - value) * (high - value);
    return value;
}

static void add_row(Total *total, const CountPhase *row, double width, double p)
{
    for (int part = 0; part < (int)row->together_from; part++)
        total->parts_s[part] += add_series(total, &row->parts[part], p, width);
    row_divide(row, add_series(total, &row->together, p, width), p, total->parts_s);
}

static Estimated total_time(const Total *total)
{
    return (Estimated){total->value, total->value - sqrt(total->below), total->value + sqrt(total->above)};
}

static CountShare predict_row(const CountPhase *row, double p, double whole_s)
{
    Total total = {0};
    add_row(&total, row, 0, p);
    return (CountShare){row->structure, total_time(&total), total.value / whole_s};
}

static const CountShare *predict_rows(const CountPhase *rows, uint32_t n, double p, double whole_s, Arena *arena)
{
    CountShare *shares = arena_new_array(arena, CountShare, n);
    for (uint32_t i = 0; i < n; i++)
        shares[i] = predict_row(&rows[i], p, whole_s);
    return shares;
}

/* Calls have laws of their own, by which together they may take more or less than the phases' communication. They share
 * that: what a call takes, over what this returns, is its share of the time. */
static double calls_whole_s(const Counts *counts, double p, const Total *total)
{
    Total calls = {0};
    for (uint32_t i = 0; i < counts->n_calls; i++)
        add_row(&calls, &counts->calls[i], 0, p);
    double communication_s = total->value - total->parts_s[COUNT_COMPUTATION];
    return calls.value > 0 && communication_s > 0 ? total->value * calls.value / communication_s : total->value;
}

/* All phases, and the time outside of phases. */
static Total add_rows(const Counts *counts, double x)
{
    Total total = {0};
    for (uint32_t i = 0; i < counts->n_phases; i++)
        add_row(&total, &counts->phases[i], 0, x);
    add_row(&total, &counts->rest, UNMATCHED_WIDTH, x);
    return total;
}

static CountPrediction predict(const Counts *counts, uint32_t p, Arena *arena)
{
    const Total total = add_rows(counts, p);
    CountPrediction prediction = {
        .p = p,
        .distance = scaling_distance(p, counts->runs[0].x, counts->runs[counts->n_runs - 1].x),
        .time_s = total_time(&total),
        .efficiency =
            counts_have_efficiency(counts) ? row_ideal_s(counts, counts->runs[0].time_s, p) / total.value : NAN,
        .n_phases = counts->n_phases,
        .phases = predict_rows(counts->phases, counts->n_phases, p, total.value, arena),
        .rest = predict_row(&counts->rest, p, total.value),
        .n_calls = counts->n_calls,
        .calls = predict_rows(counts->calls, counts->n_calls, p, calls_whole_s(counts, p, &total), arena)};
    memcpy(prediction.parts_s, total.parts_s, sizeof prediction.parts_s);
    return prediction;
}

/* Steps of equal ratio, from the first run to beyond the last one, or to the last prediction. */
static void draw_curve(Counts *counts, Arena *arena)
{
    enum { POINTS = 41, BEYOND = 2 };
    CountCurvePoint *curve = arena_new_array(arena, CountCurvePoint, POINTS);
    double first = counts->runs[0].x, last = BEYOND * counts->runs[counts->n_runs - 1].x;
    for (uint32_t i = 0; i < counts->n_predictions; i++)
        last = fmax(last, counts->predictions[i].p);
    for (int i = 0; i < POINTS; i++) {
        double x = first * pow(last / first, (double)i / (POINTS - 1));
        const Total total = add_rows(counts, x);
        curve[i] = (CountCurvePoint){.x = x, .time_s = total_time(&total)};
        memcpy(curve[i].parts_s, total.parts_s, sizeof curve[i].parts_s);
    }
    counts->n_curve = POINTS;
    counts->curve = curve;
}

static int by_x(const void *left, const void *right)
{
    const CountRun *a = left, *b = right;
    return a->x < b->x ? -1 : a->x > b->x;
}

static bool check_runs(const CountRun *runs, uint32_t n, bool by_size, Err *err)
{
    for (uint32_t i = 1; i < n; i++) {
        if (runs[i].x == runs[i - 1].x)
            return err_set(err, ERR_INPUT, "%s and %s have the same %s, %g", runs[i - 1].path, runs[i].path,
                           by_size ? "size" : "number of processes", runs[i].x);
        if (by_size && runs[i].p != runs[i - 1].p)
            return err_set(err, ERR_INPUT, "%s and %s have different numbers of processes, %u and %u", runs[i - 1].path,
                           runs[i].path, runs[i - 1].p, runs[i].p);
    }
    return true;
}

/* Mean over processes. */
static double computation(const CountRun *run)
{
    const Waits *waits = &run->waits;
    double sum = 0;
    for (uint32_t i = 0; i < run->p; i++)
        sum += (double)waits->outside[i].compute_ns;
    for (size_t i = 0; i < (size_t)waits->signature->n_phases * run->p; i++)
        sum += (double)waits->times[i].compute_ns;
    return sum / run->p;
}

static CountScaling find_scaling(const CountRun *runs, uint32_t n)
{
    double first = computation(&runs[0]), last = computation(&runs[n - 1]);
    if (1e-9 * first < MOST_OF_TIME * runs[0].time_s)
        return COUNT_UNKNOWN;
    bool falls = first > 0 && last > 0 && log(last / first) / log(runs[n - 1].x / runs[0].x) <= WEAK_EXPONENT;
    return falls ? COUNT_STRONG : COUNT_WEAK;
}

bool counts_have_efficiency(const Counts *counts)
{
    return counts->scaling == COUNT_STRONG || counts->scaling == COUNT_WEAK;
}

bool counts_make(CountRun *runs, uint32_t n_runs, CountScaling scaling, const ScalingOptions *options, Arena *arena,
                 Counts *counts, Err *err)
{
    if (n_runs < COUNT_RUNS_LEAST || n_runs > COUNT_RUNS_LIMIT)
        return err_set(err, ERR_USAGE, "expected %d to %d runs, found %u", COUNT_RUNS_LEAST, COUNT_RUNS_LIMIT, n_runs);
    qsort(runs, n_runs, sizeof *runs, by_x);
    if (!check_runs(runs, n_runs, scaling == COUNT_SIZES, err))
        return false;
    *counts = (Counts){.n_runs = n_runs,
                       .runs = runs,
                       .scaling = scaling ? scaling : find_scaling(runs, n_runs),
                       .efficiency_limit = options->efficiency_limit};
    find_phases(counts, arena);
    calls_find(counts, options->n_extrapolate ? options->extrapolate[options->n_extrapolate - 1] : runs[n_runs - 1].x,
               arena);
    CountPrediction *predictions = arena_new_array(arena, CountPrediction, options->n_extrapolate);
    for (uint32_t i = 0; i < options->n_extrapolate; i++)
        predictions[i] = predict(counts, options->extrapolate[i], arena);
    counts->n_predictions = options->n_extrapolate;
    counts->predictions = predictions;
    if (options->wants_curves)
        draw_curve(counts, arena);
    counts_warn(counts, arena);
    return true;
}
