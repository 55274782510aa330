/* SPDX-License-Identifier: BSD-3-Clause */
/* See traced.h. */
#include "verbs/simulate/traced.h"

#include "base/files.h"
#include "cli/analysis.h"
#include "cli/shared_options.h"
#include "model/application.h"
#include <string.h>

/* "DIR/app.trace" of "DIR/app.firma". */
static const char *trace_beside(const char *signature, Arena *arena)
{
    size_t length = strlen(signature), suffix = files_has_suffix(signature, ".firma") ? strlen(".firma") : 0;
    return arena_printf(arena, "%.*s.trace", (int)(length - suffix), signature);
}

static bool find_trace(Traced *traced, Arena *arena, Err *err)
{
    const char *named = traced->signature->trace && traced->signature->trace[0] ? traced->signature->trace : NULL,
               *beside = trace_beside(traced->signature_path, arena);
    bool is_in_study = files_exist(beside) && files_exist(arena_printf(arena, "%s.log", beside));
    traced->trace = named && files_exist(named) && !is_in_study ? named : beside;
    if (files_exist(traced->trace))
        return true;
    if (named)
        err_set(err, ERR_INPUT, "%s: the trace that it was made from is neither %s nor %s", traced->signature_path,
                named, beside);
    else
        err_set(err, ERR_INPUT, "%s: doesn't name its trace, and there is no %s", traced->signature_path, beside);
    return err_hint(err, "firma simulate takes the trace itself, too");
}

bool traced_find(Cli *cli, const char *word, Traced *traced, Err *err)
{
    const char *option = analysis_options_of_method();
    *traced = (Traced){.trace = word};
    if (!analysis_is_signature(word))
        return true;
    if (option)
        return err_set(err, ERR_USAGE, "%s: a signature says how its phases were found", option) ||
               err_hint(err, "give the trace instead of the signature");
    traced->signature_path = word;
    if (!analysis_load_signature(cli, word, &traced->signature, err))
        return files_kind(word) ? err_hint(err, "firma simulate takes a trace (a directory, or a .otf2 file) or a "
                                                "signature (app.firma)")
                                : false;
    return find_trace(traced, cli->arena, err);
}

static bool recorded_the_same(const Signature *signature, const Trace *trace)
{
    bool is_known = signature->n_recorded && trace->n_recorded;
    return !is_known || (signature->n_recorded == trace->n_recorded &&
                         memcmp(signature->recorded_calls, trace->recorded_calls,
                                trace->n_recorded * sizeof *trace->recorded_calls) == 0);
}

bool traced_check(const Traced *traced, const Trace *trace, Arena *arena, Err *err)
{
    const char *difference;
    if (!traced->signature)
        return true;
    if (application_compare(&traced->signature->application, &trace->application, arena, &difference) ==
        APPLICATION_OTHER)
        return err_set(err, ERR_INPUT, "%s: wasn't made from the trace %s: %s", traced->signature_path, traced->trace,
                       difference);
    return recorded_the_same(traced->signature, trace) ||
           err_set(err, ERR_INPUT, "%s: wasn't made from the trace %s, which holds another run of the program",
                   traced->signature_path, traced->trace);
}
