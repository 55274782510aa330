/* SPDX-License-Identifier: BSD-3-Clause */
/* firma phases: reads a trace, finds the phases that repeat, shows them, and writes the signature. */
#include "base/json.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "verbs/phases/comparing.h"
#include "verbs/phases/text.h"

#include <stdio.h>

static struct {
    char *output, *against;
    int all, compare;
} options;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the signature; without it nothing is written",
     "FILE"},
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(analysis_option_table),
    {"compare", '\0', POPT_ARG_NONE, &options.compare, 0, "analyse with every order and similarity, and compare them",
     NULL},
    {"against", '\0', POPT_ARG_STRING, &options.against, 0,
     "with --compare: predict this run of the same program, from one occurrence of each relevant phase in it", "TRACE"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every phase, not only the relevant ones", NULL},
    POPT_TABLEEND};

static void show(const Cli *cli, const Signature *signature, const OrderReport *report)
{
    if (cli->json) {
        json_t *document = phases_json(signature, report, cli->arena);
        if (options.output)
            json_object_set_new(document, "signature", json_from_text(options.output));
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        const PhasesView view = {options.all, cli->color, cli_columns()};
        fputs(phases_text(signature, report, &view, cli->arena), stdout);
        if (options.output)
            printf("%-13s %s\n", "signature", options.output);
    }
}

static bool check_comparison(Err *err)
{
    if (options.against && !options.compare)
        return err_set(err, ERR_USAGE, "--against goes with --compare");
    if (options.compare && (options.output || analysis_options_name_method()))
        return err_set(err, ERR_USAGE, "--compare takes every order and similarity, and writes no signature") ||
               err_hint(err, "leave out -o, --order and --similarity");
    return true;
}

static bool compare(Cli *cli, const char *trace, const PhaseParameters *parameters, const OrderOptions *order, Err *err)
{
    Comparison comparison;
    if (!comparing_run(cli, trace, options.against, parameters, order, &comparison, err))
        return false;
    if (cli->json)
        cli_print_json(cli, comparison_json(&comparison, cli->arena));
    else if (!cli->quiet)
        fputs(comparison_text(&comparison, cli->color, cli->arena), stdout);
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    PhaseParameters parameters;
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "%d traces are named, and it takes one" : "no trace is named", n);
    Signature *signature;
    OrderOptions order = {0};
    OrderReport report = {0};
    if (!analysis_options_read(&parameters, &order, err) || !check_comparison(err) ||
        !outputs_check_one(&(Output){.path = options.output}, words, 1, cli->arena, err))
        return false;
    if (options.compare)
        return compare(cli, words[0], &parameters, &order, err);
    if (!analysis_run(cli, words[0], &parameters, &order, &signature, &report, err) ||
        (options.output && !signature_save(signature, options.output, err)))
        return false;
    show(cli, signature, &report);
    return true;
}

const Verb verb_phases = {
    .name = "phases",
    .question = QUESTION_TIME,
    .summary = "find what repeats in a trace: its phases and their weights",
    .synopsis = "TRACE [-o FILE] [--order NAME] [--similarity NAME]",
    .description =
        "Reads an OTF2 archive that `firma trace` or another tool such as Score-P wrote, puts its events into "
        "PAS2P's logical order, which is the same on every machine, and finds the phases: stretches of "
        "communication and computation that repeat. How often a phase occurs is its weight. Phases that hold at "
        "least 1 % of the time are relevant; with their weights they are the program's signature, the file that "
        "`firma measure` and `firma predict` work with.\n\n"
        "The sequence that is printed reads like a program: 1 + 25×(2 3) is phase 1, then 25 times phases 2 and "
        "3. Mean durations are means over occurrences and processes; coverage is the share of the application's "
        "time in relevant phases.\n\n"
        "Occurrences of one phase that take clearly longer or shorter than the others, at places that the program "
        "determines, are told apart: of phase 3 190 × 1.20 ms; 10 × 14.1 ms: every 20th from the 20th. The period is "
        "what the sequence repeats in the middle of the run.\n\n"
        "With --similarity block, phases are repeated sequences of parallel basic blocks: of what lies between two "
        "ticks of the logical trace, receives included. Blocks are similar when types are equal, and volumes and "
        "computation times nearly so, in every process. Where computation times vary, blocks hardly repeat; "
        "--compute-tolerance 100 leaves them out.\n\n"
        "--memory is for what ordering holds of the trace: events read ahead, messages under way, ticks being put "
        "together. Reading takes up to a quarter of it besides, and the phases that were found what they need. Ticks that "
        "don't fit wait in a temporary file in TMPDIR, or in /tmp; if the rest doesn't fit, it is an error.\n\n"
        "Under mpirun of Open MPI or MPICH all processes read the trace together, and the first does the rest: what it "
        "prints and writes is the same, byte for byte.",
    .examples =
        "firma phases app.trace -o app.firma                  # table on stdout, signature in app.firma\n"
        "firma phases app.trace --all                         # also the phases that don't matter\n"
        "firma phases app.trace --similarity block            # phases of similar blocks, as PAS2P had them at first\n"
        "firma phases app.trace --compare --against other.trace   # which method would have predicted that run?\n"
        "firma phases scorep-run/traces.otf2 --least-match 90 # another tool's trace, compared more strictly\n"
        "mpirun -n 4 firma phases big.trace                   # the same in less time: three more read with it\n"
        "firma phases big.trace --memory 2G                   # orders it in 2 GiB",
    .files = "otf2",
    .options = option_table,
    .uses_team = true,
    .run = run,
};
