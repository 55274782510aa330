/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options that may name files of Scotch: --platform FILE.tgt:… and --given FILE.map. And the
 * files of Scotch that firma map writes. */
#pragma once

#include "placement/mapping/mapping.h"

/* "cluster.tgt:50us,125MB/s": a target, and what its levels cost. */
bool platform_word_names_file(const char *word);

/* As platform_from_text(), for such a word, too. */
bool platform_from_word(const char *word, Arena *arena, Platform **platform, Err *err);

/* A list of numbers, or a file. ERR_USAGE: the word is neither. */
bool given_check(const char *word, Arena *arena, Err *err);

/* The file that the word names; NULL: it names none, or is NULL. */
const char *given_file(const char *word);

/* Fills in processors[n_tasks]. ERR_USAGE, ERR_INPUT: the word doesn't fit the problem. */
bool given_parse(const char *word, const MappingProblem *problem, uint32_t *processors, Err *err);

/* The paths of PREFIX.map and PREFIX.tgt, NULL-terminated. */
const char *const *scotch_paths(const char *prefix, Arena *arena);

/* Writes both files, or none. */
bool scotch_write(const MappingProblem *problem, const uint32_t *processors, const char *prefix, Err *err);
