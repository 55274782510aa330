/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines that the measuring programs print, and the costs that follow from them:
 *
 *     compiler TEXT                     what compiled the kernels
 *     free OPERATION_TYPE               may cost nothing, because compilers often remove it
 *     sample OPERATION_TYPE WAY S       CPU seconds of one operation; WAY is how it was measured:
 *                                       latency, throughput, ...
 *     set NAME S                        CPU seconds of a program of the set of benchmarks
 *     round WALL_S S                    wall-clock and CPU seconds of a round of all these
 *     done                              everything was printed */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/cpu.h"

typedef struct CpuRecords CpuRecords;

CpuRecords *cpu_records_new(Arena *arena);
void cpu_records_free(CpuRecords *records);

/* Takes a line. False if it isn't one of these lines (such as a message of the JVM); the last such
 * line is kept for errors. */
bool cpu_records_take(CpuRecords *records, const char *line);

/* The last line that was refused; "" if there was none. */
const char *cpu_records_other(const CpuRecords *records);

bool cpu_records_are_done(const CpuRecords *records);

/* Computes the costs. An operation's interval reaches from the least first decile of its ways to
 * the largest ninth decile: so it spans throughput, latency and the differences between rounds.
 * Both ends are multiplied by the same decile of the rounds' slowdowns (wall-clock time over CPU
 * time).
 *
 * benchmark_s is the sum of the set's medians, times the median slowdown. ERR_ENVIRONMENT: no round
 * is complete. */
bool cpu_records_finish(const CpuRecords *records, const char *language, Arena *arena, CpuCosts *costs, Err *err);
