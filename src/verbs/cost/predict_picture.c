/* SPDX-License-Identifier: BSD-3-Clause */
/* See cost.h: pictures, as figures 5 to 7 of the paper. */
#include "verbs/cost/predict_views.h"

#include "base/text.h"
#include "report/plot.h"
#include <inttypes.h>

enum { WIDTH = 900, HEIGHT = 560 };

static void add_intervals(Text *script, const CostReport *report)
{
    text_add(script, "$predicted << END\n");
    for (size_t i = 0; i < report->n_predictions; i++) {
        const CostPrediction *prediction = report->predictions[i];
        double middle = prediction->time_s.low + (prediction->time_s.high - prediction->time_s.low) / 2;
        text_add(script, "%zu %.9g %.9g %.9g\n", i, middle, prediction->time_s.low, prediction->time_s.high);
    }
    text_add(script, "END\n");
}

/* Beside the bar of their number of workers. */
static size_t add_runs(Text *script, const CostReport *report)
{
    size_t n = 0;
    text_add(script, "$measured << END\n");
    for (size_t i = 0; i < report->n_predictions; i++)
        for (size_t j = 0; j < report->runs.count; j++)
            if (report->runs.items[j].n_workers == report->predictions[i]->n_workers) {
                text_add(script, "%.2f %.9g\n", (double)i + 0.12, report->runs.items[j].time_s);
                n++;
            }
    text_add(script, "END\n");
    return n;
}

const char *cost_plot(const CostReport *report, Arena *arena)
{
    Text script = {0};
    plot_begin(&script, WIDTH, HEIGHT);
    add_intervals(&script, report);
    size_t n_runs = add_runs(&script, report);
    text_add(&script, "set title %s\nset xlabel 'machines'\nset ylabel 'time (s)'\nset yrange [0:*]\n",
             plot_quote(report->name, arena));
    text_add(&script, "set xrange [-0.5:%zu.5]\nset grid y lc rgb '#dddddd'\nset xtics (", report->n_predictions - 1);
    for (size_t i = 0; i < report->n_predictions; i++)
        text_add(&script, "%s%s %zu", i ? ", " : "", plot_quote(report->predictions[i]->machines, arena), i);
    text_add(&script, ")%s\n", report->n_predictions > 8 ? " rotate by -40" : "");
    text_add(&script, "plot $predicted using 1:2:3:4 with yerrorbars lc 1 lw 2 pt 2 ps 0.6 title 'predicted'");
    if (n_runs)
        text_add(&script, ", $measured using 1:2 with points lc 2 pt 7 ps 0.6 title 'measured'");
    text_add(&script, "\n");
    return text_take(&script, arena);
}
