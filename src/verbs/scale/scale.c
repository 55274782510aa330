/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale: how a program's time changes with its number of processes. Finds what it's told from, and hands over to
 * that mode's file, scale_MODE.c. */
#include "verbs/scale/scale.h"
#include "cli/verbs.h"

#include <math.h>
#include <string.h>

ScaleOptions scale_options = {.efficiency = 0.5, .sequential_s = SCALE_NOT_GIVEN};

const struct poptOption scale_shared_option_table[] = {
    {"efficiency", 'e', POPT_ARG_DOUBLE, &scale_options.efficiency, 0,
     "the efficiency that is to be kept: up to which p, and by which size (0.5)", "SHARE"},
    {"sequential", '\0', POPT_ARG_DOUBLE, &scale_options.sequential_s, 0,
     "time of the best sequential program, for real speedups (of all sizes that have no column `sequential`)",
     "SECONDS"},
    {"predict", '\0', POPT_ARG_STRING, &scale_options.predict, 0,
     "predict the time on these numbers of processes: 64,128 or 8:16", "LIST"},
    {"output", 'o', POPT_ARG_STRING, &scale_options.output, 0, "put scaling.json and pictures into this directory",
     "PATH"},
    {"np", 'p', POPT_ARG_STRING, &scale_options.processes, 0, "--model, run: numbers of processes", "LIST"},
    {"size", 'n', POPT_ARG_STRING, &scale_options.sizes, 0, "--model, run: problem sizes", "LIST"},
    POPT_TABLEEND};

/* The last one is meant if no other is. */
static const ScaleMode *const modes[] = {&scale_trace, &scale_model, &scale_run, &scale_runs};
enum { N_MODES = sizeof modes / sizeof *modes };

/* The tables of all, each once. */
static const struct poptOption option_table[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)scale_shared_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)scale_trace_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)scale_model_option_table, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)scale_run_option_table, 0, NULL, NULL},
    POPT_TABLEEND};

static const ScaleMode *find(int n, const char *const *words)
{
    for (size_t i = 0; i + 1 < N_MODES; i++)
        if (modes[i]->is_meant(n, words))
            return modes[i];
    return modes[N_MODES - 1];
}

static bool takes(const ScaleMode *mode, const struct poptOption *option)
{
    for (unsigned i = 0; scale_shared_option_table[i].longName; i++)
        if (option == &scale_shared_option_table[i])
            return mode->takes & 1u << i;
    return option_stands_in(mode->options, option) || !option_stands_in(option_table, option);
}

/* All modes share one option table, so popt lets each option through in each of them. */
static bool check_options(const Cli *cli, const ScaleMode *mode, Err *err)
{
    for (int i = 1; i < cli->n_arguments; i++) {
        const char *word = cli->arguments[i];
        const struct poptOption *option = verb_find_option(&verb_scale, word);
        if (!option)
            continue;
        if (!takes(mode, option))
            return err_set(err, ERR_USAGE, "%.*s doesn't go with %s", (int)strcspn(word, "="), word, mode->name) ||
                   scale_usage(mode, err);
        i += option_takes_value(option) && !strchr(word, '=');
    }
    return true;
}

bool scale_usage(const ScaleMode *mode, Err *err)
{
    return err_hint(err, "usage: firma scale %s", mode->synopsis);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    const ScaleMode *mode = find(n, words);
    if (!check_options(cli, mode, err))
        return false;
    if (command && !mode->takes_command)
        return err_set(err, ERR_USAGE, "%s: takes no command line after `--`", mode->name) || scale_usage(mode, err);
    if (!(scale_options.efficiency > 0) || !(scale_options.efficiency < 1))
        return err_set(err, ERR_USAGE, "--efficiency: %g is not between 0 and 1", scale_options.efficiency);
    return mode->run(cli, n, words, command, err);
}

const Verb verb_scale = {
    .name = "scale",
    .summary = "tell from run times how a program scales",
    .synopsis =
        "RUNS.csv [--sequential SECONDS] [--efficiency 0.5] [--predict LIST] [-o DIR] | --trace TRACE… | --model FORMULA… -n LIST -p LIST | "
        "run --np LIST [--size LIST] [--repeats N] [-o FILE] -- LAUNCHER …",
    .description =
        "Reads run times: a CSV file whose first line names the columns p (processes), time (seconds) and, if there are "
        "several problem sizes, n; repeats are lines of their own. JSON is read, too (docs/FORMATS.md).\n\n"
        "It prints, for each size, speedup (against the fewest processes; real ones against the best sequential "
        "program with --sequential or a column `sequential`), efficiency and the serial share of Karp and Flatt; the "
        "laws of Amdahl, the universal scalability law and a power law with logarithms, fitted and ordered by how well "
        "they predict numbers of processes that are left out, with 95 % intervals of their parameters; the bound of the "
        "speedup, the largest p that keeps the efficiency, and times on other numbers of processes. Of runs whose size grows with p "
        "(n, n² or n³ over p constant) it prints Gustafson's scaled speedup; of several sizes on several p the "
        "isoefficiency: which size keeps the efficiency at each p.\n\n"
        "What the runs can't carry is said in warnings.\n\n"
        "`--trace` says where the time of traced runs goes: what each process computes, how long it waits for partners "
        "(idle), and what the rest of its communication takes (transfer); and POP's tree of efficiencies, whose "
        "branches multiply: parallel = load balance × communication, communication = serialisation × transfer. They are "
        "told apart by replaying the run on an ideal network, where messages and collectives take no time. Of several "
        "traces of a program, it shows how all that changes with the number of processes, and how much computation is "
        "redundant: there with many processes, but not with few.\n\n"
        "`--model` says what formulas of the run time say: n is the problem size, p the number of processes; other names "
        "are parameters, given with --set, or ts and tw of a --machine (a message of b bytes takes ts + tw*b). It prints "
        "times, speedups and efficiencies; the size that keeps the efficiency on each p; what becomes of more "
        "processes; and of several formulas, from where on which is faster. Speedups are T(n,1)/T(n,p), or over "
        "--sequential-model.\n\n"
        "`run` measures: the command behind -- runs with each number of processes in place of {np}, and each size in "
        "place of {n}, in turn and again and again, so that a drift of the machine favours none. Each time is a line of "
        "the file (runs.csv) at once; the same command goes on where it was interrupted. Times are of the launcher, "
        "start and end included, on the wall clock; with --traced, from MPI_Init to MPI_Finalize, by the recorder. Runs "
        "that fail are named, and don't count. Then it prints what the times say, as above.",
    .examples =
        "firma scale runs.csv                        # what these times say\n"
        "firma scale runs.csv --predict 64,128       # and times on more processes\n"
        "firma scale runs.csv -e 0.8 -o scaling      # pictures, too, and another efficiency\n"
        "firma scale runs.csv --sequential 12.5      # real speedups\n"
        "firma scale --trace app.trace               # where its time goes\n"
        "firma scale --trace p2.trace p4.trace       # how that changes with processes\n"
        "firma scale --model \"n/p + 2*log2(p)\" -n 64:512 -p 1:32   # what a formula says\n"
        "firma scale --model \"tc*n^2/p + 4*(ts + tw*8*n)\" --set tc=1e-9 --machine machine.json -n 1000 -p 1:64\n"
        "firma scale run --np 1,2,4 --size 100,200 -- mpirun -n {np} ./app {n}   # measure, then say",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
