/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides a trace's processes among the members of a team. Private to the folder. */
#pragma once

#include "trace/archive.h"

/* owner[process] becomes the rank of the member that reads it. Returns how many processes `rank`
 * reads. All members compute the same division for the same archive. Rank 0 also orders all events,
 * so it reads less: all members are busy equally long. */
uint32_t shares_divide(const Archive *archive, uint32_t n_processes, uint32_t team_size, uint32_t rank,
                       uint32_t *owner);
