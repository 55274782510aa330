/* SPDX-License-Identifier: BSD-3-Clause */
/* firma graph: from a trace to a temporal flow graph and a TTIG. */
#include "base/files.h"
#include "base/json.h"
#include "cli/analysis.h"
#include "report/graph.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct {
    char *output, *tfg, *dot, *graphml, *svg;
    int tig, tpg, all;
} options;

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "the graph's file, for `firma map`", "FILE"},
    {"tfg", '\0', POPT_ARG_STRING, &options.tfg, 0, "write the temporal flow graph alone, to be edited", "FILE"},
    {"tig", '\0', POPT_ARG_NONE, &options.tig, 0, "the classical TIG instead: all tasks always overlap", NULL},
    {"tpg", '\0', POPT_ARG_NONE, &options.tpg, 0, "the classical TPG instead: tasks precede each other, none overlap",
     NULL},
    {"svg", 's', POPT_ARG_STRING, &options.svg, 0, "draw it, with Graphviz", "FILE"},
    {"dot", '\0', POPT_ARG_STRING, &options.dot, 0, "write it for Graphviz", "FILE"},
    {"graphml", '\0', POPT_ARG_STRING, &options.graphml, 0, "write it as GraphML", "FILE"},
    {"all", 'a', POPT_ARG_NONE, &options.all, 0, "show every pair of tasks", NULL},
    POPT_TABLEEND};

static bool read_trace(Cli *cli, const char *trace, TaskGraph **graph, Err *err)
{
    Reading reading;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = graph_read(reading.source, &reading.progress, cli->arena, graph, err);
    reading_close(cli, &reading);
    if (ok)
        (*graph)->source = trace;
    return ok;
}

/* A trace is a directory or an anchor file; any other file should be a graph. */
static bool is_document(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && !files_has_suffix(path, ".otf2");
}

/* Documents begin with their format; a large one isn't read twice. */
static bool is_ttig(const char *path)
{
    char top[256];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(top, 1, sizeof top - 1, file) : 0;
    if (file)
        fclose(file);
    top[length] = '\0';
    return strstr(top, "\"firma ttig\"") != NULL;
}

static bool read_document(const char *path, Arena *arena, Ttig **ttig, Err *err)
{
    TaskGraph *graph;
    if (is_ttig(path))
        return ttig_load(path, arena, ttig, err);
    if (!tfg_load(path, arena, &graph, err))
        return false;
    if (!graph->source[0])
        graph->source = path;
    return (graph_check_waits(graph, err) && graph_ttig(graph, arena, ttig, err)) || err_prefix(err, "%s", path);
}

static bool read_input(Cli *cli, const char *path, Ttig **ttig, Err *err)
{
    TaskGraph *graph;
    if (is_document(path))
        return read_document(path, cli->arena, ttig, err);
    return read_trace(cli, path, &graph, err) && graph_ttig(graph, cli->arena, ttig, err);
}

static bool write_files(const Cli *cli, const Ttig *ttig, const GraphSummary *summary, GraphModel model, Err *err)
{
    const char *dot = options.dot || options.svg ? graph_dot(ttig, summary, model, cli->arena) : NULL;
    if (options.output && !ttig_save(ttig, options.output, err))
        return false;
    if (options.tfg && !ttig->tasks)
        return err_set(err, ERR_INPUT, "the graph has no tasks with their steps, as --tfg would write them");
    return (!options.tfg || tfg_save(ttig->tasks, options.tfg, err)) &&
           (!options.dot || files_save_text(options.dot, dot, err)) &&
           (!options.graphml || files_save_text(options.graphml, graph_graphml(ttig, model, cli->arena), err)) &&
           (!options.svg || graph_draw(dot, options.svg, err));
}

static const struct {
    const char *key;
    char **path;
} outputs[] = {{"graph", &options.output},
               {"tfg", &options.tfg},
               {"dot", &options.dot},
               {"graphml", &options.graphml},
               {"svg", &options.svg}};
enum { N_OUTPUTS = sizeof outputs / sizeof *outputs };

static void show(const Cli *cli, const Ttig *ttig, const GraphSummary *summary)
{
    if (cli->json) {
        json_t *document = graph_json(ttig, summary);
        for (size_t i = 0; i < N_OUTPUTS; i++)
            if (*outputs[i].path)
                json_object_set_new(document, outputs[i].key, json_from_text(*outputs[i].path));
        cli_print_json(&verb_graph, document);
    } else if (!cli->quiet) {
        fputs(graph_text(ttig, summary, options.all, cli->color, cli->arena), stdout);
    }
}

static bool check_options(const char *input, Arena *arena, Err *err)
{
    if (options.tig && options.tpg)
        return err_set(err, ERR_USAGE, "--tig and --tpg: one at a time");
    for (size_t i = 0; i < N_OUTPUTS; i++)
        if (!analysis_check_output(input, *outputs[i].path, arena, err))
            return false;
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    Ttig *read;
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "%d files are named, and it takes one" : "no trace or graph is named", n) ||
               err_hint(err, "usage: firma graph %s", verb_graph.synopsis);
    if (!check_options(words[0], cli->arena, err) || !read_input(cli, words[0], &read, err))
        return false;
    const Ttig *ttig = read;
    if (options.tig)
        ttig = graph_tig(read, cli->arena);
    else if (options.tpg && !graph_tpg(read, cli->arena, &ttig, err))
        return err_prefix(err, "%s", words[0]);
    const GraphSummary summary = graph_summarise(ttig, cli->arena);
    GraphModel model = options.tig ? MODEL_TIG : options.tpg ? MODEL_TPG : MODEL_TTIG;
    show(cli, ttig, &summary);
    return write_files(cli, ttig, &summary, model, err);
}

const Verb verb_graph = {
    .name = "graph",
    .summary = "tasks, their messages, and how far they can overlap",
    .synopsis = "TRACE|GRAPH [-o FILE] [--tfg FILE] [--tig | --tpg] [--svg FILE] [--dot FILE] [--graphml FILE]",
    .description =
        "Makes a temporal flow graph (TFG) of a trace: what each process computes, sends and receives in order, with "
        "loops recognised and folded. From that, a temporal task interaction graph (TTIG): a node for each process with "
        "its computation; an edge from A to B with the bytes that A sends to B, and the degree of parallelism p(A,B): "
        "the share of B's computation that can run while A computes, if only their messages to each other bind them and "
        "take no time. p = 0 says that one must wait for the other, p = 1 that B never needs to. `firma map` places "
        "processes by it.\n\n"
        "A graph may be written by hand, or changed: a TFG or a TTIG as JSON (docs/FORMATS.md) is read like a trace. "
        "A TFG whose tasks wait for each other in a circle is refused, and they are named.\n\n"
        "Collectives are no precedences in this model; they are counted. A pair's overlap is of its shorter task: "
        "pairs can't overlap if at most 1 % of it does, always can if 99 % does.\n\n"
        "--tig and --tpg give the classical models instead: all p = 1; and all p = 0, with one edge for each pair, from "
        "who sends first.",
    .examples = "firma graph app.trace -o app.ttig                # for `firma map`\n"
                "firma graph app.trace --svg app.svg              # a picture\n"
                "firma graph app.trace --tfg app.json             # to be edited, and read again:\n"
                "firma graph app.json -o app.ttig",
    .options = option_table,
    .run = run,
};
