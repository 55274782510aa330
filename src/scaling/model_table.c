/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of cost models (model_table.h). A speedup is a ratio in which the same parameters
 * stand twice. So its interval is taken over the corners of the parameters' intervals, which is
 * exact for formulas that are linear in each parameter. */
#include "scaling/model_table.h"

#include <math.h>

static bool make_cell(const ModelQuestion *question, const Formula *formula, double n, double p, ModelCell *cell,
                      Err *err)
{
    const Formula *sequential = question->sequential ? question->sequential : formula;
    uint32_t n_corners = 1u << formula_count_inexact(&question->parameters);
    Estimated one_s;
    if (!formula_time_s(formula, &question->parameters, n, p, &cell->time_s, err) ||
        !formula_time_s(sequential, &question->parameters, n, 1, &one_s, err))
        return false;
    double speedup = model_speedup_at(question, formula, FORMULA_MIDDLE, n, p);
    cell->speedup = (Estimated){speedup, speedup, speedup};
    for (uint32_t corner = 0; corner < n_corners; corner++) {
        speedup = model_speedup_at(question, formula, corner, n, p);
        cell->speedup.low = fmin(cell->speedup.low, speedup);
        cell->speedup.high = fmax(cell->speedup.high, speedup);
    }
    cell->efficiency = (Estimated){cell->speedup.value / p, cell->speedup.low / p, cell->speedup.high / p};
    return !isnan(cell->speedup.value) || err_set(err, ERR_INPUT,
                                                  "`%.200s` at n = %g, p = %g: the time is 0, so there "
                                                  "is no speedup",
                                                  formula->text, n, p);
}

/* Finds the exponent with which the size must grow to keep the efficiency, for the largest p. */
static void judge(const ModelQuestion *question, ModelTable *table)
{
    ModelIso last = {.kind = ISO_NONE}, before = last;
    table->is_scalable = true;
    table->growth = NAN;
    for (int i = 1; i <= MODEL_SCALES_EXPONENT && table->is_scalable; i++) {
        before = last;
        last = model_isoefficiency(question, table->formula, ldexp(1, i), false);
        table->is_scalable = last.kind != ISO_NONE;
    }
    if (table->is_scalable && last.kind == ISO_SIZE && before.kind == ISO_SIZE)
        table->growth = log2(last.n.value / before.n.value);
}

static bool make_table(const ModelQuestion *question, const Formula *formula, Arena *arena, ModelTable *table, Err *err)
{
    ModelCell *cells = arena_new_array(arena, ModelCell, (size_t)question->n_sizes * question->n_processes);
    ModelIso *iso = arena_new_array(arena, ModelIso, question->n_processes);
    ModelLimit *limits = arena_new_array(arena, ModelLimit, question->n_sizes);
    for (uint32_t i = 0; i < question->n_sizes; i++)
        for (uint32_t k = 0; k < question->n_processes; k++)
            if (!make_cell(question, formula, question->sizes[i], question->processes[k],
                           &cells[(size_t)i * question->n_processes + k], err))
                return false;
    for (uint32_t k = 0; k < question->n_processes; k++)
        iso[k] = model_isoefficiency(question, formula, question->processes[k], true);
    for (uint32_t i = 0; i < question->n_sizes; i++)
        limits[i] = model_limit(question, formula, question->sizes[i]);
    *table = (ModelTable){.formula = formula, .cells = cells, .iso = iso, .limits = limits};
    judge(question, table);
    return true;
}

bool model_answer(const ModelQuestion *question, Arena *arena, ModelAnswer *answer, Err *err)
{
    ModelTable *tables = arena_new_array(arena, ModelTable, question->n_formulas);
    for (uint32_t i = 0; i < question->n_formulas; i++)
        if (!make_table(question, &question->formulas[i], arena, &tables[i], err))
            return false;
    *answer = (ModelAnswer){.tables = tables};
    answer->n_crossovers = model_crossovers(question, arena, &answer->crossovers);
    return true;
}
