/* SPDX-License-Identifier: BSD-3-Clause */
/* See inputs.h. Files with a "format" are read and checked by their readers. Of documents of --json, the members that
 * tell the verb must have their types; sections show what is missing in others as not known. */
#include "verbs/report/inputs.h"

#include "base/files.h"
#include "base/json.h"
#include "comm/modelling.h"
#include "model/application.h"
#include "model/comm.h"
#include "model/machine.h"
#include "trace/host_load.h"
#include "verbs/cost/run_text.h"
#include "verbs/predict/text.h"
#include "verbs/report/data.h"
#include "verbs/report/from_comm.h"
#include "verbs/report/from_signature.h"
#include "verbs/report/from_trace.h"

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

/* With the model's times, which jump where the library changes how it communicates. */
static bool add_comm(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    CommMeasurement *measurement;
    Arena *arena = inputs->cli->arena;
    if (!document_read(&comm_document, json, path, arena, &measurement, err))
        return false;
    const MachineModel *machine = modelling_make(measurement, COMM_MEDIAN, arena);
    return add_document(inputs, "communication", from_comm(measurement, machine, arena), path, err);
}

static bool add_machine(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    MachineModel *machine;
    return document_read(&machine_document, json, path, inputs->cli->arena, &machine, err) &&
           add_document(inputs, "machine", machine_to_json(machine), path, err);
}

static bool add_runs(Inputs *inputs, const json_t *json, const char *path, Err *err)
{
    return add_document(inputs, "runs", report_runs(json), path, err);
}

static const struct {
    const Document *document;
    bool (*add)(Inputs *inputs, const json_t *json, const char *path, Err *err);
} formats[] = {{&signature_document, add_signature},
               {&times_document, add_times},
               {&comm_document, add_comm},
               {&machine_document, add_machine},
               {&task_runs_document, add_runs}};

/* Documents of --json, by a member that no other verb's has. */
static const struct {
    const char *member;
    json_type type;
    const char *key;
} results[] = {{"simulated_occurrences", JSON_INTEGER, "simulation"},
               {"mappings", JSON_ARRAY, "mapping"},
               {"unmatched", JSON_ARRAY, "counts"},
               {"efficiency_limit", JSON_REAL, "scaling"},
               {"traces", JSON_ARRAY, "efficiencies"},
               {"fastest", JSON_STRING, "comparison"},
               {"predictions", JSON_ARRAY, "cost"},
               {"measured_coverage", JSON_REAL, "prediction"}};

static bool hint_files(Err *err)
{
    return err_hint(err, "it takes studies, traces, signatures, phase times, comm.json, machine.json, scaling.json, "
                         "what cost run wrote, and what predict, simulate, map, cost predict and scale print with "
                         "--json");
}

/* Places of the best mapping alone: the others show their times. */
static void shorten_mappings(json_t *mappings)
{
    for (size_t i = 1; i < json_array_size(mappings); i++)
        json_object_del(json_array_get(mappings, i), "places");
}

static bool add_result(Inputs *inputs, json_t *json, const char *path, Err *err)
{
    const json_t *measurement = json_object_get(json, "measurement"), *simulation = json_object_get(json, "simulation");
    if (json_is_object(measurement))
        return add_comm(inputs, measurement, path, err);
    if (json_is_object(simulation))
        return add_document(inputs, "simulation", json_deep_copy(simulation), path, err);
    shorten_mappings(json_object_get(json, "mappings"));
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const json_t *member = json_object_get(json, results[i].member);
        if (member &&
            (json_typeof(member) == results[i].type || (json_is_number(member) && results[i].type == JSON_REAL)))
            return add_document(inputs, results[i].key, json_deep_copy(json), path, err);
    }
    err_set(err, ERR_INPUT, "%s: firma report has no section for this file", path);
    return hint_files(err);
}

static bool add_file(Inputs *inputs, const char *path, Err *err)
{
    json_t *root;
    if (!json_load_root(path, signature_document.format, &root, err))
        return files_exist(path) ? hint_files(err) : false;
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
    static const char *const files[] = {STUDY_SIGNATURE, STUDY_TIMES, "comm.json", "machine.json", "scaling.json"};
    Arena *arena = inputs->cli->arena;
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *file = arena_printf(arena, "%s/%s", path, files[i]);
        if (files_exist(file) && (n++, !add_file(inputs, file, err)))
            return false;
    }
    const char *trace = arena_printf(arena, "%s/" STUDY_TRACE, path);
    if (files_exist(trace) && (n++, !add_trace(inputs, trace, err)))
        return false;
    const char *verifying = arena_printf(arena, "%s/verify.trace", path);
    if (files_exist(verifying))
        inputs->verifying_trace = verifying;
    if (!n && files_is_empty(path))
        return err_set(err, ERR_INPUT, "%s: this folder is empty", path) ||
               err_hint(err, "`firma study` makes a folder with a trace, a signature and phase times");
    return n ? true : add_trace(inputs, path, err);
}

bool inputs_add(Inputs *inputs, const char *path, Err *err)
{
    if (files_is_directory(path))
        return add_folder(inputs, path, err);
    return files_has_suffix(path, ".otf2") ? add_trace(inputs, path, err) : add_file(inputs, path, err);
}

/* ---- what follows ---- */

static void add_application(Inputs *inputs, const Application *application)
{
    json_object_set_new(inputs->documents, "application", fields_to_json(&application_fields, application, 0));
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
    add_application(inputs, &times->application);
    if (*times->accepted_difference)
        report_warn(inputs->documents,
                    arena_printf(arena, "the measured program differs: %s", times->accepted_difference));
    if (busy)
        report_warn(inputs->documents, busy);
    if (hot)
        report_warn(inputs->documents, hot);
}

static bool add_prediction(Inputs *inputs, Err *err)
{
    Prediction prediction;
    double actual_s = 0;
    if (inputs->verifying_trace && !read_actual_time(inputs->cli, inputs->verifying_trace, &actual_s, err))
        return false;
    return predict_run_time(inputs->signature, inputs->times, prediction_estimator_name(0), inputs->cli->arena,
                            &prediction, err) &&
           json_object_set_new(inputs->documents, "prediction", prediction_json(&prediction, actual_s)) == 0;
}

bool inputs_complete(Inputs *inputs, Err *err)
{
    if (inputs->signature) {
        from_signature_add(inputs->signature, inputs->documents, inputs->cli->arena);
        add_application(inputs, &inputs->signature->application);
        for (uint32_t i = 0; i < inputs->signature->n_incomplete; i++)
            report_warn(inputs->documents, inputs->signature->incomplete[i]);
    }
    if (inputs->times)
        add_measurement(inputs);
    bool has_prediction = json_object_get(inputs->documents, "prediction");
    if (inputs->signature && inputs->times && !has_prediction && !add_prediction(inputs, err))
        return false;
    return !inputs->trace || from_trace_add(inputs->cli, inputs->trace, inputs->signature, inputs->documents, err);
}
