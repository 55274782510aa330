/* SPDX-License-Identifier: BSD-3-Clause */
/* firma report: one page of all that firma's files tell about a program and its machines. */
#include "base/json.h"
#include "cli/cli.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "verbs/report/making.h"

static char *output;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &output, 0, "where to write the page; by default report.html", "FILE"},
    SHARED_OPTIONS(analysis_option_table),
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    const char *path = output ? output : "report.html";
    (void)command;
    if (!n)
        return err_set(err, ERR_USAGE, "no file is named");
    if (!outputs_check(&(const Output){.path = path}, 1, words, (size_t)n, cli->arena, err) ||
        !report_write(cli, words, (size_t)n, NULL, path, err))
        return false;
    if (cli->json)
        cli_print_json(cli, json_pack("{s:o}", "report", json_from_text(path)));
    else if (!cli->quiet)
        cli_print(cli, "%s\n", path);
    return true;
}

const Verb verb_report = {
    .name = "report",
    .question = QUESTION_TIME,
    .summary = "make one page of a study: the answer, pictures, tables",
    .synopsis = "FILE|FOLDER… [-o FILE]",
    .description =
        "Writes one page in HTML of all that the named files tell: the prediction with its interval, what would help, "
        "what each process does when, phases, efficiencies, who waits for whom, messages, scaling, mappings, costs. It "
        "needs no network and no other file, and can be printed.\n\n"
        "Files are recognised by what they hold: folders that `firma study`, `firma comm` or `firma scale` wrote; "
        "traces; app.firma, times.json, comm.json, machine.json, scaling.json, what `firma cost run` wrote; and what "
        "`firma predict`, `simulate`, `map`, `cost predict` and `scale` print with --json. The page has a "
        "section for each, and names the commands that give the others.\n\n"
        "Of two studies, the first one is the earlier: the page is of the second, and shows what changed.\n\n"
        "The page holds the program's arguments, and its numbers as JSON. So only its owner may read it.",
    .examples = "firma report app.study                          # writes report.html\n"
                "firma report app.study here -o app.html         # with the folder of `firma comm -o here`\n"
                "firma report old.study new.study               # what changed?\n"
                "firma report app.study scaling.json simulation.json   # with further results",
    .files = "json firma otf2",
    .options = option_table,
    .run = run,
};
