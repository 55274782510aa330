/* SPDX-License-Identifier: BSD-3-Clause */
/* See input.h. */
#include "verbs/graph/input.h"

#include "base/files.h"
#include "cli/analysis.h"
#include "cli/option_values.h"
#include "placement/exchange/exchange.h"
#include "verbs/graph/source.h"
#include <string.h>

bool graph_is_trace(const char *path)
{
    return files_is_directory(path) || files_has_suffix(path, ".otf2");
}

static bool read_trace(Cli *cli, const char *trace, GraphCollectives how, const Ttig **ttig, Err *err)
{
    Reading reading;
    TaskGraph *graph;
    Ttig *made;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = graph_read(reading.source, how, &reading.progress, cli->arena, &graph, err);
    reading_close(cli, &reading);
    if (!ok)
        return false;
    graph->source = trace;
    if (!graph_ttig(graph, cli->arena, &made, err))
        return err_prefix(err, "%s", trace);
    *ttig = made;
    return true;
}

static const char *const collectives_names[] = {
    [COLLECTIVES_EXPANDED] = "expanded", [COLLECTIVES_LEFT_OUT] = "left-out", [COLLECTIVES_OF_OPENMPI] = "openmpi",
    [COLLECTIVES_OF_MPICH] = "mpich",    [COLLECTIVES_OF_SMPI] = "smpi",      NULL};

static Choice collectives = {.names = collectives_names};

const struct poptOption graph_collectives_option_table[] = {
    {"collectives", '\0', OPTION_CHOICE, &collectives, 0,
     "collectives of a trace: turned into messages as the MPI of the trace sends them (expanded), or as another one does "
     "(openmpi, mpich, smpi), or left out (left-out); by default expanded; those of a source: as mpicc's MPI does",
     "NAME"},
    POPT_TABLEEND};

static bool read_foreign(Cli *cli, const char *path, const Ttig **ttig, Err *err)
{
    const char *unknown;
    if (!exchange_read_graph(path, cli->arena, ttig, &unknown, err))
        return false;
    cli_note(cli, "%s: holds %s", path, unknown);
    return true;
}

bool graph_collectives_given(void)
{
    return collectives.given != NULL;
}

GraphCollectives graph_collectives_option(void)
{
    size_t i = 0;
    while (collectives.given && strcmp(collectives.given, collectives_names[i]) != 0)
        i++;
    return (GraphCollectives)i;
}

bool graph_input_read(Cli *cli, const char *const *paths, char *const *arguments, const Ttig **ttig,
                      GraphFindings *findings, Err *err)
{
    const char *path = paths[0];
    bool is_whole;
    GraphCollectives way = graph_collectives_option();
    if (graph_is_source(path) && !findings)
        return err_set(err, ERR_USAGE, "%s is a source", path) ||
               err_hint(err, "make its graph first: firma graph %s -n N -o FILE", path);
    if (graph_is_source(path))
        return graph_read_source(cli, paths, arguments, way, ttig, findings, err);
    if (graph_is_trace(path))
        return read_trace(cli, path, way, ttig, err);
    if (collectives.given)
        return err_set(err, ERR_USAGE, "--collectives is for traces and sources, and %s is neither", path) ||
               err_hint(err, "name the trace, or leave the option out");
    if (exchange_is_graph(path))
        return read_foreign(cli, path, ttig, err);
    if (!graph_load(path, cli->arena, &is_whole, ttig, err))
        return false;
    if (!is_whole)
        cli_note(cli,
                 "%s: its loops are long, so firma checked only their first steps for tasks that wait for each other "
                 "in a circle",
                 path);
    return true;
}
