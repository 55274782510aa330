/* SPDX-License-Identifier: BSD-3-Clause */
/* What cost models say of scaling, as a document. Infinite values are null. */
#include "verbs/scale/model_views.h"

#include <math.h>

#define OR_NULL .flags = FIELD_NULL
#define ESTIMATED .of = &estimated_fields

static const FieldList estimated_fields =
    FIELDS(Estimated, FIELD(Estimated, value, "with each parameter at the middle of its interval", OR_NULL),
           FIELD(Estimated, low, "lower end; null: it has none", OR_NULL),
           FIELD(Estimated, high, "upper end; null: it has none", OR_NULL));

typedef struct CellRow {
    double n, p;
    ModelCell cell;
} CellRow;

typedef struct IsoRow {
    double p;
    const ModelIso *iso;
} IsoRow;

typedef struct LimitRow {
    double n;
    const ModelLimit *limit;
} LimitRow;

typedef struct ModelRow {
    const ModelTable *table;
    const CellRow *cells;
    const IsoRow *iso;
    const LimitRow *limits;
    size_t n_cells;
    uint32_t n_iso, n_limits;
} ModelRow;

typedef struct ModelDocument {
    const ModelQuestion *question;
    const ModelAnswer *answer;
    const ModelRow *models;
    uint32_t n_models;
} ModelDocument;

static const FieldList cell_fields =
    FIELDS(CellRow, FIELD(CellRow, n, "the problem size"), FIELD(CellRow, p, "processes"),
           FIELD_AS(CellRow, cell.time_s, "time_s", "by the formula", ESTIMATED),
           FIELD_AS(CellRow, cell.speedup, "speedup", "against `sequential`, or the model's own time on one process",
                    ESTIMATED),
           FIELD_AS(CellRow, cell.efficiency, "efficiency", "speedup / p", ESTIMATED));

/* ---- which size keeps the efficiency ---- */

static const char *const iso_kinds[] = {[ISO_ANY] = "any", [ISO_SIZE] = "size", [ISO_NONE] = "none", NULL};

static json_t *size_json(const FieldContext *context, const void *record)
{
    const ModelIso *iso = record;
    (void)context;
    return iso->kind == ISO_SIZE ? fields_to_json(&estimated_fields, &iso->n, 0) : NULL;
}

static const FieldList iso_fields =
    FIELDS(ModelIso,
           FIELD(ModelIso, kind, "`any` size keeps the efficiency, a `size` does, `none` does", .choices = iso_kinds),
           FIELD_OWN("n", SHAPE_ONE, size_json, NULL, "the least such size; null unless `kind` is `size`", ESTIMATED,
                     OR_NULL));

static const FieldList iso_row_fields =
    FIELDS(IsoRow, FIELD(IsoRow, p, "processes"), FIELD_INLINE_POINTED(IsoRow, iso, iso_fields));

/* ---- what more processes bring ---- */

static const char *const limit_kinds[] = {[LIMIT_PEAK] = "peak", [LIMIT_BOUND] = "bound", [LIMIT_NONE] = "none", NULL};

static json_t *best_json(const FieldContext *context, const void *record)
{
    const ModelLimit *limit = record;
    (void)context;
    return limit->kind == LIMIT_PEAK ? json_real(limit->best_p) : NULL;
}

static json_t *speedup_json(const FieldContext *context, const void *record)
{
    const ModelLimit *limit = record;
    (void)context;
    return limit->kind != LIMIT_NONE && isfinite(limit->speedup) ? json_real(limit->speedup) : NULL;
}

static json_t *keeps_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_boolean(isinf(((const ModelLimit *)record)->most_processes));
}

static const FieldList limit_fields = FIELDS(
    ModelLimit,
    FIELD(ModelLimit, kind, "the speedup has a `peak`, or grows towards a `bound`, or grows without bound: `none`",
          .choices = limit_kinds),
    FIELD_OWN("best_processes", SHAPE_ONE, best_json, NULL, "p of the peak; null: there is none", OR_NULL,
              .noun = "number"),
    FIELD_OWN("speedup", SHAPE_ONE, speedup_json, NULL, "at the peak, or the bound; null: neither", OR_NULL,
              .noun = "number"),
    FIELD(ModelLimit, most_processes, "the largest p that keeps the efficiency; null: none, or each", OR_NULL),
    FIELD_OWN("keeps_efficiency", SHAPE_ONE, keeps_json, NULL, "whether each p keeps it", .noun = "true or false"));

static const FieldList limit_row_fields =
    FIELDS(LimitRow, FIELD(LimitRow, n, "the problem size"), FIELD_INLINE_POINTED(LimitRow, limit, limit_fields));

/* ---- models ---- */

static const FieldList formula_fields =
    FIELDS(Formula, FIELD(Formula, name, "as it was given"), FIELD_AS(Formula, text, "formula", "of the time"));

static const FieldList named_fields = FIELDS(ModelTable, FIELD_INLINE_POINTED(ModelTable, formula, formula_fields));

static const FieldList growth_fields = FIELDS(
    ModelTable,
    FIELD_AS(ModelTable, is_scalable, "scalable", "whether a size keeps the efficiency at each p up to 2^20"),
    FIELD(ModelTable, growth, "n has to grow as p to this power; null: not scalable, or any size will do", OR_NULL));

static const FieldList model_fields = FIELDS(
    ModelRow, FIELD_INLINE_POINTED(ModelRow, table, named_fields),
    FIELD_LIST(ModelRow, cells, n_cells, "points", "by size, then processes", .of = &cell_fields),
    FIELD_LIST(ModelRow, iso, n_iso, "isoefficiency", "which size keeps the efficiency, by processes",
               .of = &iso_row_fields),
    FIELD_INLINE_POINTED(ModelRow, table, growth_fields),
    FIELD_LIST(ModelRow, limits, n_limits, "limits", "what more processes bring, by size", .of = &limit_row_fields));

static const FieldList parameter_fields = FIELDS(FormulaParameter, FIELD(FormulaParameter, name, "as in the formulas"),
                                                 FIELD_INLINE_MEMBER(FormulaParameter, value, estimated_fields),
                                                 FIELD(FormulaParameter, source, "where its value is from"));

/* ---- where one model becomes better than another ---- */

static json_t *fixed_size_json(const FieldContext *context, const void *record)
{
    const Crossover *crossover = record;
    (void)context;
    return crossover->over_processes ? json_real(crossover->fixed) : NULL;
}

static json_t *fixed_processes_json(const FieldContext *context, const void *record)
{
    const Crossover *crossover = record;
    (void)context;
    return crossover->over_processes ? NULL : json_real(crossover->fixed);
}

static const char *const axes[] = {"n", "p", NULL};

static const FieldList crossover_fields =
    FIELDS(Crossover,
           FIELD_OWN("n", SHAPE_ONE, fixed_size_json, NULL, "the problem size, if `over` is `p`", .flags = FIELD_ABSENT,
                     .noun = "number"),
           FIELD_OWN("p", SHAPE_ONE, fixed_processes_json, NULL, "processes, if `over` is `n`", .flags = FIELD_ABSENT,
                     .noun = "number"),
           FIELD_AS(Crossover, over_processes, "over", "what grows: `n` or `p`", .choices = axes),
           FIELD(Crossover, at, "the value of n or p from which on `to_model` is faster"),
           FIELD_AS(Crossover, first, "from_model", "place in `models` of the model that is faster before"),
           FIELD_AS(Crossover, second, "to_model", "place in `models` of the other"));

/* ---- the document ---- */

static json_t *sequential_json(const FieldContext *context, const void *record)
{
    const Formula *sequential = ((const ModelQuestion *)record)->sequential;
    (void)context;
    return sequential ? json_from_text(sequential->text) : NULL;
}

static const FieldList question_fields =
    FIELDS(ModelQuestion, FIELD_AS(ModelQuestion, efficiency, "efficiency_kept", "the efficiency to keep"),
           FIELD_OWN("sequential", SHAPE_ONE, sequential_json, NULL,
                     "formula of the best sequential program; null: speedups are against the model itself", OR_NULL,
                     .noun = "text"),
           FIELD_LIST(ModelQuestion, parameters.items, parameters.count, "parameters", "of all formulas",
                      .of = &parameter_fields));

static const FieldList answer_fields =
    FIELDS(ModelAnswer, FIELD_LIST(ModelAnswer, crossovers, n_crossovers, "crossovers",
                                   "where one model becomes faster than another", .of = &crossover_fields));

const FieldList scaling_model_fields =
    FIELDS(ModelDocument, FIELD_INLINE_POINTED(ModelDocument, question, question_fields),
           FIELD_LIST(ModelDocument, models, n_models, "models", "as they were given", .of = &model_fields),
           FIELD_INLINE_POINTED(ModelDocument, answer, answer_fields));

static ModelRow model_row(const ModelQuestion *question, const ModelTable *table, Arena *arena)
{
    uint32_t n_sizes = question->n_sizes, n_processes = question->n_processes;
    size_t n_cells = (size_t)n_sizes * n_processes;
    CellRow *cells = arena_new_array(arena, CellRow, n_cells);
    IsoRow *iso = arena_new_array(arena, IsoRow, n_processes);
    LimitRow *limits = arena_new_array(arena, LimitRow, n_sizes);
    for (size_t i = 0; i < n_cells; i++)
        cells[i] = (CellRow){question->sizes[i / n_processes], question->processes[i % n_processes], table->cells[i]};
    for (uint32_t i = 0; i < n_processes; i++)
        iso[i] = (IsoRow){question->processes[i], &table->iso[i]};
    for (uint32_t i = 0; i < n_sizes; i++)
        limits[i] = (LimitRow){question->sizes[i], &table->limits[i]};
    return (ModelRow){table, cells, iso, limits, n_cells, n_processes, n_sizes};
}

json_t *scaling_model_json(const ModelQuestion *question, const ModelAnswer *answer, Arena *arena)
{
    ModelRow *models = arena_new_array(arena, ModelRow, question->n_formulas);
    for (uint32_t i = 0; i < question->n_formulas; i++)
        models[i] = model_row(question, &answer->tables[i], arena);
    const ModelDocument document = {question, answer, models, question->n_formulas};
    return fields_to_json(&scaling_model_fields, &document, 0);
}
