/* SPDX-License-Identifier: BSD-3-Clause */
/* See predict_views.h: the data of predict.gp. */
#include "verbs/cost/predict_views.h"

#include "report/format.h"
#include "report/plot.h"
#include "verbs/plots.h"

enum { NAME_ROOM = 60 };

const char *cost_plot(const CostReport *report, Arena *arena)
{
    Text data = {0};
    size_t n_runs = 0;
    text_add(&data, "name = %s\n$machines << END\n", plot_quote(format_name(arena, report->name, NAME_ROOM), arena));
    for (size_t i = 0; i < report->n_predictions; i++)
        text_add(&data, "%zu %s\n", i, format_name(arena, report->predictions[i]->machines, NAME_ROOM));
    text_add(&data, "END\n$predicted << END\n");
    for (size_t i = 0; i < report->n_predictions; i++) {
        const Interval *time_s = &report->predictions[i]->time_s;
        text_add(&data, "%zu %.9g %.9g %.9g\n", i, time_s->low + (time_s->high - time_s->low) / 2, time_s->low,
                 time_s->high);
    }
    text_add(&data, "END\n$measured << END\n" PLOT_NO_ROW);
    for (size_t i = 0; i < report->n_predictions; i++)
        for (size_t j = 0; j < report->runs.count; j++)
            if (report->runs.items[j].n_workers == report->predictions[i]->n_workers) {
                text_add(&data, "%zu %.9g\n", i, report->runs.items[j].time_s);
                n_runs++;
            }
    text_add(&data, "END\nhas_runs = %d\n", n_runs > 0);
    return plot_script(&data, PLOT_COST_PREDICT, arena);
}
