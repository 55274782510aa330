/* SPDX-License-Identifier: BSD-3-Clause */
/* See extrap.h. */
#include "formats/extrap.h"

#include "base/files.h"
#include <jansson.h>
#include <string.h>

/* Extra-P's modeller refuses, or warns about, fewer. */
enum { POINTS_ADVISED = 5 };

typedef struct Measurements {
    json_t *paths;
    uint64_t n;
} Measurements;

static json_t *member(json_t *object, const char *key, json_t *fresh)
{
    json_t *found = json_object_get(object, key);
    if (found) {
        json_decref(fresh);
        return found;
    }
    json_object_set_new(object, key, fresh);
    return fresh;
}

/* The measurement of a metric with so many processes. */
static json_t *find_values(json_t *points, uint32_t n_processes)
{
    size_t i;
    json_t *point;
    json_array_foreach(points, i, point) {
        if (json_integer_value(json_array_get(json_object_get(point, "point"), 0)) == (json_int_t)n_processes)
            return json_object_get(point, "values");
    }
    json_t *values = json_array();
    json_array_append_new(points, json_pack("{s:[I], s:o}", "point", (json_int_t)n_processes, "values", values));
    return values;
}

static void add(Measurements *measurements, const ExtrapRun *run, const char *path, const char *metric, double sum)
{
    const uint32_t n = run->profile.n_processes;
    json_t *points = member(member(measurements->paths, path, json_object()), metric, json_array());
    json_array_append_new(find_values(points, n), json_real(sum / n));
    measurements->n++;
}

static bool is_called(const ExtrapRun *runs, size_t n_runs, uint32_t kind)
{
    for (size_t i = 0; i < n_runs; i++)
        if (runs[i].profile.calls[kind].n_calls)
            return true;
    return false;
}

/* A kind that a run doesn't call has zeros there, so that each call path has all points. */
static void add_calls(Measurements *measurements, const ExtrapRun *runs, size_t n_runs, size_t at)
{
    for (uint32_t kind = 0; kind < CALL_KIND_COUNT; kind++) {
        char path[96];
        const CallProfile *calls = &runs[at].profile.calls[kind];
        if (!is_called(runs, n_runs, kind))
            continue;
        snprintf(path, sizeof path, "main->MPI->%s", call_kind_name(kind));
        add(measurements, &runs[at], path, "time", 1e-9 * (double)calls->time_ns);
        add(measurements, &runs[at], path, "visits", (double)calls->n_calls);
        add(measurements, &runs[at], path, "bytes", (double)calls->bytes_sent + (double)calls->bytes_received);
    }
}

static void add_run(Measurements *measurements, const ExtrapRun *run)
{
    const TimeSpent spent = profile_time_spent(&run->profile);
    add(measurements, run, "main", "time", spent.whole_s);
    add(measurements, run, "main->computation", "time", spent.compute_s);
}

static void add_phases(Measurements *measurements, const ExtrapRun *run)
{
    const uint32_t n = run->profile.n_processes;
    for (uint32_t i = 0; i < run->signature->n_phases; i++) {
        const Phase *phase = &run->signature->phases[i];
        char path[64];
        double seconds = 0, visits = 0;
        for (uint32_t process = 0; process < n; process++) {
            seconds += phase->processes[process].total_s;
            visits += (double)phase->processes[process].count;
        }
        snprintf(path, sizeof path, "main->phase %u", phase->id);
        add(measurements, run, path, "time", seconds);
        add(measurements, run, path, "visits", visits);
    }
}

static bool have_same_phases(const ExtrapRun *runs, size_t n_runs)
{
    for (size_t i = 1; i < n_runs; i++) {
        if (runs[i].signature->n_phases != runs[0].signature->n_phases)
            return false;
        for (uint32_t k = 0; k < runs[0].signature->n_phases; k++)
            if (runs[i].signature->phases[k].id != runs[0].signature->phases[k].id)
                return false;
    }
    return true;
}

static const char *executable_of(const ExtrapRun *run)
{
    return files_base_name(run->signature->application.executable);
}

static void add_notes(const ExtrapRun *runs, size_t n_runs, uint32_t n_points, Notes *notes)
{
    for (size_t i = 1; i < n_runs; i++)
        if (strcmp(executable_of(&runs[i]), executable_of(&runs[0])) != 0) {
            notes_add(notes, "the traces are of different programs: %s and %s", executable_of(&runs[0]),
                      executable_of(&runs[i]));
            break;
        }
    if (!have_same_phases(runs, n_runs))
        notes_add(notes, "phases are left out, because the traces have different numbers of them");
    if (n_points < POINTS_ADVISED)
        notes_add(notes, "%u number%s of processes; Extra-P advises %d", n_points, n_points == 1 ? "" : "s",
                  POINTS_ADVISED);
}

bool extrap_write(const ExtrapRun *runs, size_t n_runs, const char *path, Notes *notes, ExtrapSummary *summary,
                  Err *err)
{
    Measurements measurements = {.paths = json_object()};
    const bool has_phases = have_same_phases(runs, n_runs);
    for (size_t i = 0; i < n_runs; i++) {
        add_run(&measurements, &runs[i]);
        add_calls(&measurements, runs, n_runs, i);
        if (has_phases)
            add_phases(&measurements, &runs[i]);
    }
    const json_t *whole = json_object_get(json_object_get(measurements.paths, "main"), "time");
    *summary = (ExtrapSummary){measurements.n, (uint32_t)json_array_size(whole)};
    json_t *root = json_pack("{s:[s], s:o}", "parameters", "p", "measurements", measurements.paths);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    const bool ok = files_save_text(path, text, err);
    if (ok)
        add_notes(runs, n_runs, summary->n_points, notes);
    free(text);
    json_decref(root);
    return ok;
}
