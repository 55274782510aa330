/* SPDX-License-Identifier: BSD-3-Clause */
/* A request as one word, in hexadecimal. A remote shell (ssh) passes its words through another
 * shell, which leaves such a word unchanged. */
#pragma once

#include "base/arena.h"
#include <jansson.h>

const char *word_pack(const json_t *document, Arena *arena);

/* The document's text; NULL if the word isn't hexadecimal. */
const char *word_unpack(const char *word, Arena *arena);
