/* SPDX-License-Identifier: BSD-3-Clause */
/* What the predicted time depends on: finite differences of simulations, and a root search for the latency
 * that the program tolerates. */
#include "simulation/simulation.h"

#include "base/vec.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

const double simulation_tolerances[TOLERANCES] = {0.01, 0.02, 0.05};

static const double STEP = 1.1; /* of finite differences: 10 % more, and 10 % less */
/* The search ends when the logarithm of the factor is known so well. */
static const double KNOWN = 0.02;
enum { MOST_STEPS = 40 };

static bool elasticity(Simulation *simulation, MachineFactors more, MachineFactors less, double *share, Err *err)
{
    double more_s, less_s;
    if (!simulation_time(simulation, more, &more_s, err) || !simulation_time(simulation, less, &less_s, err))
        return false;
    *share = more_s > 0 && less_s > 0 ? log(more_s / less_s) / (2 * log(STEP)) : 0;
    return true;
}

/* ---- tolerated latency ---- */

/* Times of machines with longer latencies. */
typedef struct Known {
    double logarithm, time_s;
} Known;

typedef struct Search {
    Simulation *simulation;
    VEC(Known) known;
    double application_s, tolerance;
    bool failed;
    Err *err;
} Search;

/* The search asks for some of them several times. */
static double time_at(Search *search, double logarithm)
{
    double time_s = 0;
    const MachineFactors factors = {exp(logarithm), 1, 1};
    for (size_t i = 0; i < search->known.count; i++)
        if (search->known.items[i].logarithm == logarithm)
            return search->known.items[i].time_s;
    if (!search->failed && !simulation_time(search->simulation, factors, &time_s, search->err))
        search->failed = true;
    *vec_push(&search->known) = (Known){logarithm, time_s};
    return time_s;
}

/* Above 0: slower than tolerated. */
static double excess(double logarithm, void *self)
{
    Search *search = self;
    return time_at(search, logarithm) / search->application_s - 1 - search->tolerance;
}

static bool find_root(Search *search, double low, double high, double *logarithm)
{
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_function function = {excess, search};
    int status = gsl_root_fsolver_set(solver, &function, low, high);
    for (int i = 0; status == GSL_SUCCESS && !search->failed && i < MOST_STEPS; i++) {
        status = gsl_root_fsolver_iterate(solver);
        low = gsl_root_fsolver_x_lower(solver);
        high = gsl_root_fsolver_x_upper(solver);
        if (gsl_root_test_interval(low, high, KNOWN, 0) == GSL_SUCCESS)
            break;
    }
    *logarithm = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return !search->failed;
}

/* Looks for an interval first, because most programs tolerate little. */
static bool find_tolerated(Search *search, double from, double *factor)
{
    double low = from, high = from + log(2);
    while (high < log(TOLERATED_MOST) && excess(high, search) < 0 && !search->failed) {
        low = high;
        high += log(2);
    }
    if (search->failed)
        return false;
    if (high >= log(TOLERATED_MOST)) {
        *factor = HUGE_VAL;
        return true;
    }
    double logarithm = low;
    bool ok = find_root(search, low, high, &logarithm);
    *factor = exp(logarithm);
    return ok;
}

bool simulation_find_sensitivity(Simulation *simulation, double application_s, const Progress *progress,
                                 Sensitivity *sensitivity, Err *err)
{
    progress_report(progress, "changing the machine", 0, TOLERANCES + 1);
    gsl_set_error_handler_off();
    if (!elasticity(simulation, (MachineFactors){STEP, 1, 1}, (MachineFactors){1 / STEP, 1, 1}, &sensitivity->latency,
                    err) ||
        !elasticity(simulation, (MachineFactors){1, STEP, 1}, (MachineFactors){1, 1 / STEP, 1}, &sensitivity->bandwidth,
                    err) ||
        !elasticity(simulation, (MachineFactors){1, 1, STEP}, (MachineFactors){1, 1, 1 / STEP}, &sensitivity->compute,
                    err))
        return false;
    Search search = {.simulation = simulation, .application_s = application_s, .err = err};
    double from = 0;
    for (int i = 0; i < TOLERANCES && !search.failed; i++) {
        search.tolerance = simulation_tolerances[i];
        progress_report(progress, "changing the machine", (uint64_t)i + 1, TOLERANCES + 1);
        if (!find_tolerated(&search, from, &sensitivity->tolerated[i]))
            break;
        from = isfinite(sensitivity->tolerated[i]) ? log(sensitivity->tolerated[i]) : log(TOLERATED_MOST);
    }
    vec_free(&search.known);
    return !search.failed;
}
