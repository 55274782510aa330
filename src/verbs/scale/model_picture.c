/* SPDX-License-Identifier: BSD-3-Clause */
/* See model_views.h: a curve for each formula and size. */
#include "verbs/scale/model_views.h"

#include "report/chart.h"
#include "report/format.h"

#include <math.h>

enum { STEPS = 100, CURVES_LIMIT = 24, HEIGHT = 320 };

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

static Curve curve_of(const ModelQuestion *question, ModelPicture picture, const Formula *formula, double n,
                      size_t number, Arena *arena)
{
    double first = question->processes[0], ratio = question->processes[question->n_processes - 1] / first;
    double *p = arena_new_array(arena, double, STEPS + 1), *value = arena_new_array(arena, double, STEPS + 1);
    size_t n_points = 0;
    for (int i = 0; i <= STEPS; i++) {
        p[n_points] = first * pow(ratio, (double)i / STEPS);
        value[n_points] = ordinate(question, picture, formula, n, p[n_points]);
        n_points += !isnan(value[n_points]);
    }
    return (Curve){.name = title(question, picture, formula, n, arena),
                   .n = n_points,
                   .x = p,
                   .y = value,
                   .is_line = true,
                   .colour = number,
                   .dash = number / SVG_COLOURS % CHART_DASHES};
}

static const char *draw(Chart chart, Arena *arena)
{
    Text body = {0};
    double height = chart_body(&body, chart, arena);
    return height > 0 ? svg_file(&body, SVG_WIDTH, height, chart.title, arena) : NULL;
}

const char *scaling_model_picture(const ModelQuestion *question, ModelPicture picture, Arena *arena)
{
    static const struct {
        const char *heading, *label;
    } looks[] = {[MODEL_PICTURE_TIME] = {"Time by the formulas", "time"},
                 [MODEL_PICTURE_SPEEDUP] = {"Speedup by the formulas", "speedup"},
                 [MODEL_PICTURE_EFFICIENCY] = {"Efficiency by the formulas", "efficiency"},
                 [MODEL_PICTURE_ISOEFFICIENCY] = {"Isoefficiency: the size that keeps the efficiency", "n"}};
    Curve curves[CURVES_LIMIT + 1];
    size_t n = 0;
    uint32_t n_sizes = picture == MODEL_PICTURE_ISOEFFICIENCY ? 1 : question->n_sizes;
    if (question->n_processes < 2)
        return NULL;
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 0; k < question->n_formulas && n < CURVES_LIMIT; k++, n++)
            curves[n] = curve_of(question, picture, &question->formulas[k], question->sizes[i], n, arena);
    if (picture == MODEL_PICTURE_SPEEDUP) {
        curves[n] =
            (Curve){.name = "ideal", .n = curves[0].n, .x = curves[0].x, .is_line = true, .colour = 4, .dash = 1};
        curves[n].y = curves[n].x;
        n++;
    }
    return draw((Chart){.title = looks[picture].heading,
                        .heading = looks[picture].heading,
                        .height = HEIGHT,
                        .x = {.is_logarithmic = true, .is_binary = true, .format = format_plain, .title = "p"},
                        .y = {.is_logarithmic = picture != MODEL_PICTURE_EFFICIENCY,
                              .format = picture == MODEL_PICTURE_TIME ? format_seconds : format_plain,
                              .title = looks[picture].label},
                        .n_curves = n,
                        .curves = curves},
                arena);
}
