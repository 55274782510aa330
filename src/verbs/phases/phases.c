/* SPDX-License-Identifier: BSD-3-Clause */
/* firma phases: reads a trace, finds the phases that repeat, shows them, and writes the signature. */
#include "base/json.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "signature/execute/repeats.h"
#include "verbs/phases/comparing.h"
#include "verbs/phases/like.h"
#include "verbs/phases/text.h"

#include <stdio.h>

static struct {
    char *output, *against, *like;
    int all, compare, accept_incomplete, samples;
} options;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the signature; by default nowhere", "FILE"},
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(analysis_option_table),
    {"accept-incomplete", '\0', POPT_ARG_NONE, &options.accept_incomplete, 0,
     "make a signature even if the trace is only a part of the run; it then says so", NULL},
    {"compare", '\0', POPT_ARG_NONE, &options.compare, 0, "compare the results of each order and each similarity",
     NULL},
    {"against", '\0', POPT_ARG_STRING, &options.against, 0,
     "with --compare: predict this traced run of the same program from the occurrences of each relevant phase in it",
     "TRACE"},
    {"like", '\0', POPT_ARG_STRING, &options.like, 0,
     "show the phases beside those of this signature of another problem size, whatever their volumes", "FILE"},
    {"samples", '\0', OPTION_COUNT, &options.samples, 0,
     "the most occurrences of a phase that are timed, with --against, at least 2; by default all, as far as their "
     "numbers fit 1 GiB",
     "N"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every phase, not only the relevant ones", NULL},
    POPT_TABLEEND};

static bool show_like(Cli *cli, const Signature *signature, Err *err)
{
    Signature *other;
    PhasesLike like;
    if (!analysis_load_signature(cli, options.like, &other, err) ||
        !like_find(signature, other, options.like, cli->arena, &like, err))
        return false;
    if (cli->json) {
        json_t *document = like_json(&like);
        if (options.output)
            json_object_set_new(document, "signature", json_from_text(options.output));
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        cli_print(cli, "%s", like_text(&like, options.all, cli->color, cli->arena));
    }
    return true;
}

static void show(const Cli *cli, const Signature *signature, const OrderReport *report)
{
    if (cli->json) {
        json_t *document = phases_json(signature, report, cli->arena);
        if (options.output)
            json_object_set_new(document, "signature", json_from_text(options.output));
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        const PhasesView view = {options.all, cli->color, cli_columns()};
        cli_print(cli, "%s", phases_text(signature, report, &view, cli->arena));
        if (options.output)
            cli_print(cli, "%-13s %s\n", "signature", text_as_line(options.output, cli->arena));
    }
}

static bool check_comparison(int n, Err *err)
{
    if (options.against && !options.compare)
        return err_set(err, ERR_USAGE, "--against goes with --compare");
    if (options.samples && !options.against)
        return err_set(err, ERR_USAGE, "--samples goes with --against");
    if (options.samples == 1)
        return err_set(err, ERR_USAGE, "--samples: 1 is less than 2");
    if (options.compare && options.like)
        return err_set(err, ERR_USAGE, "--like doesn't go with --compare");
    if (options.compare && n > 1)
        return err_set(err, ERR_USAGE, "--compare takes one trace") ||
               err_hint(err, "--against takes another run of the same program");
    if (options.compare && (options.output || analysis_options_name_method()))
        return err_set(err, ERR_USAGE, "--compare takes every order and similarity, and writes no signature") ||
               err_hint(err, "leave out -o, --order and --similarity");
    return true;
}

/* Weights of a part of the run would pass for those of the whole run. */
static bool save(const Signature *signature, const char *trace, Err *err)
{
    if (!signature->complete && !options.accept_incomplete)
        return err_set(err, ERR_INPUT, "%s is a part of a run, so it makes no signature", trace) ||
               err_hint(err, "trace a whole run; or add --accept-incomplete, for phases and weights of what ran");
    return signature_save(signature, options.output, err);
}

static bool compare(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *order, Err *err)
{
    Comparison comparison;
    if (!comparing_run(cli, trace, options.against, parameters, order, &comparison, err))
        return false;
    if (cli->json)
        cli_print_json(cli, comparison_json(&comparison, cli->arena));
    else if (!cli->quiet)
        cli_print(cli, "%s", comparison_text(&comparison, cli->color, cli->arena));
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PhaseParameters parameters;
    if (n < 1)
        return err_set(err, ERR_USAGE, "no trace is named");
    Signature *signature;
    OrderOptions order = {0};
    OrderReport report = {0};
    if (!analysis_options_read(&parameters, &order, cli->arena, err) || !check_comparison(n, err) ||
        !outputs_check_one(&(Output){.path = options.output}, words, (size_t)n, cli->arena, err))
        return false;
    if (options.against)
        parameters.samples = options.samples ? (uint64_t)options.samples : UINT64_MAX;
    if (options.compare)
        return compare(cli, words[0], &parameters, &order, err);
    if (!analysis_run(cli, words[0], &parameters, &order, &signature, &report, err) ||
        !repeats_read(signature, words + 1, (uint32_t)n - 1, &cli->progress, cli->arena, err) ||
        (options.output && !save(signature, words[0], err)))
        return false;
    if (options.like)
        return show_like(cli, signature, err);
    show(cli, signature, &report);
    return true;
}

const Verb verb_phases = {
    .name = "phases",
    .question = QUESTION_TIME,
    .summary = "find what repeats in a trace: its phases and their weights",
    .synopsis = "TRACE [TRACE…] [-o FILE] [--order NAME] [--similarity NAME]",
    .description =
        "Reads an OTF2 archive that `firma trace` or another tool such as Score-P wrote. Puts its events into a "
        "logical order that is the same on every machine. Finds the phases: stretches of communication and "
        "computation that repeat. Each repetition is an occurrence; the number of occurrences is the phase's weight. "
        "A phase that takes at least 1 % of the time is relevant; --relevance, --least-weight and --only choose others. The "
        "phases with their weights are the program's "
        "signature. `firma measure` and `firma predict` use the signature's file.\n\n"
        "The printed sequence reads like a program: 1 + 25×(2 3) is phase 1, then 25 times phases 2 and 3. The "
        "period is what the sequence repeats in the middle of the run. Mean durations are means over occurrences and "
        "processes. Coverage is the share of the application's time in relevant phases.\n\n"
        "Some occurrences of a phase may take clearly longer or shorter than the others, at regular places. They "
        "form a stratum, which is printed, for example, as: phase 3: 190 occurrences of 1.20 ms, 10 of 14.1 ms "
        "(every 20th from the 20th).\n\n"
        "Further traces are other full runs of the same program on the same machine. The signature then also holds "
        "when they passed the same places. What recurs in all runs is the program's own, and what doesn't is the "
        "machine's noise; `firma predict` tells the two apart.\n\n"
        "--like shows the phases beside those of a signature of another problem size: phases belong together if they have "
        "the same events, whatever their volumes. Weights are those of each run, so another number of steps shows.\n\n"
        "With --similarity block, phases are repeated sequences of parallel basic blocks. A block is what happens "
        "between two ticks, the columns of the logical order; receives are included. Two blocks are similar if, in "
        "every process, types are equal, and volumes and computation times are nearly equal. Computation times may "
        "differ by the noise of the machine in any case, which firma measures in the trace; --compute-floor sets it. "
        "--compute-tolerance 100 ignores computation times.\n\n"
        "--memory limits the memory for ordering the trace: events that are read ahead, messages in flight, and "
        "ticks that are put together. Reading takes up to a quarter of this in addition, and the phases take what "
        "they need. Ticks that don't fit wait in a temporary file, in TMPDIR or /tmp. If the rest doesn't fit, firma "
        "ends with an error.\n\n"
        "firma warns if the trace is only a part of the run: the recording stopped early, or a process never reached "
        "MPI_Finalize. It then writes no signature, unless --accept-incomplete is given.\n\n"
        "Under Open MPI's or MPICH's mpirun, all processes read the trace together, and the first one does the rest. "
        "The results are identical to those of one process.",
    .examples =
        "firma phases app.trace -o app.firma                     # a table on standard output, the signature in "
        "app.firma\n"
        "firma phases run1.trace run2.trace -o app.firma         # two runs: what recurs is the program's own\n"
        "firma phases big.trace --like small.firma               # what changes with the problem size?\n"
        "firma phases app.trace --only 2,5 -o app.firma          # a signature of these two phases\n"
        "firma phases app.trace --all                            # also the phases that aren't relevant\n"
        "firma phases app.trace --similarity block               # phases of similar blocks, the older method\n"
        "firma phases app.trace --compare --against other.trace --samples 8  # timed in eight occurrences of each phase\n"
        "firma phases app.trace --compare --against other.trace  # which method would have predicted that run?\n"
        "firma phases scorep-run/traces.otf2 --least-match 90    # another tool's trace, compared more strictly\n"
        "mpirun -n 4 firma phases big.trace                      # faster: four processes read the trace\n"
        "firma phases big.trace --memory 2G                      # orders the trace in 2 GiB",
    .files = "otf2",
    .of_study = STUDY_TRACE,
    .options = option_table,
    .uses_team = true,
    .run = run,
};
