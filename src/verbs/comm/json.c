/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h: the summary as JSON. */
#include "verbs/comm/views.h"

#include "base/json.h"
#include "comm/summary.h"

static json_t *series_name(const CommMeasurement *measurement, const CommSeries *series, Arena *arena)
{
    return json_from_text(comm_configuration_name(&measurement->configurations[series->configuration], arena));
}

static void set_place(json_t *object, const CommMeasurement *measurement, const CommSeries *series, Arena *arena)
{
    json_object_set_new(object, "configuration", series_name(measurement, series, arena));
    json_object_set_new(object, "from", json_from_text(measurement->hosts[series->from_host].name));
    json_object_set_new(object, "to", json_from_text(measurement->hosts[series->to_host].name));
}

static json_t *extreme_json(const CommMeasurement *measurement, const Extreme *extreme, const char *unit, Arena *arena)
{
    if (!extreme->series)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, unit, json_real(extreme->value));
    json_object_set_new(object, "bytes", json_integer((json_int_t)extreme->point->bytes));
    set_place(object, measurement, extreme->series, arena);
    return object;
}

static json_t *extremes_json(const CommMeasurement *measurement, const Extreme extremes[N_EXTREMES], Arena *arena)
{
    static const struct {
        const char *key, *unit;
    } names[N_EXTREMES] = {[STARTUP_LEAST] = {"least_startup", "seconds"},
                           [STARTUP_MOST] = {"most_startup", "seconds"},
                           [BANDWIDTH_MOST] = {"most_bandwidth", "bytes_per_s"},
                           [BANDWIDTH_AT_LARGEST] = {"bandwidth_at_largest", "bytes_per_s"}};
    json_t *object = json_object();
    for (int kind = 0; kind < N_EXTREMES; kind++)
        json_object_set_new(object, names[kind].key,
                            extreme_json(measurement, &extremes[kind], names[kind].unit, arena));
    return object;
}

static json_t *overhead_json(const CommMeasurement *measurement, const CommOverhead *overhead, Arena *arena)
{
    json_t *object = json_object();
    set_place(object, measurement, overhead->series, arena);
    json_object_set_new(object, "against", series_name(measurement, overhead->baseline, arena));
    json_object_set_new(object, "startup_s", json_real(overhead->startup_s));
    json_object_set_new(object, "startup_difference_s", json_real(overhead->startup_s - overhead->baseline_startup_s));
    json_object_set_new(object, "startup_ratio", json_real(overhead->startup_s / overhead->baseline_startup_s));
    json_object_set_new(object, "bandwidth_share", json_real(overhead->bandwidth / overhead->baseline_bandwidth));
    json_object_set_new(object, "largest_bytes", json_integer((json_int_t)overhead->largest_bytes));
    json_object_set_new(object, "bandwidth_share_at_largest",
                        json_real(overhead->at_largest / overhead->baseline_at_largest));
    return object;
}

json_t *comm_summary_json(const CommMeasurement *measurement, Arena *arena)
{
    uint32_t n_summaries, n_overheads;
    const CommSummary *summaries = summary_make(measurement, arena, &n_summaries);
    const CommOverhead *overheads = summary_overheads(measurement, arena, &n_overheads);
    json_t *document = json_object(), *list = json_array(), *over = json_array();
    for (uint32_t i = 0; i < n_summaries; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "middleware", json_string(summaries[i].middleware));
        json_object_set_new(one, "operation", json_string(summaries[i].operation));
        json_object_set_new(one, "local", extremes_json(measurement, summaries[i].local, arena));
        json_object_set_new(one, "remote", extremes_json(measurement, summaries[i].remote, arena));
        json_array_append_new(list, one);
    }
    for (uint32_t i = 0; i < n_overheads; i++)
        json_array_append_new(over, overhead_json(measurement, &overheads[i], arena));
    json_object_set_new(document, "summary", list);
    json_object_set_new(document, "overheads", over);
    return document;
}
