/* SPDX-License-Identifier: BSD-3-Clause */
/* See context.h. */
#include "cost/context/context.h"

#include "base/libraries.h"
#include "cost/compiled/compiled.h"
#include "cost/context/kernels.h"
#include <string.h>

#define KERNELS_FOLDER "cost/cpu/kernels"

/* The fits of both ways. */
typedef struct Fits {
    ContextFit operations, compiled;
    const char *scheduler; /* "": the compiled code isn't known */
} Fits;

static const ContextFit *fit_of(const Fits *fits, ContextClass class, CpuOperation operation)
{
    bool is_quotient = operation == CPU_DIV || operation == CPU_MOD || operation == CPU_SQRT;
    return *fits->scheduler && context_is_of_compiled(class) && !is_quotient ? &fits->compiled : &fits->operations;
}

static Interval times(Interval spread, double cost_s)
{
    return (Interval){cost_s * spread.low, cost_s * spread.high};
}

static void fill(const Fits *fits, const CpuCosts *single, CpuCosts *costs)
{
    for (size_t operation = 0; operation < CPU_OPERATIONS; operation++)
        for (size_t type = 0; type < CPU_TYPES; type++) {
            ContextClass class = context_class(costs->language, (CpuOperation)operation, (CpuType)type);
            Interval alone = cpu_cost(single, (CpuOperation)operation, (CpuType)type, 0);
            const ContextFit *fit = fit_of(fits, class, (CpuOperation)operation);
            double cost_s = fit->costs[class] * (class == CONTEXT_LONG ? alone.low : class > CONTEXT_LEARNT ? 0 : 1);
            bool is_known = class == CONTEXT_CYCLE ? *fits->scheduler && type == CPU_INT64 : alone.low <= alone.high;
            costs->cost_s[operation][type] = is_known ? times(fit->spread, cost_s) : (Interval){0, -1};
        }
}

static void fill_far(const Fits *fits, const Caches *caches, Arena *arena, CpuCosts *costs)
{
    static const struct {
        const char *name;
        ContextClass class;
        bool is_beyond_second;
    } all[] = {{"element", CONTEXT_ELEMENT_FAR, true},
               {"stray", CONTEXT_STRAY_FAR, false},
               {"reference", CONTEXT_REFERENCE_FAR, false},
               {"visit", CONTEXT_VISIT_FAR, true},
               {"roam", CONTEXT_ROAM_FAR, true},
               {"follow", CONTEXT_FOLLOW_FAR, true}};
    CpuFar *far = arena_new_array(arena, CpuFar, sizeof all / sizeof *all);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const ContextFit *fit = fit_of(fits, all[i].class, CPU_OPERATIONS);
        if (all[i].class < CONTEXT_CYCLE || *fits->scheduler)
            far[costs->n_far++] =
                (CpuFar){all[i].name, all[i].is_beyond_second ? caches->second_bytes : caches->first_bytes,
                         times(fit->spread, fit->costs[all[i].class])};
    }
    costs->far = far;
}

/* Fits cycles of compiled code, if its tools are here. */
static bool fit_compiled(const PaslApplication *application, const char *options, const CpuCosts *single,
                         const Caches *caches, const ContextRun *runs, Arena *arena, Fits *fits, const char **why_not,
                         Err *err)
{
    size_t n = application->n_batches;
    ContextRun *compiled = arena_copy_array(arena, runs, n, sizeof *runs);
    const char *scheduler;
    Err own = {0};
    if (!compiled_find_scheduler(arena, &scheduler, &own) ||
        !kernels_count_compiled(application, options, scheduler, single, caches, arena, compiled, &own)) {
        *why_not = arena_strdup(arena, own.message);
        return own.kind == ERR_ENVIRONMENT || ((*err = own), false);
    }
    if (!context_fit(compiled, n, &fits->operations, &fits->compiled, err))
        return false;
    fits->scheduler = scheduler;
    return true;
}

bool context_measure(const char *options, double seconds, const CpuCosts *single, Arena *arena, CpuCosts *costs,
                     const char **why_not, Err *err)
{
    bool is_java = strcmp(single->language, "java") == 0;
    const char *flow = is_java ? "kernels-java.pasl" : "kernels.pasl", *compiler = "";
    const char *path = libraries_find_source(flow, KERNELS_FOLDER, arena);
    PaslApplication *application;
    Fits fits = {.scheduler = ""};
    const Caches caches = kernels_caches();
    *why_not = NULL;
    if (!path)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks %s, the kernels to be measured", flow) ||
               err_hint(err, "install firma again");
    if (!pasl_load(path, arena, &application, err))
        return false;
    ContextRun *runs = arena_new_array(arena, ContextRun, application->n_batches);
    if (!kernels_count(application, single, &caches, arena, runs, err) ||
        !kernels_time(application, options, seconds, arena, runs, &compiler, err) ||
        !context_fit(runs, application->n_batches, NULL, &fits.operations, err) ||
        (!is_java && !fit_compiled(application, options, single, &caches, runs, arena, &fits, why_not, err)))
        return false;
    *costs = (CpuCosts){
        .language = single->language,
        .options = options,
        .compiler = arena_printf(arena, is_java ? "%s, %s" : "%s %s", is_java ? single->compiler : compiler, options),
        .scheduler = fits.scheduler,
        .benchmark_s = single->benchmark_s};
    fill(&fits, single, costs);
    fill_far(&fits, &caches, arena, costs);
    return true;
}
