/* SPDX-License-Identifier: BSD-3-Clause */
/* See times.h. */
#include "verbs/measure/text.h"

#include "report/format.h"
#include "report/table.h"

const char *times_table(const Signature *signature, const PhaseTimes *times, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">phase|>weight|>measured|>slowest process|>± spread|>mean, traced there");
    for (uint32_t i = 0; i < times->n_phases; i++) {
        const MeasuredPhase *phase = &times->phases[i];
        const Phase *known = &signature->phases[signature_find_phase(signature, phase->id)];
        if (!known->relevant)
            continue;
        table_cells(table, "%u|%s|%s|%s|%s|%s", phase->id, format_count(arena, known->weight),
                    format_count(arena, phase->occurrences), format_seconds(arena, phase->slowest_mean_s),
                    format_seconds(arena, phase->sd_s), format_seconds(arena, phase->reference_s));
    }
    return table_text(table, color);
}

json_t *times_phases_json(const PhaseTimes *times)
{
    json_t *phases = json_array();
    for (uint32_t i = 0; i < times->n_phases; i++)
        json_array_append_new(phases,
                              json_pack("{s:I, s:I, s:f, s:f}", "id", (json_int_t)times->phases[i].id, "occurrences",
                                        (json_int_t)times->phases[i].occurrences, "slowest_mean_s",
                                        times->phases[i].slowest_mean_s, "sd_s", times->phases[i].sd_s));
    return phases;
}
