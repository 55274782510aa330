/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits the laws of the table (law_table.h), finds which of them are plausible, and chooses (laws.h). */
#include "scaling/law_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How laws are compared. A charge, in variances, is how far a law's squares must be below another's to
 * make up for it. */
typedef struct Rules {
    double charge_of_term, charge_of_rare; /* of each term; of terms that few programs have */
    double charge_of_power;                /* in the order of laws: powers are many, so being near means less */
    double level;                          /* of the region in which laws are plausible */
} Rules;

/* The level is above 95 %, because the law is chosen, too. */
static const Rules rules_of_choice = {4, 10, 3.5, 0.975}, rules_of_one_kind = {0, 0, 0, 0.95};
/* S(1) is 1 by definition, so this point weighs as many runs. */
static const double WEIGHT_OF_DEFINITION = 1e5;

const double LAW_NOISY = 0.05;

enum { FOLDS_MOST = 24, POINTS_LEAST = 3 };

LawPoint law_point(const RunPoint *run, double far_off, uint32_t *left_out)
{
    LawPoint point = {.n = run->n, .p = run->p};
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
    return (LawPoint){.n = run->n,
                      .p = run->p,
                      .value = value,
                      .squares =
                          pow(value, 2) * (single->squares / pow(single->value, 2) + run->squares / pow(run->value, 2)),
                      .freedom = single->freedom + run->freedom,
                      .count = 1 / (1 / single->count + 1 / run->count)};
}

double law_value_at(const LawFit *law, double n, double p)
{
    double x[LINEAR_TERMS_LIMIT];
    law_table[law->kind].terms(law, n, p, x);
    return linear_value(&law->linear, x);
}

double law_value_s(const LawFit *law, double p)
{
    return law_value_at(law, 1, p);
}

/* No law of the table changes more steeply than n or p to this power. */
static const double STEEPEST = 4;

/* A time that no law falls below: the least one that was measured, over the distance to that power. */
static double floor_s(const LawFit *law, double n, double p)
{
    double distance =
        scaling_distance(n, law->least_n, law->most_n).times * scaling_distance(p, law->least_p, law->most_p).times;
    return law->least_s * pow(distance, -STEEPEST);
}

/* Times are positive, but sums may be 0 somewhere. */
static Estimated above_zero(const LawFit *law, double n, double p, Estimated time_s)
{
    if (!(time_s.low > 0) && law->least_s > 0)
        time_s.low = fmin(floor_s(law, n, p), time_s.value > 0 ? time_s.value : INFINITY);
    time_s.high = fmax(time_s.high, time_s.low);
    return time_s;
}

Estimated law_time_at(const LawFit *law, double n, double p)
{
    double x[LINEAR_TERMS_LIMIT];
    law_table[law->kind].terms(law, n, p, x);
    return above_zero(law, n, p, linear_ratio(&law->linear, x, NULL));
}

Estimated law_time_s(const LawFit *law, double p)
{
    return law_time_at(law, 1, p);
}

Estimated laws_time_s(const LawFit *laws, uint32_t n_laws, double p)
{
    return laws_time_at(laws, n_laws, 1, p);
}

Estimated laws_time_at(const LawFit *laws, uint32_t n_laws, double n, double p)
{
    Estimated time_s = law_time_at(&laws[0], n, p);
    for (uint32_t i = 0; i < n_laws; i++)
        for (uint32_t k = 0; k < laws[i].n_alternatives; k++) {
            const LawFit *law = &laws[i].alternatives[k];
            double x[LINEAR_TERMS_LIMIT];
            law_table[law->kind].terms(law, n, p, x);
            Estimated other = above_zero(law, n, p, linear_range(&law->linear, x, law->charge, law->slack));
            time_s.low = fmin(time_s.low, other.low);
            time_s.high = fmax(time_s.high, other.high);
        }
    return time_s;
}

/* Fits all points except those of one fold. without == FOLDS_MOST: all points. */
static bool fit_points(LawFit *law, const LawPoint *points, uint32_t n, uint32_t without, LinearRow *rows)
{
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i % FOLDS_MOST == without)
            continue;
        LinearRow *row = &rows[n_rows++];
        *row = (LinearRow){
            .y = points[i].value, .squares = points[i].squares, .freedom = points[i].freedom, .count = points[i].count};
        law_table[law->kind].terms(law, points[i].n, points[i].p, row->x);
    }
    return linear_fit(rows, n_rows, law_n_terms(law), &law->linear);
}

/* How far the points are from the law and, if the points suffice, from laws that were fitted to the
 * other points; with very many points, each fold from the others. */
static void set_errors(LawFit *law, const LawPoint *points, uint32_t n, LinearRow *rows)
{
    double squares = 0, weights = 0, fit_squares = 0;
    for (uint32_t fold = 0; fold < FOLDS_MOST && fold < n; fold++) {
        LawFit without = *law;
        bool can_predict = fit_points(&without, points, n, fold, rows);
        for (uint32_t i = fold; i < n; i += FOLDS_MOST) {
            double weight = 1 + fabs(log2(points[i].p / points[0].p));
            double predicted = law_value_at(&without, points[i].n, points[i].p);
            squares += can_predict ? weight * pow(predicted / points[i].value - 1, 2) : NAN;
            fit_squares += pow(law_value_at(law, points[i].n, points[i].p) / points[i].value - 1, 2);
            weights += weight;
        }
    }
    law->predictive_error = sqrt(squares / weights);
    law->error = sqrt(fit_squares / n);
}

/* Exponents and a threshold are chosen by the points, as coefficients are. Without a degree of freedom, the variance is
 * an assumption. */
static void set_doubts(LawFit *law, uint32_t n)
{
    uint32_t n_chosen = law->kind == LAW_POWER || law->kind == LAW_CACHE;
    bool is_known = law->linear.n_between > 0 || law->linear.n_within > 0;
    law->has_few_points = n <= law_n_terms(law) + n_chosen + 1;
    law->is_noisy = law->error > LAW_NOISY || (is_known && sqrt(law->linear.variance) > LAW_NOISY);
}

/* The names, formulas and values of parameters, and the errors, of a law that is shown. */
static void describe(LawFit *law, const LawPoint *points, uint32_t n, LinearRow *rows, Arena *arena)
{
    const Law *entry = &law_table[law->kind];
    law->name = entry->name;
    law->formula = law_formula(law, arena);
    for (uint32_t i = 0; i < law->linear.n_terms && entry->parameters[i].name; i++) {
        const LawParameter *parameter = &entry->parameters[i];
        law->n_parameters = i + 1;
        law->parameters[i] = parameter->name;
        law->values[i] = linear_ratio(&law->linear, parameter->over, parameter->is_ratio ? parameter->under : NULL);
        law->values[i].value = fmax(0, law->values[i].value);
    }
    set_errors(law, points, n, rows);
    set_doubts(law, n);
}

static bool fit_law(LawFit *law, const LawPoint *points, uint32_t n, LinearRow *rows)
{
    return n >= law_n_terms(law) && fit_points(law, points, n, FOLDS_MOST, rows);
}

static void set_extent(LawFit *law, const LawPoint *points, uint32_t n)
{
    law->least_s = law->least_n = law->least_p = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        law->least_s = fmin(law->least_s, points[i].value);
        law->least_p = fmin(law->least_p, points[i].p);
        law->most_p = fmax(law->most_p, points[i].p);
        law->least_n = fmin(law->least_n, law->kind == LAW_JOINT ? points[i].n : 1);
        law->most_n = fmax(law->most_n, law->kind == LAW_JOINT ? points[i].n : 1);
    }
}

/* ---- which laws are plausible ---- */

typedef struct Noise {
    double variance, freedom;
} Noise;

/* shapes: number of parameters that were fitted besides the terms' coefficients. */
static Noise noise_by(const LinearFit *fit, double shapes)
{
    double squares = LINEAR_NOISE_FREEDOM * LINEAR_NOISE * LINEAR_NOISE + fit->between;
    double freedom = LINEAR_NOISE_FREEDOM + fmax(0, fit->n_between - shapes);
    if (!fit->lacks_fit) { /* repeats explain the distances of points */
        squares += fit->within;
        freedom += fit->n_within;
    }
    return (Noise){squares / freedom, freedom};
}

/* The noise by the nearest law. If it is one of several, its exponents are one parameter more. */
static Noise find_noise(const LawFit *fits, uint32_t n)
{
    Noise least = noise_by(&fits[0].linear, n > 1);
    for (uint32_t i = 1; i < n; i++) {
        Noise noise = noise_by(&fits[i].linear, 1);
        if (noise.variance < least.variance)
            least = noise;
    }
    return least;
}

/* An exponent between those that programs have is a parameter. */
static double charge_of_shape(const LawFit *law, const Rules *rules)
{
    return law->is_rare ? rules->charge_of_rare : law->is_between ? rules->charge_of_term : 0;
}

/* All laws are one family. A law is plausible if it lies in the region around the best one. */
static void find_plausible(LawFit *fits, uint32_t n, const Rules *rules, Arena *arena)
{
    Noise noise = find_noise(fits, n);
    double least = INFINITY, *costs = arena_new_array(arena, double, n);
    for (uint32_t i = 0; i < n; i++) {
        fits[i].charge = rules->charge_of_term * noise.variance;
        fits[i].slack = -fits[i].linear.between - charge_of_shape(&fits[i], rules) * noise.variance;
        costs[i] = linear_charge(&fits[i].linear, fits[i].charge);
        least = fmin(least, costs[i] - fits[i].slack);
    }
    for (uint32_t i = 0; i < n; i++) {
        fits[i].slack += least + linear_slack(noise.variance, noise.freedom, rules->level);
        fits[i].plausible = fits[i].slack >= costs[i];
    }
}

/* ---- which law is the best ---- */

/* Whether a law meets more points than it has parameters, but for rounding: then the times come from
 * a formula. */
static bool is_formula(const LinearFit *fit)
{
    const double rounding = 1e-7;
    return fit->n_between >= 2 && fit->between < fit->n_between * rounding * rounding;
}

/* Of laws that differ only in terms that are 0, the one with fewer terms is better. */
static double charge_of_order(const LawFit *law, const Rules *rules)
{
    const double charge_of_zero = 1e-3;
    bool is_one_of_many = law->kind == LAW_POWER && !law->is_rare;
    return charge_of_zero * law->linear.n_terms + (is_one_of_many ? rules->charge_of_power : 0) +
           charge_of_shape(law, rules);
}

/* Sets the costs, and terms to 0 that aren't worth their charge. */
static void find_costs(LawFit *fits, uint32_t n, const Rules *rules)
{
    const double no_noise = 1e-10;
    double variance = find_noise(fits, n).variance;
    for (uint32_t i = 0; i < n; i++)
        variance = is_formula(&fits[i].linear) ? no_noise : variance;
    for (uint32_t i = 0; i < n; i++) {
        double charge = rules->charge_of_term * variance;
        fits[i].cost = fits[i].linear.between + linear_charge(&fits[i].linear, charge) +
                       charge_of_order(&fits[i], rules) * variance;
        linear_drop_terms(&fits[i].linear, charge);
    }
}

static int compare_laws(const void *left, const void *right)
{
    const LawFit *a = left, *b = right;
    return a->cost < b->cost ? -1 : a->cost > b->cost;
}

/* The best law of a kind, with the plausible ones of this kind as alternatives. False: there is
 * none. */
static bool choose(LawKind kind, const LawFit *fits, uint32_t n, Arena *arena, LawFit *best)
{
    const LawFit *chosen = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (fits[i].kind != kind)
            continue;
        if (!chosen || compare_laws(&fits[i], chosen) < 0)
            chosen = &fits[i];
        count += fits[i].plausible;
    }
    if (!chosen)
        return false;
    LawFit *alternatives = arena_new_array(arena, LawFit, count);
    count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (fits[i].kind == kind && fits[i].plausible)
            alternatives[count++] = fits[i];
    *best = *chosen;
    best->n_alternatives = count;
    best->alternatives = alternatives;
    return true;
}

uint32_t laws_fit(LawFamily family, LawKind only, const LawPoint *points, uint32_t n, Arena *arena, const LawFit **laws)
{
    LinearRow *rows = arena_new_array(arena, LinearRow, n);
    LawFit *fits = arena_new_array(arena, LawFit, law_candidates_limit(family)),
           *found = arena_new_array(arena, LawFit, LAW_COUNT);
    uint32_t n_fits = 0, count = 0, n_candidates = n < POINTS_LEAST ? 0 : law_candidates(family, only, points, n, fits);
    for (uint32_t i = 0; i < n_candidates; i++)
        if (fit_law(&fits[i], points, n, rows)) {
            set_extent(&fits[i], points, n);
            fits[n_fits++] = fits[i];
        }
    if (n_fits) {
        const Rules *rules = only == LAW_COUNT ? &rules_of_choice : &rules_of_one_kind;
        find_plausible(fits, n_fits, rules, arena);
        find_costs(fits, n_fits, rules);
    }
    for (int kind = 0; kind < LAW_COUNT; kind++)
        count += choose((LawKind)kind, fits, n_fits, arena, &found[count]);
    qsort(found, count, sizeof *found, compare_laws);
    for (uint32_t i = 0; i < count; i++)
        describe(&found[i], points, n, rows, arena);
    *laws = found;
    return count;
}

bool laws_may_not_fall(const LawFit *laws, uint32_t n)
{
    const LawFit *amdahl = laws_find(laws, n, LAW_AMDAHL), *power = laws_find(laws, n, LAW_POWER);
    if (amdahl && amdahl->plausible && amdahl->values[1].high >= 1)
        return true;
    for (uint32_t i = 0; power && i < power->n_alternatives; i++)
        if (power->alternatives[i].lacks_share && power->alternatives[i].exponent >= 0)
            return true;
    return false;
}

LawKind law_kind(const char *name)
{
    size_t kind = 0;
    while (name && law_kind_name(kind) && strcmp(law_kind_name(kind), name) != 0)
        kind++;
    return name && law_kind_name(kind) ? (LawKind)kind : LAW_COUNT;
}

const LawFit *laws_find(const LawFit *laws, uint32_t n, LawKind kind)
{
    for (uint32_t i = 0; i < n; i++)
        if (laws[i].kind == kind)
            return &laws[i];
    return NULL;
}

bool laws_fit_gustafson(const LawPoint *speedups, uint32_t n, bool is_relative, Arena *arena, LawFit *law)
{
    LinearRow *rows = arena_new_array(arena, LinearRow, n + 1);
    LawPoint *points = arena_new_array(arena, LawPoint, n + 1);
    LawFit fit = {.kind = LAW_GUSTAFSON};
    uint32_t count = 0;
    if (is_relative)
        points[count++] = (LawPoint){.p = 1, .value = 1, .count = WEIGHT_OF_DEFINITION};
    for (uint32_t i = 0; i < n; i++)
        points[count++] = speedups[i];
    if (count < POINTS_LEAST || !fit_law(&fit, points, count, rows))
        return false;
    describe(&fit, points, count, rows, arena);
    if (!is_relative)
        fit.formula = "S(1) (a + (1-a) p)";
    fit.plausible = true;
    *law = fit;
    return true;
}
