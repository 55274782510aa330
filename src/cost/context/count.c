/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the operations of kernels. A prediction is linear in the costs of operations. So the number of
 * operations of a class is the predicted time where these cost a second each and all others nothing. */
#include "cost/context/kernels.h"
#include "cost/context/rewrite.h"
#include "cost/predict/predict.h"
#include "cost/source/analyse.h"

#include <math.h>
#include <string.h>

static const char *const KIND = "here";

/* What the class's distances cost at a factor of one, if it counts these and not operations. */
static uint32_t price_far(ContextClass class, const ContextMemory *memory, CpuFar far[KERNELS_DISTANCES])
{
    uint32_t n = 0;
    for (size_t i = 0; i < memory->n; i++)
        if (memory->distances[i].class == class)
            far[n++] = memory->distances[i].far;
    return n;
}

/* Operations that cost as measured one by one keep their cost; those that weren't measured cost nothing. */
static void price(ContextClass class, const CpuCosts *single, const ContextMemory *memory,
                  CpuFar far[KERNELS_DISTANCES], CpuCosts *costs)
{
    costs->n_far = price_far(class, memory, far);
    costs->far = far;
    for (size_t operation = 0; operation < CPU_OPERATIONS; operation++)
        for (size_t type = 0; type < CPU_TYPES; type++) {
            ContextClass own = context_class(costs->language, (CpuOperation)operation, (CpuType)type);
            Interval alone = single->cost_s[operation][type];
            double cost_s = own != class || costs->n_far ? 0 : class != CONTEXT_LONG ? 1 : fmax(0, alone.low);
            costs->cost_s[operation][type] = (Interval){cost_s, cost_s};
        }
}

/* How the kernels' batches are counted. */
typedef struct Counting {
    const PaslApplication *application;
    const CpuCosts *single;
    const ContextMemory *memory;
    const ContextSource *compiled; /* without its program; NULL: operations of the source */
    Arena *arena;
} Counting;

/* A machine of one processor, with these costs. */
typedef struct Pricing {
    CpuCosts costs;
    CpuFar far[KERNELS_DISTANCES];
    CpuModel processor;
    MachineModel machine;
    PredictOptions how;
    PaslBatch batch;
    PaslApplication application; /* of this batch alone */
} Pricing;

static void price_alone(const Counting *counting, size_t batch, Pricing *pricing)
{
    *pricing = (Pricing){.batch = counting->application->batches[batch], .application = *counting->application};
    /* At these options, so that surprises count. */
    pricing->batch.options = "-O0";
    pricing->application.n_batches = 1;
    pricing->application.batches = &pricing->batch;
    pricing->costs = (CpuCosts){
        .language = pricing->batch.language, .compiler = "", .options = "-O0", .scheduler = "", .benchmark_s = 1};
    pricing->processor = (CpuModel){.name = KIND, .n_cores = 1, .n_languages = 1, .languages = &pricing->costs};
    pricing->machine = (MachineModel){.n_processors = 1, .processors = &pricing->processor};
    pricing->how = (PredictOptions){.machine = &pricing->machine, .without_messages = true};
    price(CONTEXT_CYCLE, counting->single, counting->memory, pricing->far, &pricing->costs);
}

static bool count_run(const Counting *counting, size_t batch, const PamelaModel *model, ContextRun *run, Err *err)
{
    const MachineChoice choice = {KIND, 1, 1};
    Predictor *predictor = NULL;
    CostPrediction *prediction;
    Pricing pricing;
    price_alone(counting, batch, &pricing);
    bool ok = predictor_new(&pricing.application, &model, &pricing.how, counting->arena, &predictor, err);
    for (size_t class = 0; ok && class < CONTEXT_CLASSES; class ++) {
        price((ContextClass) class, counting->single, counting->memory, pricing.far, &pricing.costs);
        ok = predictor_predict(predictor, &choice, 1, &prediction, err);
        if (ok)
            run->amounts[class] = interval_middle(prediction->time_s);
    }
    if (strcmp(pricing.costs.language, "c") == 0) { /* what new pages cost is fitted by itself */
        run->bytes = run->amounts[CONTEXT_BYTE];
        run->amounts[CONTEXT_BYTE] = 0;
    }
    predictor_end(predictor);
    return ok;
}

/* Each source once: a JVM takes a second to read one. */
static bool read_source(const PaslBatch *batch, Arena *arena, SourceProgram **program, Err *err)
{
    const SourceOptions how = {.file = batch->source, .options = ""};
    return strcmp(batch->language, "java") == 0 ? source_read_java(&how, arena, program, err)
                                                : source_read_c(&how, arena, program, err);
}

static bool analyse_all(const Counting *counting, ContextRun *runs, const SourceProgram **program,
                        const PamelaModel **models, Err *err)
{
    const AnalysisOptions how = {.for_context = true};
    const char *entry = "";
    SourceProgram *read;
    Analysis *analysis = NULL;
    unsigned n_kernels = 0;
    if (!read_source(&counting->application->batches[0], counting->arena, &read, err))
        return false;
    *program = read;
    for (size_t i = 0; i < counting->application->n_batches; i++) {
        const PaslBatch *batch = &counting->application->batches[i];
        if (strcmp(entry, batch->entry) != 0) {
            if (!analyse_task(read, batch->entry, &how, counting->application->space, counting->arena, &analysis, err))
                return err_prefix(err, "kernel `%s`", batch->entry);
            n_kernels++;
        }
        entry = batch->entry;
        runs[i].kernel = n_kernels - 1;
        models[i] = analysis->model;
    }
    return true;
}

static bool compile_all(const Counting *counting, const SourceProgram *program, const PamelaModel **models, Err *err)
{
    size_t n = counting->application->n_batches;
    ContextRewrite **all = arena_new_array(counting->arena, ContextRewrite *, n);
    ContextSource source = *counting->compiled;
    source.program = program;
    for (size_t i = 0; i < n; i++) {
        Pricing pricing;
        price_alone(counting, i, &pricing);
        if (!context_begin(&pricing.application, 0, models[i], &source, &pricing.how, counting->arena, &all[i], err))
            return err_prefix(err, "kernel `%s`", counting->application->batches[i].entry);
    }
    if (!context_simulate(all, n, counting->arena, err))
        return false;
    for (size_t i = 0; i < n; i++)
        models[i] = context_end(all[i])->model;
    return true;
}

static bool count_all(const Counting *counting, ContextRun *runs, Err *err)
{
    size_t n = counting->application->n_batches;
    const PamelaModel **models = arena_new_array(counting->arena, const PamelaModel *, n);
    const SourceProgram *program;
    if (!analyse_all(counting, runs, &program, models, err) ||
        (counting->compiled && !compile_all(counting, program, models, err)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!count_run(counting, i, models[i], &runs[i], err))
            return err_prefix(err, "kernel `%s`", counting->application->batches[i].entry);
    return true;
}

bool kernels_count(const PaslApplication *application, const CpuCosts *single, const ContextMemory *memory,
                   Arena *arena, ContextRun *runs, Err *err)
{
    return count_all(&(Counting){application, single, memory, NULL, arena}, runs, err);
}

bool kernels_count_compiled(const PaslApplication *application, const char *options, const char *scheduler,
                            const CpuCosts *single, const ContextMemory *memory, Arena *arena, ContextRun *runs,
                            Err *err)
{
    CompiledCode *code; /* all have the same source */
    options = arena_printf(arena, "%s " COMPILED_AS_LIBRARY, options);
    return compiled_open(application->batches[0].source, options, scheduler, arena, &code, err) &&
           count_all(
               &(Counting){application, single, memory, &(ContextSource){NULL, code, memory->limits, NULL}, arena},
               runs, err);
}
