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
    Interval guess;        /* as of CpuCosts */
} Fits;

static const ContextFit *fit_of(const Fits *fits, ContextClass class, CpuOperation operation)
{
    bool is_quotient = operation == CPU_DIV || operation == CPU_MOD || operation == CPU_SQRT;
    return *fits->scheduler && context_is_of_compiled(class) && !is_quotient ? &fits->compiled : &fits->operations;
}

static Interval priced(const ContextFit *fit, ContextClass class, double cost_s)
{
    return (Interval){context_may_be_none(class) ? 0 : cost_s * fit->spread.low, cost_s * fit->spread.high};
}

/* Functions of the library that are the same code whatever a program's options are. */
static bool costs_as_alone(CpuOperation operation)
{
    return operation == CPU_PARSE || operation == CPU_FORMAT || operation == CPU_BLOCK;
}

static void fill(const Fits *fits, const CpuCosts *single, CpuCosts *costs)
{
    for (size_t operation = 0; operation < CPU_OPERATIONS; operation++)
        for (size_t type = 0; type < CPU_TYPES; type++) {
            ContextClass class = context_class(costs->language, (CpuOperation)operation, (CpuType)type);
            Interval alone = cpu_cost(single, (CpuOperation)operation, (CpuType)type, 0);
            const ContextFit *fit = fit_of(fits, class, (CpuOperation)operation);
            double cost_s = fit->costs[class] * (class == CONTEXT_LONG ? alone.low : class >= CONTEXT_STREAM ? 0 : 1);
            bool is_special_memory = operation == CPU_ALLOCATE && type != CPU_INT8 && type != CPU_REFERENCE;
            bool is_known = class < CONTEXT_CYCLE ? alone.low <= alone.high && !is_special_memory
                                                  : *fits->scheduler && type == CPU_INT64;
            costs->cost_s[operation][type] = costs_as_alone((CpuOperation)operation) ? alone
                                             : is_known                              ? priced(fit, class, cost_s)
                                                                                     : (Interval){0, -1};
        }
}

static void fill_far(const Fits *fits, const ContextMemory *memory, Arena *arena, CpuCosts *costs)
{
    CpuFar *far = arena_new_array(arena, CpuFar, memory->n);
    for (size_t i = 0; i < memory->n; i++) {
        const KernelsDistance *one = &memory->distances[i];
        const ContextFit *fit = fit_of(fits, one->class, CPU_OPERATIONS);
        if (one->class > CONTEXT_CYCLE && !*fits->scheduler)
            continue;
        far[costs->n_far] = one->far;
        far[costs->n_far++].cost_s = priced(fit, one->class, fit->costs[one->class] * one->far.cost_s.high);
    }
    costs->far = far;
}

/* The kernels, and the runs of all. */
typedef struct Kernels {
    const PaslApplication *application;
    ContextRun *runs; /* [application->n_batches] */
} Kernels;

static bool load(const char *language, Arena *arena, Kernels *kernels, Err *err)
{
    const char *flow = strcmp(language, "java") == 0 ? "kernels-java.pasl" : "kernels.pasl";
    const char *path = libraries_find_source(flow, KERNELS_FOLDER, arena);
    PaslApplication *application;
    if (!path)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks %s, the kernels to be measured", flow) ||
               err_hint(err, "install firma again");
    if (!pasl_load(path, arena, &application, err))
        return false;
    *kernels = (Kernels){application, arena_new_array(arena, ContextRun, application->n_batches)};
    return true;
}

/* Whether the value is a probability. */
static bool is_probability(const PaslBinding *value)
{
    return strncmp(value->name, "Q_", 2) == 0 || strchr(value->name, ':');
}

/* The batches with probabilities, without these; and their times. */
static PaslApplication assume(const PaslApplication *all, const ContextRun *runs, ContextRun *kept, Arena *arena)
{
    PaslApplication assumed = *all;
    PaslBatch *batches = arena_new_array(arena, PaslBatch, all->n_batches);
    assumed.n_batches = 0;
    for (size_t i = 0; i < all->n_batches; i++) {
        PaslBatch batch = all->batches[i];
        PaslBinding *values = arena_new_array(arena, PaslBinding, batch.n_values);
        size_t n = 0;
        for (size_t k = 0; k < batch.n_values; k++)
            if (!is_probability(&batch.values[k]))
                values[n++] = batch.values[k];
        if (n == batch.n_values)
            continue;
        batch.values = values;
        batch.n_values = n;
        kept[assumed.n_batches] = runs[i];
        batches[assumed.n_batches++] = batch;
    }
    assumed.batches = batches;
    return assumed;
}

/* Kernels whose probabilities were counted tell how far times are off without these. `scheduler` "": the compiled code
 * isn't known, as of Java. */
static bool find_guess(const Kernels *kernels, const char *options, const char *scheduler, const CpuCosts *single,
                       const ContextMemory *memory, Arena *arena, Fits *fits, Err *err)
{
    ContextRun *runs = arena_new_array(arena, ContextRun, kernels->application->n_batches);
    const PaslApplication assumed = assume(kernels->application, kernels->runs, runs, arena);
    bool is_counted = *scheduler
                          ? kernels_count_compiled(&assumed, options, scheduler, single, memory, arena, runs, err)
                          : kernels_count(&assumed, single, memory, arena, runs, err);
    if (!is_counted)
        return false;
    fits->guess = context_guess(runs, assumed.n_batches, *scheduler ? &fits->compiled : &fits->operations);
    return true;
}

/* Fits cycles of compiled code, if its tools are here. */
static bool fit_compiled(const Kernels *kernels, const char *options, const CpuCosts *single,
                         const ContextMemory *memory, Arena *arena, Fits *fits, const char **why_not, Err *err)
{
    size_t n_runs = kernels->application->n_batches;
    ContextRun *compiled = arena_copy_array(arena, kernels->runs, n_runs, sizeof *compiled);
    const char *scheduler;
    Err own = {0};
    if (!compiled_find_scheduler(arena, &scheduler, &own) ||
        !kernels_count_compiled(kernels->application, options, scheduler, single, memory, arena, compiled, &own)) {
        *why_not = arena_strdup(arena, own.message);
        return own.kind == ERR_ENVIRONMENT || ((*err = own), false);
    }
    if (!context_fit(compiled, n_runs, &fits->operations, memory->surprise_s, &fits->compiled, err) ||
        !find_guess(kernels, options, scheduler, single, memory, arena, fits, err))
        return false;
    fits->scheduler = scheduler;
    return true;
}

bool context_measure(const char *options, double seconds, const CpuCosts *single, const ContextMemory *memory,
                     Arena *arena, CpuCosts *costs, const char **why_not, Err *err)
{
    bool is_java = strcmp(single->language, "java") == 0;
    const char *compiler = "";
    Kernels kernels = {0};
    Fits fits = {.scheduler = "", .guess = {1, 1}};
    const ContextMemory of_java = kernels_memory_of_java();
    memory = is_java ? &of_java : memory;
    *why_not = NULL;
    if (!load(single->language, arena, &kernels, err) ||
        !kernels_count(kernels.application, single, memory, arena, kernels.runs, err) ||
        !kernels_time(kernels.application, options, seconds, arena, kernels.runs, &compiler, err) ||
        !context_fit(kernels.runs, kernels.application->n_batches, NULL, 0, &fits.operations, err) ||
        (is_java ? !find_guess(&kernels, options, "", single, memory, arena, &fits, err)
                 : !fit_compiled(&kernels, options, single, memory, arena, &fits, why_not, err)))
        return false;
    *costs = (CpuCosts){
        .language = single->language,
        .options = options,
        .compiler = arena_printf(arena, is_java ? "%s, %s" : "%s %s", is_java ? single->compiler : compiler, options),
        .scheduler = fits.scheduler,
        .guess = fits.guess,
        .learnt_branches = *fits.scheduler ? memory->limits.learnt_branches : 0,
        .benchmark_s = single->benchmark_s};
    fill(&fits, single, costs);
    fill_far(&fits, memory, arena, costs);
    if (!is_java)
        costs->cost_s[CPU_ALLOCATE][CPU_INT8] = kernels_new_byte_s(kernels.runs, kernels.application->n_batches);
    return true;
}
