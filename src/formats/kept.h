/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace that is read once and kept, because some formats need to know more than the events so far: a post of a
 * receive gets what it will receive, a message its number among those from the same sender, and a collective the
 * shares of all members. Private to the folder. */
#pragma once

#include "base/err.h"
#include "base/progress.h"
#include "formats/notes.h"
#include "model/event.h"
#include "placement/graph/rules.h"

typedef struct KeptTrace KeptTrace;

/* The k-th collective of a communicator, of all its members. */
typedef struct KeptCall {
    uint32_t comm, root;       /* root: its world rank, or NO_ROOT */
    uint8_t collective;        /* Collective */
    bool is_disputed;          /* members disagree on what it is */
    uint32_t n_here;           /* members that came to it */
    const MemberShare *shares; /* [n_members]; NULL: the collective needs none */
} KeptCall;

typedef struct KeptEvent {
    Event event;     /* a post also has the peer, communicator, tag and size of what it receives */
    uint32_t place;  /* collective: the process's rank in the communicator */
    bool is_whole;   /* message: both sides are in the trace; collective: all members came to it, and agree. True for
                        other events */
    bool completes;  /* of a request: a later event tells its completion */
    uint64_t number; /* message: the same for its send, its post and its receive, and for no other message;
                        collective: of its call, for kept_call() */
} KeptEvent;

typedef struct KeptProcess {
    const KeptEvent *events; /* [n] */
    size_t n;
} KeptProcess;

/* Reads the source to its end. ERR_INPUT: collectives have too many shares to be kept. */
bool kept_read(EventSource *source, const Progress *progress, KeptTrace **kept, Err *err);
void kept_free(KeptTrace *kept); /* NULL is fine */

/* The events of the next process: to be called once for each, from 0 on. Valid until the next call. */
bool kept_next(KeptTrace *kept, KeptProcess *process, Err *err);

KeptCall kept_call(const KeptTrace *kept, uint64_t number);

/* Notes what isn't whole: as left out, or as drawn without an arrow. */
void kept_note(const KeptTrace *kept, Notes *notes);
void kept_note_arrows(const KeptTrace *kept, Notes *notes);
