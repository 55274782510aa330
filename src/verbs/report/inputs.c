/* SPDX-License-Identifier: BSD-3-Clause */
/* See inputs.h. Files with a "format" are read and checked by their readers. Of documents of --json, the members that
 * tell the verb must have their types; sections show what is missing in others as not known. */
#include "verbs/report/inputs.h"

#include "base/files.h"
#include "base/json.h"
#include "cli/analysis.h"
#include "model/application.h"
#include "model/comm.h"
#include "model/machine.h"
#include "trace/host_load.h"
#include "verbs/phases/text.h"
#include "verbs/predict/text.h"
#include "verbs/report/data.h"
#include "verbs/report/from_trace.h"

#include <math.h>
#include <string.h>

/* ---- documents ---- */

static bool add_document(Inputs *inputs, const char *key, json_t *document, const char *path, Err *err)
{
    if (json_object_get(inputs->documents, key)) {
        json_decref(document);
        return err_set(err, ERR_USAGE, "%s: a report has room for one %s", path, key);
    }
    json_object_set_new(inputs->documents, key, document);
    return true;
}

static void warn(Inputs *inputs, const char *sentence)
{
    json_t *warnings = json_object_get(inputs->documents, "warnings");
    if (!warnings)
        json_object_set_new(inputs->documents, "warnings", warnings = json_array());
    json_array_append_new(warnings, json_from_text(sentence));
}

static bool refuse_second(const char *path, const char *what, Err *err)
{
    return err_set(err, ERR_USAGE, "%s: a report has room for one %s", path, what);
}

static bool add_signature(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    if (inputs->signature)
        return refuse_second(path, "signature", err);
    return document_read(&signature_document, json, path, inputs->cli->arena, &inputs->signature, err);
}

static bool add_times(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    if (inputs->times)
        return refuse_second(path, "file of phase times", err);
    return document_read(&times_document, json, path, inputs->cli->arena, &inputs->times, err);
}

/* What pictures show of a point. */
static void shorten_point(json_t *point)
{
    static const char *const kept[] = {"bytes", "samples", "median_s", "low_s", "high_s"};
    json_t *all = json_copy(point);
    json_object_clear(point);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(point, kept[i], json_object_get(all, kept[i]));
    json_decref(all);
}

static bool add_comm(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    CommMeasurement *measurement;
    if (!document_read(&comm_document, json, path, inputs->cli->arena, &measurement, err))
        return false;
    json_t *document = comm_to_json(measurement), *series, *point;
    size_t i, k;
    json_array_foreach(json_object_get(document, "series"), i, series)
        json_array_foreach(json_object_get(series, "points"), k, point) shorten_point(point);
    return add_document(inputs, "communication", document, path, err);
}

static bool add_machine(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    MachineModel *machine;
    return document_read(&machine_document, json, path, inputs->cli->arena, &machine, err) &&
           add_document(inputs, "machine", machine_to_json(machine), path, err);
}

static const struct {
    const Document *document;
    bool (*add)(Inputs *inputs, const json_t *json, const char *path, Err *err);
} formats[] = {{&signature_document, add_signature},
               {&times_document, add_times},
               {&comm_document, add_comm},
               {&machine_document, add_machine}};

/* Documents of --json, by a member that no other verb's has. */
static const struct {
    const char *member;
    json_type type;
    const char *key;
} results[] = {{"simulated_occurrences", JSON_INTEGER, "simulation"},
               {"mappings", JSON_ARRAY, "mapping"},
               {"efficiency_limit", JSON_REAL, "scaling"},
               {"traces", JSON_ARRAY, "efficiencies"},
               {"predictions", JSON_ARRAY, "cost"},
               {"measured_coverage", JSON_REAL, "prediction"}};

static bool add_result(Inputs *inputs, json_t *json, const char *path, Err *err)
{
    const json_t *measurement = json_object_get(json, "measurement"), *simulation = json_object_get(json, "simulation");
    if (json_is_object(measurement))
        return add_comm(inputs, measurement, path, err);
    if (json_is_object(simulation))
        return add_document(inputs, "simulation", json_deep_copy(simulation), path, err);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const json_t *member = json_object_get(json, results[i].member);
        if (member && json_typeof(member) == results[i].type)
            return add_document(inputs, results[i].key, json_deep_copy(json), path, err);
    }
    err_set(err, ERR_INPUT, "%s: firma report has no section for this file", path);
    return err_hint(err, "it takes studies, traces, signatures, phase times, comm.json, machine.json, scaling.json, "
                         "and what predict, simulate, map, cost predict and scale trace print with --json");
}

static bool add_file(Inputs *inputs, const char *path, Err *err)
{
    json_t *root;
    if (!json_load_root(path, "firma signature", &root, err))
        return false;
    bool is_known = false, ok = false;
    for (size_t i = 0; !is_known && i < sizeof formats / sizeof *formats; i++) {
        const Document *document = formats[i].document;
        is_known = json_has_format(root, document->format);
        ok = is_known && json_check_format(root, path, document->format, document->version, err) &&
             formats[i].add(inputs, root, path, err);
    }
    ok = is_known ? ok : add_result(inputs, root, path, err);
    json_decref(root);
    return ok;
}

/* ---- folders ---- */

static bool add_trace(Inputs *inputs, const char *path, Err *err)
{
    if (inputs->trace)
        return refuse_second(path, "trace", err);
    inputs->trace = path;
    return true;
}

/* What study, comm and scale write into a folder. */
static bool add_folder(Inputs *inputs, const char *path, Err *err)
{
    static const char *const files[] = {"app.firma", "times.json", "comm.json", "machine.json", "scaling.json"};
    Arena *arena = inputs->cli->arena;
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *file = arena_printf(arena, "%s/%s", path, files[i]);
        if (files_exist(file) && (n++, !add_file(inputs, file, err)))
            return false;
    }
    const char *trace = arena_printf(arena, "%s/app.trace", path);
    if (files_exist(trace) && (n++, !add_trace(inputs, trace, err)))
        return false;
    const char *verifying = arena_printf(arena, "%s/verify.trace", path);
    if (files_exist(verifying))
        inputs->verifying_trace = verifying;
    return n ? true : add_trace(inputs, path, err);
}

bool inputs_add(Inputs *inputs, const char *path, Err *err)
{
    if (files_is_directory(path))
        return add_folder(inputs, path, err);
    return files_has_suffix(path, ".otf2") ? add_trace(inputs, path, err) : add_file(inputs, path, err);
}

/* ---- what follows ---- */

enum { TIMELINE_PHASES = 4 };

static double phase_s(const Signature *signature, uint32_t phase)
{
    return signature_phase_time_s(signature, phase, (double)signature->n_occurrences);
}

/* The phases that take longest, as their numbers in the signature. */
static uint32_t longest_phases(const Signature *signature, uint32_t numbers[TIMELINE_PHASES])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        uint32_t at = n;
        while (at > 0 && phase_s(signature, numbers[at - 1]) < phase_s(signature, i))
            at--;
        if (at == TIMELINE_PHASES)
            continue;
        n = n < TIMELINE_PHASES ? n + 1 : n;
        memmove(&numbers[at + 1], &numbers[at], (n - at - 1) * sizeof *numbers);
        numbers[at] = i;
    }
    return n;
}

/* The share of the longest phases, and of all others together, in each stretch between two milestones. */
static json_t *timeline_json(const Signature *signature)
{
    uint32_t longest[TIMELINE_PHASES], n = longest_phases(signature, longest);
    json_t *times = json_array(), *ids = json_array(), *shares = json_array();
    for (uint32_t k = 0; k < n; k++)
        json_array_append_new(ids, json_integer(signature->phases[longest[k]].id));
    for (uint32_t i = 0; i < signature->n_milestones; i++) {
        const Milestone *milestone = &signature->milestones[i];
        json_array_append_new(times, json_real(milestone->time_s));
        if (i + 1 == signature->n_milestones)
            break;
        double length_s = milestone[1].time_s - milestone->time_s, rest_s = length_s;
        json_t *row = json_array();
        for (uint32_t k = 0; k < n; k++) {
            double time_s = milestone[1].phase_time_s[longest[k]] - milestone->phase_time_s[longest[k]];
            rest_s -= time_s;
            json_array_append_new(row, json_real(length_s > 0 ? time_s / length_s : 0));
        }
        json_array_append_new(row, json_real(length_s > 0 ? fmax(0, rest_s / length_s) : 0));
        json_array_append_new(shares, row);
    }
    return json_pack("{s:o, s:o, s:o}", "times_s", times, "phases", ids, "shares", shares);
}

/* Of the signature, without its sequence: `firma show` shows it. */
static void add_phases(Inputs *inputs)
{
    const Signature *signature = inputs->signature;
    json_t *phases = phases_json(signature, NULL, inputs->cli->arena);
    json_object_del(phases, "sequence");
    json_object_del(phases, "renamed");
    json_object_del(phases, "first_blocks");
    report_shorten_phases(json_object_get(phases, "phases"));
    json_object_set_new(inputs->documents, "phases", phases);
    json_object_set_new(inputs->documents, "application",
                        fields_to_json(&application_fields, &signature->application, 0));
    if (signature->n_milestones > 1)
        json_object_set_new(inputs->documents, "timeline", timeline_json(signature));
    for (uint32_t i = 0; i < signature->n_incomplete; i++)
        warn(inputs, signature->incomplete[i]);
}

static void add_measurement(Inputs *inputs)
{
    const PhaseTimes *times = inputs->times;
    Arena *arena = inputs->cli->arena;
    const HostLoad load = {times->n_processors, times->busy_processors, times->throttles};
    const char *busy = host_load_text(&load, arena), *hot = host_throttle_text(&load, arena);
    json_object_set_new(inputs->documents, "measurement",
                        json_pack("{s:o, s:o, s:s, s:I, s:f, s:f}", "command", json_from_text(times->command), "host",
                                  json_from_text(times->host), "mode", times->mode, "processors",
                                  (json_int_t)times->n_processors, "busy_processors", times->busy_processors,
                                  "signature_s", times->signature_s));
    json_object_set_new(inputs->documents, "application", fields_to_json(&application_fields, &times->application, 0));
    if (*times->accepted_difference)
        warn(inputs, arena_printf(arena, "the measured program differs: %s", times->accepted_difference));
    if (busy)
        warn(inputs, busy);
    if (hot)
        warn(inputs, hot);
}

static bool add_prediction(Inputs *inputs, Err *err)
{
    Prediction prediction;
    double actual_s = 0;
    if (inputs->verifying_trace && !read_actual_time(inputs->cli, inputs->verifying_trace, &actual_s, err))
        return false;
    return predict_run_time(inputs->signature, inputs->times, prediction_estimator_name(0), inputs->cli->arena,
                            &prediction, err) &&
           add_document(inputs, "prediction", prediction_json(&prediction, actual_s), "times.json", err);
}

bool inputs_complete(Inputs *inputs, Err *err)
{
    if (inputs->signature)
        add_phases(inputs);
    if (inputs->times)
        add_measurement(inputs);
    if (inputs->signature && inputs->times && !add_prediction(inputs, err))
        return false;
    return !inputs->trace || from_trace_add(inputs->cli, inputs->trace, inputs->signature, inputs->documents, err);
}
