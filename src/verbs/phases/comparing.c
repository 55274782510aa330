/* SPDX-License-Identifier: BSD-3-Clause */
/* See comparing.h. */
#include "verbs/phases/comparing.h"

#include "base/monotonic.h"
#include "cli/analysis.h"
#include "model/application.h"
#include "signature/execute/measure.h"
#include "signature/order/order.h"
#include "signature/phases/phases.h"
#include "signature/predict/predict.h"

/* The number of names; name_at gives NULL behind the last. */
static size_t count_names(const char *(*name_at)(size_t index))
{
    size_t n = 0;
    while (name_at(n))
        n++;
    return n;
}

static bool analyse(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *options,
                    MethodResult *result, Err *err)
{
    Signature *signature;
    OrderReport report = {0};
    double began_s = monotonic_s();
    if (!analysis_run(cli, trace, parameters, options, &signature, &report, err))
        return false;
    result->signature = signature;
    result->analysis_s = monotonic_s() - began_s;
    return true;
}

/* Accepts another workload: its phases stay the same, only their weights change (thesis, table
 * 6.8). The result names the difference. */
static void accept_difference(Cli *cli, const Signature *signature, PhaseTimes *times)
{
    const char *difference;
    application_compare(&signature->application, &times->application, cli->arena, &difference);
    times->accepted_difference = difference;
}

static bool measure(Cli *cli, const char *trace, MethodResult *result, Comparison *comparison, Err *err)
{
    Reading reading;
    PhaseTimes times;
    Prediction slowest, process;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = measure_recorded(result->signature, reading.source, &reading.progress, cli->arena, &times,
                               &comparison->actual_s, err);
    if (ok) {
        accept_difference(cli, result->signature, &times);
        ok = predict_run_time(result->signature, &times, "slowest", cli->arena, &slowest, err) &&
             predict_run_time(result->signature, &times, "process", cli->arena, &process, err);
    }
    reading_close(cli, &reading);
    if (!ok)
        return false;
    comparison->difference = times.accepted_difference;
    result->pet_s = slowest.pet_s;
    result->set_s = slowest.set_s;
    result->predicted_s = process.predicted_s;
    result->measured = process.measured_coverage;
    result->agreement = times.agreement;
    return true;
}

bool comparing_run(Cli *cli, const char *trace, const char *measured, const PhaseParameters *parameters,
                   const OrderOptions *options, Comparison *comparison, Err *err)
{
    size_t n_orders = count_names(order_name), n_similarities = count_names(phase_similarity_name);
    MethodResult *results = arena_new_array(cli->arena, MethodResult, n_orders * n_similarities);
    Comparison made = {.results = results, .measured_trace = measured};
    for (size_t s = n_similarities; s-- > 0;)
        for (size_t o = n_orders; o-- > 0;) {
            PhaseParameters own = *parameters;
            own.order = order_name(o);
            own.similarity = phase_similarity_name(s);
            MethodResult *result = &results[made.n_results++];
            if (!analyse(cli, trace, &own, options, result, err) ||
                (measured && !measure(cli, measured, result, &made, err)))
                return false;
        }
    *comparison = made;
    return true;
}
