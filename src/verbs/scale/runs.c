/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale runs: speedup, laws and isoefficiency, from run times. */
#include "base/json.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "scaling/scaling.h"
#include "verbs/report/answer.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"
#include "verbs/scale/runs_views.h"
#include "verbs/scale/scale.h"

static struct {
    double sequential_s; /* 0: not given */
    char *output;
} given;

static Choice law = {.name_at = law_kind_name};
static NumberList sizes = {.option = "--sizes", .has_units = true, .least = 1, .most = RUNS_PROCESSES_LIMIT};
static NumberList predict = {.option = "--predict", .least = 1, .most = RUNS_PROCESSES_LIMIT};

const struct poptOption scale_runs_option_table[] = {
    SHARED_OPTIONS(scale_efficiency_option_table),
    {"sequential", '\0', OPTION_SECONDS, &given.sequential_s, 0,
     "time of the best sequential program, for real speedups; for all sizes without a column "
     "`sequential`",
     "SECONDS"},
    {"predict", '\0', OPTION_NUMBERS, &predict, 0,
     "predict the time on these numbers of processes, such as 64,128 or 8:16", "LIST"},
    {"law", '\0', OPTION_CHOICE, &law, 0, "fit this law alone, instead of choosing one", "NAME"},
    POPT_TABLEEND};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(scale_runs_option_table),
    {"sizes", '\0', OPTION_NUMBERS, &sizes, 0,
     "sizes of the problem to predict, by a model of both n and p; by default those that were run", "LIST"},
    {"output", 'o', POPT_ARG_STRING, &given.output, 0, "where to write scaling.json and pictures", "DIR"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(force_option_table),
    POPT_TABLEEND};

static bool read_options(Cli *cli, ScalingOptions *options, Err *err)
{
    const uint64_t *numbers, *chosen_sizes = NULL;
    uint32_t n = 0, n_sizes = 0;
    if ((predict.given && !numbers_option_parse(&predict, cli->arena, &n, &numbers, err)) ||
        (sizes.given && !numbers_option_parse(&sizes, cli->arena, &n_sizes, &chosen_sizes, err)))
        return false;
    if (sizes.given && !predict.given)
        return err_set(err, ERR_USAGE, "--sizes without --predict: numbers of processes are missing") ||
               err_hint(err, "for example --sizes 4000 --predict 64");
    uint32_t *processes = arena_new_array(cli->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        processes[i] = (uint32_t)numbers[i];
    *options = (ScalingOptions){.law = law.given,
                                .sequential_s = given.sequential_s,
                                .efficiency_limit = scale_efficiency(),
                                .extrapolate = processes,
                                .n_extrapolate = n,
                                .sizes = chosen_sizes,
                                .n_sizes = n_sizes};
    return true;
}

bool scale_runs_check(Cli *cli, Err *err)
{
    ScalingOptions options;
    return read_options(cli, &options, err);
}

static bool save(Cli *cli, const json_t *document, const char *directory, Err *err)
{
    const char *pictures[SCALE_PICTURES];
    for (int i = 0; i < SCALE_PICTURES; i++)
        pictures[i] = scaling_file(document, (ScalingPicture)i, cli->arena);
    return scale_save(cli, document, pictures, directory, err);
}

static void print_json(const Cli *cli, json_t *document, const ScaleWritten *written)
{
    if (written->directory)
        scale_add_directory(document, written->directory);
    if (written->runs)
        json_object_set_new(document, "runs_file", json_from_text(written->runs));
    if (written->log)
        json_object_set_new(document, "log", json_from_text(written->log));
    report_option_add(document);
    cli_print_json(cli, json_incref(document));
}

static void print_text(const Cli *cli, const Scaling *scaling, json_t *document, const char *directory)
{
    answer_print(cli, "scaling", json_incref(document));
    cli_print(cli, "%s", scaling_text(scaling, cli->color, cli->arena));
    if (directory)
        cli_print(cli, "\n%s: scaling.json and pictures\n", text_as_line(directory, cli->arena));
}

bool scale_runs_show(Cli *cli, const Runs *runs, const ScaleWritten *written, Err *err)
{
    ScalingOptions options;
    const char *directory = written->directory;
    if (!read_options(cli, &options, err))
        return false;
    options.wants_curves = cli->json || directory || report_option();
    const Scaling *scaling = scaling_make(runs, &options, cli->arena);
    json_t *document = scaling_json(scaling);
    bool ok = (!directory || save(cli, document, directory, err)) &&
              report_option_write(cli, NULL, "scaling", json_incref(document), err);
    if (ok && cli->json)
        print_json(cli, document, written);
    else if (ok && !cli->quiet)
        print_text(cli, scaling, document, directory);
    json_decref(document);
    return ok;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    Runs *runs;
    if (n > 1)
        return err_set(err, ERR_USAGE, "expected one file of run times, found %d", n);
    if (n == 0)
        return err_set(err, ERR_USAGE, "expected a file of run times");
    const ScaleWritten written = {.directory = given.output};
    return scale_check_output(given.output, words[0], cli->arena, err) &&
           outputs_check_one(&(const Output){.path = report_option()}, words, 1, cli->arena, err) &&
           runs_load(words[0], cli->arena, &runs, err) && scale_runs_show(cli, runs, &written, err);
}

const Verb scale_runs = {
    .name = "scale runs",
    .summary = "analyse run times: speedup, efficiency, laws, predictions",
    .synopsis =
        "RUNS.csv [--sequential SECONDS] [--efficiency 0.5] [--predict LIST] [--sizes LIST] [--law NAME] [-o DIR]",
    .description =
        "Reads run times: a CSV file whose first line names the columns p (processes), time (seconds) "
        "and, with several problem sizes, n. Each repeat is a line of its own. JSON is read, too "
        "(docs/FORMATS.md), and so is what `firma cost run -o` writes: workers count as processes. `firma scale RUNS.csv` is the same.\n\n"
        "For each size, firma prints the speedup over the fewest processes, the efficiency, and the "
        "serial share of Karp and Flatt. With --sequential, or a column `sequential`, firma also prints "
        "the real speedup, over the best sequential program.\n\n"
        "firma fits Amdahl's law, the universal scalability law (USL), power laws with logarithms, and a "
        "law for data that fit the cache from some p on (cache), with 95 % intervals of the parameters. "
        "The law with the least squares comes first, with a charge for each term. From the laws follow the "
        "bound of the speedup, the largest p that keeps the efficiency, and times on other numbers of "
        "processes, with the interval of all laws that the runs allow. --law fits one law alone: the "
        "interval is then that of this law.\n\n"
        "If the size grows with p (n, n² or n³ over p is constant), firma prints the efficiency of scaled "
        "runs, and laws of their time: a constant, or powers. --predict takes the size that belongs to p. "
        "If the time of each size on one process is known, firma also prints the scaled speedup, with "
        "Gustafson's law. With several sizes on several p, firma prints the isoefficiency: the size that keeps "
        "the efficiency at each p. With three sizes on one p, and three p with one size, it also fits a model of "
        "both, T(n, p), which predicts sizes that were never run (--sizes), and gives the isoefficiency with its "
        "interval. Warnings name what the runs don't suffice for.",
    .examples = "firma scale runs.csv                             # analyse these times\n"
                "firma scale runs.csv --predict 64,128            # predict times on more processes\n"
                "firma scale runs.csv --predict 64 --law Amdahl   # the same by a law that you know\n"
                "firma scale runs.csv --predict 64 --sizes 8000   # predict another size on more processes\n"
                "firma scale runs.csv --efficiency 0.8 -o scaling # another efficiency, and pictures\n"
                "firma scale runs.csv --sequential 12.5           # real speedups",
    .files = "csv json",
    .options = option_table,
    .run = run,
};
