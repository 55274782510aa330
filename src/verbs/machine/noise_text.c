/* SPDX-License-Identifier: BSD-3-Clause */
/* See noise_text.h. */
#include "verbs/machine/noise_text.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include <math.h>

const char *noise_text(const MachineNoise *noise, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">stretches of|>Allan deviation|>two of them differ by up to");
    for (uint32_t level = 0; level < noise->n_levels; level++)
        table_cells(table, "%s|%s|%s", format_seconds(arena, noise->base_s * exp2(level)),
                    format_percent(arena, noise->deviation[level]),
                    format_percent(arena, 1.96 * sqrt(2) * noise->deviation[level]));
    return arena_printf(arena,
                        "noise of %s: the same work on %u processor%s at the same time, for %s\n"
                        "measured %s by: %s\n\n"
                        "%s\n"
                        "  differ by    in 95 of 100 cases, if noise is normally distributed\n",
                        text_as_line(noise->host, arena), noise->n_processors, text_plural(noise->n_processors),
                        format_seconds(arena, noise->duration_s), text_as_line(noise->date, arena),
                        text_as_line(noise->command, arena), table_text(table, color));
}
