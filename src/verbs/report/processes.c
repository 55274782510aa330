/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace tells about processes: the tree of efficiencies, calls, waits, messages. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>

enum { CALLS_SHOWN = 10, CAUSES_SHOWN = 12, PROCESSES_SHOWN = 32, NUMBERED_ROWS = 10, SHADES = 9, DARK_SHADE = 8 };

/* ---- efficiencies ---- */

static const struct {
    const char *member, *name, *meaning;
} efficiencies[] = {
    {"parallel", "parallel efficiency", "load balance × communication"},
    {"load_balance", "– load balance", "mean computation over the busiest process's"},
    {"communication", "– communication", "serialisation × transfer"},
    {"serialisation", "– – serialisation", "the busiest process's computation over the time on an ideal network"},
    {"transfer", "– – transfer", "time on an ideal network over the run's"},
};
enum { N_EFFICIENCIES = sizeof efficiencies / sizeof *efficiencies };

static void draw_tree(Page *page, const json_t *trace)
{
    const json_t *tree = json_object_get(trace, "efficiency");
    Bar bars[N_EFFICIENCIES];
    for (size_t i = 0; i < N_EFFICIENCIES; i++) {
        double share = data_real(tree, efficiencies[i].member);
        bars[i] = (Bar){efficiencies[i].name, format_percent(page->arena, share), {share}};
    }
    draw_bars(page, "the tree of efficiencies", bars, N_EFFICIENCIES, (const char *const[]){"computation"}, 1, 1);
}

/* ---- where the time goes ---- */

typedef struct TimeBars {
    Bar *bars;
    size_t n;
    double whole_s;
} TimeBars;

static Bar time_bar(const char *name, const json_t *times, double over, Arena *arena)
{
    static const char *const members[N_PAGE_ACTIVITIES] = {"compute_s", "transfer_s", "idle_s", "other_s"};
    Bar bar = {.name = name, .value = format_seconds(arena, data_real(times, "time_s") / over)};
    for (size_t i = 0; i < N_PAGE_ACTIVITIES; i++)
        bar.parts[i] = data_real(times, members[i]) / over;
    return bar;
}

/* Of each process of a trace, or of the mean process of each of several. */
static TimeBars time_bars(const json_t *document, Arena *arena)
{
    const json_t *traces = json_object_get(document, "traces"), *item;
    bool is_one = json_array_size(traces) == 1;
    const json_t *list = is_one ? json_object_get(json_array_get(traces, 0), "per_process") : traces;
    TimeBars made = {.bars = arena_new_array(arena, Bar, json_array_size(list))};
    size_t i;
    json_array_foreach(list, i, item) {
        if (made.n == PROCESSES_SHOWN)
            break;
        size_t processes = data_count(item, "processes");
        const char *name =
            is_one ? arena_printf(arena, "process %zu", i) : arena_printf(arena, "%zu processes", processes);
        const json_t *times = is_one ? item : json_object_get(item, "all");
        made.bars[made.n++] = time_bar(name, times, is_one || !processes ? 1 : (double)processes, arena);
        made.whole_s = fmax(made.whole_s, data_real(times, "time_s") / (is_one || !processes ? 1 : (double)processes));
    }
    return made;
}

const char *efficiencies_file(const json_t *document, Arena *arena)
{
    Text body = {0};
    const TimeBars times = time_bars(document, arena);
    const char *heading = json_array_size(json_object_get(document, "traces")) == 1
                              ? "Where the time of each process goes; waiting by a replay on an ideal network"
                              : "Where the time of the mean process goes; waiting by a replay on an ideal network";
    double top = svg_heading(&body, heading, NULL, arena);
    double height =
        bars_body(&body, times.bars, times.n, page_activities, N_PAGE_ACTIVITIES, times.whole_s, top, arena);
    const char *file = svg_file(&body, SVG_WIDTH, fmax(height, top), heading, arena);
    return height > 0 ? file : NULL;
}

/* Of a trace with more processes than bars. */
static void add_shown_processes(Page *page, const json_t *traces, size_t n_bars)
{
    size_t n = data_count(json_array_get(traces, 0), "processes");
    if (json_array_size(traces) == 1 && n > n_bars)
        html_element(
            &page->text, "p",
            arena_printf(page->arena, "These are the first %zu of %s processes.", n_bars, format_count(page->arena, n)),
            page->arena);
}

void section_efficiencies(Page *page, const json_t *document)
{
    const json_t *traces = json_object_get(document, "traces"), *trace;
    Arena *arena = page->arena;
    size_t i;
    if (json_array_size(traces) == 1)
        draw_tree(page, json_array_get(traces, 0));
    const TimeBars times = time_bars(document, arena);
    draw_bars(page, "where the time goes", times.bars, times.n, page_activities, N_PAGE_ACTIVITIES, times.whole_s);
    add_shown_processes(page, traces, times.n);
    Table *table = table_new(arena);
    table_columns(table,
                  ">processes|>run|>ideal network|>parallel|>load balance|>communication|>serialisation|>transfer");
    json_array_foreach(traces, i, trace) {
        const json_t *tree = json_object_get(trace, "efficiency");
        table_cells(
            table, "%zu|%s|%s|%s|%s|%s|%s|%s", data_count(trace, "processes"),
            format_seconds(arena, data_real(trace, "run_s")), format_seconds(arena, data_real(trace, "ideal_s")),
            format_percent(arena, data_real(tree, "parallel")), format_percent(arena, data_real(tree, "load_balance")),
            format_percent(arena, data_real(tree, "communication")),
            format_percent(arena, data_real(tree, "serialisation")),
            format_percent(arena, data_real(tree, "transfer")));
    }
    if (json_array_size(traces) == 1)
        html_details(&page->text, "as a table", table);
    else
        html_table(&page->text, table);
    Table *meanings = table_new(arena);
    table_columns(meanings, "efficiency|meaning");
    for (size_t k = 0; k < N_EFFICIENCIES; k++)
        table_cells(meanings, "%s|%s", efficiencies[k].name, efficiencies[k].meaning);
    html_details(&page->text, "what they mean", meanings);
}

/* ---- calls ---- */

void section_calls(Page *page, const json_t *profile)
{
    Arena *arena = page->arena;
    const json_t *calls = json_object_get(profile, "calls"), *call;
    size_t n = json_array_size(calls), shown = n < CALLS_SHOWN ? n : CALLS_SHOWN, i;
    Bar *bars = arena_new_array(arena, Bar, shown);
    Table *table = table_new(arena);
    table_columns(table, "call|>calls|>time|>longest|>sent|>received");
    json_array_foreach(calls, i, call) {
        const char *name = data_text(call, "call", arena);
        double time_s = data_real(call, "time_s");
        if (i < shown)
            bars[i] = (Bar){name, format_seconds(arena, time_s), {time_s}};
        table_cells(table, "%s|%s|%s|%s|%s|%s", name, format_count(arena, data_count(call, "calls")),
                    format_seconds(arena, time_s), format_seconds(arena, data_real(call, "longest_s")),
                    format_bytes(arena, data_real(call, "sent_bytes")),
                    format_bytes(arena, data_real(call, "received_bytes")));
    }
    if (shown)
        draw_bars(page, "time in calls", bars, shown, (const char *const[]){"s2"}, 1, bars[0].parts[0]);
    html_details(&page->text, "as a table", table);
}

/* ---- waits ---- */

void section_waits(Page *page, const json_t *waits)
{
    Arena *arena = page->arena;
    const json_t *causes = json_object_get(waits, "causes"), *cause;
    size_t n = json_array_size(causes), shown = n < CAUSES_SHOWN ? n : CAUSES_SHOWN, i;
    Bar *bars = arena_new_array(arena, Bar, shown);
    Table *table = table_new(arena);
    if (!n) {
        html_element(&page->text, "p", "No process waited for another.", arena);
        return;
    }
    table_columns(table, ">process|>waits for|>how often|>together|because of");
    json_array_foreach(causes, i, cause) {
        const char *kind = data_text(cause, "kind", arena);
        double time_s = data_real(cause, "time_s");
        if (i < shown)
            bars[i] = (Bar){
                arena_printf(arena, "%zu for %zu, %s", data_count(cause, "process"), data_count(cause, "cause"), kind),
                format_seconds(arena, time_s),
                {time_s}};
        table_cells(table, "%zu|%zu|%s|%s|%s", data_count(cause, "process"), data_count(cause, "cause"),
                    format_count(arena, data_count(cause, "count")), format_seconds(arena, time_s), kind);
    }
    draw_bars(page, "who waits for whom", bars, shown, (const char *const[]){"waiting"}, 1, bars[0].parts[0]);
    html_details(&page->text, "as a table", table);
}

/* ---- messages ---- */

typedef struct Matrix {
    size_t n, block, rows;
    double *values; /* [rows × rows] */
    double least, most;
    const char *(*format)(Arena *arena, double value);
} Matrix;

static const char *format_messages(Arena *arena, double value)
{
    return format_count(arena, (uint64_t)value);
}

static double value_of(const json_t *pair, bool is_volume)
{
    return is_volume ? data_real(pair, "bytes") + json_number_value(json_object_get(pair, "one_sided_bytes"))
                     : data_real(pair, "messages") + json_number_value(json_object_get(pair, "one_sided"));
}

static Matrix matrix_of(const json_t *document, size_t rows_at_most, bool is_volume, Arena *arena)
{
    const json_t *pair;
    size_t i;
    Matrix matrix = {.n = data_count(document, "processes"),
                     .least = INFINITY,
                     .format = is_volume ? format_bytes : format_messages};
    matrix.block = (matrix.n + rows_at_most - 1) / rows_at_most;
    matrix.rows = matrix.block ? (matrix.n + matrix.block - 1) / matrix.block : 0;
    matrix.values = arena_new_array(arena, double, matrix.rows *matrix.rows);
    json_array_foreach(json_object_get(document, "pairs"), i, pair) {
        size_t from = data_count(pair, "from"), to = data_count(pair, "to");
        double value = value_of(pair, is_volume);
        if (from < matrix.n && to < matrix.n && value > 0)
            matrix.values[from / matrix.block * matrix.rows + to / matrix.block] += value;
    }
    for (i = 0; i < matrix.rows * matrix.rows; i++) {
        matrix.most = fmax(matrix.most, matrix.values[i]);
        if (matrix.values[i] > 0)
            matrix.least = fmin(matrix.least, matrix.values[i]);
    }
    return matrix;
}

static const char *name_of_row(const Matrix *matrix, size_t row, Arena *arena)
{
    return block_name(row, matrix->block, matrix->n, arena);
}

/* How many times less the next paler shade is: so that all values have shades, and at least 2, since smaller
 * differences aren't worth a shade. */
static double step_of_shades(const Matrix *matrix)
{
    return fmax(2, pow(matrix->most / matrix->least, 1.0 / (SHADES - 1)));
}

/* The darkest shade is the largest value. */
static int shade_of(const Matrix *matrix, double value)
{
    double shade = SHADES - log(matrix->most / value) / log(step_of_shades(matrix));
    return shade < 1 ? 1 : (int)round(shade);
}

static void draw_cell(Text *body, const Matrix *matrix, size_t row, size_t column, double x, double y, double side,
                      Arena *arena)
{
    double value = matrix->values[row * matrix->rows + column], gap = side > 4 ? 1 : 0;
    if (!(value > 0)) {
        if (matrix->rows <= NUMBERED_ROWS)
            svg_box(body, x, y, side - gap, side - gap, "empty", NULL, arena);
        return;
    }
    const char *text = matrix->format(arena, value);
    int shade = shade_of(matrix, value);
    svg_box(
        body, x, y, side - gap, side - gap, arena_printf(arena, "cell h%d", shade),
        arena_printf(arena, "%s to %s: %s", name_of_row(matrix, row, arena), name_of_row(matrix, column, arena), text),
        arena);
    if (matrix->rows <= NUMBERED_ROWS)
        svg_label(body, x + side / 2, y + side / 2 + 4, shade >= DARK_SHADE ? "m small on" : "m small", text, arena);
}

/* Samples of shades, from the largest value down to the least. */
static void draw_shades(Text *body, const Matrix *matrix, double x, double y, Arena *arena)
{
    for (int shade = SHADES; shade >= shade_of(matrix, matrix->least); shade -= 2, y += 24) {
        double value = matrix->most / pow(step_of_shades(matrix), SHADES - shade);
        svg_box(body, x, y, 18, 18, arena_printf(arena, "cell h%d", shade), NULL, arena);
        svg_label(body, x + 26, y + 13, "", matrix->format(arena, value), arena);
    }
}

/* Returns the y below. */
static double draw_matrix(Text *body, const Matrix *matrix, double top, Arena *arena)
{
    enum { LEFT = 70, HEAD = 40, SIDE = 640, LARGEST = 64, LEAST_HEIGHT = 120 };
    double side = fmin(LARGEST, (double)SIDE / (double)matrix->rows), whole = side * (double)matrix->rows;
    size_t every = 1 + matrix->rows / 16;
    svg_label(body, 0, top + HEAD - 22, "title", "from ↓  to →", arena);
    for (size_t i = 0; i < matrix->rows; i++) {
        double place = side * (double)i;
        if (i % every == 0) {
            svg_label(body, LEFT - 6, top + HEAD + place + side / 2 + 4, "e", name_of_row(matrix, i, arena), arena);
            svg_label(body, LEFT + place + side / 2, top + HEAD - 6, "m", arena_printf(arena, "%zu", i * matrix->block),
                      arena);
        }
        for (size_t k = 0; k < matrix->rows; k++)
            draw_cell(body, matrix, i, k, LEFT + side * (double)k, top + HEAD + place, side, arena);
    }
    draw_shades(body, matrix, LEFT + whole + 40, top + HEAD, arena);
    return top + HEAD + fmax(whole, LEAST_HEIGHT) + 8;
}

const char *matrix_file(const json_t *document, bool is_volume, const char *heading, Arena *arena)
{
    enum { ROWS = 128 };
    Text body = {0};
    const Matrix matrix = matrix_of(document, ROWS, is_volume, arena);
    double top = svg_heading(&body, heading, NULL, arena);
    if (matrix.most > 0)
        top = draw_matrix(&body, &matrix, top, arena);
    else
        svg_label(&body, 0, top + 16, "", "none sends a message to another", arena);
    return svg_file(&body, SVG_WIDTH, fmax(top, 60), heading, arena);
}

/* A process, or several neighbours if pairs of these are in the document. */
static const char *name_of_end(const json_t *document, const json_t *pair, const char *end, Arena *arena)
{
    size_t per_row = data_count(document, "processes_per_row");
    per_row = per_row ? per_row : 1;
    return block_name(data_count(pair, end) / per_row, per_row, data_count(document, "processes"), arena);
}

void section_matrix(Page *page, const json_t *document)
{
    Arena *arena = page->arena;
    const Matrix matrix = matrix_of(document, PAGE_MATRIX_ROWS, true, arena);
    Text body = {0};
    const json_t *pair;
    size_t i;
    if (!(matrix.most > 0)) {
        html_element(&page->text, "p", "No process sent a message to another: all communication is collective.", arena);
        return;
    }
    double below = draw_matrix(&body, &matrix, 0, arena);
    svg_insert(&page->text, &body, below, "volume of messages between processes", arena);
    if (matrix.block > 1)
        html_element(&page->text, "p",
                     arena_printf(arena, "Each row and each column is %zu neighbouring processes.", matrix.block),
                     arena);
    Table *table = table_new(arena);
    table_columns(table, ">from|>to|>messages|>volume");
    json_array_foreach(json_object_get(document, "pairs"), i, pair)
        if (i < 256)
            table_cells(table, "%s|%s|%s|%s", name_of_end(document, pair, "from", arena),
                        name_of_end(document, pair, "to", arena), format_count(arena, data_count(pair, "messages")),
                        format_bytes(arena, value_of(pair, true)));
    html_details(&page->text, "as a table", table);
}
