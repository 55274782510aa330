/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of phase times (docs/FORMATS.md). */
#include "model/times.h"

#include "base/json.h"
#include "model/application.h"

#define TIMES_FORMAT "firma phase times"
#define COUNT_LIMIT ((uint64_t)INT64_MAX)

static void add_processes(json_t *object, const ProcessTime *processes, uint32_t n_processes)
{
    json_t *count = json_array(), *total = json_array();
    for (uint32_t process = 0; process < n_processes; process++) {
        json_array_append_new(count, json_integer((json_int_t)processes[process].count));
        json_array_append_new(total, json_real(processes[process].total_s));
    }
    json_object_set_new(object, "process_occurrences", count);
    json_object_set_new(object, "process_total_s", total);
}

static json_t *stratum_to_json(const MeasuredStratum *stratum, uint32_t n_processes)
{
    json_t *object = json_pack("{s:I, s:f}", "occurrences", (json_int_t)stratum->occurrences, "slowest_mean_s",
                               stratum->slowest_mean_s);
    add_processes(object, stratum->processes, n_processes);
    return object;
}

static json_t *phase_to_json(const MeasuredPhase *phase, uint32_t n_processes)
{
    json_t *object = json_pack("{s:I, s:I, s:f, s:f, s:f}", "id", (json_int_t)phase->id, "occurrences",
                               (json_int_t)phase->occurrences, "slowest_mean_s", phase->slowest_mean_s, "sd_s",
                               phase->sd_s, "reference_s", phase->reference_s);
    add_processes(object, phase->processes, n_processes);
    json_t *strata = json_array();
    for (uint32_t i = 0; i < phase->n_strata; i++)
        json_array_append_new(strata, stratum_to_json(&phase->strata[i], n_processes));
    json_object_set_new(object, "strata", strata);
    return object;
}

static json_t *window_to_json(const Window *window)
{
    return json_pack("{s:I, s:I, s:f, s:f, s:I}", "from_occurrence", (json_int_t)window->from_occurrence,
                     "to_occurrence", (json_int_t)window->to_occurrence, "elapsed_s", window->elapsed_s, "reference_s",
                     window->reference_s, "state", (json_int_t)window->state);
}

static json_t *costs_to_json(const StateCosts *costs)
{
    return json_pack("{s:f, s:f, s:f}", "restart_s", costs->restart_s, "warmup_s", costs->warmup_s, "window_s",
                     costs->window_s);
}

double times_speed(const PhaseTimes *times)
{
    double elapsed_s = 0, reference_s = 0;
    for (uint32_t i = 0; i < times->n_windows; i++) {
        elapsed_s += times->windows[i].elapsed_s;
        reference_s += times->windows[i].reference_s;
    }
    return reference_s > 0 ? elapsed_s / reference_s : 1;
}

bool times_save(const PhaseTimes *times, const char *path, Err *err)
{
    uint32_t n = times->application.n_processes;
    json_t *windows = json_array(), *phases = json_array();
    for (uint32_t i = 0; i < times->n_windows; i++)
        json_array_append_new(windows, window_to_json(&times->windows[i]));
    for (uint32_t i = 0; i < times->n_phases; i++)
        json_array_append_new(phases, phase_to_json(&times->phases[i], n));
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:o, s:s, s:o, s:o, s:f, s:f, s:f, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", //
                  "format", TIMES_FORMAT, "version", TIMES_VERSION, "mode", times->mode,                   //
                  "application", application_to_json(&times->application), "accepted_difference",
                  times->accepted_difference,                                                     //
                  "command", json_from_text(times->command), "host", json_from_text(times->host), //
                  "signature_s", times->signature_s, "agreement", times->agreement, "event_agreement",
                  times->event_agreement,                                      //
                  "warmup_occurrences", (json_int_t)times->warmup_occurrences, //
                  "prefix_occurrences", (json_int_t)times->prefix_occurrences, //
                  "prefix_s", json_from_reals(times->prefix_s, n), "startup_s", json_from_reals(times->startup_s, n),
                  "windows", windows, "phases", phases, "costs", costs_to_json(&times->costs));
    bool saved = json_save_document(root, path, err);
    json_decref(root);
    return saved;
}

static bool processes_from_json(const json_t *object, const JsonPlace *place, uint32_t n_processes, Arena *arena,
                                const ProcessTime **result, Err *err)
{
    uint64_t *counts = arena_new_array(arena, uint64_t, n_processes);
    double *totals = arena_new_array(arena, double, n_processes);
    if (!json_get_uints(object, "process_occurrences", place, n_processes, counts, err) ||
        !json_get_seconds_list(object, "process_total_s", place, n_processes, totals, err))
        return false;
    ProcessTime *processes = arena_new_array(arena, ProcessTime, n_processes);
    for (uint32_t process = 0; process < n_processes; process++)
        processes[process] = (ProcessTime){counts[process], totals[process]};
    *result = processes;
    return true;
}

static bool strata_from_json(const json_t *object, const JsonPlace *place, uint32_t n_processes, Arena *arena,
                             MeasuredPhase *phase, Err *err)
{
    json_t *array;
    if (!json_object_get(object, "strata")) /* older phase times don't tell them apart */
        return true;
    if (!json_get_array(object, "strata", place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (n > STRATA_LIMIT)
        return err_set(err, ERR_INPUT, "%s: %s.strata: more than the limit of %d", place->file, place->path,
                       STRATA_LIMIT);
    MeasuredStratum *strata = arena_new_array(arena, MeasuredStratum, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace at = json_place(place->file, "%s.strata[%zu]", place->path, i);
        const json_t *one = json_array_get(array, i);
        if (!json_get_uint(one, "occurrences", &at, COUNT_LIMIT, &strata[i].occurrences, err) ||
            !json_get_seconds(one, "slowest_mean_s", &at, &strata[i].slowest_mean_s, err) ||
            !processes_from_json(one, &at, n_processes, arena, &strata[i].processes, err))
            return false;
    }
    phase->strata = strata;
    phase->n_strata = (uint32_t)n;
    return true;
}

static bool phase_from_json(const json_t *object, const char *file, size_t index, uint32_t n_processes, Arena *arena,
                            MeasuredPhase *phase, Err *err)
{
    const JsonPlace place = json_place(file, "phases[%zu]", index);
    uint64_t id;
    if (!json_get_uint(object, "id", &place, UINT32_MAX, &id, err) ||
        !json_get_uint(object, "occurrences", &place, COUNT_LIMIT, &phase->occurrences, err) ||
        !json_get_seconds(object, "slowest_mean_s", &place, &phase->slowest_mean_s, err) ||
        !json_get_seconds(object, "sd_s", &place, &phase->sd_s, err) ||
        !json_get_seconds(object, "reference_s", &place, &phase->reference_s, err) ||
        !processes_from_json(object, &place, n_processes, arena, &phase->processes, err))
        return false;
    phase->id = (uint32_t)id;
    return strata_from_json(object, &place, n_processes, arena, phase, err);
}

static bool window_from_json(const json_t *object, const char *file, size_t index, Window *window, Err *err)
{
    const JsonPlace place = json_place(file, "windows[%zu]", index);
    uint64_t state = 0;
    if (json_object_get(object, "state") && /* older phase times know one */
        !json_get_uint(object, "state", &place, UINT32_MAX, &state, err))
        return false;
    window->state = (uint32_t)state;
    return json_get_uint(object, "from_occurrence", &place, COUNT_LIMIT, &window->from_occurrence, err) &&
           json_get_uint(object, "to_occurrence", &place, COUNT_LIMIT, &window->to_occurrence, err) &&
           json_get_seconds(object, "elapsed_s", &place, &window->elapsed_s, err) &&
           json_get_seconds(object, "reference_s", &place, &window->reference_s, err);
}

/* Older phase times don't tell. */
static bool costs_from_json(const json_t *root, const JsonPlace *place, StateCosts *costs, Err *err)
{
    json_t *object;
    const JsonPlace inner = json_place(place->file, "costs");
    return !json_object_get(root, "costs") || (json_get_object(root, "costs", place, &object, err) &&
                                               json_get_seconds(object, "restart_s", &inner, &costs->restart_s, err) &&
                                               json_get_seconds(object, "warmup_s", &inner, &costs->warmup_s, err) &&
                                               json_get_seconds(object, "window_s", &inner, &costs->window_s, err));
}

static bool lists_from_json(const json_t *root, const JsonPlace *place, Arena *arena, PhaseTimes *times, Err *err)
{
    uint32_t n = times->application.n_processes;
    double *prefix_s = arena_new_array(arena, double, n), *startup_s = arena_new_array(arena, double, n);
    json_t *windows, *phases;
    if (!json_get_seconds_list(root, "prefix_s", place, n, prefix_s, err) ||
        !json_get_seconds_list(root, "startup_s", place, n, startup_s, err) ||
        !json_get_array(root, "windows", place, SIZE_MAX, &windows, err) ||
        !json_get_array(root, "phases", place, SIZE_MAX, &phases, err))
        return false;
    times->prefix_s = prefix_s;
    times->startup_s = startup_s;
    times->n_windows = (uint32_t)json_array_size(windows);
    Window *window = arena_new_array(arena, Window, times->n_windows);
    times->windows = window;
    for (uint32_t i = 0; i < times->n_windows; i++)
        if (!window_from_json(json_array_get(windows, i), place->file, i, &window[i], err))
            return false;
    times->n_phases = (uint32_t)json_array_size(phases);
    MeasuredPhase *phase = arena_new_array(arena, MeasuredPhase, times->n_phases);
    times->phases = phase;
    for (uint32_t i = 0; i < times->n_phases; i++)
        if (!phase_from_json(json_array_get(phases, i), place->file, i, n, arena, &phase[i], err))
            return false;
    return true;
}

bool times_load(const char *path, Arena *arena, PhaseTimes **result, Err *err)
{
    json_t *root, *application;
    if (!json_load_document(path, TIMES_FORMAT, TIMES_VERSION, &root, err))
        return false;
    const JsonPlace place = json_place(path, "%s", "");
    PhaseTimes *times = arena_new_array(arena, PhaseTimes, 1);
    const char *mode, *accepted, *command, *host;
    bool ok = json_get_object(root, "application", &place, &application, err) &&
              application_from_json(application, path, arena, &times->application, err) &&
              json_get_string(root, "mode", &place, &mode, err) &&
              json_get_string(root, "accepted_difference", &place, &accepted, err) &&
              json_get_string(root, "command", &place, &command, err) &&
              json_get_string(root, "host", &place, &host, err) &&
              json_get_seconds(root, "signature_s", &place, &times->signature_s, err) &&
              json_get_real(root, "agreement", &place, &times->agreement, err) &&
              json_get_real(root, "event_agreement", &place, &times->event_agreement, err) &&
              json_get_uint(root, "warmup_occurrences", &place, COUNT_LIMIT, &times->warmup_occurrences, err) &&
              json_get_uint(root, "prefix_occurrences", &place, COUNT_LIMIT, &times->prefix_occurrences, err) &&
              costs_from_json(root, &place, &times->costs, err) && lists_from_json(root, &place, arena, times, err);
    if (ok) {
        times->mode = arena_strdup(arena, mode);
        times->accepted_difference = arena_strdup(arena, accepted);
        times->command = arena_strdup(arena, command);
        times->host = arena_strdup(arena, host);
        *result = times;
    }
    json_decref(root);
    return ok;
}
