/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace tells about processes: the tree of efficiencies, calls, waits, messages. */
#include "verbs/report/bars.h"
#include "verbs/report/page.h"
#include "verbs/report/pictures.h"

#include "report/format.h"
#include "report/svg.h"
#include <math.h>

enum { CALLS_SHOWN = 10, CAUSES_SHOWN = 12, PROCESSES_SHOWN = 32, MATRIX_ROWS = 32, NUMBERED_ROWS = 10, SHADES = 9 };

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
    json_array_foreach(list, i, item)
    {
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
    enum { HEADING = 30 };
    Text body = {0};
    const TimeBars times = time_bars(document, arena);
    const char *heading = json_array_size(json_object_get(document, "traces")) == 1
                              ? "Where the time of each process goes; waiting by a replay on an ideal network"
                              : "Where the time of the mean process goes; waiting by a replay on an ideal network";
    svg_label(&body, 0, 20, "big", heading, arena);
    double height =
        bars_body(&body, times.bars, times.n, page_activities, N_PAGE_ACTIVITIES, times.whole_s, HEADING, arena);
    const char *file = svg_file(&body, fmax(height, HEADING), heading, arena);
    return height > 0 ? file : NULL;
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
    Table *table = table_new(arena);
    table_columns(table,
                  ">processes|>run|>ideal network|>parallel|>load balance|>communication|>serialisation|>transfer");
    json_array_foreach(traces, i, trace)
    {
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
    json_array_foreach(calls, i, call)
    {
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
    json_array_foreach(causes, i, cause)
    {
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
    double *bytes; /* [rows × rows] */
    double most;
} Matrix;

static Matrix matrix_of(const json_t *document, Arena *arena)
{
    const json_t *pair;
    size_t i;
    Matrix matrix = {.n = data_count(document, "processes")};
    matrix.block = (matrix.n + MATRIX_ROWS - 1) / MATRIX_ROWS;
    matrix.rows = matrix.block ? (matrix.n + matrix.block - 1) / matrix.block : 0;
    matrix.bytes = arena_new_array(arena, double, matrix.rows *matrix.rows);
    json_array_foreach(json_object_get(document, "pairs"), i, pair)
    {
        size_t from = data_count(pair, "from"), to = data_count(pair, "to");
        if (from >= matrix.n || to >= matrix.n)
            continue;
        double *cell = &matrix.bytes[from / matrix.block * matrix.rows + to / matrix.block];
        *cell += data_real(pair, "bytes") + data_real(pair, "one_sided_bytes");
        matrix.most = fmax(matrix.most, *cell);
    }
    return matrix;
}

static const char *name_of_row(const Matrix *matrix, size_t row, Arena *arena)
{
    return block_name(row, matrix->block, matrix->n, arena);
}

/* The darkest shade is the largest volume, each other one a factor of four less. */
static int shade_of(const Matrix *matrix, double bytes)
{
    double shade = SHADES - log2(matrix->most / bytes) / 2;
    return shade < 1 ? 1 : (int)shade;
}

static void draw_matrix(Page *page, const Matrix *matrix)
{
    enum { LEFT = 70, TOP = 40, SIDE = 460, LARGEST = 64 };
    double side = fmin(LARGEST, (double)SIDE / (double)matrix->rows);
    Text *text = &page->text;
    Arena *arena = page->arena;
    size_t every = 1 + matrix->rows / 16;
    svg_begin(text, TOP + side * (double)matrix->rows + 8, "volume of messages between processes", arena);
    svg_label(text, 0, TOP - 22, "title", "from ↓  to →", arena);
    for (size_t i = 0; i < matrix->rows; i++) {
        double place = side * (double)i + side / 2;
        if (i % every == 0) {
            svg_label(text, LEFT - 6, TOP + place + 4, "e", name_of_row(matrix, i, arena), arena);
            svg_label(text, LEFT + place, TOP - 6, "m", arena_printf(arena, "%zu", i * matrix->block), arena);
        }
        for (size_t k = 0; k < matrix->rows; k++) {
            double bytes = matrix->bytes[i * matrix->rows + k], x = LEFT + side * (double)k, y = TOP + side * (double)i;
            if (!(bytes > 0)) {
                if (matrix->rows <= NUMBERED_ROWS)
                    svg_box(text, x, y, side - 1, side - 1, "empty", NULL, arena);
                continue;
            }
            const char *volume = format_bytes(arena, bytes);
            int shade = shade_of(matrix, bytes);
            svg_box(text, x, y, side - 1, side - 1, arena_printf(arena, "cell h%d", shade),
                    arena_printf(arena, "%s to %s: %s", name_of_row(matrix, i, arena), name_of_row(matrix, k, arena),
                                 volume),
                    arena);
            if (matrix->rows <= NUMBERED_ROWS)
                svg_label(text, x + side / 2, y + side / 2 + 4, shade > SHADES / 2 ? "m small on" : "m small", volume,
                          arena);
        }
    }
    for (int shade = 1; shade <= SHADES; shade += 2) {
        double y = TOP + 12 * (SHADES - shade), x = LEFT + side * (double)matrix->rows + 40;
        if (matrix->most < pow(4, SHADES - shade))
            continue;
        svg_box(text, x, y, 18, 18, arena_printf(arena, "cell h%d", shade), NULL, arena);
        svg_label(text, x + 26, y + 13, "", format_bytes(arena, matrix->most / pow(4, SHADES - shade)), arena);
    }
    svg_end(text);
}

void section_matrix(Page *page, const json_t *document)
{
    Arena *arena = page->arena;
    const Matrix matrix = matrix_of(document, arena);
    const json_t *pair;
    size_t i;
    if (!(matrix.most > 0)) {
        html_element(&page->text, "p", "No process sent a message to another: all communication is collective.", arena);
        return;
    }
    draw_matrix(page, &matrix);
    Table *table = table_new(arena);
    table_columns(table, ">from|>to|>messages|>volume");
    json_array_foreach(json_object_get(document, "pairs"), i, pair) if (i < 256)
        table_cells(table, "%zu|%zu|%s|%s", data_count(pair, "from"), data_count(pair, "to"),
                    format_count(arena, data_count(pair, "messages")),
                    format_bytes(arena, data_real(pair, "bytes") + data_real(pair, "one_sided_bytes")));
    html_details(&page->text, "as a table", table);
}
