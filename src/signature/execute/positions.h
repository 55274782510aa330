/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds when numbered send-like events of a traced run happened. Startpoints and endpoints are such
 * numbers, so this tells when a phase began and ended in another run of the program. Private to
 * signature/. */
#pragma once

#include "base/arena.h"
#include "base/progress.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/lifetime.h"
#include "model/logical.h"

typedef struct Position {
    uint64_t number;  /* of the send-like event in its process */
    int64_t enter_ns; /* filled in by positions_read() */
    CommType type;
    bool found;
} Position;

typedef struct ProcessPositions {
    VEC(Position) wanted; /* ordered by number after positions_read() */
    Lifetime lifetime;
    int64_t first_ns, last_ns; /* entry of the first and the last send-like event */
    uint64_t n_send_events;
} ProcessPositions;

typedef struct Positions {
    uint32_t n_processes;
    ProcessPositions *processes; /* [n_processes] */
} Positions;

void positions_init(Positions *positions, uint32_t n_processes);
void positions_free(Positions *positions);

void positions_want(Positions *positions, uint32_t process, uint64_t number);

/* Reads the source in one pass, one process after another. No more positions can be wanted
 * afterwards. */
bool positions_read(Positions *positions, EventSource *source, const Progress *progress, Err *err);

/* NULL: the process has no event of this number, or it wasn't wanted. */
const Position *positions_find(const Positions *positions, uint32_t process, uint64_t number);
