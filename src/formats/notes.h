/* SPDX-License-Identifier: BSD-3-Clause */
/* What a format couldn't express, or expresses otherwise than one might think: a sentence each. Private to the
 * folder, but for reading. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include <stdint.h>

typedef struct Notes {
    Arena *arena; /* of the sentences */
    VEC(const char *) items;
} Notes;

void notes_add(Notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notes_free(Notes *notes);
