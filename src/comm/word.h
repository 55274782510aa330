/* SPDX-License-Identifier: BSD-3-Clause */
/* A request as one word that no shell on the way (ssh hands words to one) takes apart: in hexadecimal. */
#pragma once

#include "base/arena.h"
#include <jansson.h>

const char *word_pack(const json_t *document, Arena *arena);

/* The document's text; NULL: the word isn't hexadecimal. */
const char *word_unpack(const char *word, Arena *arena);
