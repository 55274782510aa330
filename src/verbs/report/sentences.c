/* SPDX-License-Identifier: BSD-3-Clause */
/* See answer.h. Each sentence is of one document, and empty without it. */
#include "verbs/report/answer.h"

#include "report/format.h"
#include "verbs/report/data.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* What the sentences are of. */
typedef struct Told {
    const json_t *documents;
    Arena *arena;
} Told;

double answer_imbalance(const json_t *efficiency)
{
    return data_real(efficiency, "parallel") * (1 / data_real(efficiency, "load_balance") - 1);
}

const json_t *answer_efficiencies(const json_t *documents)
{
    const json_t *traces = json_object_get(json_object_get(documents, "efficiencies"), "traces");
    return json_array_size(traces) == 1 ? json_array_get(traces, 0) : NULL;
}

static const char *predicted_sentence(const Told *told)
{
    const json_t *prediction = json_object_get(told->documents, "prediction");
    const json_t *measurement = json_object_get(told->documents, "measurement");
    const char *host = data_text(measurement, "host", told->arena);
    Arena *arena = told->arena;
    return arena_printf(arena, "The program takes %s%s%s: between %s and %s with a probability of 95 %%.",
                        format_seconds(arena, data_real(prediction, "predicted_s")), *host ? " on " : "", host,
                        format_seconds(arena, data_end(prediction, "interval_s", 0)),
                        format_seconds(arena, data_end(prediction, "interval_s", 1)));
}

static const char *actual_sentence(const Told *told)
{
    const json_t *prediction = json_object_get(told->documents, "prediction");
    double actual_s = data_real(prediction, "actual_s"), predicted_s = data_real(prediction, "predicted_s");
    if (!(actual_s > 0))
        return "";
    bool is_inside =
        actual_s >= data_end(prediction, "interval_s", 0) && actual_s <= data_end(prediction, "interval_s", 1);
    return arena_printf(told->arena, " A full run took %s: the prediction is %s too %s, and the interval %s it.",
                        format_seconds(told->arena, actual_s),
                        format_percent(told->arena, fabs(predicted_s / actual_s - 1)),
                        predicted_s < actual_s ? "low" : "high", is_inside ? "holds" : "doesn't hold");
}

static const char *simulated_sentence(const Told *told)
{
    const json_t *simulation = json_object_get(told->documents, "simulation");
    if (!simulation)
        return "";
    Arena *arena = told->arena;
    return arena_printf(arena, " On %s it would take %s (%s to %s). %s", data_text(simulation, "platform", arena),
                        format_seconds(arena, data_real(simulation, "predicted_s")),
                        format_seconds(arena, data_real(simulation, "low_s")),
                        format_seconds(arena, data_real(simulation, "high_s")), data_text(simulation, "answer", arena));
}

/* The phase with most computation, and its share of all processes' time. */
static const char *phase_text(const Told *told, double all_s)
{
    const json_t *phases = json_object_get(json_object_get(told->documents, "waits"), "phases"), *phase;
    const json_t *most = NULL;
    size_t i;
    json_array_foreach(phases, i, phase)
        if (!most || data_real(phase, "computation_s") > data_real(most, "computation_s"))
            most = phase;
    if (!most || !(all_s > 0))
        return "";
    return arena_printf(told->arena, ", %s in phase %zu",
                        format_percent(told->arena, data_real(most, "computation_s") / all_s), data_count(most, "id"));
}

static const char *efficiency_sentence(const Told *told)
{
    const json_t *trace = answer_efficiencies(told->documents), *efficiency = json_object_get(trace, "efficiency");
    const json_t *all = json_object_get(trace, "all");
    double all_s = data_real(all, "time_s");
    Arena *arena = told->arena;
    if (!trace || !(all_s > 0))
        return "";
    return arena_printf(
        arena,
        " %s of the traced run is computation%s. A network that costs nothing would save at most %s. The "
        "busiest process computes longer than the mean, by %s of the run.",
        format_percent(arena, data_real(all, "compute_s") / all_s), phase_text(told, all_s),
        format_percent(arena, fmax(0, 1 - data_real(efficiency, "transfer"))),
        format_percent(arena, answer_imbalance(efficiency)));
}

static const char *traced_sentence(const Told *told)
{
    const json_t *profile = json_object_get(told->documents, "profile");
    const char *time = format_seconds(told->arena, data_real(profile, "application_s"));
    return profile ? arena_printf(told->arena, "The traced run took %s.", time) : "";
}

static const char *mapping_sentence(const Told *told)
{
    const json_t *mapping = json_object_get(told->documents, "mapping");
    const json_t *best = json_array_get(json_object_get(mapping, "mappings"), 0);
    Arena *arena = told->arena;
    if (!best)
        return "";
    if (!json_is_true(json_object_get(mapping, "gain_expected")))
        return arena_printf(arena, " No mapping is expected to be faster than the default, %s.",
                            data_text(mapping, "default", arena));
    return arena_printf(arena, " The mapping %s is predicted to take %s, %s less than the default (%s to %s less).",
                        data_text(best, "mapper", arena), format_seconds(arena, data_real(best, "predicted_s")),
                        format_percent(arena, data_real(best, "gain")),
                        format_percent(arena, data_real(best, "gain_low")),
                        format_percent(arena, data_real(best, "gain_high")));
}

/* Of runs whose size grows with the processes. */
static const char *weak_sentence(const Told *told, const json_t *weak)
{
    const json_t *points = json_object_get(weak, "points"), *first = json_array_get(points, 0);
    const json_t *last = data_last(weak, "points");
    Arena *arena = told->arena;
    if (json_array_size(points) < 2)
        return "";
    return arena_printf(arena, " With a size that grows with the processes, %zu take %.3g times as long as %zu.",
                        data_count(last, "p"), data_real(last, "median_s") / data_real(first, "median_s"),
                        data_count(first, "p"));
}

/* Of runs of one size. */
static const char *strong_sentence(const Told *told, const json_t *size, double efficiency_limit)
{
    const json_t *points = json_object_get(size, "points"), *first = json_array_get(points, 0);
    const json_t *last = data_last(size, "points");
    double most = data_real(size, "most_processes");
    Arena *arena = told->arena;
    const char *kept = "";
    if (json_array_size(points) < 2)
        return "";
    if (most > 0)
        kept = arena_printf(arena, " Up to %.0f process%s, the efficiency stays at %s or more%s.", most,
                            most == 1 ? "" : "es", format_percent(arena, efficiency_limit),
                            json_is_true(json_object_get(size, "most_is_extrapolated")) ? ", extrapolated" : "");
    return arena_printf(arena,
                        " On %zu processes, the program is %.3g times as fast as on %zu, with an efficiency of %s.%s",
                        data_count(last, "p"), data_real(first, "median_s") / data_real(last, "median_s"),
                        data_count(first, "p"), format_percent(arena, data_real(last, "efficiency")), kept);
}

/* Of the largest size. */
static const char *scaling_sentence(const Told *told)
{
    const json_t *scaling = json_object_get(told->documents, "scaling");
    const char *strong = strong_sentence(told, data_last(scaling, "sizes"), data_real(scaling, "efficiency_limit"));
    return *strong ? strong : weak_sentence(told, json_array_get(json_object_get(scaling, "scaled"), 0));
}

/* What the phases' laws, and the extrapolated events, predict for the most processes, or the largest size. */
static const char *summed_sentence(const Told *told, const json_t *counts)
{
    const json_t *last = data_last(counts, "predictions");
    const json_t *time = json_object_get(last, "time_s"), *simulated = json_object_get(last, "simulated");
    const json_t *there = json_object_get(simulated, "time_s");
    Arena *arena = told->arena;
    const char *where = strcmp(data_text(counts, "scaling", arena), "sizes") == 0
                            ? arena_printf(arena, "With the size %zu", data_count(last, "p"))
                            : arena_printf(arena, "On %zu processes", data_count(last, "p"));
    if (!last)
        return "";
    double high_s = data_real(time, "high");
    const char *sentence =
        arena_printf(arena, " %s, the program takes %s by the laws of its phases (%s to %s).", where,
                     format_seconds(arena, data_real(time, "value")), format_seconds(arena, data_real(time, "low")),
                     isfinite(high_s) ? format_seconds(arena, high_s) : "∞");
    return json_is_object(there) ? arena_printf(arena, "%s On the named machine, it takes %s (%s to %s).", sentence,
                                                format_seconds(arena, data_real(there, "value")),
                                                format_seconds(arena, data_real(there, "low")),
                                                format_seconds(arena, data_real(there, "high")))
                                 : sentence;
}

/* What grows most until then. */
static const char *growth_sentence(const Told *told, const json_t *counts)
{
    const json_t *calls = json_object_get(data_last(counts, "predictions"), "calls"), *call;
    const json_t *rows = json_object_get(counts, "calls"), *most = NULL, *before = NULL;
    double grown = 0;
    size_t i;
    json_array_foreach(calls, i, call) {
        double more = data_real(call, "share") - data_real(json_array_get(rows, i), "share");
        if (more > grown) {
            grown = more;
            most = call;
            before = json_array_get(rows, i);
        }
    }
    return most ? arena_printf(told->arena, " Calls of %s grow from %s to %s of the time.",
                               data_text(most, "call", told->arena),
                               format_percent(told->arena, data_real(before, "share")),
                               format_percent(told->arena, data_real(most, "share")))
                : "";
}

/* The phase with a share worth saying that stops scaling first. */
static const char *stop_sentence(const Told *told, const json_t *counts)
{
    const double worth_saying = 0.05;
    const json_t *phases = json_object_get(counts, "phases"), *phase, *first = NULL;
    size_t i;
    json_array_foreach(phases, i, phase)
        if (!first && data_real(phase, "share") >= worth_saying)
            first = phase;
    if (!(data_real(first, "stops_at_p") > 0))
        return "";
    return arena_printf(
        told->arena,
        " The phase \"%s\" stops scaling first: its efficiency falls below %s on %.0f processes, because of %s.",
        data_text(first, "structure", told->arena), format_percent(told->arena, data_real(counts, "efficiency_limit")),
        data_real(first, "stops_at_p"), data_text(first, "because_of", told->arena));
}

static const char *counts_sentence(const Told *told)
{
    const json_t *counts = json_object_get(told->documents, "counts");
    return arena_printf(told->arena, "%s%s%s", summed_sentence(told, counts), growth_sentence(told, counts),
                        stop_sentence(told, counts));
}

static const char *cost_sentence(const Told *told)
{
    const json_t *predictions = json_object_get(json_object_get(told->documents, "cost"), "predictions"), *prediction;
    const json_t *fastest = NULL;
    double least_s = INFINITY;
    Arena *arena = told->arena;
    size_t i;
    json_array_foreach(predictions, i, prediction) {
        double most_s = data_end(prediction, "time_s", 1);
        if (most_s < least_s) {
            least_s = most_s;
            fastest = prediction;
        }
    }
    if (!fastest)
        return "";
    return arena_printf(arena, " By its source, the program takes %s to %s on %zu worker%s.",
                        format_seconds(arena, data_end(fastest, "time_s", 0)), format_seconds(arena, least_s),
                        data_count(fastest, "workers"), text_plural(data_count(fastest, "workers")));
}

/* ---- predictions side by side ---- */

const char *comparison_name(const json_t *prediction, Arena *arena)
{
    const char *mapping = data_text(prediction, "mapping", arena);
    return *mapping ? mapping : data_text(prediction, "times", arena);
}

static const json_t *least_of(const json_t *list, const char *key)
{
    const json_t *item, *least = NULL;
    size_t i;
    json_array_foreach(list, i, item)
        if (!least || data_real(item, key) < data_real(least, key))
            least = item;
    return least;
}

static const char *comparison_sentence(const Told *told)
{
    const json_t *list = json_object_get(json_object_get(told->documents, "comparison"), "predictions"), *other;
    const json_t *fastest = least_of(list, "predicted_s");
    const char *others = "";
    Arena *arena = told->arena;
    size_t i;
    if (!fastest)
        return "";
    json_array_foreach(list, i, other)
        if (other != fastest && data_end(other, "interval_s", 0) <= data_end(fastest, "interval_s", 1))
            others = arena_printf(arena, "%s%s%s", others, *others ? ", " : "", comparison_name(other, arena));
    const char *tells =
        *others ? arena_printf(arena, "; the intervals don't tell it from %s", others) : ", beyond the intervals";
    return arena_printf(arena, " With %s, the program is predicted to be fastest: %s (%s to %s)%s.",
                        comparison_name(fastest, arena), format_seconds(arena, data_real(fastest, "predicted_s")),
                        format_seconds(arena, data_end(fastest, "interval_s", 0)),
                        format_seconds(arena, data_end(fastest, "interval_s", 1)), tells);
}

/* ---- runs of tasks ---- */

/* The median time of as many runs from one on as have the same machines. *n: their number. */
static double median_s(const json_t *runs, size_t first, size_t *n, Arena *arena)
{
    const double *times_s = data_column(runs, "time_s", arena) + first;
    const json_t *one = json_array_get(runs, first);
    *n = 1;
    while (first + *n < json_array_size(runs) && data_are_alike(one, json_array_get(runs, first + *n), arena))
        ++*n;
    double *sorted_s = arena_copy_array(arena, times_s, *n, sizeof *times_s);
    gsl_sort(sorted_s, 1, *n);
    return gsl_stats_median_from_sorted_data(sorted_s, 1, *n);
}

/* The last machines beside the first ones. */
static const char *runs_sentence(const Told *told)
{
    const json_t *document = json_object_get(told->documents, "runs"), *runs = json_object_get(document, "runs");
    double first_s = NAN, last_s = NAN;
    size_t last = 0, n_last = 0;
    Arena *arena = told->arena;
    for (size_t i = 0; i < json_array_size(runs); i += n_last) {
        last = i;
        last_s = median_s(runs, i, &n_last, arena);
        first_s = i ? first_s : last_s;
    }
    if (!n_last)
        return "";
    size_t workers = data_count(json_array_get(runs, last), "workers");
    const char *median = n_last > 1 ? arena_printf(arena, ", the median of %zu runs", n_last) : "";
    const char *times = last ? arena_printf(arena, ", %.3g times as fast as on %zu", first_s / last_s,
                                            data_count(json_array_get(runs, 0), "workers"))
                             : "";
    return arena_printf(arena, " On %zu worker%s, %s took %s%s%s.", workers, text_plural(workers),
                        data_text(document, "application", arena), format_seconds(arena, last_s), median, times);
}

/* ---- messages ---- */

typedef struct Fastest {
    const json_t *startup, *bandwidth; /* series */
    double startup_s, bytes_per_s;
} Fastest;

static void compare(Fastest *fastest, const json_t *series)
{
    const json_t *points = json_object_get(series, "points"), *point;
    double startup_s = data_real(json_array_get(points, 0), "median_s");
    size_t i;
    if (startup_s > 0 && (!fastest->startup || startup_s < fastest->startup_s)) {
        fastest->startup = series;
        fastest->startup_s = startup_s;
    }
    json_array_foreach(points, i, point) {
        double rate = data_real(point, "bytes") / data_real(point, "median_s");
        if (rate > fastest->bytes_per_s) {
            fastest->bandwidth = series;
            fastest->bytes_per_s = rate;
        }
    }
}

static const char *way_of(const json_t *communication, const json_t *series, Arena *arena)
{
    const json_t *names =
        json_array_get(json_object_get(communication, "configurations"), data_count(series, "configuration"));
    return arena_printf(arena, "%s %s", data_text(names, "middleware", arena), data_text(names, "transport", arena));
}

static const char *fastest_sentence(const Told *told, const json_t *communication, bool is_remote)
{
    const json_t *all = json_object_get(communication, "series"), *series;
    Fastest fastest = {0};
    Arena *arena = told->arena;
    size_t i;
    json_array_foreach(all, i, series) {
        bool is_between = data_count(series, "from_host") != data_count(series, "to_host");
        if (strcmp(data_text(series, "operation", arena), "pingpong") == 0 && is_between == is_remote)
            compare(&fastest, series);
    }
    if (!fastest.startup || !fastest.bandwidth)
        return "";
    return arena_printf(arena, " %s, the shortest message takes %s (%s), and the largest bandwidth is %s/s (%s).",
                        is_remote ? "Between hosts" : "Within a host", format_seconds(arena, fastest.startup_s),
                        way_of(communication, fastest.startup, arena), format_bytes(arena, fastest.bytes_per_s),
                        way_of(communication, fastest.bandwidth, arena));
}

static const char *communication_sentence(const Told *told)
{
    const json_t *communication = json_object_get(told->documents, "communication");
    return arena_printf(told->arena, "%s%s", fastest_sentence(told, communication, false),
                        fastest_sentence(told, communication, true));
}

/* ---- all of them ---- */

const char *answer_lead(const json_t *documents, Arena *arena)
{
    const Told told = {documents, arena};
    return json_object_get(documents, "prediction")
               ? arena_printf(arena, "%s%s", predicted_sentence(&told), actual_sentence(&told))
               : traced_sentence(&told);
}

const char *answer_details(const json_t *documents, Arena *arena)
{
    const Told told = {documents, arena};
    const char *text = arena_printf(arena, "%s%s%s%s%s%s%s%s%s", efficiency_sentence(&told), simulated_sentence(&told),
                                    mapping_sentence(&told), scaling_sentence(&told), counts_sentence(&told),
                                    comparison_sentence(&told), cost_sentence(&told), runs_sentence(&told),
                                    communication_sentence(&told));
    return text + (*text == ' ');
}

void answer_print(const Cli *cli, const char *kind, json_t *document)
{
    json_t *documents = json_pack("{s:o}", kind, document);
    if (cli->json || cli->quiet) {
        json_decref(documents);
        return;
    }
    const char *lead = answer_lead(documents, cli->arena);
    const char *answer = *lead ? lead : answer_details(documents, cli->arena);
    Text text = {0};
    if (*answer)
        format_add_filled(&text, answer, strlen(answer), 0, 0, cli_columns());
    cli_print(cli, "%s%s", text_take(&text, cli->arena), *answer ? "\n" : "");
    json_decref(documents);
}
