/* SPDX-License-Identifier: BSD-3-Clause */
/* What each task does when under the default and under a mapping, one above the other on one time axis: rows are tasks,
 * host by host. A piece of a row that has several kinds of time shows their shares, one above the other. */
#include "verbs/map/views.h"

#include "report/format.h"
#include "report/plot.h"
#include <math.h>
#include <stdlib.h>

/* With more tasks than rows, a row is a host; further hosts aren't drawn. */
enum { ROWS_AT_MOST = 64, BINS_AT_MOST = 600, BINS_AT_LEAST = 50, NAME_ROOM = 24 };

/* Pieces in a picture, and bins of all tasks in memory. */
#define PIECES_AT_MOST 24000.0
#define BINS_IN_MEMORY 2e6

static const struct {
    const char *color, *title;
} doings[N_DOINGS] = {
    [DOING_COMPUTE] = {"#59a14f", "computes"},
    [DOING_TRANSFER] = {"#4e79a7", "waits for a message under way"},
    [DOING_WAIT] = {"#f1b6b7", "waits for a message not yet sent"},
    [DOING_QUEUE] = {"#edc948", "waits for its processor"},
};

/* A row: the tasks that it shows. */
typedef struct Row {
    uint32_t first, n; /* of the order */
    uint32_t node;
} Row;

typedef struct Panel {
    const MappingProblem *problem;
    const Mapping *mapping;
    Schedule *schedule;
    uint32_t *order; /* [n_tasks] by host, then processor */
    uint32_t n_rows, n_hidden;
    Row rows[ROWS_AT_MOST];
} Panel;

typedef struct Placed {
    uint32_t processor, task;
} Placed;

static int by_processor(const void *left, const void *right)
{
    const Placed *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

static void add_rows(Panel *panel, Arena *arena)
{
    uint32_t n = panel->problem->ttig->n_nodes, node = UINT32_MAX;
    Placed *placed = arena_new_array(arena, Placed, n);
    for (uint32_t i = 0; i < n; i++)
        placed[i] = (Placed){panel->mapping->processors[i], i};
    qsort(placed, n, sizeof *placed, by_processor);
    panel->order = arena_new_array(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = panel->problem->platform->processors[placed[i].processor].node_index;
        panel->order[i] = placed[i].task;
        if (n > ROWS_AT_MOST && own == node) {
            if (!panel->n_hidden)
                panel->rows[panel->n_rows - 1].n++;
        } else if (panel->n_rows == ROWS_AT_MOST) {
            panel->n_hidden++;
        } else {
            panel->rows[panel->n_rows++] = (Row){i, 1, own};
        }
        node = own;
    }
}

static Panel make_panel(const MappingProblem *problem, const Mapping *mapping, double until_s, Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes;
    double affordable = fmin(PIECES_AT_MOST / (n < ROWS_AT_MOST ? n : ROWS_AT_MOST), BINS_IN_MEMORY / n);
    uint32_t n_bins = (uint32_t)fmax(BINS_AT_LEAST, fmin(BINS_AT_MOST, affordable));
    Panel panel = {.problem = problem, .mapping = mapping, .schedule = schedule_new(n, n_bins, until_s, arena)};
    simulate_watched(problem->simulation, mapping->processors, panel.schedule);
    add_rows(&panel, arena);
    return panel;
}

/* Of a bin's time, the share of each kind, over the row's tasks; to whole percents, which is as fine as one sees. */
static void shares_of(const Panel *panel, const Row *row, uint32_t bin, double shares[N_DOINGS])
{
    double all_s = row->n * panel->schedule->until_s / panel->schedule->n_bins;
    for (int doing = 0; doing < N_DOINGS; doing++) {
        double sum_s = 0;
        for (uint32_t i = 0; i < row->n; i++)
            sum_s += schedule_bin(panel->schedule, panel->order[row->first + i], bin)[doing];
        shares[doing] = all_s > 0 ? round(100 * sum_s / all_s) / 100 : 0;
    }
}

/* "from to above below" of a kind, from the row's lower edge up; bins that are alike are one. */
static void add_pieces(const Panel *panel, uint32_t row, Doing doing, Text *script)
{
    const double gap = 0.08, width_s = panel->schedule->until_s / panel->schedule->n_bins;
    double from_s = 0, open_below = 0, open_share = 0;
    for (uint32_t bin = 0; bin <= panel->schedule->n_bins; bin++) {
        double shares[N_DOINGS] = {0}, below = 0;
        if (bin < panel->schedule->n_bins)
            shares_of(panel, &panel->rows[row], bin, shares);
        for (int i = 0; i < (int)doing; i++)
            below += shares[i];
        if (bin < panel->schedule->n_bins && bin && shares[doing] == open_share && below == open_below)
            continue;
        double lower = row + 1 - gap - (1 - 2 * gap) * open_below;
        if (open_share > 0)
            text_add(script, "%.6g %.6g %.4f %.4f\n", from_s, bin * width_s, lower - (1 - 2 * gap) * open_share, lower);
        from_s = bin * width_s;
        open_below = below;
        open_share = shares[doing];
    }
}

/* A block of data is never empty: gnuplot would call that an error. */
static void add_data(const Panel *panel, int number, Text *script)
{
    for (int doing = 0; doing < N_DOINGS; doing++) {
        text_add(script, "$panel%d_%d << EOD\n-1 -1 -1 -1\n", number, doing);
        for (uint32_t row = 0; row < panel->n_rows; row++)
            add_pieces(panel, row, doing, script);
        text_add(script, "EOD\n");
    }
}

static const char *short_name(const char *name, Arena *arena)
{
    size_t n = 0, characters = 0;
    for (; name[n]; n++)
        if (((unsigned char)name[n] & 0xc0) != 0x80 && characters++ == NAME_ROOM)
            return arena_printf(arena, "%.*s…", (int)n, name);
    return name;
}

/* Tasks at the left, hosts at the right, a line between hosts. */
static void add_names(const Panel *panel, Text *script, Arena *arena)
{
    bool are_tasks = panel->problem->ttig->n_nodes <= ROWS_AT_MOST;
    uint32_t begin = 0;
    text_add(script, "unset label\nunset arrow\nset ytics (");
    for (uint32_t row = 0; row < panel->n_rows; row++) {
        uint32_t task = panel->order[panel->rows[row].first];
        const char *name =
            are_tasks ? panel->problem->ttig->nodes[task].name : panel->problem->platform->nodes[panel->rows[row].node];
        text_add(script, "%s%s %.1f", row ? ", " : "", plot_quote(short_name(name, arena), arena), row + 0.5);
    }
    text_add(script, ") scale 0 font ',9'\n");
    for (uint32_t row = 1; are_tasks && row <= panel->n_rows; row++) {
        uint32_t node = panel->rows[begin].node;
        if (row < panel->n_rows && panel->rows[row].node == node)
            continue;
        text_add(script, "set label %s at graph 1.005, first %.1f font ',9'\n",
                 plot_quote(short_name(panel->problem->platform->nodes[node], arena), arena), 0.5 * (begin + row));
        if (row < panel->n_rows)
            text_add(script, "set arrow from graph 0, first %u to graph 1, first %u nohead ls 100\n", row, row);
        begin = row;
    }
}

static void add_panel(const Panel *panel, int number, bool is_last, const char *title, Text *script, Arena *arena)
{
    add_names(panel, script, arena);
    text_add(script, "set title %s font ',13'\nset yrange [%u:0]\n%s\nplot ", plot_quote(title, arena), panel->n_rows,
             is_last
                 ? "set xlabel 'predicted time'\nset key outside bottom center horizontal maxrows 1 samplen 1 spacing 1"
                 : "unset xlabel\nset key off");
    for (int doing = 0; doing < N_DOINGS; doing++)
        text_add(script, "$panel%d_%d using 1:3:1:2:3:4 with boxxyerror lc rgb '%s' title '%s'%s", number, doing,
                 doings[doing].color, doings[doing].title, doing + 1 < N_DOINGS ? ", \\\n" : "\n");
}

static const char *title_of(const Panel *panel, const Mapping *usual, Arena *arena)
{
    const Mapping *mapping = panel->mapping;
    const char *time = format_seconds(arena, mapping->completion_s), *hidden = "";
    double gain = mapping_gain(mapping, usual);
    if (panel->n_hidden)
        hidden = arena_printf(arena, "; %u more tasks aren't drawn", panel->n_hidden);
    if (mapping == usual)
        return arena_printf(arena, "%s, the default: %s%s", mapping->mapper, time, hidden);
    if (fabs(gain) < MAPPING_LEAST_GAIN)
        return arena_printf(arena, "%s: %s, about the same%s", mapping->mapper, time, hidden);
    return arena_printf(arena, "%s: %s, %s %s%s", mapping->mapper, time, format_percent(arena, fabs(gain)),
                        gain > 0 ? "less" : "more", hidden);
}

const char *mapping_picture(const MappingProblem *problem, const Mapping *mapping, const Mapping *usual, Arena *arena)
{
    enum { WIDTH = 1100, MARGINS = 100, TALLEST = 24, LOWEST = 11, ROWS_HEIGHT = 640 };
    double until_s = fmax(mapping->completion_s, usual->completion_s);
    const Mapping *shown[] = {usual, mapping};
    Panel panels[2];
    int n = mapping == usual ? 1 : 2;
    uint32_t most_rows = 1;
    Text script = {0};
    for (int i = 0; i < n; i++) {
        panels[i] = make_panel(problem, shown[i], until_s, arena);
        if (panels[i].n_rows > most_rows)
            most_rows = panels[i].n_rows;
    }
    unsigned row_height = (unsigned)fmax(LOWEST, fmin(TALLEST, (double)ROWS_HEIGHT / most_rows));
    plot_begin(&script, WIDTH, (unsigned)n * (MARGINS + row_height * most_rows));
    for (int i = 0; i < n; i++)
        add_data(&panels[i], i, &script);
    text_add(&script,
             "set format x '%%.1s %%cs'\nset xrange [0:%.9g]\nset style fill solid noborder\nset rmargin 16\n"
             "set lmargin 18\nset multiplot layout %d,1\n",
             until_s > 0 ? until_s : 1, n);
    for (int i = 0; i < n; i++)
        add_panel(&panels[i], i, i + 1 == n, title_of(&panels[i], usual, arena), &script, arena);
    text_add(&script, "unset multiplot\n");
    return text_take(&script, arena);
}
