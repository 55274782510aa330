/* SPDX-License-Identifier: BSD-3-Clause */
/* See exchange.h: which format a file has, and what gets lost on the way. */
#include "placement/exchange/exchange.h"

#include "base/files.h"
#include "placement/exchange/volumes.h"

typedef struct Format {
    const char *suffix;
    bool (*read)(const char *path, Arena *arena, Volumes *volumes, const char **unknown, Err *err);
    bool (*text)(const Ttig *ttig, Arena *arena, const char **text, const char **lost, Err *err);
} Format;

#define MATRIX_UNKNOWN                                                                                                 \
    "volumes alone: computation, the order and number of messages, and how far tasks overlap are unknown, so tasks "   \
    "compute nothing, and each volume is one message"

static bool read_csv(const char *path, Arena *arena, Volumes *volumes, const char **unknown, Err *err)
{
    *unknown = MATRIX_UNKNOWN;
    return volumes_read_csv(path, arena, volumes, err);
}

static bool read_market(const char *path, Arena *arena, Volumes *volumes, const char **unknown, Err *err)
{
    *unknown = MATRIX_UNKNOWN;
    return volumes_read_market(path, arena, volumes, err);
}

static bool read_scotch(const char *path, Arena *arena, Volumes *volumes, const char **unknown, Err *err)
{
    bool has_weights[2];
    if (!volumes_read_scotch(path, arena, volumes, has_weights, err))
        return false;
    *unknown = arena_printf(
        arena,
        "weights without units: %s, and %s in both directions together; the order and number of messages, and how far "
        "tasks overlap are unknown",
        has_weights[0] ? "those of vertices count as microseconds of computation"
                       : "vertices have none, so tasks compute nothing",
        has_weights[1] ? "those of edges as bytes" : "edges have none, so each counts as one byte");
    return true;
}

static bool has_times(const Ttig *ttig)
{
    for (uint32_t i = 0; i < ttig->n_nodes; i++)
        if (ttig->nodes[i].seconds > 0)
            return true;
    return false;
}

static bool csv_text(const Ttig *ttig, Arena *arena, const char **text, const char **lost, Err *err)
{
    *lost = has_times(ttig) ? "holds volumes alone, without computation, order and number of messages" : NULL;
    return volumes_csv_text(ttig, arena, text, err);
}

static bool market_text(const Ttig *ttig, Arena *arena, const char **text, const char **lost, Err *err)
{
    (void)err;
    *lost = has_times(ttig) ? "holds volumes alone, without computation, names, order and number of messages" : NULL;
    *text = volumes_market_text(ttig, arena);
    return true;
}

static bool scotch_text(const Ttig *ttig, Arena *arena, const char **text, const char **lost, Err *err)
{
    ScotchUnits units;
    if (!volumes_scotch_text(ttig, arena, text, &units, err))
        return false;
    *lost = arena_printf(arena,
                         "weights of vertices are computation in units of %g µs, weights of edges are volumes in both "
                         "directions together, in units of %g byte%s; order and number of messages are lost",
                         units.seconds * 1e6, units.bytes, units.bytes > 1 ? "s" : "");
    return true;
}

static const Format formats[] = {
    {".csv", read_csv, csv_text}, {".mtx", read_market, market_text}, {".grf", read_scotch, scotch_text}};

static const Format *format_of(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (files_has_suffix(path, formats[i].suffix))
            return &formats[i];
    return NULL;
}

bool exchange_is_graph(const char *path)
{
    return format_of(path);
}

bool exchange_read_graph(const char *path, Arena *arena, const Ttig **ttig, const char **unknown, Err *err)
{
    Volumes volumes = {.file = path};
    if (!format_of(path)->read(path, arena, &volumes, unknown, err)) {
        vec_free(&volumes.list);
        return false;
    }
    if (volumes.n_own)
        *unknown = arena_printf(arena, "%s; what %u task%s sent to itself is left out", *unknown, volumes.n_own,
                                volumes.n_own == 1 ? "" : "s each");
    return volumes_to_ttig(&volumes, arena, ttig, err);
}

bool exchange_write_graph(const Ttig *ttig, const char *path, Arena *arena, const char **lost, Err *err)
{
    const char *text;
    return format_of(path)->text(ttig, arena, &text, lost, err) && files_save_text(path, text, err);
}
