/* SPDX-License-Identifier: BSD-3-Clause */
/* See input.h. */
#include "verbs/graph/input.h"

#include "base/files.h"
#include "cli/analysis.h"
#include "cli/option_values.h"
#include "placement/exchange/exchange.h"
#include "placement/graph/graph.h"
#include <string.h>

static bool is_trace(const char *path)
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

static const char *collectives_at(size_t index)
{
    return index < 2 ? tfg_collectives_name(index == 0) : NULL;
}

static Choice collectives = {.name_at = collectives_at};

const struct poptOption graph_collectives_option_table[] = {
    {"collectives", '\0', OPTION_CHOICE, &collectives, 0,
     "collectives of a trace: turned into messages as MPI libraries send them (expanded), or left out (left-out); by "
     "default expanded",
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

bool graph_input_read(Cli *cli, const char *path, const Ttig **ttig, Err *err)
{
    bool is_whole, leaves_out = collectives.given && strcmp(collectives.given, tfg_collectives_name(false)) == 0;
    if (is_trace(path))
        return read_trace(cli, path, leaves_out ? COLLECTIVES_LEFT_OUT : COLLECTIVES_EXPANDED, ttig, err);
    if (collectives.given)
        return err_set(err, ERR_USAGE, "--collectives is for traces, and %s isn't a trace", path) ||
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
