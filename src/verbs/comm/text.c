/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h: the text. */
#include "verbs/comm/views.h"

#include "base/text.h"
#include "comm/summary.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/comm/guidelines_views.h"
#include <math.h>
#include <string.h>

typedef struct Printing {
    const CommMeasurement *measurement;
    const MachineModel *machine;
    bool all, color;
    Arena *arena;
} Printing;

const char *comm_bandwidth_text(double bytes_per_s, Arena *arena)
{
    return bytes_per_s > 0 ? arena_printf(arena, "%s/s", format_bytes(arena, bytes_per_s)) : "";
}

static const CommConfiguration *configuration_of(const Printing *printing, const CommSeries *series)
{
    return &printing->measurement->configurations[series->configuration];
}

static const char *name_of(const Printing *printing, const CommSeries *series)
{
    return comm_way_text(printing->measurement, series, printing->arena);
}

const char *comm_way_text(const CommMeasurement *measurement, const CommSeries *series, Arena *arena)
{
    return comm_configuration_name(&measurement->configurations[series->configuration], arena);
}

bool comm_has_row(const CommSeries *series, uint32_t point, bool all)
{
    return all || point == 0 || point == series->n_points / 2 || point + 1 == series->n_points;
}

const char *comm_place_text(const CommMeasurement *measurement, const CommSeries *series, Arena *arena)
{
    const CommHost *hosts = measurement->hosts;
    bool is_alone = measurement->n_hosts == 1;
    if (series->level)
        return arena_printf(arena, "%s%sbetween %ss", is_alone ? "" : hosts[series->from_host].name,
                            is_alone ? "" : ", ", series->level);
    if (is_alone)
        return "";
    if (summary_is_local(series))
        return hosts[series->from_host].name;
    return arena_printf(arena, "%s – %s", hosts[series->from_host].name, hosts[series->to_host].name);
}

const char *comm_size_text(const CommSeries *series, const CommPoint *point, Arena *arena)
{
    bool has_size = strcmp(series->operation, "barrier") != 0 && strcmp(series->operation, "ibarrier") != 0;
    return has_size ? format_bytes(arena, (double)point->bytes) : "";
}

static const char *place_of(const Printing *printing, const CommSeries *series)
{
    return comm_place_text(printing->measurement, series, printing->arena);
}

/* ---- summary ---- */

static const char *operation_text(const char *operation)
{
    return strcmp(operation, "pingpong") == 0 ? "point to point" : operation;
}

/* The value, with its configuration and the other host. */
static const char *extreme_text(const Printing *printing, const Extreme *extreme, ExtremeKind kind, bool is_remote)
{
    Arena *arena = printing->arena;
    if (!extreme->series)
        return "";
    const CommConfiguration *names = configuration_of(printing, extreme->series);
    bool is_startup = kind == STARTUP_LEAST || kind == STARTUP_MOST;
    const CommHost *hosts = printing->measurement->hosts;
    const CommSeries *series = extreme->series;
    /* The root is one end of most pairs. */
    const char *from = is_remote && series->from_host && strcmp(series->operation, "pingpong") == 0
                           ? arena_printf(arena, "%s – ", hosts[series->from_host].name)
                           : "";
    return arena_printf(arena, "%s  %s%s%s%s%s%s",
                        is_startup ? format_seconds(arena, extreme->value) : comm_bandwidth_text(extreme->value, arena),
                        names->transport, *names->packing ? " " : "", names->packing, is_remote ? ", " : "", from,
                        is_remote ? hosts[series->to_host].name : "");
}

static void add_summary_row(const Printing *printing, Table *table, const CommSummary *summary, bool is_remote)
{
    const Extreme *extremes = is_remote ? summary->remote : summary->local;
    if (!extremes[STARTUP_LEAST].series)
        return;
    const bool is_pingpong = strcmp(summary->operation, "pingpong") == 0;
    table_cells(table, "%s|%s%s|%s", summary->middleware, operation_text(summary->operation),
                is_pingpong ? "" : arena_printf(printing->arena, ", p = %u", summary->n_ranks),
                is_remote ? "between hosts" : "in a host");
    for (int kind = 0; kind < N_EXTREMES; kind++)
        table_cells(table, "%s", extreme_text(printing, &extremes[kind], (ExtremeKind)kind, is_remote));
}

static const char *summary_text(const Printing *printing)
{
    uint32_t n;
    const CommSummary *summaries = summary_make(printing->measurement, printing->arena, &n);
    Table *table = table_new(printing->arena);
    table_columns(table, "summary|||startup, least|most|bandwidth, most|at the largest size");
    table_repeat_columns(table, 3);
    for (uint32_t i = 0; i < n; i++)
        for (int is_remote = 0; is_remote < 2; is_remote++)
            add_summary_row(printing, table, &summaries[i], is_remote);
    return n ? table_text(table, printing->color) : "";
}

/* ---- point to point ---- */

static void add_model_cells(const Printing *printing, Table *table, const CommSeries *series)
{
    Arena *arena = printing->arena;
    const MachinePath *path = machine_find_path_of(printing->machine, configuration_of(printing, series), series);
    if (!path || !path->n_segments) {
        for (int i = 0; i < 4; i++)
            table_cells(table, "%s", "");
        return;
    }
    const CostSegment *first = &path->segments[0], *last = &path->segments[path->n_segments - 1];
    double per_byte_s = last->s_per_byte.value;
    table_cells(table, "%s|%s|%u|%s%s", format_seconds(arena, first->latency_s.value),
                per_byte_s > 0 ? comm_bandwidth_text(1 / per_byte_s, arena) : "", path->n_segments,
                format_percent(arena, path->largest_error), path->linear ? "" : ", not linear");
}

/* Names the smallest sizes where they differ: libraries have empty messages, and sockets don't. */
static const char *smallest_text(const Printing *printing)
{
    const CommMeasurement *measurement = printing->measurement;
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        if (strcmp(series->operation, "pingpong") != 0)
            continue;
        least = series->points[0].bytes < least ? series->points[0].bytes : least;
        most = series->points[0].bytes > most ? series->points[0].bytes : most;
    }
    return least < most ? arena_printf(printing->arena, ", %s to %s", format_bytes(printing->arena, (double)least),
                                       format_bytes(printing->arena, (double)most))
                        : "";
}

static const char *points_text(const Printing *printing)
{
    Arena *arena = printing->arena;
    const CommMeasurement *measurement = printing->measurement;
    Table *table = table_new(arena);
    table_columns(table, measurement->n_hosts > 1 ? "point to point|hosts" : "point to point|");
    table_repeat_columns(table, 2);
    table_columns(table, ">startup|>most bandwidth|>of|>at the largest|>size|>first α|>last 1/β|>segments|"
                         ">largest error|>path");
    bool any = false;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        if (strcmp(series->operation, "pingpong") != 0)
            continue;
        any = true;
        const CommPoint *fastest = summary_fastest(series), *last = &series->points[series->n_points - 1];
        table_cells(table, "%s|%s|%s|%s|%s|%s|%s", name_of(printing, series), place_of(printing, series),
                    format_seconds(arena, series->points[0].median_s),
                    comm_bandwidth_text(summary_bandwidth(fastest), arena), format_bytes(arena, (double)fastest->bytes),
                    comm_bandwidth_text(summary_bandwidth(last), arena), format_bytes(arena, (double)last->bytes));
        add_model_cells(printing, table, series);
        const char *parts = series->parts ? text_as_line(series->parts, arena) : "";
        table_cells(table, "%s%s%s%s%s", series->path, *parts ? " (" : "", parts, *parts ? ")" : "",
                    series->is_doubtful ? ", doubtful" : "");
    }
    return any ? arena_printf(arena,
                              "%sstartup: time of the smallest size%s; bandwidth: bytes over one-way time, with one "
                              "message at a time; first α and last 1/β: of the model's first and last segment%s\n",
                              table_text(table, printing->color), smallest_text(printing),
                              printing->machine->statistic == COMM_MINIMUM ? ", which describe the shortest times" : "")
               : "";
}

/* ---- times ---- */

static const char *interval(const Printing *printing, double low_s, double high_s)
{
    return arena_printf(printing->arena, "%s … %s", format_seconds(printing->arena, low_s),
                        format_seconds(printing->arena, high_s));
}

/* A configuration, with an operation other than ping-pong: "openmpi shm put". */
static const char *way_of(const Printing *printing, const CommSeries *series)
{
    const char *name = name_of(printing, series);
    return strcmp(series->operation, "pingpong") == 0 ? name
                                                      : arena_printf(printing->arena, "%s %s", name, series->operation);
}

/* Of point-to-point messages: the smallest, the middle and the largest size, or all sizes. */
static const char *times_text(const Printing *printing)
{
    const CommMeasurement *measurement = printing->measurement;
    Table *table = table_new(printing->arena);
    bool any = false;
    table_columns(table, measurement->n_hosts > 1 ? "times|hosts" : "times|");
    table_repeat_columns(table, 3);
    table_columns(table, ">size|>shortest, of launches|>median|>95 %|>90th percentile|>95 %");
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        const bool is_one_by_one = comm_is_exchange(series->operation) && !comm_is_stream(series->operation);
        for (uint32_t k = 0; is_one_by_one && k < series->n_points; k++) {
            const CommPoint *point = &series->points[k];
            if (!comm_has_row(series, k, printing->all))
                continue;
            any = true;
            bool is_known = point->n_samples >= COMM_SAMPLES_OF_AN_INTERVAL;
            table_cells(table, "%s|%s|%s|%s|%s|%s|%s|%s", k ? "" : way_of(printing, series),
                        k ? "" : place_of(printing, series), format_bytes(printing->arena, (double)point->bytes),
                        interval(printing, point->minimum_s, point->minimum_high_s),
                        format_seconds(printing->arena, point->median_s),
                        is_known ? interval(printing, point->low_s, point->high_s) : "",
                        format_seconds(printing->arena, point->p90_s),
                        is_known ? interval(printing, point->p90_low_s, point->p90_high_s) : "");
        }
    }
    return any ? table_text(table, printing->color) : "";
}

/* ---- against the system ---- */

static const char *over_icmp(const CommOverhead *overhead, Arena *arena)
{
    double more_s = overhead->startup_s - overhead->icmp_startup_s;
    return isfinite(more_s) ? arena_printf(arena, "%s%s", more_s < 0 ? "−" : "+", format_seconds(arena, fabs(more_s)))
                            : "";
}

static const char *overheads_text(const Printing *printing)
{
    Arena *arena = printing->arena;
    uint32_t n;
    const CommOverhead *overheads = summary_overheads(printing->measurement, arena, &n);
    Table *table = table_new(arena);
    table_columns(table, printing->measurement->n_hosts > 1 ? "against the system|hosts" : "against the system|");
    table_repeat_columns(table, 3);
    table_columns(table, ">against|>startup|>more|>times|>over ICMP|>most bandwidth|>share|>share at|>size");
    for (uint32_t i = 0; i < n; i++) {
        const CommOverhead *overhead = &overheads[i];
        double more_s = overhead->startup_s - overhead->baseline_startup_s;
        table_cells(table, "%s|%s|%s|%s|%s%s|%.2f|%s|%s|%s|%s|%s", name_of(printing, overhead->series),
                    place_of(printing, overhead->series), configuration_of(printing, overhead->baseline)->transport,
                    format_seconds(arena, overhead->startup_s), more_s < 0 ? "−" : "+",
                    format_seconds(arena, fabs(more_s)), overhead->startup_s / overhead->baseline_startup_s,
                    over_icmp(overhead, arena), comm_bandwidth_text(overhead->bandwidth, arena),
                    format_percent(arena, overhead->bandwidth / overhead->baseline_bandwidth),
                    format_percent(arena, overhead->at_largest / overhead->baseline_at_largest),
                    format_bytes(arena, (double)overhead->largest_bytes));
    }
    return n ? arena_printf(arena, "%ssockets block while they wait; a library that polls can be faster\n",
                            table_text(table, printing->color))
             : "";
}

/* ---- collectives ---- */

/* The number of late starts that were dropped, in all points. */
static uint64_t count_late(const CommSeries *series)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < series->n_points; i++)
        sum += series->points[i].late;
    return sum;
}

static double largest_skew_s(const CommSeries *series)
{
    double largest = 0;
    for (uint32_t i = 0; i < series->n_points; i++)
        largest = fmax(largest, series->points[i].skew_s);
    return largest;
}

/* Whether collectives were measured with several numbers of processes. */
static bool has_several_ranks(const CommMeasurement *measurement)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        if (!comm_is_collective(series->operation))
            continue;
        if (first && series->n_ranks != first)
            return true;
        first = series->n_ranks;
    }
    return false;
}

static const char *collectives_text(const Printing *printing)
{
    Arena *arena = printing->arena;
    const CommMeasurement *measurement = printing->measurement;
    Table *table = table_new(arena);
    table_columns(table, "collectives||>processes|>startup|>largest size|>takes|>skew|>late|most like|>error");
    table_repeat_columns(table, 3);
    bool any = false;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        if (!comm_is_collective(series->operation))
            continue;
        any = true;
        const CommPoint *last = &series->points[series->n_points - 1];
        const MachineCollective *collective =
            machine_find_collective(printing->machine, configuration_of(printing, series), series->operation);
        table_cells(table, "%s|%s|%u|%s|%s|%s|%s|%s|%s%s|%s", name_of(printing, series), series->operation,
                    series->n_ranks, format_seconds(arena, series->points[0].median_s),
                    last->bytes ? format_bytes(arena, (double)last->bytes) : "",
                    last->bytes ? format_seconds(arena, last->median_s) : "",
                    format_seconds(arena, largest_skew_s(series)), format_count(arena, count_late(series)),
                    collective ? collective->model : "",
                    collective && collective->least_ranks == collective->most_ranks ? "?" : "",
                    collective ? format_percent(arena, collective->error) : "");
    }
    if (!any)
        return "";
    return arena_printf(arena, "%s%s", table_text(table, printing->color),
                        has_several_ranks(measurement)
                            ? ""
                            : "?: uncertain, with one number of processes only; -n 2:8 measures several\n");
}

/* How precise the times are. */
static const char *certainty_text(const Printing *printing)
{
    const CommMeasurement *measurement = printing->measurement;
    uint32_t n = 0, n_reached = 0, n_few = 0, n_once = 0;
    for (uint32_t i = 0; i < measurement->n_series; i++)
        for (uint32_t k = 0; k < measurement->series[i].n_points; k++) {
            const CommPoint *point = &measurement->series[i].points[k];
            n++;
            n_reached += point->reached;
            n_few += point->n_samples < COMM_SAMPLES_OF_AN_INTERVAL;
            n_once += point->n_launches == 1;
        }
    Text text = {0};
    text_add(&text, "%u of %u medians are as precise as --target asks", n_reached, n);
    if (n_few)
        text_add(&text, "; %u come from fewer than six samples, and have no interval", n_few);
    if (n_once)
        text_add(&text, "; %u come from one launch, so differences between launches aren't in their intervals", n_once);
    text_add(&text, "%s\n", n_reached < n && measurement->is_time_up ? "; more --time narrows them" : "");
    return text_take(&text, printing->arena);
}

static const char *problems_text(const Printing *printing)
{
    const CommMeasurement *measurement = printing->measurement;
    Text text = {0};
    for (uint32_t i = 0; i < measurement->n_problems; i++) {
        const CommProblem *problem = &measurement->problems[i];
        if (problem->configuration < measurement->n_configurations)
            text_add(&text, "! %s: %s\n",
                     comm_configuration_name(&measurement->configurations[problem->configuration], printing->arena),
                     text_as_line(problem->message, printing->arena));
        else
            text_add(&text, "! %s\n", text_as_line(problem->message, printing->arena));
    }
    return text_take(&text, printing->arena);
}

static const char *hosts_text(const Printing *printing)
{
    const CommMeasurement *measurement = printing->measurement;
    Text text = {0};
    for (uint32_t i = 0; i < measurement->n_hosts; i++) {
        const CommHost *host = &measurement->hosts[i];
        text_add(&text, "%s%s", i ? "; " : "", text_as_line(host->name, printing->arena));
        if (host->n_cpus)
            text_add(&text, " (%u processor%s%s%s)", host->n_cpus, text_plural(host->n_cpus),
                     *host->processor ? ", " : "", text_as_line(host->processor, printing->arena));
    }
    text_add(&text, ", in %s\n", format_seconds(printing->arena, measurement->elapsed_s));
    return text_take(&text, printing->arena);
}

const char *comm_text(const CommMeasurement *measurement, const MachineModel *machine, bool all, bool color,
                      Arena *arena)
{
    const Printing printing = {measurement, machine, all, color, arena};
    const char *const parts[] = {hosts_text(&printing),
                                 summary_text(&printing),
                                 points_text(&printing),
                                 times_text(&printing),
                                 comm_percentiles_text(measurement, color, arena),
                                 overheads_text(&printing),
                                 comm_streams_text(measurement, all, color, arena),
                                 collectives_text(&printing),
                                 comm_overlap_text(measurement, all, color, arena),
                                 comm_guidelines_text(measurement, machine->statistic, all, color, arena),
                                 certainty_text(&printing),
                                 problems_text(&printing)};
    Text text = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i])
            text_add(&text, "%s%s", i ? "\n" : "", parts[i]);
    return text_take(&text, arena);
}
