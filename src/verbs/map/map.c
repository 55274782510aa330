/* SPDX-License-Identifier: BSD-3-Clause */
/* firma map: tasks onto processors. */
#include "base/files.h"
#include "base/words.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "placement/launching/files.h"
#include "placement/mapping/mapping.h"
#include "verbs/graph/input.h"
#include "verbs/map/foreign.h"
#include "verbs/map/placement.h"
#include "verbs/map/platform_options.h"
#include "verbs/map/runs.h"
#include "verbs/map/views.h"
#include "verbs/report/answer.h"
#include "verbs/report/making.h"
#include "verbs/report/pictures.h"
#include "verbs/simulate/simulating.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char *output, *svg;
    int slots, seed, run, repeat;
} options = {.seed = 1};

enum { REPEATS = 7 }; /* of --run */

static CheckedText given = {.check = given_check};

static Choice mapper = {.name_at = mapping_mapper_name};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(platform_option_table),
    {"slots", 0, OPTION_COUNT, &options.slots, 0,
     "largest number of tasks on a processor; by default as many as are needed to place all", "N"},
    {"mapper", 0, OPTION_CHOICE, &mapper, 0, "only this mapper, besides the default", "NAME"},
    {"seed", 0, OPTION_NATURAL, &options.seed, 0, "seed of the local search; by default 1", "N"},
    {"given", '\0', OPTION_CHECKED, &given, 0,
     "rate this mapping, besides the default: each task's processor, counted from 0 over all nodes, such as "
     "0,0,1,1 or 0:7; or a file *.map of Scotch",
     "LIST"},
    SHARED_OPTIONS(graph_collectives_option_table),
    {"output", 'o', POPT_ARG_STRING, &options.output, 0,
     "where to write the best mapping for launchers: PREFIX.rankfile (Open MPI), PREFIX.hosts "
     "(MPICH), PREFIX.slurm-hosts; for programs and Cray: PREFIX.ranks, PREFIX.rank-order; for Scotch: PREFIX.map, "
     "PREFIX.tgt; with --run, by default PROGRAM.map",
     "PREFIX"},
    {"svg", 0, OPTION_SVG, &options.svg, 0, "draw what each task does when, in the default mapping and in the best one",
     "FILE"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(force_option_table),
    {"run", '\0', POPT_ARG_NONE, &options.run, 0,
     "run the command behind -- unchanged and with the best mapping, in turn, and compare with the "
     "prediction",
     NULL},
    {"repeat", 'r', OPTION_COUNT, &options.repeat, 0, "how many times to run each, with --run; by default 7", "N"},
    POPT_TABLEEND};

static bool check_options(int n, Err *err)
{
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected a task graph") ||
               err_hint(err, "firma map app.ttig --machine machine.json");
    if (!platform_options_check(err))
        return false;
    if (mapper.given && given.given)
        return err_set(err, ERR_USAGE, "expected either --mapper or --given");
    return options.slots <= TASKS_LIMIT ||
           err_set(err, ERR_USAGE, "--slots: %d is more than %d", options.slots, TASKS_LIMIT);
}

static bool check_run(Cli *cli, char *const *words, MapCommand *command, Err *err)
{
    if (!options.run != !words)
        return err_set(err, ERR_USAGE, words ? "a command behind -- needs --run" : "--run needs a command behind --") ||
               err_hint(err, "firma map app.ttig --run -- mpirun -n 4 ./app");
    if (options.repeat && !options.run)
        return err_set(err, ERR_USAGE, "--repeat goes with --run");
    if (options.repeat > MAP_RUNS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", options.repeat, MAP_RUNS_LIMIT);
    if (options.run && platform_options_make_up())
        return err_set(err, ERR_USAGE, "--run: nothing can run on a made-up --platform") ||
               err_hint(err, "measure the machine with firma comm, or leave --platform out to map onto this machine");
    if (!options.run)
        return true;
    if (!map_command_read(words, true, cli->arena, command, err))
        return false;
    const char *variable = map_command_placing_variable(command->kind);
    if (variable)
        cli_note(cli, "%s is set: it may place the ranks of the unchanged command otherwise than the default mapping",
                 variable);
    return true;
}

static const char *files_prefix(const MapCommand *command, Arena *arena)
{
    return options.output ? options.output
                          : arena_printf(arena, "%s.map", files_base_name(command->words[command->program]));
}

static const char *log_path(const MapCommand *command, Arena *arena)
{
    return arena_printf(arena, "%s.log", files_prefix(command, arena));
}

/* All files that a mapping is written to, NULL-terminated. */
static const char *const *mapping_paths(const MapCommand *command, Arena *arena)
{
    const char *const *launchers = launch_files_paths(files_prefix(command, arena), arena);
    const char *const *scotch = scotch_paths(files_prefix(command, arena), arena);
    return words_join((const char *const *const[]){launchers, scotch, NULL}, arena);
}

static bool check_outputs(Cli *cli, const char *graph, const MapCommand *command, Err *err)
{
    Output outputs[N_LAUNCHERS + 9] = {{.path = options.svg}, {.path = report_option()}};
    size_t n = 2;
    const char *const *paths =
        options.output || options.run ? mapping_paths(command, cli->arena) : (const char *const[]){NULL};
    for (; *paths; paths++)
        outputs[n++] = (Output){.path = *paths};
    if (options.run)
        outputs[n++] = (Output){.path = log_path(command, cli->arena)};
    const char *const inputs[] = {graph, platform_options_file(), given_file(given.given)};
    return outputs_check(outputs, n, inputs, 3, cli->arena, err);
}

/* Without --slots, a given mapping may put any number of tasks on a processor. */
static bool check_slots(const MappingProblem *problem, const uint32_t *processors, Err *err)
{
    Arena *arena = arena_new();
    uint32_t *held = arena_new_array(arena, uint32_t, problem->platform->n_processors), full = UINT32_MAX;
    for (uint32_t i = 0; options.slots && i < problem->ttig->n_nodes; i++)
        if (++held[processors[i]] > (uint32_t)options.slots)
            full = processors[i];
    arena_free(arena);
    return full == UINT32_MAX ||
           err_set(err, ERR_USAGE, "--given: processor %u has more tasks than --slots %d", full, options.slots);
}

static bool judge_given(Cli *cli, const MappingProblem *problem, Mapping *mapping, Err *err)
{
    uint32_t *processors = arena_new_array(cli->arena, uint32_t, problem->ttig->n_nodes);
    if (!given_parse(given.given, problem, processors, err) || !check_slots(problem, processors, err))
        return false;
    *mapping =
        (Mapping){.mapper = "given", .processors = processors, .outcome = simulate(problem->simulation, processors)};
    mapping->completion_s = mapping->outcome.completion_s;
    return true;
}

/* The default mapping and the wanted one, the better one first. */
static bool map_one(Cli *cli, const MappingProblem *problem, const Mapping **mappings, uint32_t *n, Err *err)
{
    Mapping *list = arena_new_array(cli->arena, Mapping, 2), usual;
    if (!(given.given ? judge_given(cli, problem, &list[0], err)
                      : mapping_by_name(problem, mapper.given, &cli->progress, cli->arena, &list[0], err)) ||
        !mapping_by_name(problem, MAPPING_DEFAULT, NULL, cli->arena, &list[1], err))
        return false;
    if (list[1].completion_s < list[0].completion_s) {
        usual = list[1];
        list[1] = list[0];
        list[0] = usual;
    }
    *mappings = list;
    *n = mapper.given && strcmp(mapper.given, MAPPING_DEFAULT) == 0 ? 1 : 2;
    mapping_find_gains(problem, list, *n);
    return true;
}

/* The mapping for launchers: the wanted one, else the best, if it is better. Runs compare the best in any case. */
static const Mapping *choose_mapping(const Mapping *mappings, uint32_t n)
{
    const char *wanted = given.given ? "given" : mapper.given;
    bool is_best = options.run || mapping_sign(&mappings[0]) > 0;
    return wanted    ? mapping_find(mappings, n, wanted)
           : is_best ? &mappings[0]
                     : mapping_find(mappings, n, MAPPING_DEFAULT);
}

static bool write_files(Cli *cli, const MappingProblem *problem, const Mapping *mapping, const MapCommand *command,
                        LaunchFiles *files, Err *err)
{
    return launch_files_make(mapping->processors, problem->ttig->n_nodes, problem->platform,
                             files_prefix(command, cli->arena), cli->arena, files, err) &&
           launch_files_write(files, err) &&
           scotch_write(problem, mapping->processors, files_prefix(command, cli->arena), err);
}

static bool run_both(Cli *cli, const LaunchFiles *files, const MapCommand *command, PlacementRuns *runs, Err *err)
{
    double *times_s[2];
    runs->n = options.repeat ? (uint32_t)options.repeat : REPEATS;
    for (int i = 0; i < 2; i++)
        times_s[i] = arena_new_array(cli->arena, double, runs->n);
    runs->usual_s = times_s[0];
    runs->mapped_s = times_s[1];
    const char *log = log_path(command, cli->arena);
    measuring_begin(cli, command->words);
    bool ran = map_runs_measure(cli, files, command, runs->n, log, times_s, err);
    if (!ran && !options.output && !files_exist(log)) /* nothing ran, and -o didn't ask for the files */
        for (const char *const *path = mapping_paths(command, cli->arena); *path; path++)
            unlink(*path);
    return ran;
}

static bool draw(Cli *cli, const MappingProblem *problem, const PlacementRuns *runs, Err *err)
{
    if (!options.svg)
        return true;
    json_t *schedule = mapping_schedule_json(problem, runs->mapped, runs->usual, cli->arena);
    bool ok = files_save_text(options.svg, schedule_file(schedule, cli->arena), err);
    json_decref(schedule);
    return ok;
}

static json_t *make_document(const Cli *cli, const MappingProblem *problem, const Mapping *mappings, uint32_t n,
                             const PlacementRuns *runs)
{
    json_t *document = mapping_json(problem, mappings, n);
    json_object_set_new(document, "schedule", mapping_schedule_json(problem, runs->mapped, runs->usual, cli->arena));
    return document;
}

static bool write_report(Cli *cli, const MappingProblem *problem, const Mapping *mappings, uint32_t n,
                         const PlacementRuns *runs, Err *err)
{
    return !report_option() ||
           report_option_write(cli, NULL, "mapping", make_document(cli, problem, mappings, n, runs), err);
}

static void print_json(const Cli *cli, const MappingProblem *problem, const Mapping *mappings, uint32_t n,
                       const LaunchFiles *files, const PlacementRuns *runs, const MapCommand *command)
{
    json_t *document = make_document(cli, problem, mappings, n, runs);
    const struct {
        const char *key, *path;
    } written[] = {{"svg", options.svg},
                   {"pin", files && files->pin_text ? files->pin : NULL},
                   {"log", options.run ? log_path(command, cli->arena) : NULL}};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (written[i].path)
            json_object_set_new(document, written[i].key, json_from_text(written[i].path));
    if (files) {
        const char *const *scotch = scotch_paths(files_prefix(command, cli->arena), cli->arena);
        json_object_set_new(document, "scotch",
                            json_pack("[o, o]", json_from_text(scotch[0]), json_from_text(scotch[1])));
        json_object_set_new(document, "launchers", launch_files_json(files));
        json_object_set_new(document, "order", launch_order_json(files));
    }
    if (options.run)
        json_object_set_new(document, "runs", placement_runs_json(runs));
    report_option_add(document);
    cli_print_json(cli, document);
}

static void print_text(const Cli *cli, const MappingProblem *problem, const Mapping *mappings, uint32_t n,
                       const LaunchFiles *files)
{
    const Mapping *chosen = choose_mapping(mappings, n), *usual = mapping_find(mappings, n, MAPPING_DEFAULT);
    if (cli->json || cli->quiet)
        return;
    answer_print(cli, "mapping", mapping_json(problem, mappings, n));
    cli_print(cli, "%s", mapping_text(problem, mappings, n, cli->color, cli->arena));
    if (files)
        cli_print(cli, "\n%s, for launchers%s:\n%s", chosen->mapper,
                  mapping_sign(chosen) > 0 || chosen == usual ? "" : ", although no gain is expected",
                  launch_files_describe(files, cli->arena));
    fflush(stdout); /* the runs may fail or be killed */
}

static void tell_left_out(const Cli *cli, const MappingProblem *problem, const char *const *names)
{
    if (*names)
        cli_note(cli,
                 "not simulated: %s; the graph has %.2g steps, and with shortened loops other mappings were better; "
                 "--mapper NAME simulates one",
                 arena_join(cli->arena, names, words_count(names)), simulation_steps(problem->simulation));
}

static bool find_mappings(Cli *cli, const MappingProblem *problem, const Mapping **mappings, uint32_t *n, Err *err)
{
    const char *const *left_out = NULL;
    bool ok = mapper.given || given.given
                  ? map_one(cli, problem, mappings, n, err)
                  : mapping_compare(problem, &cli->progress, cli->arena, mappings, n, &left_out, err);
    cli_progress_end(cli);
    if (ok && left_out)
        tell_left_out(cli, problem, left_out);
    if (ok && mapping_gains_are_rough(problem, *n))
        cli_note(cli,
                 "the graph's loops can't be shortened, and it is too long to try other costs of messages; the gains' "
                 "intervals are estimates");
    return ok;
}

static void tell_extrapolated(const Cli *cli, const Simulation *simulation)
{
    double steps = simulation_run_steps(simulation);
    if (steps < simulation_steps(simulation))
        cli_note(cli,
                 "the graph has %.2g steps, too many to simulate all; times are extrapolated from %.2g steps, with "
                 "shortened loops, and pictures show these",
                 simulation_steps(simulation), steps);
}

/* Lets SimGrid judge what is recommended, if the graph comes from a trace. */
static void ask_simgrid(Cli *cli, const char *trace, const MappingProblem *problem, const Mapping **mappings,
                        uint32_t n)
{
    Mapping *judged = arena_copy_array(cli->arena, *mappings, n, sizeof *judged), *best = &judged[0],
            *usual = &judged[mapping_find(*mappings, n, MAPPING_DEFAULT) - *mappings];
    double best_s, usual_s;
    Err err = {0};
    if (!graph_is_trace(trace) || mapping_sign(best) <= 0)
        return;
    if (simulating_time(cli, trace, problem->platform, best->processors, &best_s, &err) &&
        simulating_time(cli, trace, problem->platform, usual->processors, &usual_s, &err)) {
        best->simgrid_s = best_s;
        usual->simgrid_s = usual_s;
        *mappings = judged;
    } else if (err.kind == ERR_INPUT) {
        cli_note(cli, "SimGrid doesn't judge the mapping: %s", err.message);
    }
}

static bool make_problem(Cli *cli, const char *graph, MappingProblem **problem, Err *err)
{
    const Ttig *ttig;
    Platform *platform = NULL;
    if (!platform_options_find(cli, options.run, &platform, err) ||
        !graph_input_read(cli, (const char *const[]){graph, NULL}, NULL, &ttig, NULL, err))
        return false;
    if (!mapping_problem_new(ttig, platform, (uint32_t)options.slots, cli->arena, problem, err))
        return err_prefix(err, "%s", graph);
    tell_extrapolated(cli, (*problem)->simulation);
    (*problem)->seed = (uint32_t)options.seed;
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command_words, Err *err)
{
    MappingProblem *problem;
    const Mapping *mappings;
    MapCommand command = {0};
    uint32_t n_mappings;
    LaunchFiles files;
    PlacementRuns runs;
    if (!check_options(n, err) || !check_run(cli, command_words, &command, err) ||
        !check_outputs(cli, words[0], &command, err) || !make_problem(cli, words[0], &problem, err) ||
        (options.run && !map_command_check_ranks(&command, problem->ttig->n_nodes, err)) ||
        !find_mappings(cli, problem, &mappings, &n_mappings, err))
        return false;
    if (!problem->ttig->tasks)
        cli_note(cli, "the graph holds no steps of tasks; firma makes steps from computation, volume and parallelism");
    if (cli->json || !cli->quiet)
        ask_simgrid(cli, words[0], problem, &mappings, n_mappings);
    runs.usual = mapping_find(mappings, n_mappings, MAPPING_DEFAULT);
    runs.mapped = choose_mapping(mappings, n_mappings);
    bool for_launchers = options.output || options.run;
    if (for_launchers && !write_files(cli, problem, runs.mapped, &command, &files, err))
        return false;
    print_text(cli, problem, mappings, n_mappings, for_launchers ? &files : NULL);
    if (!draw(cli, problem, &runs, err) || !write_report(cli, problem, mappings, n_mappings, &runs, err) ||
        (options.run && !run_both(cli, &files, &command, &runs, err)))
        return false;
    if (cli->json)
        print_json(cli, problem, mappings, n_mappings, for_launchers ? &files : NULL, &runs, &command);
    else if (options.run && !cli->quiet)
        cli_print(cli, "\n%s", placement_runs_text(&runs, cli->color, cli->arena));
    return true;
}

const Verb verb_map = {
    .name = "map",
    .question = QUESTION_PLACEMENT,
    .summary = "place tasks on processors, and predict what that gains",
    .synopsis =
        "GRAPH|TRACE|STUDY [--machine FILE | --platform TEXT] [--nodes LIST] [--speed NODE=FACTOR] [--mapper NAME] "
        "[-o PREFIX] [--svg FILE] [--run -- LAUNCHER …]",
    .description =
        "Finds out which task of a program should run on which processor, before the program runs in this way. Several "
        "mappers propose mappings. A simulation of the tasks' steps on the machine rates all of them alike, and a "
        "local search improves the best. The table shows all mappings, best first, and compares them with block. Block "
        "is what launchers do by default: block fills the processors of the first node, then of the next.\n\n"
        "The mappers are block; round-robin (one task on each node in turn); scotch (partitions by volume); list "
        "(earliest finish first); ttig (after MATE: weighs the gain of working at the same time against the cost of "
        "messages); grow (keeps tasks with many messages together); search (a local search); and for a few tasks "
        "exhaustive. A gain below one percent counts as no "
        "gain, because two runs of the same program differ by that much.\n\n"
        "Each gain has an interval: what comes out if messages cost a quarter more or less, if more or fewer of them "
        "wait for their receivers, and if computations differ as between two runs; and by a third of the gain for "
        "errors of the model. A mapping is recommended, and written with -o, only if the whole interval is above 0. If the "
        "graph comes from a trace, SimGrid then simulates the run in the default and in the recommended mapping, as "
        "firma simulate does, and the answer shows both times.\n\n"
        "The simulation contains computation, at the speed of its processor, and messages between tasks. Collectives "
        "become messages, as far as a trace tells how; what is left out is printed with the answer. Tasks on one "
        "processor take turns. All that a node sends to other nodes at the same time shares one link, and all that it "
        "receives shares another.\n\n"
        "The graph is a TTIG. From a TFG or a trace, a TTIG is made first (firma graph). A matrix of bytes from row to "
        "column (.csv, or .mtx of the Matrix Market) or a graph of Scotch (.grf) is read, too; firma says what such a "
        "file doesn't hold. A --platform may begin with a target of Scotch (.tgt) instead of NODESxCORES. Without --machine and "
        "--platform, the processors are this machine's cores, and the cost of messages is a guess.\n\n"
        "--svg draws what each task does when, in the default mapping and in the best one. Each task has a row, "
        "ordered by node; with more than 64 tasks, each node has a row.\n\n"
        "With -o, the best mapping (or that of --mapper or --given) is written for launchers, and the command lines "
        "that use it are printed. PREFIX.ranks is for programs that renumber their own ranks: its line r names the task "
        "of the launcher's rank r. PREFIX.rank-order tells the same to Cray's MPI library. PREFIX.map and PREFIX.tgt "
        "are the mapping and the machine for Scotch's tools. With --run, the command runs unchanged and with this mapping, in turn. The time that "
        "was saved is compared with the prediction. Both runs contain the launcher's start-up, which the prediction "
        "doesn't. Options that choose hosts hold for the unchanged command only. The output of all runs goes to "
        "PREFIX.log.",
    .examples = "firma map app.ttig --machine machine.json   # on a machine that firma comm measured\n"
                "firma map app.ttig --platform 4x8:2us,10GB/s:0.5us,20GB/s   # on an imagined platform\n"
                "firma map app.ttig --machine machine.json --nodes a,b --speed b=0.5 --json\n"
                "firma map app.ttig --machine machine.json -o app   # writes app.rankfile, app.hosts, app.slurm-hosts\n"
                "firma map app.ttig --machine machine.json --svg app.svg   # the predicted schedules\n"
                "firma map matrix.csv --platform cluster.tgt:2us,10GB/s:0.5us,20GB/s --given scotch.map\n"
                "firma map app.ttig --run -- mpirun -n 4 ./app   # does it help here?",
    .files = "otf2 ttig tfg json",
    .of_study = STUDY_TRACE,
    .options = option_table,
    .takes_command = true,
    .run = run,
};
