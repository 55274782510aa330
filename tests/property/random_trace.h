/* SPDX-License-Identifier: BSD-3-Clause */
/* Random but legal traces: simulates processes that exchange messages, as an MPI library would match them. */
#pragma once

#include "memory_trace.h"

/* Every message, collective and one-sided event has bytes that nothing else has: what belongs together shows by it. */
MemoryTrace *random_trace(uint64_t seed, uint32_t n_processes, int n_steps);

/* The logical times of spec/1 §1.3 ("lamport") or §1.4 ("pas2p") by iteration until nothing changes: [process][event],
 * UINT64_MAX for events without. Messages and collectives belong together by their bytes. The caller frees lts[p] and
 * lts. */
uint64_t **reference_times(const MemoryTrace *trace, const char *method);
