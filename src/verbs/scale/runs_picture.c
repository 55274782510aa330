/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_views.h: the data of runs.gp and isoefficiency.gp. */
#include "verbs/scale/runs_views.h"

#include "report/plot.h"
#include "verbs/plots.h"
#include <math.h>

enum { SIZES_DRAWN = 12 };

static uint32_t last_p(const SizeScaling *size)
{
    return size->points[size->n_points - 1].run->p;
}

static void add_points(const SizeScaling *size, Text *data)
{
    for (uint32_t i = 0; i < size->n_points; i++) {
        const RunPoint *run = size->points[i].run;
        text_add(data, "%u %.9g %.9g %.9g\n", run->p, run->median_s, run->low_s, run->high_s);
    }
}

/* A missing bound is replaced by the value itself, and the lower bound stays above 0 for the logarithmic axis. */
static void add_law(const SizeScaling *size, Text *data)
{
    for (uint32_t i = 0; i < size->n_curve; i++) {
        const Estimated *time_s = &size->curve[i].time_s;
        text_add(data, "%.9g %.9g %.9g %.9g\n", size->curve[i].p, time_s->value,
                 isnan(time_s->low) ? time_s->value : fmax(time_s->low, 1e-3 * time_s->value),
                 isnan(time_s->high) ? time_s->value : time_s->high);
    }
}

static void add_block(const char *name, const SizeScaling *const *sizes, unsigned n,
                      void (*add)(const SizeScaling *, Text *), Text *data)
{
    text_add(data, "$%s << END\n", name);
    for (unsigned i = 0; i < n; i++) {
        add(sizes[i], data);
        text_add(data, PLOT_PART_END);
    }
    text_add(data, "END\n");
}

static const char *draw_sizes(const Scaling *scaling, const char *picture, Arena *arena)
{
    const SizeScaling *sizes[SIZES_DRAWN];
    unsigned n = 0;
    double bound = scaling->n_sizes ? scaling->sizes[scaling->n_sizes - 1].speedup_bound.value : 0;
    Text data = {0};
    for (uint32_t i = 0; i < scaling->n_sizes && n < SIZES_DRAWN; i++)
        if (scaling->sizes[i].n_points > 1)
            sizes[n++] = &scaling->sizes[i];
    if (!n)
        return NULL;
    text_add(&data, "picture = '%s'\nkept = %.9g\nbound = %.9g\n$sizes << END\n", picture, scaling->efficiency_limit,
             isfinite(bound) ? bound : 0);
    for (unsigned i = 0; i < n; i++) {
        const RunPoint *run = sizes[i]->points[0].run;
        text_add(&data, "%.9g %u %d %s%s%s\n", run->median_s * run->p, last_p(sizes[i]), sizes[i]->n_laws > 0,
                 scaling->n_sizes > 1 ? arena_printf(arena, "n = %g", sizes[i]->n) : "measured",
                 sizes[i]->n_laws ? ", " : "", sizes[i]->n_laws ? sizes[i]->laws[0].name : "");
    }
    text_add(&data, "END\n");
    add_block("points", sizes, n, add_points, &data);
    add_block("laws", sizes, n, add_law, &data);
    return plot_script(&data, PLOT_SCALE_RUNS, arena);
}

static const char *draw_isoefficiency(const Scaling *scaling, Arena *arena)
{
    const Isoefficiency *found = &scaling->isoefficiency;
    unsigned n = 0;
    Text data = {0};
    text_add(&data, "kept = %.9g\n$sizes << END\n", scaling->efficiency_limit);
    for (uint32_t i = 0; i < found->n_points; i++) {
        const IsoefficiencyPoint *point = &found->points[i];
        double value = point->n.value;
        if (isnan(value))
            continue;
        text_add(&data, "%g %.9g %.9g %.9g\n", point->p, value, isnan(point->n.low) ? value : point->n.low,
                 isnan(point->n.high) ? value : point->n.high);
        n++;
    }
    text_add(&data, "END\n");
    const char *script = plot_script(&data, PLOT_SCALE_ISOEFFICIENCY, arena);
    return n ? script : NULL;
}

const char *scaling_picture(const Scaling *scaling, ScalingPicture picture, Arena *arena)
{
    static const char *const names[] = {[SCALING_PICTURE_TIME] = "time",
                                        [SCALING_PICTURE_SPEEDUP] = "speedup",
                                        [SCALING_PICTURE_EFFICIENCY] = "efficiency"};
    return picture == SCALING_PICTURE_ISOEFFICIENCY ? draw_isoefficiency(scaling, arena)
                                                    : draw_sizes(scaling, names[picture], arena);
}
