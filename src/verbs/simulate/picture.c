/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of a sweep. */
#include "report/plot.h"
#include "verbs/plots.h"
#include "verbs/simulate/views.h"

/* The other parameters' factors: "bandwidth × 2, speed × 1.5". */
static const char *title_of(const Sweep *sweep, const SweepPoint *point, Arena *arena)
{
    const char *title = "";
    for (int i = 0; i < SWEEP_PARAMETERS; i++)
        if (sweep->n_values[i] && i != (int)sweep->first)
            title = arena_printf(arena, "%s%s%s × %g", title, title[0] ? ", " : "", sweep_names[i], point->factors[i]);
    return title[0] ? title : "as it is";
}

const char *sweep_picture(const Sweep *sweep, Arena *arena)
{
    uint32_t n = sweep->n_values[sweep->first];
    Text data = {0};
    text_add(&data, "parameter = %s\n$titles << EOD\n", plot_quote(sweep_names[sweep->first], arena));
    for (uint32_t i = 0; i < sweep->n_points; i += n)
        text_add(&data, "%u %s\n", i / n + 1, title_of(sweep, &sweep->points[i], arena));
    text_add(&data, "EOD\n$times << EOD\n");
    for (uint32_t i = 0; i < sweep->n_points; i++) {
        text_add(&data, "%.9g %.9g\n", sweep->points[i].factors[sweep->first], sweep->points[i].application_s);
        if ((i + 1) % n == 0)
            text_add(&data, PLOT_PART_END);
    }
    text_add(&data, "EOD\n");
    return plot_script(&data, PLOT_SIMULATE_SWEEP, arena);
}
