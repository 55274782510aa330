/* SPDX-License-Identifier: BSD-3-Clause */
/* A state's own document, state.json: what was saved, and what a room needs to bring it back. Private to checkpoint/.
 */
#pragma once

#include "signature/checkpoint/copies.h"
#include "signature/checkpoint/job.h"
#include "signature/checkpoint/mapped.h"
#include "signature/checkpoint/network.h"

typedef struct State {
    const char *back_end, *version;
    const char *directory; /* where the back end had its own while the job ran; NULL: nowhere */
    int64_t launcher;
    Job job;
    SavedFiles files;
    MappedFiles mapped;
    NetworkAddresses addresses;
    uint64_t images_bytes, files_bytes;
} State; /* zero-initialise */

void state_free(State *state);

bool state_write(const State *state, const char *directory, Err *err);

/* ERR_INPUT: no state, one that wasn't written to its end, or one of another firma. */
bool state_read(const char *directory, Arena *arena, State *state, Err *err);

const char *state_images(const char *directory, Arena *arena);
const char *state_files(const char *directory, Arena *arena);
