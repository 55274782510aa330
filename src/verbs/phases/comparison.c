/* SPDX-License-Identifier: BSD-3-Clause */
/* See comparison.h. */
#include "verbs/phases/comparison.h"

#include "base/json.h"
#include "report/format.h"
#include "report/table.h"
#include "signature/predict/predict.h"

static uint32_t count_relevant(const Signature *signature)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        count += signature->phases[i].relevant;
    return count;
}

/* ---- text: two tables, as one of both would be wider than a terminal ---- */

static Table *method_columns(Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "order|similarity");
    return table;
}

static void add_method(Table *table, const MethodResult *result)
{
    table_cells(table, "%s|%s", result->signature->parameters.order, result->signature->parameters.similarity);
}

static const char *analysis_text(const Comparison *comparison, bool color, Arena *arena)
{
    static const char *const names[] = {"ticks", "blocks", "phases", "relevant", "coverage", "analysis"};
    Table *table = method_columns(arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_column(table, names[i], TABLE_RIGHT);
    for (uint32_t i = 0; i < comparison->n_results; i++) {
        const MethodResult *result = &comparison->results[i];
        const Signature *signature = result->signature;
        add_method(table, result);
        table_cells(table, "%s|%s|%s|%s|%s|%s", format_count(arena, signature->n_ticks),
                    signature->n_blocks ? format_count(arena, signature->n_distinct_blocks) : "-",
                    format_count(arena, signature->n_phases), format_count(arena, count_relevant(signature)),
                    format_percent(arena, signature->coverage), format_seconds(arena, result->analysis_s));
    }
    return arena_printf(arena,
                        "%s\n"
                        "  blocks      distinct parallel basic blocks\n"
                        "  relevant    phases that hold at least %g %% of the time each\n"
                        "  coverage    share of the time that is in them\n"
                        "  analysis    time that it took to read, order and compare\n",
                        table_text(table, color), 100 * comparison->results[0].signature->parameters.relevance);
}

/* Nothing is said where nothing was measured: the traced run's time is no prediction. */
static void add_prediction(Table *table, double predicted_s, double actual_s, bool is_measured, Arena *arena)
{
    table_cells(table, "%s|%s", is_measured ? format_seconds(arena, predicted_s) : "-",
                is_measured ? arena_printf(arena, "%.2f %%", prediction_error_percent(predicted_s, actual_s)) : "-");
}

static const char *prediction_text(const Comparison *comparison, bool color, Arena *arena)
{
    static const char *const names[] = {"same there", "PET", "PETE", "by process", "error"};
    Table *table = method_columns(arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_column(table, names[i], TABLE_RIGHT);
    for (uint32_t i = 0; i < comparison->n_results; i++) {
        const MethodResult *result = &comparison->results[i];
        add_method(table, result);
        bool is_measured = result->measured > 0;
        table_cells(table, "%s", count_relevant(result->signature) ? format_percent(arena, result->agreement) : "-");
        add_prediction(table, result->pet_s, comparison->actual_s, is_measured, arena);
        add_prediction(table, result->predicted_s, comparison->actual_s, is_measured, arena);
    }
    const char *difference =
        comparison->difference[0] ? arena_printf(arena, "note: it is another run: %s\n", comparison->difference) : "";
    return arena_printf(arena,
                        "\nmeasured run: %s, which took %s (AET)\n%s\n%s\n"
                        "  same there  share of the startpoints at which that run communicates as\n"
                        "              the phase does\n"
                        "  PET, PETE   the thesis's prediction: each relevant phase at its slowest\n"
                        "              process, by its weight; and its error\n"
                        "  by process  each process's own phases, with what isn't relevant scaled\n"
                        "              from the trace; and the error\n",
                        comparison->measured_trace, format_seconds(arena, comparison->actual_s), difference,
                        table_text(table, color));
}

const char *comparison_text(const Comparison *comparison, bool color, Arena *arena)
{
    return arena_printf(arena, "%s%s", analysis_text(comparison, color, arena),
                        comparison->measured_trace ? prediction_text(comparison, color, arena) : "");
}

/* ---- JSON ---- */

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
        json_object_set_new(document, "difference", json_from_text(comparison->difference));
        json_object_set_new(document, "actual_s", json_real(comparison->actual_s));
    }
    return document;
}
