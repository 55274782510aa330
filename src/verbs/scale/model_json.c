/* SPDX-License-Identifier: BSD-3-Clause */
/* See scaling_model.h: JSON. What has no end is null. */
#include "verbs/scale/model_views.h"

#include "base/json.h"

#include <math.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *estimated(const Estimated *value)
{
    json_t *object = json_object();
    json_object_set_new(object, "value", real(value->value));
    json_object_set_new(object, "low", real(value->low));
    json_object_set_new(object, "high", real(value->high));
    return object;
}

static json_t *cells_json(const ModelQuestion *question, const ModelTable *table)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < question->n_sizes; i++)
        for (uint32_t k = 0; k < question->n_processes; k++) {
            const ModelCell *cell = &table->cells[(size_t)i * question->n_processes + k];
            json_t *object = json_object();
            json_object_set_new(object, "n", json_real(question->sizes[i]));
            json_object_set_new(object, "p", json_real(question->processes[k]));
            json_object_set_new(object, "time_s", estimated(&cell->time_s));
            json_object_set_new(object, "speedup", estimated(&cell->speedup));
            json_object_set_new(object, "efficiency", estimated(&cell->efficiency));
            json_array_append_new(list, object);
        }
    return list;
}

static json_t *isoefficiency_json(const ModelQuestion *question, const ModelTable *table)
{
    static const char *const kinds[] = {[ISO_ANY] = "any", [ISO_SIZE] = "size", [ISO_NONE] = "none"};
    json_t *list = json_array();
    for (uint32_t k = 0; k < question->n_processes; k++) {
        const ModelIso *iso = &table->iso[k];
        json_t *object = json_object();
        json_object_set_new(object, "p", json_real(question->processes[k]));
        json_object_set_new(object, "kind", json_string(kinds[iso->kind]));
        json_object_set_new(object, "n", iso->kind == ISO_SIZE ? estimated(&iso->n) : json_null());
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *limits_json(const ModelQuestion *question, const ModelTable *table)
{
    static const char *const kinds[] = {[LIMIT_PEAK] = "peak", [LIMIT_BOUND] = "bound", [LIMIT_NONE] = "none"};
    json_t *list = json_array();
    for (uint32_t i = 0; i < question->n_sizes; i++) {
        const ModelLimit *limit = &table->limits[i];
        json_t *object = json_object();
        json_object_set_new(object, "n", json_real(question->sizes[i]));
        json_object_set_new(object, "kind", json_string(kinds[limit->kind]));
        json_object_set_new(object, "best_processes",
                            limit->kind == LIMIT_PEAK ? json_real(limit->best_p) : json_null());
        json_object_set_new(object, "speedup", limit->kind == LIMIT_NONE ? json_null() : real(limit->speedup));
        json_object_set_new(object, "most_processes", real(limit->most_processes));
        json_object_set_new(object, "keeps_efficiency", json_boolean(isinf(limit->most_processes)));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *model_json(const ModelQuestion *question, const ModelTable *table)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_from_text(table->formula->name));
    json_object_set_new(object, "formula", json_from_text(table->formula->text));
    json_object_set_new(object, "points", cells_json(question, table));
    json_object_set_new(object, "isoefficiency", isoefficiency_json(question, table));
    json_object_set_new(object, "scalable", json_boolean(table->is_scalable));
    json_object_set_new(object, "growth", real(table->growth));
    json_object_set_new(object, "limits", limits_json(question, table));
    return object;
}

static json_t *parameters_json(const FormulaParameters *parameters)
{
    json_t *list = json_array();
    for (size_t i = 0; i < parameters->count; i++) {
        json_t *object = estimated(&parameters->items[i].value);
        json_object_set_new(object, "name", json_from_text(parameters->items[i].name));
        json_object_set_new(object, "source", json_from_text(parameters->items[i].source));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *crossovers_json(const ModelAnswer *answer)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < answer->n_crossovers; i++) {
        const Crossover *crossover = &answer->crossovers[i];
        json_t *object = json_object();
        json_object_set_new(object, crossover->over_processes ? "n" : "p", json_real(crossover->fixed));
        json_object_set_new(object, "over", json_string(crossover->over_processes ? "p" : "n"));
        json_object_set_new(object, "at", json_real(crossover->at));
        json_object_set_new(object, "from_model", json_integer(crossover->first));
        json_object_set_new(object, "to_model", json_integer(crossover->second));
        json_array_append_new(list, object);
    }
    return list;
}

json_t *scaling_model_json(const ModelQuestion *question, const ModelAnswer *answer)
{
    json_t *root = json_object(), *models = json_array();
    for (uint32_t i = 0; i < question->n_formulas; i++)
        json_array_append_new(models, model_json(question, &answer->tables[i]));
    json_object_set_new(root, "efficiency_kept", json_real(question->efficiency));
    json_object_set_new(root, "sequential",
                        question->sequential ? json_from_text(question->sequential->text) : json_null());
    json_object_set_new(root, "parameters", parameters_json(&question->parameters));
    json_object_set_new(root, "models", models);
    json_object_set_new(root, "crossovers", crossovers_json(answer));
    return root;
}
