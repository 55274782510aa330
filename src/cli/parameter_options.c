/* SPDX-License-Identifier: BSD-3-Clause */
/* See parameter_options.h. */
#include "cli/parameter_options.h"

#include "cli/range_option.h"

static struct {
    char *order, *similarity;
    double volume_tolerance_percent, compute_tolerance_percent, least_match_percent, relevance_percent;
} options = {.volume_tolerance_percent = DEFAULT_VOLUME_TOLERANCE_PERCENT,
             .compute_tolerance_percent = DEFAULT_COMPUTE_TOLERANCE_PERCENT,
             .least_match_percent = DEFAULT_LEAST_MATCH_PERCENT,
             .relevance_percent = DEFAULT_RELEVANCE_PERCENT};

const struct poptOption parameter_option_table[] = {
    {"order", '\0', POPT_ARG_STRING, &options.order, 0, "logical order: pas2p (by default) or lamport", "NAME"},
    {"similarity", '\0', POPT_ARG_STRING, &options.similarity, 0,
     "what is compared: whole phases (phase, by default) or parallel basic blocks (block)", "NAME"},
    {"volume-tolerance", '\0', POPT_ARG_DOUBLE, &options.volume_tolerance_percent, 0,
     "volumes match when they differ by at most this share of the larger; by default 5", "PERCENT"},
    {"compute-tolerance", '\0', POPT_ARG_DOUBLE, &options.compute_tolerance_percent, 0,
     "computation times of blocks match when they differ by at most this share of the larger; by default 5", "PERCENT"},
    {"least-match", '\0', POPT_ARG_DOUBLE, &options.least_match_percent, 0,
     "phases are the same when at least this share of their events match; by default 80", "PERCENT"},
    {"relevance", '\0', POPT_ARG_DOUBLE, &options.relevance_percent, 0,
     "a phase is relevant from this share of the application's time on; by default 1", "PERCENT"},
    POPT_TABLEEND};

bool parameter_options_read(PhaseParameters *parameters, Err *err)
{
    parameters->order = options.order ? options.order : DEFAULT_ORDER;
    parameters->similarity = options.similarity ? options.similarity : DEFAULT_SIMILARITY;
    return percent_option_check("--volume-tolerance", options.volume_tolerance_percent, true,
                                &parameters->volume_tolerance, err) &&
           percent_option_check("--compute-tolerance", options.compute_tolerance_percent, true,
                                &parameters->compute_tolerance, err) &&
           percent_option_check("--least-match", options.least_match_percent, true, &parameters->least_match, err) &&
           percent_option_check("--relevance", options.relevance_percent, true, &parameters->relevance, err);
}

bool parameter_options_name_method(void)
{
    return options.order || options.similarity;
}
