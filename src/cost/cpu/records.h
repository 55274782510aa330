/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs that measure operations print, and what it adds up to. Their lines:
 *
 *     compiler TEXT                     what compiled the kernels
 *     free OPERATION_TYPE               often costs nothing, as compilers leave nothing of it
 *     sample OPERATION_TYPE WAY S       seconds of the processor that one operation took, measured in a way: latency,
 *                                       throughput, …
 *     set NAME S                        seconds that a program of the set of benchmarks took
 *     round WALL_S S                    seconds that a round of all this took, by the wall clock and on the processor
 *     done                              nothing is missing
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/cpu.h"

typedef struct CpuRecords CpuRecords;

CpuRecords *cpu_records_new(Arena *arena);
void cpu_records_free(CpuRecords *records);

/* False: it is none of these lines (a message of the JVM, say). It is kept for errors. */
bool cpu_records_take(CpuRecords *records, const char *line);

/* The last line that was none; "" if there was none. */
const char *cpu_records_other(const CpuRecords *records);

bool cpu_records_are_done(const CpuRecords *records);

/* An operation's interval reaches from the least of its ways' first deciles to the largest of their ninth: so from
 * throughput to latency, and as wide as the rounds differ; each end times the same decile of how much longer a round
 * takes than it uses the processor, which others do. benchmark_s adds up the set's medians, times that of rounds.
 * ERR_ENVIRONMENT: not one round is complete. */
bool cpu_records_finish(const CpuRecords *records, const char *language, Arena *arena, CpuCosts *costs, Err *err);
