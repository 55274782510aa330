/* SPDX-License-Identifier: BSD-3-Clause */
/* Isoefficiency, limits and crossovers (model_table.h): roots and minima of functions of a formula.
 * All arguments are exponents of two. A function is evaluated in steps; where it changes its sign
 * between two steps, Brent's method (GSL) finds the place. It also finds jumps, for example of
 * ceil(). */
#include "base/vec.h"
#include "scaling/model_table.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_roots.h>
#include <math.h>

enum { MOST_ITERATIONS = 200, STEPS_AN_OCTAVE = 8 };

#define NEAR 1e-12     /* of an exponent of two */
#define ROUNDING 1e-12 /* of an efficiency */
#define STILL_GROWING                                                                                                  \
    1.001 /* if a speedup grows by less from p = 2^20 to 2^40, it has reached
                               its bound */

/* A function of x, an exponent of two. */
typedef struct Curve {
    const ModelQuestion *question;
    const Formula *formula, *other;
    uint32_t corner;
    double n, p; /* the one that isn't 2^x */
} Curve;

double model_speedup_at(const ModelQuestion *question, const Formula *formula, uint32_t corner, double n, double p)
{
    const Formula *sequential = question->sequential ? question->sequential : formula;
    double one_s = formula_time_at(sequential, &question->parameters, corner, n, 1);
    double time_s = formula_time_at(formula, &question->parameters, corner, n, p);
    return time_s > 0 && one_s >= 0 ? one_s / time_s : NAN;
}

static double time_over_p(double x, void *self)
{
    const Curve *curve = self;
    return formula_time_at(curve->formula, &curve->question->parameters, curve->corner, curve->n, exp2(x));
}

static double efficiency_over_n(double x, void *self)
{
    const Curve *curve = self;
    return model_speedup_at(curve->question, curve->formula, curve->corner, exp2(x), curve->p) / curve->p -
           curve->question->efficiency;
}

static double efficiency_over_p(double x, void *self)
{
    const Curve *curve = self;
    return model_speedup_at(curve->question, curve->formula, curve->corner, curve->n, exp2(x)) / exp2(x) -
           curve->question->efficiency;
}

static double gain_over_p(double x, void *self)
{
    const Curve *curve = self;
    const FormulaParameters *parameters = &curve->question->parameters;
    return formula_time_at(curve->formula, parameters, curve->corner, curve->n, exp2(x)) -
           formula_time_at(curve->other, parameters, curve->corner, curve->n, exp2(x));
}

static double gain_over_n(double x, void *self)
{
    const Curve *curve = self;
    const FormulaParameters *parameters = &curve->question->parameters;
    return formula_time_at(curve->formula, parameters, curve->corner, exp2(x), curve->p) -
           formula_time_at(curve->other, parameters, curve->corner, exp2(x), curve->p);
}

/* The place where the function changes its sign between low and high, which have different
 * signs. */
static double root(double (*function)(double, void *), Curve *curve, double low, double high)
{
    gsl_function of = {function, curve};
    gsl_error_handler_t *former = gsl_set_error_handler_off();
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    bool goes_on = gsl_root_fsolver_set(solver, &of, low, high) == GSL_SUCCESS;
    for (int i = 0; goes_on && i < MOST_ITERATIONS; i++) {
        goes_on = gsl_root_fsolver_iterate(solver) == GSL_SUCCESS;
        low = gsl_root_fsolver_x_lower(solver);
        high = gsl_root_fsolver_x_upper(solver);
        goes_on = goes_on && high - low > NEAR;
    }
    gsl_root_fsolver_free(solver);
    gsl_set_error_handler(former);
    return high;
}

/* ---- Isoefficiency ---- */

/* The least x that keeps the efficiency; *kind: what kind of answer this is. An efficiency that
 * only approaches the limit, such as that of n + p/4 at p = 2, reaches it by rounding at sizes of
 * 2^50. Then no size keeps it. */
static double least_size(Curve *curve, IsoKind *kind)
{
    double before = NAN;
    for (int i = 0; i <= 2 * MODEL_LARGEST_EXPONENT; i++) {
        double x = i / 2.0, value = efficiency_over_n(x, curve);
        if (value >= 0 && before < 0 && before > -ROUNDING)
            break;
        if (value >= 0) {
            *kind = isnan(before) && i == 0 ? ISO_ANY : ISO_SIZE;
            return before < 0 ? root(efficiency_over_n, curve, x - 0.5, x) : x;
        }
        before = value;
    }
    *kind = ISO_NONE;
    return NAN;
}

ModelIso model_isoefficiency(const ModelQuestion *question, const Formula *formula, double p, bool with_interval)
{
    Curve curve = {.question = question, .formula = formula, .corner = FORMULA_MIDDLE, .p = p};
    ModelIso iso = {0};
    double n = exp2(least_size(&curve, &iso.kind));
    iso.n = (Estimated){n, n, n};
    uint32_t n_corners = with_interval ? 1u << formula_count_inexact(&question->parameters) : 0;
    for (uint32_t corner = 0; corner < n_corners && iso.kind == ISO_SIZE; corner++) {
        IsoKind kind;
        curve.corner = corner;
        n = exp2(least_size(&curve, &kind));
        iso.n.low = fmin(iso.n.low, kind == ISO_NONE ? INFINITY : n);
        iso.n.high = fmax(iso.n.high, kind == ISO_NONE ? INFINITY : n);
    }
    return iso;
}

/* ---- Limits ---- */

/* The minimum around the least of the powers of two; the next power may have the same value. */
static double minimum(Curve *curve, int best)
{
    double middle = best;
    for (int i = 1 - STEPS_AN_OCTAVE; i < STEPS_AN_OCTAVE; i++) {
        double x = best + (double)i / STEPS_AN_OCTAVE;
        if (time_over_p(x, curve) < time_over_p(middle, curve))
            middle = x;
    }
    double low = middle - 1. / STEPS_AN_OCTAVE, high = middle + 1. / STEPS_AN_OCTAVE;
    gsl_function of = {time_over_p, curve};
    gsl_error_handler_t *former = gsl_set_error_handler_off();
    gsl_min_fminimizer *solver = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (gsl_min_fminimizer_set(solver, &of, middle, low, high) == GSL_SUCCESS) {
        for (int i = 0; i < MOST_ITERATIONS && high - low > 1e-6; i++) {
            if (gsl_min_fminimizer_iterate(solver) != GSL_SUCCESS)
                break;
            low = gsl_min_fminimizer_x_lower(solver);
            high = gsl_min_fminimizer_x_upper(solver);
        }
        middle = gsl_min_fminimizer_x_minimum(solver);
    }
    gsl_min_fminimizer_free(solver);
    gsl_set_error_handler(former);
    return middle;
}

/* The largest whole number that isn't above x, apart from rounding. */
static double whole_below(double x)
{
    return floor(x * (1 + ROUNDING));
}

/* The faster of the two whole numbers of processes around a minimum. */
static double fastest_whole(Curve *curve, double p)
{
    double below = floor(p), above = ceil(p);
    return time_over_p(log2(above), curve) < time_over_p(log2(below), curve) ? above : below;
}

static double most_processes(Curve *curve)
{
    double most = NAN;
    for (int i = 0; i <= MODEL_FAR_EXPONENT; i++) {
        double value = efficiency_over_p(i, curve);
        if (value < 0)
            return i ? whole_below(exp2(root(efficiency_over_p, curve, i - 1, i))) : NAN;
        if (isnan(value))
            return most;
        most = exp2(i);
    }
    return INFINITY;
}

ModelLimit model_limit(const ModelQuestion *question, const Formula *formula, double n)
{
    Curve curve = {.question = question, .formula = formula, .corner = FORMULA_MIDDLE, .n = n};
    int best = 0, last = 0;
    for (int i = 1; i <= MODEL_FAR_EXPONENT && !isnan(time_over_p(i, &curve)); i++) {
        last = i;
        if (time_over_p(i, &curve) < time_over_p(best, &curve))
            best = i;
    }
    ModelLimit limit = {.kind = LIMIT_NONE, .most_processes = most_processes(&curve)};
    double far_s = time_over_p(last, &curve), half_way_s = time_over_p(last / 2, &curve);
    if (half_way_s < far_s * STILL_GROWING && far_s < time_over_p(best, &curve) * STILL_GROWING) {
        limit.kind = LIMIT_BOUND;
        limit.speedup = model_speedup_at(question, formula, FORMULA_MIDDLE, n, exp2(last));
    } else if (best < last) {
        limit.kind = LIMIT_PEAK;
        limit.best_p = best ? fastest_whole(&curve, exp2(minimum(&curve, best))) : 1;
        limit.speedup = model_speedup_at(question, formula, FORMULA_MIDDLE, n, limit.best_p);
    }
    return limit;
}

/* ---- Crossovers ---- */

typedef struct CrossoverList {
    VEC(Crossover) crossovers;
} CrossoverList;

/* Finds crossovers between two exponents, in small steps. */
static void cross(double (*gain)(double, void *), Curve *curve, double from, double to, Crossover found,
                  CrossoverList *list)
{
    uint32_t n_steps = (uint32_t)ceil((to - from) * STEPS_AN_OCTAVE);
    double before_x = from, before = 0;
    for (uint32_t i = 0; i <= n_steps; i++) {
        double x = i < n_steps ? from + (double)i / STEPS_AN_OCTAVE : to, value = gain(x, curve);
        if (isnan(value) || value == 0)
            continue;
        if (before != 0 && (before < 0) != (value < 0)) {
            Crossover *crossover = vec_push(&list->crossovers);
            *crossover = found;
            crossover->at = exp2(root(gain, curve, before_x, x));
            crossover->first = before < 0 ? found.first : found.second;
            crossover->second = before < 0 ? found.second : found.first;
        }
        before = value;
        before_x = x;
    }
}

static void compare(const ModelQuestion *question, uint32_t first, uint32_t second, CrossoverList *list)
{
    Curve curve = {.question = question,
                   .formula = &question->formulas[first],
                   .other = &question->formulas[second],
                   .corner = FORMULA_MIDDLE};
    const double *sizes = question->sizes, *processes = question->processes;
    for (uint32_t i = 0; i < question->n_sizes; i++) {
        curve.n = sizes[i];
        cross(gain_over_p, &curve, log2(processes[0]), log2(processes[question->n_processes - 1]),
              (Crossover){.first = first, .second = second, .over_processes = true, .fixed = sizes[i]}, list);
    }
    for (uint32_t i = 0; i < question->n_processes; i++) {
        curve.p = processes[i];
        cross(gain_over_n, &curve, log2(sizes[0]), log2(sizes[question->n_sizes - 1]),
              (Crossover){.first = first, .second = second, .fixed = processes[i]}, list);
    }
}

uint32_t model_crossovers(const ModelQuestion *question, Arena *arena, const Crossover **crossovers)
{
    CrossoverList list = {0};
    for (uint32_t i = 0; i < question->n_formulas; i++)
        for (uint32_t k = i + 1; k < question->n_formulas; k++)
            compare(question, i, k, &list);
    uint32_t n = (uint32_t)list.crossovers.count;
    Crossover *kept = arena_new_array(arena, Crossover, n);
    if (n)
        memcpy(kept, list.crossovers.items, n * sizeof *kept);
    vec_free(&list.crossovers);
    *crossovers = kept;
    return n;
}
