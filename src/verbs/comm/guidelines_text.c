/* SPDX-License-Identifier: BSD-3-Clause */
/* See guidelines_views.h: the text. */
#include "verbs/comm/guidelines_views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/comm/views.h"
#include <stdlib.h>
#include <string.h>

/* Rows that the table shows unless all are wanted. */
enum { ROWS_SHOWN = 10, COLUMNS = 80 };

static int compare_factors(const void *left, const void *right)
{
    const GuidelineViolation *a = left, *b = right;
    return a->factor.value > b->factor.value ? -1 : a->factor.value < b->factor.value;
}

/* "monotony: its time with 4.10 kB", "split: 8 × 512 B" */
static const char *guideline_text(const GuidelineViolation *violation, Arena *arena)
{
    const char *bytes = format_bytes(arena, (double)violation->bound_bytes);
    if (violation->parts > 1)
        return arena_printf(arena, "%s: %u × %s", violation->guideline, violation->parts, bytes);
    return strcmp(violation->guideline, "monotony") == 0 ? arena_printf(arena, "monotony: %s", bytes)
                                                         : violation->guideline;
}

static void add_row(const CommMeasurement *measurement, const GuidelineViolation *violation, Table *table, Arena *arena)
{
    const CommSeries *series = violation->series;
    table_cells(table, "%s|%s|%u|%s|%s|%.3g|%.3g … %.3g", comm_way_text(measurement, series, arena), series->operation,
                series->n_ranks, format_bytes(arena, (double)violation->bytes), guideline_text(violation, arena),
                violation->factor.value, violation->factor.low, violation->factor.high);
}

const char *comm_guidelines_text(const CommMeasurement *measurement, CommStatistic statistic, bool all, bool color,
                                 Arena *arena)
{
    const GuidelineCheck check = guidelines_check(measurement, statistic, arena);
    Text text = {0};
    if (!check.n_checks)
        return "";
    GuidelineViolation *worst = arena_copy_array(arena, check.violations, check.n_violations, sizeof *worst);
    if (check.n_violations) {
        Table *table = table_new(arena);
        qsort(worst, check.n_violations, sizeof *worst, compare_factors);
        table_columns(table, "violated guidelines||>p|>size|should take at most|>takes ×|>95 %");
        for (uint32_t i = 0; i < check.n_violations && (all || i < ROWS_SHOWN); i++)
            add_row(measurement, &worst[i], table, arena);
        text_add(&text, "%s", table_text(table, color));
    }
    const char *more = check.n_violations > ROWS_SHOWN && !all ? "; the worst are shown, and --all shows each" : "";
    const char *line = arena_printf(
        arena,
        "guidelines of collectives: %u checked in %u cases, %u violated beyond the intervals (2.5 %% by chance)%s",
        check.n_guidelines, check.n_checks, check.n_violations, more);
    format_add_filled(&text, line, strlen(line), 0, 2, COLUMNS);
    return text_take(&text, arena);
}
