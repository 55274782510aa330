/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost run --count: counts in runs of a sample of each batch's tasks what the source doesn't tell: how often
 * conditions hold, and how often loops iterate. Copies of the sources count. */
#include "base/files.h"
#include "base/owner.h"
#include "cost/count/instrument.h"
#include "cost/predict/sizes.h"
#include "cost/run/sample.h"
#include "cost/source/analyse.h"
#include "report/table.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/counts_option.h"
#include "verbs/cost/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- A batch ----------------------------------------------------------------------------------------------------- */

/* One batch by itself. */
typedef struct Counting {
    const CostRunning *running;
    const PaslBatch *batch;
    const char *directory; /* of the copies, and of their counters */
    Instrumented instrumented;
    double *counters;
    uint64_t n_tasks;
} Counting;

static bool instrument(Counting *counting, size_t index, unsigned may, Err *err)
{
    Arena *arena = counting->running->cli->arena;
    const PaslBatch *batch = counting->batch;
    const AnalysisSource source = {batch->language, batch->source, batch->options, batch->entry, NULL};
    const AnalysisOptions how = {cost_options.depth ? (unsigned)cost_options.depth : batch->depth, true};
    Analysis *analysis;
    return (analyse_source(&source, &how, counting->running->application->space, arena, &analysis, err) ||
            err_prefix(err, "batch `%s`", batch->name)) &&
           instrument_source(batch->source, analysis, may,
                             arena_printf(arena, "%s/%zu_%u", counting->directory, index, may), arena,
                             &counting->instrumented, err);
}

static bool read_counters(Counting *counting, const char *path, Err *err)
{
    const size_t n = counting->instrumented.n_counters;
    FILE *file = fopen(path, "r");
    counting->counters = arena_new_array(counting->running->cli->arena, double, n + 1);
    bool is_read = file && fread(counting->counters, sizeof(double), n, file) == n;
    if (file)
        fclose(file);
    return is_read || err_set(err, ERR_ENVIRONMENT, "%s: its tasks have written no counters", path);
}

/* Each of the sampled tasks runs once, on one worker. */
static bool run_batch(Counting *counting, unsigned tasks, Err *err)
{
    Arena *arena = counting->running->cli->arena;
    const PaslApplication *application = counting->running->application;
    CostRunning own = *counting->running;
    PaslApplication alone = *application;
    PaslBatch batch = *counting->batch;
    uint64_t n_all;
    RunTimes times;
    const char *library, *results = arena_printf(arena, "%s/counters", counting->directory);
    if (!run_count_tasks(application, counting->batch, &n_all, err))
        return false;
    counting->n_tasks = tasks < n_all ? tasks : n_all;
    if (!counting->n_tasks)
        return err_set(err, ERR_INPUT, "%s:%u: batch `%s` has no tasks to count", application->file, batch.line,
                       batch.name);
    batch.n_before = 0;
    alone.n_batches = 1;
    alone.batches = &batch;
    own.application = &alone;
    const RunCounting copy = {counting->instrumented.source, counting->instrumented.options,
                              counting->instrumented.n_counters, results};
    own.counting = &copy;
    const uint64_t *const counts[] = {&counting->n_tasks}, *const numbers[] = {
                                                               sample_tasks(n_all, counting->n_tasks, arena)};
    return cost_run_tasks(&own, 1, counts, numbers, 1, &times, &library, err) && read_counters(counting, results, err);
}

/* A copy that fails is made again with less that counts. */
static bool count_batch(Counting *counting, size_t index, unsigned tasks, Err *err)
{
    for (unsigned may = COUNT_IN_MACROS | COUNT_PARTS;;) {
        Err failure = {0};
        if (!instrument(counting, index, may, err))
            return false;
        if (run_batch(counting, tasks, &failure))
            return true;
        const unsigned risks = counting->instrumented.risks;
        if (failure.kind != ERR_INPUT || !risks) {
            *err = failure;
            return false;
        }
        may &= risks & COUNT_IN_MACROS ? ~(unsigned)COUNT_IN_MACROS : 0;
    }
}

static double sum_of(const Counting *counting, const size_t *terms, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += counting->counters[terms[i]];
    return sum;
}

static const char *place_of(const SourcePlace *place, Arena *arena)
{
    return arena_printf(arena, "%s:%u", files_base_name(place->file), place->line);
}

static TaskCountsValue value_of(const Counting *counting, const Counted *counted, Arena *arena)
{
    double over = sum_of(counting, counted->over, counted->n_over),
           under = sum_of(counting, counted->under, counted->n_under);
    return (TaskCountsValue){.name = counted->parameter,
                             .place = place_of(&counted->place, arena),
                             .kind = counted->kind,
                             .value = under > 0 ? over / under : NAN,
                             .reached = under};
}

static bool describe(const Counting *counting, TaskCountsBatch *made, Err *err)
{
    Arena *arena = counting->running->cli->arena;
    const Instrumented *instrumented = &counting->instrumented;
    TaskCountsRun *run = arena_new_array(arena, TaskCountsRun, 1);
    TaskCountsValue *values = arena_new_array(arena, TaskCountsValue, instrumented->n_counted);
    TaskCountsMissing *missing = arena_new_array(arena, TaskCountsMissing, instrumented->n_counted);
    TaskCountsFile *files = arena_new_array(arena, TaskCountsFile, instrumented->n_files);
    *run = (TaskCountsRun){.n_tasks = counting->n_tasks, .values = values};
    run->sizes = predict_sizes(counting->running->application, &counting->running->how, &run->n_sizes, arena);
    *made = (TaskCountsBatch){.batch = counting->batch->name,
                              .entry = counting->batch->entry,
                              .definitions = task_counts_definitions(counting->batch->options, arena),
                              .n_files = instrumented->n_files,
                              .n_runs = 1,
                              .files = files,
                              .runs = run,
                              .missing = missing};
    for (size_t i = 0; i < instrumented->n_counted; i++) {
        const Counted *counted = &instrumented->counted[i];
        if (counted->why)
            missing[made->n_missing++] =
                (TaskCountsMissing){counted->parameter, place_of(&counted->place, arena), counted->why};
        else
            values[run->n_values++] = value_of(counting, counted, arena);
    }
    for (size_t i = 0; i < instrumented->n_files; i++) {
        char resolved[PATH_MAX];
        files[i].file =
            files_resolve(instrumented->files[i], resolved) ? arena_strdup(arena, resolved) : instrumented->files[i];
        if (!task_counts_hash(files[i].file, arena, &files[i].hash, err))
            return false;
    }
    return true;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

typedef struct CountDocument {
    const TaskCountsBatch *batches;
    size_t n_batches;
    const char *output;
} CountDocument;

const FieldList cost_count_fields = FIELDS(
    CountDocument,
    FIELD_LIST(CountDocument, batches, n_batches, "batches", "with this run alone", .of = &task_counts_batch_fields),
    FIELD(CountDocument, output, "the file"));

static void print(const Cli *cli, const TaskCountsBatch *batches, size_t n)
{
    Table *table = table_new(cli->arena);
    table_columns(table, "batch|number|>value|of|place");
    for (size_t i = 0; i < n; i++) {
        const TaskCountsRun *run = &batches[i].runs[0];
        for (size_t k = 0; k < run->n_values; k++)
            table_cells(table, "%s|%s|%s|%.12g|%s", batches[i].batch, run->values[k].name,
                        isnan(run->values[k].value) ? "–" : arena_printf(cli->arena, "%.6g", run->values[k].value),
                        run->values[k].reached, run->values[k].place);
    }
    cli_print(cli, "%s", table_text(table, cli->color));
}

static void note_missing(const Cli *cli, const TaskCountsBatch *batch)
{
    for (size_t i = 0; i < batch->n_missing; i++)
        cli_note(cli, "batch `%s`: %s (%s) isn't counted: %s", batch->batch, batch->missing[i].name,
                 batch->missing[i].place, batch->missing[i].why);
}

/* What the file had of the batch, if it belongs to the same sources. */
static bool find_known(const TaskCounts *counts, const PaslBatch *batch, Arena *arena, const TaskCountsBatch **known,
                       Err *err)
{
    *known = task_counts_find(counts, batch->name);
    return !*known || task_counts_check(*known, cost_options.counts, batch, arena, err);
}

static bool count_all(const CostRunning *running, unsigned tasks, const char *directory, Err *err)
{
    const Cli *cli = running->cli;
    const PaslApplication *application = running->application;
    TaskCountsBatch *made = arena_new_array(cli->arena, TaskCountsBatch, application->n_batches);
    size_t n = 0;
    TaskCounts counts;
    if (!counts_option_load(cli->arena, &counts, err))
        return false;
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        Counting counting = {.running = running, .batch = batch, .directory = directory};
        const TaskCountsBatch *known;
        if (strcmp(batch->language, "c") != 0) {
            cli_note(cli, "batch `%s`: only tasks in C are counted", batch->name);
            continue;
        }
        if (!find_known(&counts, batch, cli->arena, &known, err) || !count_batch(&counting, i, tasks, err) ||
            !describe(&counting, &made[n], err))
            return false;
        const TaskCountsBatch whole = task_counts_with_run(known, &made[n], &made[n].runs[0], cli->arena);
        task_counts_put(&counts, &whole, cli->arena);
        note_missing(cli, &made[n++]);
    }
    if (!n)
        return err_set(err, ERR_INPUT, "%s: only tasks in C are counted, and it has none", application->file);
    if (!task_counts_save(&counts, running->output, err))
        return false;
    if (cli->json)
        cli_print_json(cli, fields_to_json(&cost_count_fields, &(CountDocument){made, n, running->output}, 0));
    else if (!cli->quiet)
        print(cli, made, n);
    return true;
}

bool cost_count(const CostRunning *running, unsigned tasks, Err *err)
{
    char here[PATH_MAX];
    /* Other hosts share the working directory. */
    const char *folder = running->launcher ? getcwd(here, sizeof here) : NULL;
    const char *directory = owner_make_temporary(folder, "firma-count", NULL, running->cli->arena);
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a temporary directory: %s", strerror(errno));
    bool ok = count_all(running, tasks, directory, err);
    files_remove_tree(directory);
    return ok;
}
