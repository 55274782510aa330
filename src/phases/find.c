/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole stage: from a trace to its signature. */
#include "phases/phases.h"

#include "model/application.h"

bool phases_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                 const Progress *progress, Arena *arena, Signature **signature, OrderReport *report, Err *err)
{
    const OrderMethod *method = order_method(parameters->order);
    if (!method)
        return err_set(err, ERR_USAGE, "there is no logical order \"%s\"", parameters->order) ||
               err_hint(err, "there are: %s", order_method_names(arena));
    if (!phase_similarity_exists(parameters->similarity))
        return err_set(err, ERR_USAGE, "there is no similarity \"%s\"", parameters->similarity) ||
               err_hint(err, "there are: phase, block");
    Signature *found = arena_new_array(arena, Signature, 1);
    found->application = application_copy(&source->trace->application, arena);
    PhaseFinder *finder = phase_finder_new(parameters, found->application.n_processes, NULL, 0);
    bool ok = order_trace(method, source, phase_finder_sink(finder), options, progress, arena, report, err) &&
              phase_finder_finish(finder, report, arena, found, err);
    phase_finder_free(finder);
    if (ok)
        *signature = found;
    return ok;
}
