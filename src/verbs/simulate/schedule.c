/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of a schedule. Time is cut into as many pieces as the picture is wide, and each piece of a process is
 * drawn as what fills most of it. */
#include "base/files.h"
#include "report/format.h"
#include "report/plot.h"
#include "verbs/plots.h"
#include "verbs/simulate/views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { PIECES = 2000, COLOURS = 8, SHOWN_OCCURRENCES = 48, NUMBERED_GAPS = 16, OTHER_COLOUR = 0x7f7f7f };
/* Those of report/common.gp. */
static const uint32_t colours[COLOURS] = {0x009e73, 0xcc79a7, 0x56b4e9, 0xc9bb00,
                                          0x1a1a1a, 0x0072b2, 0xe69f00, 0xd55e00};
static const double COMPUTATION_HALF = 0.42, WAITING_HALF = 0.07;
enum { WAITING_COLOUR = 0x9a9a9a };

/* What a process does in a piece of time. */
typedef struct Piece {
    double time_s[CHART_KINDS];
    double longest_s; /* of the calls and computations in it */
    uint32_t phase;   /* of the longest one */
} Piece;

typedef struct Drawing {
    const Chart *schedule;
    const Signature *signature;
    double end_s, piece_s;
    size_t n_shown; /* occurrences */
    uint32_t n_coloured;
    uint32_t coloured[COLOURS]; /* ids of the phases that take longest */
    Text boxes;
} Drawing;

/* ---- colours ---- */

static double phase_s(const Phase *phase, uint32_t n_processes)
{
    double sum_s = 0;
    for (uint32_t i = 0; i < n_processes; i++)
        sum_s += phase->processes[i].total_s;
    return sum_s;
}

static bool has_colour(const Drawing *drawing, uint32_t phase)
{
    for (uint32_t i = 0; i < drawing->n_coloured; i++)
        if (drawing->coloured[i] == phase)
            return true;
    return false;
}

static void choose_coloured(Drawing *drawing)
{
    const Signature *signature = drawing->signature;
    while (drawing->n_coloured < COLOURS) {
        const Phase *longest = NULL;
        for (uint32_t i = 0; i < signature->n_phases; i++) {
            const Phase *phase = &signature->phases[i];
            double time_s = phase_s(phase, signature->application.n_processes);
            if (time_s > 0 && !has_colour(drawing, phase->id) &&
                (!longest || time_s > phase_s(longest, signature->application.n_processes)))
                longest = phase;
        }
        if (!longest)
            return;
        drawing->coloured[drawing->n_coloured++] = longest->id;
    }
}

static uint32_t colour_of(const Drawing *drawing, uint32_t phase)
{
    for (uint32_t i = 0; i < drawing->n_coloured; i++)
        if (drawing->coloured[i] == phase)
            return colours[i];
    return OTHER_COLOUR;
}

/* Two thirds of the way to white. */
static uint32_t pale(uint32_t colour)
{
    uint32_t made = 0;
    for (unsigned shift = 0; shift <= 16; shift += 8)
        made |= (255 - (255 - (colour >> shift & 255)) / 3) << shift;
    return made;
}

/* ---- boxes ---- */

static void add_time(const Drawing *drawing, Piece *pieces, const ChartBar *bar)
{
    double from_s = 1e-9 * (double)bar->from_ns, to_s = fmin(1e-9 * (double)bar->to_ns, drawing->end_s);
    for (size_t i = (size_t)(from_s / drawing->piece_s); from_s < to_s && i < PIECES; i++) {
        double border_s = fmin(to_s, (double)(i + 1) * drawing->piece_s), part_s = fmax(0, border_s - from_s);
        pieces[i].time_s[bar->kind] += part_s;
        if (bar->kind == CHART_WAITING) {
            pieces[i].time_s[CHART_TRANSFER] -= part_s;
        } else if (part_s > pieces[i].longest_s) {
            pieces[i].longest_s = part_s;
            pieces[i].phase = bar->phase;
        }
        from_s = border_s;
    }
}

static ChartKind most_of(const Piece *piece)
{
    ChartKind most = CHART_COMPUTATION;
    for (ChartKind kind = 0; kind < CHART_KINDS; kind++)
        if (piece->time_s[kind] > piece->time_s[most])
            most = kind;
    return most;
}

/* The same number for pieces that are drawn as one. UINT32_MAX: nothing is drawn. */
static uint32_t look_of(const Drawing *drawing, const Piece *piece)
{
    ChartKind kind = most_of(piece);
    if (piece->time_s[kind] <= 0)
        return UINT32_MAX;
    uint32_t colour = colour_of(drawing, piece->phase);
    return kind == CHART_WAITING ? WAITING_COLOUR : kind == CHART_TRANSFER ? pale(colour) : colour;
}

static void add_boxes(Drawing *drawing, uint32_t process, const Piece *pieces)
{
    for (size_t first = 0, end; first < PIECES; first = end) {
        uint32_t look = look_of(drawing, &pieces[first]);
        for (end = first + 1; end < PIECES && look_of(drawing, &pieces[end]) == look;)
            end++;
        if (look != UINT32_MAX)
            text_add(&drawing->boxes, "%.9g %u %.9g %g %u\n", (double)first * drawing->piece_s, process,
                     (double)end * drawing->piece_s, look == WAITING_COLOUR ? WAITING_HALF : COMPUTATION_HALF, look);
    }
}

static void add_all_boxes(Drawing *drawing)
{
    const Chart *schedule = drawing->schedule;
    Piece *pieces = memory_zeroed((size_t)schedule->n_processes * PIECES, sizeof *pieces);
    for (size_t i = 0; i < schedule->n_bars; i++)
        add_time(drawing, pieces + (size_t)schedule->bars[i].process * PIECES, &schedule->bars[i]);
    for (uint32_t i = 0; i < schedule->n_processes; i++)
        add_boxes(drawing, i, pieces + (size_t)i * PIECES);
    free(pieces);
}

/* ---- the script ---- */

static void add_phases(const Drawing *drawing, Text *data)
{
    text_add(data, "phases = %u\n$phases << EOD\n", drawing->n_coloured + 1);
    for (uint32_t i = 0; i < drawing->n_coloured; i++)
        text_add(data, "%u phase %u\n", colours[i], drawing->coloured[i]);
    text_add(data, "%u other phases, or none\n", (uint32_t)OTHER_COLOUR);
    text_add(data, "EOD\n");
}

static void add_gaps(const Drawing *drawing, Text *data)
{
    uint32_t n = 0;
    text_add(data, "$gaps << EOD\n");
    for (size_t i = 0; i < drawing->n_shown; i++) {
        const ChartOccurrence *occurrence = &drawing->schedule->occurrences[i];
        if (occurrence->left_out) {
            text_add(data, "%.9g %" PRIu64 "\n", occurrence->begin_s, occurrence->left_out);
            n++;
        }
    }
    text_add(data, "EOD\nn_gaps = %u\nhas_numbers = %d\n", n, n > 0 && n <= NUMBERED_GAPS);
}

static const char *note_of(const Drawing *drawing, const Simulated *simulated, Arena *arena)
{
    const char *shown = drawing->n_shown < simulated->n_sampled ? arena_printf(arena, "the first %s of them are drawn",
                                                                               format_count(arena, drawing->n_shown))
                                                                : "all of them are drawn";
    return arena_printf(arena, "simulated: %s of %s occurrences of phases; %s",
                        format_count(arena, simulated->n_sampled), format_count(arena, simulated->n_occurrences),
                        shown);
}

const char *schedule_picture(const SimulateView *view, Arena *arena)
{
    const Simulated *simulated = view->simulated;
    const Chart *schedule = simulated->schedule;
    bool is_cut = schedule->n_occurrences > SHOWN_OCCURRENCES;
    Drawing drawing = {.schedule = schedule,
                       .signature = &simulated->target,
                       .end_s = is_cut ? schedule->occurrences[SHOWN_OCCURRENCES].begin_s : schedule->end_s,
                       .n_shown = is_cut ? SHOWN_OCCURRENCES : schedule->n_occurrences};
    Text data = {0};
    drawing.end_s = fmax(drawing.end_s, 1e-9);
    drawing.piece_s = drawing.end_s / PIECES;
    choose_coloured(&drawing);
    add_all_boxes(&drawing);
    text_add(&data, "name = %s\n",
             plot_quote(arena_printf(arena, "%s on %s", files_base_name(simulated->signature->application.executable),
                                     view->platform->description),
                        arena));
    text_add(&data, "note = %s\n", plot_quote(note_of(&drawing, simulated, arena), arena));
    text_add(&data, "n = %u\nbegin = 0.0\nend = %.9g\n", schedule->n_processes, drawing.end_s);
    add_phases(&drawing, &data);
    add_gaps(&drawing, &data);
    text_add(&data, "$boxes << EOD\n" PLOT_NO_ROW "%sEOD\n", text_take(&drawing.boxes, arena));
    return plot_script(&data, PLOT_SIMULATE_SCHEDULE, arena);
}
