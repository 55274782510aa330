/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep.h. */
#include "verbs/simulate/sweep.h"

#include "base/text.h"
#include "base/vec.h"
#include <string.h>

enum { POINTS_LIMIT = 1000 };
static const double FACTOR_LEAST = 1e-6, FACTOR_MOST = 1e6;
/* Of the factors of a range. Rounding mustn't drop the last one. */
static const double RATIO_LEAST = 1.01, ROUNDING = 1 + 1e-9;

const char *const sweep_names[SWEEP_PARAMETERS] = {"latency", "bandwidth", "speed"};

typedef struct Values {
    SweepParameter parameter;
    VEC(double) factors;
} Values;

static bool refuse(const char *word, Err *err)
{
    return err_set(err, ERR_USAGE, "--sweep: \"%s\" isn't a parameter with factors", word) ||
           err_hint(err,
                    "write a name, `=` and factors above 0, such as latency=0.5,1,2,4 or bandwidth=1:64x2; the names "
                    "are latency, bandwidth and speed");
}

static bool find_parameter(const char *word, size_t length, SweepParameter *parameter)
{
    for (int i = 0; i < SWEEP_PARAMETERS; i++)
        if (strlen(sweep_names[i]) == length && strncmp(sweep_names[i], word, length) == 0) {
            *parameter = (SweepParameter)i;
            return true;
        }
    return false;
}

static bool read_factor(const char **at, double *factor)
{
    char *end;
    *factor = text_number(*at, &end);
    bool ok = end != *at && *factor >= FACTOR_LEAST && *factor <= FACTOR_MOST;
    *at = end;
    return ok;
}

/* "0.5", "4x", or "1:64x2", which is 1, 2, 4 … 64. */
static bool read_item(const char **at, Values *values)
{
    double first, last, ratio = FACTOR_MOST * FACTOR_MOST;
    if (!read_factor(at, &first))
        return false;
    last = first;
    if (**at == ':') {
        ++*at;
        if (!read_factor(at, &last) || *(*at)++ != 'x' || !read_factor(at, &ratio) || ratio < RATIO_LEAST)
            return false;
    }
    *at += **at == 'x'; /* "4x" is 4 */
    for (double factor = first; factor <= last * ROUNDING; factor *= ratio)
        *vec_push(&values->factors) = factor;
    return first <= last;
}

static bool read_word(const char *word, Values *values, Err *err)
{
    const char *at = strchr(word, '=');
    if (!at || !find_parameter(word, (size_t)(at - word), &values->parameter))
        return refuse(word, err);
    do {
        at++;
        if (!read_item(&at, values) || (*at && *at != ','))
            return refuse(word, err);
    } while (*at);
    return true;
}

bool sweep_check(const char *word, Arena *arena, Err *err)
{
    Values values = {0};
    (void)arena;
    bool ok = read_word(word, &values, err);
    vec_free(&values.factors);
    return ok;
}

/* Every point so far, with each of the factors. */
static void combine(Sweep *sweep, const Values *values, Arena *arena)
{
    uint32_t n = (uint32_t)values->factors.count;
    SweepPoint *points = arena_new_array(arena, SweepPoint, (size_t)sweep->n_points * n);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < sweep->n_points; i++) {
            points[k * sweep->n_points + i] = sweep->points[i];
            points[k * sweep->n_points + i].factors[values->parameter] = values->factors.items[k];
        }
    sweep->points = points;
    sweep->n_points *= n;
    sweep->n_values[values->parameter] = n;
}

bool sweep_read(const char *const *words, Arena *arena, Sweep *sweep, Err *err)
{
    bool ok = true;
    *sweep = (Sweep){.n_points = 1, .points = arena_new_array(arena, SweepPoint, 1)};
    for (int i = 0; i < SWEEP_PARAMETERS; i++)
        sweep->points[0].factors[i] = 1;
    for (size_t i = 0; words && words[i] && ok; i++) {
        Values values = {0};
        ok = read_word(words[i], &values, err);
        if (ok && sweep->n_values[values.parameter])
            ok = err_set(err, ERR_USAGE, "--sweep: %s is swept twice", sweep_names[values.parameter]);
        if (ok && sweep->n_points * values.factors.count > POINTS_LIMIT)
            ok = err_set(err, ERR_USAGE, "--sweep: more than %d combinations", POINTS_LIMIT);
        if (ok && !i)
            sweep->first = values.parameter;
        if (ok)
            combine(sweep, &values, arena);
        vec_free(&values.factors);
    }
    if (!words || !words[0])
        sweep->n_points = 0;
    return ok;
}

bool sweep_run(Simulation *simulation, const Progress *progress, Sweep *sweep, Err *err)
{
    for (uint32_t i = 0; i < sweep->n_points; i++) {
        SweepPoint *point = &sweep->points[i];
        const MachineFactors factors = {point->factors[SWEEP_LATENCY], point->factors[SWEEP_BANDWIDTH],
                                        1 / point->factors[SWEEP_SPEED]};
        progress_report(progress, "sweeping", i, sweep->n_points);
        if (!simulation_time(simulation, factors, &point->application_s, err))
            return false;
    }
    return true;
}
