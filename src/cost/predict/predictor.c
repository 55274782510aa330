/* SPDX-License-Identifier: BSD-3-Clause */
/* See predict.h. Places the tasks, finds values for all symbols, and evaluates the expressions. */
#include "cost/predict/predictor.h"

#include "base/text.h"
#include <math.h>
#include <string.h>

#define TASKS_LIMIT 1e15

/* The language of "pamela" tasks' operations: the only one of the machine model, or C. */
static const char *language_of_models(const PredictOptions *options)
{
    const char *only = options->language;
    for (uint32_t i = 0; !options->language && i < options->machine->n_processors; i++)
        for (uint32_t j = 0; j < options->machine->processors[i].n_languages; j++) {
            const char *language = options->machine->processors[i].languages[j].language;
            if (only && strcmp(only, language) != 0)
                return "c";
            only = language;
        }
    return only ? only : "c";
}

/* The flow file's values, followed by those of --set, which take precedence. */
static const CostValue *batch_values(const PaslBatch *batch, const PamelaModel *model, const PredictOptions *options,
                                     Arena *arena, size_t *n)
{
    CostValue *values = arena_new_array(arena, CostValue, batch->n_values + options->n_set);
    *n = 0;
    for (size_t i = 0; i < batch->n_values; i++)
        values[(*n)++] = (CostValue){batch->values[i].name, batch->values[i].value, batch->values[i].counted};
    for (size_t i = 0; i < options->n_set; i++)
        if (numbers_parameter(model, options->set[i].name))
            values[(*n)++] = options->set[i];
    return values;
}

static bool is_parameter(const PamelaSub *entry, const char *name)
{
    for (size_t i = 0; i < entry->n_parameters; i++)
        if (strcmp(entry->parameters[i], name) == 0)
            return true;
    return false;
}

/* Arguments are assigned by order, whatever their names. But the entry's own names in another order
 * are a mistake. */
static bool check_arguments(const PaslBatch *batch, const PamelaSub *entry, Arena *arena, Err *err)
{
    Text given = {0}, expected = {0};
    bool is_same = true;
    if (batch->n_arguments != entry->n_parameters)
        return err_set(err, ERR_INPUT, "batch `%s` gives %zu arguments, but `%s` has %zu parameters", batch->name,
                       batch->n_arguments, entry->name, entry->n_parameters);
    for (size_t i = 0; i < batch->n_arguments; i++) {
        if (!is_parameter(entry, batch->arguments[i].name))
            return true;
        is_same = is_same && strcmp(batch->arguments[i].name, entry->parameters[i]) == 0;
    }
    for (size_t i = 0; !is_same && i < batch->n_arguments; i++) {
        text_add(&given, "%s%s", i ? ", " : "", batch->arguments[i].name);
        text_add(&expected, "%s%s", i ? ", " : "", entry->parameters[i]);
    }
    return is_same ||
           err_set(err, ERR_INPUT,
                   "batch `%s`: the arguments are (%s), but the parameters of `%s` have another order: (%s)",
                   batch->name, text_take(&given, arena), entry->name, text_take(&expected, arena)) ||
           err_hint(err, "arguments are assigned to parameters by order: write them in the order of `%s`", entry->name);
}

/* Batches of a language that are compiled with different options have different costs. */
static bool has_other_options(const PaslApplication *application, const PaslBatch *batch)
{
    for (size_t i = 0; i < application->n_batches; i++)
        if (strcmp(application->batches[i].language, batch->language) == 0 &&
            strcmp(application->batches[i].options, batch->options) != 0)
            return true;
    return false;
}

static CodeName code_of(const Predictor *predictor, const PaslApplication *application, const PaslBatch *batch)
{
    bool is_model = strcmp(batch->language, "pamela") == 0;
    const char *language = is_model ? language_of_models(&predictor->options) : batch->language;
    const char *index = language;
    if (!is_model && has_other_options(application, batch))
        index = arena_printf(predictor->arena, "%s_%s", language, predict_kind_index(batch->options, predictor->arena));
    return (CodeName){index, language, is_model ? "" : batch->options};
}

static bool make_batch(const Predictor *predictor, const PaslBatch *batch, const PamelaModel *model,
                       const CodeName *code, CostBatch *result, Err *err)
{
    Arena *arena = predictor->arena;
    const PamelaSub *entry = &model->subs[model->n_subs - 1];
    const Expr **arguments = arena_new_array(arena, const Expr *, batch->n_arguments);
    for (size_t i = 0; i < batch->n_arguments; i++)
        arguments[i] = batch->arguments[i].value;
    *result = (CostBatch){.name = batch->name,
                          .language = code->index,
                          .model = model,
                          .arguments = arguments,
                          .receives_bytes = batch->receives_bytes,
                          .returns_bytes = batch->returns_bytes,
                          .n_before = batch->n_before,
                          .before = batch->before,
                          .is_scaled = predictor->options.n_calibrations > 0};
    result->values = batch_values(batch, model, &predictor->options, arena, &result->n_values);
    return check_arguments(batch, entry, arena, err);
}

static bool is_symbol_of_machine(const char *name)
{
    return strchr(name, '[') || strncmp(name, "scale_", 6) == 0;
}

static bool is_known(const Predictor *predictor, const char *name)
{
    const PamelaModel *model = cost_application_model(predictor->application);
    const PamelaSub *last = model->n_subs ? &model->subs[model->n_subs - 1] : NULL;
    for (size_t i = 0; i < predictor->n_batches; i++)
        if (numbers_parameter(predictor->batches[i].model, name))
            return true;
    for (size_t i = 0; last && i < last->n_parameters; i++)
        if (strcmp(last->parameters[i], name) == 0)
            return true;
    return numbers_parameter(model, name) || is_symbol_of_machine(name);
}

/* A misspelt name would silently change nothing. */
static bool check_set(const Predictor *predictor, Err *err)
{
    const PamelaModel *model = cost_application_model(predictor->application);
    Text names = {0};
    for (size_t i = 0; !predictor->options.is_part && i < predictor->options.n_set; i++) {
        const char *name = predictor->options.set[i].name;
        if (is_known(predictor, name))
            continue;
        for (size_t j = 0; j < model->n_parameters; j++)
            text_add(&names, "%s%s", j ? ", " : "", model->parameters[j].name);
        return err_set(err, ERR_USAGE, "--set: there is no parameter `%s`", name) ||
               err_hint(err, "parameters are: %s", text_take(&names, predictor->arena));
    }
    return true;
}

bool predictor_new(const PaslApplication *application, const PamelaModel *const *models, const PredictOptions *options,
                   Arena *arena, Predictor **result, Err *err)
{
    Predictor *predictor = arena_new_array(arena, Predictor, 1);
    size_t n = application->n_batches;
    CostBatch *batches = arena_new_array(arena, CostBatch, n);
    CodeName *codes = arena_new_array(arena, CodeName, n);
    const Expr **tasks = arena_new_array(arena, const Expr *, n);
    CostValue *parameters = arena_new_array(arena, CostValue, application->n_parameters);
    *predictor = (Predictor){.options = *options, .space = application->space, .arena = arena, .flow = application};
    for (size_t i = 0; i < application->n_parameters; i++)
        parameters[i] = (CostValue){application->parameters[i].name, application->parameters[i].value, NULL};
    for (size_t i = 0; i < n; i++) {
        tasks[i] = application->batches[i].tasks;
        codes[i] = code_of(predictor, application, &application->batches[i]);
        if (!make_batch(predictor, &application->batches[i], models[i], &codes[i], &batches[i], err))
            return false;
    }
    predictor->n_batches = n;
    predictor->batches = batches;
    predictor->tasks = tasks;
    predictor->codes = codes;
    predictor->language = n ? batches[0].language : "c";
    if (!cost_application_new(batches, n, parameters, application->n_parameters, application->space, arena,
                              &predictor->application, err) ||
        !check_set(predictor, err))
        return false;
    *result = predictor;
    return true;
}

bool predictor_of_model(const PamelaModel *model, const PredictOptions *options, Arena *arena, Predictor **result,
                        Err *err)
{
    Predictor *predictor = arena_new_array(arena, Predictor, 1);
    if (options->n_calibrations || options->is_dynamic)
        return err_set(err, ERR_USAGE, "a model written by hand has no batches, so %s",
                       options->n_calibrations ? "it can't be calibrated" : "its tasks can't be given to free workers");
    *predictor = (Predictor){.options = *options, .space = model->space, .arena = arena};
    predictor->language = language_of_models(options);
    cost_application_written(model, arena, &predictor->application);
    if (!check_set(predictor, err))
        return false;
    *result = predictor;
    return true;
}

void predictor_end(Predictor *predictor)
{
    if (predictor)
        cost_application_end(predictor->application);
}

/* Between one worker and one on each processor, on a power. Machines of a kind may have differently many workers. */
static Interval scale_of(const Chosen *chosen, const char *kind, const Calibration *calibration)
{
    const Interval alone = calibration->scale, busy = calibration->busy_scale;
    Interval all = {INFINITY, 0};
    for (size_t i = 0; i < chosen->platform.n_groups; i++) {
        const CostGroup *group = &chosen->platform.groups[i];
        double share = calibration_busy(group->n_cores, group->workers_each);
        if (strcmp(chosen->kinds[i], kind) != 0)
            continue;
        all.low = fmin(all.low, share > 0 ? alone.low * pow(busy.low / alone.low, share) : alone.low);
        all.high = fmax(all.high, share > 0 ? alone.high * pow(busy.high / alone.high, share) : alone.high);
    }
    return all;
}

static bool find_scales(const Predictor *predictor, const Chosen *chosen, Numbers *numbers, Err *err)
{
    const PredictOptions *options = &predictor->options;
    size_t n = predictor->n_batches * chosen->platform.n_groups;
    ScaleName *scales = arena_new_array(predictor->arena, ScaleName, n);
    numbers->is_calibrated = options->n_calibrations > 0;
    numbers->scales = scales;
    for (size_t i = 0; numbers->is_calibrated && i < n; i++) {
        const char *batch = predictor->batches[i / chosen->platform.n_groups].name;
        const char *kind = chosen->kinds[i % chosen->platform.n_groups];
        scales[i].calibration = calibration_find(options->calibrations, options->n_calibrations, batch, kind);
        if (scales[i].calibration)
            scales[i].value = scale_of(chosen, kind, scales[i].calibration);
        scales[i].symbol =
            arena_printf(predictor->arena, "scale_%s_%s", batch, predict_kind_index(kind, predictor->arena));
        if (!scales[i].calibration)
            return err_set(err, ERR_INPUT, "the calibration lacks batch `%s` on %s", batch, kind) ||
                   err_hint(
                       err,
                       "calibrate the batch there with `firma cost run --calibrate`, or predict without a calibration");
        numbers->n_scales = i + 1;
    }
    return true;
}

static bool count_tasks(const Predictor *predictor, Numbers *numbers, uint64_t **n_tasks, Err *err)
{
    *n_tasks = arena_new_array(predictor->arena, uint64_t, predictor->n_batches);
    for (size_t i = 0; i < predictor->n_batches; i++) {
        Interval tasks;
        if (!numbers_find(numbers, predictor->tasks[i], err) || !numbers_complete(numbers, err) ||
            !numbers_evaluate(numbers, predictor->tasks[i], &tasks, NULL, err))
            return false;
        if (tasks.low != tasks.high || tasks.low < 0 || tasks.low > TASKS_LIMIT || tasks.low != floor(tasks.low))
            return err_set(err, ERR_INPUT, "batch `%s`: the number of tasks is %g, not a whole number",
                           predictor->batches[i].name, tasks.low);
        (*n_tasks)[i] = (uint64_t)tasks.low;
    }
    return true;
}

/* Lengths may depend on the task, which has no value of its own. */
static bool check_lengths(const Predictor *predictor, const uint64_t *n_tasks, Numbers *numbers, Err *err)
{
    const char *const task = "task";
    const Expr *one = expr_integer(predictor->space, 1);
    for (size_t i = 0; i < predictor->n_batches; i++) {
        const PaslBatch *batch = &predictor->flow->batches[i];
        for (size_t k = 0; k < batch->n_arguments; k++)
            if (batch->arguments[k].element &&
                (!numbers_find(numbers, expr_substitute(predictor->space, batch->arguments[k].value, &task, &one, 1),
                               err) ||
                 !numbers_complete(numbers, err)))
                return false;
        vec_reserve(&numbers->bindings, 1);
        if (!pasl_check_lengths(predictor->flow, batch, n_tasks[i], numbers->bindings.items, numbers->bindings.count,
                                err))
            return false;
    }
    return true;
}

/* Allocates the batches' tasks to workers. */
static bool allocate(const Predictor *predictor, const Chosen *chosen, const uint64_t *n_tasks, uint64_t ***counts,
                     Err *err)
{
    *counts = arena_new_array(predictor->arena, uint64_t *, predictor->n_batches);
    for (size_t i = 0; i < predictor->n_batches; i++) {
        (*counts)[i] = arena_new_array(predictor->arena, uint64_t, chosen->n_workers);
        if (!chosen_allocate(chosen, predictor->codes[i].language, n_tasks[i], predictor->arena, (*counts)[i], err))
            return false;
    }
    return true;
}

static bool find_numbers(Numbers *numbers, const CostExpressions *expressions, Err *err)
{
    const CostStage *whole = &expressions->whole;
    for (int pass = 0; pass < 2; pass++) {
        if (!numbers_find(numbers, expressions->time, err) || !numbers_find(numbers, whole->without_contention, err))
            return false;
        for (size_t i = 0; i < whole->n_resources; i++)
            if (!numbers_find(numbers, whole->resources[i].load, err))
                return false;
        if (!numbers_complete(numbers, err))
            return false;
        if (pass == 0)
            messages_sizes(numbers);
    }
    return true;
}

/* Tasks of the worker that has most. */
static uint64_t most_tasks(const Predictor *predictor, uint64_t *const *counts, uint64_t n_workers)
{
    uint64_t most = 0;
    for (uint64_t worker = 0; worker < n_workers; worker++) {
        uint64_t n = 0;
        for (size_t i = 0; i < predictor->n_batches; i++)
            n += counts[i][worker];
        most = n > most ? n : most;
    }
    return most;
}

static const char *find_bottleneck(const CostPrediction *prediction)
{
    const CostStage *whole = &prediction->expressions->whole;
    const char *name = NULL;
    double most = interval_middle(prediction->without_contention_s);
    for (size_t i = 0; i < whole->n_resources; i++)
        if (interval_middle(prediction->resource_s[i]) > most * (1 + 1e-12)) {
            most = interval_middle(prediction->resource_s[i]);
            name = whole->resources[i].name;
        }
    return name;
}

/* Evaluates T0, the loads, and the stages' times together, because they share long sums: with all counted numbers at
 * their low ends, and with all at their high ends; so with all costs, if the models are of sources, whose times grow with
 * each cost. With whole intervals, `t - Q t` would be less certain than it is. */
static bool evaluate_parts(const Numbers *numbers, const CostExpressions *expressions, Arena *arena,
                           const Interval **values, bool *approximated, Err *err)
{
    const CostStage *whole = &expressions->whole;
    size_t n = 0, n_most = 1 + whole->n_resources + expressions->n_stages;
    const Expr **parts = arena_new_array(arena, const Expr *, n_most);
    Interval *found = arena_new_array(arena, Interval, n_most);
    parts[n++] = whole->without_contention;
    for (size_t i = 0; i < whole->n_resources; i++)
        parts[n++] = whole->resources[i].load;
    for (size_t i = 0; i < expressions->n_stages; i++)
        if (expressions->stages[i].time != whole->time)
            parts[n++] = expressions->stages[i].time;
    *values = found;
    const size_t n_bindings = numbers->bindings.count;
    const bool with_costs = numbers->n_codes > 0;
    if (!numbers->uncertain.count && !with_costs)
        return expr_evaluate_all(parts, n, numbers->bindings.items, n_bindings, found, approximated, err);
    Interval *most = arena_new_array(arena, Interval, n);
    if (!expr_evaluate_all(parts, n, numbers_at(numbers, with_costs, END_LOW, arena), n_bindings, found, approximated,
                           err) ||
        !expr_evaluate_all(parts, n, numbers_at(numbers, with_costs, END_HIGH, arena), n_bindings, most, approximated,
                           err))
        return false;
    for (size_t i = 0; i < n; i++)
        found[i] = interval_hull(found[i], most[i]);
    return true;
}

/* max(T0, …, TR) */
static Interval largest_part(const CostPrediction *prediction)
{
    Interval largest_s = prediction->without_contention_s;
    for (size_t i = 0; i < prediction->expressions->whole.n_resources; i++) {
        const Interval load_s = prediction->resource_s[i];
        largest_s = (Interval){fmax(largest_s.low, load_s.low), fmax(largest_s.high, load_s.high)};
    }
    return largest_s;
}

/* Formulas may say less than nothing: `(n - 9) sum_int32` with 5 for n. An interval that reaches below 0 begins at 0. */
static bool check_sign(Interval *time_s, Err *err)
{
    if (time_s->high < 0)
        return err_set(
                   err, ERR_INPUT,
                   "the predicted time is below 0: with these parameters, an amount or a size that the model has is") ||
               err_hint(err, "choose other parameters; in a model, `max(0, …)` keeps a formula from that");
    time_s->low = fmax(0, time_s->low);
    return true;
}

static bool evaluate_all(const Predictor *predictor, const Numbers *numbers, CostPrediction *prediction, Err *err)
{
    const CostExpressions *expressions = prediction->expressions;
    const CostStage *whole = &expressions->whole;
    const Interval *next;
    if (!evaluate_parts(numbers, expressions, predictor->arena, &next, &prediction->is_approximated, err))
        return false;
    prediction->resource_s = arena_new_array(predictor->arena, Interval, whole->n_resources);
    prediction->stage_s = arena_new_array(predictor->arena, Interval, expressions->n_stages);
    prediction->without_contention_s = *next++;
    if (!check_sign(&prediction->without_contention_s, err))
        return false;
    for (size_t i = 0; i < whole->n_resources; i++) {
        prediction->resource_s[i] = *next++;
        if (!check_sign(&prediction->resource_s[i], err))
            return false;
    }
    /* A single stage is the whole application, whose time is the largest of these. */
    for (size_t i = 0; i < expressions->n_stages; i++) {
        prediction->stage_s[i] = expressions->stages[i].time == whole->time ? largest_part(prediction) : *next++;
        if (!check_sign(&prediction->stage_s[i], err))
            return false;
        prediction->time_s.low += prediction->stage_s[i].low;
        prediction->time_s.high += prediction->stage_s[i].high;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const PredictionNumber *)a)->name, ((const PredictionNumber *)b)->name);
}

static void keep_numbers(const Predictor *predictor, Numbers *numbers, CostPrediction *prediction)
{
    for (size_t i = 0; i < predictor->options.n_counted; i++)
        if (!numbers_have(numbers, predictor->options.counted[i].name))
            *vec_push(&numbers->found) = predictor->options.counted[i];
    size_t n = numbers->found.count;
    PredictionNumber *kept = vec_copy(&numbers->found, predictor->arena);
    qsort(kept, n, sizeof *kept, by_name);
    prediction->numbers = kept;
    prediction->n_numbers = n;
}

static void keep_facts(const Predictor *predictor, const Chosen *chosen, Numbers *numbers, CostPrediction *prediction)
{
    prediction->task_bytes = numbers->task_bytes;
    prediction->n_batches = predictor->n_batches;
    prediction->n_workers = chosen->n_workers;
    prediction->workers_a_processor = sharing_most(&chosen->platform);
    prediction->machines = chosen->text;
    prediction->is_calibrated = numbers->is_calibrated;
    prediction->has_context = numbers->has_context;
    prediction->has_single = numbers->has_single;
    keep_numbers(predictor, numbers, prediction);
}

static bool predict_static(const Predictor *predictor, const Chosen *chosen, const uint64_t *n_tasks, Numbers *numbers,
                           CostPrediction *prediction, Err *err)
{
    uint64_t **counts;
    CostExpressions *expressions;
    if (!allocate(predictor, chosen, n_tasks, &counts, err) ||
        !cost_place(predictor->application, &chosen->platform, (const uint64_t *const *)counts, &prediction->model,
                    err) ||
        !cost_of_placed(predictor->application, &expressions, err) || !find_numbers(numbers, expressions, err) ||
        !numbers_find_bytes(numbers, expressions->whole.without_contention,
                            most_tasks(predictor, counts, chosen->n_workers), err))
        return false;
    prediction->expressions = expressions;
    prediction->counts = (const uint64_t *const *)counts;
    prediction->is_bounded = predictor->n_batches && sharing_most(&chosen->platform) > 1;
    return evaluate_all(predictor, numbers, prediction, err) &&
           (!prediction->is_bounded || sharing_times(predictor, &chosen->platform, numbers, prediction, err));
}

/* T0 is one task of each level. */
static bool predict_dynamic(const Predictor *predictor, const Chosen *chosen, const uint64_t *n_tasks, Numbers *numbers,
                            CostPrediction *prediction, Err *err)
{
    const CostTask *tasks;
    CostExpressions *expressions;
    if (!cost_share(predictor->application, &chosen->platform, n_tasks, &tasks, &expressions, &prediction->model,
                    err) ||
        !find_numbers(numbers, expressions, err) ||
        !numbers_find_bytes(numbers, expressions->whole.without_contention, expressions->n_stages, err))
        return false;
    prediction->expressions = expressions;
    prediction->is_dynamic = prediction->is_bounded = true;
    return evaluate_all(predictor, numbers, prediction, err) &&
           dynamic_times(predictor, &chosen->platform, n_tasks, tasks, numbers, prediction, err);
}

static bool predict(Predictor *predictor, Chosen *chosen, Numbers *numbers, CostPrediction *prediction, Err *err)
{
    uint64_t *n_tasks;
    chosen->platform.with_surprises = machine_has_context(predictor->options.machine);
    if (!find_scales(predictor, chosen, numbers, err) || !count_tasks(predictor, numbers, &n_tasks, err) ||
        !check_lengths(predictor, n_tasks, numbers, err) ||
        !(predictor->options.is_dynamic ? predict_dynamic : predict_static)(predictor, chosen, n_tasks, numbers,
                                                                            prediction, err))
        return false;
    prediction->paper_s = largest_part(prediction);
    prediction->bottleneck = find_bottleneck(prediction);
    keep_facts(predictor, chosen, numbers, prediction);
    return true;
}

bool predictor_predict(Predictor *predictor, const MachineChoice *choices, size_t n_choices, CostPrediction **result,
                       Err *err)
{
    Chosen chosen;
    CostPrediction *prediction = arena_new_array(predictor->arena, CostPrediction, 1);
    if (!chosen_find(&predictor->options, choices, n_choices, predictor->arena, &chosen, err))
        return false;
    Numbers numbers = {.options = &predictor->options,
                       .space = predictor->space,
                       .arena = predictor->arena,
                       .model = cost_application_model(predictor->application),
                       .platform = &chosen.platform,
                       .kinds = chosen.kinds,
                       .language = predictor->language,
                       .n_codes = predictor->codes ? predictor->n_batches : 0,
                       .codes = predictor->codes,
                       .n_workers = chosen.n_workers};
    bool ok = predict(predictor, &chosen, &numbers, prediction, err);
    numbers_end(&numbers);
    if (ok)
        *result = prediction;
    return ok;
}
