/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact least squares with bounds (linear.h). With at most four terms, it tries each set of terms
 * that may be at their bound. */
#include "scaling/linear.h"

#include "base/arena.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = LINEAR_TERMS_LIMIT, UNKNOWNS_LIMIT = LINEAR_TERMS_LIMIT + 1, REWEIGHTINGS = 12, BISECTIONS = 60 };

static const double SINGULAR = 1e-9, ROUNDING = 1e-10, LEVEL = 0.95, FIRST_STEP = 1e-3, CONVERGED = 1e-10;

const double LINEAR_NOISE = 0.015, LINEAR_NOISE_FREEDOM = 2;

/* The quadratic (θ - θ̂)ᵀ A (θ - θ̂). Terms are scaled so that A's diagonal is 1. */
typedef struct Quadratic {
    uint32_t n;
    double a[TERMS][TERMS], b[TERMS]; /* b = A θ̂ */
    double constant;                  /* the value at θ = 0 */
    double scale[TERMS];              /* θ of the caller = θ · scale */
} Quadratic;

static double quadratic_at(const Quadratic *quadratic, const double *theta)
{
    double value = quadratic->constant;
    for (uint32_t i = 0; i < quadratic->n; i++) {
        value -= 2 * theta[i] * quadratic->b[i];
        for (uint32_t j = 0; j < quadratic->n; j++)
            value += theta[i] * quadratic->a[i][j] * theta[j];
    }
    return value;
}

/* Solves m equations. False: they don't determine the unknowns. */
static bool solve(double matrix[UNKNOWNS_LIMIT][UNKNOWNS_LIMIT], const double *right, uint32_t m, double *unknowns)
{
    double packed[UNKNOWNS_LIMIT * UNKNOWNS_LIMIT], tau[UNKNOWNS_LIMIT], values[UNKNOWNS_LIMIT];
    for (uint32_t i = 0; i < m; i++) {
        values[i] = right[i];
        memcpy(packed + i * m, matrix[i], m * sizeof *packed);
    }
    gsl_matrix_view a = gsl_matrix_view_array(packed, m, m);
    gsl_vector_view t = gsl_vector_view_array(tau, m), x = gsl_vector_view_array(values, m);
    gsl_linalg_QR_decomp(&a.matrix, &t.vector);
    for (uint32_t i = 0; i < m; i++)
        if (!(fabs(packed[i * m + i]) > SINGULAR))
            return false;
    gsl_linalg_QR_svx(&a.matrix, &t.vector, &x.vector);
    memcpy(unknowns, values, m * sizeof *values);
    return true;
}

/* The minimum of the quadratic over the terms of `set`; all others are 0. With a constraint, over
 * all θ with constraint · θ = to. */
static bool least_of_set(const Quadratic *quadratic, unsigned set, const double *constraint, double to, double *theta)
{
    double matrix[UNKNOWNS_LIMIT][UNKNOWNS_LIMIT] = {{0}}, right[UNKNOWNS_LIMIT], unknowns[UNKNOWNS_LIMIT];
    uint32_t terms[TERMS], m = 0, n_constraints = constraint != NULL;
    for (uint32_t i = 0; i < quadratic->n; i++)
        if (set & 1u << i)
            terms[m++] = i;
    for (uint32_t i = 0; i < m; i++) {
        right[i] = quadratic->b[terms[i]];
        for (uint32_t j = 0; j < m; j++)
            matrix[i][j] = quadratic->a[terms[i]][terms[j]];
        if (constraint)
            matrix[i][m] = matrix[m][i] = constraint[terms[i]];
    }
    right[m] = to;
    if (!solve(matrix, right, m + n_constraints, unknowns))
        return false;
    memset(theta, 0, TERMS * sizeof *theta);
    for (uint32_t i = 0; i < m; i++)
        theta[terms[i]] = unknowns[i];
    return true;
}

/* Whether θ >= 0, but for rounding, which is then removed. */
static bool is_inside(double *theta, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!(theta[i] >= -ROUNDING))
            return false;
        theta[i] = fmax(0, theta[i]);
    }
    return true;
}

/* The minimum over θ >= 0; INFINITY: there is none. The quadratic is convex, so it has one minimum,
 * and none of the sets gives a lower value. */
static double least(const Quadratic *quadratic, const double *constraint, double to, double *theta)
{
    double best = INFINITY, tried[TERMS];
    for (unsigned set = 1; set < 1u << quadratic->n; set++) {
        bool has_minimum = least_of_set(quadratic, set, constraint, to, tried) && is_inside(tried, TERMS);
        double value = has_minimum ? quadratic_at(quadratic, tried) : INFINITY;
        if (value < best) {
            best = value;
            memcpy(theta, tried, sizeof tried);
        }
    }
    return best;
}

static double dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void scale_terms(Quadratic *quadratic)
{
    for (uint32_t i = 0; i < quadratic->n; i++)
        quadratic->scale[i] = quadratic->a[i][i] > 0 ? 1 / sqrt(quadratic->a[i][i]) : 1;
    for (uint32_t i = 0; i < quadratic->n; i++) {
        quadratic->b[i] *= quadratic->scale[i];
        for (uint32_t j = 0; j < quadratic->n; j++)
            quadratic->a[i][j] *= quadratic->scale[i] * quadratic->scale[j];
    }
}

static Quadratic quadratic_of_rows(const LinearRow *rows, uint32_t n, uint32_t n_terms, const double *fitted)
{
    Quadratic quadratic = {.n = n_terms};
    for (uint32_t row = 0; row < n; row++) {
        double weight = rows[row].count / (fitted[row] * fitted[row]), y = rows[row].y;
        quadratic.constant += weight * y * y;
        for (uint32_t i = 0; i < n_terms; i++) {
            quadratic.b[i] += weight * rows[row].x[i] * y;
            for (uint32_t j = 0; j < n_terms; j++)
                quadratic.a[i][j] += weight * rows[row].x[i] * rows[row].x[j];
        }
    }
    scale_terms(&quadratic);
    return quadratic;
}

/* Whether a mean of squares is significantly larger than another. */
static bool is_larger(double squares, double freedom, double other, double other_freedom)
{
    if (!(freedom > 0) || !(other_freedom > 0))
        return false;
    return other > 0 ? gsl_cdf_fdist_Q(squares / freedom / (other / other_freedom), freedom, other_freedom) < 1 - LEVEL
                     : squares > 0;
}

/* If rows are farther from the sum than their repeats differ, that distance is the noise. */
static void set_variance(const LinearRow *rows, uint32_t n, const double *fitted, LinearFit *fit)
{
    fit->within = fit->between = 0;
    fit->n_between = (double)n - fit->n_terms;
    fit->n_within = 0;
    for (uint32_t i = 0; i < n; i++) {
        fit->within += rows[i].squares / (fitted[i] * fitted[i]);
        fit->between += rows[i].count * pow(rows[i].y / fitted[i] - 1, 2);
        fit->n_within += rows[i].freedom;
    }
    fit->lacks_fit = is_larger(fit->between, fit->n_between, fit->within, fit->n_within);
    fit->freedom = fit->n_between + (fit->lacks_fit ? 0 : fit->n_within);
    fit->variance = (fit->between + (fit->lacks_fit ? 0 : fit->within)) / fit->freedom;
    if (!(fit->freedom > 0)) {
        fit->freedom = LINEAR_NOISE_FREEDOM;
        fit->variance = LINEAR_NOISE * LINEAR_NOISE;
    }
}

static Quadratic quadratic_of_fit(const LinearFit *fit)
{
    Quadratic quadratic = {.n = fit->n_terms};
    for (uint32_t i = 0; i < fit->n_terms; i++) {
        memcpy(quadratic.a[i], fit->information[i], sizeof quadratic.a[i]);
        quadratic.b[i] = dot(fit->information[i], fit->free_theta, fit->n_terms);
    }
    quadratic.constant = dot(quadratic.b, fit->free_theta, fit->n_terms);
    scale_terms(&quadratic);
    return quadratic;
}

static void keep(const Quadratic *quadratic, const double *theta, const double *free_theta, LinearFit *fit)
{
    const double *scale = quadratic->scale;
    for (uint32_t i = 0; i < quadratic->n; i++) {
        fit->theta[i] = theta[i] * scale[i];
        fit->free_theta[i] = free_theta[i] * scale[i];
        for (uint32_t j = 0; j < quadratic->n; j++)
            fit->information[i][j] = quadratic->a[i][j] / (scale[i] * scale[j]);
    }
}

bool linear_fit(const LinearRow *rows, uint32_t n, uint32_t n_terms, LinearFit *fit)
{
    if (n < n_terms)
        return false;
    double *fitted = memory_resize(NULL, n * sizeof *fitted), theta[TERMS], free_theta[TERMS];
    LinearFit found = {.n_terms = n_terms};
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        fitted[i] = rows[i].y;
    /* Noise is a share of the true value. So weights come from the fit; weights from measured
     * values would favour small ones. */
    for (int round = 0; ok && round < REWEIGHTINGS; round++) {
        Quadratic quadratic = quadratic_of_rows(rows, n, n_terms, fitted);
        ok = least_of_set(&quadratic, (1u << n_terms) - 1, NULL, 0, free_theta) &&
             isfinite(least(&quadratic, NULL, 0, theta));
        if (!ok)
            break;
        keep(&quadratic, theta, free_theta, &found);
        double moved = 0;
        for (uint32_t i = 0; ok && i < n; i++) {
            double value = dot(found.theta, rows[i].x, n_terms);
            ok = value > 0 && isfinite(value);
            moved = fmax(moved, fabs(value / fitted[i] - 1));
            fitted[i] = value;
        }
        if (moved < CONVERGED)
            break;
    }
    if (ok) {
        set_variance(rows, n, fitted, &found);
        *fit = found;
    }
    free(fitted);
    return ok;
}

double linear_value(const LinearFit *fit, const double *x)
{
    return dot(fit->theta, x, fit->n_terms);
}

/* The squares are at most `limit` within an ellipsoid of θ. Widens the interval by both ends of x · θ in
 * that ellipsoid, with all terms but those of `set` at 0, if these ends have θ >= 0. */
static void widen_by_set(const Quadratic *quadratic, unsigned set, const double *x, double limit, Estimated *range)
{
    double middle[TERMS], direction[TERMS], end[TERMS];
    Quadratic towards = *quadratic;
    memcpy(towards.b, x, sizeof towards.b);
    if (!least_of_set(quadratic, set, NULL, 0, middle) || !least_of_set(&towards, set, NULL, 0, direction))
        return;
    double left = limit - quadratic_at(quadratic, middle), length = dot(direction, x, quadratic->n);
    for (int sign = -1; left >= 0 && sign <= 1; sign += 2) {
        for (uint32_t i = 0; i < TERMS; i++)
            end[i] = middle[i] + (length > 0 ? sign * sqrt(left / length) * direction[i] : 0);
        if (!is_inside(end, quadratic->n))
            continue;
        range->low = fmin(range->low, dot(end, x, quadratic->n));
        range->high = fmax(range->high, dot(end, x, quadratic->n));
    }
}

/* x · θ is linear and the ellipsoid is convex. So at either end of the range, the terms that aren't
 * 0 are an end of the ellipsoid's section by the others' bounds. */
Estimated linear_range(const LinearFit *fit, const double *x, double charge, double slack)
{
    Quadratic quadratic = quadratic_of_fit(fit);
    double theta[TERMS], scaled[TERMS] = {0}, value = linear_value(fit, x);
    double limit = least(&quadratic, NULL, 0, theta) + slack;
    Estimated range = {value, quadratic.constant <= limit ? 0 : value, value};
    for (uint32_t i = 0; i < quadratic.n; i++)
        scaled[i] = x[i] * quadratic.scale[i];
    for (unsigned set = 1; set < 1u << quadratic.n; set++)
        widen_by_set(&quadratic, set, scaled, limit - charge * __builtin_popcount(set), &range);
    return range;
}

/* The θ at which the sum of squares and charges is least. Returns the sum. */
static double least_charged(const Quadratic *quadratic, double charge, double *theta)
{
    double least_sum = INFINITY, tried[TERMS];
    for (unsigned set = 1; set < 1u << quadratic->n; set++) {
        if (!least_of_set(quadratic, set, NULL, 0, tried) || !is_inside(tried, TERMS))
            continue;
        double sum = quadratic_at(quadratic, tried) + charge * __builtin_popcount(set);
        if (sum < least_sum)
            memcpy(theta, tried, sizeof tried);
        least_sum = fmin(least_sum, sum);
    }
    return least_sum;
}

double linear_charge(const LinearFit *fit, double charge)
{
    Quadratic quadratic = quadratic_of_fit(fit);
    double theta[TERMS], minimum = least(&quadratic, NULL, 0, theta);
    return least_charged(&quadratic, charge, theta) - minimum;
}

void linear_drop_terms(LinearFit *fit, double charge)
{
    Quadratic quadratic = quadratic_of_fit(fit);
    double theta[TERMS];
    least_charged(&quadratic, charge, theta);
    for (uint32_t i = 0; i < quadratic.n; i++)
        fit->theta[i] = theta[i] * quadratic.scale[i];
}

double linear_slack(double variance, double freedom, double level)
{
    return pow(gsl_cdf_tdist_Pinv((1 + level) / 2, freedom), 2) * variance;
}

/* How much worse than the best the fit becomes if the ratio is `value`. */
static double cost_of_ratio(const Quadratic *quadratic, const double *over, const double *under, double value)
{
    double constraint[TERMS], theta[TERMS], largest = 0;
    for (uint32_t i = 0; i < quadratic->n; i++) {
        constraint[i] = (over[i] - value * under[i]) * quadratic->scale[i];
        largest = fmax(largest, fabs(constraint[i]));
    }
    for (uint32_t i = 0; i < quadratic->n && largest > 0; i++)
        constraint[i] /= largest;
    return least(quadratic, constraint, 0, theta);
}

/* The edge of the interval between `inside`, whose cost is within the limit, and `outside`, whose
 * cost is above. */
static double edge(const Quadratic *quadratic, const double *over, const double *under, double limit, double inside,
                   double outside)
{
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (inside + outside) / 2;
        if (cost_of_ratio(quadratic, over, under, middle) <= limit)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

/* No coefficient is negative, so no ratio is larger than the largest over_i / under_i. */
static double largest_ratio(uint32_t n, const double *over, const double *under)
{
    double largest = 0;
    for (uint32_t i = 0; i < n; i++)
        if (over[i] > 0)
            largest = fmax(largest, over[i] / under[i]);
    return largest;
}

Estimated linear_ratio(const LinearFit *fit, const double *over, const double *under)
{
    enum { DOUBLINGS = 200 };
    double slack = linear_slack(fit->variance, fit->freedom, LEVEL);
    if (!under)
        return linear_range(fit, over, 0, slack);
    Quadratic quadratic = quadratic_of_fit(fit);
    double theta[TERMS], value = linear_value(fit, over) / linear_value(fit, under);
    if (!isfinite(value))
        return (Estimated){value, NAN, NAN};
    double limit = least(&quadratic, NULL, 0, theta) + slack, step = 0;
    for (uint32_t i = 0; i < fit->n_terms; i++)
        step += fabs(over[i]) * quadratic.scale[i];
    step = FIRST_STEP * (value + step * sqrt(fit->variance) / linear_value(fit, under));
    double above = value + step;
    for (int i = 0; i < DOUBLINGS && cost_of_ratio(&quadratic, over, under, above) <= limit; i++)
        above += step *= 2;
    Estimated interval = {value, value, value};
    interval.high = fmin(edge(&quadratic, over, under, limit, value, above), largest_ratio(fit->n_terms, over, under));
    interval.low =
        cost_of_ratio(&quadratic, over, under, 0) <= limit ? 0 : edge(&quadratic, over, under, limit, value, 0);
    return interval;
}
