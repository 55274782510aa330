/* SPDX-License-Identifier: BSD-3-Clause */
/* See context.h. */
#include "cost/context/context.h"

#include "base/libraries.h"
#include "cost/compiled/compiled.h"
#include "cost/context/kernels.h"
#include <string.h>

#define KERNELS_FOLDER "cost/cpu/kernels"
enum { MOST_SOURCES = 3 };

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
            double cost_s = fit->costs[class] * (class == CONTEXT_LONG ? alone.low : class >= CONTEXT_STREAM ? 0 : 1);
            bool is_known = class >= CONTEXT_CYCLE ? *fits->scheduler && type == CPU_INT64 : alone.low <= alone.high;
            costs->cost_s[operation][type] = is_known ? times(fit->spread, cost_s) : (Interval){0, -1};
        }
}

static Interval times_at_most(Interval spread, double cost_s)
{
    return (Interval){0, cost_s * spread.high};
}

static void fill_far(const Fits *fits, const KernelsMemory *memory, Arena *arena, CpuCosts *costs)
{
    const Caches *caches = &memory->caches;
    const struct {
        ContextClass class;
        CpuFar far; /* at a factor of one */
    } all[] = {{CONTEXT_ELEMENT_FAR, {"element", caches->second_bytes, {1, 1}, 0, NULL}},
               {CONTEXT_STRAY_FAR, {"stray", caches->first_bytes, {1, 1}, 0, NULL}},
               {CONTEXT_REFERENCE_FAR, {"reference", caches->first_bytes, {1, 1}, 0, NULL}},
               {CONTEXT_STREAM, memory->far[KERNELS_STREAM]},
               {CONTEXT_LEAP, memory->far[KERNELS_LEAP]},
               {CONTEXT_ROAM_FAR, memory->far[KERNELS_ROAM]},
               {CONTEXT_FOLLOW_FAR, memory->far[KERNELS_FOLLOW]},
               {CONTEXT_FOLLOW_FAR, memory->far[KERNELS_DESCEND]}};
    CpuFar *far = arena_new_array(arena, CpuFar, sizeof all / sizeof *all);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const ContextFit *fit = fit_of(fits, all[i].class, CPU_OPERATIONS);
        double cost_s = fit->costs[all[i].class] * all[i].far.cost_s.high;
        if (all[i].class > CONTEXT_CYCLE && !*fits->scheduler)
            continue;
        far[costs->n_far] = all[i].far;
        far[costs->n_far++].cost_s = (context_may_be_near(all[i].class) ? times_at_most : times)(fit->spread, cost_s);
    }
    costs->far = far;
}

/* Sources of kernels, and the runs of all. */
typedef struct Kernels {
    size_t n_sources, n_runs;
    const PaslApplication *sources[MOST_SOURCES];
    ContextRun *runs;
} Kernels;

static bool load(const char *language, Arena *arena, Kernels *kernels, Err *err)
{
    static const char *const c[] = {"kernels.pasl", "kernels-2.pasl", "kernels-3.pasl", NULL};
    static const char *const java[] = {"kernels-java.pasl", NULL};
    const char *const *flows = strcmp(language, "java") == 0 ? java : c;
    for (; *flows; flows++) {
        const char *path = libraries_find_source(*flows, KERNELS_FOLDER, arena);
        PaslApplication *application;
        if (!path)
            return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks %s, the kernels to be measured", *flows) ||
                   err_hint(err, "install firma again");
        if (!pasl_load(path, arena, &application, err))
            return false;
        kernels->sources[kernels->n_sources++] = application;
        kernels->n_runs += application->n_batches;
    }
    kernels->runs = arena_new_array(arena, ContextRun, kernels->n_runs);
    return true;
}

/* Kernels of other sources are other kernels. */
static void number(const Kernels *kernels, ContextRun *runs)
{
    unsigned first = 0;
    for (size_t i = 0; i < kernels->n_sources; i++) {
        size_t n = kernels->sources[i]->n_batches;
        for (size_t k = 0; k < n; k++)
            runs[k].kernel += first;
        first = runs[n - 1].kernel + 1;
        runs += n;
    }
}

/* Kernels run where no page of memory is new, so that its cost is the measured one. */
static void leave_out_pages(ContextRun *runs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        runs[i].amounts[CONTEXT_BYTE] = 0;
}

static bool measure(const Kernels *kernels, const char *options, double seconds, const CpuCosts *single,
                    const KernelsMemory *memory, Arena *arena, const char **compiler, Err *err)
{
    ContextRun *runs = kernels->runs;
    for (size_t i = 0; i < kernels->n_sources; i++) {
        if (!kernels_count(kernels->sources[i], single, memory, arena, runs, err) ||
            !kernels_time(kernels->sources[i], options, seconds, arena, runs, compiler, err))
            return false;
        runs += kernels->sources[i]->n_batches;
    }
    number(kernels, kernels->runs);
    if (strcmp(single->language, "c") == 0)
        leave_out_pages(kernels->runs, kernels->n_runs);
    return true;
}

static bool count_compiled(const Kernels *kernels, const char *options, const char *scheduler, const CpuCosts *single,
                           const KernelsMemory *memory, Arena *arena, ContextRun *compiled, Err *err)
{
    ContextRun *runs = compiled;
    for (size_t i = 0; i < kernels->n_sources; i++) {
        if (!kernels_count_compiled(kernels->sources[i], options, scheduler, single, memory, arena, runs, err))
            return false;
        runs += kernels->sources[i]->n_batches;
    }
    number(kernels, compiled);
    leave_out_pages(compiled, kernels->n_runs);
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

/* Kernels whose probabilities were counted tell how far times are off without these. */
static bool find_guess(const Kernels *kernels, const char *options, const char *scheduler, const CpuCosts *single,
                       const KernelsMemory *memory, Arena *arena, Fits *fits, Err *err)
{
    ContextRun *assumed = arena_new_array(arena, ContextRun, kernels->n_runs);
    const ContextRun *runs = kernels->runs;
    size_t n = 0;
    for (size_t i = 0; i < kernels->n_sources; i++) {
        const PaslApplication own = assume(kernels->sources[i], runs, assumed + n, arena);
        if (!kernels_count_compiled(&own, options, scheduler, single, memory, arena, assumed + n, err))
            return false;
        leave_out_pages(assumed + n, own.n_batches);
        n += own.n_batches;
        runs += kernels->sources[i]->n_batches;
    }
    fits->guess = context_guess(assumed, n, &fits->compiled);
    return true;
}

/* Fits cycles of compiled code, if its tools are here. */
static bool fit_compiled(const Kernels *kernels, const char *options, const CpuCosts *single,
                         const KernelsMemory *memory, Arena *arena, Fits *fits, const char **why_not, Err *err)
{
    ContextRun *compiled = arena_copy_array(arena, kernels->runs, kernels->n_runs, sizeof *compiled);
    const char *scheduler;
    Err own = {0};
    if (!compiled_find_scheduler(arena, &scheduler, &own) ||
        !count_compiled(kernels, options, scheduler, single, memory, arena, compiled, &own)) {
        *why_not = arena_strdup(arena, own.message);
        return own.kind == ERR_ENVIRONMENT || ((*err = own), false);
    }
    if (!context_fit(compiled, kernels->n_runs, &fits->operations, &fits->compiled, err) ||
        !find_guess(kernels, options, scheduler, single, memory, arena, fits, err))
        return false;
    fits->scheduler = scheduler;
    return true;
}

bool context_measure(const char *options, double seconds, const CpuCosts *single, Arena *arena, CpuCosts *costs,
                     const char **why_not, Err *err)
{
    bool is_java = strcmp(single->language, "java") == 0;
    const char *compiler = "";
    Kernels kernels = {0};
    Fits fits = {.scheduler = "", .guess = {1, 1}};
    KernelsMemory memory = {.caches = kernels_caches()};
    *why_not = NULL;
    if (!load(single->language, arena, &kernels, err) || (!is_java && !kernels_measure_memory(arena, &memory, err)) ||
        !measure(&kernels, options, seconds, single, &memory, arena, &compiler, err) ||
        !context_fit(kernels.runs, kernels.n_runs, NULL, &fits.operations, err) ||
        (!is_java && !fit_compiled(&kernels, options, single, &memory, arena, &fits, why_not, err)))
        return false;
    *costs = (CpuCosts){
        .language = single->language,
        .options = options,
        .compiler = arena_printf(arena, is_java ? "%s, %s" : "%s %s", is_java ? single->compiler : compiler, options),
        .scheduler = fits.scheduler,
        .guess = fits.guess,
        .benchmark_s = single->benchmark_s};
    fill(&fits, single, costs);
    fill_far(&fits, &memory, arena, costs);
    if (!is_java)
        costs->cost_s[CPU_ALLOCATE][CPU_INT8] = (Interval){0, memory.page_byte_s}; /* pages may be old */
    return true;
}
