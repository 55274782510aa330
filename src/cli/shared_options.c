/* SPDX-License-Identifier: BSD-3-Clause */
/* See shared_options.h. */
#include "cli/shared_options.h"

#include "cli/option_values.h"
#include "cli/values.h"
#include "signature/phases/phases.h"

#include <math.h>
#include <string.h>

#define NOT_GIVEN (-HUGE_VAL)
#define TEXT_OF(number) #number
#define BY_DEFAULT(number) "; by default " TEXT_OF(number)

/* ---- percentages ---- */

enum { VOLUME, COMPUTE, MATCH, RELEVANCE, N_SHARES, BUDGET = N_SHARES, LIMIT, TARGET, N_PERCENTS };
static const char *const names[N_PERCENTS] = {
    "--volume-tolerance", "--compute-tolerance", "--least-match", "--relevance", "--budget", "--limit", "--target"};
static double percents[N_PERCENTS] = {NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN};

static const char *first_given(int first, int end)
{
    for (int i = first; i < end; i++)
        if (percents[i] != NOT_GIVEN)
            return names[i];
    return NULL;
}

static double share_of(int number, double by_default)
{
    return percents[number] == NOT_GIVEN ? by_default : percents[number] / 100;
}

/* ---- how a trace is analysed ---- */

static Choice order = {.name_at = order_name}, similarity = {.name_at = phase_similarity_name};
static bool check_memory(const char *value, Arena *arena, Err *err)
{
    (void)arena;
    size_t size_bytes;
    return memory_option_parse(value, &size_bytes, err);
}

static CheckedText memory = {.check = check_memory};

static bool parse_floor(const char *value, double *floor_s, Err *err)
{
    *floor_s = 0;
    return strcmp(value, "0") == 0 || seconds_option_parse("--compute-floor", value, floor_s, err);
}

static bool check_floor(const char *value, Arena *arena, Err *err)
{
    (void)arena;
    double floor_s;
    return parse_floor(value, &floor_s, err);
}

static CheckedText floor_time = {.check = check_floor};

static int least_weight; /* 0: not given */
static NumberList only = {.option = "--only", .least = 1, .most = UINT32_MAX};

const struct poptOption analysis_option_table[] = {
    {"order", '\0', OPTION_CHOICE, &order, 0, "the logical order; by default pas2p", "NAME"},
    {"similarity", '\0', OPTION_CHOICE, &similarity, 0,
     "what makes phases similar: whole phases (phase) or parallel basic blocks (block); by default phase", "NAME"},
    {"volume-tolerance", '\0', OPTION_PERCENT, &percents[VOLUME], 0,
     "volumes match if they differ by at most this share of the larger one" BY_DEFAULT(
         DEFAULT_VOLUME_TOLERANCE_PERCENT),
     "PERCENT"},
    {"compute-tolerance", '\0', OPTION_PERCENT, &percents[COMPUTE], 0,
     "computation times of blocks match if they differ by at most this share of the larger one" BY_DEFAULT(
         DEFAULT_COMPUTE_TOLERANCE_PERCENT),
     "PERCENT"},
    {"compute-floor", '\0', OPTION_CHECKED, &floor_time, 0,
     "… or by this time, such as 5us or 0; by default the noise of the trace, which is measured", "TIME"},
    {"least-match", '\0', OPTION_PERCENT, &percents[MATCH], 0,
     "phases are similar if at least this share of their events match" BY_DEFAULT(DEFAULT_LEAST_MATCH_PERCENT),
     "PERCENT"},
    {"relevance", '\0', OPTION_PERCENT, &percents[RELEVANCE], 0,
     "a phase is relevant from this share of the application's time on" BY_DEFAULT(DEFAULT_RELEVANCE_PERCENT),
     "PERCENT"},
    {"least-weight", '\0', OPTION_COUNT, &least_weight, 0,
     "a phase is relevant from this weight on" BY_DEFAULT(DEFAULT_LEAST_WEIGHT), "N"},
    {"only", '\0', OPTION_NUMBERS, &only, 0,
     "only these phases are relevant, for example 2,5; by default those that --relevance and --least-weight say",
     "LIST"},
    {"memory", '\0', OPTION_CHECKED, &memory, 0,
     "memory for ordering the trace, such as 512M or 2G; by default half of the machine's memory", "SIZE"},
    POPT_TABLEEND};

bool analysis_options_read(PhaseParameters *parameters, OrderOptions *options, Arena *arena, Err *err)
{
    PhaseParameters parsed = PHASE_PARAMETERS_DEFAULT;
    double *shares[N_SHARES] = {&parsed.volume_tolerance, &parsed.compute_tolerance, &parsed.least_match,
                                &parsed.relevance};
    for (int i = 0; i < N_SHARES; i++)
        *shares[i] = share_of(i, *shares[i]);
    parsed.order = order.given ? order.given : parsed.order;
    parsed.similarity = similarity.given ? similarity.given : parsed.similarity;
    parsed.least_weight = least_weight ? (uint64_t)least_weight : parsed.least_weight;
    if (only.given && (least_weight || percents[RELEVANCE] != NOT_GIVEN))
        return err_set(err, ERR_USAGE, "--only: takes the place of --relevance and --least-weight");
    if (only.given && !numbers_option_parse(&only, arena, &parsed.n_only, &parsed.only, err))
        return false;
    parsed.compute_floor_given = floor_time.given;
    if (floor_time.given && !parse_floor(floor_time.given, &parsed.compute_floor_s, err))
        return false;
    *parameters = parsed;
    return memory_option_parse(memory.given, &options->memory_bytes, err);
}

const char *analysis_options_of_order(void)
{
    return order.given ? "--order" : memory.given ? "--memory" : NULL;
}

const char *analysis_options_of_phases(void)
{
    return similarity.given   ? "--similarity"
           : floor_time.given ? "--compute-floor"
           : least_weight     ? "--least-weight"
           : only.given       ? "--only"
                              : first_given(0, N_SHARES);
}

const char *analysis_options_of_method(void)
{
    return order.given ? "--order" : analysis_options_of_phases();
}

bool analysis_options_name_method(void)
{
    return order.given || similarity.given;
}

/* ---- how much of a program is executed ---- */

#define BUDGET_PERCENT 3
#define LIMIT_PERCENT 50
#define TARGET_PERCENT 5

const struct poptOption plan_option_table[] = {
    {"budget", 'b', OPTION_PART, &percents[BUDGET], 0,
     "least part of the run to execute, in percent of the traced time" BY_DEFAULT(BUDGET_PERCENT), "PERCENT"},
    {"limit", 'l', OPTION_PART, &percents[LIMIT], 0,
     "largest part of the run to execute, to reach relevant phases that come late, or the target" BY_DEFAULT(
         LIMIT_PERCENT),
     "PERCENT"},
    {"target", '\0', OPTION_PERCENT, &percents[TARGET], 0,
     "precision to reach: execute as much as an interval of ± this many percent takes, as far as the differences "
     "between whole runs let it" BY_DEFAULT(TARGET_PERCENT),
     "PERCENT"},
    POPT_TABLEEND};

PlanOptions plan_options(void)
{
    return (PlanOptions){share_of(BUDGET, BUDGET_PERCENT / 100.0), share_of(LIMIT, LIMIT_PERCENT / 100.0),
                         share_of(TARGET, TARGET_PERCENT / 100.0), 1};
}

const char *plan_options_given(void)
{
    return first_given(BUDGET, N_PERCENTS);
}

/* ---- launchers ---- */

static const char *const flavours[] = {[MPI_FLAVOUR_OPENMPI] = "openmpi",
                                       [MPI_FLAVOUR_MPICH] = "mpich",
                                       [MPI_FLAVOUR_SMPI] = "smpi",
                                       [MPI_FLAVOUR_PVM] = "pvm"};
enum { N_FLAVOURS = sizeof flavours / sizeof *flavours };

static const char *flavour_at(size_t index)
{
    return MPI_FLAVOUR_OPENMPI + index < N_FLAVOURS ? flavours[MPI_FLAVOUR_OPENMPI + index] : NULL;
}

static Choice mpi = {.name_at = flavour_at};

const struct poptOption mpi_option_table[] = {
    {"mpi", '\0', OPTION_CHOICE, &mpi, 0, "the launcher's MPI, if firma can't detect it", "NAME"}, POPT_TABLEEND};

MpiFlavour mpi_option(void)
{
    for (int i = MPI_FLAVOUR_OPENMPI; mpi.given && i < N_FLAVOURS; i++)
        if (strcmp(mpi.given, flavours[i]) == 0)
            return (MpiFlavour)i;
    return MPI_FLAVOUR_NONE;
}
