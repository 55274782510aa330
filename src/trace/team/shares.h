/* SPDX-License-Identifier: BSD-3-Clause */
/* Who reads which process of a trace. Private to the folder. */
#pragma once

#include "trace/archive.h"

/* owner[process]: the rank of the team that reads it; returns how many `rank` reads. Every member that divides the same
 * archive gets the same. Rank 0, which has to order what all read, gets so much less that all are busy equally long. */
uint32_t shares_divide(const Archive *archive, uint32_t n_processes, uint32_t team_size, uint32_t rank,
                       uint32_t *owner);
