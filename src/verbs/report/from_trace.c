/* SPDX-License-Identifier: BSD-3-Clause */
/* See from_trace.h. The trace is read once: profile and efficiencies come from watches, through which the phase stage
 * reads. With a second processor, these watches and the reader work ahead of it. Small traces are read once more for pictures of occurrences. */
#include "verbs/report/from_trace.h"

#include "cli/analysis.h"
#include "cli/shared_options.h"
#include "model/application.h"
#include "scaling/balance.h"
#include "signature/profile/occurrence.h"
#include "signature/profile/waits.h"
#include "trace/read_ahead.h"
#include "verbs/report/data.h"
#include "verbs/report/from_signature.h"
#include "verbs/report/page.h"
#include "verbs/scale/trace_text.h"
#include "verbs/show/matrix.h"
#include "verbs/show/occurrence.h"
#include "verbs/show/overview.h"
#include "verbs/show/waits.h"

#include <math.h>

enum {
    COLUMNS = 160,
    ROWS_LIMIT = 48,
    PAIRS_LIMIT = 4096,
    CAUSES_KEPT = 200,
    PROCESSES_KEPT = 1024,
    COLLECTIVES_KEPT = 200
};

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
    json_array_foreach(json_object_get(phase, "processes"), i, row)
        json_object_foreach(row, key, value) {
            double before = json_number_value(json_object_get(sums, key));
            json_object_set_new(sums, key, json_real(before + json_number_value(value)));
        }
    json_object_del(sums, "process");
    json_object_del(phase, "processes");
    json_object_update(phase, sums);
    json_decref(sums);
}

static void keep_first(json_t *array, size_t n)
{
    while (json_array_size(array) > n)
        json_array_remove(array, json_array_size(array) - 1);
}

/* Small, however many processes there are. */
static json_t *shortened_waits(const Waits *waits, Arena *arena)
{
    json_t *document = waits_json(waits, arena), *phase;
    size_t i;
    json_array_foreach(json_object_get(document, "phases"), i, phase)
        add_up_processes(phase);
    keep_first(json_object_get(document, "causes"), CAUSES_KEPT);
    report_shorten_phases(json_object_get(document, "phases"));
    return document;
}

/* Sums over the pairs of `block` neighbours each, named by the first of them. */
static Profile profile_of_blocks(const Profile *profile, uint32_t block, Arena *arena)
{
    uint32_t rows = (profile->n_processes + block - 1) / block;
    PairProfile *sums = arena_new_array(arena, PairProfile, (size_t)rows * rows);
    Profile result = *profile;
    result.n_pairs = 0;
    for (size_t i = 0; i < profile->n_pairs; i++) {
        const PairProfile *pair = &profile->pairs[i];
        PairProfile *sum = &sums[(size_t)(pair->source / block) * rows + pair->destination / block];
        sum->source = pair->source / block * block;
        sum->destination = pair->destination / block * block;
        sum->n_messages += pair->n_messages;
        sum->bytes += pair->bytes;
        sum->n_one_sided += pair->n_one_sided;
        sum->one_sided_bytes += pair->one_sided_bytes;
    }
    for (size_t i = 0; i < (size_t)rows * rows; i++)
        if (sums[i].n_messages || sums[i].n_one_sided)
            sums[result.n_pairs++] = sums[i];
    result.pairs = sums;
    return result;
}

/* What the page's picture can show, however many processes there are. */
static json_t *short_matrix_json(const Profile *profile, const Trace *trace, Arena *arena)
{
    uint32_t block =
        profile->n_pairs > PAIRS_LIMIT ? (profile->n_processes + PAGE_MATRIX_ROWS - 1) / PAGE_MATRIX_ROWS : 1;
    const Profile shown = block > 1 ? profile_of_blocks(profile, block, arena) : *profile;
    json_t *document = matrix_json(&shown, trace, arena);
    json_object_set_new(document, "processes_per_row", json_integer(block));
    keep_first(json_object_get(document, "collectives"), COLLECTIVES_KEPT);
    return document;
}

static void add_profile(Cli *cli, const Profile *profile, const Trace *trace, json_t *documents)
{
    json_t *overview = overview_json(profile, trace, cli->arena);
    json_object_del(overview, "per_process");
    json_object_set_new(overview, "ranks_per_processor", json_real(trace->ranks_per_processor));
    json_object_set_new(documents, "profile", overview);
    json_object_set_new(documents, "matrix", short_matrix_json(profile, trace, cli->arena));
    if (!json_object_get(documents, "application"))
        json_object_set_new(documents, "application", fields_to_json(&application_fields, &trace->application, 0));
}

static bool read_efficiencies(Cli *cli, const char *trace, Efficiencies *efficiencies, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = balance_read(reading.source, &reading.progress, cli->arena, efficiencies, err);
    reading_close(cli, &reading);
    return ok;
}

/* A trace in which nothing is computed has no efficiencies, but all the rest. */
static bool add_efficiencies(Cli *cli, const char *trace, const BalanceWatch *watch, json_t *documents, Err *err)
{
    Err problem = {0};
    BalancePoint point = {.trace = trace};
    bool ok = balance_watch_has_given_up(watch)
                  ? read_efficiencies(cli, trace, &point.efficiencies, &problem)
                  : balance_watch_finish(watch, cli->arena, &point.efficiencies, &problem);
    if (ok) {
        balance_compare(&point, 1);
        json_t *document = balance_json(&point, 1), *first = json_array_get(json_object_get(document, "traces"), 0);
        keep_first(json_object_get(first, "per_process"), PROCESSES_KEPT);
        json_object_set_new(documents, "efficiencies", document);
        return true;
    }
    if (problem.kind == ERR_INPUT)
        report_warn(documents, problem.message);
    else
        *err = problem;
    return problem.kind == ERR_INPUT;
}

/* ---- an occurrence of each of the longest phases ---- */

/* Of larger traces, reading takes too long for a picture; larger occurrences can't be seen in one. */
enum { OCCURRENCES = 3, CANDIDATES = 5, SEARCHED_EVENTS = 200000, DRAWN_EVENTS = 300, DRAWN_PROCESSES = 24 };

/* How far a duration is from the mean, as the logarithm of their ratio. */
static double distance(const PhaseOccurrence *occurrence, double mean_s)
{
    return fabs(log(1e-9 * (double)(occurrence->end_ns - occurrence->begin_ns) / mean_s));
}

/* The occurrence whose duration is nearest to the mean of its phase. */
static const PhaseOccurrence *typical_of(const PhaseOccurrence *occurrences, size_t n, double mean_s)
{
    const PhaseOccurrence *typical = occurrences;
    for (size_t i = 1; i < n; i++)
        if (distance(&occurrences[i], mean_s) < distance(typical, mean_s))
            typical = &occurrences[i];
    return typical;
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

/* Occurrences of the longest phases that are spread over the run. */
static size_t choose_candidates(const Signature *signature, OccurrenceNumber *candidates)
{
    double share = INFINITY;
    size_t n = 0;
    for (int i = 0; i < OCCURRENCES; i++) {
        const Phase *phase = next_phase(signature, share);
        if (!phase)
            break;
        share = phase->share;
        if (phase->n_events > DRAWN_EVENTS)
            continue;
        for (uint64_t k = 1; k <= CANDIDATES && k <= phase->weight; k++)
            candidates[n++] = (OccurrenceNumber){phase->id, phase->weight * k / (CANDIDATES + 1)};
    }
    return n;
}

static void add_typical(const PhaseOccurrence *found, size_t n, json_t *documents, Arena *arena)
{
    for (size_t i = 0, of_phase; i < n; i += of_phase) {
        for (of_phase = 1; i + of_phase < n && found[i + of_phase].phase == found[i].phase;)
            of_phase++;
        const PhaseOccurrence *typical = typical_of(&found[i], of_phase, data_phase_mean_s(documents, found[i].phase));
        json_array_append_new(json_object_get(documents, "occurrences"), occurrence_json(typical, arena));
    }
}

static bool add_occurrences(Cli *cli, const char *trace, const Signature *signature, const PhaseParameters *parameters,
                            const OrderOptions *order, json_t *documents, Err *err)
{
    Reading reading;
    PhaseOccurrence *found;
    OccurrenceNumber candidates[OCCURRENCES * CANDIDATES];
    bool is_small =
        signature->n_send_events <= SEARCHED_EVENTS && signature->application.n_processes <= DRAWN_PROCESSES;
    size_t n = is_small ? choose_candidates(signature, candidates) : 0;
    json_object_set_new(documents, "occurrences", json_array());
    if (!n)
        return true;
    if (!reading_open(cli, trace, order, &reading, err))
        return false;
    bool ok =
        occurrences_find(reading.source, parameters, order, candidates, n, &reading.progress, cli->arena, &found, err);
    if (ok)
        add_typical(found, n, documents, cli->arena);
    reading_close(cli, &reading);
    return ok;
}

/* ---- the documents ---- */

static void add_waits(Cli *cli, const Waits *waits, const ActivityRecord *record, const Profile *profile,
                      json_t *documents)
{
    const ActivityGrid grid = activity_record_finish(record, profile, COLUMNS, cli->arena);
    json_object_set_new(documents, "activity", activity_json(&grid, profile->n_processes));
    json_object_set_new(documents, "waits", shortened_waits(waits, cli->arena));
}

/* What looks on while the trace is read, and what it was read for. */
typedef struct Look {
    ProfileWatch *profile;
    BalanceWatch *balance; /* NULL: the efficiencies are known */
    ActivityRecord *record;
    Waits waits;
} Look;

static bool add_documents(Cli *cli, const char *trace, const Reading *reading, const Look *look, bool has_signature,
                          json_t *documents, Err *err)
{
    Profile profile;
    profile_watch_finish(look->profile, cli->arena, &profile);
    add_profile(cli, &profile, reading->source->trace, documents);
    add_waits(cli, &look->waits, look->record, &profile, documents);
    if (!has_signature)
        from_signature_add(look->waits.signature, documents, cli->arena);
    return !look->balance || add_efficiencies(cli, trace, look->balance, documents, err);
}

static bool read_trace(Cli *cli, const char *trace, bool has_signature, const PhaseParameters *parameters,
                       const OrderOptions *order, json_t *documents, const Signature **found, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, order, &reading, err))
        return false;
    EventSource *source = reading.source;
    Look look = {.profile = profile_watch_new(source),
                 .record = activity_record_new(source->trace->application.n_processes, ROWS_LIMIT)};
    source = profile_watch_source(look.profile);
    if (!json_object_get(documents, "efficiencies")) {
        look.balance = balance_watch_new(source);
        source = balance_watch_source(look.balance);
    }
    ReadAhead *ahead = read_ahead_new(source);
    bool ok = waits_find(read_ahead_source(ahead), parameters, order, look.record, &reading.progress, cli->arena,
                         &look.waits, err);
    read_ahead_free(ahead);
    ok = ok && add_documents(cli, trace, &reading, &look, has_signature, documents, err);
    *found = look.waits.signature;
    profile_watch_free(look.profile);
    balance_watch_free(look.balance);
    activity_record_free(look.record);
    reading_close(cli, &reading);
    return ok;
}

bool from_trace_add(Cli *cli, const char *trace, const Signature *signature, json_t *documents, Err *err)
{
    PhaseParameters parameters;
    OrderOptions order = {0};
    const Signature *found;
    if (!analysis_options_read(&parameters, &order, cli->arena, err))
        return false;
    if (signature)
        parameters = signature->parameters;
    parameters.order = "pas2p";
    return read_trace(cli, trace, signature, &parameters, &order, documents, &found, err) &&
           add_occurrences(cli, trace, found, &parameters, &order, documents, err);
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
