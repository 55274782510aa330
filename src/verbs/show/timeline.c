/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases along the run: the shares of the time between each two milestones, one above the other.
 * The phases with the most time have a colour each; the others are grey. */
#include "verbs/show/phase.h"

#include "base/files.h"
#include "report/format.h"
#include "report/plot.h"
#include "verbs/plots.h"
#include <inttypes.h>
#include <stdlib.h>

enum { PHASES_SHOWN = 8 }; /* with a colour of their own */

static int by_share(const void *left, const void *right)
{
    const Phase *a = *(const Phase *const *)left, *b = *(const Phase *const *)right;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* The time that phase `index` took between two milestones. */
static double between_s(const Milestone *from, const Milestone *to, size_t index)
{
    double time_s = to->phase_time_s[index] - from->phase_time_s[index];
    return time_s > 0 ? time_s : 0;
}

/* Rows "from to below with" of each of the shown phases, and of the others together. */
static void add_shares(const Signature *signature, const Phase *const *shown, uint32_t n_shown, Text *data)
{
    for (uint32_t i = 0; i <= n_shown; i++) {
        for (uint32_t m = 1; m < signature->n_milestones; m++) {
            const Milestone *from = &signature->milestones[m - 1], *to = &signature->milestones[m];
            double all = 0, below = 0, own = 0;
            for (uint32_t phase = 0; phase < signature->n_phases; phase++)
                all += between_s(from, to, phase);
            for (uint32_t j = 0; j < i; j++)
                below += between_s(from, to, (size_t)(shown[j] - signature->phases));
            own = i < n_shown ? between_s(from, to, (size_t)(shown[i] - signature->phases)) : all - below;
            if (all > 0 && own > 1e-4 * all && to->time_s > from->time_s)
                text_add(data, "%.9g %.9g %.6f %.6f\n", from->time_s, to->time_s, below / all, (below + own) / all);
        }
        text_add(data, PLOT_PART_END);
    }
}

const char *timeline_picture(const Signature *signature, Arena *arena)
{
    const Phase **sorted = arena_new_array(arena, const Phase *, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        sorted[i] = &signature->phases[i];
    qsort(sorted, signature->n_phases, sizeof *sorted, by_share);
    uint32_t n_shown = signature->n_phases < PHASES_SHOWN ? signature->n_phases : PHASES_SHOWN;
    const char *name = files_base_name(signature->application.executable);
    double others = 0;
    Text data = {0};
    text_add(&data, "name = %s\ntime = %.9g\n$phases << END\n",
             plot_quote(arena_printf(arena, "%s%s%u processes: phases along the run", name, *name ? ", " : "",
                                     signature->application.n_processes),
                        arena),
             signature->application_s > 0 ? signature->application_s : 1);
    for (uint32_t i = 0; i < n_shown; i++)
        text_add(&data, "%u phase %u: %s\n", i, sorted[i]->id, format_percent(arena, sorted[i]->share));
    for (uint32_t i = n_shown; i < signature->n_phases; i++)
        others += sorted[i]->share;
    if (n_shown < signature->n_phases)
        text_add(&data, "%u %u others: %s\n", n_shown, signature->n_phases - n_shown, format_percent(arena, others));
    text_add(&data, "END\n$shares << END\n");
    add_shares(signature, sorted, n_shown, &data);
    text_add(&data, "END\n");
    return plot_script(&data, PLOT_SHOW_TIMELINE, arena);
}
