/* SPDX-License-Identifier: BSD-3-Clause */
/* See model_views.h: the data of model.gp. */
#include "verbs/scale/model_views.h"

#include "report/plot.h"
#include "verbs/plots.h"

#include <math.h>

enum { STEPS = 100, CURVES_LIMIT = 24 };

static double ordinate(const ModelQuestion *question, ModelPicture picture, const Formula *formula, double n, double p)
{
    switch (picture) {
    case MODEL_PICTURE_TIME:
        return formula_time_at(formula, &question->parameters, FORMULA_MIDDLE, n, p);
    case MODEL_PICTURE_SPEEDUP:
        return model_speedup_at(question, formula, FORMULA_MIDDLE, n, p);
    case MODEL_PICTURE_EFFICIENCY:
        return model_speedup_at(question, formula, FORMULA_MIDDLE, n, p) / p;
    case MODEL_PICTURE_ISOEFFICIENCY:
        break;
    }
    const ModelIso iso = model_isoefficiency(question, formula, p, false);
    return iso.kind == ISO_SIZE ? iso.n.value : NAN;
}

static const char *title(const ModelQuestion *question, ModelPicture picture, const Formula *formula, double n,
                         Arena *arena)
{
    const char *name = question->n_formulas == 1 ? "" : *formula->name ? formula->name : formula->text;
    if (picture == MODEL_PICTURE_ISOEFFICIENCY)
        return *name ? name : arena_printf(arena, "efficiency %g", question->efficiency);
    return arena_printf(arena, "%s%sn = %g", name, *name ? ", " : "", n);
}

/* Returns the curve's number of points. */
static unsigned add_curve(const ModelQuestion *question, ModelPicture picture, const Formula *formula, double n,
                          Text *curves)
{
    double first = question->processes[0], ratio = question->processes[question->n_processes - 1] / first;
    unsigned n_points = 0;
    for (int i = 0; i <= STEPS; i++) {
        double p = first * pow(ratio, (double)i / STEPS), value = ordinate(question, picture, formula, n, p);
        if (isnan(value))
            continue;
        text_add(curves, "%.9g %.9g\n", p, value);
        n_points++;
    }
    if (n_points)
        text_add(curves, PLOT_PART_END);
    return n_points;
}

const char *scaling_model_picture(const ModelQuestion *question, ModelPicture picture, Arena *arena)
{
    static const struct {
        const char *name, *label;
    } looks[] = {[MODEL_PICTURE_TIME] = {"time", "time, s"},
                 [MODEL_PICTURE_SPEEDUP] = {"speedup", "speedup"},
                 [MODEL_PICTURE_EFFICIENCY] = {"efficiency", "efficiency"},
                 [MODEL_PICTURE_ISOEFFICIENCY] = {"isoefficiency", "n that keeps the efficiency"}};
    Text curves = {0}, data = {0};
    unsigned n_curves = 0;
    uint32_t n_sizes = picture == MODEL_PICTURE_ISOEFFICIENCY ? 1 : question->n_sizes;
    if (question->n_processes < 2)
        return NULL;
    text_add(&data, "picture = '%s'\nlabel = '%s'\n$titles << END\n", looks[picture].name, looks[picture].label);
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 0; k < question->n_formulas && n_curves < CURVES_LIMIT; k++) {
            const Formula *formula = &question->formulas[k];
            if (add_curve(question, picture, formula, question->sizes[i], &curves))
                text_add(&data, "%u %s\n", n_curves++,
                         text_as_line(title(question, picture, formula, question->sizes[i], arena), arena));
        }
    text_add(&data, "END\n$curves << END\n%sEND\n", text_take(&curves, arena));
    const char *script = plot_script(&data, PLOT_SCALE_MODEL, arena);
    return n_curves ? script : NULL;
}
