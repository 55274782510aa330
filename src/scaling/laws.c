/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits the laws (laws.h). Each law is a sum of terms in p with coefficients θ >= 0. Its parameters
 * are ratios of sums of these coefficients:
 *
 *     Amdahl       T   = θ0/p + θ1                T(1) = θ0 + θ1      s = θ1/(θ0 + θ1)
 *     USL          T   = θ0/p + θ1 + θ2 (p - 1)   T(1) = θ0 + θ1      α = θ1/T(1)   β = θ2/T(1)
 *     power        T   = θ0 + θ1 p^j log2^k p + θ2/p                  a = θ0, b = θ1, c = θ2
 *     Gustafson    S   = θ0 + θ1 p                S(1) = θ0 + θ1 = 1  a = θ0/(θ0 + θ1) */
#include "scaling/laws.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of two laws that predict about equally well, the one with fewer parameters is chosen. Each
 * further parameter must reduce the error by this share. */
static const double WORTH_OF_A_PARAMETER = 0.3;
/* Smaller errors are rounding. */
static const double EXACT = 1e-4;
static const double LEVEL = 0.95;
/* S(1) is 1 by definition, so this point weighs as many runs. */
static const double WEIGHT_OF_DEFINITION = 1e5;

typedef struct Parameter {
    const char *name;
    double over[LINEAR_TERMS_LIMIT], under[LINEAR_TERMS_LIMIT];
    bool is_ratio;
} Parameter;

typedef struct Law {
    const char *name, *formula;
    uint32_t n_terms, needed; /* needed: number of points; with fewer, none is left to check the
                                 law */
    bool is_of_one_size;      /* fitted to the runs of each size; firma chooses the best such law */
    uint32_t charge;          /* parameters that it counts as in addition, because it was chosen
                                 among many */
    void (*terms)(const LawFit *law, double p, double *x);
    Parameter parameters[LAW_PARAMETERS_LIMIT]; /* at most as many as terms */
} Law;

static void terms_of_shares(const LawFit *law, double p, double *x)
{
    (void)law;
    x[0] = 1 / p;
    x[1] = 1;
    x[2] = p - 1;
}

static void terms_of_power(const LawFit *law, double p, double *x)
{
    x[0] = 1;
    x[1] = pow(p, law->exponent) * pow(log2(p), law->log_exponent);
    x[2] = 1 / p;
}

static void terms_of_speedup(const LawFit *law, double p, double *x)
{
    (void)law;
    x[0] = 1;
    x[1] = p;
}

static const Law law_table[] = {
    [LAW_AMDAHL] = {"Amdahl", "T(1) (s + (1-s)/p)", .n_terms = 2, .needed = 3, .is_of_one_size = true,
                    .terms = terms_of_shares,
                    .parameters = {{.name = "T(1)", .over = {1, 1}},
                                   {.name = "s", .over = {0, 1}, .under = {1, 1}, .is_ratio = true}}},
    [LAW_GUSTAFSON] = {"Gustafson", "a + (1-a) p", .n_terms = 2, .needed = 3, .terms = terms_of_speedup,
                       .parameters = {{.name = "a", .over = {1, 0}, .under = {1, 1}, .is_ratio = true}}},
    [LAW_USL] = {"USL", "T(1) (1 + α (p-1) + β p (p-1)) / p", .n_terms = 3, .needed = 4, .is_of_one_size = true,
                 .terms = terms_of_shares,
                 .parameters = {{.name = "T(1)", .over = {1, 1, 0}},
                                {.name = "α", .over = {0, 1, 0}, .under = {1, 1, 0}, .is_ratio = true},
                                {.name = "β", .over = {0, 0, 1}, .under = {1, 1, 0}, .is_ratio = true}}},
    /* The power law is the nearest of very many, so being near means less. */
    [LAW_POWER] = {"power", "", .n_terms = 3, .needed = 5, .charge = 10, .terms = terms_of_power,
                   .parameters = {{.name = "a", .over = {1, 0, 0}},
                                  {.name = "b", .over = {0, 1, 0}},
                                  {.name = "c", .over = {0, 0, 1}}}},
};

enum { N_LAWS = sizeof law_table / sizeof *law_table, FOLDS_MOST = 24 };

/* The values from which j and k of the power law are chosen. */
static const double exponents[] = {-1,      -2.0 / 3, -0.5,    -1.0 / 3, -0.25,   0,   0.25,
                                   1.0 / 3, 0.5,      2.0 / 3, 1,        4.0 / 3, 1.5, 2},
                    log_exponents[] = {0, 1, 2};
enum {
    N_EXPONENTS = sizeof exponents / sizeof *exponents,
    N_LOG_EXPONENTS = sizeof log_exponents / sizeof *log_exponents,
    CANDIDATES_MOST = N_LAWS + 2 * N_EXPONENTS * N_LOG_EXPONENTS
};

LawPoint law_point(const RunPoint *run, double far_off, uint32_t *left_out)
{
    LawPoint point = {.p = run->p};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < run->n_times; i++) {
            double time_s = run->times_s[i];
            if (run->n_times > 2 && fabs(time_s / run->median_s - 1) > far_off) {
                *left_out += pass;
            } else if (pass == 0) {
                point.count++;
                point.value += (time_s - point.value) / point.count;
            } else {
                point.squares += pow(time_s - point.value, 2);
            }
        }
    point.freedom = point.count - 1;
    return point;
}

LawPoint law_scaled_speedup(const LawPoint *single, const LawPoint *run)
{
    double value = single->value / run->value;
    return (LawPoint){.p = run->p,
                      .value = value,
                      .squares =
                          pow(value, 2) * (single->squares / pow(single->value, 2) + run->squares / pow(run->value, 2)),
                      .freedom = single->freedom + run->freedom,
                      .count = 1 / (1 / single->count + 1 / run->count)};
}

double law_value_s(const LawFit *law, double p)
{
    double x[LINEAR_TERMS_LIMIT];
    law_table[law->kind].terms(law, p, x);
    return linear_value(&law->linear, x);
}

Estimated law_time_s(const LawFit *law, double p)
{
    double x[LINEAR_TERMS_LIMIT];
    law_table[law->kind].terms(law, p, x);
    return linear_ratio(&law->linear, x, NULL);
}

static void widen(Estimated *time_s, const LawFit *law, double p)
{
    Estimated other = law_time_s(law, p);
    time_s->low = fmin(time_s->low, other.low);
    time_s->high = fmax(time_s->high, other.high);
}

/* Widens the interval by the alternatives with the least and the greatest time. */
static void widen_by_alternatives(Estimated *time_s, const LawFit *law, double p)
{
    const LawFit *least = law, *greatest = law;
    for (uint32_t i = 0; i < law->n_alternatives; i++) {
        const LawFit *other = &law->alternatives[i];
        double value = law_value_s(other, p);
        least = value < law_value_s(least, p) ? other : least;
        greatest = value > law_value_s(greatest, p) ? other : greatest;
    }
    widen(time_s, least, p);
    widen(time_s, greatest, p);
}

Estimated laws_time_s(const LawFit *laws, uint32_t n_laws, double p)
{
    Estimated time_s = law_time_s(&laws[0], p);
    for (uint32_t i = 0; i < n_laws; i++)
        if (laws[i].plausible) {
            widen(&time_s, &laws[i], p);
            widen_by_alternatives(&time_s, &laws[i], p);
        }
    return time_s;
}

/* Fits all points except those of one fold. without == FOLDS_MOST: all points. */
static bool fit_points(LawFit *law, const LawPoint *points, uint32_t n, uint32_t without, LinearRow *rows)
{
    const Law *entry = &law_table[law->kind];
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i % FOLDS_MOST == without)
            continue;
        LinearRow *row = &rows[n_rows++];
        *row = (LinearRow){
            .y = points[i].value, .squares = points[i].squares, .freedom = points[i].freedom, .count = points[i].count};
        entry->terms(law, points[i].p, row->x);
    }
    return linear_fit(rows, n_rows, entry->n_terms - law->lacks_share, &law->linear);
}

/* Predicts each point from the others; with very many points, each fold from the others. Also sets
 * `error`. */
static bool cross_validate(LawFit *law, const LawPoint *points, uint32_t n, LinearRow *rows)
{
    double squares = 0, weights = 0, fit_squares = 0;
    for (uint32_t fold = 0; fold < FOLDS_MOST && fold < n; fold++) {
        LawFit without = *law;
        if (!fit_points(&without, points, n, fold, rows))
            return false;
        for (uint32_t i = fold; i < n; i += FOLDS_MOST) {
            double weight = 1 + log2(points[i].p / points[0].p);
            squares += weight * pow(law_value_s(&without, points[i].p) / points[i].value - 1, 2);
            fit_squares += pow(law_value_s(law, points[i].p) / points[i].value - 1, 2);
            weights += weight;
        }
    }
    law->predictive_error = sqrt(squares / weights);
    law->error = sqrt(fit_squares / n);
    return isfinite(law->predictive_error);
}

static void set_parameters(LawFit *law)
{
    const Law *entry = &law_table[law->kind];
    law->name = entry->name;
    law->formula = law->formula ? law->formula : entry->formula;
    for (uint32_t i = 0; i < law->linear.n_terms && entry->parameters[i].name; i++) {
        const Parameter *parameter = &entry->parameters[i];
        law->n_parameters = i + 1;
        law->parameters[i] = parameter->name;
        law->values[i] = linear_ratio(&law->linear, parameter->over, parameter->is_ratio ? parameter->under : NULL);
        law->values[i].value = fmax(0, law->values[i].value);
    }
}

static bool fit_law(LawFit *law, const LawPoint *points, uint32_t n, LinearRow *rows)
{
    return n >= law_table[law->kind].needed - law->lacks_share && fit_points(law, points, n, FOLDS_MOST, rows) &&
           cross_validate(law, points, n, rows);
}

static uint32_t fit_powers(LawFit *fits, const LawPoint *points, uint32_t n, LinearRow *rows)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < N_EXPONENTS; i++)
        for (unsigned k = 0; k < N_LOG_EXPONENTS; k++)
            for (int lacks = 1; lacks >= 0; lacks--) {
                LawFit law = {.kind = LAW_POWER,
                              .exponent = exponents[i],
                              .log_exponent = log_exponents[k],
                              .lacks_share = lacks};
                bool is_constant = exponents[i] == 0 && log_exponents[k] == 0;
                bool is_steep = exponents[i] > 1 && log_exponents[k] > 0;
                bool is_share = exponents[i] == -1 && log_exponents[k] == 0; /* Amdahl's law */
                if (!is_constant && !is_share && !is_steep && fit_law(&law, points, n, rows))
                    fits[count++] = law;
            }
    return count;
}

static const char *fraction_text(double exponent, Arena *arena)
{
    if (exponent == round(exponent))
        return arena_printf(arena, "%g", exponent);
    for (int under = 2;; under++)
        if (fabs(exponent * under - round(exponent * under)) < 1e-9)
            return arena_printf(arena, "(%g/%d)", round(exponent * under), under);
}

static const char *power_formula(const LawFit *law, Arena *arena)
{
    const char *power = law->exponent == 0   ? ""
                        : law->exponent == 1 ? " p"
                                             : arena_printf(arena, " p^%s", fraction_text(law->exponent, arena));
    const char *logarithm = law->log_exponent == 0   ? ""
                            : law->log_exponent == 1 ? " log2(p)"
                                                     : arena_printf(arena, " log2(p)^%g", law->log_exponent);
    return arena_printf(arena, "a + b%s%s%s", power, logarithm, law->lacks_share ? "" : " + c/p");
}

static double charged_error(const LawFit *law)
{
    uint32_t n = law->linear.n_terms + law_table[law->kind].charge;
    return fmax(law->predictive_error, EXACT) * (1 + WORTH_OF_A_PARAMETER * n);
}

static int compare_laws(const void *left, const void *right)
{
    const LawFit *a = left, *b = right;
    double a_error = charged_error(a), b_error = charged_error(b);
    return a->plausible != b->plausible ? (a->plausible ? -1 : 1) : a_error < b_error ? -1 : a_error > b_error;
}

/* Squared differences between points and fit. With repeats, if the nearest law's distance is
 * explained by them. */
static double squares_of(const LawFit *law, bool with_repeats)
{
    return law->linear.between + (with_repeats ? law->linear.within : 0);
}

/* Treats all laws as members of one family with one parameter more than terms. Laws are plausible
 * if they lie in the 95 % region of this parameter around the nearest law. */
static void find_plausible(LawFit *fits, uint32_t n)
{
    const LawFit *nearest = &fits[0];
    for (uint32_t i = 1; i < n; i++)
        if (squares_of(&fits[i], true) < squares_of(nearest, true))
            nearest = &fits[i];
    bool with_repeats = !nearest->linear.lacks_fit;
    double freedom = nearest->linear.n_between + (with_repeats ? nearest->linear.n_within : 0) - 1;
    double limit = fmax(squares_of(nearest, with_repeats), EXACT * EXACT);
    limit *= 1 + (freedom > 0 ? pow(gsl_cdf_tdist_Pinv((1 + LEVEL) / 2, freedom), 2) / freedom : INFINITY);
    for (uint32_t i = 0; i < n; i++)
        fits[i].plausible = squares_of(&fits[i], with_repeats) <= limit;
}

/* Puts the best power law into *best, with the other plausible ones as alternatives. */
static void choose_power(const LawFit *fits, uint32_t n, Arena *arena, LawFit *best)
{
    LawFit *alternatives = arena_new_array(arena, LawFit, n);
    const LawFit *chosen = &fits[0];
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (compare_laws(&fits[i], chosen) < 0)
            chosen = &fits[i];
        if (fits[i].plausible)
            alternatives[count++] = fits[i];
    }
    *best = *chosen;
    best->formula = power_formula(chosen, arena);
    best->n_alternatives = count;
    best->alternatives = alternatives;
}

uint32_t laws_fit(const LawPoint *points, uint32_t n, Arena *arena, const LawFit **laws)
{
    LinearRow *rows = arena_new_array(arena, LinearRow, n);
    LawFit *fits = arena_new_array(arena, LawFit, CANDIDATES_MOST), *found = arena_new_array(arena, LawFit, N_LAWS);
    uint32_t n_named = 0, n_powers, count;
    for (int kind = 0; kind < N_LAWS; kind++) {
        fits[n_named] = (LawFit){.kind = (LawKind)kind};
        n_named += law_table[kind].is_of_one_size && fit_law(&fits[n_named], points, n, rows);
    }
    n_powers = fit_powers(fits + n_named, points, n, rows);
    find_plausible(fits, n_named + n_powers);
    for (count = 0; count < n_named; count++)
        found[count] = fits[count];
    if (n_powers)
        choose_power(fits + n_named, n_powers, arena, &found[count++]);
    for (uint32_t i = 0; i < count; i++)
        set_parameters(&found[i]);
    qsort(found, count, sizeof *found, compare_laws);
    *laws = found;
    return count;
}

const LawFit *laws_find(const LawFit *laws, uint32_t n, LawKind kind)
{
    for (uint32_t i = 0; i < n; i++)
        if (laws[i].kind == kind)
            return &laws[i];
    return NULL;
}

bool laws_fit_gustafson(const LawPoint *speedups, uint32_t n, Arena *arena, LawFit *law)
{
    LinearRow *rows = arena_new_array(arena, LinearRow, n + 1);
    LawPoint *points = arena_new_array(arena, LawPoint, n + 1);
    LawFit fit = {.kind = LAW_GUSTAFSON};
    points[0] = (LawPoint){.p = 1, .value = 1, .count = WEIGHT_OF_DEFINITION};
    for (uint32_t i = 0; i < n; i++)
        points[i + 1] = speedups[i];
    if (!fit_law(&fit, points, n + 1, rows))
        return false;
    set_parameters(&fit);
    fit.plausible = true;
    *law = fit;
    return true;
}
