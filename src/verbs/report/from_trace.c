/* SPDX-License-Identifier: BSD-3-Clause */
/* See from_trace.h. The trace is read three times: what processes do when needs their beginnings and ends, and the
 * replay on an ideal network orders events in its own way. Small traces are read again for pictures of occurrences. */
#include "verbs/report/from_trace.h"

#include "cli/analysis.h"
#include "cli/shared_options.h"
#include "model/application.h"
#include "scaling/balance.h"
#include "signature/profile/occurrence.h"
#include "signature/profile/waits.h"
#include "verbs/report/data.h"
#include "verbs/report/from_signature.h"
#include "verbs/scale/trace_text.h"
#include "verbs/show/matrix.h"
#include "verbs/show/occurrence.h"
#include "verbs/show/overview.h"
#include "verbs/show/waits.h"

#include <math.h>

enum { COLUMNS = 160, ROWS_LIMIT = 48, PAIRS_LIMIT = 4096, CAUSES_KEPT = 200 };

json_t *activity_json(const ActivityGrid *grid, uint32_t n_processes)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < grid->n_rows; i++) {
        json_t *row = json_object();
        for (RunActivity k = 0; k < N_RUN_ACTIVITIES; k++) {
            json_t *percents = json_array();
            for (uint32_t j = 0; j < grid->n_columns; j++)
                json_array_append_new(percents,
                                      json_integer(lround(100 * grid->shares[(size_t)i * grid->n_columns + j][k])));
            json_object_set_new(row, run_activity_names[k], percents);
        }
        json_array_append_new(rows, row);
    }
    return json_pack("{s:f, s:i, s:i, s:o}", "length_s", 1e-9 * (double)(grid->end_ns - grid->begin_ns), "processes",
                     (int)n_processes, "processes_per_row", (int)grid->processes_per_row, "rows", rows);
}

/* The sum over a phase's processes in place of each of them. */
static void add_up_processes(json_t *phase)
{
    json_t *sums = json_object(), *row, *value;
    const char *key;
    size_t i;
    json_array_foreach(json_object_get(phase, "processes"), i, row) json_object_foreach(row, key, value)
    {
        double before = json_number_value(json_object_get(sums, key));
        json_object_set_new(sums, key, json_real(before + json_number_value(value)));
    }
    json_object_del(sums, "process");
    json_object_del(phase, "processes");
    json_object_update(phase, sums);
    json_decref(sums);
}

/* Small, however many processes there are. */
static json_t *shortened_waits(const Waits *waits, Arena *arena)
{
    json_t *document = waits_json(waits, arena), *causes = json_object_get(document, "causes"), *phase;
    size_t i;
    json_array_foreach(json_object_get(document, "phases"), i, phase) add_up_processes(phase);
    while (json_array_size(causes) > CAUSES_KEPT)
        json_array_remove(causes, json_array_size(causes) - 1);
    report_shorten_phases(json_object_get(document, "phases"));
    return document;
}

static bool add_profile(Cli *cli, const char *trace, json_t *documents, Profile *profile, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    const Trace *of = reading.source->trace;
    bool ok = profile_read(reading.source, &reading.progress, cli->arena, profile, err);
    if (ok) {
        json_t *overview = overview_json(profile, of, cli->arena);
        json_object_del(overview, "per_process");
        json_object_set_new(overview, "ranks_per_processor", json_real(of->ranks_per_processor));
        json_object_set_new(documents, "profile", overview);
        if (profile->n_pairs <= PAIRS_LIMIT)
            json_object_set_new(documents, "matrix", matrix_json(profile, of, cli->arena));
        if (!json_object_get(documents, "application"))
            json_object_set_new(documents, "application", fields_to_json(&application_fields, &of->application, 0));
    }
    reading_close(cli, &reading);
    return ok;
}

/* ---- an occurrence of each of the longest phases ---- */

/* Of larger traces, reading takes too long for a picture; larger occurrences can't be seen in one. */
enum { OCCURRENCES = 3, CANDIDATES = 5, SEARCHED_EVENTS = 200000, DRAWN_EVENTS = 300, DRAWN_PROCESSES = 24 };

static bool find_occurrence(Cli *cli, const char *trace, const PhaseParameters *parameters, uint32_t phase,
                            uint64_t which, PhaseOccurrence *occurrence, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok =
        occurrence_find(reading.source, parameters, NULL, phase, which, &reading.progress, cli->arena, occurrence, err);
    reading_close(cli, &reading);
    return ok;
}

/* How far a duration is from the mean, as the logarithm of their ratio. */
static double distance(const PhaseOccurrence *occurrence, double mean_s)
{
    return fabs(log(1e-9 * (double)(occurrence->end_ns - occurrence->begin_ns) / mean_s));
}

/* Of some occurrences that are spread over the run, the one whose duration is nearest to the mean. */
static bool add_occurrence(Cli *cli, const char *trace, const PhaseParameters *parameters, const Phase *phase,
                           json_t *documents, Err *err)
{
    double mean_s = data_phase_mean_s(documents, phase->id);
    PhaseOccurrence typical = {0};
    for (uint64_t i = 1; i <= CANDIDATES && i <= phase->weight; i++) {
        PhaseOccurrence found;
        if (!find_occurrence(cli, trace, parameters, phase->id, phase->weight * i / (CANDIDATES + 1), &found, err))
            return false;
        if (!typical.spans || distance(&found, mean_s) < distance(&typical, mean_s))
            typical = found;
    }
    json_array_append_new(json_object_get(documents, "occurrences"), occurrence_json(&typical, cli->arena));
    return true;
}

/* The phase with the largest share below `share`. NULL: there is none. */
static const Phase *next_phase(const Signature *signature, double share)
{
    const Phase *next = NULL;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (phase->relevant && phase->share < share && (!next || phase->share > next->share))
            next = phase;
    }
    return next;
}

static bool add_occurrences(Cli *cli, const char *trace, const Signature *signature, const PhaseParameters *parameters,
                            json_t *documents, Err *err)
{
    double share = INFINITY;
    bool ok = true, is_small = signature->n_send_events <= SEARCHED_EVENTS &&
                               signature->application.n_processes <= DRAWN_PROCESSES;
    json_object_set_new(documents, "occurrences", json_array());
    for (int i = 0; ok && is_small && i < OCCURRENCES; i++) {
        const Phase *phase = next_phase(signature, share);
        if (!phase)
            break;
        if (phase->n_events <= DRAWN_EVENTS)
            ok = add_occurrence(cli, trace, parameters, phase, documents, err);
        share = phase->share;
    }
    return ok;
}

/* ---- the documents ---- */

static bool add_waits(Cli *cli, const char *trace, const Signature *signature, const Profile *profile,
                      json_t *documents, Err *err)
{
    Reading reading;
    Waits waits;
    PhaseParameters parameters;
    OrderOptions order = {0};
    if (!analysis_options_read(&parameters, &order, cli->arena, err) ||
        !reading_open(cli, trace, &order, &reading, err))
        return false;
    if (signature)
        parameters = signature->parameters;
    parameters.order = "pas2p";
    ActivityRecord *record = activity_record_new(profile, COLUMNS, ROWS_LIMIT, cli->arena);
    bool ok = waits_find(reading.source, &parameters, &order, record, &reading.progress, cli->arena, &waits, err);
    if (ok) {
        const ActivityGrid grid = activity_record_finish(record);
        json_object_set_new(documents, "activity", activity_json(&grid, profile->n_processes));
        json_object_set_new(documents, "waits", shortened_waits(&waits, cli->arena));
        if (!signature)
            from_signature_add(waits.signature, documents, cli->arena);
    }
    reading_close(cli, &reading);
    return ok && add_occurrences(cli, trace, waits.signature, &parameters, documents, err);
}

/* A trace in which nothing is computed has no efficiencies, but all the rest. */
static bool add_efficiencies(Cli *cli, const char *trace, json_t *documents, Err *err)
{
    Reading reading;
    Err problem = {0};
    BalancePoint point = {.trace = trace};
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = balance_read(reading.source, &reading.progress, cli->arena, &point.efficiencies, &problem);
    reading_close(cli, &reading);
    if (ok) {
        balance_compare(&point, 1);
        json_object_set_new(documents, "efficiencies", balance_json(&point, 1));
    } else if (problem.kind == ERR_INPUT) {
        report_warn(documents, problem.message);
    } else {
        *err = problem;
    }
    return ok || problem.kind == ERR_INPUT;
}

bool from_trace_add(Cli *cli, const char *trace, const Signature *signature, json_t *documents, Err *err)
{
    Profile profile;
    bool ok = add_profile(cli, trace, documents, &profile, err) &&
              add_waits(cli, trace, signature, &profile, documents, err) &&
              (json_object_get(documents, "efficiencies") || add_efficiencies(cli, trace, documents, err));
    cli_progress_end(cli);
    return ok;
}

bool read_actual_time(Cli *cli, const char *trace, double *actual_s, Err *err)
{
    Reading reading;
    Profile profile;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    const Trace *of = reading.source->trace;
    bool ok = profile_read(reading.source, &reading.progress, cli->arena, &profile, err);
    if (ok) {
        uint64_t calls = of->n_recorded ? UINT64_MAX : 0;
        for (uint32_t i = 0; i < of->n_recorded; i++)
            calls = of->recorded_calls[i] < calls ? of->recorded_calls[i] : calls;
        *actual_s = profile_slowest_s(&profile) - of->recording_cost_s * (double)calls;
    }
    reading_close(cli, &reading);
    return ok;
}
