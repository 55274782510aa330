/* SPDX-License-Identifier: BSD-3-Clause */
/* See counts_option.h. */
#include "verbs/cost/counts_option.h"

#include "base/files.h"
#include "base/text.h"
#include "cost/count/choose.h"
#include "cost/predict/sizes.h"
#include "verbs/cost/cost.h"

#include <math.h>
#include <string.h>

bool counts_option_load(Arena *arena, TaskCounts *counts, Err *err)
{
    TaskCounts *loaded;
    *counts = (TaskCounts){0};
    if (!cost_options.counts)
        return true;
    if (!task_counts_load(cost_options.counts, arena, &loaded, err))
        return false;
    *counts = *loaded;
    return true;
}

/* The values of a batch while they are found, and what the user must know of them. */
typedef struct Applying {
    const Cli *cli;
    const TaskCountsBatch *counts;
    const PaslBatch *batch;
    const TaskSize *sizes;
    size_t n_sizes, n;
    PaslBinding *values;
    ExprSpace *space;
    const char *unknown;    /* a parameter of which nothing tells how numbers change with it */
    Text constant, growing; /* numbers that may grow; numbers of which two sizes tell how they grow */
} Applying;

static bool is_given(const PaslBatch *batch, const PamelaParameter *parameter)
{
    for (size_t i = 0; i < batch->n_values; i++)
        if (pamela_is_named(parameter, batch->values[i].name))
            return true;
    return false;
}

static const char *sizes_text(const TaskCountsRun *run, Arena *arena)
{
    Text text = {0};
    for (size_t i = 0; i < run->n_sizes; i++)
        text_add(&text, "%s%s = %.6g", i ? ", " : "", run->sizes[i].name, run->sizes[i].value);
    return text_take(&text, arena);
}

static void add(Applying *applying, const PamelaParameter *parameter, const Expr *value, PamelaCounted counted)
{
    const PamelaCounted *kept = arena_copy_array(applying->cli->arena, &counted, 1, sizeof counted);
    applying->values[applying->n++] = (PaslBinding){.name = parameter->name, .value = value, .counted = kept};
}

/* A place that no run reached: at the predicted size, nothing depends on the parameter. At another size, a probability
 * stays as it is, and others count as 0. */
static void add_unreached(Applying *applying, const PamelaParameter *parameter, bool is_other_size)
{
    const char *note = arena_printf(applying->cli->arena, "never reached in %s", files_base_name(cost_options.counts));
    if (parameter->value && is_other_size)
        return;
    add(applying, parameter, parameter->value ? parameter->value : expr_integer(applying->space, 0),
        (PamelaCounted){note, is_other_size, 1, 1});
}

static void note_growth(Applying *applying, const PamelaParameter *parameter, const TaskCountsChosen *chosen)
{
    bool may_grow = chosen->is_other_size && task_counts_may_grow(chosen->value->kind);
    if (may_grow && chosen->unknown)
        applying->unknown = chosen->unknown;
    if (may_grow && (chosen->unknown || !chosen->growth))
        text_add(&applying->constant, "%s%s", applying->constant.bytes.count ? ", " : "", parameter->name);
    if (may_grow && chosen->growth && chosen->n_known < 3)
        text_add(&applying->growing, "%s%s as %s", applying->growing.bytes.count ? ", " : "", parameter->name,
                 chosen->growth);
}

static bool apply_one(Applying *applying, const PamelaParameter *parameter, Err *err)
{
    Arena *arena = applying->cli->arena;
    TaskCountsChosen chosen;
    if (is_given(applying->batch, parameter) ||
        !task_counts_choose(applying->counts, parameter->name, applying->sizes, applying->n_sizes, arena, &chosen))
        return true;
    if (!chosen.value) {
        add_unreached(applying, parameter, chosen.is_other_size);
        return true;
    }
    if (!isfinite(chosen.number) || !isfinite(chosen.high))
        return err_set(err, ERR_INPUT, "%s: batch `%s`: `%s` would grow beyond the range of a double",
                       cost_options.counts, applying->batch->name, parameter->name) ||
               err_hint(err, "count at sizes nearer to the predicted one");
    const char *at = sizes_text(chosen.run, arena), *note = files_base_name(cost_options.counts);
    if (*at)
        note = arena_printf(arena, "%s at %s", note, at);
    if (chosen.growth)
        note = arena_printf(arena, "%s, as %s", note, chosen.growth);
    add(applying, parameter, expr_real(applying->space, chosen.number),
        (PamelaCounted){note, false, chosen.growth ? chosen.low / chosen.number : 1,
                        chosen.growth ? chosen.high / chosen.number : 1});
    note_growth(applying, parameter, &chosen);
    return true;
}

static void tell(Applying *applying)
{
    Arena *arena = applying->cli->arena;
    const char *constant = text_take(&applying->constant, arena), *growing = text_take(&applying->growing, arena);
    if (*constant)
        cli_note(applying->cli,
                 "batch `%s`: nothing tells how these change with %s: %s; count at two further sizes (cost run --count "
                 "--counts %s)",
                 applying->batch->name, applying->unknown ? applying->unknown : "the size", constant,
                 cost_options.counts);
    if (*growing)
        cli_note(applying->cli,
                 "batch `%s`: two sizes tell how these grow: %s; a third would tell how sure that is (cost run --count "
                 "--counts %s)",
                 applying->batch->name, growing, cost_options.counts);
}

static bool apply(Applying *applying, PaslBatch *batch, const PamelaModel *model, Err *err)
{
    Arena *arena = applying->cli->arena;
    applying->batch = batch;
    applying->unknown = NULL;
    if (!task_counts_check(applying->counts, cost_options.counts, batch, arena, err))
        return false;
    PaslBinding *values = arena_new_array(arena, PaslBinding, batch->n_values + model->n_parameters);
    if (batch->n_values)
        memcpy(values, batch->values, batch->n_values * sizeof *values);
    applying->values = values;
    applying->n = batch->n_values;
    for (size_t i = 0; i < model->n_parameters; i++)
        if (!apply_one(applying, &model->parameters[i], err))
            return false;
    tell(applying);
    batch->values = values;
    batch->n_values = applying->n;
    return true;
}

bool counts_option_apply(const Cli *cli, PaslApplication *application, const PamelaModel *const *models,
                         const PredictOptions *how, Err *err)
{
    TaskCounts counts;
    bool is_any = false;
    Applying applying = {.cli = cli, .space = application->space};
    if (!cost_options.counts)
        return true;
    if (!counts_option_load(cli->arena, &counts, err))
        return false;
    PaslBatch *batches = arena_copy_array(cli->arena, application->batches, application->n_batches, sizeof *batches);
    applying.sizes = predict_sizes(application, how, &applying.n_sizes, cli->arena);
    for (size_t i = 0; i < application->n_batches; i++) {
        applying.counts = task_counts_find(&counts, batches[i].name);
        is_any = is_any || applying.counts;
        if (applying.counts && !apply(&applying, &batches[i], models[i], err))
            return false;
    }
    application->batches = batches;
    return is_any || err_set(err, ERR_INPUT, "%s has none of the application's batches", cost_options.counts) ||
           err_hint(err, "count them with `firma cost run --count`, or predict without these counts");
}
