/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of all runs in memory, and what kind each of them is in a layout. Private to the folder. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "scaling/extrapolate/extrapolate.h"
#include "scaling/extrapolate/layout.h"

typedef struct RankRun {
    VEC(Event) events; /* from MPI_Init on. A request is the number of the event that starts it */
    uint32_t *kinds;   /* [events.count] numbers of KindKeys; set by kinds_find() */
} RankRun;

typedef struct LoadedRun {
    const char *path;
    uint32_t p;
    const Trace *trace;
    RankRun *ranks; /* [p] */
    Shape shape;    /* set by kinds_find() */
} LoadedRun;

/* ERR_INPUT: threads of a process communicate at the same time, or there are events that can't be extrapolated. */
bool runs_read(const ExtrapolationRun *runs, uint32_t n, const Progress *progress, LoadedRun *loaded, Err *err);
void runs_free(LoadedRun *loaded, uint32_t n);

/* What events of one kind have in common, in all processes and runs. */
typedef struct EventKindKey {
    uint16_t kind, collective;
    bool has_request;
    uint32_t sides; /* of the communicator */
    uint32_t tag;   /* 0 unless all runs have the same tags */
    Direction direction;
} EventKindKey;

typedef struct Kinds {
    const Layout *layout;
    Map numbers;
    VEC(EventKindKey) items;
    VEC(uint32_t) runs; /* as bits, in which the kind occurs */
    uint32_t n_alone;   /* kinds that only one of the two largest runs has, though the other one could */
    bool has_tags;
} Kinds;

/* Names all events by the layout. False: some communicator has other members than the layout's sides, or the partners
 * aren't a hypercube's. */
bool kinds_find(LoadedRun *runs, uint32_t n, const Layout *layout, bool has_tags, Kinds *kinds);
/* The number of a kind; NO_KIND: no event has it. */
#define NO_KIND UINT32_MAX
uint32_t kinds_number(const Kinds *kinds, const EventKindKey *key);

void kinds_free(Kinds *kinds);

/* Whether all runs use the same tags. */
bool runs_share_tags(const LoadedRun *runs, uint32_t n);
