/* SPDX-License-Identifier: BSD-3-Clause */
/* See scaling_model.h: pictures over p, a line for each formula and size. */
#include "verbs/scale/model_views.h"

#include "base/text.h"
#include "report/plot.h"

#include <math.h>

enum { WIDTH = 900, HEIGHT = 600, STEPS = 100, CURVES_LIMIT = 24 };

typedef struct Drawing {
    const ModelQuestion *question;
    ModelPicture picture;
    Text blocks, curves;
    unsigned n_curves;
    Arena *arena;
} Drawing;

static double ordinate(const Drawing *drawing, const Formula *formula, double n, double p)
{
    const ModelQuestion *question = drawing->question;
    switch (drawing->picture) {
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

static const char *title(const Drawing *drawing, const Formula *formula, double n)
{
    const ModelQuestion *question = drawing->question;
    const char *name = question->n_formulas == 1 ? "" : *formula->name ? formula->name : formula->text;
    if (drawing->picture == MODEL_PICTURE_ISOEFFICIENCY)
        return *name ? name : arena_printf(drawing->arena, "efficiency %g", question->efficiency);
    return arena_printf(drawing->arena, "%s%sn = %g", name, *name ? ", " : "", n);
}

static void begin_curve(Drawing *drawing)
{
    text_add(&drawing->curves, "%s", drawing->n_curves++ ? ", " : "plot ");
}

static void add_curve(Drawing *drawing, const Formula *formula, double n)
{
    const ModelQuestion *question = drawing->question;
    double first = question->processes[0], ratio = question->processes[question->n_processes - 1] / first;
    unsigned k = drawing->n_curves, n_drawn = 0;
    Text points = {0};
    for (int i = 0; i <= STEPS; i++) {
        double p = first * pow(ratio, (double)i / STEPS), value = ordinate(drawing, formula, n, p);
        if (isnan(value))
            continue;
        text_add(&points, "%.9g %.9g\n", p, value);
        n_drawn++;
    }
    if (n_drawn) {
        text_add(&drawing->blocks, "$curve%u << END\n%sEND\n", k, text_take(&points, drawing->arena));
        begin_curve(drawing);
        text_add(&drawing->curves, "$curve%u using 1:2 with lines lw 1.5 title %s", k,
                 plot_quote(title(drawing, formula, n), drawing->arena));
    }
    vec_free(&points.bytes);
}

/* What speedups and efficiencies are measured by. */
static void add_ideal(Drawing *drawing)
{
    if (drawing->picture != MODEL_PICTURE_SPEEDUP && drawing->picture != MODEL_PICTURE_EFFICIENCY)
        return;
    begin_curve(drawing);
    text_add(&drawing->curves, "%s with lines lc rgb '#888888' dt 4 title 'ideal'",
             drawing->picture == MODEL_PICTURE_SPEEDUP ? "x" : "1");
}

const char *scaling_model_picture(const ModelQuestion *question, ModelPicture picture, Arena *arena)
{
    static const char *const labels[] = {[MODEL_PICTURE_TIME] = "time, s",
                                         [MODEL_PICTURE_SPEEDUP] = "speedup",
                                         [MODEL_PICTURE_EFFICIENCY] = "efficiency",
                                         [MODEL_PICTURE_ISOEFFICIENCY] = "n that keeps the efficiency"};
    Drawing drawing = {.question = question, .picture = picture, .arena = arena};
    uint32_t n_sizes = picture == MODEL_PICTURE_ISOEFFICIENCY ? 1 : question->n_sizes;
    if (question->n_processes < 2)
        return NULL;
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 0; k < question->n_formulas && drawing.n_curves < CURVES_LIMIT; k++)
            add_curve(&drawing, &question->formulas[k], question->sizes[i]);
    const char *script = NULL;
    if (drawing.n_curves) {
        Text text = {0};
        add_ideal(&drawing);
        plot_begin(&text, WIDTH, HEIGHT);
        text_add(&text, "set logscale x 2\n%sset xlabel 'p'\nset ylabel '%s'\nset key outside right\nset grid\n",
                 picture == MODEL_PICTURE_EFFICIENCY ? "set yrange [0:*]\n" : "set logscale y\n", labels[picture]);
        text_add(&text, "%.*s%.*s\n", (int)drawing.blocks.bytes.count, drawing.blocks.bytes.items,
                 (int)drawing.curves.bytes.count, drawing.curves.bytes.items);
        script = text_take(&text, arena);
    }
    vec_free(&drawing.blocks.bytes);
    vec_free(&drawing.curves.bytes);
    return script;
}
