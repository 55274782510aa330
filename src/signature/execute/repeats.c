/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads further runs of a traced program (repeats.h). */
#include "signature/execute/repeats.h"

#include "model/application.h"
#include "signature/execute/cuts.h"

static bool check_application(const Signature *signature, const char *archive, const Application *found, Arena *arena,
                              Err *err)
{
    const char *difference;
    return application_compare(&signature->application, found, arena, &difference) != APPLICATION_OTHER ||
           err_set(err, ERR_INPUT, "%s: isn't another run of the same program: %s", archive, difference);
}

static bool fill_times(const Signature *signature, const char *archive, const ExecutedRun *run, Arena *arena,
                       RepeatedRun *repeat, Err *err)
{
    uint32_t last = signature->n_milestones - 1;
    PhaseTimes judged = {0};
    Cuts cuts;
    cuts_init(&cuts, signature, run);
    bool ok = agreement_judge(&cuts, 0, last, &judged, err);
    if (ok && cuts_reached(&cuts, last) < last)
        ok = err_set(err, ERR_INPUT, "%s: this run communicated less than the first one", archive);
    double *time_s = arena_new_array(arena, double, signature->n_milestones);
    for (uint32_t i = 0; ok && i <= last; i++) {
        time_s[i] = cuts_mean_time_s(&cuts, i);
        if (i && time_s[i] < time_s[i - 1]) /* where the order varies, cuts may cross */
            time_s[i] = time_s[i - 1];
    }
    cuts_free(&cuts);
    *repeat = (RepeatedRun){run->executed->application_s, signature->n_milestones, time_s};
    return ok;
}

bool repeats_read(Signature *signature, const char *const archives[], uint32_t n, const Progress *progress,
                  Arena *arena, Err *err)
{
    RepeatedRun *repeats = arena_new_array(arena, RepeatedRun, n);
    for (uint32_t i = 0; i < n; i++) {
        ExecutedRun run;
        if (!executed_read(signature, archives[i], 0, UINT64_MAX - 1, progress, arena, &run, err) ||
            !check_application(signature, archives[i], &run.executed->application, arena, err) ||
            !fill_times(signature, archives[i], &run, arena, &repeats[i], err))
            return false;
    }
    signature->repeats = repeats;
    signature->n_repeats = n;
    return true;
}
