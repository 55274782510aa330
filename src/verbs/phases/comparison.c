/* SPDX-License-Identifier: BSD-3-Clause */
/* See comparison.h. */
#include "verbs/phases/comparison.h"

#include "report/format.h"
#include "report/table.h"
#include "signature/predict/predict.h"
#include <math.h>

static uint32_t count_relevant(const Signature *signature)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        count += signature->phases[i].relevant;
    return count;
}

/* ---- text: two tables, because one would be wider than a terminal ---- */

static Table *method_columns(const char *others, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "order|similar");
    table_columns(table, others);
    return table;
}

static void add_method(Table *table, const MethodResult *result)
{
    table_cells(table, "%s|%s", result->signature->parameters.order, result->signature->parameters.similarity);
}

static const char *analysis_text(const Comparison *comparison, bool color, Arena *arena)
{
    Table *table = method_columns(">ticks|>blocks|>phases|>relevant|>coverage|>analysis", arena);
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
                        "  coverage    share of the time in relevant phases\n"
                        "  analysis    how long reading, ordering and comparing took\n",
                        table_text(table, color), 100 * comparison->results[0].signature->parameters.relevance);
}

/* Without a measurement the cells hold "-": the traced run's own time is not a prediction. */
static void add_prediction(Table *table, double predicted_s, double actual_s, bool is_measured, Arena *arena)
{
    table_cells(table, "%s|%s", is_measured ? format_seconds(arena, predicted_s) : "-",
                is_measured ? arena_printf(arena, "%.2f %%", prediction_error_percent(predicted_s, actual_s)) : "-");
}

static const char *prediction_text(const Comparison *comparison, bool color, Arena *arena)
{
    Table *table = method_columns(">agrees|>SET|>SET/AET|>PET|>PETE|>process|>error", arena);
    for (uint32_t i = 0; i < comparison->n_results; i++) {
        const MethodResult *result = &comparison->results[i];
        add_method(table, result);
        bool is_measured = result->measured > 0;
        table_cells(table, "%s", count_relevant(result->signature) ? format_percent(arena, result->agreement) : "-");
        table_cells(table, "%s|%s", is_measured ? format_seconds(arena, result->set_s) : "-",
                    is_measured ? format_percent(arena, result->set_s / comparison->actual_s) : "-");
        add_prediction(table, result->pet_s, comparison->actual_s, is_measured, arena);
        add_prediction(table, result->predicted_s, comparison->actual_s, is_measured, arena);
    }
    const char *difference =
        comparison->difference[0] ? arena_printf(arena, "note: this run differs: %s\n", comparison->difference) : "";
    return arena_printf(arena,
                        "\n"
                        "measured run: %s, which took %s (AET)\n"
                        "%s\n"
                        "%s\n"
                        "  agrees      share of the startpoints at which the measured run communicates as\n"
                        "              the phase does\n"
                        "  SET         one occurrence of each relevant phase, at its slowest process\n"
                        "  PET, PETE   the thesis's prediction: each relevant phase at its slowest\n"
                        "              process, by its weight; and its error\n"
                        "  process     each process's own phases; what isn't relevant is scaled from the\n"
                        "              trace; and its error\n",
                        comparison->measured_trace, format_seconds(arena, comparison->actual_s), difference,
                        table_text(table, color));
}

const char *comparison_text(const Comparison *comparison, bool color, Arena *arena)
{
    return arena_printf(arena, "%s%s", analysis_text(comparison, color, arena),
                        comparison->measured_trace ? prediction_text(comparison, color, arena) : "");
}

/* ---- JSON ---- */

/* A method's row; without a measured run `measured` is NULL, and errors are NAN. */
typedef struct MethodRow {
    const Signature *signature;
    const MethodResult *result, *measured;
    uint32_t n_relevant;
    double pete_percent, error_percent;
} MethodRow;

typedef struct ComparisonDocument {
    const MethodRow *methods;
    uint32_t n_methods;
    const Comparison *measured; /* NULL: there is no measured run */
} ComparisonDocument;

static const FieldList analysis_fields =
    FIELDS(Signature, FIELD_AS(Signature, parameters.order, "order", "`pas2p` or `lamport`"),
           FIELD_AS(Signature, parameters.similarity, "similarity", "`phase` or `block`"),
           FIELD_AS(Signature, n_ticks, "ticks", "how many ticks there are"),
           FIELD_AS(Signature, n_blocks, "blocks", "similarity `block`: how many parallel basic blocks; else 0"),
           FIELD_AS(Signature, n_distinct_blocks, "distinct_blocks", "how many differ from all earlier ones"),
           FIELD_AS(Signature, parameters.compute_floor_s, "compute_floor_s",
                    "time by which the computation of similar blocks may differ, whatever it lasts; else 0"),
           FIELD_AS(Signature, n_phases, "phases", "how many"),
           FIELD(Signature, coverage, "share of the time in relevant phases"));

static const FieldList time_fields =
    FIELDS(MethodResult, FIELD(MethodResult, analysis_s, "time that reading, ordering and comparing took"));

static const FieldList method_measured_fields = FIELDS(
    MethodResult,
    FIELD(MethodResult, agreement,
          "with `--against`: share of the startpoints at which that run communicates as the phase does"),
    FIELD_AS(MethodResult, measured, "measured_coverage",
             "with `--against`: share of the application's time in phases that occur in that run"),
    FIELD(MethodResult, set_s, "with `--against`: one occurrence of each relevant phase, at its slowest process"),
    FIELD(MethodResult, pet_s, "with `--against`: the thesis's prediction"),
    FIELD(MethodResult, predicted_s,
          "with `--against`: by each process's own phases; the rest is scaled from the trace"));

static const FieldList method_fields =
    FIELDS(MethodRow, FIELD_INLINE_POINTED(MethodRow, signature, analysis_fields),
           FIELD_AS(MethodRow, n_relevant, "relevant_phases", "how many phases are relevant"),
           FIELD_INLINE_POINTED(MethodRow, result, time_fields),
           FIELD_INLINE_POINTED(MethodRow, measured, method_measured_fields),
           FIELD(MethodRow, pete_percent, "with `--against`: the error of `pet_s`", .flags = FIELD_ABSENT),
           FIELD(MethodRow, error_percent, "with `--against`: the error of `predicted_s`", .flags = FIELD_ABSENT));

static const FieldList measured_fields =
    FIELDS(Comparison, FIELD(Comparison, measured_trace, "with `--against`: the other run's trace"),
           FIELD(Comparison, difference,
                 "with `--against`: how its application differs from the traced one; empty: it doesn't"),
           FIELD(Comparison, actual_s, "with `--against`: how long that run took"));

const FieldList comparison_fields = FIELDS(
    ComparisonDocument,
    FIELD_LIST(ComparisonDocument, methods, n_methods, "methods", "those that were compared", .of = &method_fields),
    FIELD_INLINE_POINTED(ComparisonDocument, measured, measured_fields));

json_t *comparison_json(const Comparison *comparison, Arena *arena)
{
    const Comparison *measured = comparison->measured_trace ? comparison : NULL;
    MethodRow *rows = arena_new_array(arena, MethodRow, comparison->n_results);
    for (uint32_t i = 0; i < comparison->n_results; i++) {
        const MethodResult *result = &comparison->results[i];
        rows[i] = (MethodRow){.signature = result->signature,
                              .result = result,
                              .measured = measured ? result : NULL,
                              .n_relevant = count_relevant(result->signature),
                              .pete_percent = NAN,
                              .error_percent = NAN};
        if (measured) {
            rows[i].pete_percent = prediction_error_percent(result->pet_s, measured->actual_s);
            rows[i].error_percent = prediction_error_percent(result->predicted_s, measured->actual_s);
        }
    }
    const ComparisonDocument document = {rows, comparison->n_results, measured};
    return fields_to_json(&comparison_fields, &document, 0);
}
