/* SPDX-License-Identifier: BSD-3-Clause */
/* See context.h. */
#include "cost/context/context.h"

#include "base/libraries.h"
#include "cost/context/kernels.h"
#include <string.h>

#define KERNELS_FOLDER "cost/cpu/kernels"

enum { FARS = 3 };

static void fill(const ContextFit *fit, const CpuCosts *single, CpuCosts *costs)
{
    for (size_t operation = 0; operation < CPU_OPERATIONS; operation++)
        for (size_t type = 0; type < CPU_TYPES; type++) {
            ContextClass class = context_class(costs->language, (CpuOperation)operation, (CpuType)type);
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

bool context_measure(const char *options, double seconds, const CpuCosts *single, Arena *arena, CpuCosts *costs,
                     Err *err)
{
    bool is_java = strcmp(single->language, "java") == 0;
    const char *flow = is_java ? "kernels-java.pasl" : "kernels.pasl", *compiler = "";
    const char *path = libraries_find_source(flow, KERNELS_FOLDER, arena);
    PaslApplication *application;
    ContextFit fit;
    const Caches caches = kernels_caches();
    if (!path)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks %s, the kernels to be measured", flow) ||
               err_hint(err, "install firma again");
    if (!pasl_load(path, arena, &application, err))
        return false;
    ContextRun *runs = arena_new_array(arena, ContextRun, application->n_batches);
    if (!kernels_count(application, single, &caches, arena, runs, err) ||
        !kernels_time(application, options, seconds, arena, runs, &compiler, err) ||
        !context_fit(runs, application->n_batches, &fit, err))
        return false;
    *costs = (CpuCosts){
        .language = single->language,
        .options = options,
        .compiler = arena_printf(arena, is_java ? "%s, %s" : "%s %s", is_java ? single->compiler : compiler, options),
        .benchmark_s = single->benchmark_s,
        .n_far = FARS,
        .far = far_of(&fit, &caches, arena)};
    fill(&fit, single, costs);
    return true;
}
