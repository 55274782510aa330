/* SPDX-License-Identifier: BSD-3-Clause */
/* See several.h. */
#include "verbs/predict/several.h"

#include "base/text.h"
#include "model/application.h"
#include "report/format.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

static uint32_t find_fastest(const SeveralRow *rows, uint32_t n)
{
    uint32_t fastest = 0;
    for (uint32_t i = 1; i < n; i++)
        if (rows[i].prediction.predicted_s < rows[fastest].prediction.predicted_s)
            fastest = i;
    return fastest;
}

/* Whether the intervals of both have times in common. */
static bool overlaps(const SeveralRow *a, const SeveralRow *b)
{
    return a->prediction.interval_s[0] <= b->prediction.interval_s[1] &&
           b->prediction.interval_s[0] <= a->prediction.interval_s[1];
}

static const char *name_of(const SeveralRow *row, Arena *arena)
{
    return text_as_line(row->mapping ? row->mapping : row->path, arena);
}

/* Hosts on which the ranks ran. "": not known. */
static const char *hosts_text(const PhaseTimes *times, Arena *arena)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < times->n_places; i++) {
        uint32_t first = 0;
        while (strcmp(times->places[first].host, times->places[i].host) != 0)
            first++;
        n += first == i;
    }
    return n ? format_count(arena, n) : "";
}

/* Ranks that share a processor, where most do. "": not known. */
static const char *sharing_text(const PhaseTimes *times, Arena *arena)
{
    return times->ranks_per_processor > 0 ? arena_printf(arena, "%.2g", times->ranks_per_processor) : "";
}

static bool is_inside(const SeveralRow *row)
{
    return row->actual_s >= row->prediction.interval_s[0] && row->actual_s <= row->prediction.interval_s[1];
}

static const char *mappings_table(const SeveralRow *rows, uint32_t n, bool color, Arena *arena)
{
    uint32_t fastest = find_fastest(rows, n);
    bool has_actual = rows[0].actual_s > 0;
    Table *table = table_new(arena);
    table_columns(table, has_actual
                             ? "mapping|>hosts|>ranks a processor|>signature|>predicted|>interval|>|>actual|>error|"
                             : "mapping|>hosts|>ranks a processor|>signature|>predicted|>interval|>");
    for (uint32_t i = 0; i < n; i++) {
        const SeveralRow *row = &rows[i];
        const Prediction *prediction = &row->prediction;
        table_cells(table, "%s|%s|%s|%s|%s|%s|%s", name_of(row, arena), hosts_text(row->times, arena),
                    sharing_text(row->times, arena), format_seconds(arena, prediction->signature_s),
                    format_seconds(arena, prediction->predicted_s), format_seconds(arena, prediction->interval_s[0]),
                    format_seconds(arena, prediction->interval_s[1]));
        if (has_actual && !(row->actual_s > 0))
            table_cells(table, "-|-|");
        else if (has_actual)
            table_cells(table, "%s|%+.1f %%|%s", format_seconds(arena, row->actual_s),
                        100 * (prediction->predicted_s / row->actual_s - 1), is_inside(row) ? "inside" : "outside");
        table_row_style(table, i == fastest ? TABLE_GOOD : TABLE_PLAIN);
    }
    return table_text(table, color);
}

static const char *conclusion(const SeveralRow *rows, uint32_t n, Arena *arena)
{
    uint32_t fastest = find_fastest(rows, n), n_others = 0;
    const char *others = "";
    for (uint32_t i = 0; i < n; i++)
        if (i != fastest && overlaps(&rows[i], &rows[fastest]))
            others = arena_printf(arena, "%s%s%s", others, n_others++ ? ", " : "", name_of(&rows[i], arena));
    return arena_printf(arena, "  fastest              %s%s%s\n", name_of(&rows[fastest], arena),
                        n_others ? "; intervals don't tell it from "
                        : n > 1  ? ", beyond the intervals"
                                 : "",
                        others);
}

static const char *files_table(const SeveralRow *rows, uint32_t n, bool color, Arena *arena)
{
    uint32_t fastest = find_fastest(rows, n);
    Table *table = table_new(arena);
    table_columns(table, "times|host|>predicted|>interval|>|>relative|>signature|command");
    for (uint32_t i = 0; i < n; i++) {
        const Prediction *prediction = &rows[i].prediction;
        table_cells(table, "%s|%s|%s|%s|%s|%.3f|%s|%s", text_as_line(rows[i].path, arena),
                    text_as_line(rows[i].times->host, arena), format_seconds(arena, prediction->predicted_s),
                    format_seconds(arena, prediction->interval_s[0]), format_seconds(arena, prediction->interval_s[1]),
                    prediction->predicted_s / rows[0].prediction.predicted_s,
                    format_seconds(arena, prediction->signature_s), text_as_line(rows[i].times->command, arena));
        table_row_style(table, i == fastest ? TABLE_GOOD : TABLE_PLAIN);
    }
    return table_text(table, color);
}

/* Of full runs. "": they weren't all made. */
static const char *actual_conclusion(const SeveralRow *rows, uint32_t n, Arena *arena)
{
    uint32_t fastest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!(rows[i].actual_s > 0))
            return "";
        if (rows[i].actual_s < rows[fastest].actual_s)
            fastest = i;
    }
    return arena_printf(arena,
                        "  fastest in full      %s\n"
                        "  error                of the prediction, relative to the full run\n",
                        name_of(&rows[fastest], arena));
}

const char *several_text(const SeveralRow *rows, uint32_t n, bool color, Arena *arena)
{
    bool has_mappings = rows[0].mapping != NULL;
    return arena_printf(arena,
                        "%s\n"
                        "%s%s"
                        "  interval             95 %% of runs like the measured one\n"
                        "%s",
                        has_mappings ? mappings_table(rows, n, color, arena) : files_table(rows, n, color, arena),
                        conclusion(rows, n, arena), actual_conclusion(rows, n, arena),
                        has_mappings ? "" : "  relative             predicted time over that of the first row\n");
}

/* ---- JSON ---- */

typedef struct SeveralDocument {
    const SeveralRow *rows;
    uint32_t n;
    const char *fastest;
} SeveralDocument;

static const FieldList times_fields =
    FIELDS(PhaseTimes, FIELD(PhaseTimes, host, "of rank 0"), FIELD(PhaseTimes, command, "the launcher's command line"),
           FIELD(PhaseTimes, mode, "`prefix` or `checkpoint`"),
           FIELD_LIST(PhaseTimes, places, n_places, "places", "per process, where it ran", .flags = FIELD_ABSENT,
                      .of = &process_place_fields));

static const FieldList row_fields = FIELDS(
    SeveralRow,
    FIELD(SeveralRow, mapping, "of `firma measure --policies`, `--mappings` or `--bind`", .flags = FIELD_ABSENT),
    FIELD(SeveralRow, actual_s, "of a full run under this mapping (`--verify`); 0: there was none"),
    FIELD_AS(SeveralRow, path, "times", "the file of phase times"),
    FIELD_INLINE_POINTED(SeveralRow, times, times_fields),
    FIELD_AS(SeveralRow, prediction.predicted_s, "predicted_s", "the run time"),
    FIELD_FIXED(SeveralRow, prediction.interval_s, "interval_s", "[low, high]: 95 %"),
    FIELD_AS(SeveralRow, prediction.pace, "pace", "time of the measured stretch over its time in the traced run"),
    FIELD_AS(SeveralRow, prediction.pet_s, "pet_s", "the thesis's PET"),
    FIELD_AS(SeveralRow, prediction.set_s, "set_s", "the thesis's SET"),
    FIELD_AS(SeveralRow, prediction.signature_s, "signature_s", "how long measuring took"));

const FieldList several_fields = FIELDS(
    SeveralDocument, FIELD_LIST(SeveralDocument, rows, n, "predictions", "in the given order", .of = &row_fields),
    FIELD(SeveralDocument, fastest, "the file of phase times with the least predicted time"));

json_t *several_json(const SeveralRow *rows, uint32_t n)
{
    const SeveralDocument document = {rows, n, rows[find_fastest(rows, n)].path};
    return fields_to_json(&several_fields, &document, 0);
}
