/* SPDX-License-Identifier: BSD-3-Clause */
/* See states.h. */
#include "verbs/measure/states.h"

#include "base/files.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/analysis.h"
#include "cli/measuring.h"
#include "cli/outputs.h"
#include "cli/values.h"
#include "model/times.h"
#include "report/format.h"
#include "signature/states/states.h"
#include "verbs/measure/target_noise.h"
#include "verbs/measure/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSORS_LIMIT = 1 << 20 };

static bool refuse_bind(const char *text, Err *err)
{
    return err_set(err, ERR_USAGE, "--bind: `%s` isn't a list of processors", text) ||
           err_hint(err, "a processor or a range for each rank, for example 0,1 or 0:3 for four ranks, or 0-3,4-7");
}

static bool is_processor(const char *text)
{
    Err problem = {0};
    uint64_t number;
    return number_option_parse("", text, &number, &problem) && number < PROCESSORS_LIMIT;
}

typedef VEC(const char *) Words;

/* "0-3": one rank runs on these processors. */
static bool read_rank_range(const char *word, Arena *arena, Words *words)
{
    size_t dash = strcspn(word, "-");
    const char *first = arena_strndup(arena, word, dash), *last = word + dash + 1;
    if (!is_processor(first) || !is_processor(last) || atol(first) > atol(last))
        return false;
    *vec_push(words) = word;
    return true;
}

/* "3", "0:3", "0:8x2": a processor for each of several ranks. */
static bool read_processors(const char *word, Arena *arena, Words *words, Err *err)
{
    const NumberList list = {.option = "--bind", .by_default = word, .keeps_order = true, .most = PROCESSORS_LIMIT - 1};
    const uint64_t *numbers;
    uint32_t n;
    if (!numbers_option_parse(&list, arena, &n, &numbers, err))
        return false;
    for (uint32_t i = 0; i < n; i++)
        *vec_push(words) = arena_printf(arena, "%" PRIu64, numbers[i]);
    return true;
}

/* Reads the processors of each rank. */
static bool read_bind(const char *text, Arena *arena, Words *words, Err *err)
{
    const char *const *parts;
    if (!list_option_parse("--bind", text, arena, &parts, err))
        return refuse_bind(text, err);
    for (; *parts; parts++) {
        bool is_range = strchr(*parts, '-') != NULL;
        if (is_range && !read_rank_range(*parts, arena, words))
            return refuse_bind(text, err);
        if (!is_range && !read_processors(*parts, arena, words, err))
            return false;
    }
    return true;
}

bool measure_check_bind(const char *text, Arena *arena, Err *err)
{
    Words words = {0};
    bool fine = read_bind(text, arena, &words, err);
    vec_free(&words);
    return fine;
}

/* A single word is for all ranks. */
static bool parse_bind(const char *text, uint32_t n_ranks, Arena *arena, const char *const **cpus, Err *err)
{
    Words words = {0};
    *cpus = NULL;
    if (!text)
        return true;
    bool fine = read_bind(text, arena, &words, err);
    const char *for_all = fine && words.count == 1 ? words.items[0] : NULL;
    while (for_all && words.count < n_ranks)
        *vec_push(&words) = for_all;
    if (fine && words.count != n_ranks)
        fine =
            err_set(err, ERR_USAGE, "--bind: names processors for %zu ranks, and there are %u", words.count, n_ranks);
    if (fine)
        *cpus = vec_copy(&words, arena);
    vec_free(&words);
    return fine;
}

static const char *times_text(const Cli *cli, const Signature *signature, uint32_t n_states,
                              const StatesExecuted *executed)
{
    Arena *arena = cli->arena;
    const PhaseTimes *times = executed->times;
    double set_s = times->costs.warmup_s + times->costs.window_s;
    return arena_printf(
        arena,
        "%s\n"
        "  executed             %u restarts of %u states%s%s\n"
        "  signature's cost     restart %s, warm-up %s, windows %s (both: %s of the traced run)\n"
        "  agreement            %s of the occurrences are as in the trace\n",
        times_table(signature, times, cli->color, arena), executed->n_executed, n_states,
        executed->n_failed ? arena_printf(arena, "; %u restarts failed", executed->n_failed) : "",
        times_are_incomplete(times) ? arena_printf(arena, "; incomplete: %u of %u planned states were measured",
                                                   times->measured_states, times->planned_states)
                                    : "",
        format_seconds(arena, times->costs.restart_s), format_seconds(arena, times->costs.warmup_s),
        format_seconds(arena, times->costs.window_s), format_percent(arena, set_s / signature->application_s),
        format_percent(arena, times->agreement));
}

static json_t *times_json(const StatesExecuted *executed, bool is_complete, const char *output)
{
    const MeasuredStates measured = {.times = executed->times,
                                     .output = output,
                                     .problem = executed->problem,
                                     .is_complete = is_complete,
                                     .n_executed = executed->n_executed,
                                     .n_failed = executed->n_failed};
    return fields_to_json(&measured_states_fields, &measured, 0);
}

bool measure_states(Cli *cli, const MeasureStatesOptions *options, Err *err)
{
    States *states;
    Signature *signature;
    MachineModel *machine;
    StatesExecuted executed;
    const char *name = files_is_device(options->output) ? "times.json" : options->output;
    ExecuteOptions execute = {.recording = arena_printf(cli->arena, "%s.recording", name),
                              .repeats = (uint32_t)options->repeats};
    if (!outputs_check_one(&(Output){.path = options->output}, &options->directory, 1, cli->arena, err) ||
        !states_load(options->directory, cli->arena, &states, &signature, err) ||
        !parse_bind(options->bind, signature->application.n_processes, cli->arena, &execute.cpus_of_rank, err) ||
        !target_noise_load(cli, options->machine, &machine, err))
        return false;
    measuring_begin(cli, NULL);
    if (!states_execute(states, signature, &execute, &cli->progress, cli->arena, &executed, err))
        return false;
    target_noise_add(cli, options->machine, machine, executed.times);
    if (!times_save(executed.times, options->output, err))
        return false;
    cli_progress_end(cli);
    analysis_note_load(cli, executed.times);
    analysis_note_signature(cli, options->directory, signature);
    if (!states->is_complete)
        cli_note(cli, "%s is incomplete: %u of %u planned states are there; firma measures these", options->directory,
                 states->n_states, states->n_planned);
    if (executed.n_failed)
        cli_note(cli, "%u of %u restarts failed: %s", executed.n_failed, executed.n_failed + executed.n_executed,
                 executed.problem);
    if (cli->json)
        cli_print_json(cli, times_json(&executed, states->is_complete, options->output));
    else if (!cli->quiet)
        cli_print(cli, "%s  phase times          %s\n", times_text(cli, signature, states->n_states, &executed),
                  text_as_line(options->output, cli->arena));
    return !executed.interrupted || err_set(err, ERR_NEGATIVE, "interrupted (%s): %s holds %u restarts",
                                            strsignal(executed.interrupted), options->output, executed.n_executed);
}
