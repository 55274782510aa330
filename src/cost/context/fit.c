/* SPDX-License-Identifier: BSD-3-Clause */
/* See fit.h. The unknowns are the logarithms of costs, so that no cost becomes negative. */
#include "cost/context/fit.h"

#include "base/arena.h"
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* What operations are expected to cost, relative to each other: nanoseconds of a processor at 3 to 4 GHz that
 * executes several at a time. A common factor makes them those of this machine at these options. How far costs
 * are from that, and times from their prediction, as logarithms. */
typedef struct Expectation {
    double cost, deviation;
} Expectation;
static const Expectation expectations[CONTEXT_CLASSES] = {
    [CONTEXT_SCALAR] = {0.02e-9, 0.7},
    [CONTEXT_WHOLE] = {0.1e-9, 0.7},
    [CONTEXT_PRODUCT] = {0.3e-9, 0.7},
    [CONTEXT_FLOATING] = {0.3e-9, 0.7},
    [CONTEXT_ELEMENT] = {0.15e-9, 0.7},
    [CONTEXT_STRAY] = {0.3e-9, 0.7},
    [CONTEXT_FIELD] = {0.15e-9, 0.7},
    [CONTEXT_REFERENCE] = {0.8e-9, 0.7},
    [CONTEXT_BRANCH] = {0.1e-9, 0.7},
    [CONTEXT_WAIT_FLOATING] = {0.2e-9, 0.7},
    [CONTEXT_SURPRISE] = {3e-9, 0.7},
    [CONTEXT_WAIT] = {0.2e-9, 0.7},
    [CONTEXT_CALL] = {0.3e-9, 0.7},
    [CONTEXT_BYTE] = {0.05e-9, 0.7},
    [CONTEXT_LONG] = {0.5, 1.5},
    [CONTEXT_ELEMENT_FAR] = {0.05e-9, 0.7},
    [CONTEXT_STRAY_FAR] = {0.1e-9, 0.7},
    [CONTEXT_REFERENCE_FAR] = {1e-9, 1.5},
    [CONTEXT_SURPRISE_FAR] = {0.5e-9, 0.7},
    [CONTEXT_CYCLE] = {0.3e-9, 0.7},
    [CONTEXT_STREAM] = {0.5, 0.3},
    [CONTEXT_LEAP] = {0.5, 0.3},
    [CONTEXT_ROAM_FAR] = {0.5, 0.3},
    [CONTEXT_FOLLOW_FAR] = {1, 0.1},
};
/* Classes that keep their costs in a fit. */
static const double KEPT_DEVIATION = 0.05;
static const double TIME_DEVIATION = 0.4;
enum { MOST_STEPS = 200, LEAST_KERNELS = 4 };

ContextClass context_class(const char *language, CpuOperation operation, CpuType type)
{
    bool is_floating = type == CPU_FLOAT || type == CPU_DOUBLE;
    switch (operation) {
    case CPU_ASSIGN:
    case CPU_ACCESS:
        return CONTEXT_SCALAR;
    case CPU_ELEMENT: /* of a structure in C: its address alone */
        return type == CPU_REFERENCE && strcmp(language, "c") == 0 ? CONTEXT_WHOLE : CONTEXT_ELEMENT;
    case CPU_STRAY:
        return CONTEXT_STRAY;
    case CPU_FIELD:
        return type == CPU_REFERENCE ? CONTEXT_REFERENCE : CONTEXT_FIELD;
    case CPU_BRANCH:
        return CONTEXT_BRANCH;
    case CPU_SURPRISE:
        return CONTEXT_SURPRISE;
    case CPU_WAIT:
        return is_floating ? CONTEXT_WAIT_FLOATING : CONTEXT_WAIT;
    case CPU_ALLOCATE:
        return type == CPU_REFERENCE ? CONTEXT_LONG : CONTEXT_BYTE;
    case CPU_CALL:
    case CPU_RETURN:
        return CONTEXT_CALL;
    case CPU_CYCLE:
        return CONTEXT_CYCLE;
    case CPU_STREAM:
        return CONTEXT_STREAM;
    case CPU_LEAP:
        return CONTEXT_LEAP;
    case CPU_ROAM:
        return CONTEXT_ROAM_FAR;
    case CPU_FOLLOW:
    case CPU_DESCEND:
        return CONTEXT_FOLLOW_FAR;
    case CPU_MUL:
        return is_floating ? CONTEXT_FLOATING : CONTEXT_PRODUCT;
    case CPU_SUM:
    case CPU_SUB:
    case CPU_NEGATE:
    case CPU_COMPARE:
    case CPU_LOGICAL:
    case CPU_BITWISE:
    case CPU_SHIFT:
    case CPU_CAST:
    case CPU_ABS:
        return is_floating ? CONTEXT_FLOATING : CONTEXT_WHOLE;
    default:
        return CONTEXT_LONG;
    }
}

/* Whether amounts are seconds as measured one by one. */
static bool is_factor(ContextClass class)
{
    return class == CONTEXT_LONG || class >= CONTEXT_STREAM;
}

bool context_is_of_compiled(ContextClass class)
{
    return class == CONTEXT_SURPRISE || class == CONTEXT_BYTE || class == CONTEXT_LONG || class >= CONTEXT_CYCLE;
}

/* The runs of one fit: all but those of a kernel. */
typedef struct Problem {
    const ContextRun *const *runs;
    size_t n;
    const Expectation *expected; /* [CONTEXT_CLASSES] */
} Problem;

static double predicted_s(const ContextRun *run, const gsl_vector *logarithms)
{
    double sum_s = 0;
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        sum_s += exp(gsl_vector_get(logarithms, k)) * run->amounts[k];
    return sum_s;
}

/* The logarithm of a class's expected cost. */
static double expected_of(const Problem *problem, size_t class)
{
    return log(problem->expected[class].cost);
}

static int residuals(const gsl_vector *logarithms, void *data, gsl_vector *values)
{
    const Problem *problem = data;
    for (size_t i = 0; i < problem->n; i++)
        gsl_vector_set(values, i,
                       log(predicted_s(problem->runs[i], logarithms) / problem->runs[i]->time_s) / TIME_DEVIATION);
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        gsl_vector_set(values, problem->n + k,
                       (gsl_vector_get(logarithms, k) - expected_of(problem, k)) / problem->expected[k].deviation);
    return GSL_SUCCESS;
}

static int derivatives(const gsl_vector *logarithms, void *data, gsl_matrix *values)
{
    const Problem *problem = data;
    gsl_matrix_set_zero(values);
    for (size_t i = 0; i < problem->n; i++) {
        double own_s = predicted_s(problem->runs[i], logarithms) * TIME_DEVIATION;
        for (size_t k = 0; k < CONTEXT_CLASSES; k++)
            gsl_matrix_set(values, i, k, exp(gsl_vector_get(logarithms, k)) * problem->runs[i]->amounts[k] / own_s);
    }
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        gsl_matrix_set(values, problem->n + k, k, 1 / problem->expected[k].deviation);
    return GSL_SUCCESS;
}

static double cost_of(const ContextRun *run, const double *costs)
{
    double sum_s = 0;
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        sum_s += costs[k] * run->amounts[k];
    return sum_s;
}

bool context_may_be_none(ContextClass class)
{
    return class == CONTEXT_SURPRISE || class == CONTEXT_SURPRISE_FAR || class == CONTEXT_STRAY_FAR ||
           class == CONTEXT_REFERENCE_FAR || class == CONTEXT_ROAM_FAR || class == CONTEXT_FOLLOW_FAR;
}

/* The same without what may be none. */
static double least_cost_of(const ContextRun *run, const double *costs)
{
    ContextRun least = *run;
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        if (context_may_be_none((ContextClass)k))
            least.amounts[k] = 0;
    double cost_s = cost_of(&least, costs);
    return cost_s > 0 ? cost_s : cost_of(run, costs);
}

/* Logarithms of measured over predicted times: of the longest prediction, and of the shortest one. */
typedef struct Errors {
    double *of_longest, *of_shortest;
} Errors;

static Errors new_errors(size_t n, Arena *arena)
{
    return (Errors){arena_new_array(arena, double, n), arena_new_array(arena, double, n)};
}

static void set_error(const Errors *errors, size_t i, const ContextRun *run, const double *costs)
{
    errors->of_longest[i] = log(run->time_s / cost_of(run, costs));
    errors->of_shortest[i] = log(run->time_s / least_cost_of(run, costs));
}

/* The median of measured times over expected ones. */
static double find_factor(const ContextRun *runs, size_t n, double *ratios)
{
    double costs[CONTEXT_CLASSES];
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        costs[k] = expectations[k].cost;
    for (size_t i = 0; i < n; i++)
        ratios[i] = runs[i].time_s / cost_of(&runs[i], costs);
    gsl_sort(ratios, 1, n);
    return gsl_stats_median_from_sorted_data(ratios, 1, n);
}

static void solve(Problem *problem, double surprise_s, double *costs)
{
    const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf system = {
        .f = residuals, .df = derivatives, .n = problem->n + CONTEXT_CLASSES, .p = CONTEXT_CLASSES, .params = problem};
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, system.n, system.p);
    gsl_vector *start = gsl_vector_alloc(CONTEXT_CLASSES);
    int reason;
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        gsl_vector_set(start, k, expected_of(problem, k));
    gsl_multifit_nlinear_init(start, &system, work);
    gsl_multifit_nlinear_driver(MOST_STEPS, 1e-8, 1e-8, 0, NULL, NULL, &reason, work);
    const gsl_vector *found = gsl_multifit_nlinear_position(work);
    for (size_t k = 0; k < CONTEXT_CLASSES; k++)
        costs[k] = exp(gsl_vector_get(found, k));
    costs[CONTEXT_SURPRISE] = fmax(costs[CONTEXT_SURPRISE], surprise_s);
    gsl_vector_free(start);
    gsl_multifit_nlinear_free(work);
}

/* The errors where each kernel is left out of its own fit. */
static void leave_out(const ContextRun *runs, size_t n, unsigned n_kernels, const Expectation *expected,
                      double surprise_s, const Errors *errors, Arena *arena)
{
    const ContextRun **others = arena_new_array(arena, const ContextRun *, n);
    for (unsigned kernel = 0; kernel < n_kernels; kernel++) {
        Problem problem = {others, 0, expected};
        double costs[CONTEXT_CLASSES];
        for (size_t i = 0; i < n; i++)
            if (runs[i].kernel != kernel)
                others[problem.n++] = &runs[i];
        solve(&problem, surprise_s, costs);
        for (size_t i = 0; i < n; i++)
            if (runs[i].kernel == kernel)
                set_error(errors, i, &runs[i], costs);
    }
}

static bool check(const ContextRun *runs, size_t n, unsigned *n_kernels, Err *err)
{
    *n_kernels = 0;
    for (size_t i = 0; i < n; i++) {
        double amounts = 0;
        for (size_t k = 0; k < CONTEXT_CLASSES; k++)
            amounts += runs[i].amounts[k];
        *n_kernels = runs[i].kernel < *n_kernels ? *n_kernels : runs[i].kernel + 1;
        if (!(runs[i].time_s > 0) || !(amounts > 0))
            return err_set(err, ERR_ENVIRONMENT, "kernel %u took no time", runs[i].kernel);
    }
    return *n_kernels >= LEAST_KERNELS || err_set(err, ERR_ENVIRONMENT, "fewer than %d kernels ran", LEAST_KERNELS);
}

/* Usual costs times a factor; in a fit of compiled code, those of operations as the former fit found them. */
static void find_expected(const ContextRun *runs, size_t n, const ContextFit *operations, double *ratios,
                          Expectation *expected)
{
    double factor = operations ? 1 : find_factor(runs, n, ratios);
    for (size_t k = 0; k < CONTEXT_CLASSES; k++) {
        bool is_kept = operations && !context_is_of_compiled((ContextClass)k);
        expected[k] = is_kept ? (Expectation){operations->costs[k], KEPT_DEVIATION}
                      : is_factor((ContextClass)k)
                          ? expectations[k]
                          : (Expectation){expectations[k].cost * factor, expectations[k].deviation};
    }
}

/* The interval in which a kernel that isn't among these lies with the probability CONTEXT_SHARE, if it is one of their
 * kind: it is equally likely to have each of the n_kernels + 1 places among them. */
static Interval spread_of(const Errors *errors, size_t n, size_t n_kernels)
{
    gsl_sort(errors->of_longest, 1, n);
    gsl_sort(errors->of_shortest, 1, n);
    double outside = (1 - CONTEXT_SHARE) / 2 * (double)(n_kernels + 1) / (double)n_kernels * (double)n - 1,
           share = fmax(0, outside / (double)(n - 1));
    return (Interval){exp(gsl_stats_quantile_from_sorted_data(errors->of_shortest, 1, n, share)),
                      exp(gsl_stats_quantile_from_sorted_data(errors->of_longest, 1, n, 1 - share))};
}

Interval context_guess(const ContextRun *assumed, size_t n, const ContextFit *fit)
{
    if (!n)
        return (Interval){1, 1};
    Arena *arena = arena_new();
    const Errors errors = new_errors(n, arena);
    for (size_t i = 0; i < n; i++)
        set_error(&errors, i, &assumed[i], fit->costs);
    Interval spread = spread_of(&errors, n, n);
    arena_free(arena);
    return (Interval){fmin(1, spread.low / fit->spread.low), fmax(1, spread.high / fit->spread.high)};
}

bool context_fit(const ContextRun *runs, size_t n, const ContextFit *operations, double surprise_s, ContextFit *fit,
                 Err *err)
{
    unsigned n_kernels;
    if (!check(runs, n, &n_kernels, err))
        return false;
    Arena *arena = arena_new();
    const ContextRun **all = arena_new_array(arena, const ContextRun *, n);
    const Errors errors = new_errors(n, arena);
    for (size_t i = 0; i < n; i++)
        all[i] = &runs[i];
    Expectation expected[CONTEXT_CLASSES];
    find_expected(runs, n, operations, errors.of_longest, expected);
    solve(&(Problem){all, n, expected}, surprise_s, fit->costs);
    leave_out(runs, n, n_kernels, expected, surprise_s, &errors, arena);
    fit->spread = spread_of(&errors, n, n_kernels);
    arena_free(arena);
    return true;
}
