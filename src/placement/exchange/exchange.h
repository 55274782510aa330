/* SPDX-License-Identifier: BSD-3-Clause */
/* Task graphs, mappings and machines in the formats of other tools: matrices of volumes as CSV and
 * in the format of the Matrix Market, and Scotch's graphs, mappings and targets. docs/FORMATS.md
 * says what each holds. The end of a file's name tells its format. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/ttig.h"
#include "placement/platform/platform.h"
#include <stdbool.h>
#include <stdint.h>

/* True if the name ends in .csv, .mtx or .grf. */
bool exchange_is_graph(const char *path);

/* Reads such a file as a TIG without steps. A message of each edge, and overlap of all tasks are
 * assumed. *unknown: what the file doesn't say, as a sentence. ERR_INPUT names file and line. Result
 * in the arena. */
bool exchange_read_graph(const char *path, Arena *arena, const Ttig **ttig, const char **unknown, Err *err);

/* Writes the graph in the format of the name. *lost: what the format can't hold, as a sentence.
 * ERR_INPUT: the graph doesn't fit the format. */
bool exchange_write_graph(const Ttig *ttig, const char *path, Arena *arena, const char **lost, Err *err);

/* Scotch's mapping (.map): a processor for each task. ERR_INPUT names file and line. Fills in
 * processors[n_tasks]. */
bool exchange_read_mapping(const char *path, uint32_t n_tasks, uint32_t n_processors, uint32_t *processors, Err *err);
const char *exchange_mapping_text(const uint32_t *processors, uint32_t n_tasks, Arena *arena);

/* Scotch's target (.tgt): processors with the platform's numbers, and the distances between them
 * that message times give. Speeds are lost. */
const char *exchange_target_text(const Platform *platform, Arena *arena);

/* Reads a target's shape in the words of platform_from_text(): "4x8". A target's distances have no
 * units, so they aren't used. ERR_INPUT: the target is no tree of levels. */
bool exchange_read_target(const char *path, Arena *arena, const char **shape, Err *err);
