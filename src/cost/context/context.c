/* SPDX-License-Identifier: BSD-3-Clause */
/* See context.h. */
#include "cost/context/context.h"

#include "base/libraries.h"
#include "cost/context/kernels.h"

#define KERNELS_FOLDER "cost/cpu/kernels"

enum { FARS = 3 };

static void fill(const ContextFit *fit, const CpuCosts *single, CpuCosts *costs)
{
    for (size_t operation = 0; operation < CPU_OPERATIONS; operation++)
        for (size_t type = 0; type < CPU_TYPES; type++) {
            ContextClass class = context_class((CpuOperation)operation, (CpuType)type);
            Interval alone = cpu_cost(single, (CpuOperation)operation, (CpuType)type, 0);
            double cost_s = fit->costs[class] * (class == CONTEXT_LONG ? alone.low : 1);
            costs->cost_s[operation][type] =
                alone.high < alone.low ? alone : (Interval){cost_s * fit->spread.low, cost_s * fit->spread.high};
        }
}

static const CpuFar *far_of(const ContextFit *fit, const Caches *caches, Arena *arena)
{
    CpuFar *far = arena_new_array(arena, CpuFar, FARS);
    for (size_t i = 0; i < FARS; i++) {
        static const char *const names[FARS] = {"element", "stray", "reference"};
        double cost_s = fit->costs[CONTEXT_ELEMENT_FAR + i];
        far[i] = (CpuFar){names[i],
                          i ? caches->first_bytes : caches->second_bytes,
                          {cost_s * fit->spread.low, cost_s * fit->spread.high}};
    }
    return far;
}

bool context_measure(const char *options, const CpuCosts *single, Arena *arena, CpuCosts *costs, Err *err)
{
    const char *path = libraries_find_source("kernels.pasl", KERNELS_FOLDER, arena), *compiler = "";
    PaslApplication *application;
    ContextFit fit;
    const Caches caches = kernels_caches();
    if (!path)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks kernels.pasl, the kernels to be measured") ||
               err_hint(err, "install firma again");
    if (!pasl_load(path, arena, &application, err))
        return false;
    ContextRun *runs = arena_new_array(arena, ContextRun, application->n_batches);
    if (!kernels_count(application, single, &caches, arena, runs, err) ||
        !kernels_time(application, options, arena, runs, &compiler, err) ||
        !context_fit(runs, application->n_batches, &fit, err))
        return false;
    *costs = (CpuCosts){.language = "c",
                        .options = options,
                        .compiler = arena_printf(arena, "%s %s", compiler, options),
                        .benchmark_s = single->benchmark_s,
                        .n_far = FARS,
                        .far = far_of(&fit, &caches, arena)};
    fill(&fit, single, costs);
    return true;
}
