/* SPDX-License-Identifier: BSD-3-Clause */
/* state.json, the document of a state: what was saved, and what a room needs to restore it. Private
 * to checkpoint/. */
#pragma once

#include "signature/checkpoint/copies.h"
#include "signature/checkpoint/job.h"
#include "signature/checkpoint/mapped.h"
#include "signature/checkpoint/network.h"

typedef struct State {
    const char *back_end, *version;
    const char *directory; /* the back end's directory while the job ran; NULL: none */
    int64_t launcher;
    Job job;
    SavedFiles files;
    MappedFiles mapped;
    NetworkAddresses addresses;
    uint64_t images_bytes, files_bytes;
} State; /* zero-initialise */

void state_free(State *state);

bool state_write(const State *state, const char *directory, Err *err);

/* ERR_INPUT: the state doesn't exist, is incomplete, or was written by an incompatible firma. */
bool state_read(const char *directory, Arena *arena, State *state, Err *err);

const char *state_images(const char *directory, Arena *arena);
const char *state_files(const char *directory, Arena *arena);
