/* SPDX-License-Identifier: BSD-3-Clause */
/* What computing costs on a kind of machine, as text. */
#pragma once

#include "base/arena.h"
#include "model/cpu.h"
#include <stdbool.h>

/* One table for each language: operations by types, [low, high] in nanoseconds. An operation
 * without any measured type has no row. */
const char *cpu_text(const CpuModel *cpu, bool color, Arena *arena);
