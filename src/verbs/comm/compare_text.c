/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare_views.h: the text, in lines of at most 80 columns. */
#include "verbs/comm/compare_views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/comm/views.h"
#include <math.h>
#include <string.h>

/* Times that the text shows unless all are wanted. */
enum { ROWS_SHOWN = 12, COLUMNS = 80 };

typedef struct Printing {
    const ComparisonView *view;
    const CommComparison *comparison;
    bool all, color;
    double least_distance; /* of the times that are shown */
    Arena *arena;
} Printing;

static void add_line(Text *text, const char *line)
{
    format_add_filled(text, line, strlen(line), 0, 2, COLUMNS);
}

static const char *name_of(const Printing *printing, int side, const CommSeries *series)
{
    const CommMeasurement *measurement = printing->comparison->measurements[side];
    return comm_way_text(measurement, series, printing->arena);
}

/* "allreduce of 8, window, node1 – node2"; hosts only if there are several. */
static const char *operation_of(const Printing *printing, int side, const CommSeries *series)
{
    Arena *arena = printing->arena;
    const CommMeasurement *measurement = printing->comparison->measurements[side];
    const char *from = text_as_line(measurement->hosts[series->from_host].name, arena);
    const char *to = text_as_line(measurement->hosts[series->to_host].name, arena);
    Text text = {0};
    text_add(&text, "%s", series->operation);
    if (*series->method)
        text_add(&text, " of %u", series->n_ranks);
    if (series->level)
        text_add(&text, " between %ss", series->level);
    if (measurement->n_hosts > 1)
        text_add(&text, strcmp(from, to) == 0 ? ", %s" : ", %s – %s", from, to);
    return text_take(&text, arena);
}

static const char *series_name(const Printing *printing, const ComparedSeries *series)
{
    const char *a = name_of(printing, 0, series->series[0]), *b = name_of(printing, 1, series->series[1]);
    return arena_printf(printing->arena, "%s%s%s, %s", a, strcmp(a, b) == 0 ? "" : " and ", strcmp(a, b) == 0 ? "" : b,
                        operation_of(printing, 0, series->series[0]));
}

/* "A: monday/comm.json, of 2030-01-31T08:30:00Z, with Open MPI 4.1.4" */
static void add_file(const Printing *printing, int side, Text *text)
{
    const CommMeasurement *measurement = printing->comparison->measurements[side];
    Arena *arena = printing->arena;
    Text line = {0};
    text_add(&line, "%c: %s, of %s", side ? 'B' : 'A', text_as_line(printing->view->files[side], arena),
             text_as_line(measurement->date, arena));
    const char *last = "";
    for (uint32_t i = 0; i < printing->comparison->n_series; i++) {
        const CommSeries *series = printing->comparison->series[i].series[side];
        const char *library = measurement->configurations[series->configuration].library;
        if (*library && strcmp(library, last) != 0)
            text_add(&line, "%s%s", *last ? ", " : ", with ", text_as_line(library, arena));
        last = *library ? library : last;
    }
    add_line(text, text_take(&line, arena));
}

static double distance_of(const ComparedPoint *point)
{
    return point->verdict == COMM_SLOWER || point->verdict == COMM_FASTER ? fabs(log(point->ratio.value)) : 0;
}

/* The distance from 1 of the ratio of the last time that is shown: the twelfth of those that differ. */
static double find_least_distance(const Printing *printing)
{
    double largest[ROWS_SHOWN] = {0};
    for (uint32_t i = 0; i < printing->comparison->n_series; i++)
        for (uint32_t k = 0; k < printing->comparison->series[i].n_points; k++) {
            double distance = distance_of(&printing->comparison->series[i].points[k]);
            for (int at = 0; at < ROWS_SHOWN; at++)
                if (distance > largest[at]) {
                    double before = largest[at];
                    largest[at] = distance;
                    distance = before;
                }
        }
    return largest[ROWS_SHOWN - 1];
}

static bool is_shown(const Printing *printing, const ComparedPoint *point)
{
    return printing->all || (distance_of(point) > 0 && distance_of(point) >= printing->least_distance);
}

static void add_point(const Printing *printing, const ComparedPoint *point, Table *table)
{
    Arena *arena = printing->arena;
    table_cells(table, "|%s|%s|%s|%.3g|%s|%s", format_bytes(arena, (double)point->bytes),
                format_seconds(arena, point->time_s[0]), format_seconds(arena, point->time_s[1]), point->ratio.value,
                point->verdict == COMM_UNSURE ? ""
                                              : arena_printf(arena, "%.3g … %.3g", point->ratio.low, point->ratio.high),
                comm_verdict_names[point->verdict]);
    table_row_style(table, distance_of(point) > 0 ? TABLE_PLAIN : TABLE_DIM);
}

static void add_series(const Printing *printing, const ComparedSeries *series, Text *text)
{
    Arena *arena = printing->arena;
    Table *table = table_new(arena);
    bool any = false;
    table_columns(table, " |>size|>A|>B|>B/A|>95 %|");
    for (uint32_t i = 0; i < series->n_points; i++)
        if (is_shown(printing, &series->points[i])) {
            any = true;
            add_point(printing, &series->points[i], table);
        }
    add_line(text, arena_printf(arena, "%s: %s", series_name(printing, series),
                                comm_comparison_phrase(series, 1, "", arena)));
    if (any)
        text_add(text, "%s", table_text(table, printing->color));
}

static void add_lonely(const Printing *printing, int side, Text *text)
{
    Arena *arena = printing->arena;
    Text line = {0};
    for (uint32_t i = 0; i < printing->comparison->n_lonely; i++) {
        const LonelySeries *lonely = &printing->comparison->lonely[i];
        if (lonely->side != side)
            continue;
        text_add(&line, "%s%s %s", line.bytes.count ? "; " : "", name_of(printing, side, lonely->series),
                 operation_of(printing, side, lonely->series));
        for (uint32_t k = 0; k < lonely->n_bytes; k++)
            text_add(&line, "%s%s", k ? ", " : " with ", format_bytes(arena, (double)lonely->bytes[k]));
    }
    const char *list = text_take(&line, arena);
    if (*list)
        add_line(text, arena_printf(arena, "only in %c: %s", side ? 'B' : 'A', list));
}

/* The times of one launch alone have intervals that lack the differences between launches. */
static uint32_t count_of_one_launch(const CommComparison *comparison)
{
    uint32_t n = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < comparison->n_series; i++)
            for (uint32_t k = 0; k < comparison->series[i].series[side]->n_points; k++)
                n += comparison->series[i].series[side]->points[k].n_launches == 1;
    return n;
}

static void add_counts(const Printing *printing, Text *text)
{
    const uint32_t *n_of = printing->comparison->n_of;
    uint32_t n = n_of[COMM_SAME] + n_of[COMM_SLOWER] + n_of[COMM_FASTER];
    Text line = {0};
    text_add(&line, "%s: of %u compared, B is slower in %u and faster in %u beyond the 95 %% interval of B/A",
             printing->comparison->statistic == COMM_MINIMUM ? "shortest times" : "medians", n, n_of[COMM_SLOWER],
             n_of[COMM_FASTER]);
    if (n_of[COMM_UNSURE])
        text_add(&line, "; %u have too few samples for one", n_of[COMM_UNSURE]);
    uint32_t n_once = count_of_one_launch(printing->comparison);
    if (n_once)
        text_add(&line, "; %u times come from one launch, so intervals lack the differences between launches", n_once);
    add_line(text, text_take(&line, printing->arena));
}

/* Of each measurement, the busiest host. */
static void add_busy_hosts(const Printing *printing, Text *text)
{
    for (int side = 0; side < 2; side++) {
        const CommMeasurement *measurement = printing->comparison->measurements[side];
        const CommHost *busiest = NULL;
        for (uint32_t i = 0; i < measurement->n_hosts; i++)
            if (comm_host_is_busy(&measurement->hosts[i]) && (!busiest || measurement->hosts[i].load > busiest->load))
                busiest = &measurement->hosts[i];
        if (busiest)
            add_line(text,
                     arena_printf(printing->arena,
                                  "%c: %s was busy, with a load of %.2g besides firma's on %u processors, so other "
                                  "programs may have made the difference",
                                  side ? 'B' : 'A', text_as_line(busiest->name, printing->arena), busiest->load,
                                  busiest->n_cpus));
    }
}

const char *comm_comparison_text(const ComparisonView *view, bool all, bool color, Arena *arena)
{
    const CommComparison *comparison = view->comparison;
    Printing printing = {view, comparison, all, color, 0, arena};
    printing.least_distance = find_least_distance(&printing);
    Text text = {0};
    add_line(&text, view->summary);
    text_add(&text, "\n");
    add_file(&printing, 0, &text);
    add_file(&printing, 1, &text);
    add_counts(&printing, &text);
    add_busy_hosts(&printing, &text);
    text_add(&text, "\n");
    for (uint32_t i = 0; i < comparison->n_series; i++)
        add_series(&printing, &comparison->series[i], &text);
    if (!all && comparison->n_of[COMM_SLOWER] + comparison->n_of[COMM_FASTER] > ROWS_SHOWN)
        text_add(&text, "the times that differ most are shown; --all shows each\n");
    if (comparison->n_lonely)
        text_add(&text, "\n");
    add_lonely(&printing, 0, &text);
    add_lonely(&printing, 1, &text);
    return text_take(&text, arena);
}
