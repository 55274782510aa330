/* SPDX-License-Identifier: BSD-3-Clause */
/* Random but legal traces. They come from simulated processes whose messages are matched as in an
 * MPI library. */
#pragma once

#include "memory_trace.h"

/* Every message, collective and one-sided event has a unique number of bytes, by which tests
 * recognise it. */
MemoryTrace *random_trace(uint64_t seed, uint32_t n_processes, int n_steps);

/* The logical times of docs/METHOD.md §2 ("lamport" or "pas2p"), computed by iterating until
 * nothing changes: [process][event]. UINT64_MAX: the event has none. Messages and collectives are
 * matched by their bytes. The caller frees lts[p] and lts. */
uint64_t **reference_times(const MemoryTrace *trace, const char *method);
