/* SPDX-License-Identifier: BSD-3-Clause */
/* What computing costs on a kind of machine, as text. */
#pragma once

#include "base/arena.h"
#include "model/cpu.h"
#include <stdbool.h>

/* A table a language: operations by types, [low, high] in nanoseconds; operations that weren't measured of any type are
 * left out. */
const char *cpu_text(const CpuModel *cpu, bool color, Arena *arena);
