/* SPDX-License-Identifier: BSD-3-Clause */
/* firma graph: from a trace to a temporal flow graph and a TTIG. */
#include "base/files.h"
#include "base/json.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "placement/exchange/exchange.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/findings.h"
#include "verbs/graph/input.h"
#include "verbs/graph/pictures.h"
#include "verbs/graph/source.h"
#include "verbs/graph/views.h"

#include <stdio.h>
#include <string.h>

static struct {
    char *output, *tfg, *dot, *graphml, *svg, *pair;
    int tig, tpg, all;
} options;

/* Larger graphs are drawn as a matrix: edges would cover each other. */
enum { TASKS_IN_DRAWING = 7 };

typedef enum PictureKind { PICTURE_GRAPH, PICTURE_MATRIX, PICTURE_STEPS, PICTURE_PAIR } PictureKind;

static const char *const picture_names[] = {
    [PICTURE_GRAPH] = "graph", [PICTURE_MATRIX] = "matrix", [PICTURE_STEPS] = "steps", [PICTURE_PAIR] = NULL};
static Choice picture = {.names = picture_names};

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0,
     "where to write the graph, for `firma map`; as a matrix of bytes in a file *.csv or *.mtx (Matrix Market), for "
     "Scotch in *.grf",
     "FILE"},
    {"tfg", '\0', POPT_ARG_STRING, &options.tfg, 0, "where to write the temporal flow graph, to edit it", "FILE"},
    {"tig", '\0', POPT_ARG_NONE, &options.tig, 0, "make the classical TIG instead: all tasks always overlap", NULL},
    {"tpg", '\0', POPT_ARG_NONE, &options.tpg, 0,
     "make the classical TPG instead: tasks precede each other, and none overlap", NULL},
    SHARED_OPTIONS(graph_collectives_option_table),
    SHARED_OPTIONS(graph_source_option_table),
    SHARED_OPTIONS(cost_set_option_table),
    {"svg", '\0', OPTION_SVG, &options.svg, 0, "draw the graph", "FILE"},
    {"picture", '\0', OPTION_CHOICE, &picture, 0,
     "what to draw: tasks and edges (graph), who sends how much to whom (matrix), or each task's computation, messages "
     "and loops (steps); by default graph, with more than 7 tasks matrix",
     "NAME"},
    {"pair", '\0', POPT_ARG_STRING, &options.pair, 0,
     "draw when these two tasks compute and overlap, such as 0,1; tasks by number or name", "LIST"},
    {"dot", '\0', POPT_ARG_STRING, &options.dot, 0, "write the graph for Graphviz", "FILE"},
    {"graphml", '\0', POPT_ARG_STRING, &options.graphml, 0, "write the graph as GraphML", "FILE"},
    SHARED_OPTIONS(force_option_table),
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every pair of tasks", NULL},
    POPT_TABLEEND};

typedef struct Drawn {
    const Cli *cli;
    const Ttig *ttig;
    const GraphSummary *summary;
    const char *picture; /* NULL: none is asked for */
    Arena *arena;
} Drawn;

static bool write_ttig(const Drawn *drawn, const char *path, Err *err)
{
    const char *lost;
    if (!exchange_is_graph(path))
        return ttig_save(drawn->ttig, path, err);
    if (!exchange_write_graph(drawn->ttig, path, drawn->arena, &lost, err))
        return false;
    if (lost)
        cli_note(drawn->cli, "%s: %s", path, lost);
    return true;
}

static bool write_tfg(const Drawn *drawn, const char *path, Err *err)
{
    return drawn->ttig->tasks ? tfg_save(drawn->ttig->tasks, path, err)
                              : err_set(err, ERR_INPUT, "the graph has no steps of tasks, which --tfg would write");
}

static bool write_dot(const Drawn *drawn, const char *path, Err *err)
{
    return files_save_text(path, graph_dot(drawn->ttig, drawn->summary, drawn->arena), err);
}

static bool write_graphml(const Drawn *drawn, const char *path, Err *err)
{
    return files_save_text(path, graph_graphml(drawn->ttig, drawn->arena), err);
}

static bool write_svg(const Drawn *drawn, const char *path, Err *err)
{
    return files_save_text(path, drawn->picture, err);
}

static struct {
    const char *key;
    char **path;
    bool (*write)(const Drawn *drawn, const char *path, Err *err);
    bool is_written;
} outputs[] = {{"graph", &options.output, write_ttig, false},
               {"tfg", &options.tfg, write_tfg, false},
               {"dot", &options.dot, write_dot, false},
               {"graphml", &options.graphml, write_graphml, false},
               {"svg", &options.svg, write_svg, false}};
enum { N_OUTPUTS = sizeof outputs / sizeof *outputs };

static void add_failure(const Err *failure, Err *err)
{
    const Err first = *err;
    err_set(err, first.kind, "%s; %s", first.message, failure->message);
    err_hint(err, "%s", first.hint);
}

static PictureKind picture_kind(const Ttig *ttig)
{
    if (options.pair)
        return PICTURE_PAIR;
    if (!picture.given)
        return ttig->n_nodes > TASKS_IN_DRAWING ? PICTURE_MATRIX : PICTURE_GRAPH;
    PictureKind kind = PICTURE_GRAPH;
    while (strcmp(picture.given, picture_names[kind]) != 0)
        kind++;
    return kind;
}

static bool find_task(const Ttig *ttig, const char *word, uint32_t *task, Err *err)
{
    uint64_t number;
    Err ignored = {0};
    for (*task = 0; *task < ttig->n_nodes; ++*task)
        if (strcmp(ttig->nodes[*task].name, word) == 0)
            return true;
    if (!number_option_parse("--pair", word, &number, &ignored) || number >= ttig->n_nodes)
        return err_set(err, ERR_USAGE, "--pair: there is no task `%.80s` among the %u", word, ttig->n_nodes);
    *task = (uint32_t)number;
    return true;
}

static bool draw_pair(const Ttig *ttig, Arena *arena, const char **drawn, Err *err)
{
    const char *const *words;
    uint32_t tasks[2];
    Overlap overlap;
    if (!list_option_parse("--pair", options.pair, arena, &words, err))
        return false;
    if (!words[0] || !words[1] || words[2])
        return err_set(err, ERR_USAGE, "--pair %s: expected two tasks, such as 0,1", options.pair);
    if (!find_task(ttig, words[0], &tasks[0], err) || !find_task(ttig, words[1], &tasks[1], err))
        return false;
    if (tasks[0] == tasks[1])
        return err_set(err, ERR_USAGE, "--pair %s: expected two different tasks", options.pair);
    if (!overlap_of_pair(ttig->tasks, tasks, arena, &overlap, err))
        return false;
    *drawn = graph_overlap_picture(ttig, tasks, &overlap, arena);
    return true;
}

/* *drawn: NULL if none is asked for. */
static bool draw(const Ttig *ttig, const GraphSummary *summary, Arena *arena, const char **drawn, Err *err)
{
    *drawn = NULL;
    if (!options.svg)
        return true;
    PictureKind kind = picture_kind(ttig);
    if ((kind == PICTURE_STEPS || kind == PICTURE_PAIR) && !ttig->tasks)
        return err_set(err, ERR_INPUT, "the graph has no steps of tasks, which %s would draw",
                       kind == PICTURE_STEPS ? "--picture steps" : "--pair");
    if (kind == PICTURE_PAIR)
        return draw_pair(ttig, arena, drawn, err);
    *drawn = kind == PICTURE_STEPS    ? graph_steps_picture(ttig->tasks, arena)
             : kind == PICTURE_MATRIX ? graph_matrix_picture(ttig, arena)
                                      : graph_picture(ttig, summary, arena);
    return true;
}

/* Writes every file that can be written. Reports all failures in one error, with the first one's
 * kind and hint. */
static bool write_files(const Cli *cli, const Ttig *ttig, const GraphSummary *summary, const char *picture_text,
                        Err *err)
{
    const Drawn drawn = {cli, ttig, summary, picture_text, cli->arena};
    bool ok = true;
    for (size_t i = 0; i < N_OUTPUTS; i++) {
        Err failure = {0};
        if (!*outputs[i].path)
            continue;
        outputs[i].is_written = outputs[i].write(&drawn, *outputs[i].path, &failure);
        if (outputs[i].is_written)
            continue;
        if (ok)
            *err = failure;
        else
            add_failure(&failure, err);
        ok = false;
    }
    return ok;
}

static void show(const Cli *cli, const Ttig *ttig, const GraphSummary *summary, const GraphFindings *findings)
{
    if (cli->json) {
        json_t *document = graph_json(ttig, summary);
        if (findings->items)
            json_object_set_new(document, "findings",
                                fields_to_json_array(&cost_finding_fields, findings->items, findings->count, 0));
        for (size_t i = 0; i < N_OUTPUTS; i++)
            if (outputs[i].is_written)
                json_object_set_new(document, outputs[i].key, json_from_text(*outputs[i].path));
        cli_print_json(cli, document);
    } else if (!cli->quiet) {
        cli_print(cli, "%s", graph_text(ttig, summary, options.all, cli->color, cli->arena));
    }
}

static bool check_options(const char *input, Arena *arena, Err *err)
{
    if (options.tig && options.tpg)
        return err_set(err, ERR_USAGE, "--tig and --tpg: one at a time");
    if (options.pair && picture.given)
        return err_set(err, ERR_USAGE, "--pair and --picture: one at a time");
    if ((options.pair || picture.given) && !options.svg)
        return err_set(err, ERR_USAGE, "%s goes with --svg", options.pair ? "--pair" : "--picture");
    if (!graph_check_source_options(input, err))
        return false;
    Output all[N_OUTPUTS];
    for (size_t i = 0; i < N_OUTPUTS; i++)
        all[i] = (Output){.path = *outputs[i].path};
    return outputs_check(all, N_OUTPUTS, &input, 1, arena, err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    const Ttig *ttig;
    GraphFindings findings = {0};
    bool are_sources = n > 0;
    for (int i = 0; i < n; i++)
        are_sources = are_sources && graph_is_source(words[i]);
    if (n != 1 && !are_sources)
        return err_set(err, ERR_USAGE,
                       n ? "expected one trace, source or graph, found %d" : "no trace, source or graph is named", n);
    if (command && !are_sources)
        return err_set(err, ERR_USAGE, "arguments behind -- are an MPI program's, and %s is no source", words[0]);
    if (!check_options(words[0], cli->arena, err) || !graph_input_read(cli, words, command, &ttig, &findings, err))
        return false;
    if ((options.tig && !graph_tig(ttig, cli->arena, &ttig, err)) ||
        (options.tpg && !graph_tpg(ttig, cli->arena, &ttig, err)))
        return err_prefix(err, "%s", words[0]);
    const GraphSummary summary = graph_summarise(ttig, cli->arena);
    const char *drawn;
    if (!draw(ttig, &summary, cli->arena, &drawn, err))
        return err->kind == ERR_USAGE ? false : err_prefix(err, "%s", words[0]);
    bool ok = write_files(cli, ttig, &summary, drawn, err);
    show(cli, ttig, &summary, &findings);
    if (!cli->json)
        cost_print_findings(cli, findings.items, findings.count);
    return ok;
}

const Verb verb_graph = {
    .name = "graph",
    .question = QUESTION_PLACEMENT,
    .summary = "find tasks, their messages, and how far they can overlap",
    .synopsis = "TRACE|STUDY|SOURCE.c… -n N|GRAPH [-o FILE] [--tfg FILE] [--tig | --tpg] [--collectives HOW] "
                "[--svg FILE [--picture NAME | --pair A,B]] [--dot FILE] [--graphml FILE] [-- ARGUMENT…]",
    .description =
        "Makes a temporal flow graph (TFG) of a trace: what each process computes, sends and receives, "
        "in order, with loops recognised and folded. From the TFG, firma makes a temporal task interaction "
        "graph (TTIG). Its nodes are the processes, with their computation. An edge from A to B has the "
        "bytes that A sends to B, and the degree of parallelism p(A,B). `firma map` places processes by "
        "this graph.\n\n"
        "p(A,B) is the share of B's computation that can run while A computes, if only the messages "
        "between A and B order them, and messages take no time. p = 0 means that one of them must wait "
        "for the other. p = 1 means that B never waits.\n\n"
        "The C sources of an MPI program become the graph of -n processes, without being run. firma runs "
        "through them once for each process, with known rank and size. --set gives values that the "
        "source doesn't tell: of variables (n=1000), of probabilities (Q_app_40=0.1), of numbers of "
        "iterations. Behind -- are the program's own arguments, which aren't known without it. What firma guesses is on standard error, by file and line. Partners and sizes that "
        "depend on received data are errors.\n\n"
        "A graph may also be written or changed by hand: a TFG or a TTIG as JSON (docs/FORMATS.md) is "
        "read like a trace. So are other tools' files, by the ends of their names: matrices of bytes from row "
        "to column as CSV (.csv) or in the format of the Matrix Market (.mtx), and Scotch's graphs (.grf). "
        "They hold volumes, and at most computation; firma says what they don't. Tasks that wait for each other in a circle are refused, and named. So is a "
        "TTIG whose nodes and edges don't follow from its tasks.\n\n"
        "Collectives become the messages that the MPI of the trace sends for them, by operation, size "
        "and number of processes. `--collectives openmpi`, `mpich` or `smpi` take another MPI's. "
        "Collectives are left out, and counted, if their messages aren't known or would be too many. "
        "`--collectives left-out` leaves out all, and all one-sided operations.\n\n"
        "The overlap of a pair is a share of its shorter task. Pairs can't overlap if at most 1 % of it "
        "overlaps, and always can if at least 99 % of it does.\n\n"
        "--tig and --tpg make the classical models instead. In a TIG, all p = 1. In a TPG, all p = 0, "
        "and each pair has one edge, from the task that sends first.",
    .examples = "firma graph app.trace -o app.ttig                # for `firma map`\n"
                "firma graph app.trace --svg app.svg              # a picture\n"
                "firma graph app.trace --svg app.svg --pair 0,1   # when two tasks can compute at once\n"
                "firma graph app.trace --svg app.svg --picture steps   # what each task does, in order\n"
                "firma graph app.trace -o app.mtx                 # who sends how much to whom, for other tools\n"
                "firma graph app.trace --tfg app.json             # edit app.json, and read it again:\n"
                "firma graph app.json -o app.ttig\n"
                "firma graph app.trace --collectives left-out     # only messages between two processes\n"
                "firma graph app.c -n 16 --set n=1000 -m machine.json -o app.ttig",
    .files = "otf2 ttig tfg json c",
    .of_study = STUDY_TRACE,
    .takes_command = true,
    .options = option_table,
    .run = run,
};
