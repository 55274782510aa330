/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph_input.h. */
#include "cli/graph_input.h"

#include "base/files.h"
#include "cli/analysis.h"
#include "graph/graph.h"

static bool is_trace(const char *path)
{
    return files_is_directory(path) || files_has_suffix(path, ".otf2");
}

static bool read_trace(Cli *cli, const char *trace, const Ttig **ttig, Err *err)
{
    Reading reading;
    TaskGraph *graph;
    Ttig *made;
    if (!reading_open(cli, trace, NULL, &reading, err))
        return false;
    bool ok = graph_read(reading.source, &reading.progress, cli->arena, &graph, err);
    reading_close(cli, &reading);
    if (!ok)
        return false;
    graph->source = trace;
    if (!graph_ttig(graph, cli->arena, &made, err))
        return err_prefix(err, "%s", trace);
    *ttig = made;
    return true;
}

bool graph_input_read(Cli *cli, const char *path, const Ttig **ttig, Err *err)
{
    bool is_whole;
    if (is_trace(path))
        return read_trace(cli, path, ttig, err);
    if (!graph_load(path, cli->arena, &is_whole, ttig, err))
        return false;
    if (!is_whole)
        cli_note(cli,
                 "%s: only the first steps of its loops were looked through for tasks that wait for each other "
                 "in a circle",
                 path);
    return true;
}
