/* SPDX-License-Identifier: BSD-3-Clause */
/* See comparison.h. */
#include "report/comparison.h"

#include "base/json.h"
#include "predict/predict.h"
#include "report/format.h"
#include "report/table.h"

static uint32_t count_relevant(const Signature *signature)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        count += signature->phases[i].relevant;
    return count;
}

static void add_prediction_cells(Table *table, const Comparison *comparison, const MethodResult *result, Arena *arena)
{
    table_cell(table, "%s", count_relevant(result->signature) ? format_percent(arena, result->agreement) : "-");
    table_cell(table, "%s", format_seconds(arena, result->pet_s));
    table_cell(table, "%.2f %%", prediction_error_percent(result->pet_s, comparison->actual_s));
    table_cell(table, "%s", format_seconds(arena, result->predicted_s));
    table_cell(table, "%.2f %%", prediction_error_percent(result->predicted_s, comparison->actual_s));
}

static void add_row(Table *table, const Comparison *comparison, const MethodResult *result, Arena *arena)
{
    const Signature *signature = result->signature;
    table_cell(table, "%s", signature->parameters.order);
    table_cell(table, "%s", signature->parameters.similarity);
    table_cell(table, "%s", format_count(arena, signature->n_ticks));
    table_cell(table, "%s", signature->n_blocks ? format_count(arena, signature->n_distinct_blocks) : "-");
    table_cell(table, "%s", format_count(arena, signature->n_phases));
    table_cell(table, "%s", format_count(arena, count_relevant(signature)));
    table_cell(table, "%s", format_percent(arena, signature->coverage));
    table_cell(table, "%s", format_seconds(arena, result->analysis_s));
    if (comparison->measured_trace)
        add_prediction_cells(table, comparison, result, arena);
}

static const char *explanation(const Comparison *comparison, Arena *arena)
{
    if (!comparison->measured_trace)
        return "";
    return arena_printf(
        arena,
        "\n"
        "  measured run         %s, which took %s (AET)\n"
        "  same there           share of the startpoints at which that run communicates as the phase does\n"
        "  PET, PETE            the thesis's: each relevant phase at its slowest process, by its weight; and the error\n"
        "  by process           each process's own phases, with what isn't relevant scaled from the trace\n",
        comparison->measured_trace, format_seconds(arena, comparison->actual_s));
}

const char *comparison_text(const Comparison *comparison, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_column(table, "order", TABLE_LEFT);
    table_column(table, "similarity", TABLE_LEFT);
    table_column(table, "ticks", TABLE_RIGHT);
    table_column(table, "distinct blocks", TABLE_RIGHT);
    table_column(table, "phases", TABLE_RIGHT);
    table_column(table, "relevant", TABLE_RIGHT);
    table_column(table, "coverage", TABLE_RIGHT);
    table_column(table, "analysis", TABLE_RIGHT);
    if (comparison->measured_trace) {
        table_column(table, "same there", TABLE_RIGHT);
        table_column(table, "PET", TABLE_RIGHT);
        table_column(table, "PETE", TABLE_RIGHT);
        table_column(table, "by process", TABLE_RIGHT);
        table_column(table, "error", TABLE_RIGHT);
    }
    for (uint32_t i = 0; i < comparison->n_results; i++)
        add_row(table, comparison, &comparison->results[i], arena);
    return arena_printf(arena, "%s%s", table_text(table, color), explanation(comparison, arena));
}

static json_t *result_json(const Comparison *comparison, const MethodResult *result)
{
    const Signature *signature = result->signature;
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:f}",             //
                               "order", signature->parameters.order,                        //
                               "similarity", signature->parameters.similarity,              //
                               "ticks", (json_int_t)signature->n_ticks,                     //
                               "blocks", (json_int_t)signature->n_blocks,                   //
                               "distinct_blocks", (json_int_t)signature->n_distinct_blocks, //
                               "phases", (json_int_t)signature->n_phases,                   //
                               "relevant_phases", (json_int_t)count_relevant(signature),    //
                               "coverage", signature->coverage, "analysis_s", result->analysis_s);
    if (!comparison->measured_trace)
        return object;
    json_object_set_new(object, "agreement", json_real(result->agreement));
    json_object_set_new(object, "measured_coverage", json_real(result->measured));
    json_object_set_new(object, "pet_s", json_real(result->pet_s));
    json_object_set_new(object, "pete_percent",
                        json_real(prediction_error_percent(result->pet_s, comparison->actual_s)));
    json_object_set_new(object, "predicted_s", json_real(result->predicted_s));
    json_object_set_new(object, "error_percent",
                        json_real(prediction_error_percent(result->predicted_s, comparison->actual_s)));
    return object;
}

json_t *comparison_json(const Comparison *comparison)
{
    json_t *methods = json_array();
    for (uint32_t i = 0; i < comparison->n_results; i++)
        json_array_append_new(methods, result_json(comparison, &comparison->results[i]));
    json_t *document = json_pack("{s:o}", "methods", methods);
    if (comparison->measured_trace) {
        json_object_set_new(document, "measured_trace", json_from_text(comparison->measured_trace));
        json_object_set_new(document, "actual_s", json_real(comparison->actual_s));
    }
    return document;
}
