/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations cost in compiled code: a compiler removes index arithmetic, keeps variables in
 * registers and computes several elements at once, and the processor overlaps operations. So
 * ordinary kernels are compiled with an application's options and timed; costs of classes of
 * operations are fitted to their times. Source: docs/METHOD.md, section 17. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/cpu.h"

/* What distant data cost on this machine. */
typedef struct ContextMemory ContextMemory;

/* ERR_ENVIRONMENT: the measuring program is missing, or fails. */
bool context_measure_memory(Arena *arena, const ContextMemory **memory, Err *err);

/* Measures C at the compiler's options, or Java (CPU_WARM) for so many seconds, or shorter. `single`: costs
 * of the language's operations that were measured one by one, from which quotients, functions and
 * allocation are taken. `memory`: for C. Each interval of the result holds how
 * much kernels differ that have the same operations. *why_not: why cycles of compiled C aren't counted; NULL: they
 * are, or it's Java. ERR_ENVIRONMENT: no compiler, or kernels don't
 * run; ERR_USAGE: the compiler refuses the options; ERR_NEGATIVE: interrupted. */
bool context_measure(const char *options, double seconds, const CpuCosts *single, const ContextMemory *memory,
                     Arena *arena, CpuCosts *costs, const char **why_not, Err *err);
