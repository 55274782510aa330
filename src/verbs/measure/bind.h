/* SPDX-License-Identifier: BSD-3-Clause */
/* measure --bind: the processors of each rank of saved states, as text: "0,1", "0:3", "0-3,4-7". */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

/* ERR_USAGE: the text isn't a list of processors. */
bool bind_check(const char *text, Arena *arena, Err *err);

/* (*cpus_of_rank)[n_ranks]: "3" or "4-7". A single entry is for all ranks. ERR_USAGE: another number of
 * entries. */
bool bind_read(const char *text, uint32_t n_ranks, Arena *arena, const char *const **cpus_of_rank, Err *err);
