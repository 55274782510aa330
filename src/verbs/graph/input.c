/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph_input.h. */
#include "verbs/graph/input.h"

#include "base/files.h"
#include "cli/analysis.h"
#include "placement/graph/graph.h"
#include <string.h>

static bool is_trace(const char *path)
{
    return files_is_directory(path) || files_has_suffix(path, ".otf2");
}

static bool read_trace(Cli *cli, const char *trace, GraphCollectives collectives, const Ttig **ttig, Err *err)
{
    Reading reading;
    TaskGraph *graph;
    Ttig *made;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = graph_read(reading.source, collectives, &reading.progress, cli->arena, &graph, err);
    reading_close(cli, &reading);
    if (!ok)
        return false;
    graph->source = trace;
    if (!graph_ttig(graph, cli->arena, &made, err))
        return err_prefix(err, "%s", trace);
    *ttig = made;
    return true;
}

static bool parse_collectives(const char *name, GraphCollectives *collectives, Err *err)
{
    *collectives = name && strcmp(name, tfg_collectives_name(false)) == 0 ? COLLECTIVES_LEFT_OUT : COLLECTIVES_EXPANDED;
    return !name || *collectives == COLLECTIVES_LEFT_OUT || strcmp(name, tfg_collectives_name(true)) == 0 ||
           err_set(err, ERR_USAGE, "--collectives: expected `%s` or `%s`, not `%s`", tfg_collectives_name(true),
                   tfg_collectives_name(false), name);
}

bool graph_input_read(Cli *cli, const char *path, const char *collectives_name, const Ttig **ttig, Err *err)
{
    bool is_whole;
    GraphCollectives collectives;
    if (!parse_collectives(collectives_name, &collectives, err))
        return false;
    if (is_trace(path))
        return read_trace(cli, path, collectives, ttig, err);
    if (collectives_name)
        return err_set(err, ERR_USAGE, "--collectives chooses how a trace is read, and %s is none", path) ||
               err_hint(err, "name the trace, or leave the option out");
    if (!graph_load(path, cli->arena, &is_whole, ttig, err))
        return false;
    if (!is_whole)
        cli_note(cli,
                 "%s: only the first steps of its loops were looked through for tasks that wait for each other "
                 "in a circle",
                 path);
    return true;
}
